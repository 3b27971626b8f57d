"""Weighted sums of gathered blocks, against a loop over blocks in float16."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from tests.block import on_ub, program_of
from tests.refusals import refused

F16 = np.float16
TMP = np.zeros(16384, np.uint8)
Array = np.ndarray[Any, Any]


def by_hand(table: Array, offsets: Array, weights: Array, h: int, own: bool, v: int) -> Array:
    """Row by row and block by block; one weight a repeat, or one a block."""
    rows = np.zeros((v, 8, 16), F16)
    for row in range(v):
        for block in range(8):
            terms = []
            for repeat in range(row * h, (row + 1) * h):
                at = offsets[8 * repeat + block] // 2
                terms.append(table[at : at + 16] * weights[8 * repeat + block if own else repeat])
            rows[row, block] = terms[0]
            for term in terms[1:]:
                rows[row, block] += term
    return rows.reshape(v, 128)


@given(h=st.integers(1, 3), v=st.integers(1, 3), own=st.booleans(), lanes=st.integers(0, 128), seed=st.integers(0, 99))
@settings(max_examples=40)
def test_rows_are_weighted_sums(h: int, v: int, own: bool, lanes: int, seed: int) -> None:
    """Lanes outside the mask are as before; rows lie nine blocks apart."""
    rng = np.random.default_rng(seed)
    table, weights = rng.standard_normal(320).astype(F16), rng.standard_normal(80).astype(F16)
    offsets = rng.integers(0, 20, 8 * h * v).astype(np.uint32) * np.uint32(32)
    before = rng.standard_normal(9 * 16 * 3).astype(F16)
    wanted = before.copy()
    rows = by_hand(table, offsets, weights, h, own, v)
    for row in range(v):
        wanted[144 * row : 144 * row + lanes] = rows[row, :lanes]

    def body(dst: Any, src0: Any, offset: Any, src1: Any, tmp: Any) -> None:
        asc.bilinear_interpolation(dst, src0, offset, src1, lanes, h, own, 1, 144, v, tmp)

    after = on_ub(body, before, table, offsets, weights, TMP)[0]

    np.testing.assert_array_equal(after, wanted)


def test_blocks_of_a_row_may_lie_apart() -> None:
    """Two repeats of eight blocks, weights 1 and 2: 1 · 3 + 2 · 5 = 13 in every second block."""
    table = np.repeat(np.array([3, 5], F16), 16)
    offsets = np.array([0] * 8 + [32] * 8, np.uint32)

    def body(dst: Any, src0: Any, offset: Any, src1: Any, tmp: Any) -> None:
        asc.bilinear_interpolation(dst, src0, offset, src1, 128, 2, False, 2, 0, 1, tmp)

    after = on_ub(body, np.zeros(256, F16), table, offsets, np.array([1, 2] + [0] * 14, F16), TMP)[0]

    np.testing.assert_array_equal(
        after.reshape(8, 2, 16), np.tile(np.repeat(np.array([[13], [0]], F16), 16, 1), (8, 1, 1))
    )


@pytest.mark.parametrize("auto_sync", [True, False])
def test_it_is_written_in_instructions(auto_sync: bool) -> None:
    """With its own barriers between them; the sums of both rows need none."""

    def body(dst: Any, src0: Any, offset: Any, src1: Any, tmp: Any) -> None:
        asc.bilinear_interpolation(dst, src0, offset, src1, 128, 2, True, 1, 128, 2, tmp)

    halves, offsets = np.zeros(256, F16), np.zeros(32, np.uint32)
    program = program_of(body, halves, halves, offsets, halves, TMP, auto_sync=auto_sync)

    rows = [row.template.op.name for row in program.blocks[0]]
    between = "pipe_barrier"
    assert rows == ["gatherb", "brcb", between, "mul", between, "add", "add", between, "adds"]


@pytest.mark.parametrize("repeats", [(0, 3), (3, 0)])
def test_no_repeats_do_nothing(repeats: tuple[int, int]) -> None:
    """As repeat 0 of an instruction."""

    def body(dst: Any, tmp: Any) -> None:
        asc.bilinear_interpolation(dst, dst, tmp, dst, 128, repeats[0], False, 1, 128, repeats[1], tmp)

    assert len(program_of(body, np.zeros(128, F16), TMP)) == 0


@pytest.mark.parametrize(
    ("change", "error", "text"),
    [
        ({"h_repeat": 16, "v_repeat": 16}, asc.RangeError, "h_repeat x v_repeat must be 0 to 255 in all, got 16 x 16"),
        ({"h_repeat": -1}, asc.RangeError, "h_repeat x v_repeat must be 0 to 255 in all, got -1 x 1"),
        ({"v_r_offset": 8}, asc.RangeError, "v_r_offset must be a multiple of 16 elements, a block, got 8"),
        ({"h_repeat": 64}, asc.CapacityError, "shared_tmp_buffer needs 18432 B, it has 16384 B"),
        ({"shared_tmp_buffer": 7}, asc.UsageError, "shared_tmp_buffer must be a LocalTensor, got 7"),
        ({"src1": 7}, asc.UsageError, "src1 must be a LocalTensor, got 7"),
    ],
)
def test_bad_input(change: dict[str, Any], error: type[Exception], text: str) -> None:
    """Each with its message and the line; 64 repeats with 64 weights need 64 + 8 times 256 bytes."""

    def body(dst: Any, offset: Any, tmp: Any) -> None:
        given: dict[str, Any] = {"dst": dst, "src0": dst, "src0_offset": offset, "src1": dst, "mask": 128}
        given |= {"h_repeat": 1, "repeat_mode": False, "dst_blk_stride": 1, "v_r_offset": 128, "v_repeat": 1}
        asc.bilinear_interpolation(**given | {"shared_tmp_buffer": tmp} | change)

    with refused(error, f"bilinear_interpolation: {text}"):
        on_ub(body, np.zeros(128, F16), np.zeros(8, np.uint32), TMP)


def test_only_halves() -> None:
    """The chip has no other."""
    with refused(asc.DtypeError, "bilinear_interpolation: src0 is float32; supported: float16"):
        on_ub(
            lambda d, s: asc.bilinear_interpolation(d, s, s, d, 1, 1, False, 1, 0, 1, s),
            np.zeros(128, F16),
            np.zeros(8, np.float32),
        )
