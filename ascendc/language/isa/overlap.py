"""When the destination of a vector instruction may overlap a source.

Within one repeat they must be apart or the same.  Across repeats, what repeat N writes must not be what
repeat N+1 reads, except for the accumulating instructions, where the second source may be the running
result.  Everything else is refused before anything is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import OverlapError
from ..program import Footprint
from .geometry import BLOCK, Lanes, Layout

if TYPE_CHECKING:
    from ..core import Core
    from .elementwise import Elementwise, MaskPlan
    from .vector import Plan, VectorOp


def check_contiguous(core: Core, op: VectorOp, source: int, dst: tuple[int, int], src: tuple[int, int]) -> None:
    """Check two overlapping contiguous operands, (address, bytes) each, that are not the same bytes.

    A destination at least one repeat below a source of its size is fine: what it overwrites has been read.

    Raises:
        OverlapError: the order of execution would change the result.
    """
    if src[1] != dst[1] or src[0] - dst[0] < core.spec.vector.repeat_bytes:
        role = op.roles[source]
        core.fail(
            OverlapError,
            f"{op.name}: dst UB bytes [{dst[0]}, {dst[0] + dst[1]}) and {role} UB bytes "
            f"[{src[0]}, {src[0] + src[1]}) overlap in part; use the same start (in place) or separate buffers",
        )


def check_apart(core: Core, op: VectorOp, plan: Plan, addresses: tuple[int, ...]) -> None:
    """Check that nothing an instruction reads overlaps what it writes, unless it works in place and is the same.

    Raises:
        OverlapError: it does.
    """
    distances = tuple([a - addresses[0] for a in addresses])
    if distances in plan.orders:
        return
    footprints, roles = plan.template.footprints, plan.template.operands
    for write in footprints:
        for read in footprints:
            if write.write and not read.write and read.operand not in (write.operand, *plan.meeting):
                a, b = _run_bytes(write, addresses), _run_bytes(read, addresses)
                if plan.in_place and a == b and write.nbytes == read.nbytes:
                    continue
                if any(p < q + read.nbytes and q < p + write.nbytes for p in a for q in b):
                    core.fail(
                        OverlapError,
                        f"{op.name}: {roles[write.operand]} UB bytes [{min(a)}, {max(a) + write.nbytes}) and "
                        f"{roles[read.operand]} [{min(b)}, {max(b) + read.nbytes}) overlap; use separate buffers",
                    )
    plan.orders[distances] = False


def _run_bytes(f: Footprint, addresses: tuple[int, ...]) -> list[int]:
    return [addresses[f.operand] + run for run in f.runs()]


def check_strided(core: Core, op: Elementwise, made: MaskPlan, addresses: tuple[int, ...]) -> bool:
    """Check the operands of a masked instruction; say whether its repeats must run one after another.

    Raises:
        OverlapError: see above.
    """
    orders = made.plan.orders
    distances = tuple([a - addresses[0] for a in addresses])
    known = orders.get(distances)
    if known is None:
        known = orders[distances] = _order(core, op, made, addresses)
    return known


def _order(core: Core, op: Elementwise, made: MaskPlan, addresses: tuple[int, ...]) -> bool:
    lanes, reach = made.lanes, made.plan.nbytes
    dst = made.layouts[0]
    writes = [_bytes(dst, lanes, addresses[0], n) for n in range(dst.repeats)]
    rewrites = in_turn = len(set().union(*writes)) < sum(map(len, writes))
    for i in range(1, len(addresses)):
        src = made.layouts[i]
        if src == dst and addresses[i] == addresses[0] and not rewrites:
            continue
        if addresses[i] + reach[i] <= addresses[0] or addresses[0] + reach[0] <= addresses[i]:
            continue
        reads = [_bytes(src, lanes, addresses[i], n) for n in range(src.repeats)]
        for n, read in enumerate(reads):
            if read != writes[n] and read & writes[n]:  # the same bytes are the same lanes: addresses ascend with them
                _refuse(core, op, i, n, n, writes[n], read)
            if n and read & writes[n - 1] and not _accumulates(op, i, src, dst):
                _refuse(core, op, i, n - 1, n, writes[n - 1], read)
        in_turn = in_turn or bool(set().union(*reads) & set().union(*writes))
    return in_turn


def _accumulates(op: Elementwise, source: int, src: Layout, dst: Layout) -> bool:
    return op.accumulates and source == 2 and (src.rep_stride == 0 or dst.rep_stride == 0)


def _bytes(layout: Layout, lanes: Lanes, address: int, repeat: int) -> set[int]:
    start = address + repeat * layout.rep_stride * BLOCK
    return {
        start + lane // layout.width * layout.blk_stride * BLOCK + lane % layout.width * layout.item + b
        for lane in lanes.chosen
        for b in range(layout.item)
    }


def _refuse(core: Core, op: VectorOp, source: int, n: int, m: int, write: set[int], read: set[int]) -> None:
    core.fail(
        OverlapError,
        f"{op.name}: repeat {n} writes UB bytes [{min(write)}, {max(write) + 1}) of dst and repeat {m} reads "
        f"[{min(read)}, {max(read) + 1}) of {op.roles[source]}, which overlap in part; use separate buffers",
    )
