"""Two signed numbers of four bits in a byte, the lower four bits first, as plain arithmetic on NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

PAIR: np.dtype[Any] = np.dtype("V1")
"""A byte of two numbers: opaque, so that nobody takes it for one."""


NUMBER: np.dtype[Any] = np.dtype(np.int8)
"""What one of them is by itself."""


def unpacked(pairs: Array) -> Array:
    """The numbers, two for each byte along the last axis.

    >>> unpacked(np.array([0x21, 0xF8], np.uint8)).tolist()
    [1, 2, -8, -1]
    """
    both = np.ascontiguousarray(pairs).view(NUMBER)
    numbers = np.stack((both << 4, both), axis=-1) >> 4
    return numbers.reshape(*both.shape[:-1], 2 * both.shape[-1])


def packed(numbers: Array) -> Array:
    """The bytes of an even count of numbers, −8 to 7.

    >>> packed(np.array([1, 2, -8, -1])).view(np.uint8).tolist()
    [33, 248]
    """
    bits = numbers.astype(np.uint8) & 0xF
    pairs: Array = (bits[..., ::2] | bits[..., 1::2] << 4).view(PAIR)
    return pairs
