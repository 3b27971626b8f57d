"""Dividing an array among blocks, and a block's share into tiles.  Host code: it runs before the launch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

import ascendc as asc
from ascendc.language.options import current_options

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Tiling:
    """A division of ``count`` elements.

    Attributes:
        count: elements in all.
        share: elements of a block; the last blocks may get fewer, or none.
        tile: elements a block works on at a time.
    """

    count: int
    share: int
    tile: int

    def part(self, block: int) -> tuple[int, int]:
        """First element of a block, and how many it has."""
        start = min(self.count, block * self.share)
        return start, min(self.share, self.count - start)


def split(array: Array, blocks: int, *, buffers: int) -> Tiling:
    """Equal shares, in equal tiles as large as local memory allows.

    Args:
        array: an operand; all of them have its size and element type.
        blocks: of the launch.
        buffers: tiles that lie in UB at the same time.
    """
    share = equal_share(array, blocks)
    line = _line_elements(array)
    largest = _ub_bytes() // (buffers * array.itemsize) // line * line
    tiles = max(1, asc.ceildiv(share, largest))
    return Tiling(array.size, share, asc.ceildiv(share, tiles * line) * line)


def equal_share(array: Array, blocks: int) -> int:
    """Elements for each of ``blocks`` blocks, in whole cache lines, so that no two blocks write to one."""
    line = _line_elements(array)
    return asc.ceildiv(array.size, max(1, blocks) * line) * line


def _line_elements(array: Array) -> int:
    """Elements of one cache line."""
    return current_options().spec.l2.line_bytes // array.itemsize


def _ub_bytes() -> int:
    """Bytes of UB that can be filled without a warning."""
    spec = current_options().spec
    return spec.core[spec.vector_kind].memory["ub"].warn_above_bytes
