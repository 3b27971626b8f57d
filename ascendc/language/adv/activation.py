"""Activations.  All but reglu are computed in float32; float16 is rounded once more at the end.

Formulas are the usual ones with an exponential; −inf gives NaN where a product −inf · 0 hides in them.
"""

from __future__ import annotations

from typing import Any

from ..isa.vector_binary import div, mul
from ..isa.vector_fill import duplicate
from ..isa.vector_scalar import adds, muls
from ..isa.vector_unary import exp, relu
from ..memory import LocalTensor
from .tiles import Binary, Tiled, Unary, tiled

Temporaries = tuple[LocalTensor, ...]
_PAIR = ("dst", "src0", "src1")

_GELU = 1.5957691216057308
"""2 √(2/π)."""
_GELU_CUBE = 0.044715 * _GELU
_FASTER_GELU = 1.702


class Gelu(Tiled):
    """``dst[i] = f(src[i])``, with the template flags of Gelu, which make no difference here."""

    __slots__ = ()

    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        count: int | None = None,
        temp_buffer: LocalTensor | None = None,
        high_precision: bool = False,
        high_performance: bool = False,
    ) -> None:
        """Of the first ``count`` elements; all of ``src`` if not given."""
        self.run(dst, (src,), count, temp_buffer)


class Swish(Tiled):
    """``dst[i] = f(src[i], scalar_value)``."""

    __slots__ = ()

    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        count: int,
        scalar_value: float,
        temp_buffer: LocalTensor | None = None,
    ) -> None:
        """Of the first ``count`` elements."""
        self.run(dst, (src,), count, temp_buffer, (("scalar_value", scalar_value),))


class Gated(Tiled):
    """``dst[i] = f(src0[i], src1[i], scalar_value)``."""

    __slots__ = ()

    def __call__(
        self,
        dst: LocalTensor,
        src0: LocalTensor,
        src1: LocalTensor,
        scalar_value: float,
        count: int | None = None,
        temp_buffer: LocalTensor | None = None,
        is_reuse_source: bool = False,
    ) -> None:
        """Of the first ``count`` elements; all of ``src0`` if not given."""
        self.run(dst, (src0, src1), count, temp_buffer, (("scalar_value", scalar_value),))


def _over_one_plus_exp(y: LocalTensor, x: LocalTensor, n: int) -> None:
    """y = x / (1 + e^y)."""
    exp(y, y, n)
    adds(y, y, 1.0, n)
    div(y, x, y, n)


@tiled(Unary, cpp="Sigmoid", work=1)
def sigmoid(y: LocalTensor, x: LocalTensor, t: Temporaries, n: int) -> None:
    """dst = 1 / (1 + e^−src).

    float32 within 4 units in the last place where src > −87; below, 0 or nearly so.

    >>> sigmoid(f32(0, 2, -2)).tolist()
    [0.5, 0.8807970285415649, 0.11920291930437088]
    """
    muls(t[0], x, -1.0, n)
    exp(t[0], t[0], n)
    adds(t[0], t[0], 1.0, n)
    duplicate(y, 1.0, n)
    div(y, y, t[0], n)


@tiled(Gelu, cpp="Gelu")
def gelu(y: LocalTensor, x: LocalTensor, t: Temporaries, n: int) -> None:
    """dst = src / (1 + e^(−1.5957691 · (src + 0.044715 · src³))), which is gelu with tanh.

    float32 within 10⁻⁶ · max(|dst|, 0.2) of that formula.

    >>> gelu(f32(0, 1, -1)).tolist()
    [0.0, 0.8411920070648193, -0.15880799293518066]
    """
    mul(y, x, x, n)
    muls(y, y, -_GELU_CUBE, n)
    adds(y, y, -_GELU, n)
    mul(y, y, x, n)
    _over_one_plus_exp(y, x, n)


@tiled(Gelu, cpp="FasterGelu")
def faster_gelu(y: LocalTensor, x: LocalTensor, t: Temporaries, n: int) -> None:
    """dst = src / (1 + e^(−1.702 · src)).

    float32 within 10⁻⁶ · max(|dst|, 0.2).

    >>> faster_gelu(f32(0, 1, -1)).tolist()
    [0.0, 0.845795750617981, -0.15420423448085785]
    """
    muls(y, x, -_FASTER_GELU, n)
    _over_one_plus_exp(y, x, n)


@tiled(Unary, cpp="Silu")
def silu(y: LocalTensor, x: LocalTensor, t: Temporaries, n: int) -> None:
    """dst = src / (1 + e^−src).

    float32 within 10⁻⁶ · max(|dst|, 0.2).

    >>> silu(f32(0, 1, -1)).tolist()
    [0.0, 0.7310585975646973, -0.2689414322376251]
    """
    muls(y, x, -1.0, n)
    _over_one_plus_exp(y, x, n)


@tiled(Swish, cpp="Swish")
def swish(y: LocalTensor, x: LocalTensor, t: Temporaries, n: int, scalar: Any) -> None:
    """dst = src / (1 + e^(−scalar_value · src)).

    float32 within 10⁻⁶ · max(|dst|, 0.2 / |scalar_value|).

    >>> swish(f32(0, 1, -1), 3, 2.0).tolist()
    [0.0, 0.8807970285415649, -0.11920291930437088]
    """
    muls(y, x, -scalar, n)
    _over_one_plus_exp(y, x, n)


@tiled(Gated, cpp="SwiGLU", roles=_PAIR)
def swiglu(y: LocalTensor, x0: LocalTensor, x1: LocalTensor, t: Temporaries, n: int, scalar: Any) -> None:
    """dst = src0 · src1 / (1 + e^(−scalar_value · src1)).

    float32 within 10⁻⁶ · |src0| · max(|swish|, 0.2 / |scalar_value|).

    >>> swiglu(f32(10, 10), f32(1, -1), 1.0).tolist()
    [7.310585975646973, -2.6894142627716064]
    """
    swish.body(y, x1, t, n, scalar)
    mul(y, y, x0, n)


@tiled(Binary, cpp="GeGLU", roles=_PAIR)
def geglu(y: LocalTensor, x0: LocalTensor, x1: LocalTensor, t: Temporaries, n: int) -> None:
    """dst = src0 · gelu(src1).

    float32 within 10⁻⁶ · |src0| · max(|gelu|, 0.2).

    >>> geglu(f32(10, 10), f32(1, -1)).tolist()
    [8.411920547485352, -1.5880799293518066]
    """
    gelu.body(y, x1, t, n)
    mul(y, y, x0, n)


@tiled(Binary, cpp="ReGlu", roles=_PAIR, wide=False)
def reglu(y: LocalTensor, x0: LocalTensor, x1: LocalTensor, t: Temporaries, n: int) -> None:
    """dst = src0 · src1 where src1 is positive, else src0 · 0.  Correctly rounded, in float16 too.

    >>> reglu(f32(10, 10), f32(1, -1)).tolist()
    [10.0, 0.0]
    """
    relu(y, x1, n)
    mul(y, y, x0, n)
