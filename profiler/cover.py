"""Unions of intervals, a million at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Cover:
    """Points covered by at least one of many intervals, as the fewest intervals that cover the same.

    Attributes:
        starts, stops: those intervals, in order; no two touch.
        before: length covered before each of them, and by all of them as one entry more.
    """

    starts: Ints
    stops: Ints
    before: Ints

    @classmethod
    def of(cls, starts: Ints, stops: Ints) -> Self:
        """The cover of intervals whose ``starts`` never decrease; each is at least as long as 0."""
        reach = np.maximum.accumulate(stops)
        fresh = np.ones(len(starts), bool)
        fresh[1:] = starts[1:] > reach[:-1]
        heads = np.flatnonzero(fresh)
        first, last = starts[heads], reach[np.append(heads[1:], len(starts))[: len(heads)] - 1]
        return cls(first, last, np.concatenate([np.zeros(1, np.int64), np.cumsum(last - first)]))

    def upto(self, points: Ints) -> Ints:
        """Length covered left of each point."""
        if not len(self.starts):
            return np.zeros(len(points), np.int64)
        begun = np.searchsorted(self.starts, points, side="right")
        beyond = self.stops[np.maximum(begun, 1) - 1] - points
        return np.where(begun > 0, self.before[begun] - np.maximum(beyond, 0), 0)
