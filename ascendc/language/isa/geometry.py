"""Where the lanes of a masked vector instruction lie in memory.

A repeat is up to eight blocks of 32 bytes of the widest operand; the mask chooses lanes in it, the same in
every repeat.  A :class:`Layout` places those lanes for one operand.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RangeError, UsageError
from ..mask import MaskRegister
from ..program import Footprint, Space

if TYPE_CHECKING:
    from ..core import Core, LocalMemory
    from ..dtypes import DataType

Array = NDArray[Any]
BLOCK = 32
"""Bytes of a block: the unit of all strides."""


@dataclass(frozen=True)
class Lanes:
    """The lanes of a repeat that take part.

    Attributes:
        count: how many lanes a repeat has.
        chosen: their numbers, ascending.
        prefix: whether they are the first ones.
    """

    count: int
    chosen: tuple[int, ...]
    prefix: bool

    @classmethod
    def first(cls, chosen: int, count: int = 0) -> Lanes:
        """The first ``chosen`` of ``count``; all, if that is not given."""
        return cls(count or chosen, tuple(range(chosen)), prefix=True)

    @property
    def last(self) -> int:
        """The highest lane; −1 if there is none."""
        return self.chosen[-1] if self.chosen else -1

    @cached_property
    def index(self) -> NDArray[np.intp]:
        """``chosen`` as an array."""
        return np.array(self.chosen, np.intp)

    def runs(self, width: int) -> list[tuple[int, int]]:
        """(first lane, lanes) of each run of neighbours, cut at multiples of ``width``."""
        out: list[tuple[int, int]] = []
        for lane in self.chosen:
            if out and sum(out[-1]) == lane and lane % width:
                out[-1] = (out[-1][0], out[-1][1] + 1)
            else:
                out.append((lane, 1))
        return out


def parse_mask(core: Core, call: str, mask: Any, lanes: int) -> Lanes:
    """The lanes a mask argument chooses among ``lanes``; of the register, those a repeat has.

    Raises:
        UsageError: the register counts elements.
        RangeError: it chooses lanes that do not exist.
    """
    if isinstance(mask, MaskRegister):
        if mask.counts:
            core.fail(UsageError, f"{call}: it does not work in counter mode; leave that with set_mask_norm()")
        return _lanes_of((mask.low | mask.high << 64) & (1 << lanes) - 1, lanes)
    if isinstance(mask, tuple):
        if any(not 0 <= m < 1 << 64 for m in mask):
            core.fail(RangeError, f"{call}: each word of a bit mask has 64 bits, got {[hex(m) for m in mask]}")
        bits = mask[0] | mask[1] << 64
        if bits >> lanes:
            core.fail(
                RangeError,
                f"{call}: mask {[hex(m) for m in mask]} chooses lanes from {lanes} on; a repeat has {lanes} lanes"
                + ("; mask[1] must be 0 here" if lanes <= 64 else ""),
            )
        return _lanes_of(bits, lanes)
    if not 0 <= mask <= lanes:
        core.fail(RangeError, f"{call}: mask {mask} is beyond the {lanes} lanes of a repeat")
    return Lanes.first(mask, lanes)


def _lanes_of(bits: int, lanes: int) -> Lanes:
    chosen = tuple(i for i in range(lanes) if bits >> i & 1)
    return Lanes(lanes, chosen, chosen == tuple(range(len(chosen))))


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

    @cached_property
    def is_run(self) -> bool:
        """Whether the lanes of a repeat are neighbours in memory."""
        return self.lanes.prefix and self.blk_stride == 1 and self.width * self.item == BLOCK

    @cached_property
    def _is_whole(self) -> bool:
        """Whether the lanes of a repeat are all lanes of some blocks."""
        return self.lanes.prefix and not len(self.lanes.chosen) % self.width

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
        lane = self.lanes.index
        within = self.first + lane // self.width * self.blk_stride * BLOCK + lane % self.width * self.item
        return np.arange(self.repeats)[:, None] * self._pitch + within

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
            Footprint(
                operand,
                Space.UB,
                write,
                n * self.item,
                self.first + lane // self.width * self.blk_stride * BLOCK + lane % self.width * self.item,
                again,
            )
            for lane, n in self.lanes.runs(self.width)
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

    def load(self, memory: LocalMemory, kind: DataType, address: int, repeat: int | None) -> Array:
        """The lanes of one repeat, or of all: one row a repeat; a view if they are neighbours."""
        if self.is_run:
            return self._cells(memory.data, kind.numpy, self.item, address, repeat)
        return memory.view(kind)[self._at(address, repeat)]

    def store(self, memory: LocalMemory, kind: DataType, address: int, repeat: int | None, values: Array) -> None:
        """Write ``values``, one row a repeat, to the lanes and note that they are written."""
        if self.is_run or self._is_whole:
            cells = self._cells(memory.data, kind.numpy, self.item, address, repeat)
            cells[...] = values.reshape(cells.shape) if values.ndim else values
        else:
            memory.view(kind)[self._at(address, repeat)] = values
        if memory.shadow.find(0, address + self.first, address + self.reach) >= 0:
            self._mark(memory.shadow, address, repeat)

    def _mark(self, shadow: bytearray, address: int, repeat: int | None) -> None:
        """Note that the lanes are written."""
        if self.is_run or self._is_whole:
            self._cells(shadow, np.uint8, 1, address, repeat)[...] = 1
            return
        kind_of_marks, known = _MARKS[self.item]
        np.frombuffer(shadow, kind_of_marks)[self._at(address, repeat)] = known

    def first_hole(self, shadow: bytearray, address: int) -> int:
        """Byte address of the first lane that was never written; −1 if there is none."""
        if shadow.find(0, address + self.first, address + self.reach) < 0:
            return -1
        kind_of_marks, known = _MARKS[self.item]
        at = self._at(address, None).ravel()
        whole = np.frombuffer(shadow, kind_of_marks)[at] == known
        return -1 if whole.all() else int(at[int(np.argmin(whole))]) * self.item

    def _at(self, address: int, repeat: int | None) -> NDArray[np.intp]:
        """The lanes as elements of the whole memory."""
        places = self._places
        at = places.get(address)
        if at is None:
            if len(places) == _KEPT:
                places.clear()
            at = places[address] = self.offsets // self.item + address // self.item
        return at if repeat is None else at[repeat : repeat + 1]

    @cached_property
    def _places(self) -> dict[int, NDArray[np.intp]]:
        """The lanes from the addresses they were last used from: a loop has few of them."""
        return {}

    def _cells(self, data: Any, kind: Any, item: int, address: int, repeat: int | None) -> Array:
        """A view on the lanes, or on the bytes of them: (repeats, run) or (repeats, blocks, width)."""
        rows, start = self.repeats, address + self.first
        if repeat is not None:
            rows, start = 1, start + repeat * self._pitch
        per_lane = self.item // item
        if self.is_run:
            return np.ndarray((rows, len(self.lanes.chosen) * per_lane), kind, data, start, (self._pitch, item))
        shape = (rows, len(self.lanes.chosen) // self.width, self.width * per_lane)
        return np.ndarray(shape, kind, data, start, (self._pitch, self.blk_stride * BLOCK, item))


def joined(prints: list[Footprint]) -> list[Footprint]:
    """Two runs that follow each other as one: the last repeat of an instruction that counts elements."""
    if len(prints) == 2 and not prints[0].levels and not prints[1].levels and prints[0].span[1] == prints[1].offset:
        a, b = prints
        return [Footprint(a.operand, a.space, a.write, a.nbytes + b.nbytes, a.offset)]
    return prints


_KEPT = 8
"""Addresses whose lanes a layout remembers."""

_MARKS: dict[int, tuple[np.dtype[Any], int]] = {
    n: (np.dtype(f"u{n}"), int.from_bytes(b"\1" * n, "little")) for n in (1, 2, 4, 8)
}
"""By bytes of an element: how its part of the shadow reads as one number, and that number once written."""
