"""int32 back to floating point, by a scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..core import Core, current
from ..dtypes import bfloat16, float16, float32, int32, uint64
from ..dtypes import dtype as element_type
from ..enums import RoundMode
from ..errors import AlignmentError, RangeError, UsageError
from ..isa.vector import BLOCK
from ..isa.vector_binary import mul
from ..isa.vector_cast import cast
from ..isa.vector_scalar import muls
from ..memory import LocalTensor
from .channels import Channels, apply, number_of, widened, widened_bytes
from .function import function
from .operands import Operand, check_operands, check_scratch
from .temp import Scratch, room_for

_FLOATS = (float16, bfloat16, float32)


@dataclass(frozen=True, slots=True)
class DequantParams:
    """Rows of the source.

    Attributes:
        m: rows.
        n: elements of a row, a multiple of 8.
        cal_count: how many of each row are converted, from its first on; all if not given.
    """

    m: int
    n: int
    cal_count: int = 0


def get_dequant_max_min_tmp_size(
    shape: int | Sequence[int], dtype: Any = float16, scale_dtype: Any = float32
) -> tuple[int, int]:
    """Bytes of temporary memory for rows of the last length of ``shape``: the most of use and the least, the same."""
    last = shape if isinstance(shape, int) else shape[-1]
    row = room_for(4 * last)
    need = row * (int(element_type(dtype) is not float32) + int(element_type(scale_dtype) is not float32))
    return need, need


@function(cpp="AscendDequant", dtypes=_FLOATS)
def dequant(
    dst: LocalTensor,
    src: LocalTensor,
    deq_scale: Channels,
    params: DequantParams | None = None,
    temp_buffer: LocalTensor | None = None,
) -> None:
    """dst = src · deq_scale, rounded to float32 at each step, then to the type of ``dst``.

    int32 above 2²⁴ is rounded to float32 first.

    >>> dequant(i32(10, -3), 0.5, to=f32(0, 0)).tolist()
    [5.0, -1.5]

    Args:
        dst: rows, each from a multiple of 32 bytes on.
        src: int32, ``m`` rows of ``n``.
        deq_scale: a number, or a tensor with one for each column: floating point of any type, or uint64 with float32 in
            the low words.
        params: rows; one of all of ``src`` if not given.
        temp_buffer: as ``get_dequant_max_min_tmp_size`` says.
    """
    core = current()
    check_operands("dequant", [Operand("dst", dst, 0, _FLOATS, True), Operand("src", src, 0, (int32,))])
    params = _checked(core, DequantParams(1, len(src)) if params is None else params)
    used, last = params.cal_count or params.n, max(params.m - 1, 0)
    if not params.m or not used:
        return
    pitch = room_for(params.n * dst.dtype.itemsize) // dst.dtype.itemsize
    scale = number_of(core, "dequant", "deq_scale", deq_scale, float32)
    operands = [
        Operand("dst", dst, last * pitch + used, _FLOATS, written=True),
        Operand("src", src, last * params.n + used, (int32,)),
    ]
    if isinstance(scale, LocalTensor):
        operands.append(Operand("deq_scale", scale, used, (*_FLOATS, uint64)))
    check_operands("dequant", operands)
    if isinstance(scale, LocalTensor):
        scale = scale[:used]
    narrow = dst.dtype is not float32
    scratch = Scratch("dequant", temp_buffer, widened_bytes(scale) + narrow * room_for(4 * used))
    check_scratch("dequant", scratch.memory, operands)
    scale = widened(scale, scratch)
    wide = scratch.take(float32, used) if narrow else dst
    for row in range(params.m):
        y, x = dst[row * pitch :], src[row * params.n :]
        to = wide if narrow else y
        cast(to, x, RoundMode.CAST_NONE, used)
        apply(muls, mul, to, to, scale, used)
        if narrow:
            cast(y, wide, RoundMode.CAST_RINT, used)


def _checked(core: Core, params: DequantParams) -> DequantParams:
    """Check that rows are rows, and start at blocks."""
    if not isinstance(params, DequantParams):
        core.fail(UsageError, f"dequant: params must be a DequantParams, got {params!r}")
    if params.m < 0 or not 0 <= params.cal_count <= params.n:
        core.fail(RangeError, f"dequant: {params} is no number of rows, or cal_count does not lie in a row")
    if params.m > 1 and params.n * int32.itemsize % BLOCK:
        core.fail(
            AlignmentError, f"dequant: n is {params.n}, rows of int32 must be multiples of {BLOCK // int32.itemsize}"
        )
    return params
