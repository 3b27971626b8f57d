"""Arithmetic of the scalar unit that Python has no operator for: rounding, and counting bits of 64."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..classes import need_class
from ..core import Core, current
from ..dtypes import DataType, float16, int32, int64, uint64
from ..enums import RoundMode
from ..errors import RangeError
from ..numbers import is_whole
from ..site import kernel_frame
from ..windows import one_of
from .rounding import convert
from .scalar import ScalarOp, check_number, record_register

_BITS = 64


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ScalarCast(ScalarOp):
    """Convert one float32."""

    def __call__(self, value_in: float, dtype: Any, round_mode: RoundMode) -> Any:
        core, frame = current(), kernel_frame()
        check_number(core, self.name, "value_in", value_in)
        kind = one_of(core, self.name, dtype, (float16, int32))
        need_class(core, self.name, "round_mode", round_mode, RoundMode)
        record_register(core, frame, self)
        with np.errstate(all="ignore"):
            return convert(np.array([value_in], np.float32), kind, round_mode)[0].item()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Bits(ScalarOp):
    """A number that the 64 bits of a value give.

    Attributes:
        count: computes it from the value, as an unsigned number.
        kind: the integer type of the value.
    """

    count: Callable[[int], int]
    kind: DataType

    def __call__(self, value_in: int) -> int:
        core, frame = current(), kernel_frame()
        bits = _bits_of(core, self.name, value_in, self.kind)
        record_register(core, frame, self)
        return self.count(bits)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BitsLike(ScalarOp):
    """A number that those of the 64 bits of a value give that are 0, or those that are 1.

    Attributes:
        count: computes it from the value, as an unsigned number, and the bit that is looked for.
    """

    count: Callable[[int, int], int]

    def __call__(self, value_in: int, count_value: int) -> int:
        core, frame = current(), kernel_frame()
        if count_value not in (0, 1):
            core.fail(RangeError, f"{self.name}: count_value must be 0 or 1, got {count_value!r}")
        bits = _bits_of(core, self.name, value_in, uint64)
        record_register(core, frame, self)
        return self.count(bits, count_value)


def _bits_of(core: Core, call: str, value: Any, kind: DataType) -> int:
    low, high = kind.limits
    if not is_whole(value) or not low <= value <= high:
        core.fail(RangeError, f"{call}: value_in must be a whole number of {low} to {high}, got {value!r}")
    return int(value) & (1 << _BITS) - 1


def _bits(*, cpp: str, kind: DataType = uint64) -> Callable[[Callable[[int], int]], Bits]:
    """Declare an instruction on the bits of a value; the function is its arithmetic."""

    def declare(count: Callable[[int], int]) -> Bits:
        return Bits(name=count.__name__, cpp=cpp, unit="S", doc=count.__doc__ or "", count=count, kind=kind)

    return declare


def _bits_like(*, cpp: str) -> Callable[[Callable[[int, int], int]], BitsLike]:
    """Declare an instruction on the bits of a value that are like one; the function is its arithmetic."""

    def declare(count: Callable[[int, int], int]) -> BitsLike:
        return BitsLike(name=count.__name__, cpp=cpp, unit="S", doc=count.__doc__ or "", count=count)

    return declare


@_bits_like(cpp="ScalarGetSFFValue")
def scalar_get_sff_value(value: int, bit: int) -> int:
    """Place of the lowest bit that is ``count_value``; −1 if there is none.

    >>> scalar_get_sff_value.count(0b1000, 1), scalar_get_sff_value.count(0b0111, 0)
    (3, 3)
    """
    found = value if bit else ~value & (1 << _BITS) - 1
    return (found & -found).bit_length() - 1


@_bits_like(cpp="ScalarGetCountOfValue")
def scalar_get_count_of_value(value: int, bit: int) -> int:
    """How many of the 64 bits are ``count_value``.

    >>> scalar_get_count_of_value.count(0b1011, 1), scalar_get_count_of_value.count(0b1011, 0)
    (3, 61)
    """
    return value.bit_count() if bit else _BITS - value.bit_count()


@_bits(cpp="ScalarCountLeadingZero")
def scalar_count_leading_zero(value: int) -> int:
    """How many bits above the highest 1 are 0.

    >>> scalar_count_leading_zero.count(1), scalar_count_leading_zero.count(0)
    (63, 64)
    """
    return _BITS - value.bit_length()


@_bits(cpp="CountBitsCntSameAsSignBit", kind=int64)
def count_bits_cnt_same_as_sign_bit(value: int) -> int:
    """How many bits below the sign bit are like it, up to the first other one; −1 if all are.

    >>> count_bits_cnt_same_as_sign_bit.count(1), count_bits_cnt_same_as_sign_bit.count(0)
    (62, -1)
    """
    rest = value ^ ((1 << _BITS) - 1 if value >> _BITS - 1 else 0)
    return _BITS - 1 - rest.bit_length() if rest else -1


scalar_cast = ScalarCast(
    name="scalar_cast",
    cpp="ScalarCast",
    unit="S",
    doc="A float32 as float16 or int32, rounded as ``cast`` does.",
)

__all__ = [
    "count_bits_cnt_same_as_sign_bit",
    "scalar_cast",
    "scalar_count_leading_zero",
    "scalar_get_count_of_value",
    "scalar_get_sff_value",
]
