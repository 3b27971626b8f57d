"""Matrices reduced over their last or their first axis.

Over the last one, each row is folded; over the first, whole rows are combined as a tree.  Sums, means and
products of float16 are computed in float32 and rounded once; a maximum or minimum is NaN if an element is.

Tolerance: 2⁻²¹ of the sum of magnitudes, or of their mean, if the sum does not overflow float32; n · 2⁻²⁴ of a
product of n; all else is exact.  In which order the rows of a first axis are combined follows from temporary memory.
Temporary memory, for each row: a copy if it is converted or only zero or not counts; over the last axis 256 B
from one repeat on (for products 512 B, in groups of 16 rows); over the first half of the row if there is no copy.
Results of another type than dst are held in full.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..block import whole_blocks
from ..classes import need_class
from ..core import current
from ..dtypes import DataType, float16, float32, uint8
from ..enums import RoundMode
from ..errors import UsageError
from ..isa.vector_cast import cast
from ..isa.vector_copy import copy
from ..isa.vector_scalar import mins, muls
from ..isa.vector_unary import abs as magnitude
from ..memory import LocalTensor
from .down import PROD, Product, fold_down
from .fold import MAX, MIN, SUM, Fold
from .function import Function, ordered
from .matrix import Grid, each
from .operands import Operand, check_operands
from .rows import FLOATS
from .workspace import Part, Pieces, check_extents, check_shape, element_type, parts, sizes, source


class ReducePattern(enum.Enum):
    """Which axis is reduced: A stays, R is reduced."""

    AR = enum.auto()
    RA = enum.auto()


@dataclass(frozen=True, slots=True)
class Shape:
    """A matrix, and the axis it is reduced over."""

    rows: int
    columns: int
    pitch: int
    pattern: ReducePattern

    @property
    def results(self) -> int:
        """Elements of the result."""
        return self.rows if self.pattern is ReducePattern.AR else self.columns


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Reduction(Function):
    """A matrix reduced over one axis.

    Attributes:
        fold: how many elements become one.
        wide: whether float16 is computed in float32.
        mean: whether the result is divided by their number.
        flags: whether only zero or not zero counts.
    """

    fold: Fold | Product
    wide: bool = False
    mean: bool = False
    flags: bool = False

    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        src_shape: Sequence[int],
        src_inner_pad: bool = True,
        pattern: ReducePattern = ReducePattern.AR,
        temp_buffer: LocalTensor | None = None,
        reuse_source: bool = False,
    ) -> None:
        """``dst`` = ``src`` of shape (rows, columns) reduced over the axis R.

        With ``src_inner_pad`` rows are padded to whole blocks of 32 bytes.
        """
        core = current()
        need_class(core, self.name, "pattern", pattern, ReducePattern)
        if not isinstance(src_shape, Sequence) or len(src_shape) != 2:
            core.fail(UsageError, f"{self.name}: src_shape must have two dimensions, got {src_shape!r}")
        rows, columns = src_shape
        check_extents(self.name, rows=rows, columns=columns)
        item = src.dtype.itemsize if isinstance(src, LocalTensor) else 1
        pitch = whole_blocks(columns, item) if src_inner_pad else columns
        ordered(self.run, self.name, dst, src, Shape(rows, columns, pitch, pattern), temp_buffer)

    def run(self, call: str, dst: LocalTensor, src: LocalTensor, shape: Shape, temp_buffer: LocalTensor | None) -> None:
        """Check a ``call``, and reduce."""
        item = src.dtype.itemsize if isinstance(src, LocalTensor) else 1
        check_shape(call, shape.rows, shape.columns, shape.pitch, item)
        kinds = (src.dtype,) if isinstance(src, LocalTensor) and src.dtype in self.dtypes else self.dtypes
        operands = (
            Operand("dst", dst, shape.results, kinds, written=True),
            source("src", src, (shape.rows, shape.columns, shape.pitch), self.dtypes),
        )
        check_operands(call, operands)
        if not shape.rows or not shape.columns:
            return
        last = shape.pattern is ReducePattern.AR
        pieces, results = self._pieces(shape, src.dtype), dst
        for part in parts(call, temp_buffer, shape.rows, pieces, operands):
            inner, *room = part.tensors
            results = dst if self._inner(src.dtype) is src.dtype else inner
            rows = self._load(room[0], Grid(src[part.first * shape.pitch :], shape.pitch), part.rows, shape.columns)
            (self._last if last else self._first)(results, rows, room, part, shape)
        if self.mean:
            muls(results, results, 1 / (shape.columns if last else shape.rows), shape.results)
        if results is not dst:
            cast(dst, results, RoundMode.CAST_RINT if dst.dtype is not uint8 else RoundMode.CAST_NONE, shape.results)

    def _last(self, results: LocalTensor, rows: Grid, room: list[LocalTensor], part: Part, shape: Shape) -> None:
        self.fold.rows(results[part.first :], rows, part.rows, shape.columns, room[1])

    def _first(self, results: LocalTensor, rows: Grid, room: list[LocalTensor], part: Part, shape: Shape) -> None:
        work = rows if rows.tensor is room[0] else Grid(room[1], rows.row)
        row, total = fold_down(self.fold.pair, work, rows, part.rows, shape.columns), Grid(results, 0)
        if part.first:
            each(self.fold.pair, 1, shape.columns, total, total, row)
        else:
            each(copy, 1, shape.columns, total, row)

    def _inner(self, kind: DataType) -> DataType:
        """The type it computes in."""
        if kind is uint8:
            return float16
        return float32 if self.wide else kind

    def _load(self, room: LocalTensor, src: Grid, rows: int, columns: int) -> Grid:
        """The rows as they are reduced: themselves, or a copy in another type, or of what is zero and what is not."""
        kind, inner = src.tensor.dtype, room.dtype
        if inner is kind and not self.flags:
            return src
        made = Grid(room, whole_blocks(src.row, inner.itemsize))
        if inner is not kind:
            each(cast, rows, columns, made, src, using=(RoundMode.CAST_NONE,))
        if self.flags and kind is not uint8:
            each(magnitude, rows, columns, made, src)
            for _ in range(2):  # the smallest number times the square of this is 1 or more
                each(muls, rows, columns, made, made, using=(_HALF_WAY_UP[kind],))
        if self.flags:
            each(mins, rows, columns, made, made, using=(1,))
        return made

    def _pieces(self, shape: Shape, kind: DataType) -> Callable[[int], Pieces]:
        """Results of all rows if in another type, a copy of some rows if they are not reduced as they are, room."""
        inner = self._inner(kind)
        pitch, copied = whole_blocks(shape.pitch, inner.itemsize), inner is not kind or self.flags
        results = shape.results if inner is not kind else 0

        def pieces(rows: int) -> Pieces:
            if shape.pattern is ReducePattern.AR:
                work = self.fold.room(rows, shape.columns, inner.itemsize)
            else:
                work = 0 if copied else rows // 2 * pitch
            return (inner, results), (inner, rows * pitch if copied else 0), (inner, work)

        return pieces

    def max_min_tmp_size(
        self, shape: Sequence[int], dtype: Any, pattern: ReducePattern = ReducePattern.AR
    ) -> tuple[int, int]:
        """Bytes of temporary memory it can use for a matrix, and those it needs."""
        kind, (rows, columns) = element_type(self.name, dtype, self.dtypes), shape
        whole = whole_blocks(columns, kind.itemsize)
        return sizes(rows, self._pieces(Shape(rows, columns, whole, pattern), kind))


_HALF_WAY_UP = {float16: 2.0**12, float32: 2.0**75}

_FLAGS = (uint8, float16, float32)

reduce_sum = Reduction(
    name="reduce_sum",
    cpp="ReduceSum",
    doc="dst = sum over an axis; (2, 3) of 1, 2, 3, 4, 5, 6 gives 6, 15 over the last.",
    dtypes=FLOATS,
    fold=SUM,
    wide=True,
)
reduce_mean = Reduction(
    name="reduce_mean",
    cpp="ReduceMean",
    doc="dst = mean over an axis; (2, 3) of 1, 2, 3, 4, 5, 6 gives 2.5, 3.5, 4.5 over the first.",
    dtypes=FLOATS,
    fold=SUM,
    wide=True,
    mean=True,
)
reduce_max = Reduction(
    name="reduce_max",
    cpp="ReduceMax",
    doc="dst = largest element over an axis; NaN if one is.",
    dtypes=FLOATS,
    fold=MAX,
)
reduce_min = Reduction(
    name="reduce_min",
    cpp="ReduceMin",
    doc="dst = smallest element over an axis; NaN if one is.",
    dtypes=FLOATS,
    fold=MIN,
)
reduce_any = Reduction(
    name="reduce_any",
    cpp="ReduceAny",
    doc="dst = 1 if an element over an axis is not zero, else 0; NaN if one is.",
    dtypes=_FLAGS,
    fold=MAX,
    flags=True,
)
reduce_all = Reduction(
    name="reduce_all",
    cpp="ReduceAll",
    doc="dst = 1 if no element over an axis is zero, else 0; NaN if one is.",
    dtypes=_FLAGS,
    fold=MIN,
    flags=True,
)
reduce_prod = Reduction(
    name="reduce_prod",
    cpp="ReduceProd",
    doc="dst = product over an axis; (2, 3) of 1, 2, 3, 4, 5, 6 gives 6, 120 over the last.",
    dtypes=FLOATS,
    fold=PROD,
    wide=True,
)

get_reduce_sum_max_min_tmp_size = reduce_sum.max_min_tmp_size
get_reduce_mean_max_min_tmp_size = reduce_mean.max_min_tmp_size
get_reduce_max_max_min_tmp_size = reduce_max.max_min_tmp_size
get_reduce_min_max_min_tmp_size = reduce_min.max_min_tmp_size
get_reduce_any_max_min_tmp_size = reduce_any.max_min_tmp_size
get_reduce_all_max_min_tmp_size = reduce_all.max_min_tmp_size
get_reduce_prod_max_min_tmp_size = reduce_prod.max_min_tmp_size
