"""The larger and the smaller of two lanes, to the last bit: NaN if either is, and −0 is smaller than +0."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def larger(a: Array, b: Any) -> Array:
    """The larger one, lane by lane."""
    out: Array = np.maximum(a, b)
    zeros = _zeros(out)
    if zeros is not None:
        ties = zeros & (a == b)
        out[ties] = (a + b)[ties]  # of two zeros, the sum is −0 only if both are
    return out


def smaller(a: Array, b: Any) -> Array:
    """The smaller one, lane by lane."""
    out: Array = np.minimum(a, b)
    zeros = _zeros(out)
    if zeros is not None:
        ties = zeros & (a == b)
        out[ties] = -(-a + -b)[ties]
    return out


def _zeros(values: Array) -> Array | None:
    """Which floats are zeros; nothing if none is.  Looking at the bits is much faster than comparing halves."""
    if values.dtype.kind in "iu":
        return None
    bits = values.view(f"u{values.dtype.itemsize}")
    zeros: Array = bits << 1 == 0
    return zeros if zeros.any() else None


__all__ = ["larger", "smaller"]
