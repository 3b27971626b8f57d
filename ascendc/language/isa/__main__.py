"""``python -m ascendc.language.isa``: the instruction table as Markdown, which is ``docs/instructions.md``."""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from enum import Enum
from types import ModuleType
from typing import get_overloads

import ascendc

from ..adv.function import FUNCTIONS
from . import ISA, units
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
  in blocks of 32 bytes. With `is_set_mask=False` the mask register chooses the lanes and `mask` says
  nothing; the count form then is one repeat of what the register holds. After `set_mask_count()` a mask is the number
  of elements of the whole instruction, and `repeat_times` says nothing.
"""

MISSING = {
    "vector arithmetic": "add_deq_relu add_relu add_relu_cast bilinear_interpolation bitwise_and bitwise_not "
    "bitwise_or cast_deq fused_mul_add fused_mul_add_relu mul_add_dst mul_cast set_deq_scale shift_left shift_right "
    "sub_relu sub_relu_cast",
    "comparing": "compare compare_scalar get_cmp_mask select set_cmp_mask",
    "reducing": "block_reduce_max block_reduce_min block_reduce_sum pair_reduce_sum reduce_max reduce_min reduce_sum "
    "repeat_reduce_sum whole_reduce_max whole_reduce_min whole_reduce_sum",
    "moving within UB": "brcb copy gather gather_mask gatherb scatter trans_data_to_5hd transpose",
    "sorting": "mrg_sort sort sort32",
    "mask register": "reset_mask set_mask_count set_mask_norm set_vector_mask",
    "matrices": "fixpipe init_const_value load_data load_data_with_sparse load_data_with_transpose mmad "
    "mmad_with_sparse set_fix_pipe_pre_quant_flag set_hf32_mode set_hf32_trans_mode set_load_data_boundary "
    "set_load_data_padding_value set_load_data_repeat set_mm_layout_transform",
    "between cores": "cross_core_set_flag cross_core_wait_flag ib_set ib_wait notify_next_block sync_all "
    "wait_pre_block",
    "atomic stores": "set_atomic_add set_atomic_max set_atomic_min set_atomic_none set_atomic_type",
    "scalar unit": "scalar_cast scalar_count_leading_zero scalar_get_count_of_value scalar_get_sff_value",
    "looking": "dump_acc_chk_point dump_tensor get_program_counter get_system_cycle metrics_prof_start "
    "metrics_prof_stop print_time_stamp printf",
    "caches": "data_cache_clean_and_invalid data_cache_preload data_sync_barrier get_icache_preload_status "
    "icache_preload",
    "the system": "ascend_is_aic ascend_is_aiv check_local_memory_ia get_hccl_context get_sub_block_idx "
    "get_sub_block_num get_sys_workspace get_task_ratio init_soc_state set_hccl_context set_sys_workspace",
    "element types": "int4",
    "images": "load_image_to_local set_aipp_functions",
}
"""Ascend C's names in Python spelling, by subject; those that exist drop out of the document."""

ADVANCED = """\
## High-level functions

Called as `asc.adv.NAME(…)`, and written in the instructions above: their cycles are those of what they issue. Without
`temp_buffer` they work in what the TPipe's buffers leave of UB; `get_NAME_max_min_tmp_size` says on the host how many
bytes are of use, and how many are needed. Without `auto_sync` they order their instructions themselves. *Temporary*
is bytes of one element, for each type; such functions need 128 elements' worth and can use all elements'.

| function | C++ | element types | temporary | does |
|---|---|---|---|---|
"""

PLAIN = ("bilinear", "sorting", "dump", "system")
"""Files of functions that are no instructions themselves."""

FUNCTIONS_HEAD = """\
## Functions beside the instructions

Written in instructions, known before the kernel runs, or for looking; only the first leave rows.

| function | does |
|---|---|
"""

ELSEWHERE = """\
## Only on other chips

* `scatter` needs a price, `vector.cost.scatter`: the files of A2 chips have none, because they lack the instruction.
* `mrg_sort4`, `proposal_concat`, `proposal_extract` and `rp_sort16` work on the region proposals of chips before A2,
  and are not in the language; `sort32`, `mrg_sort` and `extract` took their place.
"""


def document() -> str:
    """The whole document."""
    functions = ADVANCED + "\n".join(_functions()) + "\n"
    missing = "## Not there yet\n\n" + "\n".join(_missing()) + "\n"
    plain = FUNCTIONS_HEAD + "\n".join(_plain()) + "\n"
    parts = [HEAD, *map(_section, units()), plain, functions, ELSEWHERE, missing]
    return "\n".join(parts)


def _section(unit: ModuleType) -> str:
    """One unit: how its instructions are called, then one row each."""
    title = (unit.__doc__ or "").split("\n")[0].rstrip(".").replace("``", "`")
    ops = [ISA[name] for name in unit.__all__]
    calls = "\n".join(dict.fromkeys(call for op in ops for call in _calls(op, ops)))
    return f"## {title}\n\n" + (f"```\n{calls}\n```\n\n" if calls else "") + "\n".join(_table(ops)) + "\n"


def _calls(op: Op, ops: list[Op]) -> Iterator[str]:
    """The ways to call it; ``op`` stands for all of a family."""
    call = next((vars(kind)["__call__"] for kind in type(op).__mro__ if "__call__" in vars(kind)), None)
    if call is None:
        return
    name = op.name if [type(o) for o in ops].count(type(op)) == 1 else "op"
    for form in get_overloads(call) or [call]:
        parameters = [p for p in inspect.signature(form).parameters.values() if p.name != "self"]
        yield f"{name}({', '.join(map(_shown, parameters))})"


def _shown(parameter: inspect.Parameter) -> str:
    name = f"*{parameter.name}" if parameter.kind is parameter.VAR_POSITIONAL else parameter.name
    return name if parameter.default is parameter.empty else f"{name}={_bare(parameter.default)}"


def _bare(value: object) -> str:
    return f"{type(value).__name__}.{value.name}" if isinstance(value, Enum) else repr(value)


def _table(ops: list[Op]) -> Iterator[str]:
    yield "| instruction | C++ | pipe | element types | cost class | does | source |"
    yield "|---|---|---|---|---|---|---|"
    for op in ops:
        types, cost = (_types(op), f"`{op.cost}`") if isinstance(op, VectorOp) else ("", "")
        yield f"| `{op.name}` | `{op.cpp}` | {op.unit} | {types} | {cost} | {_does(op.doc)} | {op.source} |"


def _plain() -> Iterator[str]:
    for name in ascendc.__all__:
        function = getattr(ascendc, name)
        if inspect.isfunction(function) and function.__module__.rpartition(".")[2] in PLAIN:
            yield f"| `{name}({_parameters(function)})` | {_does(function.__doc__ or '')} |"


def _parameters(function: Callable[..., object]) -> str:
    return ", ".join(map(_shown, inspect.signature(function).parameters.values()))


def _functions() -> Iterator[str]:
    for name, entry in sorted(FUNCTIONS.items()):
        parameters = _parameters(getattr(ascendc.adv, name))
        types = ", ".join(kind.name for kind in entry.dtypes)
        yield f"| `{name}({parameters})` | `{entry.cpp}` | {types} | {entry.temporary} | {_does(entry.doc)} |"


def _does(doc: str) -> str:
    """The first line of a docstring, as a cell."""
    return doc.split("\n", maxsplit=1)[0].replace("``", "`").replace("|", r"\|")


def _types(op: VectorOp) -> str:
    """Types all operands share, then each other destination with the sources it takes, or with one odd source."""
    sources: dict[str, list[str]] = {}
    beside: dict[str, list[str]] = {}
    for first, *others in op.dtypes:
        extra = [k for k in others if k is not first]
        if extra and first in others:  # sources of the destination's type, and one that is not
            beside.setdefault(str(extra[-1]), []).append(str(first))
        else:
            sources.setdefault(str(first), []).append(str((others or [first])[-1]))
    shared = [dst for dst, taken in sources.items() if taken == [dst]]
    mixed = [f"{dst} ← {', '.join(taken)}" for dst, taken in sources.items() if taken != [dst]]
    mixed += [f"{', '.join(dict.fromkeys(names))} with {extra}" for extra, names in beside.items()]
    return "; ".join(filter(None, [", ".join(shared), *mixed]))


def _missing() -> Iterator[str]:
    for subject, names in MISSING.items():
        if left := [f"`{name}`" for name in names.split() if not hasattr(ascendc, name)]:
            yield textwrap.fill(f"* {subject}: {', '.join(left)}", 118, subsequent_indent="  ", break_on_hyphens=False)


if __name__ == "__main__":
    sys.stdout.write(document())
