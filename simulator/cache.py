"""The L2: which lines are there, which are still on their way, and which must be written back.

Lines leave in the order they came (first in, first out).  One byte per line of global memory says where it
stands, so looking up a contiguous transfer is a few calls on a slice, whatever its length.  Time and
bandwidth are not here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

ABSENT, HERE, COMING = range(3)
_ARRIVED = bytes([ABSENT, HERE, HERE, *range(3, 256)])  # a line thrown out before it arrived stays away

Extent = tuple[int, int]
"""First line and number of lines."""


class Cache:
    """The state of the lines, kept from launch to launch.

    Attributes:
        lines: of the memory behind it.
        capacity: lines it holds.
    """

    def __init__(self, lines: int, capacity: int) -> None:
        """An empty cache of ``capacity`` lines in front of a memory of ``lines``."""
        self.lines, self.capacity = lines, capacity
        self._state = bytearray(lines)
        self._dirty = bytearray(lines)
        self._order: deque[Extent] = deque()
        self._held = 0

    def missing(self, extents: Sequence[Extent]) -> list[Extent]:
        """The parts that are neither here nor on their way."""
        out: list[Extent] = []
        for first, count in extents:
            absent = self._state.count(ABSENT, first, first + count)
            if absent == count:
                out.append((first, count))
            elif absent:
                out += self._runs(first, first + count)
        return out

    def _runs(self, first: int, end: int) -> Iterator[Extent]:
        state = self._state
        while (at := state.find(ABSENT, first, end)) >= 0:
            stops = [s for s in (state.find(HERE, at, end), state.find(COMING, at, end)) if s >= 0]
            first = min(stops, default=end)
            yield at, first - at

    def is_coming(self, extents: Sequence[Extent]) -> bool:
        """Whether some line is still on its way."""
        find = self._state.find
        for first, count in extents:  # noqa: SIM110  a generator costs more than the look
            if find(COMING, first, first + count) >= 0:
                return True
        return False

    def admit(self, extents: Sequence[Extent], state: int) -> int:
        """Take lines in that were missing, throwing out the oldest.

        Args:
            extents: what :meth:`missing` gave.
            state: ``COMING`` if they are fetched, ``HERE`` if they are written.

        Returns:
            How many dirty lines had to leave.
        """
        for first, count in extents:
            self._state[first : first + count] = bytes((state,)) * count
            self._order.append((first, count))
            self._held += count
        return self._evict() if self._held > self.capacity else 0

    def _evict(self) -> int:
        order, dirty = self._order, 0
        excess = self._held - self.capacity
        self._held = self.capacity
        while excess:
            first, count = order.popleft()
            if count > excess:
                order.appendleft((first + excess, count - excess))
                count = excess
            excess -= count
            self._state[first : first + count] = bytes(count)
            dirty += self._wash(first, count)
        return dirty

    def arrive(self, extents: Sequence[Extent]) -> None:
        """What was on its way is here."""
        for first, count in extents:
            end = first + count
            self._state[first:end] = self._state[first:end].translate(_ARRIVED)

    def soil(self, extents: Sequence[Extent]) -> None:
        """Lines were written: memory has old data until they leave."""
        for first, count in extents:
            self._dirty[first : first + count] = b"\1" * count

    def clean(self, extents: Sequence[Extent]) -> None:
        """Memory has the lines' data."""
        for first, count in extents:
            self._wash(first, count)

    def _wash(self, first: int, count: int) -> int:
        """Forget that lines are dirty; returns how many were."""
        dirty = self._dirty.count(1, first, first + count)
        if dirty:
            self._dirty[first : first + count] = bytes(count)
        return dirty
