"""Samples S10 and S12 as whole kernels: queues, hazards and the timing pass included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from simulator import simulate

F16, F32, U32 = np.float16, np.float32, np.uint32
CHIP = "Ascend910B1"


def tensors(*addresses: Any) -> list[asc.GlobalTensor]:
    made = []
    for address in addresses:
        tensor = asc.GlobalTensor()
        tensor.set_global_buffer(address)
        made.append(tensor)
    return made


@asc.kernel
def pad_rows(x: Any, y: Any, rows: int, columns: int, padded: int, value: float) -> None:
    """Rows of ``columns`` to rows of ``padded``, filled with ``value``."""
    g, out = tensors(x, y)
    pipe, through = asc.TPipe(), asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    item = x.dtype.sizeof()
    pipe.init_buffer(through, 1, rows * padded * item)
    tile = through.alloc_tensor(x.dtype)
    block = 32 // item
    whole, fill = -(-columns // block) * block - columns, padded - -(-columns // block) * block
    asc.data_copy_pad(
        tile,
        g,
        asc.DataCopyExtParams(rows, columns * item, 0, fill // block),
        asc.DataCopyPadExtParams(x.dtype, True, 0, whole, value),
    )
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    if fill:
        asc.duplicate(tile[padded - fill :], value, fill, rows, 1, padded // block)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    through.enque(tile)
    tile = through.deque(x.dtype)
    asc.data_copy(out, tile, rows * padded)
    through.free_tensor(tile)


@pytest.mark.parametrize(
    ("shape", "padded", "kind"), [((1, 20), 32, F16), ((32, 59), 64, F32)], ids=["[1,20]→[1,32]", "[32,59]→[32,64]"]
)
def test_s10_pad(shape: tuple[int, int], padded: int, kind: Any) -> None:
    """The value 1 behind each row, exactly; no hazard."""
    x = np.arange(shape[0] * shape[1]).reshape(shape).astype(kind)
    y = np.zeros((shape[0], padded), kind)

    program = pad_rows.launch(1, x, y, *shape, padded, 1.0, chip=CHIP)

    assert np.array_equal(y, np.pad(x, ((0, 0), (0, padded - shape[1])), constant_values=1))
    assert simulate(program).cycles > 0


@asc.kernel
def unpad_rows(x: Any, y: Any, rows: int, columns: int, padded: int) -> None:
    """Rows of ``padded`` to rows of ``columns``: the store drops the rest."""
    g, out = tensors(x, y)
    pipe, through = asc.TPipe(), asc.TQueBind(asc.TPosition.VECIN, asc.TPosition.VECOUT, 1)
    item = x.dtype.sizeof()
    pipe.init_buffer(through, 1, rows * padded * item)
    tile = through.alloc_tensor(x.dtype)
    asc.data_copy(tile, g, rows * padded)
    through.enque(tile)
    tile = through.deque(x.dtype)
    gap = padded * item // 32 - -(-columns * item // 32)
    asc.data_copy_pad(out, tile, asc.DataCopyExtParams(rows, columns * item, gap, 0))
    through.free_tensor(tile)


def test_s10_unpad() -> None:
    """[32, 64] to [32, 59], exactly."""
    x, y = np.arange(32 * 64).reshape(32, 64).astype(F32), np.zeros((32, 59), F32)

    unpad_rows.launch(1, x, y, 32, 59, 64, chip=CHIP)

    assert np.array_equal(y, x[:, :59])


@asc.kernel
def top(x: Any, values: Any, places: Any, runs: int) -> None:
    """All scores of ``x`` in descending order, and where they were."""
    g, v, p = tensors(x, values, places)
    n = 32 * runs
    pipe = asc.TPipe()
    bufs = [asc.TBuf() for _ in range(6)]
    for buf, nbytes in zip(bufs, (4 * n, 4 * n, 8 * n, 8 * n, 4 * n, 4 * n), strict=True):
        pipe.init_buffer(buf, nbytes)
    score, index, records, tmp, best, place = (
        buf.get(kind) for buf, kind in zip(bufs, (F32, U32, F32, F32, F32, U32), strict=True)
    )
    asc.data_copy(score, g, n)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.arange(index.reinterpret_cast(asc.int32), 0, n)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.sort(records, score, index, tmp, runs)
    asc.extract(best, place, records, runs)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(v, best, n)
    asc.data_copy(p, place, n)


@pytest.mark.parametrize("count", [96, 128, 1024])
def test_s12_sort(count: int) -> None:
    """96, 128 and 1024 scores: exact, without a hazard, and timed."""
    x = np.random.default_rng(count).standard_normal(count).astype(F32)
    values, places = np.zeros(count, F32), np.zeros(count, U32)

    program = top.launch(1, x, values, places, count // 32, chip=CHIP)

    order = np.argsort(-x, kind="stable")
    assert np.array_equal(places, order)
    assert np.array_equal(values, x[order])
    assert simulate(program).cycles > 0


@asc.kernel
def embed(table: Any, index: Any, out: Any, rows: int) -> None:
    """Row ``index[i]`` of a table of 64 columns, through byte offsets."""
    t, i, o = tensors(table, index, out)
    pipe, bufs = asc.TPipe(), [asc.TBuf() for _ in range(3)]
    for buf, nbytes in zip(bufs, (64 * 64 * 4, 64 * 4, rows * 256), strict=True):
        pipe.init_buffer(buf, nbytes)
    source, offset, made = (buf.get(kind) for buf, kind in zip(bufs, (F32, U32, F32), strict=True))
    asc.data_copy(source, t, 64 * 64)
    asc.data_copy(offset, i, 64)
    asc.set_flag(asc.HardEvent.MTE2_S, 0)
    asc.wait_flag(asc.HardEvent.MTE2_S, 0)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    for row in range(rows):
        asc.gatherb(
            made[64 * row :].reinterpret_cast(U32),
            source[64 * offset.get_value(row) :].reinterpret_cast(U32),
            offset[56:],
            1,
            asc.GatherRepeatParams(),
        )
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(o, made, rows * 64)


def test_s12_embedding_lookup() -> None:
    """Eight rows of a table of 64 × 64, blocks in order."""
    table = np.arange(64 * 64, dtype=F32).reshape(64, 64)
    index = np.zeros(64, U32)
    index[:8] = [3, 3, 63, 0, 17, 5, 62, 1]
    index[56:] = np.arange(8) * 32
    out = np.zeros((8, 64), F32)

    embed.launch(1, table, index, out, 8, chip=CHIP)

    assert np.array_equal(out, table[index[:8]])
