"""``broadcast``: a row repeated down, a column repeated along, or one element repeated everywhere.

Strides count blocks, so a column first becomes one block an element.  It may come with a pitch: a load of one
element a row leaves it at every block.  Read as packed that would be wrong without a sign of it; so where a
source is long enough for both readings, ``src_pitch`` must say which is meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..block import BLOCK
from ..core import current
from ..dtypes import DataType, bfloat16, float16, float32, int8, int16, int32, uint8, uint16, uint32
from ..enums import RoundMode
from ..errors import RangeError, UsageError
from ..isa.vector_cast import cast
from ..isa.vector_copy import copy
from ..isa.vector_fill import create_vec_index
from ..isa.vector_gather import gather
from ..isa.vector_scalar import muls
from ..memory import LocalTensor
from .fold import clear_tail, packed_room, spread
from .function import function
from .matrix import Grid, each, per_row
from .operands import Operand, check_operands
from .workspace import Pieces, check_shape, element_type, parts, sizes, source

_BYTES = (int8, uint8)
_KINDS = (*_BYTES, int16, uint16, float16, bfloat16, int32, uint32, float32)

_GROUP = 16
"""Rows that a source is taken in: of every type these are whole blocks."""


@function(cpp="Broadcast", dtypes=_KINDS)
def broadcast(
    dst: LocalTensor,
    src: LocalTensor,
    dst_shape: Sequence[int],
    src_shape: Sequence[int],
    temp_buffer: LocalTensor | None = None,
    reuse_source: bool = False,
    src_pitch: int | None = None,
) -> None:
    """dst[i, j] = src[i or 0, j or 0]: dimensions of size 1 are repeated, bit for bit.

    A column 1, 2 becomes 1, 1, … and 2, 2, ….

    Args:
        dst: of the type of ``src``; if there are several rows, whole blocks each.
        src: its elements; int8 and uint8 must be packed.
        dst_shape: one or two dimensions.
        src_shape: as many, each the same or 1.
        temp_buffer: for a column, for each 16 rows a block and an element each, and with a pitch 4 B each; for bytes
            also the source in float16.
        reuse_source: without effect.
        src_pitch: elements from one to the next of a column; 1 if nothing else fits into ``src``.
    """
    case = _case(src, dst_shape, src_shape, src_pitch)
    kind = src.dtype if isinstance(src, LocalTensor) and src.dtype in _KINDS else None
    check_shape("broadcast", case.rows, case.columns, case.columns, kind.itemsize if kind else BLOCK)
    operands = (
        Operand("dst", dst, case.rows * case.columns, (kind,) if kind else _KINDS, written=True),
        source("src", src, (case.rows, 1, case.pitch) if case.is_column else (1, case.columns, case.columns), _KINDS),
    )
    check_operands("broadcast", operands)
    if not case.rows or not case.columns:
        return
    op, using = (cast, (RoundMode.CAST_NONE,)) if src.dtype in _BYTES else (copy, ())
    for part in parts("broadcast", temp_buffer, case.groups, case.pieces(src.dtype), operands):
        blocks, packed, offsets, wide = part.tensors
        elements = src
        if src.dtype in _BYTES:
            elements = wide
            cast(elements, src, RoundMode.CAST_NONE, case.reach)
        if not case.is_column:
            each(op, case.rows, case.columns, Grid(dst, case.columns), Grid(elements, 0), using=using)
            continue
        first = part.first * _GROUP
        rows = min(part.rows * _GROUP, case.rows - first)
        spread(blocks, _packed(packed, offsets, elements, first, rows, case.pitch), rows)
        each(op, rows, case.columns, Grid(dst[first * case.columns :], case.columns), per_row(blocks), using=using)


@dataclass(frozen=True, slots=True)
class _Case:
    """What is repeated: a column along rows, or else a row down them.

    Attributes:
        rows, columns: of the result; a single element is a column of one for all of it.
        pitch: elements from one to the next of a column.
    """

    rows: int
    columns: int
    is_column: bool
    pitch: int = 1

    @property
    def reach(self) -> int:
        """Elements of the source, gaps included."""
        if not self.is_column:
            return self.columns
        return (self.rows - 1) * self.pitch + 1 if self.rows else 0

    @property
    def groups(self) -> int:
        """Groups of rows."""
        return -(-self.rows // _GROUP) if self.is_column else 1

    def pieces(self, kind: DataType) -> Any:
        """Temporary tensors for some groups: blocks, elements without gaps, where they are, and float16 of bytes."""
        inner = float16 if kind in _BYTES else kind

        def pieces(groups: int) -> Pieces:
            rows = groups * _GROUP if self.is_column else 0
            return (
                (inner, rows * (BLOCK // inner.itemsize)),
                (inner, packed_room(rows, inner.itemsize)),
                (int32, rows if self.pitch > 1 else 0),
                (inner, self.reach if inner is not kind else 0),
            )

        return pieces


def _packed(
    packed: LocalTensor, offsets: LocalTensor, src: LocalTensor, first: int, rows: int, pitch: int
) -> LocalTensor:
    """``rows`` elements of a column without gaps, and something behind them up to a whole group of 8."""
    if pitch > 1:
        nbytes = pitch * src.dtype.itemsize
        clear_tail(packed, rows)
        create_vec_index(offsets, 0, rows)
        muls(offsets, offsets, nbytes, rows)
        gather(packed, src, offsets.reinterpret_cast(uint32), first * nbytes, rows)
        return packed
    if rows % 8 == 0:
        return src[first:]
    clear_tail(packed, rows)
    each(copy, 1, rows, Grid(packed, 0), Grid(src[first:], 0))
    return packed


def _case(src: Any, dst_shape: Sequence[int], src_shape: Sequence[int], src_pitch: int | None) -> _Case:
    """How a call's shapes fit.

    Raises:
        UsageError: they do not.
        RangeError: it is not clear how the source lies.
    """
    case = _fit(dst_shape, src_shape)
    if case is None:
        current().fail(UsageError, _misfit(dst_shape, src_shape))
    return replace(case, pitch=_pitch(src, case.rows, src_pitch)) if case.is_column and case.rows > 1 else case


def _fit(dst_shape: Sequence[int], src_shape: Sequence[int]) -> _Case | None:
    """How two shapes fit, if they do."""
    if not isinstance(dst_shape, Sequence) or not isinstance(src_shape, Sequence):
        return None
    fits = len(dst_shape) == len(src_shape) and all(s in (d, 1) for d, s in zip(dst_shape, src_shape, strict=True))
    if not fits or not 1 <= len(dst_shape) <= 2:
        return None
    (rows, columns), (height, width) = ((1, *shape)[-2:] for shape in (dst_shape, src_shape))
    if (height, width) == (1, 1):
        return _Case(1, rows * columns, is_column=True)
    if width < columns:
        return _Case(rows, columns, is_column=True)
    return _Case(rows, columns, is_column=False) if height < rows else _Case(1, rows * columns, is_column=False)


def _misfit(dst_shape: Sequence[int], src_shape: Sequence[int]) -> str:
    return (
        f"broadcast: src of {src_shape} does not fit dst of {dst_shape}; both must have one or two dimensions, and "
        "those of src be the same or 1"
    )


def _pitch(src: Any, rows: int, src_pitch: int | None) -> int:
    core = current()
    if src_pitch is None and isinstance(src, LocalTensor):
        width = BLOCK // src.dtype.itemsize
        if len(src) > (rows - 1) * width:
            core.fail(
                RangeError,
                f"broadcast: src of ({rows}, 1) has room for {len(src)} elements, so its {rows} may be packed or at "
                f"every block; say src_pitch=1 or src_pitch={width}, or pass src[:{rows}]",
            )
    pitch = 1 if src_pitch is None else core.whole("broadcast", "src_pitch", src_pitch)
    if pitch < 1:
        core.fail(RangeError, f"broadcast: src_pitch must be 1 element or more, got {pitch}")
    if pitch > 1 and isinstance(src, LocalTensor) and src.dtype in _BYTES:
        core.fail(RangeError, f"broadcast: a column of {src.dtype} must be packed, got src_pitch {pitch}")
    return pitch


def get_broadcast_max_min_tmp_size(
    dst_shape: Sequence[int], src_shape: Sequence[int], dtype: Any, src_pitch: int = 1
) -> tuple[int, int]:
    """Bytes of temporary memory ``broadcast`` can use, and those it needs."""
    case = _fit(dst_shape, src_shape)
    if case is None:
        raise UsageError(_misfit(dst_shape, src_shape))
    case = replace(case, pitch=src_pitch)
    return sizes(case.groups, case.pieces(element_type("broadcast", dtype, _KINDS)))
