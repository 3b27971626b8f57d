"""The buffers of queues: from the call that took each until the flag of its last reader."""

from __future__ import annotations

from typing import Final

import numpy as np

from .causes import Rows
from .columns import Ints, column, joined, starts
from .prepare import Plan
from .ticks import cycles
from .timeline import ALLOCATION_COLUMNS, Allocations

_TAKES: Final = 1
_FREES: Final = 2
_CALLS: Final = {"alloc_tensor": _TAKES, "free_tensor": _FREES}


def allocations(plan: Plan, rows: Rows, core_of: Ints) -> Allocations:
    """All buffers that queue calls took, in order of issue.

    A buffer is freed by the next call about its address, if that is a free; otherwise it is held to the end.
    """
    templates = plan.program.templates
    lines = tuple(str(t.site) for t in templates)
    calls = [_CALLS.get(t.op.name, 0) if t.queued else 0 for t in templates]
    params = [dict(t.params) if call else {} for t, call in zip(templates, calls, strict=True)]
    spaces = tuple(sorted({p["space"] for p in params if p}))
    row = np.flatnonzero(column(calls)[rows.template])
    if not len(row):
        return Allocations(np.empty((0, ALLOCATION_COLUMNS), np.int64), spaces, lines)

    template, block = rows.template[row], rows.block[row]
    call = column(calls)[template]
    space = column([spaces.index(p["space"]) if p else -1 for p in params])[template]
    nbytes = column([p["nbytes"] if p else 0 for p in params])[template]
    address = _first_addresses(plan, rows.template)[row]
    order = np.lexsort((row, address, space, block))
    buffer = np.stack((block, space, address))[:, order]
    is_freed = np.zeros(len(row), bool)
    is_freed[:-1] = (buffer[:, 1:] == buffer[:, :-1]).all(axis=0) & (call[order][1:] == _FREES)
    stop = rows.block_end()[block]
    stop[order[is_freed]] = rows.token(row[np.roll(order, -1)[is_freed]])

    columns = (block, core_of[block], space, address, nbytes, cycles(rows.start[row]), cycles(stop), template)
    return Allocations(np.stack(columns, axis=1)[call == _TAKES], spaces, lines)


def _first_addresses(plan: Plan, template: Ints) -> Ints:
    """The first address of each row, or that of a later row if it has none."""
    addresses = joined([*(b.addresses for b in plan.program.blocks), column([0])])
    return addresses[starts(column([len(t.operands) for t in plan.program.templates])[template])[:-1]]
