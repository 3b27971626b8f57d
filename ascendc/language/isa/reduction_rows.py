"""What a reduction reads: its source as rows of lanes, one row a repeat, whichever call form says so.

Lanes that take no part hold the instruction's neutral element, so that all rows are equally long.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..block import BLOCK
from ..errors import RangeError
from ..numbers import is_whole
from ..program import Footprint, Space
from .geometry import Layout, joined
from .lanes import Lanes
from .passes import passes, shown

if TYPE_CHECKING:
    from types import FrameType

    from ..core import Core
    from ..memory import LocalTensor

Array = NDArray[Any]
STRIDE_MAX = 65535
"""The largest stride of a reduction, in its units."""


@dataclass(frozen=True)
class Rows:
    """The source of a reduction.

    Attributes:
        layouts: where the lanes lie: full repeats, and a last one with fewer lanes.
        width: lanes of a repeat.
        params: what a label says of it.
        pairs: number of value and index pairs, if only the values take part.
    """

    layouts: tuple[Layout, ...]
    width: int
    params: tuple[tuple[str, Any], ...]
    pairs: int = 0

    @cached_property
    def count(self) -> int:
        """Rows."""
        return sum(layout.repeats for layout in self.layouts)

    @cached_property
    def present(self) -> Array:
        """Which lanes of each row take part."""
        out, row = np.zeros((self.count, self.width), bool), 0
        for layout in self.layouts:
            out[row : row + layout.repeats, layout.lanes.index] = True
            row += layout.repeats
        return out

    @cached_property
    def is_full(self) -> bool:
        """Whether all lanes of all rows take part."""
        return bool(self.present.all())

    def footprints(self, operand: int) -> tuple[Footprint, ...]:
        """Exactly the bytes of the lanes that take part."""
        if self.pairs:
            item = self.layouts[0].item
            return (Footprint(operand, Space.UB, False, item, levels=((self.pairs, 2 * item),)),)
        return tuple(joined([f for layout in self.layouts for f in layout.footprints(operand, write=False)]))

    def read(self, tensor: LocalTensor, neutral: float) -> Array:
        """The rows, (repeats, lanes)."""
        parts = [layout.load(tensor.memory, tensor.dtype, tensor.address) for layout in self.layouts]
        if len(parts) == 1 and parts[0].shape[1] == self.width:
            return parts[0]
        rows, row = np.full((self.count, self.width), neutral, tensor.dtype.numpy), 0
        for layout, cells in zip(self.layouts, parts, strict=True):
            lanes: Any = slice(cells.shape[1]) if layout.lanes.prefix else layout.lanes.index
            rows[row : row + len(cells), lanes] = cells
            row += len(cells)
        return rows

    def element(self, row: int, lane: int) -> int:
        """How many elements behind the first one of the source a lane lies."""
        layout = self.layouts[0] if row < self.layouts[0].repeats else self.layouts[1]
        block, within = divmod(lane, layout.width)
        row -= 0 if layout is self.layouts[0] else self.layouts[0].repeats
        blocks = row * layout.rep_stride + block * layout.blk_stride
        return layout.first // layout.item + blocks * BLOCK // layout.item + within

    @cached_property
    def last_reader(self) -> Array:
        """For each byte of the source, the last row that reads it; −1 if none does."""
        out, row = np.full(max(layout.reach for layout in self.layouts), -1), 0
        for layout in self.layouts:
            for starts in layout.offsets:
                out[starts[:, None] + np.arange(layout.item)] = row
                row += 1
        return out


def masked_rows(
    core: Core,
    frame: FrameType,
    call: str,
    item: int,
    mask: Any,
    repeats: Any,
    blk_stride: Any,
    rep_stride: Any,
) -> Rows:
    """The source of a mask form: the chosen lanes of each repeat.

    Raises:
        RangeError: a stride, the repeats or the mask is out of range.
    """
    width = core.spec.vector.repeat_bytes // item
    blk = check_stride(core, call, "src_blk_stride", blk_stride)
    rep = check_stride(core, call, "src_rep_stride", rep_stride)
    todo = passes(core, frame, call, mask, repeats, width)
    layouts = tuple(Layout(p.lanes, item, p.repeats, blk, rep, BLOCK // item, p.first * rep * BLOCK) for p in todo)
    return Rows(layouts, width, (*shown(mask), ("repeat", sum(p.repeats for p in todo))))


def counted_rows(core: Core, item: int, count: int) -> Rows:
    """The source of a count form: the first ``count`` elements."""
    return _run(core, item, count, 1)


def paired_rows(core: Core, item: int, pairs: int) -> Rows:
    """The values of ``pairs`` pairs of a value and an index."""
    return _run(core, item, 2 * pairs, 2)


def _run(core: Core, item: int, count: int, step: int) -> Rows:
    width = core.spec.vector.repeat_bytes // item
    full, rest = divmod(count, width)
    layouts = []
    for repeats, lanes, first in ((full, width, 0), (1 if rest else 0, rest, full * width * item)):
        if repeats:
            chosen = Lanes(width, tuple(range(0, lanes, step)), prefix=step == 1)
            layouts.append(Layout(chosen, item, repeats, 1, 8, BLOCK // item, first))
    return Rows(tuple(layouts), width, (("count", count),), count // 2 if step == 2 else 0)


def check_stride(core: Core, call: str, name: str, value: Any) -> int:
    """A stride of a reduction, checked against its field.

    Raises:
        RangeError: it does not fit.
    """
    if not is_whole(value) or not 0 <= value <= STRIDE_MAX:
        units = "blocks of 32 bytes" if name.startswith("src") else "results of one repeat"
        core.fail(RangeError, f"{call}: {name} must be a whole number of {units}, 0 to {STRIDE_MAX}, got {value!r}")
    return int(value)


def plain_stride(core: Core, call: str, name: str, value: Any) -> int:
    """As a plan is known by it: a plain int; its range is checked with the plan."""
    return value if type(value) is int else check_stride(core, call, name, value)


__all__ = ["Rows", "check_stride", "counted_rows", "masked_rows", "paired_rows", "plain_stride"]
