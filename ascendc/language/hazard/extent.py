"""Which bytes the accesses of a program touch, as columns.

Accesses start as numbers (a footprint, an address) and become intervals of bytes, half open.  Nothing here
knows about order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ..program import Block, Space, Template

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def spread(first: Ints, count: Ints) -> tuple[Ints, Ints]:
    """``first[i]``, ``first[i] + 1`` … ``count[i]`` numbers for each i, in a row, and the i of each."""
    owner = np.repeat(np.arange(len(count)), count)
    before = np.cumsum(count) - count
    return owner, np.arange(len(owner)) + np.repeat(first - before, count)


class Footprints:
    """The footprints of all templates of a program, numbered one after another.

    Attributes:
        all: the footprints by number.
        operand, space, write: their fields as columns.
        mode: what they do: 0 read, 1 write, and one more number for each kind of atomic store there is.
        leads: whether they are the first of those in a row that read, or write, the same operand: all of these
            together are what the instruction does to it.
        shape: of those that lead, equal numbers if all of them together touch the same bytes from the same address.
        low, high: their spans as columns.
    """

    def __init__(self, templates: Sequence[Template]) -> None:
        self.all = [f for t in templates for f in t.footprints]
        self._count = np.array([len(t.footprints) for t in templates], np.int64)
        self._first = np.cumsum(self._count) - self._count
        self.operand = np.array([f.operand for f in self.all], np.int64)
        self.space = np.array([f.space for f in self.all], np.int64)
        self.write = np.array([f.write for f in self.all], np.bool_)
        self.mode = _modes(templates)
        spans = np.array([f.span for f in self.all], np.int64).reshape(-1, 2)
        sides = [(n, f.operand, f.write, f.space) for n, t in enumerate(templates) for f in t.footprints]
        self.leads = np.array([i == 0 or sides[i] != sides[i - 1] for i in range(len(sides))], np.bool_)
        shapes: dict[tuple[object, ...], int] = {}
        bytes_of = [(f.space, f.nbytes, f.offset, f.levels) for f in self.all]
        groups = zip(self._leaders.tolist(), self._followers.tolist(), strict=True)
        keys = [tuple(bytes_of[first:end]) for first, end in groups]
        self.shape = np.full(len(self.all), -1)
        self.shape[self._leaders] = [shapes.setdefault(key, len(shapes)) for key in keys]
        self.low, self.high = spans[:, 0], spans[:, 1]

    def of(self, templates: NDArray[np.integer[Any]]) -> tuple[Ints, Ints]:
        """All footprints of rows with these template numbers: which row, and the footprint's number."""
        return spread(self._first[templates], self._count[templates])

    def having(self, mask: Bools) -> Bools:
        """Which templates have a footprint that ``mask`` marks."""
        return np.bincount(np.repeat(np.arange(len(self._count)), self._count), mask, len(self._count)) > 0

    def runs(self, number: Ints, address: Ints) -> tuple[Ints, Ints, Ints]:
        """The contiguous runs of accesses by footprint number and address: which access, low, high."""
        return self._at(number, number + 1, address)

    def spans_together(self, number: Ints, address: Ints) -> tuple[Ints, Ints]:
        """From the first byte to the last of accesses by address and footprint that leads: low, high."""
        group = np.searchsorted(self._leaders, number)
        low, high = np.minimum.reduceat(self.low, self._leaders), np.maximum.reduceat(self.high, self._leaders)
        return address + low[group], address + high[group]

    def runs_together(self, number: Ints, address: Ints) -> tuple[Ints, Ints, Ints]:
        """As :meth:`runs`, for footprints that lead: of all that belong together."""
        return self._at(number, self._followers[np.searchsorted(self._leaders, number)], address)

    def _at(self, begin: Ints, end: Ints, address: Ints) -> tuple[Ints, Ints, Ints]:
        ends, start, nbytes = self._runs
        access, run = spread(ends[begin], ends[end] - ends[begin])
        low = address[access] + start[run]
        return access, low, low + nbytes[run]

    @cached_property
    def _leaders(self) -> Ints:
        """Footprints that lead."""
        return np.flatnonzero(self.leads)

    @cached_property
    def _followers(self) -> Ints:
        """The footprint after the last one of each that leads."""
        return np.append(self._leaders, len(self.all))[1:]

    @cached_property
    def _runs(self) -> tuple[Ints, Ints, Ints]:
        """How many runs there are before each footprint and after the last; where each starts, and its bytes."""
        starts = [f.starts[: None if f.nbytes > 0 else 0] for f in self.all]
        count = np.array([0, *map(len, starts)], np.int64)
        nbytes = np.array([f.nbytes for f in self.all], np.int64)
        return np.cumsum(count), np.concatenate([np.empty(0, np.int64), *starts]), np.repeat(nbytes, count[1:])


def _modes(templates: Sequence[Template]) -> Ints:
    """See :class:`Footprints`: atomic stores of one kind commute, so they do not mind each other."""
    kinds: dict[str, int] = {}
    modes = []
    for t in templates:
        kind = dict(t.params).get("atomic")
        stored = kinds.setdefault(kind, len(kinds) + 2) if kind else 1
        modes += [(stored if f.space is Space.GM else 1) if f.write else 0 for f in t.footprints]
    return np.array(modes, np.int64)


def first_like(block: Block, footprints: Footprints, addresses: Ints) -> Ints:
    """For each row that accesses memory the first row of its template with the same addresses; -1 for the others.

    ``addresses`` stand in for those of the block.
    """
    like = np.full(len(block), -1)
    order = np.argsort(block.rows, kind="stable")
    used, start = np.unique(block.rows[order], return_index=True)
    accesses = footprints.having(np.ones(len(footprints.all), np.bool_))
    ends = np.append(start, len(order))[1:]
    for template, begin, end in zip(used.tolist(), start.tolist(), ends.tolist(), strict=True):
        if accesses[template]:
            rows = order[begin:end]
            width = len(block.templates[template].operands)
            keys = addresses[block.offsets[rows][:, None] + np.arange(width)]
            seen: dict[tuple[int, ...], int] = {}
            same = zip(map(tuple, keys.tolist()), rows.tolist(), strict=True)
            like[rows] = [seen.setdefault(key, row) for key, row in same]
    return like


@dataclass(frozen=True, slots=True)
class Extents:
    """Intervals of global memory that rows of blocks touch; one entry each.

    Attributes:
        block, row: who.
        footprint: number of the footprint.
        address: where the footprint was put.
        low, high: the bytes.
        write: whether they are written.
        mode: of the footprint.
    """

    block: Ints
    row: Ints
    footprint: Ints
    address: Ints
    low: Ints
    high: Ints
    write: Bools
    mode: Ints

    def __len__(self) -> int:
        return len(self.row)

    def take(self, which: Bools | Ints) -> Self:
        """The entries ``which`` selects."""
        return type(self)(*(getattr(self, f.name)[which] for f in fields(self)))

    def exact(self, footprints: Footprints) -> Self:
        """The contiguous runs of these accesses, in place of their spans."""
        access, low, high = footprints.runs(self.footprint, self.address)
        runs = self.take(access)
        return replace(runs, low=low, high=high)


def global_extents(blocks: Sequence[Block], footprints: Footprints) -> Extents:
    """The span of every access to global memory, block after block, in order of issue."""
    touches_gm = footprints.having(footprints.space == Space.GM)
    parts = [_of_block(number, block, footprints, touches_gm) for number, block in enumerate(blocks)]
    block, row, footprint, address = np.concatenate([np.empty((4, 0), np.int64), *parts], axis=1)
    return Extents(
        *(block, row, footprint, address),
        low=address + footprints.low[footprint],
        high=address + footprints.high[footprint],
        write=footprints.write[footprint],
        mode=footprints.mode[footprint],
    )


def _of_block(number: int, block: Block, footprints: Footprints, touches_gm: Bools) -> Ints:
    rows = np.flatnonzero(touches_gm[block.rows])
    owner, footprint = footprints.of(block.rows[rows])
    is_global = footprints.space[footprint] == Space.GM
    row, footprint = rows[owner[is_global]], footprint[is_global]
    address = block.addresses[block.offsets[row] + footprints.operand[footprint]]
    return np.stack((np.full(len(row), number), row, footprint, address))
