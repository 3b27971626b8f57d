"""Vector instructions on the bits of integers: and, or, not, shifts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtypes import DataType, int16, int32, uint16, uint32
from ..errors import RangeError
from .scalar import scalar_of
from .vector import Array
from .vector_binary import binary
from .vector_scalar import Scalar, scalar
from .vector_unary import unary

if TYPE_CHECKING:
    from ..core import Core

_WORDS = (int16, uint16, int32, uint32)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Shift(Scalar):
    """``dst[i] = compute(src[i], scalar)``; the number is 0 to the bits of an element."""

    def number(self, core: Core, scalar: Any, kind: DataType) -> Any:
        number = scalar_of(core, self.name, scalar, kind)
        if not 0 <= number <= 8 * kind.itemsize:
            core.fail(
                RangeError,
                f"{self.name}: scalar must be 0 to {8 * kind.itemsize}, the bits of an element of {kind}, got {number}",
            )
        return number


@binary(cpp="And", dtypes=(int16, uint16))
def bitwise_and(src0: Array, src1: Array) -> Array:
    """dst = src0 & src1, bit by bit.

    >>> bitwise_and.compute(u16(0b1100), u16(0b1010)).tolist()
    [8]
    """
    out: Array = np.bitwise_and(src0, src1)
    return out


@binary(cpp="Or", dtypes=(int16, uint16))
def bitwise_or(src0: Array, src1: Array) -> Array:
    """dst = src0 | src1, bit by bit.

    >>> bitwise_or.compute(u16(0b1100), u16(0b1010)).tolist()
    [14]
    """
    out: Array = np.bitwise_or(src0, src1)
    return out


@unary(cpp="Not", dtypes=(int16, uint16))
def bitwise_not(src: Array) -> Array:
    """dst = ~src, bit by bit.

    >>> bitwise_not.compute(u16(0, 0xFF00)).tolist()
    [65535, 255]
    """
    out: Array = np.invert(src)
    return out


@scalar(cpp="ShiftLeft", dtypes=_WORDS, family=Shift)
def shift_left(src: Array, scalar: Any) -> Array:
    """dst = src shifted left by scalar bits; what leaves the element is lost.

    >>> shift_left.compute(i16(1, -1, 0x4000), np.int16(1)).tolist()
    [2, -2, -32768]
    """
    out: Array = np.left_shift(src, scalar)
    return out


@scalar(cpp="ShiftRight", dtypes=_WORDS, family=Shift)
def shift_right(src: Array, scalar: Any) -> Array:
    """dst = src shifted right by scalar bits; copies of the sign bit come in if it is signed, else zeros.

    >>> shift_right.compute(i16(8, -8, -1), np.int16(2)).tolist()
    [2, -2, -1]
    >>> shift_right.compute(u16(8, 0xFFF8), np.uint16(2)).tolist()
    [2, 16382]
    """
    out: Array = np.right_shift(src, scalar)
    return out


__all__ = ["bitwise_and", "bitwise_not", "bitwise_or", "shift_left", "shift_right"]
