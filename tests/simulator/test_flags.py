"""Which set a wait consumes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from simulator.columns import column
from simulator.flags import match

FLAGS = st.lists(st.integers(0, 3), max_size=20)


@given(FLAGS, FLAGS)
def test_the_kth_wait_takes_the_kth_set(sets: list[int], waits: list[int]) -> None:
    """As a list per flag would give it; −1 where the list has come to its end."""
    left = {flag: [i for i, s in enumerate(sets) if s == flag] for flag in range(4)}
    expected = [left[flag].pop(0) if left[flag] else -1 for flag in waits]

    assert match(column(sets), column(waits)).tolist() == expected
