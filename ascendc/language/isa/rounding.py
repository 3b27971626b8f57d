"""Conversion between element types, with every round mode, as plain arithmetic on NumPy arrays.

Integers saturate; NaN becomes 0 in them.  Floating point results are rounded as the mode says, overflow to
infinity where rounding leads there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..dtypes import DataType
from ..enums import RoundMode

Array = NDArray[Any]


def _half_away(x: Array) -> Array:
    whole = np.trunc(x)
    return whole + np.where(np.abs(x - whole) >= 0.5, np.sign(x), np.copysign(0.0, x))  # −0.4 is −0


_TO_WHOLE: dict[RoundMode, Callable[[Array], Array]] = {
    RoundMode.CAST_NONE: np.rint,
    RoundMode.CAST_RINT: np.rint,
    RoundMode.CAST_FLOOR: np.floor,
    RoundMode.CAST_CEIL: np.ceil,
    RoundMode.CAST_ROUND: _half_away,
    RoundMode.CAST_TRUNC: np.trunc,
}


def convert(values: Array, to: DataType, mode: RoundMode) -> Array:
    """``values`` as elements of ``to``.  Every source type here is exact in float64, or an integer."""
    source, target = values.dtype, to.number
    if not to.is_float:
        if source.kind in "iu":
            return _saturate(values, to)
        return _saturate_float(_TO_WHOLE[mode](values.astype(np.float64)), to)
    if source == target:  # float32 to float32 rounds to a whole number
        whole: Array = _TO_WHOLE[mode](values.astype(np.float64)).astype(target)
        return whole
    nearest: Array = values.astype(target)
    if mode in (RoundMode.CAST_NONE, RoundMode.CAST_RINT):
        return nearest
    return _directed(values, nearest, mode)


def _saturate(values: Array, to: DataType) -> Array:
    (low, high), source = to.limits, np.iinfo(values.dtype)
    return np.clip(values, max(low, source.min), min(high, source.max)).astype(to.number)


def _saturate_float(whole: Array, to: DataType) -> Array:
    low, high = to.limits
    inside = (whole > float(low)) & (whole < float(high))
    out = np.where(inside, whole, 0).astype(to.number)
    out[whole >= float(high)] = high
    out[whole <= float(low)] = low
    return out


def _directed(values: Array, nearest: Array, mode: RoundMode) -> Array:
    """``nearest`` moved by one step where ``mode`` asks for the other neighbour."""
    above, below = _beyond(nearest, values)
    kind = nearest.dtype.type
    up, down = np.nextafter(nearest, kind(np.inf)), np.nextafter(nearest, kind(-np.inf))
    floor, ceil = np.where(above, down, nearest), np.where(below, up, nearest)
    positive = values > 0
    if mode is RoundMode.CAST_FLOOR:
        return floor
    if mode is RoundMode.CAST_CEIL:
        return ceil
    toward_zero = np.where(positive, floor, ceil)
    away = np.where(positive, ceil, floor)
    if mode is RoundMode.CAST_TRUNC:
        return toward_zero
    if mode is RoundMode.CAST_ODD:
        bits = toward_zero.view(np.dtype(f"u{toward_zero.dtype.itemsize}"))
        return np.where((above | below) & (bits & 1 == 0), away, toward_zero)
    return np.where((above | below) & _midway(values, floor, ceil), away, nearest)


def _midway(values: Array, floor: Array, ceil: Array) -> Array:
    """Where ``values`` lie in the middle between two neighbours."""
    low, high = floor.astype(np.float64), ceil.astype(np.float64)
    if values.dtype.kind not in "iu":
        exact = values.astype(np.float64)
        equal: Array = exact - low == high - exact
        return equal
    inside = np.abs(high) < float(2**63)  # integers above 2^53 are no float64, but their neighbours here are
    down = values - np.where(inside, low, 0).astype(np.int64)
    up = np.where(inside, high, 0).astype(np.int64) - values
    tie: Array = inside & (down == up)
    return tie


def _beyond(nearest: Array, values: Array) -> tuple[Array, Array]:
    """Where ``nearest`` lies above, and where below, the exact ``values``."""
    if values.dtype.kind not in "iu":
        wide = values.astype(np.float64)
        there = nearest.astype(np.float64)
        return there > wide, there < wide
    there = nearest.astype(np.float64)
    top = there >= float(2**63)
    whole = np.where(top, 0, there).astype(np.int64)
    return top | (whole > values), ~top & (whole < values)
