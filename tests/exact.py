"""Conversion between element types in fractions and integers: the check on ``cast``.

Every finite value is a fraction.  A float type is its precision and exponents, an integer type its ends; a
round mode picks between the two neighbours on the type's grid.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np

FORMATS = {"float16": (11, -14, 15), "bfloat16": (8, -126, 127), "float32": (24, -126, 127)}
"""Digits, smallest and largest exponent of the float types."""

FIVE = ("RINT", "FLOOR", "CEIL", "ROUND", "TRUNC")
MODES: dict[tuple[str, str], tuple[str, ...]] = {
    ("int8", "float16"): ("NONE",),
    ("uint8", "float16"): ("NONE",),
    ("int16", "float16"): ("NONE", *FIVE),
    ("int16", "float32"): ("NONE",),
    ("float16", "int8"): ("NONE", *FIVE),
    ("float16", "uint8"): ("NONE", *FIVE),
    ("float16", "int16"): FIVE,
    ("float16", "int32"): FIVE,
    ("float16", "float32"): ("NONE",),
    ("bfloat16", "float32"): ("NONE",),
    ("bfloat16", "int32"): FIVE,
    ("int32", "float32"): ("NONE", *FIVE),
    ("int32", "int16"): ("NONE",),
    ("int32", "int64"): ("NONE",),
    ("float32", "int16"): FIVE,
    ("float32", "int32"): FIVE,
    ("float32", "int64"): FIVE,
    ("float32", "bfloat16"): FIVE,
    ("float32", "float32"): FIVE,
    ("float32", "float16"): ("NONE", *FIVE, "ODD"),
    ("int64", "int32"): ("NONE",),
    ("int64", "float32"): FIVE,
}
"""Round modes by (source, destination), from the reference."""

NUMPY = {"bfloat16": np.dtype(ml_dtypes.bfloat16)}


def numpy_of(name: str) -> np.dtype[Any]:
    return NUMPY.get(name) or np.dtype(name)


def exact_cast(value: Any, source: str, target: str, mode: str) -> Any:
    """``value`` of type ``source`` in type ``target``: an int, or a float whose sign of zero counts."""
    if target not in FORMATS:
        return _to_integer(value, np.iinfo(target), mode)
    if isinstance(value, float) and not math.isfinite(value):
        return value
    negative = math.copysign(1, value) < 0
    magnitude = abs(_to_float(Fraction(value), source, target, mode))
    return -magnitude if negative else magnitude


def _to_integer(value: Any, limits: Any, mode: str) -> int:
    if isinstance(value, float) and math.isnan(value):
        return 0
    if isinstance(value, float) and math.isinf(value):
        return int(limits.max if value > 0 else limits.min)
    return int(min(max(pick(Fraction(value), mode), limits.min), limits.max))


def _to_float(value: Fraction, source: str, target: str, mode: str) -> float:
    if source == target:  # float to float of one type rounds to a whole number
        return float(pick(value, mode))
    digits, low, high = FORMATS[target]
    if value == 0:
        return 0.0
    exponent = max(_exponent(abs(value)), low)
    step = Fraction(2) ** (exponent - digits + 1)
    rounded = pick(value / step, mode) * step
    largest = (2 - Fraction(2) ** (1 - digits)) * Fraction(2) ** high
    if abs(rounded) <= largest:
        return float(rounded)
    inward = mode in ("TRUNC", "ODD") or mode == ("FLOOR" if rounded > 0 else "CEIL")
    beyond = float(largest) if inward else math.inf
    return beyond if rounded > 0 else -beyond


def _exponent(value: Fraction) -> int:
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if Fraction(2) ** guess <= value else guess - 1


def pick(value: Fraction, mode: str) -> int:
    """The whole number that ``mode`` makes of ``value``."""
    floor, rest = divmod(value.numerator, value.denominator)
    if not rest:
        return floor
    ceil, side = floor + 1, 2 * rest - value.denominator
    toward_zero, away = (floor, ceil) if value > 0 else (ceil, floor)
    even, odd = (floor, ceil) if floor % 2 == 0 else (ceil, floor)
    nearest = floor if side < 0 else ceil
    return {
        "FLOOR": floor,
        "CEIL": ceil,
        "TRUNC": toward_zero,
        "ODD": odd,
        "ROUND": nearest if side else away,
        "RINT": nearest if side else even,
        "NONE": nearest if side else even,
    }[mode]
