"""Numbers to reduce: ordinary ones, and among them some that are hard."""

from __future__ import annotations

from typing import Any

import numpy as np

SIZE = 1 << 14
"""Bytes."""

SPECIAL = [0.0, -0.0, 1.0, 1.0, -1.0, 0.1, 6e-8, 65504.0, np.inf, -np.inf, np.nan]


def content(kind: Any, seed: int) -> np.ndarray[Any, Any]:
    """Bytes that are numbers of ``kind``: all ordinary, or a tenth special, or a thousandth."""
    random = np.random.default_rng(seed)
    values = random.standard_normal(SIZE // kind().itemsize).astype(kind)
    some = random.random(values.size) < (0, 0.1, 0.001)[seed % 3]
    values[some] = random.choice(SPECIAL, int(some.sum())).astype(kind)
    return values.view(np.uint8)
