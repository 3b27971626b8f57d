"""Blocks take turns: one runs at a time, and gives its turn away only where another may have to act first.

At most as many blocks are alive as the chip has cores, started in index order.  Each runs in a greenlet
with its own copy of the caller's context, so a debugger sees ordinary Python.
"""

from __future__ import annotations

import contextvars
from collections import deque
from collections.abc import Callable

from greenlet import getcurrent, greenlet

_PATIENCE = 30_000
"""Idle turns in a row, of all blocks together, after which they count as polling forever."""


class Turns:
    """Runs bodies 0 to ``count`` − 1 with at most ``resident`` of them alive."""

    def __init__(self, count: int, resident: int, body: Callable[[int], None]) -> None:
        self._count, self._resident, self._body = count, resident, body
        self._idle = 0
        self._main = getcurrent()

    def run(self, done: Callable[[int], None]) -> None:
        """Run all bodies; ``done`` is told how many have ended, each time one has.

        An exception in a body ends the run and passes through.
        """
        alive: deque[greenlet] = deque()
        started = ended = 0
        while ended < self._count:
            if started < self._count and len(alive) < self._resident:
                alive.appendleft(self._start(started))
                started += 1
            turn = alive.popleft()
            turn.switch()
            if turn.dead:
                ended += 1
                self._idle = 0
                done(ended)
            else:
                alive.append(turn)

    def pause(self, *, idle: bool) -> bool:
        """Give the other blocks a turn.

        Args:
            idle: whether the block has done nothing since its last turn but look again.

        Returns:
            Whether going on makes sense: not after endless polling.
        """
        self._idle = self._idle + 1 if idle else 0
        if self._idle > _PATIENCE:
            return False
        self._main.switch()
        return True

    def _start(self, index: int) -> greenlet:
        made = greenlet(lambda: self._body(index))
        made.gr_context = contextvars.copy_context()
        return made
