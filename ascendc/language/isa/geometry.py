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
from ..numbers import is_whole
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
    """The lanes a mask argument chooses among ``lanes``.

    Raises:
        UsageError: it is neither a number nor two words.
        RangeError: it chooses lanes that do not exist.
    """
    if isinstance(mask, tuple):
        if len(mask) != 2 or not all(map(is_whole, mask)):
            core.fail(UsageError, f"{call}: a bit mask is a list of two 64-bit words, got {list(mask)!r}")
        if any(not 0 <= m < 1 << 64 for m in mask):
            core.fail(RangeError, f"{call}: each word of a bit mask has 64 bits, got {[hex(m) for m in mask]}")
        bits = int(mask[0]) | int(mask[1]) << 64
        if bits >> lanes:
            core.fail(
                RangeError,
                f"{call}: mask {[hex(m) for m in mask]} chooses lanes from {lanes} on; a repeat has {lanes} lanes"
                + ("; mask[1] must be 0 here" if lanes <= 64 else ""),
            )
        chosen = tuple(i for i in range(lanes) if bits >> i & 1)
        return Lanes(lanes, chosen, chosen == tuple(range(len(chosen))))
    if not is_whole(mask):
        core.fail(UsageError, f"{call}: mask must be a number of lanes or two 64-bit words, got {mask!r}")
    if not 0 <= mask <= lanes:
        core.fail(RangeError, f"{call}: mask {mask} is beyond the {lanes} lanes of a repeat")
    return Lanes(lanes, tuple(range(int(mask))), prefix=True)


@dataclass(frozen=True, slots=True)
class Layout:
    """The lanes of one operand.

    Attributes:
        item: bytes of an element.
        repeats: how many repeats.
        blk_stride, rep_stride: in blocks, between the blocks of a repeat and between repeats.
    """

    item: int
    repeats: int
    blk_stride: int
    rep_stride: int

    @classmethod
    def checked(
        cls, core: Core, call: str, role: str, item: int, repeats: int, blk_stride: Any, rep_stride: Any
    ) -> Layout:
        """A layout whose strides fit the instruction's fields.

        Raises:
            RangeError: they do not.
        """
        for name, value, most in (("blk_stride", blk_stride, 65535), ("rep_stride", rep_stride, 255)):
            if not is_whole(value) or not 0 <= value <= most:
                core.fail(
                    RangeError,
                    f"{call}: {role}_{name} must be a whole number of 32-byte blocks, 0 to {most}, got {value!r}",
                )
        return cls(item, repeats, int(blk_stride), int(rep_stride))

    @property
    def width(self) -> int:
        """Lanes in a block."""
        return BLOCK // self.item

    def reach(self, lanes: Lanes) -> int:
        """Bytes from the address to the end of the furthest lane."""
        block, within = divmod(lanes.last, self.width)
        if not self.blk_stride:  # all blocks are one
            within = max(lane % self.width for lane in lanes.chosen)
        return ((self.repeats - 1) * self.rep_stride + block * self.blk_stride) * BLOCK + (within + 1) * self.item

    def footprints(self, operand: int, lanes: Lanes, *, write: bool) -> tuple[Footprint, ...]:
        """Exactly the bytes of the lanes."""
        again = ((self.repeats, self.rep_stride * BLOCK),) if self.repeats > 1 and self.rep_stride else ()
        if lanes.prefix and self.blk_stride == 1:
            nbytes = len(lanes.chosen) * self.item
            if again and again[0][1] == nbytes:
                return (Footprint(operand, Space.UB, write, nbytes * self.repeats),)
            return (Footprint(operand, Space.UB, write, nbytes, levels=again),)
        if lanes.prefix:
            return self._prefix(operand, lanes, again, write=write)
        return tuple(
            Footprint(
                operand,
                Space.UB,
                write,
                n * self.item,
                first // self.width * self.blk_stride * BLOCK + first % self.width * self.item,
                again,
            )
            for first, n in lanes.runs(self.width)
        )

    def _prefix(
        self, operand: int, lanes: Lanes, again: tuple[tuple[int, int], ...], *, write: bool
    ) -> tuple[Footprint, ...]:
        full, rest = divmod(len(lanes.chosen), self.width)
        out = []
        pitch = self.blk_stride * BLOCK
        if full:
            blocks = ((full, pitch),) if full > 1 and pitch else ()
            out.append(Footprint(operand, Space.UB, write, BLOCK, levels=(*again, *blocks)))
        if rest:
            out.append(Footprint(operand, Space.UB, write, rest * self.item, full * pitch, again))
        return tuple(out)

    def load(self, memory: LocalMemory, kind: DataType, address: int, lanes: Lanes, repeat: int | None) -> Array:
        """The chosen lanes, one row a repeat; a view where possible."""
        cells = self._cells(memory.data, kind.numpy, address, lanes, repeat)
        if lanes.prefix and self.blk_stride == 1:
            return cells
        flat = cells.reshape(cells.shape[0], -1)
        return flat[:, : len(lanes.chosen)] if lanes.prefix else flat[:, lanes.index]

    def store(
        self, memory: LocalMemory, kind: DataType, address: int, lanes: Lanes, repeat: int | None, values: Array
    ) -> None:
        """Write ``values``, one row a repeat, to the chosen lanes and note that they are written."""
        marks = self._marks(memory, address, lanes, repeat)
        cells = self._cells(memory.data, kind.numpy, address, lanes, repeat)
        if lanes.prefix and self.blk_stride == 1:
            cells[...] = values
            marks[...] = 1
            return
        blocks = cells.shape[1]
        take = np.zeros(blocks * self.width, bool)
        take[lanes.index] = True
        full = np.zeros((cells.shape[0], blocks * self.width), kind.numpy)
        full[:, lanes.index] = values
        np.copyto(cells, full.reshape(cells.shape), where=take.reshape(blocks, self.width))
        marks[:, np.repeat(take, self.item).reshape(blocks, BLOCK)] = 1

    def first_hole(self, shadow: bytearray, address: int, lanes: Lanes) -> int:
        """Byte address of the first chosen lane that was never written; −1 if there is none."""
        if shadow.find(0, address, address + self.reach(lanes)) < 0:
            return -1
        written = np.frombuffer(shadow, np.uint8)
        lane = lanes.index
        offsets = lane // self.width * self.blk_stride * BLOCK + lane % self.width * self.item
        starts = (address + np.arange(self.repeats)[:, None] * self.rep_stride * BLOCK + offsets).ravel()
        whole = np.logical_and.reduce([written[starts + b] for b in range(self.item)])
        return -1 if whole.all() else int(starts[int(np.argmin(whole))])

    def _cells(self, data: Array, kind: Any, address: int, lanes: Lanes, repeat: int | None) -> Array:
        """A view on the lanes: (repeats, lanes) if they are one run, else (repeats, blocks, lanes of a block)."""
        pitch = self.rep_stride * BLOCK
        rows, start = (self.repeats, address) if repeat is None else (1, address + repeat * pitch)
        if lanes.prefix and self.blk_stride == 1:
            return np.ndarray((rows, len(lanes.chosen)), kind, data, start, (pitch, self.item))
        blocks = lanes.last // self.width + 1
        shape, strides = (rows, blocks, self.width), (pitch, self.blk_stride * BLOCK, self.item)
        return np.ndarray(shape, kind, data, start, strides)

    def _marks(self, memory: LocalMemory, address: int, lanes: Lanes, repeat: int | None) -> Array:
        """The same for the shadow, in bytes."""
        pitch = self.rep_stride * BLOCK
        rows, start = (self.repeats, address) if repeat is None else (1, address + repeat * pitch)
        if lanes.prefix and self.blk_stride == 1:
            shape: tuple[int, ...] = (rows, len(lanes.chosen) * self.item)
            return np.ndarray(shape, np.uint8, memory.shadow, start, (pitch, 1))
        blocks = lanes.last // self.width + 1
        return np.ndarray((rows, blocks, BLOCK), np.uint8, memory.shadow, start, (pitch, self.blk_stride * BLOCK, 1))
