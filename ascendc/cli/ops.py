"""``ascendc ops``: the instruction table, and whatever else a kernel can call, one by one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar

import click

from ascendc.language.names import why_missing

from . import lookup
from .arguments import unknown

if TYPE_CHECKING:
    from ascendc.language.adv.function import Function
    from ascendc.language.isa.op import Op

Declared = TypeVar("Declared", "Op", "Function")

MANY = 12
"""Combinations of element types above which the table only counts them."""

EPILOG = """\b
Examples:
  ascendc ops               all instructions
  ascendc ops MTE3          those of one pipe
  ascendc ops reduce        those with this in their name
  ascendc ops add           one of them: its calls, its element types, an example
  ascendc ops DataCopyPad   the same by its name in C++
  ascendc ops softmax       a function of asc.adv
  ascendc ops RoundMode     an enum, or a parameter struct
"""


@click.command(epilog=EPILOG)
@click.argument("filter", metavar="[FILTER]", default="")
def ops(filter: str) -> None:
    """List instructions with their pipe, element types and C++ name.

    FILTER is a name, a part of one, or a pipe.  A whole name, in Python's spelling or C++'s, shows all about it.
    """
    from ascendc.language.isa import ISA

    if shown := lookup.everything(filter):
        click.echo(shown)
        return
    found = _in_pipe(ISA.values(), filter.upper()) or _named(ISA.values(), filter.lower())
    if found:
        _print((op.name, op.unit, op.cpp, _types(op)) for op in sorted(found, key=lambda op: op.name))
    elif functions := _named(lookup.functions().values(), filter.lower()):
        _print((f"adv.{f.name}", "", f.cpp, " ".join(map(str, f.dtypes))) for f in functions)
    elif why := why_missing(filter):
        raise click.UsageError(f"there is no {filter}: {why}")
    else:
        raise click.UsageError(unknown("instruction", filter, lookup.names(), "ascendc ops"))


def _in_pipe(ops: Iterable[Op], pipe: str) -> list[Op]:
    return [op for op in ops if pipe in op.unit.split("/")]


def _named(declared: Iterable[Declared], part: str) -> list[Declared]:
    return [each for each in declared if part in each.name.lower() or part in each.cpp.lower()]


def _types(op: Op) -> str:
    dtypes = lookup.dtypes(op)
    return " ".join(dtypes) if len(dtypes) <= MANY else f"{len(dtypes)} combinations: ascendc ops {op.name}"


def _print(rows: Iterable[tuple[str, ...]]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("name", "pipe", "C++", "element types"):
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*row)
    Console().print(table)
