"""``python -m ascendc.language.isa``: the instruction table as Markdown, which is ``docs/instructions.md``."""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from enum import Enum
from types import ModuleType
from typing import Any, get_overloads

import ascendc

from . import _UNITS, ISA
from .op import Op
from .vector import VectorOp

HEAD = """\
# Instructions

Made by `make docs` from the declarations in `ascendc/language/isa`. `ascendc ops NAME` shows one instruction with an
example. All are called as `asc.NAME(…)`, except those of tensors and queues, which are methods.

* *Element types*: of all operands, or destination ← source. Copies take every type.
* *Cost class*: a key under `vector.cost` of a chip file; `ascendc chips NAME` shows what it costs there. The time of
  copies and flags follows from the memory system and from what they wait for.
* *Source*: where its rules are written down.
* `mask` is a number of lanes, or a list of two 64-bit words with a bit for each lane; `repeat_params` holds strides
  in blocks of 32 bytes. `is_set_mask` stays true until there are instructions that set the mask register.
"""

MISSING = {
    "vector arithmetic": "add_deq_relu add_relu add_relu_cast bitwise_and bitwise_not bitwise_or cast_deq "
    "fused_mul_add fused_mul_add_relu mul_add_dst mul_cast shift_left shift_right sub_relu sub_relu_cast",
    "comparing": "compare compare_scalar get_cmp_mask select set_cmp_mask",
    "reducing": "block_reduce_max block_reduce_min block_reduce_sum pair_reduce_sum reduce_max reduce_min reduce_sum "
    "repeat_reduce_sum whole_reduce_max whole_reduce_min whole_reduce_sum",
    "moving within UB": "brcb copy gather gather_mask gatherb scatter trans_data_to_5hd transpose",
    "sorting": "mrg_sort mrg_sort4 sort sort32",
    "mask register": "reset_mask set_mask_count set_mask_norm set_vector_mask",
    "matrices": "fixpipe init_const_value load_data load_data_with_transpose mmad",
    "between cores": "cross_core_set_flag cross_core_wait_flag ib_set ib_wait notify_next_block sync_all "
    "wait_pre_block",
    "atomic stores": "set_atomic_add set_atomic_max set_atomic_min set_atomic_none set_atomic_type",
    "scalar unit": "scalar_cast scalar_count_leading_zero scalar_get_count_of_value scalar_get_sff_value",
    "looking": "dump_tensor get_system_cycle print_time_stamp printf",
}
"""Ascend C's instructions, in Python spelling, by subject; those that exist drop out of the document."""


def document() -> str:
    """The whole document."""
    parts = [HEAD, *map(_section, _UNITS), "## Not there yet\n\n" + "\n".join(_missing()) + "\n"]
    return "\n".join(parts)


def _section(unit: ModuleType) -> str:
    """One unit: how its instructions are called, then one row each."""
    title = (unit.__doc__ or "").split("\n")[0].rstrip(".").replace("``", "`")
    ops = [ISA[name] for name in unit.__all__]
    calls = "\n".join(dict.fromkeys(call for op in ops for call in _calls(op, ops)))
    return f"## {title}\n\n" + (f"```\n{calls}\n```\n\n" if calls else "") + "\n".join(_table(ops)) + "\n"


def _calls(op: Op, ops: list[Op]) -> Iterator[str]:
    """The ways to call it; ``op`` stands for all of a family."""
    call: Callable[..., Any] | None = vars(type(op)).get("__call__")
    if call is None:
        return
    name = op.name if [type(o) for o in ops].count(type(op)) == 1 else "op"
    for form in get_overloads(call) or [call]:
        parameters = [p for p in inspect.signature(form).parameters.values() if p.name != "self"]
        yield f"{name}({', '.join(map(_shown, parameters))})"


def _shown(parameter: inspect.Parameter) -> str:
    default = parameter.default
    return parameter.name if default is parameter.empty else f"{parameter.name}={_bare(default)}"


def _bare(value: object) -> str:
    return f"{type(value).__name__}.{value.name}" if isinstance(value, Enum) else repr(value)


def _table(ops: list[Op]) -> Iterator[str]:
    yield "| instruction | C++ | pipe | element types | cost class | does | source |"
    yield "|---|---|---|---|---|---|---|"
    for op in ops:
        types, cost = (_types(op), f"`{op.cost}`") if isinstance(op, VectorOp) else ("", "")
        does = op.doc.split("\n")[0].replace("``", "`").replace("|", r"\|")
        yield f"| `{op.name}` | `{op.cpp}` | {op.unit} | {types} | {cost} | {does} | {op.source} |"


def _types(op: VectorOp) -> str:
    """Types all operands share, then each other destination with the sources it takes."""
    sources: dict[str, list[str]] = {}
    for kinds in op.dtypes:
        sources.setdefault(str(kinds[0]), []).append(str(kinds[-1]))
    shared = [dst for dst, taken in sources.items() if taken == [dst]]
    mixed = [f"{dst} ← {', '.join(taken)}" for dst, taken in sources.items() if taken != [dst]]
    return "; ".join(filter(None, [", ".join(shared), *mixed]))


def _missing() -> Iterator[str]:
    for subject, names in MISSING.items():
        if left := [f"`{name}`" for name in names.split() if not hasattr(ascendc, name)]:
            yield textwrap.fill(f"* {subject}: {', '.join(left)}", 118, subsequent_indent="  ", break_on_hyphens=False)


if __name__ == "__main__":
    sys.stdout.write(document())
