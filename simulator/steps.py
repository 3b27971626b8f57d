"""The cores with an event per step: slow, plain, and the measure of ``core.py``.

Every unit lives at the simulation's own time: queues are SimPy stores, flags are SimPy events, and every
cost is a timeout.  Prices, memory and the handing out of blocks are shared with the fast engine.
"""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from typing import Any

import numpy as np
import simpy

from .columns import Spans
from .core import Done, Process
from .memory import Memory
from .prepare import BUSY, MOVE, SET, WAIT, Plan
from .ticks import TICKS


class Stepwise:
    """All cores of a launch."""

    def __init__(self, env: simpy.Environment, memory: Memory, plan: Plan, cores: int) -> None:
        self.env, self.memory, self.plan = env, memory, plan
        self.free = [[0] * len(plan.pipe_of_lane) for _ in range(cores)]
        self.recorded = Spans(*(np.zeros(len(plan.order), np.int64) for _ in range(4)))
        self.position = np.empty_like(plan.order)
        self.position[plan.order] = np.arange(len(plan.order))
        self.rows_done = 0
        self.waiting: dict[tuple[int, int], int] = {}

    def start(self, core: int, block: int, at: int, depth: int, done: Done) -> None:
        """Run ``block`` on ``core`` from tick ``at``; call ``done`` with the tick at which all of it ended."""
        self.env.process(_Block(self, core, block, depth).run(at, done))

    def stuck(self) -> list[tuple[int, int]]:
        """Core and position of every instruction that cannot go on."""
        return sorted((core, at) for (core, _), at in self.waiting.items())

    def spans(self) -> Spans:
        """When everything happened."""
        return self.recorded


class _Block:
    def __init__(self, cores: Stepwise, core: int, block: int, depth: int) -> None:
        self.cores, self.core, self.block = cores, core, block
        self.env, self.plan, self.spans = cores.env, cores.plan, cores.recorded
        self.tokens = [self.env.event() for _ in range(int(self.plan.tokens[block]) + 1)]
        self.queues = {
            lane: simpy.Store(self.env, depth)
            for lane in range(1, len(self.plan.pipe_of_lane))
            if self.plan.bounds[block, lane] < self.plan.bounds[block, lane + 1]
        }
        self.last = 0

    def run(self, at: int, done: Done) -> Process:
        yield self.env.timeout(at - self._now())
        yield self.env.all_of(
            [self.env.process(self._scalar()), *(self.env.process(self._pipe(lane)) for lane in self.queues)]
        )
        done(max(self.last, self._now()))

    def _now(self) -> int:
        return int(self.env.now)

    def _until(self, at: int) -> simpy.Event:
        return self.env.timeout(max(0, at - self._now()))

    def _scalar(self) -> Process:
        for row in range(*self.plan.first_row[self.block : self.block + 2]):
            at, lane = int(self.cores.position[row]), int(self.plan.lane[row])
            if not lane:
                self.spans.ready[at] = self._now()
            yield self.env.timeout(int(self.plan.cost[row]))
            if lane:
                self.cores.waiting[self.core, 0] = at
                yield self.queues[lane].put(at)
                del self.cores.waiting[self.core, 0]
                self.spans.push[at] = self._now()
            else:
                self.spans.push[at] = self._now()
                yield from self._inside(at)
        for queue in self.queues.values():
            yield queue.put(None)

    def _inside(self, at: int) -> Process:
        """Run one instruction in the scalar unit."""
        code, a, b = (int(c[at]) for c in (self.plan.code, self.plan.a, self.plan.b))
        if code == BUSY:
            self._span(at, self._now(), self._now() + b)
            yield self.env.timeout(a)
        elif code == SET:
            self._set(at, a, self._now())
        elif code == WAIT:
            yield from self._wait(at, 0, a)
        else:
            self.cores.waiting[self.core, 0] = at
            drained = [self.env.event() for _ in self.queues]
            for queue, event in zip(self.queues.values(), drained, strict=True):
                yield queue.put(event)
            yield self.env.all_of(drained)
            del self.cores.waiting[self.core, 0]
            self._span(at, self._now(), self._now())

    def _pipe(self, lane: int) -> Process:
        queue, visible = self.queues[lane], 0
        while True:
            ready = self.cores.free[self.core][lane]
            at = yield queue.get()
            if at is None:
                break
            if isinstance(at, simpy.Event):
                yield self._until(visible)
                at.succeed()
                continue
            self.cores.rows_done += 1
            self.spans.ready[at] = ready
            visible = yield from self._execute(at, lane, visible)
            self.cores.free[self.core][lane] = self._now()
        yield self._until(visible)

    def _execute(self, at: int, lane: int, visible: int) -> Generator[simpy.Event, Any, int]:
        """Run one instruction until its pipe is free; returns when everything so far is visible."""
        code, a, b = (int(c[at]) for c in (self.plan.code, self.plan.a, self.plan.b))
        start = self._now()
        if code == BUSY:
            self._span(at, start, start + b)
            yield self.env.timeout(a)
            return max(visible, start + b)
        if code == MOVE:
            moved = self.env.event()
            transfer = self.plan.transfers[a]
            self.cores.memory.move(start, self.core, lane, transfer, b, partial(_answer, moved))
            ends: tuple[int, int] = yield moved
            free, data = ends
            self._span(at, start, data)
            yield self._until(free)
            return max(visible, data)
        if code == SET:
            self._set(at, a, visible)
        elif code == WAIT:
            yield from self._wait(at, lane, a)
        else:
            yield self._until(visible)
            self._span(at, self._now(), self._now())
        return visible

    def _set(self, at: int, token: int, visible: int) -> None:
        stop = self._now() + TICKS
        self._span(at, self._now(), stop)
        self.last = max(self.last, stop)
        ring = self._until(max(visible, stop))
        ring.callbacks.append(self.tokens[token].trigger)

    def _wait(self, at: int, lane: int, token: int) -> Process:
        self.cores.waiting[self.core, lane] = at
        yield self.tokens[token]
        del self.cores.waiting[self.core, lane]
        self._span(at, self._now(), self._now())

    def _span(self, at: int, start: int, stop: int) -> None:
        self.spans.start[at], self.spans.stop[at] = start, stop


def _answer(moved: simpy.Event, free: int, visible: int) -> None:
    moved.succeed((free, visible))
