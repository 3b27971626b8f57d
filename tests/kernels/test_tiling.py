"""Tilings: equal shares in whole cache lines, tiles that fit UB."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendc as asc
from kernels.tiling import split


@given(
    count=st.integers(0, 300_000),
    blocks=st.integers(1, 100),
    buffers=st.integers(1, 8),
    dtype=st.sampled_from(["int8", "float16", "float32"]),
)
def test_parts_cover_every_element_once(count: int, blocks: int, buffers: int, dtype: str) -> None:
    """In order of the blocks, each part in whole lines, no tile larger than its part."""
    array = np.empty(count, dtype)
    tiling = split(array, blocks, buffers=buffers)
    parts = [tiling.part(block) for block in range(blocks)]

    assert sum(length for _, length in parts) == count
    assert all(start == min(count, block * tiling.share) for block, (start, _) in enumerate(parts))
    assert tiling.share * array.itemsize % 512 == 0
    assert tiling.tile * array.itemsize % 512 == 0
    assert tiling.tile * array.itemsize * buffers <= 196_352
    assert tiling.tile <= tiling.share


@pytest.mark.parametrize(("chip", "tile_bytes"), [("Ascend910B1", 32_256), ("demo", 32_768)])
def test_six_large_tiles_fill_the_memory_of_the_chip(chip: str, tile_bytes: int) -> None:
    """196,352 B hold six tiles of 63 lines of 512 B; 196,608 B hold six of 64."""
    with asc.use_chip(chip):
        tiling = split(np.empty(tile_bytes // 2 * 100, np.float16), 1, buffers=6)

    assert tiling.tile * 2 == tile_bytes


def test_tiles_of_a_part_are_equal() -> None:
    """40,960 B are two tiles of 20,480 B, not one of 32,256 B and a short one."""
    tiling = split(np.empty(20_480, np.float16), 1, buffers=6)

    assert (tiling.share, tiling.tile) == (20_480, 10_240)


def test_the_ladder_of_an_8192_square_gives_48_even_parts() -> None:
    """67,108,864 / 48 is 1,398,101.3 elements, in lines of 256: 5,462 of them; the last part is 98,560 short."""
    tiling = split(np.empty((8192, 8192), np.float16), 48, buffers=6)

    assert tiling.share == 5462 * 256
    assert tiling.part(47) == (47 * 5462 * 256, 8192 * 8192 - 47 * 5462 * 256)
