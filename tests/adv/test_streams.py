"""One function of each group in a real kernel: cores with tails, queues of two buffers, the rest of UB to work in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ascendc as asc
from simulator import simulate
from tests.adv.calls import gelu, pitch_of

Array = NDArray[Any]
adv = asc.adv
F16 = np.float16
ROWS, COLUMNS, TILE, BLOCKS = 29, 45, 4, 3
"""10, 10 and 9 rows a core, in tiles of 4, 4 and 2, or 4, 4 and 1; rows that end within a block."""


@dataclass(frozen=True)
class Stage:
    """What is done with some rows of whole blocks.

    Attributes:
        compute: given the result, the rows, their number, and a buffer for what else there is.
        width: elements of a row of the result; 0 if it is one number a row, without gaps.
        kind: their type.
        wanted: the result of all rows in float64.
        tolerance: how far each is from that, as a share of the largest.
    """

    compute: Callable[[Any, Any, int, Any], None]
    width: int
    kind: Any
    wanted: Callable[[Array], Array]
    tolerance: float


def softmax(out: Any, x: Any, rows: int, rest: Any) -> None:
    pitch = pitch_of(COLUMNS, F16)
    total, top = (rest.get_with_offset(16 * rows, at, asc.float16) for at in (0, 32 * rows))
    info = adv.SoftMaxShapeInfo(rows, pitch, rows, COLUMNS)
    adv.softmax(out, total, top, x, adv.soft_max_tiling_func((rows, pitch)), shape_info=info)


def norm(out: Any, x: Any, rows: int, rest: Any) -> None:
    gamma = rest.get(asc.float16, 48)
    asc.duplicate(gamma, 2.0, 48)
    asc.pipe_barrier(asc.PipeID.PIPE_V)
    adv.rmsnorm(out, x, gamma, 1e-5, adv.get_rms_norm_tiling_info((rows, 48), COLUMNS))


def curve(out: Any, x: Any, rows: int, rest: Any) -> None:
    for row in range(rows):
        adv.gelu(out[48 * row :], x[48 * row :], COLUMNS)


def totals(out: Any, x: Any, rows: int, rest: Any) -> None:
    adv.reduce_sum(out, x, (rows, COLUMNS))


def wider(out: Any, x: Any, rows: int, rest: Any) -> None:
    adv.pad(out, x, adv.PadParams(2, 1), adv.pad_tiling_func((rows, 48), COLUMNS))


def narrower(out: Any, x: Any, rows: int, rest: Any) -> None:
    for row in range(rows):
        adv.quant(out[64 * row :], x[48 * row :], 10.0, 0.0, COLUMNS)


def shares(x: Array) -> Array:
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def of_unit_size(x: Array) -> Array:
    return 2 * x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-5)


STAGES = {
    "softmax": Stage(softmax, COLUMNS, F16, shares, 2.0**-10),
    "rmsnorm": Stage(norm, COLUMNS, F16, of_unit_size, 2.0**-10),
    "gelu": Stage(curve, COLUMNS, F16, gelu, 2.0**-10),
    "reduce_sum": Stage(totals, 0, F16, lambda x: x.sum(axis=1, keepdims=True), 2.0**-10),
    "pad": Stage(wider, COLUMNS + 3, F16, lambda x: np.pad(x, ((0, 0), (2, 1))), 0),
    "quant": Stage(narrower, COLUMNS, np.int8, lambda x: np.rint(10 * x).clip(-128, 127), 0),
}


def kernel_of(stage: Stage) -> Any:
    """The rows of a core, tile after tile."""
    width, item = max(stage.width, 1), np.dtype(stage.kind).itemsize

    @asc.kernel
    def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress) -> None:
        source, target, pipe = asc.GlobalTensor(), asc.GlobalTensor(), asc.TPipe()
        source.set_global_buffer(x)
        target.set_global_buffer(z)
        come, go, rest = asc.TQue(asc.TPosition.VECIN, 2), asc.TQue(asc.TPosition.VECOUT, 2), asc.TBuf()
        pipe.init_buffer(come, 2, TILE * pitch_of(COLUMNS, F16) * 2)
        pipe.init_buffer(go, 2, TILE * 32 * -(-width * item // 32))
        pipe.init_buffer(rest, 2 * 32 * TILE)
        share = -(-ROWS // asc.get_block_num())
        first = asc.get_block_idx() * share
        last = min(first + share, ROWS)
        for row in range(first, last, TILE):
            rows = min(TILE, last - row)
            tile = come.alloc_tensor(asc.float16)
            row_bytes = asc.DataCopyExtParams(rows, COLUMNS * 2, 0, 0, 0)
            asc.data_copy_pad(tile, source[row * COLUMNS :], row_bytes, asc.DataCopyPadExtParams(asc.float16))
            come.enque(tile)
            tile, out = come.deque(asc.float16), go.alloc_tensor(z.dtype)
            stage.compute(out, tile, rows, rest)
            go.enque(out)
            come.free_tensor(tile)
            out = go.deque(z.dtype)
            shape = (rows, width * item) if stage.width else (1, rows * item)
            asc.data_copy_pad(target[row * width :], out, asc.DataCopyExtParams(*shape, 0, 0, 0))
            go.free_tensor(out)

    return kernel


@pytest.mark.parametrize("auto_sync", [True, False])
@pytest.mark.parametrize("name", STAGES)
def test_rows_over_cores(name: str, auto_sync: bool) -> None:
    """Right, without a hazard, and every row of the timeline is an instruction on a line of this file."""
    stage = STAGES[name]
    x = np.random.default_rng(7).normal(0, 3, (ROWS, COLUMNS)).astype(F16)
    z = np.zeros((ROWS, max(stage.width, 1)), stage.kind)

    program = kernel_of(stage).launch(BLOCKS, x, z, chip="demo", hazards="error", auto_sync=auto_sync)

    wanted = stage.wanted(x.astype(np.float64))
    assert np.abs(z - wanted).max() <= stage.tolerance * np.abs(wanted).max()
    assert {i.template.site.file for block in program.blocks for i in block} == {__file__}
    assert simulate(program).cycles > 0
