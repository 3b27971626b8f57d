"""Softmax of rows that are seen in parts: each part brings sums and maxima up to date.

The division comes at the end, once: what a part left is too large by exp_max for every later part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from ..dtypes import DataType, float32
from ..isa.vector_binary import add, mul, sub
from ..isa.vector_binary import max as larger
from ..isa.vector_unary import exp
from ..memory import LocalTensor
from .fold import MAX, SUM, packed_room
from .function import function
from .given import block_of
from .rows import FLOATS, Rows, row_pieces
from .softmax_operands import softmax_given
from .tiling import SoftMaxShapeInfo, SoftMaxTiling
from .workspace import Part, Pieces, element_type, sizes


@function(cpp="SoftmaxFlashV2", dtypes=FLOATS)
def softmax_flash_v2(
    dst: LocalTensor,
    exp_sum: LocalTensor,
    max: LocalTensor,
    src: LocalTensor,
    exp_max: LocalTensor,
    in_exp_sum: LocalTensor,
    in_max: LocalTensor,
    tiling: SoftMaxTiling,
    temp_buffer: LocalTensor | None = None,
    is_update: bool = False,
    reuse_source: bool = False,
    basic_block: bool = False,
    data_format_nz: bool = False,
    shape_info: SoftMaxShapeInfo | None = None,
) -> None:
    """dst = exp(src − max), with max = larger of in_max and the row's, and exp_sum = in_exp_sum · exp_max + sum.

    Without ``is_update`` there is nothing before: max and exp_sum are the row's own, and exp_max, in_exp_sum
    and in_max are not touched.  With it, exp_max = exp(in_max − max).

    A row 0, 1 after in_max 2, in_exp_sum 1: max 2, exp_max 1, dst 0.13533528, 0.36787945, exp_sum 1.5032147.

    Args:
        dst: of the type of ``src``; may be ``src``.
        exp_sum: a block for each row, of that type or float32.
        max: likewise.
        src: rows as ``shape_info`` or else ``tiling`` says; if there are several, whole blocks apart.
        exp_max: a block for each row, of the type of ``exp_sum``.
        in_exp_sum: sums so far; may be ``exp_sum``.
        in_max: maxima so far; may be ``max``.
        tiling: from ``soft_max_tiling_func``.
        temp_buffer: that of ``softmax``, and 8 B more for each row.
        is_update: whether there were parts before.
        reuse_source: without effect.
        basic_block: likewise.
        data_format_nz: matrices in NZ format: refused.
        shape_info: which rows and columns count.

    Tolerance: (4 + max − src) · 2⁻²³ of the result in float32, and one rounding more in float16.
    """
    matrices, blocks = {"dst": dst, "src": src}, {"exp_sum": exp_sum, "max": max}
    known = {"in_exp_sum": in_exp_sum, "in_max": in_max} if is_update else {}
    blocks |= {"exp_max": exp_max} if is_update else {}
    shape = softmax_given("softmax_flash_v2", tiling, shape_info, data_format_nz, matrices, blocks, known)
    for part in shape.parts(temp_buffer, _pieces):
        rows, to = Rows(part, shape.columns, shape.pitch), shape.at(dst, part.first)
        x, y = rows.load(shape.at(src, part.first)), rows.room(to)
        rows.fold(MAX, x)
        before = _Before(rows, part) if is_update else None
        if before:
            before.raise_max(block_of(in_max, part.first))
        rows.each(sub, y, x, rows.put_blocks(block_of(max, part.first), rows.packed))
        rows.each(exp, y, y)
        rows.fold(SUM, y)
        if before:
            rows.put_blocks(block_of(exp_max, part.first), before.scale)
            before.add_sum(block_of(in_exp_sum, part.first))
        rows.put_blocks(block_of(exp_sum, part.first), rows.packed)
        rows.store(to, y)


class _Before:
    """What earlier parts left, brought up to date.

    Attributes:
        scale: for each row, what they are too large by.
    """

    __slots__ = ("_rows", "_sums", "scale")

    def __init__(self, rows: Rows, part: Part) -> None:
        self._rows = rows
        self.scale, self._sums = part.tensors[-2:]

    def raise_max(self, in_max: LocalTensor) -> None:
        """Make the rows' maxima those of all parts, and ``scale`` what that costs the earlier ones."""
        rows, count = self._rows, self._rows.count
        rows.take_blocks(self.scale, in_max)
        larger(rows.packed, rows.packed, self.scale, count)
        sub(self.scale, self.scale, rows.packed, count)
        exp(self.scale, self.scale, count)

    def add_sum(self, in_exp_sum: LocalTensor) -> None:
        """Make the rows' sums those of all parts."""
        rows, count = self._rows, self._rows.count
        rows.take_blocks(self._sums, in_exp_sum)
        mul(self._sums, self._sums, self.scale, count)
        add(rows.packed, rows.packed, self._sums, count)


def _pieces(columns: int, pitch: int, kind: DataType) -> Callable[[int], Pieces]:
    """As for softmax, and two numbers more for each row."""
    shared = row_pieces(columns, pitch, kind)

    def pieces(rows: int) -> Pieces:
        number = (float32, packed_room(rows, 4))
        return (*shared(rows), number, number)

    return pieces


def get_softmax_flash_v2_max_min_tmp_size(shape: Sequence[int], dtype: Any) -> tuple[int, int]:
    """Bytes of temporary memory ``softmax_flash_v2`` can use for a matrix, and those it needs."""
    kind = element_type("softmax_flash_v2", dtype, FLOATS)
    return sizes(prod(shape[:-1]), _pieces(shape[-1], shape[-1], kind))
