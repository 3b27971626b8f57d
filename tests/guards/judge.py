"""Whether a kernel is harmful, told by playing its launch in every order that matters.

Harmful is what breaks on the chip: a step no chip survives, rows that never end, a flag set twice, a flag left for
the next kernel, a result that depends on what was in local memory before, or a schedule whose result is not that of
the right kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from tests.guards.bare import Launch
from tests.guards.bare_chip import Block, Tokens, World
from tests.guards.schedules import NOBODY, Run, Schedules

_LINE = np.uint64(2654435761)


class Launched:
    """A launch, ready to be played.

    Attributes:
        blocks: what they issue.
    """

    def __init__(self, launch: Launch) -> None:
        self.blocks = launch.blocks
        self._fresh = np.arange(1, launch.gm_bytes + 1, dtype=np.uint64) * _LINE
        self._schedules = [Schedules([step.row for step in block.steps]) for block in launch.blocks]

    @cached_property
    def result(self) -> Tokens:
        """What global memory holds after all blocks ran in order."""
        return self._after(range(len(self.blocks)))

    def harm(self, wanted: Tokens) -> str:
        """What can go wrong where ``wanted`` is the right result, or nothing."""
        every = range(len(self.blocks))
        if any(s.run().is_stuck for s in self._schedules):
            return "hangs"
        if not np.array_equal(self.result, self._after(every, noise=1)):
            return "undefined result"
        if not (np.array_equal(self.result, wanted) and np.array_equal(self._after(every[::-1]), wanted)):
            return "wrong result"
        for number in every:
            harm = self._reordered(number, wanted)
            if harm:
                return harm
        if any(any(block.tokens.values()) for block in self.blocks):
            return "flag left set"
        return ""

    def _reordered(self, number: int, wanted: Tokens) -> str:
        block, schedules = self.blocks[number], self._schedules[number]
        others = self._after([i for i in range(len(self.blocks)) if i != number])
        seen: set[tuple[int, ...]] = set()
        for held in (NOBODY, *schedules.holdable()):
            run = schedules.run(held)
            if any(not block.steps[later].queued for _, later in run.twice):
                return "flag set twice"
            if run.order not in seen:
                seen.add(run.order)
                if not np.array_equal(_played(block, run, others), wanted):
                    return f"race: row {held} late"
        return ""

    def _after(self, blocks: Sequence[int], noise: int = 0) -> Tokens:
        gm = self._fresh
        for i in blocks:
            gm = _played(self.blocks[i], self._schedules[i].run(), gm, noise)
        return gm


def _played(block: Block, run: Run, gm: Tokens, noise: int = 0) -> Tokens:
    """Global memory after ``block`` ran in this order, with ``noise`` in its local memory."""
    world = World(gm.copy(), ~np.arange(noise, block.top + noise, dtype=np.uint64) * _LINE)
    for row in run.order:
        effect = block.steps[row].effect
        if effect is not None:
            effect(world)
    return world.gm
