"""``ascendc ops``: the instruction table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .arguments import unknown

if TYPE_CHECKING:
    from ascendc.language.isa.op import Op

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
    found = [op for op in ISA.values() if _matches(op, filter)]
    if not found:
        raise click.UsageError(unknown("instruction", filter, ISA))
    _print(sorted(found, key=lambda op: op.name))


def _matches(op: Op, text: str) -> bool:
    return text.lower() in op.name.lower() or text.lower() in op.cpp.lower() or text.upper() in op.unit.split("/")


def _dtypes(op: Op) -> str:
    return " ".join(map(str, getattr(op, "dtypes", ())))


def _details(op: Op) -> str:
    rows = [("C++", op.cpp), ("pipe", op.unit), ("dtypes", _dtypes(op)), ("source", op.source)]
    return "\n".join([op.name, *(f"  {key:<7} {value}" for key, value in rows if value), "", op.doc.rstrip()])


def _print(found: list[Op]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("name", "pipe", "C++", "element types"):
        table.add_column(column, overflow="fold")
    for op in found:
        table.add_row(op.name, op.unit, op.cpp, _dtypes(op))
    Console().print(table)
