"""``cumsum``: running sums over the first or the last axis of a matrix.

Rows are added to the next row one after another; for the last axis the matrix is turned before and after.
float16 is summed in float32 and each sum rounded once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..block import whole_blocks
from ..classes import need_class
from ..core import current
from ..dtypes import DataType, float32
from ..enums import RoundMode
from ..isa.vector_binary import add
from ..isa.vector_cast import cast
from ..isa.vector_copy import copy
from ..isa.vector_fill import duplicate
from ..memory import LocalTensor
from .function import function
from .matrix import Grid, each
from .operands import Operand, check_operands
from .rows import FLOATS
from .turn import turn, whole_groups
from .workspace import Pieces, check_extents, check_shape, element_type, parts, sizes, source, span


@dataclass(frozen=True, slots=True)
class CumSumInfo:
    """The matrix of a ``cumsum``.

    Attributes:
        outter: rows.
        inner: elements of each; rows start at whole blocks of 32 bytes.
    """

    outter: int = 0
    inner: int = 0


@function(cpp="CumSum", dtypes=FLOATS)
def cumsum(
    dst: LocalTensor,
    last_row: LocalTensor,
    src: LocalTensor,
    cum_sum_info: CumSumInfo,
    temp_buffer: LocalTensor | None = None,
    is_last_axis: bool = True,
    is_reuse_source: bool = False,
    output_last_row: bool = False,
) -> None:
    """dst[i, j] = src[i, 0] + … + src[i, j], or with is_last_axis=False src[0, j] + … + src[i, j].

    A row 1, 2, 3 becomes 1, 3, 6.

    Args:
        dst: of the type of ``src``, not overlapping it.
        last_row: likewise, one row.
        src: rows as ``cum_sum_info`` says, padded to whole blocks.
        cum_sum_info: the shape.
        temp_buffer: along rows, for each 16 of them, twice their columns in groups of 16, in float32; down columns
            nothing, in float16 two rows in float32.
        is_last_axis: whether sums run along the rows, or down the columns.
        is_reuse_source: without effect.
        output_last_row: whether ``last_row`` gets the last row of ``dst``; otherwise it is not touched.

    Tolerance: n · 2⁻²⁴ of the sum of n magnitudes in float32, and one rounding more in float16.
    """
    need_class(current(), "cumsum", "cum_sum_info", cum_sum_info, CumSumInfo)
    rows, columns = cum_sum_info.outter, cum_sum_info.inner
    check_extents("cumsum", outter=rows, inner=columns)
    kind = src.dtype if isinstance(src, LocalTensor) else float32
    pitch = whole_blocks(columns, kind.itemsize)
    check_shape("cumsum", rows, columns, pitch, kind.itemsize)
    same = (kind,) if kind in FLOATS else FLOATS
    shape = (rows, columns, pitch)
    operands = [Operand("dst", dst, span(*shape), same, written=True), source("src", src, shape, FLOATS)]
    if output_last_row:
        operands.append(Operand("last_row", last_row, columns, same, written=True))
    check_operands("cumsum", operands)
    if not rows or not columns:
        return
    (_along if is_last_axis else _down)(Grid(dst, pitch), Grid(src, pitch), rows, columns, temp_buffer, operands)
    if output_last_row:
        each(copy, 1, columns, Grid(last_row, 0), Grid(dst, pitch).down(rows - 1))


def _down(
    dst: Grid, src: Grid, rows: int, columns: int, temp_buffer: LocalTensor | None, operands: Sequence[Operand]
) -> None:
    """Each row is the one before and its own elements; float16 keeps the running sums in float32."""
    kind = src.tensor.dtype
    (part,) = parts("cumsum", temp_buffer, rows, _down_pieces(columns, kind), operands)
    if kind is float32:
        each(copy, 1, columns, dst, src)
        for i in range(1, rows):
            each(add, 1, columns, dst.down(i), dst.down(i - 1), src.down(i))
        return
    total, row = (Grid(t, 0) for t in part.tensors)
    for i in range(rows):
        each(cast, 1, columns, row if i else total, src.down(i), using=(RoundMode.CAST_NONE,))
        if i:
            each(add, 1, columns, total, total, row)
        each(cast, 1, columns, dst.down(i), total, using=(RoundMode.CAST_RINT,))


def _along(
    dst: Grid, src: Grid, rows: int, columns: int, temp_buffer: LocalTensor | None, operands: Sequence[Operand]
) -> None:
    """Each column is the one before and its own elements, where columns are rows of the turned matrix."""
    load, store = _transfers(src.tensor.dtype)
    width = whole_groups(columns)
    for part in parts("cumsum", temp_buffer, rows, _along_pieces(columns), operands):
        (flat, turned), height = part.tensors, whole_groups(part.rows)
        duplicate(flat, 0, height * width)
        each(load[0], part.rows, columns, Grid(flat, width), src.down(part.first), using=load[1])
        turn(turned, flat, height, width)
        for column in range(1, columns):
            here = turned[column * height :]
            add(here, turned[(column - 1) * height :], here, height)
        turn(flat, turned, width, height)
        each(store[0], part.rows, columns, dst.down(part.first), Grid(flat, width), using=store[1])


def _transfers(kind: DataType) -> tuple[tuple[Any, tuple[Any, ...]], tuple[Any, tuple[Any, ...]]]:
    """The instructions to float32 and back, with what they take besides."""
    if kind is float32:
        return (copy, ()), (copy, ())
    return (cast, (RoundMode.CAST_NONE,)), (cast, (RoundMode.CAST_RINT,))


def _down_pieces(columns: int, kind: DataType) -> Callable[[int], Pieces]:
    row = (float32, columns if kind is not float32 else 0)
    return lambda _: (row, row)


def _along_pieces(columns: int) -> Callable[[int], Pieces]:
    def pieces(rows: int) -> Pieces:
        matrix = (float32, whole_groups(rows) * whole_groups(columns))
        return matrix, matrix

    return pieces


def get_cumsum_max_min_tmp_size(shape: Sequence[int], dtype: Any, is_last_axis: bool = True) -> tuple[int, int]:
    """Bytes of temporary memory ``cumsum`` can use for a matrix, and those it needs."""
    kind, (rows, columns) = element_type("cumsum", dtype, FLOATS), shape
    return sizes(rows, _along_pieces(columns) if is_last_axis else _down_pieces(columns, kind))
