"""One lane of the instructions that do several things at once, in exact arithmetic: fractions, rounded where it counts.

A number is a Python float or int; an infinity or NaN goes through float64, where IEEE has one answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

Kind = np.dtype[Any]
_DIGITS = {"float16": (11, -24), "float32": (24, -149)}
"""Significant bits, and the exponent of the smallest number."""


def nearest(exact: Fraction, kind: Kind) -> float:
    """``exact`` as ``kind``, ties to even; too large is infinite."""
    if not exact:
        return 0.0
    digits, lowest = _DIGITS[kind.name]
    top = abs(exact).numerator.bit_length() - abs(exact).denominator.bit_length()
    top -= abs(exact) < Fraction(2) ** top
    step = Fraction(2) ** max(top - digits + 1, lowest)
    rounded = round(exact / step) * step
    return float(rounded) if abs(rounded) <= float(np.finfo(kind).max) else math.copysign(math.inf, rounded)


def _finite(*values: Any) -> bool:
    return all(math.isfinite(v) for v in values)


def multiply_add(kind: Kind, a: Any, b: Any, c: Any) -> float:
    """``a · b + c``, rounded once."""
    if _finite(a, b, c):
        return nearest(Fraction(a) * Fraction(b) + Fraction(c), kind)
    with np.errstate(all="ignore"):
        return float(np.float64(a) * np.float64(b) + np.float64(c))


def _sum(kind: Kind, a: Any, b: Any) -> Any:
    """``a + b`` in a lane: integers wrap."""
    if kind.kind == "i":
        half = 1 << 8 * kind.itemsize - 1
        return (a + b + half) % (2 * half) - half
    return multiply_add(kind, a, 1, b)


def _relu(value: Any) -> Any:
    return value if math.isnan(value) or value > 0 else 0


def narrow(value: Any, kind: Kind) -> Any:
    """``value`` in a narrower type: nearest, ties to even; integers saturate, NaN becomes 0."""
    if kind.kind == "f":
        return nearest(Fraction(value), kind) if math.isfinite(value) else value
    limits = np.iinfo(kind)
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return limits.max if value > 0 else limits.min
    return min(max(round(value), limits.min), limits.max)


FUSED: dict[str, Callable[..., Any]] = {
    "add_relu": lambda kinds, a, b: _relu(_sum(kinds[1], a, b)),
    "sub_relu": lambda kinds, a, b: _relu(_sum(kinds[1], a, -b)),
    "axpy": lambda kinds, d, a, s: multiply_add(kinds[0], a, s, d),
    "mul_add_dst": lambda kinds, d, a, b: multiply_add(kinds[0], a, b, d),
    "fused_mul_add": lambda kinds, d, a, b: multiply_add(kinds[0], a, d, b),
    "fused_mul_add_relu": lambda kinds, d, a, b: _relu(multiply_add(kinds[0], a, d, b)),
    "mul_cast": lambda kinds, a, b: narrow(
        Fraction(a) * Fraction(b) if _finite(a, b) else multiply_add(kinds[1], a, b, 0), kinds[0]
    ),
    "add_relu_cast": lambda kinds, a, b: narrow(_relu(_sum(kinds[1], a, b)), kinds[0]),
    "sub_relu_cast": lambda kinds, a, b: narrow(_relu(_sum(kinds[1], a, -b)), kinds[0]),
    "bitwise_and": lambda _, a, b: a & b,
    "bitwise_or": lambda _, a, b: a | b,
    "bitwise_not": lambda _, a: ~a,
    "shift_left": lambda _, a, s: a << s,
    "shift_right": lambda _, a, s: a >> s,
}
"""What each does to one lane: the operands' types, destination first, then the numbers it reads, then its scalar."""
