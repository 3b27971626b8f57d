"""Why instructions started late, worked out after the run, whole columns at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .columns import Ints, Spans, joined
from .prepare import BARRIER, BUSY, MOVE, WAIT, Plan
from .ticks import TICKS
from .timeline import Cause

Mask = NDArray[np.bool_]


class Rows:
    """Everything by row of the program, in ticks."""

    def __init__(self, plan: Plan, spans: Spans, began: Ints) -> None:
        self.plan, self.began = plan, began
        self.block = np.repeat(np.arange(len(began)), np.diff(plan.first_row))
        self.template = joined(b.rows for b in plan.program.blocks)
        self.code, self.a = self._by_row(plan.code), self._by_row(plan.a)
        self.push, self.ready = self._by_row(spans.push), self._by_row(spans.ready)
        self.start, self.stop = self._by_row(spans.start), self._by_row(spans.stop)
        self.is_work = (self.code == BUSY) | (self.code == MOVE)
        # The row of the lane's own work so far that is visible last: what barriers and flags come after.
        place = self.block * len(plan.pipe_of_lane) + plan.lane
        order = plan.order
        self.latest = np.full(len(order), -1)
        found = _latest(self.stop[order], place[order], self.is_work[order])
        self.latest[order[found >= 0]] = order[found[found >= 0]]

    def _by_row(self, column: Ints) -> Ints:
        out = np.empty_like(column)
        out[self.plan.order] = column
        return out

    def causes(self, depth: Ints) -> tuple[Ints, Ints]:
        """Why each row started later than its pipe was free, and the row that ended the wait."""
        cause, by = np.zeros(len(self.code), np.int64), np.full(len(self.code), -1)
        late = self.push > self.ready
        stall_end, stall_by = self._stalls(depth)
        cause[late] = Cause.ISSUE
        cause[late & (self.began[self.block] > self.ready)] = Cause.BLOCK
        stalled = late & (stall_end > self.ready)
        cause[stalled], by[stalled] = Cause.QUEUE, stall_by[stalled]
        held = self.start > np.maximum(self.push, self.ready)
        flag = held & (self.code == WAIT)
        cause[flag], by[flag] = Cause.FLAG, self.plan.setter[flag]
        barrier = held & (self.code == BARRIER)
        cause[barrier], by[barrier] = Cause.BARRIER, self.latest[barrier]
        everywhere = barrier & (self.plan.lane == 0)
        if everywhere.any():
            by[everywhere] = _latest(self.stop, self.block, self.is_work)[everywhere]
        return cause, by

    def _stalls(self, depth: Ints) -> tuple[Ints, Ints]:
        """When the last stop of the scalar unit by a full queue ended, and the row that made room."""
        plan, row = self.plan, np.arange(len(self.code))
        in_pipe = plan.lane > 0
        issued = np.where(in_pipe, self.push, self.start + np.where(self.code == BUSY, self.a, 0))
        before = np.empty_like(issued)
        before[1:] = issued[:-1]
        first = plan.first_row[:-1][np.diff(plan.first_row) > 0]
        before[first] = self.began[self.block[first]]
        stalled = in_pipe & (self.push > before + plan.cost)
        last = np.maximum.accumulate(np.where(stalled, row, -1))
        known = last >= plan.first_row[self.block]
        position = np.empty_like(plan.order)
        position[plan.order] = row
        makers = plan.order[np.maximum(position - depth[self.block], 0)]
        return np.where(known, self.push[last], -1), np.where(known, makers[last], -1)

    def block_end(self) -> Ints:
        """When everything of each block was visible."""
        end = np.zeros(len(self.began), np.int64)
        np.maximum.at(end, self.block, self.stop)
        return end

    def token(self, rows: Ints) -> Ints:
        """When the flags that these rows set became visible."""
        latest = self.latest[rows]
        return np.maximum(self.start[rows] + TICKS, np.where(latest >= 0, self.stop[latest], 0))


def _latest(value: Ints, segment: Ints, counts: Mask) -> Ints:
    """For each entry the earliest one so far, in its segment and among those that count, with the largest value."""
    if not len(value):
        return value
    lifted = segment * (int(value.max()) + 2)
    height = np.where(counts, value + 1, 0) + lifted
    top = np.maximum.accumulate(height)
    is_new = np.diff(top, prepend=-1) > 0
    index = np.maximum.accumulate(np.where(is_new, np.arange(len(value)), 0))
    return np.where(counts[index], index, -1)
