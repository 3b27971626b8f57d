"""Row-wise functions in a kernel: queues around them, the rest of UB as their memory, their rows in its Program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from simulator import simulate
from tests.adv.matrices import F16, F32
from tests.block import local, on_ub, program_of
from tests.refusals import refused

adv = asc.adv
TILING = adv.soft_max_tiling_func((8, 64))


@asc.kernel
def softmax_rows(x: Any, z: Any, rows: int, columns: int, buffer_bytes: int) -> None:
    """A tile of rows a block, without temp_buffer."""
    source, target = asc.GlobalTensor(), asc.GlobalTensor()
    first = asc.get_block_idx() * rows * columns
    source.set_global_buffer(x + first, rows * columns)
    target.set_global_buffer(z + first, rows * columns)
    pipe = asc.TPipe()
    come, go, numbers = asc.TQue(asc.TPosition.VECIN, 1), asc.TQue(asc.TPosition.VECOUT, 1), asc.TBuf()
    pipe.init_buffer(come, 1, buffer_bytes)
    pipe.init_buffer(go, 1, buffer_bytes)
    pipe.init_buffer(numbers, 2 * rows * 32)
    tile = come.alloc_tensor(x.dtype)
    asc.data_copy(tile, source, rows * columns)
    come.enque(tile)
    tile, out = come.deque(x.dtype), go.alloc_tensor(x.dtype)
    total, top = (numbers.get_with_offset(8 * rows, at * rows * 32, asc.float32) for at in (0, 1))
    adv.softmax(out, total, top, tile, adv.soft_max_tiling_func((rows, columns)))
    go.enque(out)
    come.free_tensor(tile)
    out = go.deque(x.dtype)
    asc.data_copy(target, out, rows * columns)
    go.free_tensor(out)


@pytest.mark.parametrize("kind", [F16, F32])
@pytest.mark.parametrize("auto_sync", [True, False])
def test_a_kernel_without_hazards(kind: Any, auto_sync: bool) -> None:
    """Three blocks, right, in order without auto_sync too, on the author's lines, and it takes time."""
    x = np.random.default_rng(1).normal(size=(39, 48)).astype(kind)
    z = np.zeros_like(x)
    program = softmax_rows.launch(3, x, z, 13, 48, 13 * 48 * 4, chip="demo", hazards="error", auto_sync=auto_sync)
    powers = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    files = {i.template.site.file for i in program.blocks[0]}

    assert np.allclose(z, powers / powers.sum(axis=1, keepdims=True), rtol=1e-3 if kind is F16 else 1e-6, atol=1e-7)
    assert files == {__file__}
    assert simulate(program).cycles > 0


def test_no_room_is_said_with_what_is_missing() -> None:
    """Two buffers of 90 KB leave less of UB than a row of float16 needs in float32."""
    x = np.zeros((1, 4096), F16)

    with refused(
        asc.CapacityError, "softmax: ", " B of temporary memory are needed, ", " B are missing; shorten the buffers"
    ):
        softmax_rows.launch(1, x, x.copy(), 1, 4096, 90 << 10, chip="demo")


def softmax(x: Any, total: Any, top: Any) -> None:
    adv.softmax(x, total, top, x, TILING, local(np.uint8, 4096, 1 << 16))


def operands() -> tuple[Any, ...]:
    return np.zeros((8, 64), F32), np.zeros(64, F32), np.zeros(64, F32)


def test_softmax_of_one_repeat_a_row_is_seven_instructions() -> None:
    """Whole groups of 8 rows need no copies: the blocks of a number are written where they belong."""
    rows = [i.template.op.name for i in program_of(softmax, *operands(), auto_sync=True).blocks[0]]
    by_hand = [i.template.op.name for i in program_of(softmax, *operands(), auto_sync=False).blocks[0]]

    assert rows[::2] == ["whole_reduce_max", "brcb", "sub", "exp", "whole_reduce_sum", "brcb", "div"]
    assert rows[1::2] == ["pipe_barrier"] * 6
    assert by_hand == ["pipe_barrier", *rows]


def test_rows_beyond_the_repeat_field_are_walked_along() -> None:
    """A row of 2048 float32 is 256 blocks, more than a repeat stride holds: 32 repeats a row, one after another."""

    def body(dst: Any, src: Any) -> None:
        adv.reduce_max(dst, src, (2, 2048), True, adv.ReducePattern.AR, local(np.uint8, 4096, 1 << 16))

    names = [i.template.op.name for i in program_of(body, np.zeros(2, F32), np.zeros((2, 2048), F32)).blocks[0]]

    assert names == ["whole_reduce_max", "whole_reduce_max", "pipe_barrier", "whole_reduce_max"]


def test_counter_mode_ends_with_a_warning() -> None:
    """As with the count form of an instruction; the result is right."""
    made: list[asc.Program] = []

    def body(x: Any, total: Any, top: Any) -> None:
        asc.set_mask_count()
        softmax(x, total, top)

    with asc.observe(on_launch=made.append):
        x, total, _ = on_ub(body, *operands())

    assert (set(x.ravel().tolist()), set(total.tolist())) == ({1 / 64}, {64.0})
    assert any("softmax: " in str(f) and "counter mode" in str(f) for f in made[0].findings)


def test_rows_that_hold_nothing_are_found_before_anything_is_written() -> None:
    """The third of three rows; what lies between rows need hold nothing."""
    found: list[list[float]] = []

    def body(dst: Any, total: Any, top: Any) -> None:
        src, info = local(np.float32, 24, 4096), adv.SoftMaxShapeInfo(3, 8, 3, 5)
        asc.duplicate(src, 1.0, 5)
        asc.duplicate(src[8:], 1.0, 5)
        try:
            adv.softmax(
                dst, total, top, src, adv.soft_max_tiling_func((3, 8)), local(np.uint8, 288, 8192), shape_info=info
            )
        finally:
            found.append([*dst.values, *total.values, *top.values])

    with refused(asc.UninitializedError, "src of softmax (tensor src): reads elements [16, 21) of the tensor"):
        on_ub(body, *(np.full(24, 7, F32) for _ in range(3)))

    assert found == [[7.0] * 72]


def test_numbers_that_hold_nothing_are_found_too() -> None:
    """What earlier parts are said to have left."""

    def body(x: Any, total: Any, top: Any) -> None:
        before = local(np.float32, 8, 4096)
        call = (x, total, top, x, top, before, top, adv.soft_max_tiling_func((1, 8)), local(np.uint8, 4096, 8192))
        adv.softmax_flash_v2(*call, is_update=True)

    with refused(asc.UninitializedError, "in_exp_sum of softmax_flash_v2"):
        on_ub(body, *(np.zeros(8, F32) for _ in range(3)))
