"""When the destination of a vector instruction may overlap a source.

Within one repeat they must be apart or the same.  Across repeats, what repeat N writes must not be what
repeat N+1 reads, except for the accumulating instructions, where the second source may be the running
result.  Everything else is refused before anything is written.
"""

from __future__ import annotations

import bisect
from enum import Enum
from typing import TYPE_CHECKING

from ..errors import OverlapError
from ..program import Footprint
from .geometry import BLOCK, Layout

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..core import Core
    from .elementwise import Elementwise, MaskPlan
    from .vector import Plan, VectorOp


class Order(Enum):
    """How the repeats of an instruction may be computed so that the result is that of one after another."""

    TOGETHER = "no repeat reads or writes what another one writes"
    LAST = "all write the same lanes and none reads them: only the last one leaves something"
    FOLD = "all write the same lanes, which are the second source too: a running result"
    IN_TURN = "they meet in another way"

    def turns(self, repeats: int) -> Sequence[int | None]:
        """The repeats to compute, one by one; None is all of them at once."""
        if self is Order.TOGETHER:
            return (None,)
        return range(repeats - 1 if self is Order.LAST else 0, repeats)


_Cells = tuple[int, int]
"""Bytes of UB: the first, and a number with bit i set for byte i from there."""


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
                if _meet(a, write.nbytes, b, read.nbytes):
                    core.fail(
                        OverlapError,
                        f"{op.name}: {roles[write.operand]} UB bytes [{min(a)}, {max(a) + write.nbytes}) and "
                        f"{roles[read.operand]} [{min(b)}, {max(b) + read.nbytes}) overlap; use separate buffers",
                    )
    plan.orders[distances] = Order.TOGETHER


def _meet(starts: list[int], nbytes: int, others: list[int], size: int) -> bool:
    """Whether any run of ``nbytes`` overlaps any of the other ones, of ``size``."""
    others = sorted(others)
    after = ((start, bisect.bisect_right(others, start - size)) for start in starts)
    return any(at < len(others) and others[at] < start + nbytes for start, at in after)


def _run_bytes(f: Footprint, addresses: tuple[int, ...]) -> list[int]:
    return [addresses[f.operand] + run for run in f.runs()]


def check_strided(core: Core, op: Elementwise, made: MaskPlan, addresses: tuple[int, ...]) -> Order:
    """Check the operands of a masked instruction; say how its repeats may be computed.

    Raises:
        OverlapError: see above.
    """
    orders = made.plan.orders
    distances = tuple([a - addresses[0] for a in addresses])
    known = orders.get(distances)
    if known is None:
        known = orders[distances] = _order(core, op, made, addresses)
    return known


def _order(core: Core, op: Elementwise, made: MaskPlan, addresses: tuple[int, ...]) -> Order:
    reach, dst = made.plan.nbytes, made.passes[0][0]
    near = [
        i
        for i in range(1, len(addresses))
        if addresses[i] < addresses[0] + reach[0] and addresses[0] < addresses[i] + reach[i]
    ]
    if not near and (dst.repeats == 1 or dst.rep_stride * BLOCK >= _height(dst)):
        return Order.TOGETHER
    writes = _repeats(made, 0, addresses[0])
    written = _together(writes)
    rewrites = written[1].bit_count() < sum(bits.bit_count() for _, bits in writes)
    reading = []
    for i in near:
        same = made.passes[0][i] == dst and addresses[i] == addresses[0]
        if same and not rewrites:
            continue
        reads = _repeats(made, i, addresses[i])
        for n, read in enumerate(reads):
            if read != writes[n] and _meets(read, writes[n]):  # the same bytes are the same lanes: both ascend
                _refuse(core, op, i, n, n, writes[n], read)
            if n and _meets(read, writes[n - 1]) and not _accumulates(op, made, i):
                _refuse(core, op, i, n - 1, n, writes[n - 1], read)
        if _meets(_together(reads), written):
            reading.append(same)
    if not rewrites and not reading:
        return Order.TOGETHER
    if dst.rep_stride or op.reads_dst:
        return Order.IN_TURN
    return {(): Order.LAST, (True,): Order.FOLD}.get(tuple(reading), Order.IN_TURN)


def _accumulates(op: Elementwise, made: MaskPlan, source: int) -> bool:
    """Whether a source may be the running result: the second one, of these types, with a repeat stride of 0."""
    dst, src = made.passes[0][0], made.passes[0][source]
    fits = op.accumulates and source == 2 and made.plan.template.dtype != "int16"
    return fits and (src.rep_stride == 0 or dst.rep_stride == 0)


def _height(layout: Layout) -> int:
    """Bytes from the first to behind the last block of one repeat."""
    return (layout.lanes.last // layout.width * layout.blk_stride + 1) * BLOCK


def _repeats(made: MaskPlan, operand: int, address: int) -> list[_Cells]:
    """The bytes of an operand's lanes, repeat by repeat."""
    return [
        (address + first + repeat * layout.rep_stride * BLOCK, bits)
        for layout in [layouts[operand] for layouts in made.passes]
        for first, bits in [layout.bits]
        for repeat in range(layout.repeats)
    ]


def _together(repeats: list[_Cells]) -> _Cells:
    """The bytes of all repeats."""
    low = min(first for first, _ in repeats)
    every = 0
    for first, bits in repeats:
        every |= bits << first - low
    return low, every


def _meets(a: _Cells, b: _Cells) -> bool:
    """Whether two repeats have a byte in common."""
    distance = b[0] - a[0]
    if distance < 0:
        a, b, distance = b, a, -distance
    return distance < a[1].bit_length() and bool(a[1] >> distance & b[1])


def _refuse(core: Core, op: VectorOp, source: int, n: int, m: int, write: _Cells, read: _Cells) -> None:
    core.fail(
        OverlapError,
        f"{op.name}: repeat {n} writes UB bytes [{write[0]}, {write[0] + write[1].bit_length()}) of dst and repeat {m} "
        f"reads [{read[0]}, {read[0] + read[1].bit_length()}) of {op.roles[source]}, which overlap; "
        "use separate buffers",
    )
