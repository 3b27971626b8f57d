"""How exact results are: sums, products, quotients and roots are correctly rounded, exponentials within one unit."""

from __future__ import annotations

import decimal
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ascendc as asc
from tests.block import on_ub
from tests.fused_lanes import nearest

Array = NDArray[Any]
F16, F32 = np.float16, np.float32
EVERY_HALF = np.arange(1 << 16, dtype=np.uint16).view(F16)
PAIRS = 8192
"""How many pairs of each type are tried."""

EXACT: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
}


def finite(kind: Any, count: int, seed: int) -> Array:
    """Numbers of any exponent, and some whose neighbours' sums and products lie near ties; a tenth is subnormal."""
    random, bits = np.random.default_rng(seed), np.dtype(f"u{kind().itemsize}")
    limits = np.finfo(kind)
    out = random.integers(0, 1 << 8 * bits.itemsize, count, np.uint64).astype(bits).view(kind)
    near = random.random(count) < 0.4
    out[near] = (1 + random.integers(0, 64, int(near.sum())) * limits.eps).astype(kind)
    tiny = random.random(count) < 0.1
    out[tiny] = (random.integers(1, 1 << limits.nmant, int(tiny.sum()), np.uint64)).astype(bits).view(kind)
    out[~np.isfinite(out) | (out == 0)] = 1
    return out


@pytest.mark.parametrize("kind", [F16, F32])
@pytest.mark.parametrize("name", EXACT)
def test_arithmetic_is_correctly_rounded(name: str, kind: Any) -> None:
    """As the exact result, a fraction, to nearest even: subnormal operands and results, and overflow, included."""
    x, y = finite(kind, PAIRS, 1), finite(kind, PAIRS, 2)
    _, _, z = on_ub(lambda x, y, z: asc.ISA[name](z, x, y, PAIRS), x, y, np.zeros(PAIRS, kind))

    exact = [EXACT[name](Fraction(a), Fraction(b)) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
    wanted = [nearest(e, np.dtype(kind)) for e in exact]
    assert z.tolist() == wanted
    assert any(0 < abs(w) < np.finfo(kind).tiny for w in wanted)


def positive(kind: Any) -> Array:
    """Every positive half, or floats of any exponent."""
    return EVERY_HALF[1:0x7C00] if kind is F16 else np.abs(finite(kind, PAIRS, 3))


def middles(values: Array) -> tuple[Array, Array]:
    """Half way to the next number below, and to the one above: exact in float64, where their squares are too."""
    below, above = np.nextafter(values, values.dtype.type(0)), np.nextafter(values, values.dtype.type(np.inf))
    wide = values.astype(np.float64)
    return (wide + below) / 2, (wide + above) / 2


@pytest.mark.parametrize("kind", [F16, F32])
def test_square_roots_are_correctly_rounded(kind: Any) -> None:
    """The number lies between the squares of the middles beside its root."""
    x = positive(kind)
    (root,) = on_ub(lambda t: asc.sqrt(t, t, len(t)), x)
    low, high = middles(root)

    assert ((low * low < x) & (x < high * high)).all()


@pytest.mark.parametrize("kind", [F16, F32])
def test_reciprocals_are_correctly_rounded(kind: Any) -> None:
    """The chip only approximates them; 1 lies between the products of the number with the middles beside 1 / x."""
    x = positive(kind)
    x = x[x > 2 / np.finfo(kind).max]
    (inverse,) = on_ub(lambda t: asc.reciprocal(t, t, len(t)), x)
    low, high = middles(inverse)

    assert ((low * x <= 1) & (high * x >= 1)).all()


@pytest.mark.parametrize("kind", [F16, F32])
def test_reciprocal_square_roots_are_correctly_rounded(kind: Any) -> None:
    """The chip only approximates them, too."""
    x = positive(kind)[:: 8 if kind is F16 else 4].copy()
    (root,) = on_ub(lambda t: asc.rsqrt(t, t, len(t)), x)

    for number, low, high in zip(x.tolist(), *(m.tolist() for m in middles(root)), strict=True):
        assert Fraction(low) ** 2 * Fraction(number) < 1 < Fraction(high) ** 2 * Fraction(number), number


CURVES = [("exp", np.exp, decimal.Decimal.exp), ("ln", np.log, decimal.Decimal.ln)]


@pytest.mark.parametrize(("name", "wide", "exact"), CURVES)
def test_every_half_is_correctly_rounded(name: str, wide: Any, exact: Any) -> None:
    """All of them against the widest float there is, and one in 16 against 30 decimal digits."""
    x = EVERY_HALF[np.isfinite(EVERY_HALF) & ((EVERY_HALF > 0) | (name == "exp"))]
    (got,) = on_ub(lambda t: asc.ISA[name](t, t, len(t)), x)
    with np.errstate(all="ignore"):
        assert np.array_equal(got, wide(x.astype(np.longdouble)).astype(np.float64).astype(F16))

    some = (np.abs(x.astype(F32)) < 20) & (np.arange(x.size) % 16 == 0) if name == "exp" else slice(None, None, 16)
    with decimal.localcontext(prec=30):
        wanted = [nearest(Fraction(exact(decimal.Decimal(v))), np.dtype(F16)) for v in x[some].tolist()]
    assert got[some].tolist() == wanted


@pytest.mark.parametrize(("name", "wide", "exact"), CURVES)
def test_a_million_floats_are_within_one_unit(name: str, wide: Any, exact: Any) -> None:
    """Against the widest float there is, from the smallest subnormal result to overflow; 500 against 30 digits."""
    random = np.random.default_rng(5)
    x = (
        random.uniform(-104, 89, 1_000_000) if name == "exp" else np.exp2(random.uniform(-149, 128, 1_000_000))
    ).astype(F32)
    with np.errstate(all="ignore"):
        got, wanted = asc.ISA[name].compute(x), wide(x.astype(np.longdouble)).astype(F32)
    assert np.abs(steps(got) - steps(wanted)).max() <= 1

    with decimal.localcontext(prec=30):
        sure = [nearest(Fraction(exact(decimal.Decimal(v))), np.dtype(F32)) for v in x[:500].tolist()]
    assert np.abs(steps(got[:500]) - steps(np.array(sure, F32))).max() <= 1


def steps(values: Array) -> NDArray[np.int64]:
    """Which of the floats in ascending order each is."""
    bits = values.view(np.int32).astype(np.int64)
    return np.where(bits < 0, -(2**31) - bits, bits)
