"""int8 back to floating point, by an offset and a scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import current
from ..dtypes import bfloat16, float16, float32, int8
from ..dtypes import dtype as element_type
from ..enums import RoundMode
from ..errors import RangeError
from ..isa.vector import BLOCK
from ..isa.vector_binary import add, mul
from ..isa.vector_cast import cast
from ..isa.vector_scalar import adds, muls
from ..memory import LocalTensor
from .channels import Channels, apply, number_of, widened, widened_bytes, width_of
from .function import function
from .operands import Operand, check_operands, check_scratch, count_of
from .temp import Scratch, elements_of, room_for

_HALVES = (float16, bfloat16)
_EACH = float32.itemsize + float16.itemsize
"""Temporary bytes of an element on the way to bfloat16."""


def get_anti_quant_max_min_tmp_size(
    shape: int | Sequence[int], dtype: Any = float16, channels: int = 0
) -> tuple[int, int]:
    """Bytes of temporary memory, the most of use and the least; float16 needs none.

    ``channels`` are those of a row, not if each row has its own.
    """
    count = elements_of(shape)
    if element_type(dtype) is float16 or not count:
        return 0, 0
    row, copies = channels or BLOCK, 2 * room_for(4 * channels)
    return copies + -(-count // row) * row * _EACH, copies + row * _EACH


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
        src: int8.
        offset: a number, or a tensor of the type of ``dst`` with one for each element of a row.
        scale: as ``offset``.
        k: rows, or elements of a row if transposed; what the channels say if not given.
        temp_buffer: as ``get_anti_quant_max_min_tmp_size`` says.
        is_transpose: whether each row has an offset and a scale, which the scalar unit then reads.
    """
    core = current()
    n = count_of(core, "anti_quant", None, src)
    operands = [Operand("dst", dst, n, _HALVES, written=True), Operand("src", src, n, (int8,))]
    check_operands("anti_quant", operands)
    inner = float16 if dst.dtype is float16 else float32
    named: dict[str, Any] = {
        role: number_of(core, "anti_quant", role, x, inner) for role, x in (("offset", offset), ("scale", scale))
    }
    tensors = {role: x for role, x in named.items() if isinstance(x, LocalTensor)}
    operands += [Operand(role, x, len(x), (dst.dtype,)) for role, x in tensors.items()]
    check_operands("anti_quant", operands)
    row = width_of(core, "anti_quant", named, n, by_row=is_transpose)
    if k is not None and tensors and k != (row if is_transpose else n // row):
        core.fail(RangeError, f"anti_quant: k is {k}, but {n} elements are {n // row} rows of {row}")
    if not n:
        return
    least = 0 if inner is float16 else _least(*(() if is_transpose else tensors.values()), row=row)
    scratch = Scratch("anti_quant", temp_buffer if least else None, least)
    check_scratch("anti_quant", scratch.memory, operands)
    if not is_transpose or not tensors:
        _convert(dst, src, named, row, scratch)
        return
    for at in range(n // row):
        mine = {r: float(x.get_value(at)) if r in tensors else x for r, x in named.items()}
        _convert(dst[at * row :], src[at * row : (at + 1) * row], mine, row, scratch)


def _least(*channels: Any, row: int) -> int:
    return widened_bytes(*channels) + row * _EACH


def _convert(dst: LocalTensor, src: LocalTensor, named: dict[str, Any], row: int, scratch: Scratch) -> None:
    """All of ``src``; by way of float32 for bfloat16, in which there is no arithmetic, as much as there is room for."""
    n = len(src)
    if dst.dtype is float16:
        cast(dst, src, RoundMode.CAST_NONE, n)
        apply(adds, add, dst, dst, named["offset"], n)
        apply(muls, mul, dst, dst, named["scale"], n)
        return
    scratch.rewind()
    offset, scale = (widened(x, scratch) for x in named.values())
    room = scratch.nbytes - widened_bytes(*named.values())
    step = min(-(-n // row), room // (row * _EACH)) * row
    wide, whole = scratch.take(float32, step), scratch.take(float16, step)
    for at in range(0, n, step):
        m = min(step, n - at)
        cast(whole, src[at:], RoundMode.CAST_NONE, m)
        cast(wide, whole, RoundMode.CAST_NONE, m)
        apply(adds, add, wide, wide, offset, m)
        apply(muls, mul, wide, wide, scale, m)
        cast(dst[at:], wide, RoundMode.CAST_RINT, m)
