"""Whole columns of numbers: what an engine leaves behind, and the few array idioms all of this shares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Ticks by position (sorted by block, lane and row, as in a ``Plan``).

    Attributes:
        push: when the scalar unit had issued it.
        ready: when its lane was free for it.
        start: when it began; for a wait, when it got through.
        stop: when it was visible.
    """

    push: Ints
    ready: Ints
    start: Ints
    stop: Ints


def column(values: Sequence[int]) -> Ints:
    """A list as a column, also an empty one."""
    return np.array(values, np.int64)


def joined(parts: Iterable[NDArray[Any]]) -> Ints:
    """Columns one after another, also none."""
    return np.concatenate([np.empty(0, np.int64), *parts], dtype=np.int64)


def starts(widths: Any) -> Ints:
    """Where each of a row of things of these widths begins; one entry more than there are things."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(widths, dtype=np.int64)])


def sorting(key: Ints) -> Ints:
    """The order that sorts by ``key``, equal keys as they come."""
    # NumPy has a radix sort, but only for small types.
    small = len(key) and int(key.max()) < 1 << 16
    return np.argsort(key.astype(np.uint16) if small else key, kind="stable")
