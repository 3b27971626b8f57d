"""Floating point to int8, by a scale and an offset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..block import BLOCK
from ..core import current
from ..dtypes import dtype as element_type
from ..dtypes import float16, float32, int8
from ..enums import RoundMode
from ..isa.vector_binary import add, mul
from ..isa.vector_cast import cast
from ..isa.vector_scalar import adds, muls
from ..memory import LocalTensor
from .channels import Channels, apply, copies, number_of, widened, width_of
from .function import function
from .matrix import Grid
from .operands import Operand, check_operands, count_of
from .temp import elements_of
from .workspace import Pieces, parts, sizes

_FLOATS = (float16, float32)


@function(cpp="AscendQuant", dtypes=_FLOATS)
def quant(
    dst: LocalTensor,
    src: LocalTensor,
    scale: Channels,
    offset: Channels,
    count: int | None = None,
    temp_buffer: LocalTensor | None = None,
    reuse_source: bool = False,
) -> None:
    """dst = src · scale + offset to the nearest whole number, ties to even, in int8, which saturates; NaN gives 0.

    Product and sum are rounded to float32 each, for float16 too.

    >>> quant(f32(0.25, 1.25, 100), 2.0, 1.0, to=i8(0, 0, 0)).tolist()
    [2, 4, 127]

    Args:
        dst: int8.
        src: float16 or float32.
        scale: a number, or a tensor of the type of ``src`` with one for each element of a row, a multiple of 32.
        offset: as ``scale``.
        count: elements; all of ``src`` if not given.
        temp_buffer: as ``get_quant_max_min_tmp_size`` says.
        reuse_source: makes no difference.
    """
    core = current()
    n = count_of(core, "quant", count, src)
    operands = [Operand("dst", dst, n, (int8,), written=True), Operand("src", src, n, _FLOATS)]
    check_operands("quant", operands)
    named: dict[str, Any] = {
        role: number_of(core, "quant", role, x, float32) for role, x in (("scale", scale), ("offset", offset))
    }
    operands += [Operand(r, x, len(x), (src.dtype,)) for r, x in named.items() if isinstance(x, LocalTensor)]
    check_operands("quant", operands)
    row = width_of(core, "quant", named, n)
    if not n:
        return
    some = any(isinstance(x, LocalTensor) for x in named.values())
    for part in parts("quant", temp_buffer, -(-n // row), _pieces(row, *named.values()), operands):
        *copied, wide, whole = part.tensors
        at = part.first * row
        m = min(part.rows * row, n - at)
        rows, columns = (m // row, row) if some else (1, m)
        scale, offset = (widened(x, made, part) for x, made in zip(named.values(), copied, strict=True))
        y, x = Grid(wide, columns), Grid(src[at:], columns)
        if src.dtype is float16:
            cast(wide, x.tensor, RoundMode.CAST_NONE, m)
            x = y
        apply(muls, mul, rows, columns, y, x, scale)
        apply(adds, add, rows, columns, y, y, offset)
        cast(wide, wide, RoundMode.CAST_RINT, m)  # first, since float16 would round to even a second time
        cast(whole, wide, RoundMode.CAST_NONE, m)
        cast(dst[at:], whole, RoundMode.CAST_NONE, m)


def _pieces(row: int, *channels: Any) -> Callable[[int], Pieces]:
    """Channels in float32, and some rows: scaled, and as whole float16 on the way to int8."""
    shared = copies(float32, *channels)
    return lambda rows: (*shared, (float32, rows * row), (float16, rows * row))


def get_quant_max_min_tmp_size(
    shape: int | Sequence[int], dtype: Any = float32, reuse_source: bool = False, channels: int = 0
) -> tuple[int, int]:
    """Bytes of temporary memory, the most of use and the least, with this many channels or numbers only."""
    row, copied = channels or BLOCK, channels if element_type(dtype).itemsize < float32.itemsize else 0
    pieces = _pieces(row)
    return sizes(-(-elements_of(shape) // row), lambda rows: ((float32, copied), (float32, copied), *pieces(rows)))
