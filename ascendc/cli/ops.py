"""``ascendc ops``: the instruction table."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from .arguments import unknown

if TYPE_CHECKING:
    from ascendc.language.isa.op import Op

MANY = 12
"""Combinations of element types above which the table only counts them."""

EPILOG = """\b
Examples:
  ascendc ops          all instructions
  ascendc ops MTE3     those of one pipe
  ascendc ops reduce   those with this in their name
  ascendc ops add      one of them, with an example
"""


@click.command(epilog=EPILOG)
@click.argument("filter", metavar="[FILTER]", default="")
def ops(filter: str) -> None:
    """List instructions with their pipe, element types and C++ name.

    FILTER is a name, a part of one, or a pipe.
    """
    from ascendc.language.isa import ISA

    if filter in ISA:
        click.echo(_details(ISA[filter]))
        return
    found = _in_pipe(ISA.values(), filter.upper()) or _named(ISA.values(), filter.lower())
    if not found:
        raise click.UsageError(unknown("instruction", filter, ISA, "ascendc ops"))
    _print(sorted(found, key=lambda op: op.name))


def _in_pipe(ops: Iterable[Op], pipe: str) -> list[Op]:
    return [op for op in ops if pipe in op.unit.split("/")]


def _named(ops: Iterable[Op], part: str) -> list[Op]:
    return [op for op in ops if part in op.name.lower() or part in op.cpp.lower()]


def _dtypes(op: Op) -> list[str]:
    """The element types it has: one name if all its operands share it, else destination ← sources."""
    return [_combination(tuple(map(str, kinds))) for kinds in getattr(op, "dtypes", ())]


def _combination(kinds: tuple[str, ...]) -> str:
    return kinds[0] if len(set(kinds)) == 1 else f"{kinds[0]}←{','.join(kinds[1:])}"


def _details(op: Op) -> str:
    rows = {"C++": op.cpp, "pipe": op.unit, "dtypes": " ".join(_dtypes(op)), "source": op.source}
    facts = (textwrap.fill(f"  {k:<7} {v}", 80, subsequent_indent=" " * 10) for k, v in rows.items() if v)
    return "\n".join([op.name, *facts, "", inspect.cleandoc(op.doc)])


def _print(found: list[Op]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("name", "pipe", "C++", "element types"):
        table.add_column(column, overflow="fold")
    for op in found:
        dtypes = _dtypes(op)
        shown = " ".join(dtypes) if len(dtypes) <= MANY else f"{len(dtypes)} combinations: ascendc ops {op.name}"
        table.add_row(op.name, op.unit, op.cpp, shown)
    Console().print(table)
