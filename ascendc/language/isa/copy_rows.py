"""Where the bytes of one side of a copy lie: in equal rows, mostly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ..program import Footprint, Space


class Place(Protocol):
    """The bytes of one side of a copy."""

    @property
    def reach(self) -> int:
        """Bytes from the first to the end of the last."""

    def footprints(self, operand: int, space: Space, *, write: bool) -> tuple[Footprint, ...]:
        """Exactly these bytes."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Equal rows of bytes: ``count`` of ``nbytes`` each, starts ``pitch`` apart."""

    count: int
    nbytes: int
    pitch: int

    @property
    def reach(self) -> int:
        """Bytes from the first to the end of the last."""
        return (self.count - 1) * self.pitch + self.nbytes

    def footprints(self, operand: int, space: Space, *, write: bool) -> tuple[Footprint, ...]:
        """Exactly these bytes."""
        if self.count == 1 or self.pitch == self.nbytes:
            return (Footprint(operand, space, write, self.count * self.nbytes),)
        return (Footprint(operand, space, write, self.nbytes, levels=((self.count, self.pitch),)),)

    def view(self, data: Any, start: int, kind: Any, nbytes: int | None = None) -> Any:
        """The rows as a (count, elements) view on ``data``; the first ``nbytes`` of each, if given."""
        width = (self.nbytes if nbytes is None else nbytes) // kind.itemsize
        return np.ndarray((self.count, width), kind, data, start, (self.pitch, kind.itemsize))


__all__ = ["Place", "Rows"]
