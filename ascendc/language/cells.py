"""Places in memory as NumPy reaches them fastest: one strided view, or rows and an index into each.

Nothing here knows of lanes or masks: places are numbers of bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Cells:
    """Elements in rows: each row the same, from another byte on.

    Attributes:
        first: the lowest byte of the first row.
        shape, strides: of a view on the rows: of the elements, or of all from the first to the last.
        width: how many elements a row has.
        index: which elements of each row of that view they are; all, if there is none.
        row: the shape of a row as it is read: its width, or runs and their width.
    """

    first: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    width: int
    index: NDArray[np.intp] | None = None
    row: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "row", self.shape[1:] if self.index is None else (self.width,))

    @classmethod
    def of(cls, starts: Sequence[int] | NDArray[np.intp], item: int) -> Cells:
        """One row: elements of ``item`` bytes that start at these bytes, at multiples of ``item`` from each other."""
        at = np.asarray(starts, np.intp)
        steps = np.diff(at)
        inner = int(steps[0]) if len(steps) else item
        changes = np.flatnonzero(steps != inner)
        width = int(changes[0]) + 1 if len(changes) else len(at)
        if width == len(at):
            return cls(int(at[0]), (1, width), (0, inner), width)
        count, rest = divmod(len(at), width)
        outer = int(at[width] - at[0])
        grid = at[0] + np.arange(count)[:, None] * outer + np.arange(width) * inner
        if not rest and np.array_equal(grid.ravel(), at):
            return cls(int(at[0]), (1, count, width), (0, outer, inner), len(at))
        index = (at - at.min()) // item
        return cls(int(at.min()), (1, int(index.max()) + 1), (0, item), len(at), index)

    def rows(self, first: int, count: int, pitch: int) -> Cells:
        """Of the one row ``count``, ``pitch`` bytes apart, the first of them from byte ``first`` on."""
        return replace(
            self, first=self.first + first, shape=(count, *self.shape[1:]), strides=(pitch, *self.strides[1:])
        )

    def read(self, data: Any, kind: np.dtype[Any], start: int, like: Cells | None = None) -> Array:
        """The elements, a row each, from byte ``start`` of ``data``; a view, if they allow that.

        A row is as long as it is, or as that of ``like``, which may be a row of rows of as many elements.
        """
        found: Array = np.ndarray(self.shape, kind, data, start + self.first, self.strides)
        if self.index is not None:
            found = found[:, self.index]
        row = like.row if like is not None and like.width == self.width else (self.width,)
        return found if self.row == row else found.reshape(-1, *row)

    def write(self, data: Any, kind: np.dtype[Any], start: int, values: Any) -> None:
        """Put ``values`` there, a row each or one for all; no two rows may have a byte in common."""
        found: Array = np.ndarray(self.shape, kind, data, start + self.first, self.strides)
        if self.index is not None:
            found[:, self.index] = values
        elif found.ndim == 2 or not getattr(values, "ndim", 0):
            found[...] = values
        else:
            found[...] = values.reshape(-1, *self.shape[1:])


__all__ = ["Cells"]
