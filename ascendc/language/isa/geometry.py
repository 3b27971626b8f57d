"""Where the lanes of a masked vector instruction lie in memory.

A repeat is up to eight blocks of 32 bytes of the widest operand; the mask chooses lanes in it, the same in
every repeat.  A :class:`Layout` places those lanes for one operand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..block import BLOCK
from ..cells import Cells
from ..program import Footprint, Space
from .lanes import Lanes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..core import LocalMemory
    from ..dtypes import DataType

Array = NDArray[Any]


@dataclass(frozen=True)
class Layout:
    """The lanes of one operand.

    Attributes:
        lanes: which of a repeat's lanes they are.
        item: bytes of an element.
        repeats: how many repeats.
        blk_stride, rep_stride: in blocks, between the blocks of a repeat and between repeats.
        width: lanes in a block.
        first: bytes from the operand's address to lane 0.
        row: number of the first of its repeats in the whole instruction.
    """

    lanes: Lanes
    item: int
    repeats: int
    blk_stride: int
    rep_stride: int
    width: int
    first: int = 0
    row: int = 0

    @property
    def _pitch(self) -> int:
        return self.rep_stride * BLOCK

    def rows(self, first: int, count: int) -> Layout:
        """Some of its repeats."""
        made = replace(self, repeats=count, first=self.first + first * self._pitch, row=self.row + first)
        made.__dict__["_row"] = self._row  # the same lanes, found once
        return made

    def only(self, lanes: Lanes) -> Layout:
        """Some of its lanes; two of another operand's may be one of this one's, or half of one."""
        return replace(self, lanes=lanes.among(self.lanes.count))

    def followed_by(self, other: Layout) -> Layout | None:
        """Both as one repeat, if all their lanes are one run of neighbours."""
        row, whole = len(self.lanes.chosen), self.repeats * self._pitch
        if not (self.is_run and other.is_run and self._pitch == row * self.item and other.repeats == 1):
            return None
        if other.first != self.first + whole:
            return None
        return replace(self, lanes=Lanes.first(self.repeats * row + len(other.lanes.chosen)), repeats=1)

    @cached_property
    def is_run(self) -> bool:
        """Whether the lanes of a repeat are neighbours in memory."""
        return self.lanes.prefix and self.blk_stride == 1 and self.width * self.item == BLOCK

    @property
    def meets_itself(self) -> bool:
        """Whether a block of a repeat may be one of another repeat, too."""
        return self.repeats > 1 and self.rep_stride <= self.lanes.last // self.width * self.blk_stride

    @cached_property
    def apart(self) -> tuple[Lanes, ...]:
        """The lanes in parts, each of which no two repeats have in common, the last block first.

        What block b of a repeat and block b − n of a later one share is in different parts, and the later
        repeat's part comes later: part by part leaves the same as repeat by repeat.
        """
        if not self.meets_itself:
            return (self.lanes,)
        blocks = self.rep_stride // math.gcd(self.rep_stride, self.blk_stride)
        parts: dict[int, list[int]] = {}
        for lane in self.lanes.chosen:
            parts.setdefault(lane // self.width // blocks, []).append(lane)
        return tuple(Lanes.of(parts[part], self.lanes.count) for part in sorted(parts, reverse=True))

    @cached_property
    def reach(self) -> int:
        """Bytes from the address to the end of the furthest lane."""
        block, within = divmod(self.lanes.last, self.width)
        if not self.blk_stride:  # all blocks are one
            within = max(lane % self.width for lane in self.lanes.chosen)
        blocks = (self.repeats - 1) * self.rep_stride + block * self.blk_stride
        return self.first + blocks * BLOCK + (within + 1) * self.item

    @cached_property
    def offsets(self) -> NDArray[np.intp]:
        """Bytes from the address to each lane, one row a repeat."""
        return np.arange(self.repeats)[:, None] * self._pitch + (self.first + self._within)

    @property
    def _within(self) -> NDArray[np.intp]:
        """Bytes from the first lane of a repeat to each that takes part."""
        lane = self.lanes.index
        return lane // self.width * self.blk_stride * BLOCK + lane % self.width * self.item

    @cached_property
    def _row(self) -> Cells:
        return Cells.of(self._within, self.item)

    @cached_property
    def _cells(self) -> Cells:
        return self._row.rows(self.first, self.repeats, self._pitch)

    @cached_property
    def bits(self) -> tuple[int, int]:
        """The bytes of one repeat: the first, from the address, and a number with bit i set for byte i from there."""
        starts = self.offsets[:1].ravel().tolist()
        low = min(starts, default=0)
        cell = (1 << self.item) - 1
        bits = 0
        for start in starts:
            bits |= cell << start - low
        return low, bits

    def footprints(self, operand: int, *, write: bool) -> tuple[Footprint, ...]:
        """Exactly the bytes of the lanes."""
        again = ((self.repeats, self._pitch),) if self.repeats > 1 and self.rep_stride else ()
        if self.is_run:
            nbytes = len(self.lanes.chosen) * self.item
            if again and self._pitch == nbytes:
                return (Footprint(operand, Space.UB, write, nbytes * self.repeats, self.first),)
            return (Footprint(operand, Space.UB, write, nbytes, self.first, again),)
        if self.lanes.prefix:
            return self._prefix(operand, again, write=write)
        return tuple(
            Footprint(operand, Space.UB, write, nbytes, first, (*again, (count, step)) if count > 1 else again)
            for first, nbytes, count, step in self._runs()
        )

    def _runs(self) -> list[tuple[int, int, int, int]]:
        """The runs of neighbours in a repeat; see :func:`spaced`."""
        blocks = ((*divmod(lane, self.width), lanes) for lane, lanes in self.lanes.runs(self.width))
        return spaced(
            (self.first + block * self.blk_stride * BLOCK + within * self.item, lanes * self.item)
            for block, within, lanes in blocks
        )

    def _prefix(self, operand: int, again: tuple[tuple[int, int], ...], *, write: bool) -> tuple[Footprint, ...]:
        full, rest = divmod(len(self.lanes.chosen), self.width)
        out = []
        pitch = self.blk_stride * BLOCK
        if full:
            blocks = ((full, pitch),) if full > 1 and pitch else ()
            out.append(Footprint(operand, Space.UB, write, self.width * self.item, self.first, (*again, *blocks)))
        if rest:
            out.append(Footprint(operand, Space.UB, write, rest * self.item, self.first + full * pitch, again))
        return tuple(out)

    def load(self, memory: LocalMemory, kind: DataType, address: int, into: Layout | None = None) -> Array:
        """The lanes, one row a repeat; a view if they are evenly spaced, or as evenly as those they go ``into``."""
        return self._cells.read(memory.data, kind.numpy, address, into._cells if into else None)

    def shaped(self, values: Array) -> Array:
        """Values of the lanes, a row each, as what is loaded to go into this layout."""
        return values.reshape(-1, *self._cells.row)

    def store(self, memory: LocalMemory, kind: DataType, address: int, values: Array) -> None:
        """Write ``values``, one row a repeat, to the lanes and note that they are written; repeats must not meet."""
        self._cells.write(memory.data, kind.numpy, address, values)
        if memory.shadow.find(0, address + self.first, address + self.reach) >= 0:
            marks, known = _MARKS[self.item]
            self._cells.write(memory.shadow, marks, address, known)

    def put(self, memory: LocalMemory, kind: DataType, address: int, values: Array) -> None:
        """As :meth:`store`, but where repeats meet the last one counts."""
        if not self.meets_itself:
            self.store(memory, kind, address, values)
        elif not self.rep_stride:
            self.rows(self.repeats - 1, 1).store(memory, kind, address, values[-1:])
        else:
            for part, columns in self._parts:
                part.store(memory, kind, address, values[:, columns])

    @cached_property
    def _parts(self) -> tuple[tuple[Layout, NDArray[np.intp]], ...]:
        """The lanes of :attr:`apart`, and which of all they are."""
        return tuple((self.only(lanes), np.searchsorted(self.lanes.index, lanes.index)) for lanes in self.apart)

    def first_hole(self, shadow: bytearray, address: int) -> int:
        """Byte address of the first lane that was never written; −1 if there is none."""
        if shadow.find(0, address + self.first, address + self.reach) < 0:
            return -1
        marks, known = _MARKS[self.item]
        whole = self._cells.read(shadow, marks, address) == known
        return -1 if whole.all() else address + int(self.offsets.flat[int(np.argmin(whole))])


def spaced(runs: Iterable[tuple[int, int]]) -> list[tuple[int, int, int, int]]:
    """Runs of (first byte, bytes), together where they are equal and evenly spaced.

    Each: first byte, bytes, how many of these follow each other, bytes between their starts.
    """
    out: list[tuple[int, int, int, int]] = []
    for start, length in runs:
        first, nbytes, count, step = out[-1] if out else (0, 0, 0, 0)
        if nbytes == length and (first < start if count == 1 else start == first + count * step):
            out[-1] = (first, nbytes, count + 1, (start - first) // count)
        else:
            out.append((start, length, 1, 0))
    return out


def joined(prints: list[Footprint]) -> list[Footprint]:
    """Two runs that follow each other as one: the last repeat of an instruction that counts elements."""
    if len(prints) == 2 and not prints[0].levels and not prints[1].levels and prints[0].span[1] == prints[1].offset:
        a, b = prints
        return [Footprint(a.operand, a.space, a.write, a.nbytes + b.nbytes, a.offset)]
    return prints


_MARKS: dict[int, tuple[np.dtype[Any], int]] = {
    n: (np.dtype(f"u{n}"), int.from_bytes(b"\1" * n, "little")) for n in (1, 2, 4, 8)
}
"""By bytes of an element: how its part of the shadow reads as one number, and that number once written."""
