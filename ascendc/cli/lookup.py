"""All there is to say about one name that a kernel can use, for ``ascendc ops``."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ascendc.language.adv.function import Function
    from ascendc.language.isa.op import Op

WIDTH = 80
_ITEM = re.compile(r"\n(?= {4}\S)|(?<=:)\n(?= )")
"""Where an item of a list begins: behind the head of the list, or behind another item."""


def everything(name: str) -> str:
    """What bears this name, in Python's spelling or C++'s: instructions, functions, structs and enums; or nothing."""
    return "\n\n".join([*_instructions(name), *_functions(name), *_classes(name)])


def names() -> list[str]:
    """All names that :func:`everything` knows, in Python's spelling."""
    from ascendc.language import arguments_page
    from ascendc.language.isa import ISA

    return [*ISA, *functions(), *arguments_page.structs(), *arguments_page.enums()]


def functions() -> dict[str, Function]:
    """The high-level functions by name."""
    from ascendc import adv

    return adv.FUNCTIONS


def dtypes(op: Op) -> list[str]:
    """The element types it has: one name if all its operands share it, else destination ← sources."""
    return [_combination(tuple(map(str, kinds))) for kinds in getattr(op, "dtypes", ())]


def _combination(kinds: tuple[str, ...]) -> str:
    return kinds[0] if len(set(kinds)) == 1 else f"{kinds[0]}←{','.join(kinds[1:])}"


def _instructions(name: str) -> Iterator[str]:
    """One by its name, by another name of it, or all with this name in C++."""
    import ascendc
    from ascendc.language.calls import call, forms, owner
    from ascendc.language.isa import ISA
    from ascendc.language.isa.op import Op

    other = getattr(ascendc, name) if name in ascendc.__all__ else None
    found = ISA.get(name) or (other if isinstance(other, Op) else None)
    for op in [found] if found else [op for op in ISA.values() if op.cpp == name]:
        calls = [call(f"{owner(op.name) or 'asc.'}{op.name}", form, WIDTH) for form in forms(op)]
        facts = {"C++": op.cpp, "pipe": op.unit, "dtypes": " ".join(dtypes(op)), "source": op.source}
        yield _about(op.name, facts, calls, op.doc)


def _functions(name: str) -> Iterator[str]:
    import ascendc
    from ascendc.language.calls import call, parameters

    for entry in functions().values():
        if name in (entry.name, f"adv.{entry.name}", entry.cpp):
            shown = parameters(getattr(ascendc.adv, entry.name))
            facts = {"C++": entry.cpp, "dtypes": " ".join(map(str, entry.dtypes))}
            yield _about(f"adv.{entry.name}", facts, [call(f"asc.adv.{entry.name}", shown, WIDTH)], entry.doc)


def _classes(name: str) -> Iterator[str]:
    from ascendc.language import arguments_page
    from ascendc.language.calls import call, parameters

    for full, kind in {**arguments_page.structs(), **arguments_page.enums()}.items():
        if name in (full, full.removeprefix("adv.")):
            of = [f"asc.{full}.{m}" for m in kind.__members__] if issubclass(kind, Enum) else None
            yield _about(full, {}, of or [call(f"asc.{full}", parameters(kind), WIDTH)], kind.__doc__ or "")


def _about(name: str, facts: dict[str, str], calls: list[str], doc: str) -> str:
    rows = [textwrap.fill(f"  {k:<7} {v}", WIDTH, subsequent_indent=" " * 10) for k, v in facts.items() if v]
    return "\n".join([name, *rows, *([""] if calls else []), *calls, "", *_wrapped(inspect.cleandoc(doc))]).rstrip()


def _wrapped(doc: str) -> Iterator[str]:
    """The lines of a docstring that is made for wider windows; paragraphs, items of lists, and examples as they are."""
    for part in doc.split("\n\n"):
        is_example = part.lstrip().startswith(">>>")
        items = part.splitlines() if is_example else _ITEM.split(part)
        for item in items:
            indent = " " * (len(item) - len(item.lstrip()))
            deeper = indent + "    " * bool(indent)
            text = " ".join(item.split())
            yield (
                item
                if is_example
                else textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=deeper, break_on_hyphens=False)
            )
        yield ""
