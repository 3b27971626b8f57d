"""Which accesses of a block can conflict, worked out before any of them is put in order.

Rows of the same template at the same addresses are one *access*.  Whether accesses overlap is known
beforehand; only when they happen is not.  So the pass keeps, for every set of bytes that matters, the last row
that touched it, in a flat list of slots, and an access becomes two short lists: the slots it must look at,
and those it leaves its row number in.

Bytes are cut at every boundary of an access, and the cells between the cuts are the leaves of a binary tree:
an interval is O(log cells) nodes, whatever it covers.  A node has two slots per pipe and direction: ``at``, for
accesses that cover the node, and ``below``, for accesses that touch anything in it.  An access overlaps those
that are below its own nodes, and those that are at a node above one of them.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from .extent import Footprints, Ints
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


def plan(entries: Entries, footprints: Footprints, pipe: Ints, ordered: int) -> tuple[list[Access], int]:
    """What each access looks at and leaves behind, and how many slots there are.

    Args:
        entries: what the accesses touch.
        footprints: of the program.
        pipe: the pipe of each access.
        ordered: the pipe whose rows are over when anything later is issued: nobody need look for them.
    """
    line = entries.address + (footprints.space[entries.footprint] << _SPACE_BITS)
    entry, low, high = standing_runs(footprints, entries.footprint, line)
    run, node = _cover(low, high)
    by, write = entries.access[entry][run], footprints.write[entries.footprint][entry][run]
    below, above = _ancestors(node)
    taken = np.zeros(int(node.max(initial=0)) + 1, np.bool_)
    taken[node] = True
    below, above = below[taken[above]], above[taken[above]]  # nobody is at, or looks below, the others

    lanes = 2 * (int(pipe.max(initial=0)) + 1)  # of a slot: pipe and direction
    stamp_by = np.concatenate((by, by, by[below]))
    lane = 2 * pipe[stamp_by] + np.concatenate((write, write, write[below]))
    stamp = np.concatenate((_at(node), _below(node), _below(above))) * lanes + lane
    kept = pipe[stamp_by] != ordered
    stamps = _pairs(stamp[kept], stamp_by[kept])

    check = np.concatenate((_below(node), _at(above))) * lanes
    check_by, check_write = np.concatenate((by, by[below])), np.concatenate((write, write[below]))
    stamped = _distinct(stamps[0])
    checks = []
    for relation, writes, wrote in ((RAW, False, True), (WAR, True, False), (WAW, True, True)):
        mine = check_write == writes
        places = check[mine][:, None] + np.arange(wrote, lanes, 2)
        found = np.isin(places, stamped)
        checks.append((relation, *_pairs(places[found], np.broadcast_to(check_by[mine][:, None], places.shape)[found])))
    return _number(stamps, checks, len(pipe), lanes)


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


def _number(
    stamps: tuple[Ints, Ints], checks: list[tuple[int, Ints, Ints]], count: int, lanes: int
) -> tuple[list[Access], int]:
    """Number the places somebody looks at; those stamped by the very same accesses share a slot."""
    looked = np.isin(stamps[0], np.concatenate([places for _, places, _ in checks]))
    place, by = stamps[0][looked], stamps[1][looked]
    places, first = np.unique(place, return_index=True)
    last = np.append(first, len(place))[1:]
    slots: dict[tuple[int, bytes], int] = {}
    slot = np.array(
        [
            slots.setdefault((p % lanes, by[start:end].tobytes()), len(slots))
            for p, start, end in zip(places.tolist(), first.tolist(), last.tolist(), strict=True)
        ],
        np.int64,
    )
    pipe = np.zeros(len(slots), np.int64)
    pipe[slot] = places % lanes // 2

    leaver, left = np.divmod(_distinct(by * len(slots) + slot[np.searchsorted(places, place)]), max(len(slots), 1))
    where, looker = (np.concatenate(column) for column in zip(*(c[1:] for c in checks), strict=True))
    relation = np.repeat([c[0] for c in checks], [len(c[1]) for c in checks])
    code = _distinct((looker * len(slots) + slot[np.searchsorted(places, where)]) * 3 + relation)
    seen, relation = np.divmod(code, 3)
    looker, seen = np.divmod(seen, max(len(slots), 1))
    looks = list(zip(seen.tolist(), pipe[seen].tolist(), relation.tolist(), strict=True))
    looks_of, leaves_of = _by_access(looker, looks, count), _by_access(leaver, left.tolist(), count)
    return [Access(c, s) for c, s in zip(looks_of, leaves_of, strict=True)], len(slots)


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
