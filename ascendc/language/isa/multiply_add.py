"""a · b + c rounded once, as the multiply-add instructions do, in plain NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def multiply_add(a: Array, b: Array, c: Array, kind: np.dtype[Any]) -> Array:
    """``a · b + c`` as ``kind``, float16 or float32; the factors are of these types too.

    The product is exact in float64.  The sum is not always: rounded to an odd last bit where it is inexact, it
    keeps what the second rounding has to know.
    """
    product = np.multiply(a, b, dtype=np.float64)
    total = product + c.astype(np.float64)
    if kind.itemsize == 4:
        error = _lost(product, c, total)
        even = (total.view(np.int64) & 1) == 0
        total = np.where((error != 0) & even & np.isfinite(error), _beside(total, error), total)
    rounded: Array = total.astype(kind)
    return rounded


def _lost(a: Array, b: Array, total: Array) -> Array:
    """What rounding ``a + b`` to ``total`` left out, exactly."""
    part = total - a
    lost: Array = (a - (total - part)) + (b - part)
    return lost


def _beside(total: Array, error: Array) -> Array:
    """The float64 next to ``total`` on the side of the exact sum."""
    beside: Array = np.nextafter(total, np.copysign(np.inf, error))
    return beside
