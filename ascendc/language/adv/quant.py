"""Floating point to int8, by a scale and an offset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import current
from ..dtypes import dtype as element_type
from ..dtypes import float16, float32, int8
from ..enums import RoundMode
from ..isa.vector import BLOCK
from ..isa.vector_binary import add, mul
from ..isa.vector_cast import cast
from ..isa.vector_scalar import adds, muls
from ..memory import LocalTensor
from .channels import Channels, apply, number_of, widened, widened_bytes, width_of
from .function import function
from .operands import Operand, check_operands, check_scratch, count_of
from .temp import Scratch, elements_of, room_for

_FLOATS = (float16, float32)
_EACH = float32.itemsize + float16.itemsize
"""Temporary bytes of an element: scaled, and as whole float16 on the way to int8."""


def get_quant_max_min_tmp_size(
    shape: int | Sequence[int], dtype: Any = float32, reuse_source: bool = False, channels: int = 0
) -> tuple[int, int]:
    """Bytes of temporary memory, the most of use and the least, with this many channels or numbers only."""
    count = elements_of(shape)
    copies = 2 * room_for(4 * channels) if element_type(dtype).itemsize < float32.itemsize else 0
    row = channels or BLOCK
    return (copies + -(-count // row) * row * _EACH, copies + row * _EACH) if count else (0, 0)


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
    copies = widened_bytes(*named.values())
    scratch = Scratch("quant", temp_buffer, copies + row * _EACH)
    check_scratch("quant", scratch.memory, operands)
    scale, offset = (widened(x, scratch) for x in named.values())
    step = min(-(-n // row), (scratch.nbytes - copies) // (row * _EACH)) * row
    wide, whole = scratch.take(float32, step), scratch.take(float16, step)
    for at in range(0, n, step):
        m = min(step, n - at)
        x = src[at:]
        if src.dtype is float16:
            cast(wide, x, RoundMode.CAST_NONE, m)
            x = wide
        apply(muls, mul, wide, x, scale, m)
        apply(adds, add, wide, wide, offset, m)
        cast(wide, wide, RoundMode.CAST_RINT, m)  # first, since float16 would round to even a second time
        cast(whole, wide, RoundMode.CAST_NONE, m)
        cast(dst[at:], whole, RoundMode.CAST_NONE, m)
