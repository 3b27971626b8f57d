"""Rounding to whole numbers, and what is left over.  float16 takes a detour through float32, which is exact."""

from __future__ import annotations

from ..enums import RoundMode
from ..isa.vector_binary import sub
from ..isa.vector_cast import cast
from ..memory import LocalTensor
from .tiles import Unary, tiled

Temporaries = tuple[LocalTensor, ...]


@tiled(Unary, cpp="Ceil")
def ceil(y: LocalTensor, x: LocalTensor, t: Temporaries, n: int) -> None:
    """dst = smallest whole number not below src.  Exact.

    >>> ceil(f32(1.5, -1.5)).tolist()
    [2.0, -1.0]
    """
    cast(y, x, RoundMode.CAST_CEIL, n)


@tiled(Unary, cpp="Floor")
def floor(y: LocalTensor, x: LocalTensor, t: Temporaries, n: int) -> None:
    """dst = largest whole number not above src.  Exact.

    >>> floor(f32(1.5, -1.5)).tolist()
    [1.0, -2.0]
    """
    cast(y, x, RoundMode.CAST_FLOOR, n)


@tiled(Unary, cpp="Round")
def round(y: LocalTensor, x: LocalTensor, t: Temporaries, n: int) -> None:
    """dst = whole number nearest to src, the even one of two.  Exact.

    >>> round(f32(1.5, 2.5, -0.6)).tolist()
    [2.0, 2.0, -1.0]
    """
    cast(y, x, RoundMode.CAST_RINT, n)


@tiled(Unary, cpp="Trunc")
def trunc(y: LocalTensor, x: LocalTensor, t: Temporaries, n: int) -> None:
    """dst = src without its digits after the point.  Exact.

    >>> trunc(f32(1.5, -1.5)).tolist()
    [1.0, -1.0]
    """
    cast(y, x, RoundMode.CAST_TRUNC, n)


@tiled(Unary, cpp="Frac")
def frac(y: LocalTensor, x: LocalTensor, t: Temporaries, n: int) -> None:
    """dst = src − trunc(src), with the sign of src, or +0; NaN of infinities.  Exact.

    >>> frac(f32(1.5, -1.25, 3)).tolist()
    [0.5, -0.25, 0.0]
    """
    cast(y, x, RoundMode.CAST_TRUNC, n)
    sub(y, x, y, n)
