"""The panel that shows single spans, and what was waited for between them."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from numpy.typing import NDArray

from simulator.timeline import Cause

from . import palette
from .cover import Ints
from .lanes import Lanes
from .pack import pack
from .waits import Waits, waits
from .window import Window

if TYPE_CHECKING:
    from .report import Report

HEIGHT = 0.74
"""Of a lane's spans; lanes are 1 apart."""
WAIT_HEIGHT = 0.16
LETTER_SHARE = 0.0040
"""Of the window's length; what one letter of a span's name takes."""
MIN_LABEL_HEIGHT = 0.2


def draw(axes: Axes, report: Report, window: Window) -> None:
    """Draw the spans of ``window``, one lane a pipe, overlapping ones in sub-lanes."""
    lanes, held = report.lanes, waits(report.lanes)
    used = {*lanes.lane[lanes.work].tolist(), *lanes.lane[held.spans].tolist()}
    shown = [i for i, (core, _) in enumerate(lanes.keys) if core in window.cores and i in used]
    for y, lane in enumerate(shown):
        axes.axhspan(y - 0.5, y + 0.5, color="#F7F7F7" if y % 2 else "white", lw=0, zorder=0)
        _draw_waits(axes, lanes, held, lane, y, window)
        _draw_spans(axes, lanes, lane, y, window)
    for y, (a, b) in enumerate(itertools.pairwise(shown)):
        if lanes.keys[a][0] != lanes.keys[b][0]:
            axes.axhline(y + 0.5, color=palette.GREY, lw=0.8)
    axes.set_xlim(window.start, window.stop)
    axes.set_ylim(max(len(shown), 1) - 0.5, -0.5)
    axes.set_yticks(range(len(shown)), [f"core {lanes.keys[i][0]}  {lanes.keys[i][1].short}" for i in shown])
    _note_shares(axes, lanes, shown, window)


def _inside(lanes: Lanes, spans: Ints, window: Window, since: Ints) -> Ints:
    t = lanes.timeline
    return spans[(since[spans] < window.stop) & (t.stop[spans] > window.start)]


def _draw_spans(axes: Axes, lanes: Lanes, lane: int, y: int, window: Window) -> None:
    t = lanes.timeline
    spans = _inside(lanes, lanes.work[lanes.lane[lanes.work] == lane], window, t.start)
    if not len(spans):
        return
    row = pack(t.start[spans], t.stop[spans])
    height = HEIGHT / (int(row.max()) + 1)
    top = np.asarray(y - HEIGHT / 2 + row * height, np.float64)
    colours = _colours(lanes, spans)
    boxes = _boxes(t.start[spans], t.stop[spans], top, top + height)
    axes.add_collection(PolyCollection(boxes, facecolors=colours, edgecolors="white", linewidths=0.6, zorder=3))

    for span, low, colour in zip(spans.tolist(), top.tolist(), colours, strict=True):
        if height > MIN_LABEL_HEIGHT:
            _write_name(axes, lanes, span, low + height / 2, "white" if colour in palette.DARK else palette.INK, window)


def _write_name(axes: Axes, lanes: Lanes, span: int, y: float, colour: str, window: Window) -> None:
    """The span's name, if there is room for it."""
    t = lanes.timeline
    start, stop = max(int(t.start[span]), window.start), min(int(t.stop[span]), window.stop)
    name = t.labels[int(t.label[span])].name
    if stop - start > LETTER_SHARE * (len(name) + 1) * (window.stop - window.start):
        axes.text((start + stop) / 2, y, name, ha="center", va="center", fontsize=7.5, color=colour, zorder=4)


def _draw_waits(axes: Axes, lanes: Lanes, held: Waits, lane: int, y: int, window: Window) -> None:
    """Thin bars behind the spans: what the pipe waited for, and for how long."""
    t = lanes.timeline
    chosen = (lanes.lane[held.spans] == lane) & (held.since < window.stop) & (t.start[held.spans] > window.start)
    spans, middle = held.spans[chosen], np.full(int(chosen.sum()), float(y))
    boxes = _boxes(held.since[chosen], t.start[spans], middle - WAIT_HEIGHT / 2, middle + WAIT_HEIGHT / 2)
    colours = [palette.WAITS[Cause(c)] for c in t.cause[spans].tolist()]
    axes.add_collection(PolyCollection(boxes, facecolors=colours, edgecolors="none", zorder=2))


def _colours(lanes: Lanes, spans: Ints) -> list[str]:
    t = lanes.timeline
    stages = palette.stages(t.labels)
    pipe = palette.PIPES[lanes.keys[int(lanes.lane[spans[0]])][1]]
    by_label = [stages.get(label.stage, pipe) for label in t.labels]
    return [by_label[label] for label in t.label[spans].tolist()]


def _boxes(left: Ints, right: Ints, top: NDArray[np.float64], bottom: NDArray[np.float64]) -> Any:
    """(n, 4, 2) corners, which matplotlib's types do not know it takes."""
    return np.stack([np.stack([x, y], -1) for x, y in ((left, top), (right, top), (right, bottom), (left, bottom))], 1)


def _note_shares(axes: Axes, lanes: Lanes, shown: list[int], window: Window) -> None:
    """Beside each lane, its busy share of the window."""
    share = lanes.share(shown, np.array([window.start, window.stop], np.int64))[:, 0]
    for y, value in enumerate(share.tolist()):
        axes.annotate(
            f"{value:.0%}",
            (window.stop, y),
            (5, 0),
            textcoords="offset points",
            va="center",
            fontsize=9,
            annotation_clip=False,
        )
