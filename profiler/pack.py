"""Overlapping spans in as few sub-lanes as they need."""

from __future__ import annotations

import heapq

import numpy as np

from .cover import Ints


def pack(starts: Ints, stops: Ints) -> Ints:
    """A sub-lane for each interval such that no two in one overlap: the lowest that is free.

    ``starts`` never decrease.  Uses as many sub-lanes as intervals overlap at once, which is the least.
    """
    out = np.zeros(len(starts), np.int64)
    if np.all(starts[1:] >= np.maximum.accumulate(stops)[:-1]):
        return out
    free: list[int] = []
    taken: list[tuple[int, int]] = []
    for i, (start, stop) in enumerate(zip(starts.tolist(), stops.tolist(), strict=True)):
        while taken and taken[0][0] <= start:
            heapq.heappush(free, heapq.heappop(taken)[1])
        out[i] = lane = heapq.heappop(free) if free else len(taken)
        heapq.heappush(taken, (stop, lane))
    return out
