"""Logarithms and powers.  float16 is computed in float32 and rounded once more."""

from __future__ import annotations

from typing import Any

from ..dtypes import uint8
from ..enums import CMPMODE, RoundMode, SelMode
from ..isa.vector_binary import add, mul, sub
from ..isa.vector_cast import cast
from ..isa.vector_fill import duplicate
from ..isa.vector_scalar import adds, axpy, maxs, mins, muls
from ..isa.vector_select import select
from ..isa.vector_unary import abs, exp, ln, sqrt
from ..memory import LocalTensor
from .bits import bits_of, clear_tail
from .tiles import Tiled, Unary, tiled

Temporaries = tuple[LocalTensor, ...]

_EVEN = 2.0**25
"""Exponents beyond are even whole numbers, and so is this one."""


@tiled(Unary, cpp="Log")
def log(y: LocalTensor, x: LocalTensor, t: Temporaries, n: int) -> None:
    """dst = natural logarithm of src; −inf of 0, NaN of negatives.

    float32 within 1 unit in the last place.

    >>> log(f32(1, 10, 0)).tolist()
    [0.0, 2.3025851249694824, -inf]
    """
    ln(y, x, n)


@tiled(Unary, cpp="Log2")
def log2(y: LocalTensor, x: LocalTensor, t: Temporaries, n: int) -> None:
    """dst = logarithm of src to base 2; −inf of 0, NaN of negatives.

    float32 within 3 units in the last place.

    >>> log2(f32(8, 0.25)).tolist()
    [3.0, -2.0]
    """
    ln(y, x, n)
    muls(y, y, 1.4426950408889634, n)


@tiled(Unary, cpp="Log10")
def log10(y: LocalTensor, x: LocalTensor, t: Temporaries, n: int) -> None:
    """dst = logarithm of src to base 10; −inf of 0, NaN of negatives.

    float32 within 3 units in the last place.

    >>> log10(f32(1000, 0.1)).tolist()
    [3.0, -1.0]
    """
    ln(y, x, n)
    muls(y, y, 0.4342944819032518, n)


class Power(Tiled):
    """``dst[i] = src0[i] ** src1[i]``; one of the sources may be a number."""

    __slots__ = ()

    def __call__(
        self,
        dst: LocalTensor,
        src0: LocalTensor | float,
        src1: LocalTensor | float,
        count: int | None = None,
        temp_buffer: LocalTensor | None = None,
        is_reuse_source: bool = False,
    ) -> None:
        """Of the first ``count`` elements; all of the first source that is a tensor if not given."""
        if not isinstance(src1, LocalTensor):
            _with_exponent.run(dst, (src0,), count, temp_buffer, (("src1", src1),))
        elif not isinstance(src0, LocalTensor):
            _of_base.run(dst, (src1,), count, temp_buffer, (("src0", src0),))
        else:
            self.run(dst, (src0, src1), count, temp_buffer)


@tiled(Power, cpp="Power", roles=("dst", "src0", "src1"), work=4)
def power(y: LocalTensor, x0: LocalTensor, x1: LocalTensor, t: Temporaries, n: int) -> None:
    """dst = src0 to the power of src1; 1 where src1 is 0, NaN of negatives to broken powers.

    float32 within a relative error of 2⁻²³ · (2 + |src1 · ln src0|).  −0 counts as 0, and 1 to an infinite
    power is NaN.

    >>> power(f32(2, -2, 9), f32(10, 3, 0.5)).tolist()
    [1024.0, -8.0, 3.0]
    """
    magnitude, signed, exponent, bits = *t[:3], t[3].reinterpret_cast(uint8)
    abs(magnitude, x0, n)
    ln(magnitude, magnitude, n)
    mul(y, magnitude, x1, n)
    exp(y, y, n)
    mins(exponent, x1, _EVEN, n)
    maxs(exponent, exponent, -_EVEN, n)
    _sign_of_power(signed, exponent, magnitude, n)
    mul(signed, signed, y, n)

    clear_tail(exponent, n)
    muls(exponent, x0, 1.0, n)
    bits_of(bits, exponent, CMPMODE.LT, n)
    select(y, bits, signed, y, SelMode.VSEL_TENSOR_TENSOR_MODE, n)
    muls(exponent, x1, 1.0, n)
    bits_of(bits, exponent, CMPMODE.NE, n)
    select(y, bits, y, 1.0, SelMode.VSEL_TENSOR_SCALAR_MODE, n)


def _sign_of_power(y: LocalTensor, exponent: LocalTensor, t: LocalTensor, n: int) -> None:
    """y = 1 for even exponents, −1 for odd ones, NaN for broken ones."""
    muls(t, exponent, 0.5, n)
    cast(t, t, RoundMode.CAST_FLOOR, n)
    muls(y, exponent, -2.0, n)
    axpy(y, t, 4.0, n)
    adds(y, y, 1.0, n)
    cast(t, exponent, RoundMode.CAST_FLOOR, n)
    sub(t, t, exponent, n)
    sqrt(t, t, n)  # 0 of 0, NaN of anything below
    add(y, y, t, n)


@tiled(Tiled, cpp="Power", name="power", roles=("dst", "src0"), work=5)
def _with_exponent(y: LocalTensor, x0: LocalTensor, t: Temporaries, n: int, exponent: Any) -> None:
    duplicate(t[-1], exponent, n)
    power.body(y, x0, t[-1], t, n)


@tiled(Tiled, cpp="Power", name="power", roles=("dst", "src1"), work=5)
def _of_base(y: LocalTensor, x1: LocalTensor, t: Temporaries, n: int, base: Any) -> None:
    duplicate(t[-1], base, n)
    power.body(y, t[-1], x1, t, n)
