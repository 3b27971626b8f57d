"""Places in memory as NumPy reaches them fastest: one strided view, or rows and an index into each.

Nothing here knows of lanes or masks: places are numbers of bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Cells:
    """Elements that come again and again, a row each time.

    Attributes:
        first: the lowest of a row.
        shape, strides: of a view on a row: of the elements, or of all from the first to the last.
        index: which elements of that view they are; all, if there is none.
    """

    first: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    index: NDArray[np.intp] | None = None

    @classmethod
    def of(cls, starts: Sequence[int] | NDArray[np.intp], item: int) -> Cells:
        """Elements of ``item`` bytes that start at these bytes, at multiples of ``item`` from each other."""
        at = np.asarray(starts, np.intp)
        steps = np.diff(at)
        inner = int(steps[0]) if len(steps) else item
        changes = np.flatnonzero(steps != inner)
        width = int(changes[0]) + 1 if len(changes) else len(at)
        if width == len(at):
            return cls(int(at[0]), (width,), (inner,))
        outer = int(at[width] - at[0])
        if not len(at) % width:
            count = len(at) // width
            grid = at[0] + np.arange(count)[:, None] * outer + np.arange(width) * inner
            if np.array_equal(grid.ravel(), at):
                return cls(int(at[0]), (count, width), (outer, inner))
        index = (at - at.min()) // item
        return cls(int(at.min()), (int(index.max()) + 1,), (item,), index)

    def view(self, data: Any, kind: Any, start: int, rows: int, pitch: int) -> Array:
        """A view on the row at byte ``start`` of ``data``, and on those after it, ``pitch`` bytes apart."""
        return np.ndarray((rows, *self.shape), kind, data, start + self.first, (pitch, *self.strides))

    def read(self, data: Any, kind: Any, start: int, rows: int, pitch: int) -> Array:
        """The elements, a row each; a view, if they allow that."""
        found = self.view(data, kind, start, rows, pitch)
        if self.index is not None:
            return found[:, self.index]
        return found if found.ndim == 2 else found.reshape(rows, -1)

    def write(self, data: Any, kind: Any, start: int, rows: int, pitch: int, values: Any) -> None:
        """Put ``values`` there, a row each or one for all; no two rows may have a byte in common."""
        found = self.view(data, kind, start, rows, pitch)
        if self.index is not None:
            found[:, self.index] = values
        elif found.ndim == 2 or not np.ndim(values):
            found[...] = values
        else:
            found[...] = values.reshape(-1, *self.shape)


__all__ = ["Cells"]
