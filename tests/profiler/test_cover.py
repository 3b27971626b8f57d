"""Unions of intervals and sub-lanes."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from profiler.cover import Cover
from profiler.pack import pack

intervals = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 12)), max_size=30).map(
    lambda pairs: sorted((a, a + n) for a, n in pairs)
)


def columns(pairs: list[tuple[int, int]]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([a for a, _ in pairs], np.int64), np.array([b for _, b in pairs], np.int64)


def test_cover_merges_what_overlaps_or_touches() -> None:
    """[0,4) and [2,6) and [6,7) are one interval of 7; [9,11) contains [9,10)."""
    cover = Cover.of(*columns([(0, 4), (2, 6), (6, 7), (9, 11), (9, 10)]))

    assert cover.starts.tolist() == [0, 9]
    assert cover.stops.tolist() == [7, 11]
    assert cover.upto(np.array([-1, 0, 3, 7, 8, 10, 99])).tolist() == [0, 0, 3, 7, 7, 8, 9]


@given(intervals, st.integers(-5, 80))
def test_cover_counts_every_point_once(pairs: list[tuple[int, int]], point: int) -> None:
    """The length left of a point is the number of cycles before it that any interval contains."""
    contained = {cycle for a, b in pairs for cycle in range(a, b)}

    assert Cover.of(*columns(pairs)).upto(np.array([point])).tolist() == [sum(c < point for c in contained)]


@given(intervals)
def test_packing_is_disjoint_and_least(pairs: list[tuple[int, int]]) -> None:
    """No two intervals of a sub-lane overlap, and there are as many sub-lanes as intervals at once."""
    rows = pack(*columns(pairs)).tolist()

    reach: dict[int, int] = {}
    for (start, stop), row in zip(pairs, rows, strict=True):
        assert reach.get(row, 0) <= start
        reach[row] = stop
    depth = max((sum(a <= t < b for a, b in pairs) for t in range(80)), default=0)
    assert len(reach) <= max(depth, 1) + sum(a == b for a, b in pairs)
    if all(a < b for a, b in pairs):
        assert len(reach) == depth
