"""Padding taken for data: what ``data_copy_pad`` put behind a row by itself, and somebody stores or adds up.

A row that is no whole number of blocks of 32 bytes is filled up, in local memory, with copies of its first element.
A kernel may compute with these dummies as long as it does not keep the result.  They are followed lane by lane
through copies and elementwise instructions; what another instruction makes of them (a maximum, a sort) is its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..block import BLOCK
from ..enums import PipeID
from ..isa.copies import Copy
from ..isa.dma_pad import DataCopyPad
from ..isa.elementwise import Elementwise
from ..program import Block, Footprint, Space, Template
from .extent import Footprints, Ints, first_like
from .hits import Hit, Hits, Rule

Step = Callable[[int], None]
"""What the row with this number does to the dummies."""

_SUMS = ("reduce_sum", "whole_reduce_sum", "repeat_reduce_sum")
"""By name: importing them takes time, and few kernels have them."""
_WIDENINGS = (1, 2, 4)
"""How much wider the elements of one side of an elementwise instruction can be; other sides are no lanes of it."""


def taken_for_data(block: Block, footprints: Footprints, addresses: Ints, ub_bytes: int) -> list[Hit]:
    """The stores and sums of ``block`` that take dummies for data, each with the load that made them.

    Args:
        block: one block.
        footprints: of its program.
        addresses: its addresses, with -1 for those in global memory.
        ub_bytes: the size of UB.
    """
    makers = [t for t in np.unique(block.rows).tolist() if dummy_bytes(block.templates[t])]
    if not makers:
        return []
    hits, lanes, steps = Hits(block.rows.tolist()), _Lanes(ub_bytes), dict[int, Step]()
    like = first_like(block, footprints, addresses)
    touching = footprints.having(footprints.space == Space.UB)[block.rows]
    touching[: int(np.argmax(np.isin(block.rows, makers)))] = False
    for row in np.flatnonzero(touching).tolist():
        first = int(like[row])
        if first not in steps:
            at = addresses[block.offsets[first] : block.offsets[first + 1]].tolist()
            steps[first] = _step(block.templates[block.rows[first]], at, lanes, hits)
        steps[first](row)
    return hits.sorted()


def dummy_bytes(template: Template) -> int:
    """Bytes of dummies behind each row of a load; nothing else has any."""
    params = dict(template.params)
    if not isinstance(template.op, DataCopyPad) or params.get("left", 1) or params["right"]:
        return 0
    return int(-params["block_len"] % BLOCK)


def _row_bytes(template: Template) -> int:
    """Bytes of a row in UB, dummies and all."""
    return int(dict(template.params)["block_len"]) + dummy_bytes(template)


@dataclass(frozen=True)
class _Side:
    """What a row reads, or writes, of UB from one address.

    Attributes:
        low, high: the span of it.
    """

    address: int
    prints: tuple[Footprint, ...]

    @cached_property
    def low(self) -> int:
        return self.address + min(f.span[0] for f in self.prints)

    @cached_property
    def high(self) -> int:
        return self.address + max(f.span[1] for f in self.prints)

    @cached_property
    def at(self) -> Ints:
        """Every byte, in order of access."""
        parts = [np.add.outer(np.array(f.runs(), np.int64), np.arange(f.nbytes)).ravel() for f in self.prints]
        return self.address + np.concatenate(parts)


class _Lanes:
    """Which bytes of UB are dummies, or came of them, and of which row's."""

    def __init__(self, size: int) -> None:
        self._is_dummy, self._maker = bytearray(size), np.zeros(size, np.int64)
        self._marks = np.frombuffer(self._is_dummy, np.uint8)

    def meet(self, side: _Side) -> bool:
        """Whether there may be any on this side of a row: a quick look."""
        return self._is_dummy.find(1, side.low, side.high) >= 0

    def makers(self, side: _Side) -> Ints:
        """For each byte the row that made it, -1 for those that are data."""
        return np.where(self._marks[side.at] == 1, self._maker[side.at], -1)

    def put(self, at: Ints, makers: Ints | int) -> None:
        """Make these bytes what ``makers`` says."""
        self._maker[at] = makers
        self._marks[at] = self._maker[at] >= 0


def _step(template: Template, addresses: Sequence[int], lanes: _Lanes, hits: Hits) -> Step:
    reads, writes = (_sides(template, addresses, write=write) for write in (False, True))
    if template.pipe is PipeID.PIPE_MTE3 or template.op.name in _SUMS:
        return _taking(reads, writes, lanes, hits)
    if not writes:
        return lambda row: None
    (target,) = writes[:1]
    if dummy_bytes(template):
        return _making(target, target.at.reshape(-1, _row_bytes(template))[:, -dummy_bytes(template) :], lanes)
    sources = reads if isinstance(template.op, Elementwise | Copy) else []
    sizes = {target.at.size * n for n in _WIDENINGS} | {target.at.size // n for n in _WIDENINGS}
    return _passing(target, [s for s in sources if s.at.size in sizes], lanes)


def _sides(template: Template, addresses: Sequence[int], *, write: bool) -> list[_Side]:
    mine = [f for f in template.footprints if f.write is write and f.space is Space.UB]
    operands = dict.fromkeys(f.operand for f in mine)
    return [_Side(addresses[o], tuple(f for f in mine if f.operand == o)) for o in operands]


def _making(target: _Side, dummies: Ints, lanes: _Lanes) -> Step:
    def step(row: int) -> None:
        lanes.put(target.at, -1)
        lanes.put(dummies, row)

    return step


def _taking(sources: Sequence[_Side], targets: Sequence[_Side], lanes: _Lanes, hits: Hits) -> Step:
    """A store, or a sum, takes what it reads for data."""

    def step(row: int) -> None:
        for source in sources:
            if lanes.meet(source):
                maker = int(lanes.makers(source).max())
                if maker >= 0:
                    hits.add(Rule.PADDING, maker, row)
        for target in targets:
            lanes.put(target.at, -1)

    return step


def _passing(target: _Side, sources: Sequence[_Side], lanes: _Lanes) -> Step:
    """What is written is a dummy where a source is one, and data everywhere else."""

    def step(row: int) -> None:
        found = [lanes.makers(source) for source in sources if lanes.meet(source)]
        if found or lanes.meet(target):
            made = np.full(target.at.size, -1)
            for makers in found:
                np.maximum(made, _resized(makers, made.size), out=made)
            lanes.put(target.at, made)

    return step


def _resized(makers: Ints, size: int) -> Ints:
    """For elements of other bytes: those of a wider one are all alike, as are those of a narrower one."""
    if size >= makers.size:
        return np.repeat(makers, size // makers.size)
    widest: Ints = makers.reshape(size, -1).max(axis=1)
    return widest
