"""Numbers to compare, and how two of them compare."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ascendc import CMPMODE

TESTS = {
    CMPMODE.LT: operator.lt,
    CMPMODE.GT: operator.gt,
    CMPMODE.EQ: operator.eq,
    CMPMODE.LE: operator.le,
    CMPMODE.GE: operator.ge,
    CMPMODE.NE: operator.ne,
}


def numbers(kind: Any, count: int, seed: int) -> np.ndarray[Any, Any]:
    """Few different ones, so that some are equal; NaN, infinities and both zeros among them."""
    pool = np.array([0.0, -0.0, 1.0, -1.0, 2.0, np.inf, -np.inf, np.nan, 6e-8])
    return np.random.default_rng(seed).choice(pool, count).astype(kind)
