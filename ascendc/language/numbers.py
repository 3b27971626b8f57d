"""What counts as a number in a call: Python's and NumPy's, and truth values only where it says so."""

from __future__ import annotations

from typing import Any, TypeGuard

import numpy as np


def is_whole(value: Any) -> TypeGuard[int]:
    """Whether ``value`` is a whole number."""
    return type(value) is int or (isinstance(value, int | np.integer) and not isinstance(value, bool))


def is_whole_or_truth(value: Any) -> TypeGuard[int]:
    """Whether ``value`` is a whole number, where True and False are 1 and 0."""
    return is_whole(value) or isinstance(value, bool | np.bool_)


def is_number(value: Any) -> TypeGuard[float]:
    """Whether ``value`` is one real number."""
    kinds = (int, float, np.generic)
    return isinstance(value, kinds) and not isinstance(value, np.character | np.complexfloating | np.void)
