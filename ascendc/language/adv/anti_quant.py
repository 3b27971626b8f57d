"""int8 and int4 back to floating point, by an offset and a scale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from ..block import BLOCK
from ..core import current
from ..dtypes import DataType, bfloat16, float16, float32, int4, int8
from ..dtypes import dtype as element_type
from ..enums import RoundMode
from ..errors import RangeError
from ..isa.vector_binary import add, mul
from ..isa.vector_cast import cast
from ..isa.vector_copy import copy
from ..isa.vector_scalar import adds, muls
from ..memory import LocalTensor
from .channels import Channels, apply, copies, number_of, widened, width_of
from .fold import clear_tail, spread
from .function import function
from .matrix import Grid, each, per_row
from .operands import Operand, check_operands, count_of
from .temp import elements_of
from .workspace import Pieces, parts, sizes

_HALVES = (float16, bfloat16)
_NARROW = (int8, int4)
_GROUP = 16
"""Rows with numbers of their own are taken in these: of every type they are whole blocks."""


@function(cpp="AscendAntiQuant", dtypes=_HALVES)
def anti_quant(
    dst: LocalTensor,
    src: LocalTensor,
    offset: Channels,
    scale: Channels,
    k: int | None = None,
    temp_buffer: LocalTensor | None = None,
    is_transpose: bool = False,
) -> None:
    """dst = (src + offset) · scale, each step rounded to float16; for bfloat16 to float32, and once at the end.

    >>> anti_quant(i8(10, -3), 1.0, 0.5, to=f16(0, 0)).tolist()
    [5.5, -1.0]

    Args:
        dst: float16 or bfloat16.
        src: int8 or int4.
        offset: a number, or a tensor of the type of ``dst`` with one for each element of a row.
        scale: as ``offset``.
        k: rows, or elements of a row if transposed; what the channels say if not given.
        temp_buffer: as ``get_anti_quant_max_min_tmp_size`` says.
        is_transpose: whether each row has an offset and a scale.
    """
    core = current()
    n = count_of(core, "anti_quant", None, src)
    operands = [Operand("dst", dst, n, _HALVES, written=True), Operand("src", src, n, _NARROW)]
    check_operands("anti_quant", operands)
    inner = float16 if dst.dtype is float16 else float32
    named: dict[str, Any] = {
        role: number_of(core, "anti_quant", role, x, inner) for role, x in (("offset", offset), ("scale", scale))
    }
    tensors = {role: x for role, x in named.items() if isinstance(x, LocalTensor)}
    operands += [Operand(role, x, len(x), (dst.dtype,)) for role, x in tensors.items()]
    check_operands("anti_quant", operands)
    row = width_of(core, "anti_quant", named, n, by_row=is_transpose, narrow=src.dtype)
    if k is not None and tensors and k != (wanted := row if is_transpose else n // row):
        core.fail(
            RangeError, f"anti_quant: k must be {wanted}, since {n} elements are {n // row} rows of {row}, got {k}"
        )
    if not n:
        return
    if is_transpose and tensors:
        _by_row(dst, src, n // row, row, named, temp_buffer, operands)
        return
    for part in parts("anti_quant", temp_buffer, -(-n // row), _pieces(inner, row, *named.values()), operands):
        at = part.first * row
        m = min(part.rows * row, n - at)
        numbers = [widened(x, made, part) for x, made in zip(named.values(), part.tensors[:2], strict=True)]
        _convert(dst[at:], src[at:], (m // row, row) if tensors else (1, m), numbers, part.tensors[2:])


def _by_row(
    dst: LocalTensor,
    src: LocalTensor,
    rows: int,
    row: int,
    named: dict[str, Any],
    temp_buffer: LocalTensor | None,
    operands: Sequence[Operand],
) -> None:
    """Each row with an offset and a scale of its own."""
    inner = float16 if dst.dtype is float16 else float32
    for part in parts("anti_quant", temp_buffer, -(-rows // _GROUP), _row_pieces(inner, row), operands):
        first = part.first * _GROUP
        some, rooms = min(part.rows * _GROUP, rows - first), (part.tensors[:2], part.tensors[2:4])
        numbers = [_of_rows(x, first, some, *room) for x, room in zip(named.values(), rooms, strict=True)]
        _convert(dst[first * row :], src[first * row :], (some, row), numbers, part.tensors[4:])


def _of_rows(channels: Any, first: int, rows: int, packed: LocalTensor, blocks: LocalTensor) -> Any:
    """The numbers of some rows, in a block each; a number for all stays."""
    if not isinstance(channels, LocalTensor):
        return channels
    clear_tail(packed, rows)
    if channels.dtype is packed.dtype:
        each(copy, 1, rows, Grid(packed, 0), Grid(channels[first:], 0))
    else:
        cast(packed, channels[first:], RoundMode.CAST_NONE, rows)
    spread(blocks, packed, rows)
    return per_row(blocks)


def _convert(
    dst: LocalTensor, src: LocalTensor, shape: tuple[int, int], numbers: Sequence[Any], room: Sequence[LocalTensor]
) -> None:
    """A matrix without gaps; by way of float32 for bfloat16, in which there is no arithmetic."""
    wide, whole = (dst, dst) if dst.dtype is float16 else room
    count, y = prod(shape), Grid(wide, shape[1])
    cast(whole, src, RoundMode.CAST_NONE, count)
    if wide is not whole:
        cast(wide, whole, RoundMode.CAST_NONE, count)
    apply(adds, add, *shape, y, y, numbers[0])
    apply(muls, mul, *shape, y, y, numbers[1])
    if wide is not dst:
        cast(dst, wide, RoundMode.CAST_RINT, count)


def _pieces(inner: DataType, row: int, *channels: Any) -> Callable[[int], Pieces]:
    """Channels in another type, and for bfloat16 some rows in float32 and as whole float16."""
    shared, width = copies(inner, *channels), row if inner is float32 else 0
    return lambda rows: (*shared, (float32, rows * width), (float16, rows * width))


def _row_pieces(inner: DataType, row: int) -> Callable[[int], Pieces]:
    """For groups of rows: offsets and scales, one after another and in a block each, and rows as above."""

    def pieces(groups: int) -> Pieces:
        rows = groups * _GROUP
        numbers = ((inner, rows), (inner, rows * BLOCK // inner.itemsize))
        return (*numbers, *numbers, *_pieces(inner, row)(rows))

    return pieces


def get_anti_quant_max_min_tmp_size(
    shape: int | Sequence[int],
    dtype: Any = float16,
    channels: int = 0,
    is_transpose: bool = False,
    src_dtype: Any = int8,
) -> tuple[int, int]:
    """Bytes of temporary memory, the most of use and the least; float16 that is not transposed needs none.

    ``channels`` are those of a row, or if transposed those of a column.
    """
    inner, count = float16 if element_type(dtype) is float16 else float32, elements_of(shape)
    if is_transpose and channels:
        return sizes(-(-channels // _GROUP), _row_pieces(inner, count // channels))
    row, copied = channels or element_type(src_dtype).count(BLOCK), channels if inner is float32 else 0
    pieces = _pieces(inner, row)
    return sizes(-(-count // row), lambda rows: ((inner, copied), (inner, copied), *pieces(rows)))
