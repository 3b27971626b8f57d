"""What of a launch goes into its trace: the options of all commands that write one, and what they say of it."""

from __future__ import annotations

import functools
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from profiler import Report, Trace

WIDTH = 80
DIGITS = 15
"""Of a number on the command line."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line asks for; ``None`` is what was not given.

    Attributes:
        cores, window, limit_mb: as :meth:`profiler.Report.trace` takes them.
    """

    cores: list[int] | None
    window: tuple[int, int] | None
    limit_mb: float | None

    def __bool__(self) -> bool:
        return any(value is not None for value in (self.cores, self.window, self.limit_mb))

    def trace(self, report: Report) -> Trace:
        """The trace of a launch."""
        limit: dict[str, Any] = {} if self.limit_mb is None else {"limit_mb": self.limit_mb}
        return report.trace(cores=self.cores, window=self.window, **limit)


def trace_options(command: Callable[..., int]) -> Callable[..., int]:
    """Options that the command gets as one ``asked``."""

    @click.option("--trace-cores", callback=_cores, metavar="LIST", help="Cores in the trace, as 0,3-5.")
    @click.option("--trace-window", callback=_window, metavar="A:B", help="Cycles in the trace, as 0:10000.")
    @click.option(
        "--trace-limit-mb",
        type=float,
        callback=_limit,
        metavar="MB",
        help="Megabytes a trace may have, 50 if not given; what there is no room for is told.  inf: all.",
    )
    @functools.wraps(command)
    def collected(
        *args: Any,
        trace_cores: list[int] | None,
        trace_window: tuple[int, int] | None,
        trace_limit_mb: float | None,
        **kwargs: Any,
    ) -> int:
        return command(*args, asked=Asked(trace_cores, trace_window, trace_limit_mb), **kwargs)

    return collected


def left_out(trace: Trace) -> str:
    """What is not in a trace that was written, and how to get it; nothing if all is."""
    if not trace.left_out:
        return ""
    lines = [
        textwrap.fill(phrase, WIDTH, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
        for phrase in trace.left_out
    ]
    hint = "  others with --trace-cores, --trace-window, --trace-limit-mb"
    return "\n".join(["trace.json leaves out", *lines, hint])


def _cores(context: click.Context, parameter: click.Parameter, value: str | None) -> list[int] | None:
    if value is None:
        return None
    chosen: set[int] = set()
    for part in value.split(","):
        first, last = _ends(part, "-") or _ends(f"{part}-{part}", "-") or (1, 0)
        if not first <= last < 10_000:
            raise click.BadParameter(f"{value!r}; write numbers and ranges of cores, as 0,3-5")
        chosen.update(range(first, last + 1))
    return sorted(chosen)


def _window(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, int] | None:
    if value is None:
        return None
    start, stop = _ends(value, ":") or (0, 0)
    if start >= stop:
        raise click.BadParameter(f"{value!r}; write two cycles, the first less, as 0:10000")
    return start, stop


def _limit(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and not value > 0:
        raise click.BadParameter(f"{value:g} is not more than 0")
    return value


def _ends(text: str, between: str) -> tuple[int, int] | None:
    """Two whole numbers with ``between`` between them."""
    found = re.fullmatch(f"([0-9]{{1,{DIGITS}}}){between}([0-9]{{1,{DIGITS}}})", text)
    return (int(found[1]), int(found[2])) if found else None
