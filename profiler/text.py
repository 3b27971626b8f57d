"""A report as plain text, 80 columns wide."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ascendc.language.enums import PipeID
from simulator.timeline import Cause

from .metrics import PipeUse
from .verdict import BUSY_THRESHOLD, USE_THRESHOLD, VECTOR_USE_THRESHOLD

if TYPE_CHECKING:
    from .report import Report

WIDTH = 80
CAUSES = tuple(cause for cause in Cause if cause is not Cause.NONE)


def text(report: Report) -> str:
    """What the command prints: verdict, advice, time, pipes, bandwidth, thresholds."""
    parts = _head(report), _pipes(report), _bandwidth(report), _foot()
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def subject(report: Report) -> str:
    """What ran where: ``add on Ascend910B1, 48 of 48 aiv cores``."""
    cores = " + ".join(f"{use.count} of {use.available} {use.kind}" for use in report.cores.values()) or "no"
    return f"{report.timeline.kernel} on {report.timeline.spec.name}, {cores} cores"


def _head(report: Report) -> Iterator[str]:
    yield from textwrap.wrap(str(report.verdict), WIDTH)
    yield from textwrap.wrap(str(report.advice), WIDTH, initial_indent="  ", subsequent_indent="  ")
    yield ""
    yield from textwrap.wrap(subject(report), WIDTH)
    yield (
        f"{report.cycles:,} cycles = {report.core_us:,.2f} us, "
        f"+ launch {report.launch_us:,.2f} us = task {report.task_us:,.2f} us"
    )


def _pipes(report: Report) -> Iterator[str]:
    """Cycles of a mean core, one row a pipe; the parts of a row sum to the core's time."""
    names = "".join(f"{cause.name.lower():>9}" for cause in CAUSES)
    yield f"{'pipe':<9}{'busy':>10}{'ratio':>7}{names}{'idle':>9}"
    for name, use in report.pipes.items():
        waits = "".join(f"{_short(use.wait_cycles[cause]):>9}" for cause in CAUSES)
        yield f"{name + _mark(use):<9}{use.busy_cycles:>10,.0f}{use.ratio:>7.3f}{waits}{_short(use.idle_cycles):>9}"
    yield "cycles of a mean core; *: with issuing all instructions"


def _mark(use: PipeUse) -> str:
    return "*" if use.pipe is PipeID.PIPE_S else ""


def _short(cycles: float) -> str:
    """At most eight characters, ``-`` for nothing at all."""
    if not cycles:
        return "-"
    return f"{cycles:,.0f}" if cycles < 1e6 else f"{cycles / 1e6:,.2f}M"


def _bandwidth(report: Report) -> Iterator[str]:
    moved = report.bandwidth
    yield f"{'moved':<12}{'MB':>12}{'GB/s':>10}  of"
    for name, nbytes, rate in (
        ("GM read", moved.read_bytes, moved.read_gbps),
        ("GM write", moved.write_bytes, moved.write_gbps),
    ):
        yield f"{name:<12}{nbytes / 1e6:>12,.2f}{rate:>10,.1f}"
    for memory in moved.memories.values():
        of = f"  {memory.achievable_gbps:,.0f} achievable"
        peak = f", {memory.peak_gbps:,.0f} peak" if memory.peak_gbps is not None else ""
        nbytes = memory.read_bytes + memory.write_bytes
        yield f"{memory.name:<12}{nbytes / 1e6:>12,.2f}{memory.gbps:>10,.1f}{of}{peak}"
    for path in moved.paths.values():
        of = f"  {path.port_gbps:,.0f} of its ports, {path.bytes_per_transfer:,.0f} B a transfer"
        yield f"{path.route:<12}{path.nbytes / 1e6:>12,.2f}{path.gbps:>10,.1f}{of}"
    hits = "" if moved.l2_hit_ratio is None else f"; L2 hits {moved.l2_hit_ratio:.1%} of lines"
    yield f"copies in and computing overlap {report.overlap_ratio:.0%} of the shorter{hits}"


def _foot() -> Iterator[str]:
    yield (
        f"bound: use > {USE_THRESHOLD:.2f} ({VECTOR_USE_THRESHOLD:.2f} without the cube); "
        f"busy pipe: ratio > {BUSY_THRESHOLD:.2f}"
    )
