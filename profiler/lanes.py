"""The spans of a timeline by lane; a lane is one pipe of one core.

All lanes lie end to end on one axis, each ``width`` long, so that one pass over the columns answers a
question for all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ascendc.language.enums import PipeID
from ascendc.language.program import Kind
from simulator.timeline import Timeline

from .cover import Cover, Ints

SYNC = frozenset({Kind.SET, Kind.WAIT, Kind.BARRIER, Kind.CALL})
"""Kinds that order work and do none; everything else is work."""
DATAFLOW = tuple(map(PipeID.of, ("S", "MTE2", "MTE1", "M", "FIX", "V", "MTE3")))
"""The pipes in the order data passes them, in which all views list them."""


@dataclass(frozen=True, eq=False)
class Lanes:
    """Every lane of every core that ran, also the idle ones.

    Attributes:
        timeline: what they are lanes of.
        keys: core and pipe of each lane, by core, then along the flow of data.
        origin, width: cycle at which each lane begins on the axis, and how long it is.
        lane: each span's lane; barriers over all pipes are the scalar unit's, which executes them.
        is_work: whether each span does work.
        work: the spans that do, by lane and start.
    """

    timeline: Timeline
    keys: tuple[tuple[int, PipeID], ...]
    origin: int
    width: int
    lane: Ints
    is_work: NDArray[np.bool_]
    work: Ints

    def at(self, lane: Ints | int, cycle: Ints) -> Ints:
        """Where a cycle of a lane is on the axis."""
        return lane * self.width + (cycle - self.origin)

    @cached_property
    def busy(self) -> Cover:
        """When the lanes worked."""
        return Cover.of(*self.edges(self.work))

    def edges(self, spans: Ints) -> tuple[Ints, Ints]:
        """Starts and stops of these spans on the axis."""
        t, lane = self.timeline, self.lane[spans]
        return self.at(lane, t.start[spans]), self.at(lane, t.stop[spans])

    def total(self) -> Ints:
        """Busy cycles of each lane."""
        return np.diff(self.busy.upto(np.arange(len(self.keys) + 1, dtype=np.int64) * self.width))

    def share(self, lanes: Sequence[int], edges: Ints) -> NDArray[np.float64]:
        """(lanes, bins) busy share of each bin between two neighbours of ``edges``, in cycles."""
        points = self.at(np.asarray(lanes, np.int64)[:, None], edges[None, :])
        covered = np.diff(self.busy.upto(points.ravel()).reshape(points.shape), axis=1)
        return np.asarray(covered / np.diff(edges), np.float64)


def lanes(timeline: Timeline) -> Lanes:
    """The lanes of ``timeline``."""
    keys = tuple(
        (core, pipe)
        for core, kind in enumerate(timeline.core_kinds)
        for pipe in sorted(timeline.spec.core[kind].pipes, key=DATAFLOW.index)
    )
    number = np.full((len(timeline.core_kinds), max(PipeID) + 1), -1, np.int64)
    for i, (core, pipe) in enumerate(keys):
        number[core, pipe] = i
    number[:, PipeID.PIPE_ALL] = number[:, PipeID.PIPE_S]

    lane = number[timeline.core, timeline.pipe]
    does_work = np.array([label.kind not in SYNC for label in timeline.labels], bool)
    is_work = does_work[timeline.label] if len(timeline) else np.zeros(0, bool)
    origin = int(min(timeline.ready.min(), timeline.start.min())) if len(timeline) else 0
    width = int(timeline.stop.max()) - origin + 1 if len(timeline) else 1
    work = np.flatnonzero(is_work)
    order = np.argsort(lane[work] * width + timeline.start[work], kind="stable")
    return Lanes(timeline, keys, origin, width, lane, is_work, work[order])
