"""Some rows of a matrix at work in float32: a copy of them if they are float16, and a number for each row.

The number comes from folding a row, is worked on packed, and then fills a block of its own, in which it is an
operand for the whole row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..block import BLOCK, whole_blocks
from ..dtypes import DataType, float16, float32
from ..enums import RoundMode
from ..isa.vector_cast import cast
from ..isa.vector_copy import copy
from ..memory import LocalTensor
from .fold import Fold, clear_tail, collect, fold_room, fold_rows, grouped, packed_room, spread
from .matrix import Grid, each, per_row
from .workspace import Part, Pieces

FLOATS = (float16, float32)
"""Element types that row-wise functions take."""


def row_pieces(columns: int, pitch: int, kind: DataType) -> Callable[[int], Pieces]:
    """The temporary tensors of :class:`Rows`, for a number of rows of ``columns`` elements every ``pitch``."""

    def pieces(rows: int) -> Pieces:
        shared: Pieces = (
            (float32, packed_room(rows, 4)),
            (float32, grouped(rows) * BLOCK // 4),
            (float32, rows * fold_room(columns, 4)),
        )
        if kind is float32:
            return shared
        return (*shared, (float16, packed_room(rows, 2)), (float32, rows * whole_blocks(pitch, 4)))

    return pieces


class Rows:
    """Some rows at work.

    Attributes:
        count, columns: their number, and elements of each.
        packed: the number of each row.
    """

    __slots__ = ("_blocks", "_narrow", "_wide", "_work", "columns", "count", "packed")

    def __init__(self, part: Part, columns: int, pitch: int) -> None:
        self.count, self.columns = part.rows, columns
        self.packed, self._blocks, self._work, *half = part.tensors[:5]
        self._narrow = half[0] if len(half) == 2 else None
        self._wide = Grid(half[1], whole_blocks(pitch, 4)) if len(half) == 2 else None

    def load(self, src: Grid) -> Grid:
        """The rows in float32: ``src`` itself, or a copy."""
        if src.tensor.dtype is float32:
            return src
        wide = self.room(src)
        self.each(cast, wide, src, using=(RoundMode.CAST_NONE,))
        return wide

    def room(self, dst: Grid) -> Grid:
        """Where to work on what goes to ``dst``: there, or in the float32 copy."""
        return dst if dst.tensor.dtype is float32 or self._wide is None else self._wide

    def store(self, dst: Grid, rows: Grid) -> None:
        """Round the copy to ``dst``, if there is one."""
        if dst.tensor is not rows.tensor:
            self.each(cast, dst, rows, using=(RoundMode.CAST_RINT,))

    def each(self, op: Any, dst: Grid, *sources: Grid, using: tuple[Any, ...] = ()) -> None:
        """``dst = op(sources, using)`` for every element of the rows."""
        each(op, self.count, self.columns, dst, *sources, using=using)

    def fold(self, how: Fold, rows: Grid) -> None:
        """Make ``packed`` what each row folds to."""
        clear_tail(self.packed, self.count)
        fold_rows(how, self.packed, rows, self.count, self.columns, self._work)

    def spread(self, packed: LocalTensor, kind: DataType = float32) -> Grid:
        """Numbers of the rows as an operand of whole rows; in another type they are rounded to it."""
        blocks = self._blocks.reinterpret_cast(kind)
        if kind is not float32 and self._narrow is not None:
            cast(self._narrow, packed, RoundMode.CAST_RINT, grouped(self.count))
            packed = self._narrow
        spread(blocks, packed, self.count)
        return per_row(blocks)

    def put_blocks(self, dst: LocalTensor, packed: LocalTensor) -> Grid:
        """Fill one block of ``dst`` for each row with its number; give the numbers as an operand of whole rows."""
        if dst.dtype is float32 and grouped(self.count) == self.count:
            spread(dst, packed, self.count)
            return per_row(dst)
        numbers, width = self.spread(packed, dst.dtype), BLOCK // dst.dtype.itemsize
        each(copy, self.count, width, Grid(dst, width), Grid(numbers.tensor, width))
        return numbers if dst.dtype is float32 else self.spread(packed)

    def put_packed(self, dst: LocalTensor, packed: LocalTensor) -> None:
        """Write the numbers one after another, from any element of ``dst`` on."""
        if dst.address % BLOCK:
            collect(dst, self.spread(packed, dst.dtype), self.count)
        elif dst.dtype is float32:
            each(copy, 1, self.count, Grid(dst, 0), Grid(packed, 0))
        else:
            cast(dst, packed, RoundMode.CAST_RINT, self.count)

    def take_blocks(self, packed: LocalTensor, src: LocalTensor) -> None:
        """Make ``packed`` the numbers that fill the blocks of ``src``."""
        clear_tail(packed, self.count)
        if src.dtype is float32 or self._narrow is None:
            collect(packed, per_row(src), self.count)
            return
        collect(self._narrow, per_row(src), self.count)
        cast(packed, self._narrow, RoundMode.CAST_NONE, self.count)
