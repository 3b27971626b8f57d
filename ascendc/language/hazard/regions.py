"""Which runs of bytes can stand for an access.

All that an instruction reads, or writes, of an operand is one access; those of the same shape at the same address
touch the same *region*.  Mostly a region meets no other one: the tile of a matrix is loaded, and stored, as a whole.
Then its span, or one of its runs, stands for all of them, which saves a strided access of 64 rows 63 of 64 steps, and
scattered lanes more.  Regions that partly overlap others keep all their runs.
"""

from __future__ import annotations

import numpy as np

from .extent import Bools, Footprints, Ints, spread


def standing_runs(footprints: Footprints, number: Ints, address: Ints) -> tuple[Ints, Ints, Ints]:
    """Runs for accesses by footprint number and address: which access, low, high.

    Two accesses overlap exactly if two of these runs do.
    """
    leading = np.flatnonzero(footprints.leads[number])
    number, address = number[leading], address[leading]
    of_address = np.unique(address, return_inverse=True)[1]
    shape = footprints.shape[number]
    _, first, region_of = np.unique(
        of_address * (shape.max(initial=0) + 1) + shape, return_index=True, return_inverse=True
    )
    number, address = number[first], address[first]
    low, high = footprints.spans_together(number, address)
    is_alone = _is_alone(np.arange(len(first)), low, high, len(first))
    near, alone = np.flatnonzero(~is_alone), np.flatnonzero(is_alone & (low < high))
    region, starts, ends = _standing(*footprints.runs_together(number[near], address[near]), len(near))
    region = np.concatenate((alone, near[region]))
    low, high = np.concatenate((low[alone], starts)), np.concatenate((high[alone], ends))
    order = np.argsort(region, kind="stable")
    count = np.bincount(region, minlength=len(first))
    access, run = spread((np.cumsum(count) - count)[region_of], count[region_of])
    return leading[access], low[order][run], high[order][run]


def _standing(region: Ints, low: Ints, high: Ints, count: int) -> tuple[Ints, Ints, Ints]:
    """Of the runs of ``count`` regions, all of those that meet others, and the first of the others."""
    head = np.ones(len(region), np.bool_)
    head[1:] = region[1:] != region[:-1]
    kept = head | ~_is_alone(region, low, high, count)[region]
    return region[kept], low[kept], high[kept]


def _is_alone(region: Ints, low: Ints, high: Ints, count: int) -> Bools:
    """Which regions have no byte in common with another one."""
    alone = np.ones(count, np.bool_)
    if len(region):
        order = np.argsort(low, kind="stable")
        region, low, reach = region[order], low[order], np.maximum.accumulate(high[order])
        start = np.ones(len(low), np.bool_)
        start[1:] = low[1:] >= reach[:-1]
        heap, heads = np.cumsum(start) - 1, np.flatnonzero(start)
        mixed = np.minimum.reduceat(region, heads) < np.maximum.reduceat(region, heads)
        alone[region[mixed[heap]]] = False
    return alone
