"""Which accesses of a block can conflict, worked out before any of them is put in order.

Rows of the same template at the same addresses are one *access*.  Whether accesses overlap is known
beforehand; only when they happen is not.  So the pass keeps, for every set of bytes that matters, the last row
that touched it, in a flat list of slots, and an access becomes two short lists: the slots it must look at,
and those it leaves its row number in.

Bytes are cut at every boundary of an access, and the cells between the cuts are the leaves of a binary tree:
an interval is O(log cells) nodes, whatever it covers.  A node has two slots per pipe and mode (read, write, a kind
of atomic store): ``at``, for accesses that cover the node, and ``below``, for accesses that touch anything in it.
An access overlaps those that are below its own nodes, and those that are at a node above one of them.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from .extent import Bools, Footprints, Ints
from .regions import standing_runs

RAW, WAR, WAW = range(3)
"""What a pair of accesses is: the later one reads, or writes, what the earlier one wrote, read or wrote."""

_Item = TypeVar("_Item")

_SPACE_BITS = 52
"""Addresses lie below this power of two, so that all memories fit one line of int64."""


@dataclass(frozen=True, slots=True)
class Access:
    """What one access looks at and leaves behind.

    Attributes:
        checks: (slot, pipe, relation): the slot holds the last row of ``pipe`` it must come after.
        stamps: slots in which it leaves its own row.
    """

    checks: tuple[tuple[int, int, int], ...]
    stamps: tuple[int, ...]

    def minding_others_than(self, pipe: int) -> Access:
        """The same without a look at rows of ``pipe``."""
        return Access(tuple(check for check in self.checks if check[1] != pipe), self.stamps)


@dataclass(frozen=True, slots=True)
class Entries:
    """Footprints of accesses; one entry each.

    Attributes:
        access: number of the access.
        footprint: number of the footprint.
        address: where it lies.
    """

    access: Ints
    footprint: Ints
    address: Ints


def plan(entries: Entries, footprints: Footprints, pipe: Ints, is_over: Bools) -> tuple[list[Access], int]:
    """What each access looks at and leaves behind, and how many slots there are.

    Args:
        entries: what the accesses touch.
        footprints: of the program.
        pipe: the pipe of each access.
        is_over: which of them are over when anything later is issued: nobody need look for those.
    """
    line = entries.address + (footprints.space[entries.footprint] << _SPACE_BITS)
    entry, low, high = standing_runs(footprints, entries.footprint, line)
    run, node = _cover(low, high)
    by, mode = entries.access[entry][run], footprints.mode[entries.footprint][entry][run]
    below, above = _ancestors(node)
    taken = np.zeros(int(node.max(initial=0)) + 1, np.bool_)
    taken[node] = True
    below, above = below[taken[above]], above[taken[above]]  # nobody is at, or looks below, the others

    modes = max(2, int(footprints.mode.max(initial=0)) + 1)
    lanes = modes * (int(pipe.max(initial=0)) + 1)  # of a slot: pipe and mode
    stamp_by = np.concatenate((by, by, by[below]))
    lane = modes * pipe[stamp_by] + np.concatenate((mode, mode, mode[below]))
    stamp = np.concatenate((_at(node), _below(node), _below(above))) * lanes + lane
    kept = ~is_over[stamp_by]
    stamps = _pairs(stamp[kept], stamp_by[kept])

    look = np.concatenate((_below(node), _at(above))) * lanes
    looker, looking = np.concatenate((by, by[below])), np.concatenate((mode, mode[below]))
    looks = _looks(look, looker, looking, (lanes, modes), stamps[0])
    return _accesses(stamps, looks, len(pipe), (lanes, modes))


def _at(node: Ints) -> Ints:
    return 2 * node


def _below(node: Ints) -> Ints:
    return 2 * node + 1


def _cover(low: Ints, high: Ints) -> tuple[Ints, Ints]:
    """The nodes that make up each interval, and which interval each is of.  The root is node 1."""
    cuts = _distinct(np.concatenate((low, high)))
    leaves = 1 << len(cuts).bit_length()
    left, right = np.searchsorted(cuts, low) + leaves, np.searchsorted(cuts, high) + leaves
    index = np.arange(len(low))
    touches, nodes = [index[:0]], [index[:0]]
    while len(index):
        for odd, node in ((left & 1 == 1, left), (right & 1 == 1, right - 1)):
            touches.append(index[odd])
            nodes.append(node[odd])
        left, right = (left + 1) >> 1, right >> 1
        open_ = left < right
        index, left, right = index[open_], left[open_], right[open_]
    return np.concatenate(touches), np.concatenate(nodes)


def _ancestors(node: Ints) -> tuple[Ints, Ints]:
    """All nodes above each node, and which one each is above of."""
    index, indices, nodes = np.arange(len(node)), [node[:0]], [node[:0]]
    while len(node):
        below_root = node > 1
        index, node = index[below_root], node[below_root] >> 1
        indices.append(index)
        nodes.append(node)
    return np.concatenate(indices), np.concatenate(nodes)


def _pairs(place: Ints, by: Ints) -> tuple[Ints, Ints]:
    """The distinct pairs, by place, then by access."""
    order = np.lexsort((by, place))
    place, by = place[order], by[order]
    new = np.ones(len(place), np.bool_)
    new[1:] = (place[1:] != place[:-1]) | (by[1:] != by[:-1])
    return place[new], by[new]


def _looks(node: Ints, by: Ints, mode: Ints, sizes: tuple[int, int], stamped: Ints) -> tuple[Ints, Ints, Ints]:
    """Where accesses look among the ``stamped`` places: the place, the access, and what it fears there."""
    stamped, found = _distinct(stamped), []
    lanes, modes = sizes
    for mine, theirs in itertools.product(range(modes), repeat=2):
        if not (mine or theirs) or (mine == theirs and mine > 1):  # two reads, or atomic stores of one kind
            continue
        relation = RAW if not mine else WAW if theirs else WAR
        place = node[mode == mine][:, None] + np.arange(theirs, lanes, modes)
        hit = np.isin(place, stamped)
        who = np.broadcast_to(by[mode == mine][:, None], place.shape)
        found.append((place[hit], who[hit], np.full(np.count_nonzero(hit), relation)))
    place, by, fear = (np.concatenate(column) for column in zip(*found, strict=True))
    return place, by, fear


def _accesses(
    stamps: tuple[Ints, Ints], looks: tuple[Ints, Ints, Ints], count: int, sizes: tuple[int, int]
) -> tuple[list[Access], int]:
    """Number the places somebody looks at; those stamped by the very same accesses share a slot."""
    lanes, modes = sizes
    looked = np.isin(stamps[0], looks[0])
    place, by = stamps[0][looked], stamps[1][looked]
    places, slot, slots = _slots(place, by, lanes)
    pipe = np.zeros(slots, np.int64)
    pipe[slot] = places % lanes // modes

    leaver, left = np.divmod(_distinct(by * slots + slot[np.searchsorted(places, place)]), max(slots, 1))
    code = _distinct((looks[1] * slots + slot[np.searchsorted(places, looks[0])]) * 3 + looks[2])
    looker, seen = np.divmod(code // 3, max(slots, 1))
    checks = list(zip(seen.tolist(), pipe[seen].tolist(), (code % 3).tolist(), strict=True))
    of_each = zip(_by_access(looker, checks, count), _by_access(leaver, left.tolist(), count), strict=True)
    return [Access(*lists) for lists in of_each], slots


def _slots(place: Ints, by: Ints, lanes: int) -> tuple[Ints, Ints, int]:
    """The distinct places, the slot of each, and the number of slots."""
    places, first = np.unique(place, return_index=True)
    last = np.append(first, len(place))[1:]
    slots: dict[tuple[int, bytes], int] = {}
    numbers = [
        slots.setdefault((lane, by[start:end].tobytes()), len(slots))
        for lane, start, end in zip((places % lanes).tolist(), first.tolist(), last.tolist(), strict=True)
    ]
    return places, np.array(numbers, np.int64), len(slots)


def _distinct(codes: Ints) -> Ints:
    """The distinct numbers, ascending; ``np.unique`` goes through a hash table, which is slower here."""
    codes = np.sort(codes)
    new = np.ones(len(codes), np.bool_)
    new[1:] = codes[1:] != codes[:-1]
    return codes[new]


def _by_access(access: Ints, items: list[_Item], count: int) -> list[tuple[_Item, ...]]:
    """The items of each access; ``access`` ascends."""
    ends = np.searchsorted(access, np.arange(count + 1)).tolist()
    return [tuple(items[start:end]) for start, end in itertools.pairwise(ends)]
