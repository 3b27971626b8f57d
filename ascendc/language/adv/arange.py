"""``arange``: an arithmetic progression of any step; the instruction of that name has step 1."""

from __future__ import annotations

from ..core import current
from ..dtypes import float16, float32, int16, int32
from ..isa.passes import check_count
from ..isa.scalar import scalar_of
from ..isa.vector_fill import create_vec_index
from ..isa.vector_scalar import adds, muls
from ..memory import LocalTensor
from .function import function
from .operands import Operand, check_operands

_KINDS = (int16, float16, int32, float32)

_PIECE = 2048
"""Elements of float16 that are numbered at a time: whole numbers up to here are exact in it."""


@function(cpp="Arange", dtypes=_KINDS)
def arange(dst: LocalTensor, first_value: float, diff_value: float, count: int) -> None:
    """dst[i] = first_value + i · diff_value.

    From 5 in steps of −2, three elements are 5, 3, 1.  float16 is made in pieces of 2048 elements.

    Args:
        dst: ``count`` elements.
        first_value: the first element.
        diff_value: from one to the next.
        count: elements.

    Tolerance: integers are exact and wrap around; else one rounding each of i · diff_value and of the sum, where
    i counts from the start of a piece.
    """
    core = current()
    count = check_count(core, "arange", count)
    check_operands("arange", [Operand("dst", dst, count, _KINDS, written=True)])
    for name, value in (("first_value", first_value), ("diff_value", diff_value)):
        scalar_of(core, "arange", value, dst.dtype, name)
    piece = _PIECE if dst.dtype is float16 else max(count, 1)
    for first in range(0, count, piece):
        part, n = dst[first:], min(piece, count - first)
        create_vec_index(part, 0, n)
        muls(part, part, diff_value, n)
        adds(part, part, first_value + first * diff_value, n)
