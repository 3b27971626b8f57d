"""In how many steps the repeats of a masked instruction are computed, whatever its strides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendc as asc
from ascendc.language.cells import Cells
from ascendc.language.isa.geometry import Layout
from ascendc.language.isa.lanes import Lanes
from tests.block import Array, on_ub, tensor

F32 = np.float32
REPEATS = 12
PARAMS = asc.BinaryRepeatParams


def steps(operands: Callable[..., tuple[Any, Any, Any]], params: Any, mask: Any = 64, op: Any = asc.add) -> list[int]:
    """How many repeats each computation of a sum is about; ``operands`` are windows on one array of UB."""
    seen: list[int] = []

    def counted(*lanes: Array) -> Array:
        seen.append(len(lanes[-1]) if lanes[-1].ndim > 1 else 1)
        return op.compute(*lanes)

    counting = replace(op, compute=counted, running=None)
    content = np.arange(16384, dtype=F32)
    on_ub(lambda x: counting(*operands(x), mask, REPEATS, params), content, chip="Ascend910B1")
    return seen


def apart(x: Any) -> tuple[Any, Any, Any]:
    return x, x[4096:], x[8192:]


@pytest.mark.parametrize(
    ("params", "wanted"),
    [
        (PARAMS(), [12]),
        (PARAMS(dst_rep_stride=9, src0_blk_stride=2, src0_rep_stride=16), [12]),
        (PARAMS(src0_rep_stride=0, src1_blk_stride=0), [12]),
        (PARAMS(dst_rep_stride=4), [12] * 2),
        (PARAMS(dst_rep_stride=3), [12] * 3),
        (PARAMS(dst_rep_stride=1), [12] * 8),
        (PARAMS(dst_blk_stride=2, dst_rep_stride=4), [12] * 4),
        (PARAMS(dst_blk_stride=2, dst_rep_stride=3), [12] * 3),
        (PARAMS(dst_rep_stride=0), [1]),
    ],
)
def test_repeats_of_separate_operands_are_computed_together(params: Any, wanted: list[int]) -> None:
    """All at once; where repeats overwrite blocks of others, in as many parts as a block is written times, or
    as blocks have to be kept apart; of repeats onto one place only the last one."""
    assert steps(apart, params) == wanted


def test_blocks_that_are_overwritten_are_read_again_in_order() -> None:
    """dst = dst + x · y with half a repeat of stride: each block has two products added, the first one first."""
    assert steps(apart, PARAMS(dst_rep_stride=4), op=asc.mul_add_dst) == [12] * 2
    assert steps(apart, PARAMS(dst_rep_stride=0), op=asc.mul_add_dst) == [1] * 12


@pytest.mark.parametrize(
    ("operands", "params", "wanted"),
    [
        (lambda x: (x[1024:], x[1024 + 128 :], x[8192:]), PARAMS(), [12]),
        (lambda x: (x[1024:], x[1024 - 128 :], x[8192:]), PARAMS(), [2] * 6),
        (lambda x: (x[1024:], x[1024 - 320 :], x[8192:]), PARAMS(), [5, 5, 2]),
        (lambda x: (x, x[8192:], x), PARAMS(src1_rep_stride=0), [1, 11]),
        (lambda x: (x, x[8192:], x), PARAMS(dst_rep_stride=0, src1_rep_stride=0), [1] * 12),
        (lambda x: (x, x, x[8192:]), PARAMS(), [12]),
    ],
    ids=["behind", "two ahead", "five ahead", "first result", "running", "in place"],
)
def test_repeats_that_read_what_others_wrote_come_after_these(operands: Any, params: Any, wanted: list[int]) -> None:
    """A source that lies behind is read in time; one that is written first is read in the next step."""
    assert steps(operands, params) == wanted


def test_counter_mode_without_gaps_is_one_run() -> None:
    """A last repeat with fewer lanes goes on where the others end; behind a gap it is a step of its own."""

    def counting(params: Any) -> list[int]:
        def operands(x: Any) -> tuple[Any, Any, Any]:
            asc.set_mask_count()
            return apart(x)

        return steps(operands, params, mask=11 * 64 + 5)

    assert counting(PARAMS()) == [1]
    assert counting(PARAMS(dst_rep_stride=9)) == [11, 1]


@given(data=st.data(), item=st.sampled_from([1, 2, 4, 8]), rows=st.integers(1, 4))
def test_cells_are_the_elements_that_start_at_these_bytes(data: st.DataObject, item: int, rows: int) -> None:
    """Evenly spaced, in groups or anywhere: what is read, and what is written and nothing else."""
    lanes = data.draw(st.lists(st.integers(0, 40), min_size=1, max_size=20, unique=True).map(sorted))
    if data.draw(st.booleans()):
        step, wide = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 4))
        lanes = [block * 8 + i * step for block in range(data.draw(st.integers(1, 5))) for i in range(wide)]
    pitch = (max(lanes) + 1 + data.draw(st.integers(0, 3))) * item
    kind, start = np.dtype(f"u{item}"), 16
    data_ = np.arange(2048, dtype=np.uint8)
    at = np.array([[start + row * pitch + lane * item for lane in lanes] for row in range(rows)])
    wanted = np.array([[data_[a : a + item].view(kind)[0] for a in row] for row in at])
    cells = Cells.of(at[0] - start, item).rows(0, rows, pitch)

    assert np.array_equal(cells.read(data_, kind, start), wanted)

    after = data_.copy()
    for a in at.ravel().tolist():
        after[a : a + item] = 7
    cells.write(data_, kind, start, np.full(wanted.shape, int.from_bytes(b"\7" * item, "little"), kind))
    assert np.array_equal(data_, after)


@given(
    blk=st.integers(1, 3),
    rep=st.sampled_from([0, 1, 2, 3, 4, 7, 8, 9, 16]),
    repeats=st.integers(1, 5),
    chosen=st.lists(st.integers(0, 63), min_size=1, unique=True).map(sorted),
)
def test_what_is_put_is_what_repeats_one_after_another_leave(
    blk: int, rep: int, repeats: int, chosen: list[int]
) -> None:
    """Of repeats that write the same lanes, the last one's values stay."""
    layout = Layout(Lanes.of(chosen, 64), 4, repeats, blk, rep, 8)
    values = np.arange(repeats * len(chosen), dtype=F32).reshape(repeats, -1)
    wanted = np.full(2048, -1, F32)
    for row, numbers in zip(layout.offsets // 4, values, strict=True):
        wanted[row] = numbers

    got, *_ = on_ub(lambda x: layout.put(x.memory, asc.float32, 0, values), np.full(2048, -1, F32))
    assert np.array_equal(got, wanted)


def test_a_hole_between_lanes_is_no_hole() -> None:
    """Only lanes count: every second element was written, and the first that was not is named where it is read."""

    def read(x: Any) -> None:
        x.memory.shadow[0:1024] = bytes(1024)
        asc.duplicate(x, 1.0, [0x5555555555555555, 0], 4, 1, 8)
        y = tensor(np.zeros(256, F32), 2048)
        asc.adds(y, x, 1.0, [0x5555555555555555, 0], 4, asc.UnaryRepeatParams())
        with pytest.raises(asc.UninitializedError, match=r"reads elements \[1, 2\)"):
            asc.adds(y, x[64:], 1.0, [0x2, 0], 3, asc.UnaryRepeatParams())

    on_ub(read, np.zeros(256, F32))
