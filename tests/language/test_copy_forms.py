"""The forms of ``data_copy`` besides count and rows: slices, NZ to ND, enhanced parameters."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from tests.block import local, on_gm
from tests.inventory import looped

F16, F32 = np.float16, np.float32
Slice = asc.SliceInfo


def test_slices_of_a_matrix() -> None:
    """Rows 0 and 2 of 3 × 87, columns 16 to 39 and 47 to 70: two pieces of 3 blocks, 7 floats apart."""
    x, y = np.arange(3 * 87, dtype=F32), np.zeros(96, F32)

    def body(g: Any, out: Any) -> None:
        u = local(asc.float32, 96)
        come = [Slice(16, 70, 7, 3, 87), Slice(0, 2, 1, 1, 3)]
        asc.data_copy(u, g, [Slice(0, 47, 0, 3, 48), Slice(0, 1, 0, 1, 2)], come, 2)
        asc.data_copy(out, u, 96)

    program = on_gm(body, x, y)

    rows = [*range(16, 40), *range(47, 71)]
    assert y.tolist() == rows + [r + 2 * 87 for r in rows]
    assert [row.template.label for row in program.blocks[0]][:2] == [
        "data_copy block_count=2 block_bytes=96 route=gm_to_ub"
    ] * 2


@looped("data_copy")
@given(data=st.data())
@settings(max_examples=40)
def test_slices_of_three_dimensions_come_back(data: st.DataObject) -> None:
    """A part of an array, through UB, to the same part of another: only that is written."""
    gaps = [8 * data.draw(st.integers(0, 2)), data.draw(st.integers(0, 2)), data.draw(st.integers(0, 2))]
    pieces = [data.draw(st.integers(1, 3)) for _ in range(3)]
    first = [data.draw(st.integers(0, 5)) for _ in range(3)]
    spans = [n * burst + (n - 1) * gap for n, burst, gap in zip(pieces, (8, 1, 1), gaps, strict=True)]
    shape = [f + s + data.draw(st.integers(0, 3)) for f, s in zip(first, spans, strict=True)]
    x = np.arange(1, np.prod(shape) + 1, dtype=F32)
    y = np.zeros_like(x)
    outside = [Slice(f, f + s - 1, g, 1, n) for f, s, g, n in zip(first, spans, gaps, shape, strict=True)]
    packed = [Slice(0, n - 1, 0, 1, n) for n in (8 * pieces[0], *pieces[1:])]

    def body(g: Any, out: Any) -> None:
        u = local(asc.float32, 8 * int(np.prod(pieces)))
        asc.data_copy(u, g, packed, outside, 3)
        asc.data_copy(out, u, outside, packed, 3)

    on_gm(body, x, y)

    inside = [[i for k in range(n) for i in range(f + k * (b + g), f + k * (b + g) + b)]
              for n, f, b, g in zip(pieces, first, (8, 1, 1), gaps, strict=True)]  # fmt: skip
    wanted = np.zeros_like(x)
    for c in inside[2]:
        for b in inside[1]:
            for a in inside[0]:
                at = (c * shape[1] + b) * shape[0] + a
                wanted[at] = x[at]
    assert y.tolist() == wanted.tolist()


@looped("data_copy")
@given(
    matrices=st.integers(0, 3),
    rows=st.integers(0, 20),
    columns=st.integers(0, 50),
    slack=st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 9)),
)
@settings(max_examples=40)
def test_nz_to_nd(matrices: int, rows: int, columns: int, slack: Any) -> None:
    """Element (n, d) lies in strip d // 16, row n, column d % 16; gaps in global memory stay as they were."""
    strips = -(-columns // 16)
    strip = rows + slack[0]  # in units of 16 elements
    fractals = -(-strips * strip * 16 // 256) + slack[1]
    nz = np.arange(max(1, matrices * fractals) * 256 + 256, dtype=np.int16)
    pitch = columns + slack[2] + 1
    nd = np.full(max(1, matrices) * rows * pitch + 1, -1, np.int16)

    def body(g: Any, out: Any) -> None:
        u = local(asc.int16, nz.size)
        asc.data_copy(u, g, nz.size)
        asc.data_copy(out, u, asc.Nz2NdParamsFull(matrices, rows, columns, fractals, strip, pitch, rows * pitch))

    on_gm(body, nz, nd)

    wanted = np.full_like(nd, -1)
    for m in range(matrices):
        for n in range(rows):
            for d in range(columns):
                wanted[m * rows * pitch + n * pitch + d] = nz[
                    m * fractals * 256 + d // 16 * strip * 16 + n * 16 + d % 16
                ]
    assert nd.tolist() == wanted.tolist()


def test_nz_to_nd_reads_and_writes_exactly_that() -> None:
    """20 × 28: a full strip of 20 rows of 32 B, and 24 B of each row of the second; 56 B a row are written."""

    def body(out: Any) -> None:
        u = local(asc.half, 1024)
        asc.duplicate(u, 1.0, 1024)
        asc.data_copy(out, u, asc.Nz2NdParamsFull(1, 20, 28, 0, 32, 40, 0))

    row = on_gm(body, np.zeros(800, F16)).blocks[0][1]

    dst, full, part = row.template.footprints
    assert (dst.nbytes, dst.levels) == (56, ((1, 0), (20, 80)))
    assert (full.nbytes, full.offset, full.levels) == (640, 0, ((1, 0), (1, 1024)))
    assert (part.nbytes, part.offset, part.levels) == (24, 1024, ((1, 0), (20, 32)))


def test_enhanced_parameters_left_alone_change_nothing() -> None:
    """As the block form; by position and by name."""
    x, y = np.arange(64, dtype=F16), np.zeros(64, F16)
    params, enhanced = asc.DataCopyParams(2, 1, 1, 0), asc.DataCopyEnhancedParams()

    def body(g: Any, out: Any) -> None:
        u = local(asc.half, 32)
        asc.data_copy(u, g, params, enhanced)
        asc.data_copy(out, u, intri_params=asc.DataCopyParams(1, 2), enhanced_params=enhanced)

    on_gm(body, x, y)

    assert y[:32].tolist() == [*range(16), *range(32, 48)]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (
            asc.data_copy,
            asc.UsageError,
            "data_copy: after dst and src comes a count, a DataCopyParam",
        ),
        (lambda u, g: asc.data_copy(u, g, number=3), asc.UsageError, "data_copy: after dst and src comes a count"),
        (
            lambda u, g: asc.data_copy(u, g, asc.Nd2NzParams()),
            asc.PositionError,
            "data_copy: ND becomes NZ only on the way into L1 (A1, B1) of a cube core; dst is LocalTensor",
        ),
        (
            lambda u, g: asc.data_copy_pad(u, u, asc.DataCopyExtParams(1, 64), nd2nz_params=asc.Nd2NzParams()),
            asc.PositionError,
            "data_copy_pad: ND becomes NZ only on the way into L1 (A1, B1) of a cube core; dst is LocalTensor",
        ),
        (
            lambda u, g: asc.data_copy(u, g, asc.DataCopyParams(1, 1), asc.DataCopyEnhancedParams(is_relu=True)),
            asc.UsageError,
            "data_copy: between global memory and UB enhanced_params do nothing here and must be left as they are",
        ),
        (
            lambda u, g: asc.data_copy(u, g, asc.Nz2NdParamsFull(1, 1, 1)),
            asc.PositionError,
            "data_copy: NZ becomes ND on the way from UB to global memory",
        ),
        (
            lambda u, g: asc.data_copy(g, u, asc.Nz2NdParamsFull(1, 1, 1, 0, 1, 1)),
            asc.DtypeError,
            "data_copy from NZ to ND: dst is float32; supported: int16, uint16, float16, bfloat16",
        ),
        (
            lambda u, g: asc.data_copy(u, g, [Slice(0, 7, 0, 1, 8)], [Slice(0, 7, 0, 1, 8)], 2),
            asc.UsageError,
            "data_copy: dim_value must be 1 to 1, the number of dst slices, got 2",
        ),
        (
            lambda u, g: asc.data_copy(u, g, [Slice(0, 7, 0, 1, 8)], [Slice(0, 6, 0, 1, 8)], 1),
            asc.RangeError,
            "data_copy: src slice 0 from 0 to 6 of 8 is not made of pieces of 8 with gaps of 0 elements",
        ),
        (
            lambda u, g: asc.data_copy(u, g, [Slice(4, 11, 0, 1, 16)], [Slice(0, 7, 0, 1, 8)], 1),
            asc.AlignmentError,
            "data_copy: dst slice 0 has a piece at element 4 of float32, which is no multiple of 32 B in UB",
        ),
        (
            lambda u, g: asc.data_copy(u, g, [Slice(0, 15, 0, 1, 16)], [Slice(0, 15, 0, 2, 16)], 1),
            asc.RangeError,
            "data_copy: dst slices have 2 pieces of 32 B and src slices 1 pieces of 64 B; they must be as many",
        ),
    ],
)
def test_bad_input(call: Any, error: type[Exception], text: str) -> None:
    """Each with its message."""
    with pytest.raises(error, match="^" + re.escape(text)):
        on_gm(lambda g: call(local(asc.float32, 64), g), np.zeros(64, F32))
