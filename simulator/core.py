# ruff: noqa: PLR1730  a call of max costs more than the rest of a row
"""The cores, with temporal decoupling: every unit keeps a local clock and runs ahead of the simulation.

A unit is the scalar unit of a core or one of its pipes, a coroutine.  It yields only if a number it needs is
not known yet (when a flag becomes visible, when a slot of a queue is freed, when the next instruction is
pushed) or if it moves data through the memory all cores share.  What the others need from it are numbers
too, so nobody has to be at the same instant.  A core is a SimPy process that lets its units run until all of
them wait, and sleeps until a transfer of one of them has ended.  ``steps.py`` does the same with an event per
step and must agree on every tick.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator
from functools import partial
from itertools import chain
from typing import Any, Final

import simpy

from .columns import Ints, Spans
from .memory import Memory
from .prepare import BUSY, MOVE, SET, WAIT, Plan
from .record import Record
from .ticks import TICKS

Process = Generator[simpy.Event, Any, None]
Done = Callable[[int], None]

Unit = Generator[None, None, None]

_CHUNK: Final = 4096


class Decoupled:
    """All cores of a launch."""

    def __init__(self, env: simpy.Environment, memory: Memory, plan: Plan, cores: int) -> None:
        self.env, self.memory, self.plan, self.record = env, memory, plan, Record(plan)
        self.clock = [[0] * len(plan.pipe_of_lane) for _ in range(cores)]
        self._running: dict[int, _Run] = {}
        self._rows_ended = 0

    def start(self, core: int, block: int, at: int, depth: int, done: Done) -> None:
        """Run ``block`` on ``core`` from tick ``at``; call ``done`` with the tick at which all of it ended."""
        self._running[core] = _Run(self, core, block, at, depth, partial(self._end, core, done))

    def _end(self, core: int, done: Done, at: int) -> None:
        self._rows_ended += self._running.pop(core).rows_done
        done(at)

    @property
    def rows_done(self) -> int:
        """Instructions that left their queues so far."""
        return self._rows_ended + sum(run.rows_done for run in self._running.values())

    def stuck(self) -> list[tuple[int, int]]:
        """Core and position of every instruction that cannot go on."""
        return [(core, at) for core, run in sorted(self._running.items()) for at in run.stuck()]

    def spans(self) -> Spans:
        """When everything happened."""
        return self.record.spans()


class _Run:
    """One block on one core."""

    def __init__(self, cores: Decoupled, core: int, block: int, at: int, depth: int, done: Done) -> None:
        plan = cores.plan
        lanes = len(plan.pipe_of_lane)
        self.env, self.memory, self.plan, self.record = cores.env, cores.memory, plan, cores.record
        self.core, self.block, self.depth, self.done = core, block, depth, done
        self.clock = cores.clock[core]
        self.push: list[list[int]] = [[] for _ in range(lanes)]
        self.pop: list[list[int]] = [[] for _ in range(lanes)]
        self.tokens = [-1] * (int(plan.tokens[block]) + 1)
        self.idle: list[tuple[int, int]] = [(0, 0)] * lanes  # instructions behind it, and when all were visible
        self.answer: list[tuple[int, int]] = [(0, 0)] * lanes  # of the memory: pipe free, data visible
        self.end = at
        self.waiting: dict[int, Unit] = {}  # by token: who needs it
        self.hungry: dict[int, Unit] = {}  # by lane: the pipe, if it needs its next instruction
        self.full = 0  # the lane in whose queue the scalar unit needs room, or 0
        self.draining = False  # whether the scalar unit needs all pipes to run out of work
        edges = plan.bounds[block].tolist()
        cores.record.begin(block, self.clock)
        self.units: dict[int, Unit] = {0: self._scalar(at)}
        self.units |= {lane: self._pipe(lane) for lane in range(1, lanes) if edges[lane] < edges[lane + 1]}
        self.runnable = deque(self.units.values())
        self.alive = len(self.units)
        self.asleep = False
        self.call = simpy.Event(self.env)
        self.env.process(self._run())

    def _run(self) -> Process:
        runnable = self.runnable
        while True:
            while runnable:
                next(runnable.popleft(), None)
            if not self.alive:
                return self.done(self.end)
            self.call = simpy.Event(self.env)
            self.asleep = True
            yield self.call

    def _moved(self, lane: int, free: int, visible: int) -> None:
        """A transfer of a pipe has ended."""
        self.answer[lane] = free, visible
        self.runnable.append(self.units[lane])
        if self.asleep:
            self.asleep = False
            self.call.succeed()

    @property
    def rows_done(self) -> int:
        """Instructions that left their queues so far."""
        return sum(map(len, self.pop))

    def _columns(self, lane: int) -> Iterator[tuple[int, ...]]:
        plan, (low, high) = self.plan, self.plan.bounds[self.block, lane : lane + 2]
        return _rows((plan.code, plan.a, plan.b), int(low), int(high))

    def _scalar(self, now: int) -> Unit:
        """Issue the rows in order; run those of lane 0 at once."""
        push, pop, hungry, depth, wake = self.push, self.pop, self.hungry, self.depth, self.runnable.append
        held: list[int] = []
        inside = self._columns(0)
        low, high = self.plan.first_row[self.block : self.block + 2].tolist()
        for lane, cost in _rows((self.plan.lane, self.plan.cost), low, high):
            now += cost
            if not lane:
                now = yield from self._inside(now, held, *next(inside))
                continue
            queue = push[lane]
            slot = len(queue) - depth
            if slot >= 0:
                freed = pop[lane]
                while len(freed) <= slot:
                    self.full = lane
                    yield
                if freed[slot] > now:
                    now = freed[slot]
            queue.append(now)
            if lane in hungry:
                wake(hungry.pop(lane))
        self._leave(0, now, now, held, [], [])

    def _inside(self, now: int, held: list[int], code: int, a: int, _: int) -> Generator[None, None, int]:
        """Run one instruction in the scalar unit; returns when it has ended."""
        self.push[0].append(now)
        self.pop[0].append(now)
        if code == BUSY:
            return now + a
        if code == SET:
            self.end = max(self.end, now + TICKS)
            self.tokens[a] = now + TICKS
            if a in self.waiting:
                self.runnable.append(self.waiting.pop(a))
            return now
        if code == WAIT:
            while self.tokens[a] < 0:
                self.waiting[a] = self.units[0]
                yield
            now = max(now, self.tokens[a])
        else:
            while any(self.idle[lane][0] < len(push) for lane, push in enumerate(self.push) if lane):
                self.draining = True
                yield
            now = max(now, *(at for _, at in self.idle))
        held.append(now)
        return now

    def _pipe(self, lane: int) -> Unit:  # noqa: PLR0912, PLR0915  one loop: a call per row would double its cost
        """Take the instructions of one pipe in order."""
        push, pop, tokens, waiting = self.push[lane], self.pop[lane], self.tokens, self.waiting
        core, transfers, wake = self.core, self.plan.transfers, self.runnable.append
        move, moved = self.memory.move, partial(self._moved, lane)
        held: list[int] = []
        frees: list[int] = []
        visibles: list[int] = []
        last_set = -TICKS
        now = visible = self.clock[lane]
        at = ready = 0
        for code, a, b in self._columns(lane):
            if at == ready:
                while len(push) == at:
                    self._rest(lane, at, max(now, visible))
                    self.hungry[lane] = self.units[lane]
                    yield
                ready = len(push)
            if push[at] > now:
                now = push[at]
            at += 1
            pop.append(now)
            if self.full == lane:
                self.full = 0
                wake(self.units[0])
            if code == SET:
                last_set = now
                token = now + TICKS
                tokens[a] = visible if visible > token else token
                if a in waiting:
                    wake(waiting.pop(a))
            elif code == WAIT:
                while tokens[a] < 0:
                    waiting[a] = self.units[lane]
                    yield
                if tokens[a] > now:
                    now = tokens[a]
                held.append(now)
            elif code == BUSY:
                if now + b > visible:
                    visible = now + b
                now += a
            elif code == MOVE:
                move(now, core, lane, transfers[a], b, moved)
                yield
                now, data = self.answer[lane]
                frees.append(now)
                visibles.append(data)
                if data > visible:
                    visible = data
            else:
                if visible > now:
                    now = visible
                held.append(now)
        self._rest(lane, at, max(now, visible))
        self._leave(lane, now, max(visible, last_set + TICKS), held, frees, visibles)

    def _rest(self, lane: int, count: int, at: int) -> None:
        """The pipe has nothing left to do, for now."""
        self.idle[lane] = count, at
        if self.draining:
            self.draining = False
            self.runnable.append(self.units[0])

    def _leave(self, lane: int, now: int, visible: int, held: list[int], frees: list[int], visibles: list[int]) -> None:
        """Write down what a unit did."""
        self.clock[lane] = now
        self.record.end(self.block, lane, self.push[lane], self.pop[lane], held, frees, visibles)
        self.end = max(self.end, now, visible)
        self.alive -= 1

    def stuck(self) -> list[int]:
        """Positions of the instructions that cannot go on."""
        plan, edges, out = self.plan, self.plan.bounds[self.block].tolist(), []
        for lane, pop in enumerate(self.pop):
            at = edges[lane] + len(pop) - 1
            if pop and plan.code[at] == WAIT and self.tokens[int(plan.a[at])] < 0:
                out.append(at)
        if self.full:
            out.append(edges[self.full] + len(self.push[self.full]))
        if self.draining:
            out.append(edges[0] + len(self.pop[0]) - 1)
        return sorted(out)


def _rows(columns: tuple[Ints, ...], low: int, high: int) -> Iterator[tuple[int, ...]]:
    """Columns row by row, as plain integers, of which only some thousand are there at a time."""
    chunks = (slice(start, min(start + _CHUNK, high)) for start in range(low, high, _CHUNK))
    return chain.from_iterable(zip(*(c[chunk].tolist() for c in columns), strict=True) for chunk in chunks)
