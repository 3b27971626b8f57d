# ruff: noqa: PLR1730  a call of max costs more than the rest of a row
"""The cores, with temporal decoupling: every unit keeps a local clock and runs ahead of the simulation.

A unit is a SimPy process: the scalar unit of a core, or one of its pipes.  It yields only if a number it
needs is not known yet (when a flag becomes visible, when a slot of a queue is freed, when the next
instruction is pushed) or if it moves data through the memory all cores share.  What the others need from it
are numbers too, so nobody has to be at the same instant.  ``steps.py`` does the same with an event per step
and must agree on every cycle.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from typing import Any, Final

import numpy as np
import simpy

from .memory import Memory
from .prepare import BARRIER, BUSY, MOVE, SET, WAIT, Ints, Plan
from .spans import Spans
from .ticks import TICKS

Process = Generator[simpy.Event, Any, None]
Done = Callable[[int], None]

# What a unit sleeps for, as a key: a token is its own number, the others are below zero.
_DRAINED: Final = -1  # the scalar unit: all pipes ran out of work
_PUSHED: Final = -100  # less the lane: that pipe: its next instruction
_FREED: Final = -200  # less the lane: the scalar unit: a slot in the queue of that pipe


class Decoupled:
    """All cores of a launch.

    Attributes:
        popped: rows of finished blocks.
    """

    def __init__(self, env: simpy.Environment, memory: Memory, plan: Plan, cores: int) -> None:
        slots = plan.bounds[:, :-1].size
        self.env, self.memory, self.plan = env, memory, plan
        self.clock = [[0] * len(plan.pipe_of_lane) for _ in range(cores)]
        self.began = np.zeros(slots, np.int64)
        self.push, self.pop, self.held, self.free, self.visible = ([np.empty(0, np.int64)] * slots for _ in range(5))
        self.popped = 0
        self._running: dict[int, _Run] = {}

    def start(self, core: int, block: int, at: int, depth: int, done: Done) -> None:
        """Run ``block`` on ``core`` from tick ``at``; call ``done`` with the tick at which all of it ended."""
        self._running[core] = _Run(self, core, block, at, depth, partial(self._end, core, done))

    def _end(self, core: int, done: Done, at: int) -> None:
        self.popped += self._running.pop(core).popped
        done(at)

    @property
    def rows_done(self) -> int:
        """Instructions that left their queues so far."""
        return self.popped + sum(run.popped for run in self._running.values())

    def stuck(self) -> list[tuple[int, int]]:
        """Core and position of every instruction that cannot go on."""
        return [(core, at) for core, run in sorted(self._running.items()) for at in run.stuck()]

    def spans(self) -> Spans:
        """When everything happened, from the few numbers the units wrote down."""
        plan = self.plan
        push, pop = np.concatenate(self.push), np.concatenate(self.pop)
        start = pop.copy()
        start[(plan.code == WAIT) | (plan.code == BARRIER)] = np.concatenate(self.held)
        is_busy, is_move = plan.code == BUSY, plan.code == MOVE
        stop = start + np.where(is_busy, plan.b, np.where(plan.code == SET, TICKS, 0))
        stop[is_move] = np.concatenate(self.visible)
        free = start + np.where(is_busy, plan.a, 0)
        free[is_move] = np.concatenate(self.free)
        ready = np.empty_like(free)
        ready[1:] = free[:-1]
        first = plan.bounds[:, :-1].ravel()
        has_rows = np.diff(plan.bounds, axis=1).ravel() > 0
        ready[first[has_rows]] = self.began[has_rows]
        inside = plan.lane[plan.order] == 0
        ready[inside] = push[inside] - plan.cost[plan.order[inside]]
        return Spans(push, ready, start, stop)


class _Run:
    """One block on one core."""

    def __init__(self, cores: Decoupled, core: int, block: int, at: int, depth: int, done: Done) -> None:
        plan = cores.plan
        lanes = len(plan.pipe_of_lane)
        self.env, self.memory, self.plan, self.cores = cores.env, cores.memory, plan, cores
        self.core, self.block, self.depth, self.done = core, block, depth, done
        self.clock = cores.clock[core]
        self.push: list[list[int]] = [[] for _ in range(lanes)]
        self.pop: list[list[int]] = [[] for _ in range(lanes)]
        self.tokens = [-1] * (int(plan.tokens[block]) + 1)
        self.asleep: dict[int, simpy.Event] = {}
        self.idle: list[tuple[int, int]] = [(0, 0)] * lanes  # instructions behind it, and when all were visible
        self.end = at
        edges = plan.bounds[block]
        cores.began[block * lanes : (block + 1) * lanes] = self.clock
        units = [lane for lane in range(1, lanes) if edges[lane] < edges[lane + 1]]
        self.alive = len(units) + 1
        self.env.process(self._scalar(at))
        for lane in units:
            self.env.process(self._pipe(lane))

    @property
    def popped(self) -> int:
        return sum(map(len, self.pop))

    def _columns(self, lane: int) -> zip[tuple[int, int, int]]:
        low, high = self.plan.bounds[self.block, lane : lane + 2]
        code, a, b = (c[low:high].tolist() for c in (self.plan.code, self.plan.a, self.plan.b))
        return zip(code, a, b, strict=True)

    def _sleep(self, key: int) -> simpy.Event:
        event = self.asleep[key] = simpy.Event(self.env)
        return event

    def _scalar(self, now: int) -> Process:  # noqa: PLR0912  one loop: a call per row would double its cost
        """Issue the rows in order; run those of lane 0 at once."""
        push, pop, tokens, asleep, depth = self.push, self.pop, self.tokens, self.asleep, self.depth
        held: list[int] = []
        inside = self._columns(0)
        low, high = self.plan.first_row[self.block : self.block + 2]
        lanes, costs = self.plan.lane[low:high].tolist(), self.plan.cost[low:high].tolist()
        for lane, cost in zip(lanes, costs, strict=True):
            now += cost
            if lane:
                queue = push[lane]
                slot = len(queue) - depth
                if slot >= 0:
                    freed = pop[lane]
                    while len(freed) <= slot:
                        yield self._sleep(_FREED - lane)
                    if freed[slot] > now:
                        now = freed[slot]
                queue.append(now)
                if _PUSHED - lane in asleep:
                    asleep.pop(_PUSHED - lane).succeed()
                continue
            code, a, _ = next(inside)
            push[0].append(now)
            pop[0].append(now)
            if code == BUSY:
                now += a
            elif code == SET:
                tokens[a] = self.end = now + TICKS
                if a in asleep:
                    asleep.pop(a).succeed()
            elif code == WAIT:
                while tokens[a] < 0:
                    yield self._sleep(a)
                if tokens[a] > now:
                    now = tokens[a]
                held.append(now)
            else:
                while any(self.idle[k][0] < len(push[k]) for k in range(1, len(push))):
                    yield self._sleep(_DRAINED)
                now = max(now, *(at for _, at in self.idle))
                held.append(now)
        self._leave(0, now, now, held, [], [])

    def _pipe(self, lane: int) -> Process:  # noqa: PLR0912, PLR0915  one loop, as above
        """Take the instructions of one pipe in order."""
        push, pop, tokens, asleep = self.push[lane], self.pop[lane], self.tokens, self.asleep
        core, memory, transfers, env = self.core, self.memory, self.plan.transfers, self.env
        freed = _FREED - lane
        held: list[int] = []
        frees: list[int] = []
        visibles: list[int] = []
        now = visible = self.clock[lane]
        at = ready = 0
        for code, a, b in self._columns(lane):
            if at == ready:
                while len(push) == at:
                    self._rest(lane, at, now, visible)
                    yield self._sleep(_PUSHED - lane)
                ready = len(push)
            if push[at] > now:
                now = push[at]
            at += 1
            pop.append(now)
            if freed in asleep:
                asleep.pop(freed).succeed()
            if code == BUSY:
                if now + b > visible:
                    visible = now + b
                now += a
            elif code == SET:
                token = now + TICKS
                if token > self.end:
                    self.end = token
                tokens[a] = visible if visible > token else token
                if a in asleep:
                    asleep.pop(a).succeed()
            elif code == WAIT:
                while tokens[a] < 0:
                    yield self._sleep(a)
                if tokens[a] > now:
                    now = tokens[a]
                held.append(now)
            elif code == MOVE:
                moved = simpy.Event(env)
                memory.move(now, core, lane, transfers[a], b, partial(answer, moved))
                now, data = yield moved
                frees.append(now)
                visibles.append(data)
                if data > visible:
                    visible = data
            else:
                if visible > now:
                    now = visible
                held.append(now)
        self._rest(lane, at, now, visible)
        self._leave(lane, now, visible, held, frees, visibles)

    def _rest(self, lane: int, count: int, now: int, visible: int) -> None:
        """The pipe has nothing left to do, for now."""
        self.idle[lane] = count, max(now, visible)
        if _DRAINED in self.asleep:
            self.asleep.pop(_DRAINED).succeed()

    def _leave(self, lane: int, now: int, visible: int, held: list[int], frees: list[int], visibles: list[int]) -> None:
        """Write down what a unit did; the last one ends the block."""
        cores, slot = self.cores, self.block * len(self.push) + lane
        self.clock[lane] = now
        cores.push[slot], cores.pop[slot] = _frozen(self.push[lane]), _frozen(self.pop[lane])
        cores.held[slot], cores.free[slot], cores.visible[slot] = _frozen(held), _frozen(frees), _frozen(visibles)
        self.end = max(self.end, now, visible)
        self.alive -= 1
        if not self.alive:
            self.done(self.end)

    def stuck(self) -> list[int]:
        """Positions of the instructions that cannot go on."""
        plan, edges, out = self.plan, self.plan.bounds[self.block], []
        for lane, pop in enumerate(self.pop):
            at = int(edges[lane]) + len(pop) - 1
            if pop and plan.code[at] == WAIT and self.tokens[int(plan.a[at])] < 0:
                out.append(at)
            if _FREED - lane in self.asleep:
                out.append(int(edges[lane]) + len(self.push[lane]))
        if _DRAINED in self.asleep:
            out.append(int(edges[0]) + len(self.pop[0]) - 1)
        return out


def answer(moved: simpy.Event, free: int, visible: int) -> None:
    """Wake the unit that waits for its transfer."""
    moved.succeed((free, visible))


def _frozen(values: list[int]) -> Ints:
    return np.array(values, np.int64)
