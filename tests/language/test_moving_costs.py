"""What gathering, sorting and transposing ask of Ascend910B1, worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import program_of

F16, F32, U8, U32 = np.float16, np.float32, np.uint8, np.uint32
HEAD = 24


def _merge(f: Any, g: Any, h: Any, u: Any) -> None:
    for i in range(4):
        asc.sort32(f[64 * i :], g[32 * i :], u, 1)
    asc.mrg_sort(g, asc.MrgSortSrcList(asc.float32, f, f[64:], f[128:], f[192:]), asc.MrgSort4Info([32] * 4))


def _rows(f: Any, g: Any, h: Any, u: Any) -> None:
    lists = [[t[8 * i :] for i in range(16)] for t in (f, g)]
    asc.trans_data_to_5hd(*lists, asc.TransDataTo5HDParams(False, False, 2, 16, 16))


@pytest.mark.parametrize(
    ("call", "cycles"),
    [
        pytest.param(lambda f, g, h, u: asc.gather(h, h[256:], u, 0, 128), 24, id="gather: 1 repeat of halves"),
        pytest.param(lambda f, g, h, u: asc.gather(f, g, u, 0, 65), 2 * 12, id="gather: 2 repeats of floats"),
        pytest.param(
            lambda f, g, h, u: asc.gatherb(
                f.reinterpret_cast(U32), g.reinterpret_cast(U32), u, 3, asc.GatherRepeatParams()
            ),
            3 * 2,
            id="gatherb: 3 repeats",
        ),
        pytest.param(
            lambda f, g, h, u: asc.gather_mask(f, g, 1, False, 0, asc.GatherMaskParams(1, 3, 8)),
            3 * 14,
            id="gather_mask: 3 repeats",
        ),
        pytest.param(
            lambda f, g, h, u: asc.gather_mask(f, g, 1, True, 65, asc.GatherMaskParams()),
            2 * 14,
            id="gather_mask: 65 floats are 2 repeats",
        ),
        pytest.param(lambda f, g, h, u: asc.sort32(f, g, u, 3), 3 * 16, id="sort32: 3 repeats"),
        pytest.param(_merge, 4 * 16, id="mrg_sort: 128 records, 32 a repeat"),
        pytest.param(lambda f, g, h, u: asc.transpose(h, h[256:512]), 16, id="transpose: one tile"),
        pytest.param(
            lambda f, g, h, u: asc.transpose(
                *(f, g, h.reinterpret_cast(U8)),
                asc.TransposeParamsExt(1, 3, 2, 64, asc.TransposeType.TRANSPOSE_NCHW2NHWC),
            ),
            16 * 16,
            id="transpose: 3 rows of 128 floats are 1 x 16 tiles of 16 x 8",
        ),
        pytest.param(_rows, 2 * 16, id="trans_data_to_5hd: 2 repeats"),
    ],
)
def test_occupancy_and_latency(call: Any, cycles: int) -> None:
    """Repeats times the class's rate; the result is visible a head later.  No bank conflicts."""
    contents = (np.zeros(512, F32), np.zeros(512, F32), np.zeros(2048, F16), np.zeros(128, U32))
    program = program_of(call, *contents, chip="Ascend910B1", auto_sync=False)

    row = next(r for r in reversed([*program.blocks[0]]) if r.template.op.unit == "V")
    demand = row.template.op.demand(row.template, row.addresses, program.spec)
    assert (demand.occupancy, demand.latency) == (cycles, cycles + HEAD)
