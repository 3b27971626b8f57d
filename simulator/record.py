"""The few numbers the units of ``core.py`` write down, and all the others, which follow from them.

What a unit appends per instruction is what its speed is made of: for most instructions that is one number.
"""

from __future__ import annotations

import numpy as np

from .columns import Ints, Spans, column, joined
from .prepare import BARRIER, BUSY, MOVE, SET, WAIT, Plan
from .ticks import TICKS


class Record:
    """Ticks by block and lane, as each unit leaves them."""

    def __init__(self, plan: Plan) -> None:
        slots = plan.bounds[:, :-1].size
        self._plan, self._lanes = plan, len(plan.pipe_of_lane)
        self._began = np.zeros(slots, np.int64)
        self._columns: list[list[Ints]] = [[column([])] * slots for _ in range(5)]

    def begin(self, block: int, clocks: list[int]) -> None:
        """A block begins: when each lane was free."""
        self._began[block * self._lanes : (block + 1) * self._lanes] = clocks

    def end(
        self, block: int, lane: int, push: list[int], pop: list[int], held: list[int], free: list[int], data: list[int]
    ) -> None:
        """A unit is done.

        Args:
            block: of which block.
            lane: which unit.
            push: when the scalar unit had issued each instruction.
            pop: when each left its queue.
            held: when each wait and barrier got through.
            free: when each transfer freed the pipe.
            data: when the data of each transfer were visible.
        """
        for kept, ticks in zip(self._columns, (push, pop, held, free, data), strict=True):
            kept[block * self._lanes + lane] = column(ticks)

    def spans(self) -> Spans:
        """When everything happened."""
        plan = self._plan
        push, pop, held, moved, data = (joined(parts) for parts in self._columns)
        start = pop.copy()
        start[(plan.code == WAIT) | (plan.code == BARRIER)] = held
        is_busy, is_move = plan.code == BUSY, plan.code == MOVE
        stop = start + np.where(is_busy, plan.b, np.where(plan.code == SET, TICKS, 0))
        stop[is_move] = data
        free = start + np.where(is_busy, plan.a, 0)
        free[is_move] = moved
        return Spans(push, self._ready(push, free), start, stop)

    def _ready(self, push: Ints, free: Ints) -> Ints:
        """When the lane was free: after the instruction before it; in the scalar unit, before it was issued."""
        plan = self._plan
        ready = np.empty_like(free)
        ready[1:] = free[:-1]
        has_rows = np.diff(plan.bounds, axis=1).ravel() > 0
        ready[plan.bounds[:, :-1].ravel()[has_rows]] = self._began[has_rows]
        inside = plan.lane[plan.order] == 0
        ready[inside] = push[inside] - plan.cost[plan.order[inside]]
        return ready
