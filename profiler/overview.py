"""The panels that show all cores over the whole launch, and where a mean core's time went."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb

from ascendc.language.enums import PipeID
from simulator.timeline import Cause

from . import palette
from .window import Window

if TYPE_CHECKING:
    from .report import Report

TITLE = 9.5
"""Size of a panel's title, in points."""
BINS = 240
"""Columns of a heat map, at most."""
SPANS = 4
"""Spans of a lane a column should stand for, at least: fewer show the beat of spans and columns."""


def draw_heat(axes: Axes, report: Report, rows: Sequence[int], window: Window) -> None:
    """Busy share of the lanes ``rows`` over the launch, white to full colour; ``window`` is framed."""
    lanes, t = report.lanes, report.timeline
    first, last = int(t.start.min()), int(t.stop.max())
    fullest = int(np.bincount(lanes.lane[lanes.work]).max())
    bins = min(BINS, max(fullest // SPANS, 1))
    edges = np.unique(np.linspace(first, last, bins + 1).astype(np.int64))
    colours = np.array([to_rgb(palette.PIPES[lanes.keys[row][1]]) for row in rows])
    image = 1 - lanes.share(rows, edges)[:, :, None] * (1 - colours[:, None, :])
    axes.imshow(image, aspect="auto", extent=(first, last, len(rows) - 0.5, -0.5), interpolation="nearest")
    axes.axvspan(window.start, window.stop, fill=False, edgecolor=palette.INK, lw=1)


def draw_pipe(axes: Axes, report: Report, pipe: PipeID, window: Window) -> None:
    """The heat map of one pipe on every core that has it."""
    keys = report.lanes.keys
    rows = [i for i, (_, p) in enumerate(keys) if p is pipe]
    draw_heat(axes, report, rows, window)
    ticks = np.unique(np.linspace(0, len(rows) - 1, min(len(rows), 5)).astype(int)).tolist()
    axes.set_yticks(ticks, [str(keys[rows[i]][0]) for i in ticks])
    axes.set_ylabel("core", fontsize=8.5, labelpad=0)
    axes.set_title(f"{pipe.short} busy, all cores", fontsize=TITLE, loc="left")


def draw_lanes(axes: Axes, report: Report, window: Window) -> None:
    """The heat map of every lane that did anything; for few cores."""
    keys = report.lanes.keys
    rows = np.unique(report.lanes.lane[report.lanes.work]).tolist()
    draw_heat(axes, report, rows, window)
    axes.set_yticks(range(len(rows)), [f"core {keys[i][0]}  {keys[i][1].short}" for i in rows])
    axes.set_title("busy, whole launch", fontsize=TITLE, loc="left")


def draw_shares(axes: Axes, report: Report) -> None:
    """One bar a pipe: at work, waiting by cause, idle; the parts of a mean core's time."""
    names = list(report.pipes)
    for y, use in enumerate(report.pipes.values()):
        parts = [(use.busy_cycles, palette.PIPES[use.pipe])]
        parts += [(use.wait_cycles[cause], colour) for cause, colour in palette.WAITS.items()]
        total = report.cores[use.kind].mean_cycles or 1
        left = 0.0
        for cycles, colour in parts:
            axes.barh(y, cycles / total, left=left, height=0.66, color=colour)
            left += cycles / total
        axes.barh(y, max(0.0, 1 - left), left=left, height=0.66, fill=False, edgecolor=palette.FAINT, lw=0.8)
        axes.annotate(f"{use.ratio:.0%}", (1, y), (5, 0), textcoords="offset points", va="center", fontsize=9)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(0, 1)
    axes.set_xticks([0, 0.5, 1], ["0", "50 %", "100 %"])
    axes.set_title("time of a mean core", fontsize=TITLE, loc="left")


def causes(report: Report) -> list[Cause]:
    """Causes any pipe waited for, in the order of the bars."""
    return [cause for cause in palette.WAITS if any(use.wait_cycles[cause] for use in report.pipes.values())]
