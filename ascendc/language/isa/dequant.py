"""Scaling integers to narrower types, as plain arithmetic on NumPy arrays, and the word that says how.

A word holds, from bit 0 on: a float32 scale, five free bits, a signed 9-bit offset, and whether the result is
signed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

_OFFSET_BIT, _OFFSET_BITS, _SIGN_BIT = 37, 9, 46
OFFSETS = range(-(1 << _OFFSET_BITS - 1), 1 << _OFFSET_BITS - 1)
"""Offsets that a word has room for."""


def packed(scale: float, offset: int, sign_mode: bool) -> int:
    """A scale, an offset out of :data:`OFFSETS` and the kind of result as one word."""
    with np.errstate(over="ignore"):
        bits = int(np.float32(scale).view(np.uint32))
    return bits | (offset & (1 << _OFFSET_BITS) - 1) << _OFFSET_BIT | int(sign_mode) << _SIGN_BIT


def is_signed(word: int) -> bool:
    """Whether a word asks for int8 results; uint8 otherwise."""
    return bool(word >> _SIGN_BIT & 1)


def requantised(values: Array, words: Array, to: np.dtype[Any]) -> Array:
    """``values · scale + offset`` to the nearest integer, ties to even, saturated as each word says."""
    scale = (words & np.uint64(0xFFFFFFFF)).astype(np.uint32).view(np.float32).astype(np.float64)
    offset = (words >> np.uint64(_OFFSET_BIT)).astype(np.int64) & (1 << _OFFSET_BITS) - 1
    offset -= (offset >> _OFFSET_BITS - 1) << _OFFSET_BITS
    signed = (words >> np.uint64(_SIGN_BIT) & np.uint64(1)).astype(bool)
    whole = np.rint(values * scale + offset)
    whole = np.clip(np.where(np.isnan(whole), 0, whole), np.where(signed, -128, 0), np.where(signed, 127, 255))
    return whole.astype(np.int64).astype(np.uint8).view(to)


def scaled(values: Array, scale: np.float16) -> Array:
    """int32 ``values · scale`` as float16: values and product are rounded to float32 on the way."""
    return (values.astype(np.float32) * np.float32(scale)).astype(np.float16)
