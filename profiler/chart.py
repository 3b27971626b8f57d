"""``timeline.png``: the launch on one page.

Above, single spans of a few cores; below, how busy each pipe of every core was over the whole launch, and
where a mean core's time went.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from ascendc.language.enums import PipeID

from . import detail, overview, palette
from .lanes import DATAFLOW
from .text import subject
from .window import CORES, Window, choose

if TYPE_CHECKING:
    from .report import Report

INCHES = 16, 9
DPI = 120


def write_chart(report: Report, file: BinaryIO) -> None:
    """Draw ``report`` as a PNG.  The same report gives the same bytes."""
    figure = Figure(INCHES, DPI, facecolor="white")
    FigureCanvasAgg(figure)
    _write_title(figure, report)
    if report.cycles:
        _draw_panels(figure, report, choose(report.lanes))
    figure.savefig(file, format="png", metadata={"Software": None})


def _write_title(figure: Figure, report: Report) -> None:
    figure.text(0.03, 0.965, str(report.verdict), fontsize=17, weight="bold", va="center", color=palette.INK)
    figure.text(
        0.03,
        0.93,
        f"{subject(report)}: {report.cycles:,} cycles at {report.timeline.spec.clock.reference_mhz:,} MHz "
        f"= {report.core_us:,.2f} µs, with launch {report.task_us:,.2f} µs",
        fontsize=11.5,
        va="center",
        color=palette.INK,
    )
    figure.text(
        0.03,
        0.90,
        textwrap.shorten(str(report.advice), 160, placeholder=" …"),
        fontsize=11.5,
        va="center",
        color=palette.GREY,
    )


def _draw_panels(figure: Figure, report: Report, window: Window) -> None:
    rows = figure.add_gridspec(
        2, 1, left=0.075, right=0.965, top=0.80, bottom=0.06, hspace=0.42, height_ratios=[1.9, 1]
    )
    main = figure.add_subplot(rows[0])
    detail.draw(main, report, window)
    _finish(main, report)
    _write_legend(figure, report)

    heats = [] if window.is_whole else _heats(report, window)
    below = rows[1].subgridspec(1, len(heats) + 1, wspace=0.22, width_ratios=[*(width for width, _ in heats), 1])
    for column, (_, draw) in enumerate(heats):
        axes = figure.add_subplot(below[column])
        draw(axes)
        _finish_heat(axes)
    axes = figure.add_subplot(below[-1])
    overview.draw_shares(axes, report)
    _finish_small(axes)


def _heats(report: Report, window: Window) -> list[tuple[float, Callable[[Axes], None]]]:
    """Width and content of the heat maps: one for all lanes of few cores, else one a pipe."""
    if len(report.timeline.core_kinds) <= CORES:
        return [(3.0, partial(overview.draw_lanes, report=report, window=window))]
    return [(1.0, partial(overview.draw_pipe, report=report, pipe=pipe, window=window)) for pipe in _pipes(report)]


def _pipes(report: Report) -> list[PipeID]:
    """The pipes worth a heat map."""
    used = {use.pipe for use in report.pipes.values() if use.instructions}
    return [pipe for pipe in DATAFLOW if pipe in used and pipe is not PipeID.PIPE_S]


def _finish(axes: Axes, report: Report) -> None:
    mhz = report.timeline.spec.clock.reference_mhz
    functions: Any = (lambda cycles: cycles / mhz, lambda us: us * mhz)
    top = axes.secondary_xaxis("top", functions=functions)
    top.set_xlabel("µs", fontsize=9)
    top.tick_params(labelsize=9)
    axes.set_xlabel("cycles", fontsize=9)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    axes.tick_params(labelsize=9.5)
    axes.tick_params(axis="y", length=0)
    axes.spines["right"].set_visible(False)


def _finish_small(axes: Axes) -> None:
    axes.tick_params(labelsize=8.5)
    axes.tick_params(axis="y", length=0)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _finish_heat(axes: Axes) -> None:
    _finish_small(axes)
    axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.xaxis.set_major_formatter("{x:,.0f}")


def _write_legend(figure: Figure, report: Report) -> None:
    stages = palette.stages(report.timeline.labels)
    patches = [Patch(color=colour, label=stage) for stage, colour in stages.items()]
    patches += [Patch(color=palette.WAITS[c], label=f"waits: {c.name.lower()}") for c in overview.causes(report)]
    figure.legend(
        handles=patches,
        ncols=len(patches),
        fontsize=9.5,
        loc="upper right",
        bbox_to_anchor=(0.97, 0.885),
        frameon=False,
    )
