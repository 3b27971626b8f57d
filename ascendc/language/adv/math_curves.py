"""sin, cos, tanh and erf, from polynomials of our own fitting.

Coefficients minimise the largest relative error (Lawson's iteration in float64); that of the fits is below
2·10⁻⁹, so what errors there are come from rounding.  float16 is computed in float32 and rounded once more.
"""

from __future__ import annotations

from ..enums import RoundMode
from ..isa.vector_binary import add, div, mul
from ..isa.vector_cast import cast
from ..isa.vector_scalar import adds, axpy, maxs, mins, muls
from ..memory import LocalTensor
from .polynomial import horner
from .tiles import Unary, tiled

_PI = (3.1415927410125732, -8.7422776573475858e-08, -3.4302490200117637e-15)
"""π as a sum of float32 numbers.  Products with the first are exact in a multiply-add, up to |src| = 65504."""

_SIN = (-2.368e-08, 2.7522924e-06, -1.98408205e-04, 8.33333097e-03, -1.66666672e-01)
"""(sin r / r − 1) / r², in r², for |r| up to 1.6; the first one moved by a little, so that cos 0 is 1."""

_TANH_LIMIT = 9.02
_TANH_P = (-1.22035021e-11, 3.0585074e-08, 2.80074819e-05, 3.86832887e-03, 1.36799157e-01, 1.0)
_TANH_Q = (1.28736815e-06, 3.93863302e-04, 2.72458438e-02, 4.7013247e-01, 1.0)
"""tanh x / x = P(x²) / Q(x²) up to the limit, where tanh is 1 in float32."""

_ERF_LIMIT = 4.0
_ERF_P = (
    -1.29136266e-08,
    4.63044034e-06,
    3.77559452e-04,
    3.84187209e-03,
    5.42649813e-02,
    1.85158893e-01,
    1.12837923,
)
_ERF_Q = (6.25984685e-05, 1.3032537e-03, 1.54393865e-02, 1.13899328e-01, 4.97426212e-01, 1.0)
"""erf x / x = P(x²) / Q(x²) up to 3.94; at the limit it is 1, as erf is in float32."""


@tiled(Unary, cpp="Sin", work=3)
def sin(y: LocalTensor, x: LocalTensor, t: tuple[LocalTensor, ...], n: int) -> None:
    """dst = sine of src, in radians; NaN of infinities.

    float32 within 3 units in the last place for |src| ≤ 65504; beyond, it has no meaning.

    >>> sin(f32(0, 0.5, -3)).tolist()
    [0.0, 0.4794255495071411, -0.14112000167369843]
    """
    turns = t[0]
    muls(turns, x, 0.3183098861837907, n)
    cast(turns, turns, RoundMode.CAST_RINT, n)
    _sin_reduced(y, x, t, n)


@tiled(Unary, cpp="Cos", work=3)
def cos(y: LocalTensor, x: LocalTensor, t: tuple[LocalTensor, ...], n: int) -> None:
    """dst = cosine of src, in radians; NaN of infinities.

    float32 within 3 units in the last place for |src| ≤ 65504; beyond, it has no meaning.

    >>> cos(f32(0, 0.5, -3)).tolist()
    [1.0, 0.8775825500488281, -0.9899924993515015]
    """
    turns = t[0]
    muls(turns, x, 0.3183098861837907, n)
    adds(turns, turns, 0.5, n)
    cast(turns, turns, RoundMode.CAST_RINT, n)
    adds(turns, turns, -0.5, n)
    _sin_reduced(y, x, t, n, late=0.5)


def _sin_reduced(y: LocalTensor, x: LocalTensor, t: tuple[LocalTensor, ...], n: int, late: float = 0.0) -> None:
    """y = sin(x − π · t[0]), negative where ``t[0] + late`` is odd."""
    turns, r, square = t
    muls(r, x, 1.0, n)
    for part in _PI:
        axpy(r, turns, -part, n)
    if late:
        adds(turns, turns, late, n)
    muls(y, turns, 0.5, n)
    cast(y, y, RoundMode.CAST_FLOOR, n)
    axpy(turns, y, -2.0, n)
    muls(turns, turns, -2.0, n)
    adds(turns, turns, 1.0, n)
    mul(square, r, r, n)
    horner(y, square, _SIN, n)
    mul(y, y, square, n)
    mul(y, y, r, n)
    add(y, y, r, n)
    mul(y, y, turns, n)


@tiled(Unary, cpp="Tanh", work=3)
def tanh(y: LocalTensor, x: LocalTensor, t: tuple[LocalTensor, ...], n: int) -> None:
    """dst = hyperbolic tangent of src.

    float32 within 6 units in the last place everywhere.

    >>> tanh(f32(0, 0.5, -20)).tolist()
    [0.0, 0.46211710572242737, -1.0]
    """
    _ratio(y, x, t, n, _TANH_LIMIT, _TANH_P, _TANH_Q)


@tiled(Unary, cpp="Erf", work=3)
def erf(y: LocalTensor, x: LocalTensor, t: tuple[LocalTensor, ...], n: int) -> None:
    """dst = error function of src.

    float32 within 7 units in the last place everywhere.

    >>> erf(f32(0, 0.5, -20)).tolist()
    [0.0, 0.5204999446868896, -1.0]
    """
    _ratio(y, x, t, n, _ERF_LIMIT, _ERF_P, _ERF_Q)


def _ratio(
    y: LocalTensor,
    x: LocalTensor,
    t: tuple[LocalTensor, ...],
    n: int,
    limit: float,
    p: tuple[float, ...],
    q: tuple[float, ...],
) -> None:
    """y = x · p(x²) / q(x²) between −1 and 1, as if x lay within the limit."""
    near, square, below = t
    mins(near, x, limit, n)
    maxs(near, near, -limit, n)
    mul(square, near, near, n)
    horner(y, square, p, n)
    mul(y, y, near, n)
    horner(below, square, q, n)
    div(y, y, below, n)
    mins(y, y, 1.0, n)
    maxs(y, y, -1.0, n)
