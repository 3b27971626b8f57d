"""Signs, limits, remainders and exclusive or."""

from __future__ import annotations

from typing import Any

from ..dtypes import int16, uint16
from ..enums import RoundMode
from ..isa.vector_binary import div, mul
from ..isa.vector_bits import bitwise_and, bitwise_not, bitwise_or
from ..isa.vector_cast import cast
from ..isa.vector_fused import mul_add_dst
from ..isa.vector_scalar import maxs, mins, muls
from ..isa.vector_unary import abs
from ..memory import LocalTensor
from .tiles import Binary, Limit, Tiled, Unary, tiled

Temporaries = tuple[LocalTensor, ...]

_TO_ONE = {2: 2.0**15, 4: 2.0**126}
"""By bytes of a float: what twice multiplied makes the smallest number at least 1."""


class Between(Tiled):
    """``dst[i] = f(src[i], min, max)``."""

    __slots__ = ()

    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        min: float,
        max: float,
        count: int | None = None,
        temp_buffer: LocalTensor | None = None,
        is_reuse_source: bool = False,
    ) -> None:
        """Of the first ``count`` elements; all of ``src`` if not given."""
        self.run(dst, (src,), count, temp_buffer, (("min", min), ("max", max)))


@tiled(Limit, cpp="ClampMax", wide=False)
def clamp_max(y: LocalTensor, x: LocalTensor, t: Temporaries, n: int, scalar: Any) -> None:
    """dst = src, or scalar where src is larger; NaN stays.  Exact.

    >>> clamp_max(f32(1, 5), 3).tolist()
    [1.0, 3.0]
    """
    mins(y, x, scalar, n)


@tiled(Limit, cpp="ClampMin", wide=False)
def clamp_min(y: LocalTensor, x: LocalTensor, t: Temporaries, n: int, scalar: Any) -> None:
    """dst = src, or scalar where src is smaller; NaN stays.  Exact.

    >>> clamp_min(f32(1, 5), 3).tolist()
    [3.0, 5.0]
    """
    maxs(y, x, scalar, n)


@tiled(Between, cpp="Clamp", wide=False)
def clamp(y: LocalTensor, x: LocalTensor, t: Temporaries, n: int, min: Any, max: Any) -> None:
    """dst = src, or min where it is smaller, then max where that is larger; NaN stays.  Exact.

    >>> clamp(f32(-7, 1, 5), -2, 3).tolist()
    [-2.0, 1.0, 3.0]
    """
    maxs(y, x, min, n)
    mins(y, y, max, n)


@tiled(Unary, cpp="Sign", wide=False)
def sign(y: LocalTensor, x: LocalTensor, t: Temporaries, n: int) -> None:
    """dst = 1 where src is positive, −1 where negative; zeros and NaN stay.  Exact.

    >>> sign(f32(-3, 0, 1e-45)).tolist()
    [-1.0, 0.0, 1.0]
    """
    large = _TO_ONE[x.dtype.itemsize]
    muls(y, x, large, n)
    muls(y, y, large, n)
    mins(y, y, 1.0, n)
    maxs(y, y, -1.0, n)


@tiled(Binary, cpp="Fmod", roles=("dst", "src0", "src1"), work=2)
def fmod(y: LocalTensor, x0: LocalTensor, x1: LocalTensor, t: Temporaries, n: int) -> None:
    """dst = remainder of src0 / src1, with the sign of src0.

    Exact while |src0 / src1| < 2²⁴; NaN of a zero or infinite src1 and of an infinite src0.  float16 is
    computed in float32.

    >>> fmod(f32(7.5, -7.5, 7.5), f32(2, 2, -2)).tolist()
    [1.5, -1.5, 1.5]
    """
    quotient, signs = t
    div(quotient, x0, x1, n)
    cast(quotient, quotient, RoundMode.CAST_TRUNC, n)
    muls(quotient, quotient, -1.0, n)
    muls(y, x0, 1.0, n)
    mul_add_dst(y, quotient, x1, n)
    # A quotient just below a whole number was rounded up to it: then one divisor is taken back.
    sign.body(signs, x0, (), n)
    mul(quotient, signs, y, n)
    sign.body(quotient, quotient, (), n)
    mins(quotient, quotient, 0.0, n)
    mul(quotient, quotient, signs, n)
    abs(signs, x1, n)
    muls(signs, signs, -1.0, n)
    mul_add_dst(y, quotient, signs, n)


@tiled(Binary, cpp="Xor", roles=("dst", "src0", "src1"), dtypes=(int16, uint16), work=1)
def xor(y: LocalTensor, x0: LocalTensor, x1: LocalTensor, t: Temporaries, n: int) -> None:
    """dst = src0 ^ src1, bit by bit.

    >>> xor(i16(0b1100), i16(0b1010)).tolist()
    [6]
    """
    bitwise_and(t[0], x0, x1, n)
    bitwise_not(t[0], t[0], n)
    bitwise_or(y, x0, x1, n)
    bitwise_and(y, y, t[0], n)
