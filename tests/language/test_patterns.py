"""Patterns of wrong lanes, values and tiles, each from a case small enough to see."""

from __future__ import annotations

import numpy as np
import pytest

from ascendc.language import patterns


@pytest.mark.parametrize(
    ("wrong", "size", "expected"),
    [
        (range(128), 128, ["whole tiles"]),
        (range(100, 128), 128, ["from lane 100 on", "only tail lanes"]),
        (range(64, 128), 128, ["from repeat 1 on", "from lane 64 on", "only tail lanes"]),
        (range(255 * 64, 313 * 64), 313 * 64, ["from repeat 255 on", "from lane 16320 on", "only tail lanes"]),
        (range(8), 128, ["only the first 8 lanes"]),
        (
            range(0, 128, 2),
            128,
            ["every second lane, from lane 0 on", f"lanes {', '.join(map(str, range(0, 64, 2)))} "],
        ),
        (range(3, 128, 8), 128, ["every 8th lane, from lane 3 on", "lanes 3, 11, 19, 27, 35, 43, 51, 59 of each "]),
        ([*range(32, 64), *range(96, 128)], 128, ["lanes 32-63 of each repeat of 64"]),
        (range(40, 50), 128, ["only lanes 40 to 49"]),
        ([40], 128, ["only lane 40"]),
        ([*range(64, 128), *range(192, 256)], 256, ["every second repeat, from repeat 1 on"]),
        ([*range(64), *range(192, 200)], 200, ["every third repeat, from repeat 0 on"]),
        ([*range(64), *range(64, 96), *range(128, 192)], 256, []),
        ([40, 41, 47], 128, []),
        ([0], 1, ["whole tiles"]),
    ],
)
def test_lanes(wrong: object, size: int, expected: list[str]) -> None:
    """The most telling phrase comes first; 64 lanes are a repeat of float32."""
    found = list(patterns.lanes(np.array(wrong, np.intp), size, 64))

    assert len(found) == len(expected)
    assert [a for a, b in zip(found, expected, strict=True) if not a.startswith(b)] == []


@pytest.mark.parametrize(
    ("got", "want", "expected"),
    [
        ([2, 4, 8], [1, 2, 4], ["2 times what is wanted"]),
        ([-1, -2], [1, 2], ["-1 times what is wanted"]),
        ([2, 3, 4], [1, 2, 3], ["off by +1"]),
        ([3, 3], [2, 2], ["off by +1"]),
        ([1001, 1002], [1000, 1001], ["off by +1"]),
        ([1.02, 2.04], [1, 2], ["1.02 times what is wanted"]),
        ([9, 0, 1, 4, 1, 5, 9, 2, 6, 5], [0, 1, 4, 1, 5, 9, 2, 6, 5, 3], ["the values of 1 lane before"]),
        ([4, 1, 5, 9, 2, 6, 5, 3, 5, 8], [3, 1, 4, 1, 5, 9, 2, 6, 5, 3], ["the values of 2 lanes further on"]),
        ([0, 0], [2, 3], ["all zero"]),
        ([np.nan, np.nan], [2, 3], ["all NaN"]),
        ([np.inf, -np.inf], [2, 3], ["all infinite"]),
        ([1, 7, 3], [2, 3, 5], []),
        ([1], [2], []),
    ],
)
def test_values(got: list[float], want: list[float], expected: list[str]) -> None:
    """A constant factor or offset, or no number at all."""
    arrays = np.array(got, np.float64), np.array(want, np.float64)

    assert list(patterns.values(*arrays, np.ones(len(got), np.bool_))) == expected
    assert list(patterns.values(*arrays, np.zeros(len(got), np.bool_))) == ["never written"]


@pytest.mark.parametrize(
    ("wrong", "counts", "expected"),
    [
        ([(0, 0), (1, 0)], {0: 1, 1: 1}, []),
        ([(1, 0)], {0: 1, 1: 1}, ["only block 1"]),
        ([(1, 0), (2, 0), (4, 0)], dict.fromkeys(range(6), 1), ["only blocks 1-2, 4"]),
        ([(0, 2), (1, 1)], {0: 3, 1: 2}, ["only the last tile of a block"]),
        ([(0, 0), (1, 0)], {0: 3, 1: 2}, ["only tile 0 of a block"]),
        ([(1, 0)], {0: 3, 1: 2}, ["only block 1", "only tile 0 of a block"]),
        ([(0, 1), (0, 2), (1, 1), (1, 2)], {0: 3, 1: 3}, ["from tile 1 on"]),
        ([(0, 1), (0, 3), (1, 1), (1, 3)], {0: 4, 1: 4}, ["every second tile, from tile 1 on"]),
        ([(0, 1), (0, 2), (1, 1)], {0: 4, 1: 4}, []),
    ],
)
def test_tiles(wrong: list[tuple[int, int]], counts: dict[int, int], expected: list[str]) -> None:
    """Which blocks, and which tiles of a block."""
    assert list(patterns.tiles(wrong, counts)) == expected
