"""Softmax of the rows of a matrix, its logarithm, and the one whose sums and maxima are known.

All work in float32: float16 is converted, and the result rounded once.  Sums and maxima take one block of 32
bytes a row, all elements of which are the same.  A row of nothing but -inf is NaN, and so is one with a NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from ..block import whole_blocks
from ..dtypes import DataType, float32
from ..isa.vector_binary import div, sub
from ..isa.vector_unary import exp, ln
from ..memory import LocalTensor
from .fold import MAX, SUM
from .function import function
from .given import block_of
from .matrix import Grid
from .rows import FLOATS, Rows, row_pieces
from .softmax_operands import softmax_given
from .tiling import SoftMaxShapeInfo, SoftMaxTiling
from .workspace import Pieces, element_type, sizes


@function(cpp="SoftMax", dtypes=FLOATS)
def softmax(
    dst: LocalTensor,
    sum: LocalTensor,
    max: LocalTensor,
    src: LocalTensor,
    tiling: SoftMaxTiling,
    temp_buffer: LocalTensor | None = None,
    reuse_source: bool = False,
    basic_block: bool = False,
    data_format_nz: bool = False,
    shape_info: SoftMaxShapeInfo | None = None,
) -> None:
    """dst = exp(src − max) / sum in each row.

    A row −5, −5, −5 becomes three times 1/3, with max −5 and sum 3.

    Args:
        dst: of the type of ``src``; may be ``src``.
        sum: sum of exp(src − max), a block for each row, of that type or float32.
        max: largest element, a block for each row, of the type of ``sum``.
        src: rows as ``shape_info`` or else ``tiling`` says; if there are several, whole blocks apart.
        tiling: from ``soft_max_tiling_func``.
        temp_buffer: for each row 36 B, in groups of 8 rows, 256 B more from 65 columns on, and in float16 another
            2 B and the row in float32.
        reuse_source: without effect.
        basic_block: likewise.
        data_format_nz: matrices in NZ format: refused.
        shape_info: which rows and columns count.

    Tolerance: (4 + max − src) · 2⁻²³ of the result in float32, and one rounding more in float16.
    """
    shape = softmax_given(
        "softmax", tiling, shape_info, data_format_nz, {"dst": dst, "src": src}, {"sum": sum, "max": max}
    )
    for part in shape.parts(temp_buffer, row_pieces):
        rows, to = Rows(part, shape.columns, shape.pitch), shape.at(dst, part.first)
        x, y = rows.load(shape.at(src, part.first)), rows.room(to)
        rows.fold(MAX, x)
        rows.each(sub, y, x, rows.put_blocks(block_of(max, part.first), rows.packed))
        rows.each(exp, y, y)
        rows.fold(SUM, y)
        rows.each(div, y, y, rows.put_blocks(block_of(sum, part.first), rows.packed))
        rows.store(to, y)


@function(cpp="LogSoftMax", dtypes=FLOATS)
def log_softmax(
    dst: LocalTensor,
    sum: LocalTensor,
    max: LocalTensor,
    src: LocalTensor,
    tiling: SoftMaxTiling,
    temp_buffer: LocalTensor | None = None,
    reuse_source: bool = False,
    data_format_nz: bool = False,
    shape_info: SoftMaxShapeInfo | None = None,
) -> None:
    """dst = src − max − ln(sum) in each row, sum being that of exp(src − max).

    A row 0, 0 becomes two times −0.6931472, with max 0 and sum 2.

    Operands are those of ``softmax``; the temporary buffer holds the row in float32 besides.

    Tolerance: 2⁻²² · max(1, |dst|) in float32, and one rounding more in float16.
    """
    numbers = {"sum": sum, "max": max}
    shape = softmax_given("log_softmax", tiling, shape_info, data_format_nz, {"dst": dst, "src": src}, numbers)
    for part in shape.parts(temp_buffer, _log_pieces):
        rows, to = Rows(part, shape.columns, shape.pitch), shape.at(dst, part.first)
        x, y = rows.load(shape.at(src, part.first)), rows.room(to)
        powers = Grid(part.tensors[-1], whole_blocks(shape.pitch, 4))
        rows.fold(MAX, x)
        rows.each(sub, y, x, rows.put_blocks(block_of(max, part.first), rows.packed))
        rows.each(exp, powers, y)
        rows.fold(SUM, powers)
        rows.put_blocks(block_of(sum, part.first), rows.packed)
        ln(rows.packed, rows.packed, rows.count)
        rows.each(sub, y, y, rows.spread(rows.packed))
        rows.store(to, y)


@function(cpp="SimpleSoftMax", dtypes=FLOATS)
def simple_softmax(
    dst: LocalTensor,
    in_sum: LocalTensor,
    in_max: LocalTensor,
    src: LocalTensor,
    tiling: SoftMaxTiling,
    temp_buffer: LocalTensor | None = None,
    reuse_source: bool = False,
    basic_block: bool = False,
    data_format_nz: bool = False,
    shape_info: SoftMaxShapeInfo | None = None,
) -> None:
    """dst = exp(src − in_max) / in_sum in each row, from the sums and maxima of another call.

    A row 1, 2 with in_max 2 and in_sum 2 becomes 0.18393972, 0.5.

    Operands are those of ``softmax``; sums and maxima are read.

    Tolerance: that of ``softmax``.
    """
    known = {"in_sum": in_sum, "in_max": in_max}
    shape = softmax_given("simple_softmax", tiling, shape_info, data_format_nz, {"dst": dst, "src": src}, {}, known)
    for part in shape.parts(temp_buffer, row_pieces):
        rows, to = Rows(part, shape.columns, shape.pitch), shape.at(dst, part.first)
        x, y = rows.load(shape.at(src, part.first)), rows.room(to)
        rows.take_blocks(rows.packed, block_of(in_max, part.first))
        rows.each(sub, y, x, rows.spread(rows.packed))
        rows.each(exp, y, y)
        rows.take_blocks(rows.packed, block_of(in_sum, part.first))
        rows.each(div, y, y, rows.spread(rows.packed))
        rows.store(to, y)


def _log_pieces(columns: int, pitch: int, kind: DataType) -> Callable[[int], Pieces]:
    """As for softmax, and a copy of the rows for their exponentials."""
    shared = row_pieces(columns, pitch, kind)
    return lambda rows: (*shared(rows), (float32, rows * whole_blocks(pitch, 4)))


def get_softmax_max_min_tmp_size(shape: Sequence[int], dtype: Any) -> tuple[int, int]:
    """Bytes of temporary memory ``softmax`` can use for a matrix, and those it needs."""
    return _sizes("softmax", shape, dtype, row_pieces)


def get_simple_softmax_max_min_tmp_size(shape: Sequence[int], dtype: Any) -> tuple[int, int]:
    """Bytes of temporary memory ``simple_softmax`` can use for a matrix, and those it needs."""
    return _sizes("simple_softmax", shape, dtype, row_pieces)


def get_log_softmax_max_min_tmp_size(shape: Sequence[int], dtype: Any) -> tuple[int, int]:
    """Bytes of temporary memory ``log_softmax`` can use for a matrix, and those it needs."""
    return _sizes("log_softmax", shape, dtype, _log_pieces)


def _sizes(
    call: str, shape: Sequence[int], dtype: Any, pieces: Callable[[int, int, DataType], Callable[[int], Pieces]]
) -> tuple[int, int]:
    kind = element_type(call, dtype, FLOATS)
    return sizes(prod(shape[:-1]), pieces(shape[-1], shape[-1], kind))
