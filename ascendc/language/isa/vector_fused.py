"""Vector instructions that do more than one operation: multiply-add, rectified sums, conversion on the way out.

The multiply-adds round once.  The others are the instructions they are named after, one after the other:
sums and products are rounded to the sources' type before they are rectified or converted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtypes import DataType, float16, float32, int8, int16, uint8
from ..enums import RoundMode
from . import running
from .extremes import larger
from .multiply_add import multiply_add
from .rounding import convert
from .vector import Array
from .vector_binary import Binary, binary

if TYPE_CHECKING:
    from types import FrameType

    from ..memory import LocalTensor


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BinaryCast(Binary):
    """``dst[i] = compute(src0[i], src1[i], type of dst)``."""

    def count_form(
        self, frame: FrameType, tensors: tuple[LocalTensor, ...], count: Any, params: tuple[Any, ...] = ()
    ) -> None:
        Binary.count_form(self, frame, tensors, count, (getattr(tensors[0], "dtype", None), *params))

    def mask_form(
        self,
        frame: FrameType,
        tensors: tuple[LocalTensor, ...],
        mask: Any,
        repeat_times: Any,
        strides: tuple[tuple[int, ...], ...],
        params: tuple[Any, ...] = (),
    ) -> None:
        to = getattr(tensors[0], "dtype", None)
        Binary.mask_form(self, frame, tensors, mask, repeat_times, strides, (to, *params))


def rectified(lanes: Array) -> Array:
    """``lanes`` where positive, else +0; NaN stays NaN."""
    return larger(lanes, lanes.dtype.type(0))


@binary(cpp="AddRelu", dtypes=(int16, float16, float32), accumulates=True, running=running.rectified(np.add))
def add_relu(src0: Array, src1: Array) -> Array:
    """dst = src0 + src1 where positive, else 0; integers wrap, NaN stays NaN.

    >>> add_relu.compute(f32(1, 2), f32(10, -20)).tolist()
    [11.0, 0.0]
    """
    return rectified(src0 + src1)


@binary(cpp="SubRelu", dtypes=(int16, float16, float32), accumulates=True, running=running.rectified(np.subtract))
def sub_relu(src0: Array, src1: Array) -> Array:
    """dst = src0 − src1 where positive, else 0; integers wrap, NaN stays NaN.

    >>> sub_relu.compute(f32(1, 2), f32(10, -20)).tolist()
    [0.0, 22.0]
    """
    return rectified(src0 - src1)


@binary(
    cpp="MulAddDst",
    dtypes=(float16, float32),
    pairs=((float32, float16),),
    cost="multiply_add",
    reads_dst=True,
    running=running.add_products,
)
def mul_add_dst(dst: Array, src0: Array, src1: Array) -> Array:
    """dst = dst + src0 · src1, rounded once.

    >>> mul_add_dst.compute(f32(2, 2), f32(3, 1), f32(4, 0.5)).tolist()
    [14.0, 2.5]
    """
    return multiply_add(src0, src1, dst, dst.dtype)


@binary(
    cpp="FusedMulAdd",
    dtypes=(float16, float32),
    cost="multiply_add",
    reads_dst=True,
    running=running.multiply_running(relu=False),
)
def fused_mul_add(dst: Array, src0: Array, src1: Array) -> Array:
    """dst = src0 · dst + src1, rounded once.

    >>> fused_mul_add.compute(f32(2, 2), f32(3, 1), f32(4, 0.5)).tolist()
    [10.0, 2.5]
    """
    return multiply_add(src0, dst, src1, dst.dtype)


@binary(
    cpp="FusedMulAddRelu",
    dtypes=(float16, float32),
    cost="multiply_add",
    reads_dst=True,
    running=running.multiply_running(relu=True),
)
def fused_mul_add_relu(dst: Array, src0: Array, src1: Array) -> Array:
    """dst = src0 · dst + src1, rounded once, where positive, else 0; NaN stays NaN.

    >>> fused_mul_add_relu.compute(f32(2, 2), f32(3, 1), f32(4, -8)).tolist()
    [10.0, 0.0]
    """
    return rectified(multiply_add(src0, dst, src1, dst.dtype))


@binary(cpp="MulCast", pairs=((int8, float16), (uint8, float16)), family=BinaryCast)
def mul_cast(src0: Array, src1: Array, to: DataType) -> Array:
    """dst = src0 · src1 to the nearest integer, rounded once, ties to even, saturated; NaN becomes 0.

    >>> mul_cast.compute(f16(2.5, 100, -3), f16(1, 2, 1), int8).tolist()
    [2, 127, -3]
    >>> mul_cast.compute(f16(2.5, 100, 9.664), f16(1, 2, 6.777), uint8).tolist()
    [2, 200, 65]
    """
    return convert(src0.astype(np.float32) * src1.astype(np.float32), to, RoundMode.CAST_NONE)


@binary(cpp="AddReluCast", pairs=((float16, float32), (int8, float16), (int8, int16)), family=BinaryCast)
def add_relu_cast(src0: Array, src1: Array, to: DataType) -> Array:
    """dst = src0 + src1 where positive, else 0, in dst's type: nearest, ties to even; integers saturate.

    >>> add_relu_cast.compute(f16(1.5, 100, -3), f16(1, 100, 1), int8).tolist()
    [2, 127, 0]
    """
    return convert(rectified(src0 + src1), to, RoundMode.CAST_NONE)


@binary(cpp="SubReluCast", pairs=((float16, float32), (int8, float16), (int8, int16)), family=BinaryCast)
def sub_relu_cast(src0: Array, src1: Array, to: DataType) -> Array:
    """dst = src0 − src1 where positive, else 0, in dst's type: nearest, ties to even; integers saturate.

    >>> sub_relu_cast.compute(i16(300, 7, -3), i16(1, 2, 1), int8).tolist()
    [127, 5, 0]
    """
    return convert(rectified(src0 - src1), to, RoundMode.CAST_NONE)


__all__ = [
    "add_relu",
    "add_relu_cast",
    "fused_mul_add",
    "fused_mul_add_relu",
    "mul_add_dst",
    "mul_cast",
    "sub_relu",
    "sub_relu_cast",
]
