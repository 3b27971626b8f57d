"""From the ticks of an engine to a timeline: cycles, causes, buffers, labels.  Whole columns at a time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ascendc.language.hardware import HardwareSpec

from .columns import Ints, Spans, column, joined
from .memory import Traffic
from .prepare import BARRIER, BUSY, MOVE, WAIT, Plan
from .ticks import TICKS
from .timeline import ALLOCATION_COLUMNS, Allocations, Cause, Label, Timeline

Mask = NDArray[np.bool_]


def finish(
    plan: Plan,
    spec: HardwareSpec,
    spans: Spans,
    core_of: Ints,
    began: Ints,
    core_kinds: list[str],
    traffic: Traffic,
) -> Timeline:
    """The timeline of a launch whose block i ran on ``core_of[i]`` from tick ``began[i]``."""
    rows = _Rows(plan, spans, began)
    cause, by = rows.causes(column([spec.core[b.kind].queue_depth for b in plan.program.blocks]))
    labels = _labels(plan)
    pipes = column([p.value for p in plan.pipe_of_lane])
    return Timeline(
        kernel=plan.program.kernel,
        spec=spec,
        labels=labels,
        block=rows.block,
        core=core_of[rows.block],
        pipe=pipes[plan.lane],
        ready=_cycles(rows.ready),
        start=_cycles(rows.start),
        stop=_cycles(rows.stop),
        cause=cause,
        by=by,
        label=rows.template,
        core_kinds=tuple(core_kinds),
        allocations=_allocations(plan, rows, core_of, labels),
        traffic=traffic.items(),
    )


def _cycles(at: Ints) -> Ints:
    return -(-at // TICKS)


def _labels(plan: Plan) -> tuple[Label, ...]:
    return tuple(
        Label(t.op.name, t.label, t.kind, str(t.site), t.stage, nbytes, route, t.auto, t.queued)
        for t, (route, nbytes) in zip(plan.program.templates, plan.carried, strict=True)
    )


class _Rows:
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
        block_start = self.began[self.block]
        cause[late] = Cause.ISSUE
        cause[late & (block_start > self.ready) & (block_start > 0)] = Cause.BLOCK
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


@dataclass(frozen=True, slots=True)
class _Calls:
    """The rows of one queue call, with the buffers they are about."""

    rows: Ints
    address: Ints
    space: Ints
    nbytes: Ints


def _calls(plan: Plan, template: Ints, name: str, spaces: list[str]) -> _Calls:
    templates = plan.program.templates
    wanted = [t.queued and t.op.name == name for t in templates]
    params = [dict(t.params) for t in templates]
    nbytes = column([int(p.get("nbytes", 0)) for p in params])
    space = column([spaces.index(p["space"]) if w else 0 for w, p in zip(wanted, params, strict=True)])
    rows = np.flatnonzero(np.array(wanted, bool)[template])
    widths = column([len(t.operands) for t in templates])[template]
    addresses = joined(b.addresses for b in plan.program.blocks)
    address = addresses[(np.cumsum(widths) - widths)[rows]]
    return _Calls(rows, address, space[template[rows]], nbytes[template[rows]])


def _allocations(plan: Plan, rows: _Rows, core_of: Ints, labels: tuple[Label, ...]) -> Allocations:
    names = {"alloc_tensor", "free_tensor"}
    queued = [t for t in plan.program.templates if t.queued and t.op.name in names]
    spaces = sorted({str(dict(t.params)["space"]) for t in queued})
    if not queued:
        return Allocations(np.empty((0, ALLOCATION_COLUMNS), np.int64), (), ())
    taken = _calls(plan, rows.template, "alloc_tensor", spaces)
    freed = _calls(plan, rows.template, "free_tensor", spaces)
    row = np.concatenate([taken.rows, freed.rows])
    block, address = rows.block[row], np.concatenate([taken.address, freed.address])
    space = np.concatenate([taken.space, freed.space])
    order = np.lexsort((row, address, space, block))
    is_free = order >= len(taken.rows)
    same = np.zeros(len(order), bool)
    same[:-1] = (np.diff(block[order]) == 0) & (np.diff(space[order]) == 0) & (np.diff(address[order]) == 0)
    ends_with = np.full(len(order), -1)  # by call: the row that frees what it took
    ends_with[order[:-1]] = np.where(same[:-1] & is_free[1:], row[order[1:]], -1)
    freer = ends_with[: len(taken.rows)]
    block_end = np.zeros(len(rows.began), np.int64)
    np.maximum.at(block_end, rows.block, rows.stop)
    block = rows.block[taken.rows]
    stop = np.where(freer >= 0, rows.token(freer), block_end[block])
    start, stop = _cycles(rows.start[taken.rows]), _cycles(stop)
    columns = (block, core_of[block], taken.space, taken.address, taken.nbytes, start, stop, rows.template[taken.rows])
    return Allocations(np.stack(columns, axis=1), tuple(spaces), tuple(label.line for label in labels))
