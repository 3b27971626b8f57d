"""Global memory: which of its bytes can be fought over, within a block and between blocks.

Most kernels write each output byte once and never read it back, so nearly all accesses are dismissed in bulk:
first by their spans, then by their exact runs.  What is left goes to ``order`` for one block, and is a finding
as it stands between two blocks, since nothing orders blocks.  Atomic stores of one kind commute: they mind
everybody else, but not each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ..program import Block
from .extent import Bools, Extents, Footprints, Ints, global_extents

Interval = tuple[Ints, Ints]
"""First bytes, and those after the last, of several intervals."""

_ATOMIC = 2
"""The first mode that is an atomic store."""


@dataclass(frozen=True, slots=True)
class Clash:
    """Two accesses of different blocks to the same bytes, at least one of them a write.

    Attributes:
        blocks, rows, writes: of the two, the one of the lower block first.
        low, high: the bytes both touch.
    """

    blocks: tuple[int, int]
    rows: tuple[int, int]
    writes: tuple[bool, bool]
    low: int
    high: int


def contested(blocks: Sequence[Block], footprints: Footprints) -> tuple[Extents, Extents]:
    """The accesses that meet a conflicting one of their own block, and those that meet one of another block."""
    spans = global_extents(blocks, footprints)
    spans = spans.take(spans.high > spans.low)
    if not spans.write.any():
        return spans.take(spans.write), spans.take(spans.write)
    written = _union(spans.low[spans.write], spans.high[spans.write])
    spans = spans.take(_touches(spans.low, spans.high, written))

    within = spans.take(_within(spans)).exact(footprints)
    between = spans.take(_between(spans))
    if len(between):
        between = between.exact(footprints)
        between = between.take(_between(between))
    return within.take(_within(within)), between


def _within(extents: Extents) -> Bools:
    """Which overlap another one of the same block, at least one of the two writing."""
    low, high, _ = _apart(extents, extents.block)
    writes = _merged(extents.take(extents.write), low[extents.write], high[extents.write])
    return _touches(low, high, _zones(writes, _merged(extents, low, high)))


def _merged(extents: Extents, low: Ints, high: Ints) -> Interval:
    """The intervals ``low`` to ``high`` of ``extents``, those of one kind of atomic store as their union."""
    plain = extents.mode < _ATOMIC
    kinds = [extents.mode == mode for mode in np.unique(extents.mode[~plain])]
    lows, highs = zip((low[plain], high[plain]), *(_union(low[kind], high[kind]) for kind in kinds), strict=True)
    return np.concatenate(lows), np.concatenate(highs)


def _between(extents: Extents) -> Bools:
    """Which overlap one of another block, at least one of the two writing."""
    atomic = extents.mode >= _ATOMIC
    party = np.where(atomic, extents.block.max(initial=0) + extents.mode, extents.block)
    low, high, stride = _apart(extents, party)

    def together(low: Ints, high: Ints) -> Interval:
        return low % stride, low % stride + high - low

    writes = together(*_union(low[extents.write], high[extents.write]))
    every = together(*_union(low, high))
    return _touches(*together(low, high), _zones(writes, every))


def _apart(extents: Extents, party: Ints) -> tuple[Ints, Ints, int]:
    """The intervals with each party's addresses moved by a stride, so that those of two parties never meet."""
    base = extents.low.min(initial=0)
    stride = int(extents.high.max(initial=0) - base) + 1
    shift = party * stride - base
    return extents.low + shift, extents.high + shift, stride


def _union(low: Ints, high: Ints) -> Interval:
    """The bytes covered, as disjoint intervals in ascending order."""
    order = np.argsort(low, kind="stable")
    low, high = low[order], np.maximum.accumulate(high[order])
    gap = low[1:] > high[:-1]
    first, last = np.ones(len(low), np.bool_), np.ones(len(low), np.bool_)
    first[1:] = last[:-1] = gap
    return low[first], high[last]


def _zones(writes: Interval, every: Interval) -> Interval:
    """Where at least one of ``writes`` and two of ``every`` overlap; ``every`` contains ``writes``."""
    edge = np.concatenate((*writes, *every))
    n, m = len(writes[0]), len(every[0])
    writers = np.repeat([1, -1, 0, 0], [n, n, m, m])
    users = np.repeat([0, 0, 1, -1], [n, n, m, m])
    order = np.argsort(edge, kind="stable")
    edge = edge[order]
    contested = (np.cumsum(writers[order]) >= 1) & (np.cumsum(users[order]) >= 2)
    zone = contested[:-1] & (edge[:-1] < edge[1:])
    return edge[:-1][zone], edge[1:][zone]


def _touches(low: Ints, high: Ints, zones: Interval) -> Bools:
    """Which intervals have a byte in common with any of the disjoint, ascending ``zones``."""
    return np.searchsorted(zones[1], low, "right") < np.searchsorted(zones[0], high, "left")


def clashes(between: Extents) -> Iterator[Clash]:
    """Pairs of different blocks among these accesses, by address: for each access, one of every footprint it meets.

    Accesses that commute are not even looked at, so the work is that of sorting, and of the pairs given.
    """
    between = _distinct(between)
    order = np.argsort(between.low, kind="stable")
    columns = (between.block, between.row, between.footprint, between.low, between.high, between.mode)
    open_: dict[int, _Open] = {mode: {} for mode in np.unique(between.mode).tolist()}
    minding = {mode: [them for other, them in open_.items() if _mind(mode, other)] for mode in open_}
    for block, row, footprint, low, high, mode in zip(*(c[order].tolist() for c in columns), strict=True):
        mine = (block, row, low, high, mode)
        for them in minding[mode]:
            for key, other in list(them.items()):
                if other[3] <= low:
                    del them[key]
                elif other[0] != block:
                    yield _clash(*sorted((mine, other)))
        furthest = open_[mode].get((block, footprint))
        if furthest is None or furthest[3] < high:
            open_[mode][block, footprint] = mine


_Entry = tuple[int, int, int, int, int]
"""Block, row, low, high and mode of an access."""

_Open = dict[tuple[int, int], _Entry]
"""By block and footprint, the access so far that reaches furthest."""


def _distinct(extents: Extents) -> Extents:
    """The first of all accesses of a block with one footprint to the same bytes."""
    columns = (extents.block, extents.footprint, extents.low, extents.high)
    order = np.lexsort(columns)  # stable: of equals the first in order of issue stays the first
    first = np.ones(len(order), np.bool_)
    first[1:] = np.any([c[order[1:]] != c[order[:-1]] for c in columns], axis=0)
    return extents.take(np.sort(order[first]))


def _mind(mode: int, other: int) -> bool:
    """Whether the order of two accesses of these modes matters: reads commute, and atomic stores of one kind."""
    return mode != other or 0 < mode < _ATOMIC


def _clash(a: _Entry, b: _Entry) -> Clash:
    writes = (a[4] > 0, b[4] > 0)
    return Clash((a[0], b[0]), (a[1], b[1]), writes, max(a[2], b[2]), min(a[3], b[3]))
