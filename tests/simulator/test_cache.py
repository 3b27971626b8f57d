"""The L2 against a model that keeps one entry per line."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from simulator.cache import COMING, HERE, Cache, Extent

LINES = 24
Access = tuple[str, int, int]


class Naive:
    """Lines in the order they came, each with a mark if memory does not have its data."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self.dirty: dict[int, bool] = {}

    def access(self, kind: str, lines: range) -> tuple[list[int], int]:
        """The lines that were missing, and how many dirty ones had to leave."""
        missing = [line for line in lines if line not in self.dirty]
        if kind == "clean":
            self.dirty |= dict.fromkeys(self.dirty.keys() & set(lines), False)
            return missing, 0
        self.dirty |= dict.fromkeys(missing, False)
        if kind == "write":
            self.dirty |= dict.fromkeys(lines, True)
        leaving = list(self.dirty)[: max(0, len(self.dirty) - self.capacity)]
        return missing, sum(self.dirty.pop(line) for line in leaving)


def access(cache: Cache, kind: str, extents: list[Extent]) -> tuple[list[int], int]:
    missing = cache.missing(extents)
    lines = [line for first, count in missing for line in range(first, first + count)]
    if kind == "clean":
        cache.clean(extents)
        return lines, 0
    if kind == "write":
        cache.soil(extents)
    written_back = cache.admit(missing, COMING if kind == "read" else HERE)
    cache.arrive(missing)
    return lines, written_back


@given(
    st.integers(1, LINES),
    st.lists(
        st.tuples(st.sampled_from(["read", "write", "clean"]), st.integers(0, LINES - 1), st.integers(1, LINES)),
        max_size=30,
    ),
)
def test_lines_come_and_go_as_in_a_plain_model(capacity: int, accesses: list[Access]) -> None:
    """Same misses and same write-backs, whatever is read, written or cleaned."""
    cache, naive = Cache(LINES, capacity), Naive(capacity)
    for kind, first, count in accesses:
        end = min(first + count, LINES)
        assert access(cache, kind, [(first, end - first)]) == naive.access(kind, range(first, end))


def test_a_line_thrown_out_on_its_way_does_not_come_back() -> None:
    """Line 0 leaves for line 1 before it arrived; its arrival changes nothing."""
    cache = Cache(2, 1)
    cache.admit([(0, 1)], COMING)
    cache.admit([(1, 1)], COMING)
    cache.arrive([(0, 1)])

    assert cache.missing([(0, 2)]) == [(0, 1)]
    assert cache.is_coming([(1, 1)])
