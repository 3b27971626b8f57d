"""int32 back to floating point, by a scale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from ..block import BLOCK, whole_blocks
from ..classes import need_class
from ..core import Core, current
from ..dtypes import DataType, bfloat16, float16, float32, int32, uint64
from ..dtypes import dtype as element_type
from ..enums import RoundMode
from ..errors import AlignmentError, RangeError
from ..isa.vector_binary import mul
from ..isa.vector_cast import cast
from ..isa.vector_scalar import muls
from ..memory import LocalTensor
from .channels import Channels, apply, copies, number_of, widened
from .function import function
from .matrix import Grid, each
from .operands import Operand, check_operands
from .workspace import Pieces, check_extents, parts, sizes

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
    pitch = whole_blocks(params.n, dst.dtype.itemsize)
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
    y, x = Grid(dst, pitch), Grid(src, params.n)
    for part in parts("dequant", temp_buffer, params.m, _pieces(used, dst.dtype, *copies(float32, scale)), operands):
        copied, wide = part.tensors
        factor, to = widened(scale, copied, part), y.down(part.first)
        made = to if dst.dtype is float32 else Grid(wide, whole_blocks(used, float32.itemsize))
        each(cast, part.rows, used, made, x.down(part.first), using=(RoundMode.CAST_NONE,))
        apply(muls, mul, part.rows, used, made, made, factor)
        if made is not to:
            each(cast, part.rows, used, to, made, using=(RoundMode.CAST_RINT,))


def _pieces(used: int, kind: DataType, *shared: tuple[DataType, int]) -> Callable[[int], Pieces]:
    """Behind the ``shared``, rows in float32 if they become something else."""
    row = whole_blocks(used, float32.itemsize) if kind is not float32 else 0
    return lambda rows: (*shared, (float32, rows * row))


def _checked(core: Core, params: DequantParams) -> DequantParams:
    """Check that rows are rows, and start at blocks."""
    need_class(core, "dequant", "params", params, DequantParams)
    check_extents("dequant", m=params.m, n=params.n, cal_count=params.cal_count)
    if params.cal_count > params.n:
        core.fail(RangeError, f"dequant: cal_count must be 0 to {params.n} (n), got {params.cal_count}")
    if params.m > 1 and params.n * int32.itemsize % BLOCK:
        core.fail(
            AlignmentError,
            f"dequant: n must be a multiple of {BLOCK // int32.itemsize} elements, so that each row of src starts at a "
            f"block, got {params.n}",
        )
    return params


def get_dequant_max_min_tmp_size(
    shape: int | Sequence[int], dtype: Any = float16, scale_dtype: Any = float32
) -> tuple[int, int]:
    """Bytes of temporary memory for rows of the last length of ``shape``: the most of use and the least."""
    rows, used = (1, shape) if isinstance(shape, int) else (prod(shape[:-1]), shape[-1])
    copied = used if element_type(scale_dtype) is not float32 else 0
    return sizes(rows, _pieces(used, element_type(dtype), (float32, copied)))
