"""Which runs of bytes can stand for an access.

All that an instruction reads, or writes, of an operand is one access; those of the same shape at the same address
touch the same *region*.  Mostly a region meets no other one: the tile of a matrix is loaded, and stored, as a whole.
Then one of its runs stands for all of them, which saves a strided access of 64 rows 63 of 64 steps, and scattered
lanes more.  Regions that partly overlap others keep all their runs.
"""

from __future__ import annotations

import numpy as np

from .extent import Footprints, Ints, spread


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
    region, low, high = footprints.runs_together(number[first], address[first])
    head = np.ones(len(region), np.bool_)
    head[1:] = region[1:] != region[:-1]
    kept = head | ~_is_alone(region, low, high, len(first))[region]
    region, low, high = region[kept], low[kept], high[kept]
    count = np.bincount(region, minlength=len(first))
    access, run = spread((np.cumsum(count) - count)[region_of], count[region_of])
    return leading[access], low[run], high[run]


def _is_alone(region: Ints, low: Ints, high: Ints, count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
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
