"""``ascendc chips``: the chips there are, and the numbers of one with their sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from ascendc.language.chipfile import names
from ascendc.language.hardware import HardwareSpec

from . import arguments

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

EPILOG = """\b
Examples:
  ascendc chips                 all that come with the package
  ascendc chips Ascend910B1     one, with the source of every group of numbers
  ascendc chips my_chip.toml    check a chip file of yours

\b
A chip file may hold only what differs from another chip:
  extends = "Ascend910B1"
  name = "faster-memory"
  [hbm]
  achievable_gbps = 3000
  source = "what if"
  status = "assumed"
"""


@click.command(epilog=EPILOG)
@click.argument("chip", metavar="[NAME|FILE]", callback=arguments.chip, required=False)
def chips(chip: HardwareSpec | None) -> None:
    """List the chips, or show the numbers of one and where they come from.

    A path of a .toml file works wherever a chip's name does.
    """
    from rich.console import Console

    console = Console(highlight=False)
    if chip is None:
        console.print(_list())
        return
    console.print(f"[bold]{chip.name}[/], architecture {chip.architecture}")
    for name, group in _groups(chip.raw):
        _show(console, name, group)


def _list() -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("chip")
    for column in ("cores", "MHz", "L2 MiB", "memory GiB", "GB/s"):
        table.add_column(column, justify="right")
    for name in names():
        spec = HardwareSpec.load(name)
        cores = " + ".join(f"{core.count} {kind}" for kind, core in spec.core.items())
        sizes = f"{spec.l2.bytes / 2**20:g}", f"{spec.hbm.bytes / 2**30:g}"
        table.add_row(spec.name, cores, str(spec.clock.reference_mhz), *sizes, f"{float(spec.hbm.peak_gbps):g}")
    return table


def _groups(raw: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every table that says its source, by dotted name."""
    for key, value in raw.items():
        if isinstance(value, Mapping):
            name = f"{above}.{key}" if above else key
            if "source" in value:
                yield name, value
            yield from _groups(value, name)


def _numbers(group: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The group's own numbers, and those of tables in it that say no source of their own."""
    for key, value in group.items():
        if isinstance(value, Mapping):
            if not _has_source(value):
                yield from ((f"{key}.{inner}", shown) for inner, shown in _numbers(value))
        elif key not in ("source", "status"):
            yield key, _shown(value)


def _has_source(table: Mapping[str, Any]) -> bool:
    return "source" in table or any(_has_source(v) for v in table.values() if isinstance(v, Mapping))


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    if isinstance(value, Fraction):
        return str(float(value))
    return f"{value:,}" if isinstance(value, int) else str(value)


def _show(console: Console, name: str, group: Mapping[str, Any]) -> None:
    from rich.padding import Padding
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for key, value in _numbers(group):
        table.add_row(key, value)
    table.add_row(group["status"], group["source"], style="dim")
    console.print(f"\n[bold]{name}[/]")
    console.print(Padding(table, (0, 0, 0, 2)))
