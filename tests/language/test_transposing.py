"""``trans_data_to_5hd`` and the transposes of images, one element at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from tests.block import on_ub, program_of
from tests.inventory import looped, worked
from tests.moved_lanes import turned

F16, F32, U8 = np.float16, np.float32, np.uint8


@looped("trans_data_to_5hd")
@given(
    kind=st.sampled_from(["uint8", "int16", "float16", "int32", "float32"]),
    repeats=st.integers(0, 4),
    strides=st.tuples(st.integers(16, 20), st.integers(16, 20)),
    halves=st.tuples(st.booleans(), st.booleans()),
    data=st.data(),
)
@settings(max_examples=60)
def test_trans_data_to_5hd(kind: str, repeats: int, strides: Any, halves: Any, data: st.DataObject) -> None:
    """Rows anywhere, in any order, again a stride further; types of one byte use a half of each row."""
    size = np.dtype(kind).itemsize
    halves = halves if size == 1 else (False, False)
    strides = strides if repeats > 1 else (0, 0)
    places = [data.draw(st.permutations(range(16))) for _ in range(2)]
    source = np.random.default_rng(repeats).integers(0, 256, 32 * 16 * 6, U8)
    lines, raw = np.zeros((96, 32), U8), source.reshape(96, 32)
    width, shift = (16, [16 * h for h in halves]) if size == 1 else (32 // size, [0, 0])
    for r in range(repeats):
        rows = [raw[p + r * strides[1], shift[1] : shift[1] + width * size] for p in places[1]]
        columns = turned([row.view(f"u{size}").tolist() for row in rows], width)
        for p, column in zip(places[0], columns, strict=True):
            lines[p + r * strides[0], shift[0] : shift[0] + width * size] = np.array(column, f"u{size}").view(U8)

    def body(dst: Any, src: Any) -> None:
        to, come = (
            [t.reinterpret_cast(kind)[32 // size * p :] for p in at] for t, at in zip((dst, src), places, strict=True)
        )
        asc.trans_data_to_5hd(to, come, asc.TransDataTo5HDParams(*halves, repeats, *strides))

    (dst, _) = on_ub(body, np.zeros(32 * 96, U8), source)

    assert dst.tobytes() == lines.tobytes()


@worked("trans_data_to_5hd")
def test_addresses_may_be_given_as_numbers_or_held_by_a_tensor() -> None:
    """16 rows of 16 halves in three spellings; addresses need the element type."""
    x = np.arange(256, dtype=F16)

    def body(a: Any, b: Any, c: Any, src: Any, to: Any, come: Any) -> None:
        params = asc.TransDataTo5HDParams()
        asc.trans_data_to_5hd([a[16 * i :] for i in range(16)], [src[16 * i :] for i in range(16)], params)
        numbers = [[t.get_phy_addr(16 * i) for i in range(16)] for t in (b, src)]
        asc.trans_data_to_5hd(*numbers, params, dtype=asc.half)
        for i in range(16):
            to.set_value(i, c.get_phy_addr(16 * i))
            come.set_value(i, src.get_phy_addr(16 * i))
        asc.trans_data_to_5hd(to, come, params, dtype=asc.half)

    zeros, words = np.zeros(256, F16), np.zeros(16, np.uint64)
    after = on_ub(body, zeros, zeros, zeros, x, words, words)

    assert all(np.array_equal(z.reshape(16, 16), x.reshape(16, 16).T) for z in after[:3])


def test_a_single_repeat_starts_a_stride_behind_and_says_so() -> None:
    """As on the chip: dst_rep_stride 2 moves 64 bytes; a warning tells."""

    def body(dst: Any, src: Any) -> None:
        params = asc.TransDataTo5HDParams(False, False, 1, 2, 0)
        asc.trans_data_to_5hd([dst[16 * i :] for i in range(16)], [src[16 * i :] for i in range(16)], params)
        assert dst.values[:32].tolist() == [-1] * 32
        assert dst.values[32:48].tolist() == list(range(0, 256, 16))

    program = program_of(body, np.full(512, -1, F16), np.arange(256, dtype=F16))

    assert [f.kind for f in program.findings] == ["stride"]


def test_evenly_spaced_rows_are_one_footprint() -> None:
    """16 rows of 32 B, 32 B apart; the source's are 64 B apart."""

    def body(dst: Any, src: Any) -> None:
        params = asc.TransDataTo5HDParams()
        asc.trans_data_to_5hd([dst[8 * i :] for i in range(16)], [src[16 * i :] for i in range(16)], params)

    (row,) = program_of(body, np.zeros(128, F32), np.zeros(256, F32)).blocks[0]

    assert [(f.nbytes, f.levels) for f in row.template.footprints] == [(32, ((16, 32),)), (32, ((16, 64),))]


@looped("transpose")
@given(
    shape=st.tuples(st.integers(0, 3), st.integers(1, 5), st.integers(1, 3)),
    kind=st.sampled_from(["int8", "float16", "float32"]),
    to_nhwc=st.booleans(),
)
@settings(max_examples=30)
def test_images(shape: tuple[int, int, int], kind: str, to_nhwc: bool) -> None:
    """NCHW to NHWC and back, h · w a multiple of 32 bytes."""
    n, c, h = shape
    w = 32 // np.dtype(kind).itemsize
    x = np.random.default_rng(1).integers(-99, 99, max(1, n) * c * h * w).astype(kind)
    name = "TRANSPOSE_NCHW2NHWC" if to_nhwc else "TRANSPOSE_NHWC2NCHW"
    params = asc.TransposeParamsExt(n, c, h, w, asc.TransposeType[name])

    (z, *_) = on_ub(lambda d, s, t: asc.transpose(d, s, t, params), np.zeros_like(x), x, np.zeros(16384, U8))

    wanted = np.zeros_like(x)
    for i in range(n):
        for k in range(c):
            for p in range(h * w):
                nchw, nhwc = (i * c + k) * h * w + p, (i * h * w + p) * c + k
                wanted[nhwc if to_nhwc else nchw] = x[nchw if to_nhwc else nhwc]
    assert z.tobytes() == wanted.tobytes()


@looped("transpose")
@given(kind=st.sampled_from(["int16", "uint16", "float16"]), in_place=st.booleans(), seed=st.integers(0, 99))
@settings(max_examples=20)
def test_tiles(kind: str, in_place: bool, seed: int) -> None:
    """Element (i, j) goes to (j, i), whatever its bits mean."""
    tile = np.random.default_rng(seed).integers(0, 1 << 16, 256, np.uint16)
    wanted = [0] * 256
    for i in range(16):
        for j in range(16):
            wanted[16 * j + i] = int(tile[16 * i + j])

    z, _ = on_ub(lambda z, x: asc.transpose(z, z if in_place else x), *[tile.view(kind)] * 2)

    assert z.view(np.uint16).tolist() == wanted
