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
    clear = np.ones(len(starts) + 1, bool)
    clear[1:-1] = starts[1:] >= np.maximum.accumulate(stops)[:-1]
    crowded = np.flatnonzero(~(clear[:-1] & clear[1:]))
    out[crowded] = _lowest_free(starts[crowded].tolist(), stops[crowded].tolist())
    return out


def _lowest_free(starts: list[int], stops: list[int]) -> list[int]:
    out: list[int] = []
    free: list[int] = []
    taken: list[tuple[int, int]] = []
    for start, stop in zip(starts, stops, strict=True):
        while taken and taken[0][0] <= start:
            heapq.heappush(free, heapq.heappop(taken)[1])
        lane = heapq.heappop(free) if free else len(taken)
        heapq.heappush(taken, (stop, lane))
        out.append(lane)
    return out
