"""How far results are from the exact ones, in units of the last place, against float64; and special values."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ascendc as asc
from tests.adv.lanes import lanes

Array = NDArray[Any]
adv = asc.adv
INF, NAN = math.inf, math.nan


def sigmoid(x: Array) -> Array:
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-x))


def gelu(x: Array) -> Array:
    return x * sigmoid(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))


def off(result: Array, exact: Array) -> float:
    """The largest distance in units of the last place of the exact value, in the result's type."""
    place = np.spacing(np.abs(exact).astype(result.dtype)).astype(np.float64)
    return float(np.max(np.abs(result.astype(np.float64) - exact) / place))


def spread(low: float, high: float, kind: Any) -> Array:
    """Evenly spaced numbers between two, and tiny ones of both signs if 0 lies between."""
    even = np.linspace(low, high, 20000)
    tiny = np.logspace(-30, math.log10(max(abs(low), abs(high))), 4000)
    signed = np.concatenate([tiny[tiny < high], -tiny[-tiny > low]])
    return np.unique(np.concatenate([even, signed]).astype(kind))


CURVES: list[tuple[Any, Callable[[Array], Array], float, float, float]] = [
    (adv.sin, np.sin, -100, 100, 3),
    (adv.sin, np.sin, -65504, 65504, 3),
    (adv.cos, np.cos, -100, 100, 3),
    (adv.cos, np.cos, -65504, 65504, 3),
    (adv.tanh, np.tanh, -12, 12, 6),
    (adv.erf, np.vectorize(math.erf), -6, 6, 7),
    (adv.sigmoid, sigmoid, -80, 90, 4),
    (adv.log, np.log, 1e-3, 10, 1),
    (adv.log2, np.log2, 1e-3, 1e30, 3),
    (adv.log10, np.log10, 1e-3, 1e30, 3),
]


@pytest.mark.parametrize(("function", "exact", "low", "high", "places"), CURVES, ids=lambda x: getattr(x, "name", ""))
def test_float32_is_as_near_as_its_docstring_says(
    function: Any, exact: Callable[[Array], Array], low: float, high: float, places: float
) -> None:
    """Over the range, evenly and by magnitude; every block of it is one call."""
    x = spread(low, high, np.float32)
    result = np.concatenate([lanes(function, part, temp=1 << 16) for part in np.array_split(x, 3)])

    assert off(result, exact(x.astype(np.float64))) <= places


@pytest.mark.parametrize(("function", "exact", "low", "high", "places"), CURVES, ids=lambda x: getattr(x, "name", ""))
def test_float16_is_nearly_correctly_rounded(
    function: Any, exact: Callable[[Array], Array], low: float, high: float, places: float
) -> None:
    """It is computed in float32: half a place, and what is left of the error there."""
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    with np.errstate(invalid="ignore"):
        x = every[(every >= max(low, -65504)) & (every <= min(high, 65504))][::7].copy()
    with np.errstate(divide="ignore"):
        wanted = exact(x.astype(np.float64))
    finite = np.isfinite(wanted)

    assert off(lanes(function, x)[finite], wanted[finite]) <= 0.501


@pytest.mark.parametrize(
    ("function", "exact"),
    [
        (adv.gelu, gelu),
        (adv.faster_gelu, lambda x: x * sigmoid(1.702 * x)),
        (adv.silu, lambda x: x * sigmoid(x)),
    ],
    ids=lambda x: getattr(x, "name", ""),
)
def test_activation_is_within_its_tolerance(function: Any, exact: Callable[[Array], Array]) -> None:
    """10⁻⁶ of the value, or of 0.2 where that is smaller."""
    x = spread(-30, 30, np.float32)
    wanted = exact(x.astype(np.float64))
    result = np.concatenate([lanes(function, part) for part in np.array_split(x, 3)])

    assert np.max(np.abs(result - wanted) / np.maximum(np.abs(wanted), 0.2)) < 1e-6


@pytest.mark.parametrize("scale", [-3.0, 0.5, 4.0])
def test_gates_are_products_of_their_parts(scale: float) -> None:
    """swish and swiglu with any factor, geglu and reglu, against their formulas."""
    x, gate = np.random.default_rng(0).normal(0, 4, (2, 500)).astype(np.float32)
    wide, gates = x.astype(np.float64), gate.astype(np.float64)
    swish = gates * sigmoid(scale * gates)
    tolerance = 1e-6 * np.abs(x) * np.maximum(np.abs(swish), 0.2)

    assert (np.abs(lanes(adv.swish, gate, gate.size, scale) - swish) <= 1e-6 * np.maximum(np.abs(swish), 0.4)).all()
    assert (np.abs(lanes(adv.swiglu, x, gate, scale) - wide * swish) <= tolerance + 1e-6 * np.abs(x)).all()
    assert (
        np.abs(lanes(adv.geglu, x, gate) - wide * gelu(gates)) <= 1e-6 * np.abs(x) * np.maximum(gelu(gates), 0.2)
    ).all()
    assert (lanes(adv.reglu, x, gate) == x * np.maximum(gate, np.float32(0))).all()


def test_power_loses_digits_with_the_size_of_the_exponent() -> None:
    """2⁻²³ · (2 + |y ln x|) of the value, for results in float32's normal range."""
    rng = np.random.default_rng(1)
    x = np.abs(rng.normal(size=3000) * 10.0 ** rng.integers(-3, 4, 3000)).astype(np.float32)
    y = (rng.normal(size=3000) * 3).astype(np.float32)
    with np.errstate(all="ignore"):
        exact = x.astype(np.float64) ** y
    normal = (exact > 1e-37) & (exact < 3e38)
    error = np.abs(lanes(adv.power, x, y) - exact)[normal] / exact[normal]

    assert (error <= 2.0**-23 * (2 + np.abs(y * np.log(x)))[normal]).all()


SPECIAL = {
    adv.sin: [(0, 0), (INF, NAN), (-INF, NAN), (NAN, NAN), (1e-45, 1e-45)],
    adv.cos: [(0, 1), (-0.0, 1), (INF, NAN), (NAN, NAN), (1e-45, 1)],
    adv.tanh: [(0, 0), (-0.0, -0.0), (INF, 1), (-INF, -1), (NAN, NAN), (1e-45, 1e-45), (1e30, 1)],
    adv.erf: [(0, 0), (-0.0, -0.0), (INF, 1), (-INF, -1), (NAN, NAN), (1e-45, 1e-45), (-1e30, -1)],
    adv.sigmoid: [(0, 0.5), (INF, 1), (-INF, 0), (NAN, NAN), (-1e30, 0)],
    adv.silu: [(0, 0), (-0.0, -0.0), (INF, INF), (-INF, NAN), (NAN, NAN), (-1e30, -0.0), (1e30, 1e30)],
    adv.gelu: [(0, 0), (INF, INF), (-INF, NAN), (NAN, NAN), (-1e30, -0.0), (1e30, 1e30)],
    adv.log: [(0, -INF), (-1, NAN), (INF, INF), (NAN, NAN), (1, 0)],
    adv.log2: [(0, -INF), (-1, NAN), (INF, INF), (1024, 10)],
    adv.log10: [(0, -INF), (-1, NAN), (INF, INF), (1, 0)],
    adv.sign: [(0, 0), (-0.0, -0.0), (INF, 1), (-INF, -1), (NAN, NAN), (1e-45, 1), (-1e-45, -1)],
    adv.round: [(0.5, 0), (-0.5, -0.0), (1.5, 2), (INF, INF), (NAN, NAN), (1e30, 1e30)],
    adv.ceil: [(-0.5, -0.0), (1e-45, 1), (-INF, -INF), (NAN, NAN)],
    adv.floor: [(-1e-45, -1), (0.5, 0), (INF, INF), (NAN, NAN)],
    adv.trunc: [(-0.5, -0.0), (1e-45, 0), (2.0**24 + 2, 2.0**24 + 2), (NAN, NAN)],
    adv.frac: [(1e-45, 1e-45), (-1.25, -0.25), (INF, NAN), (NAN, NAN), (1e30, 0)],
}


@pytest.mark.parametrize("function", SPECIAL, ids=lambda f: f.name)
def test_special_values(function: Any) -> None:
    """Infinities, NaN, zeros of both signs, subnormal and huge numbers, bit for bit (any NaN is NaN)."""
    x, wanted = (np.array(side, np.float32) for side in zip(*SPECIAL[function], strict=True))
    result = lanes(function, x)
    number = ~np.isnan(wanted)

    assert np.isnan(result[~number]).all()
    assert result[number].view(np.int32).tolist() == wanted[number].view(np.int32).tolist()


def test_power_of_special_values() -> None:
    """Signs follow the exponent's parity; 1 to the power of infinity is NaN, and −0 is 0."""
    cases = [
        *((-2, 3, -8), (-2, 2, 4), (-2, 0.5, NAN), (-2, INF, INF), (0, 0, 1), (NAN, 0, 1), (0, 2, 0), (0, -1, INF)),
        *((-0.0, 3, 0), (INF, 0.5, INF), (-INF, 3, -INF), (-INF, 2, INF), (NAN, 1, NAN), (1, INF, NAN), (2, -INF, 0)),
        *((-1, 2.0**24 + 2, 1), (-8, -3, -1 / 512), (2, 1000, INF), (2, -1000, 0)),
    ]
    x, y, wanted = (np.array(side, np.float32) for side in zip(*cases, strict=True))

    assert np.array_equal(lanes(adv.power, x, y), wanted, equal_nan=True)


def test_power_of_a_number_and_to_a_number() -> None:
    """Bit for bit as with a tensor full of it, in both types."""
    x = np.linspace(0.25, 8, 300).astype(np.float32)
    for values in (x, x.astype(np.float16)):
        number = np.full(300, 2.5, values.dtype)

        assert lanes(adv.power, values, 2.5).tobytes() == lanes(adv.power, values, number).tobytes()
        assert lanes(adv.power, 2.5, values).tobytes() == lanes(adv.power, number, values).tobytes()
