"""Which set each wait for a flag consumes: the k-th wait of a flag takes the k-th set of it."""

from __future__ import annotations

import numpy as np

from .columns import Ints, sorting


def match(sets: Ints, waits: Ints) -> Ints:
    """The index of the set that each wait consumes, or −1 if there are not enough.

    Args:
        sets: number of the flag of each set, in order of issue.
        waits: the same of each wait.
    """
    offered, wanted = _turns(sets), _turns(waits)
    order = np.argsort(offered)
    found = order[np.minimum(np.searchsorted(offered[order], wanted), len(order) - 1)] if len(order) else None
    return np.full(len(waits), -1) if found is None else np.where(offered[found] == wanted, found, -1)


def _turns(flags: Ints) -> Ints:
    """A number for each (flag, how often it was there before)."""
    order = sorting(flags)
    entry = np.arange(len(flags))
    is_first = np.diff(flags[order], prepend=-1) != 0
    turn = entry - np.maximum.accumulate(np.where(is_first, entry, 0))
    out = np.empty_like(flags)
    out[order] = flags[order] << 32 | turn
    return out
