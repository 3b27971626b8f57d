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
from ..buffers import TQueBind
from ..memory import LocalTensor
from . import ISA, units
from .op import Op
from .vector import VectorOp

HEAD = """\
# Instructions

Made by `make docs` from the declarations in `ascendc/language/isa`. `ascendc ops NAME` shows one instruction with an
example. All are called as `asc.NAME(…)`, except those of tensors and queues, which are methods; `op` stands for each
instruction of a section.

* *Element types*: of all operands, or destination ← source. Copies take every type but int4.
* *Cost class*: a key under `vector.cost` of a chip file; `ascendc chips NAME` shows what it costs there. The time of
  copies and flags follows from the memory system and from what they wait for.
* *Source*: where its rules are written down.
* *Special values*: infinities, NaN, −0 and subnormal numbers are those of IEEE 754; nothing is flushed to zero. A NaN
  that is read makes the result NaN, but is unlike everything in comparisons, becomes 0 in integers, comes last in a
  sort, and is only carried by what moves elements. Of two zeros −0 is the smaller one; where a repeat, a block or a
  tensor is reduced, they are equal, and of equal elements the first is taken. Sums, products, quotients and roots are
  rounded to nearest even, exponentials and logarithms to within one unit of that.
* `mask` is a number of lanes, or a list of two 64-bit words with a bit for each lane; `repeat_params` holds strides
  in blocks of 32 bytes. With `is_set_mask=False` the mask register chooses the lanes and `mask` says
  nothing; the count form then is one repeat of what the register holds. After `set_mask_count()` a mask is the number
  of elements of the whole instruction, and `repeat_times` says nothing.
"""

MISSING = {
    "matrices: no cube core is modelled yet": "fixpipe init_const_value load_data load_data_with_sparse "
    "load_data_with_transpose mmad mmad_with_sparse set_fix_pipe_pre_quant_flag set_hf32_mode set_hf32_trans_mode "
    "set_load_data_boundary set_load_data_padding_value set_load_data_repeat set_mm_layout_transform",
    "order between cores: blocks only meet in global memory yet": "cross_core_set_flag cross_core_wait_flag ib_set "
    "ib_wait notify_next_block sync_all wait_pre_block",
    "communication: a launch knows one device, and no other to talk to": "get_hccl_context set_hccl_context",
    "images: their unit feeds the cube core from pictures, and is no part of the model": "load_image_to_local "
    "set_aipp_functions",
    "region proposals: of chips before A2; `sort32`, `mrg_sort` and `extract` took their place": "mrg_sort4 "
    "proposal_concat proposal_extract rp_sort16",
}
"""Ascend C's names in Python spelling, by the reason why they are not there; those that are drop out."""

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
"""

OTHER_NAMES = """\
## Other names

Ascend C renames some instructions; both names are the same function. `ascendc.cpp_names` has all of them in C++
spelling, as `DataCopy`.

| newer | older |
|---|---|
"""

MISSING_HEAD = "## What is not there\n\n"

METHODS = {"tensor": LocalTensor, "queue": TQueBind}
"""Whose methods the instructions are that are no functions."""

_WIDTH = 118


def document() -> str:
    """The whole document."""
    functions = ADVANCED + "\n".join(_functions()) + "\n"
    missing = MISSING_HEAD + "\n".join(_missing()) + "\n"
    plain = FUNCTIONS_HEAD + "\n".join(_plain()) + "\n"
    names = OTHER_NAMES + "\n".join(_other_names()) + "\n"
    parts = [HEAD, *map(_section, units()), plain, functions, names, ELSEWHERE, missing]
    return "\n".join(parts)


def _section(unit: ModuleType) -> str:
    """One unit: how its instructions are called, then one row each."""
    title = (unit.__doc__ or "").split("\n")[0].rstrip(".").replace("``", "`")
    ops = [ISA[name] for name in unit.__all__]
    calls = "\n".join(_section_calls(ops))
    return f"## {title}\n\n" + (f"```\n{calls}\n```\n\n" if calls else "") + "\n".join(_table(ops)) + "\n"


def _section_calls(ops: list[Op]) -> Iterator[str]:
    """The ways to call the instructions of a section; if they have the same, ``op`` stands for each."""
    forms = {op.name: list(_forms(op)) for op in ops}
    if len(ops) > 1 and all(own == forms[ops[0].name] for own in forms.values()) and all(map(callable, ops)):
        forms = {"op": forms[ops[0].name]}
    for name, own in forms.items():
        for form in own:
            yield textwrap.fill(
                f"{_owner(name)}{name}({form})", _WIDTH, subsequent_indent="    ", break_on_hyphens=False
            )


def _forms(op: Op) -> Iterator[str]:
    """The parameters of each form of an instruction; of one that is a method, those of the method."""
    owner = _owner(op.name).rstrip(".")
    if not owner and not callable(op):
        return
    call = getattr(METHODS[owner], op.name) if owner else type(op).__call__
    for form in get_overloads(call) or [call]:
        yield _parameters(form, op.spelled)


def _owner(name: str) -> str:
    """``tensor.`` or ``queue.`` before an instruction that is a method."""
    if name not in ISA or callable(ISA[name]):
        return ""
    return next((f"{owner}." for owner, kind in METHODS.items() if name in vars(kind)), "")


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


def _parameters(function: Callable[..., object], spelled: Callable[[str], str] = str) -> str:
    shown, star = [], False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not star:
            shown.append("*")
        star = star or parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        name = "*" * (parameter.kind is parameter.VAR_POSITIONAL) + spelled(parameter.name)
        shown.append(name if parameter.default is parameter.empty else f"{name}={_bare(parameter.default)}")
    return ", ".join(shown)


def _bare(value: object) -> str:
    return f"{type(value).__name__}.{value.name}" if isinstance(value, Enum) else repr(value)


def _other_names() -> Iterator[str]:
    for name in ascendc.__all__:
        op = getattr(ascendc, name)
        if isinstance(op, Op) and op.name != name:
            yield f"| `{name}` | `{op.name}` |"


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
            taken = dict.fromkeys(map(str, others or [first]))
            sources.setdefault(str(first), []).append(" with ".join(taken))
    shared = [dst for dst, taken in sources.items() if taken == [dst]]
    mixed = [f"{dst} ← {', '.join(taken)}" for dst, taken in sources.items() if taken != [dst]]
    for kind in [kind for kind in shared if kind in beside]:  # the odd source is of that type itself
        shared.remove(kind)
        beside[kind].append(kind)
    mixed += [f"{', '.join(dict.fromkeys(names))} with {extra}" for extra, names in beside.items()]
    return "; ".join(filter(None, [", ".join(shared), *mixed]))


def _missing() -> Iterator[str]:
    for reason, names in MISSING.items():
        if left := [f"`{name}`" for name in names.split() if not hasattr(ascendc, name)]:
            text = f"* {reason}: {', '.join(left)}"
            yield textwrap.fill(text, _WIDTH, subsequent_indent="  ", break_on_hyphens=False)


if __name__ == "__main__":
    sys.stdout.write(document())
