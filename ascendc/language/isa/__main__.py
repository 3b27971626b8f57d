"""``python -m ascendc.language.isa``: the instruction table as Markdown, which is ``docs/instructions.md``."""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Iterator
from types import ModuleType

import ascendc

from ..adv.function import FUNCTIONS
from ..arguments_page import page
from ..calls import call, forms, owner, parameters
from ..names import MISSING
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
* *int4*: two to a byte, in UB alone: `t.reinterpret_cast(asc.int4)`. `cast` has it, to and from float16, and
  `adv.anti_quant`; copies move the bytes as uint8. Windows and counts begin and end at even elements.
* `mask` is a number of lanes, or a list of two 64-bit words with a bit for each lane; `repeat_params` holds strides
  in blocks of 32 bytes. With `is_set_mask=False` the mask register chooses the lanes and `mask` says
  nothing; the count form then is one repeat of what the register holds. After `set_mask_count()` a mask is the number
  of elements of the whole instruction, and `repeat_times` says nothing.
"""

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

_WIDTH = 118


def document() -> str:
    """The whole document."""
    functions = ADVANCED + "\n".join(_functions()) + "\n"
    missing = MISSING_HEAD + "\n".join(_missing()) + "\n"
    plain = FUNCTIONS_HEAD + "\n".join(_plain()) + "\n"
    names = OTHER_NAMES + "\n".join(_other_names()) + "\n"
    parts = [HEAD, *map(_section, units()), plain, functions, page(), names, ELSEWHERE, missing]
    return "\n".join(parts)


def _section(unit: ModuleType) -> str:
    """One unit: how its instructions are called, then one row each."""
    title = (unit.__doc__ or "").split("\n")[0].rstrip(".").replace("``", "`")
    ops = [ISA[name] for name in unit.__all__]
    calls = "\n".join(_section_calls(ops))
    return f"## {title}\n\n" + (f"```\n{calls}\n```\n\n" if calls else "") + "\n".join(_table(ops)) + "\n"


def _section_calls(ops: list[Op]) -> Iterator[str]:
    """The ways to call the instructions of a section; if they have the same, ``op`` stands for each."""
    known = {op.name: list(forms(op)) for op in ops}
    if len(ops) > 1 and all(own == known[ops[0].name] for own in known.values()) and all(map(callable, ops)):
        known = {"op": known[ops[0].name]}
    for name, own in known.items():
        for form in own:
            yield call(f"{owner(name)}{name}", form, _WIDTH)


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
            yield f"| `{name}({parameters(function)})` | {_does(function.__doc__ or '')} |"


def _other_names() -> Iterator[str]:
    for name in ascendc.__all__:
        op = getattr(ascendc, name)
        if isinstance(op, Op) and op.name != name:
            yield f"| `{name}` | `{op.name}` |"


def _functions() -> Iterator[str]:
    for name, entry in sorted(FUNCTIONS.items()):
        shown = parameters(getattr(ascendc.adv, name))
        types = ", ".join(kind.name for kind in entry.dtypes)
        yield f"| `{name}({shown})` | `{entry.cpp}` | {types} | {entry.temporary} | {_does(entry.doc)} |"


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
