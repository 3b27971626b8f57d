"""When the destination of a vector instruction may overlap a source.

Within one repeat they must be apart or the same.  Across repeats, what repeat N writes must not be what
repeat N+1 reads, except for the accumulating instructions, where the second source may be the running
result.  Everything else is refused before anything is written.
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..block import BLOCK
from ..errors import OverlapError
from ..program import Footprint
from .geometry import Layout

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..core import Core
    from .elementwise import Elementwise, MaskPlan
    from .vector import Plan, VectorOp


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """How the repeats of an instruction are computed so that the result is that of one after another.

    Attributes:
        steps: where the lanes of all operands lie that are computed at once; one step after another.
        folds: whether the destination of a step is one repeat, which all repeats of the sources go into in turn.
    """

    steps: tuple[tuple[Layout, ...], ...]
    folds: bool = False


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
    if distances in plan.apart:
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
    plan.apart.add(distances)


def _meet(starts: list[int], nbytes: int, others: list[int], size: int) -> bool:
    """Whether any run of ``nbytes`` overlaps any of the other ones, of ``size``."""
    others = sorted(others)
    after = ((start, bisect.bisect_right(others, start - size)) for start in starts)
    return any(at < len(others) and others[at] < start + nbytes for start, at in after)


def _run_bytes(f: Footprint, addresses: tuple[int, ...]) -> list[int]:
    return [addresses[f.operand] + run for run in f.runs()]


def check_strided(core: Core, op: Elementwise, made: MaskPlan, addresses: tuple[int, ...]) -> Order:
    """Check the operands of a masked instruction; say how its repeats are computed.

    Raises:
        OverlapError: see above.
    """
    distances = tuple([a - addresses[0] for a in addresses])
    known = made.orders.get(distances)
    if known is None:
        known = made.orders[distances] = _order(core, op, made, addresses)
    return known


def _order(core: Core, op: Elementwise, made: MaskPlan, addresses: tuple[int, ...]) -> Order:
    reach, dst = made.plan.nbytes, made.passes[0][0]
    near = [
        i
        for i in range(1, len(addresses))
        if addresses[i] < addresses[0] + reach[0] and addresses[0] < addresses[i] + reach[i]
    ]
    if not near and not dst.meets_itself:
        return Order(_joined(made.passes))
    writes = _repeats(made, 0, addresses[0])
    written = _together(writes)
    rewrites = written[1].bit_count() < sum(bits.bit_count() for _, bits in writes)
    reading = {}
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
            reading[i] = reads
    if not rewrites:
        return Order(tuple(_runs(made, writes, list(reading.values()))))
    if not dst.rep_stride and (not reading or (not op.reads_dst and _is_running(made, reading, addresses))):
        return _onto_one_place(op, made, running=bool(reading))
    if not reading and all(dst.lanes.among(layout.lanes.count) == layout.lanes for layout in made.passes[0]):
        return Order(tuple(step for layouts in made.passes for step in _by_blocks(layouts)))
    return Order(tuple(_rows(layouts, n, 1) for layouts in made.passes for n in range(layouts[0].repeats)))


def _is_running(made: MaskPlan, reading: dict[int, list[_Cells]], addresses: tuple[int, ...]) -> bool:
    """Whether the one source that meets the destination is the destination."""
    return all(made.passes[0][i] == made.passes[0][0] and addresses[i] == addresses[0] for i in reading)


def _onto_one_place(op: Elementwise, made: MaskPlan, *, running: bool) -> Order:
    """All repeats write the same lanes: the last one, or a running result, is what is left."""
    if op.reads_dst or running:
        return Order(tuple((layouts[0].rows(0, 1), *layouts[1:]) for layouts in made.passes), folds=True)
    return Order(tuple(_rows(layouts, layouts[0].repeats - 1, 1) for layouts in made.passes))


def _by_blocks(layouts: tuple[Layout, ...]) -> Iterator[tuple[Layout, ...]]:
    """Lanes that do not meet those of another repeat, at once; what later repeats write again comes later."""
    for lanes in layouts[0].apart:
        yield tuple(layout.only(lanes) for layout in layouts)


def _runs(made: MaskPlan, writes: list[_Cells], reading: list[list[_Cells]]) -> Iterator[tuple[Layout, ...]]:
    """As many repeats at once as do not read what another of them writes before."""
    n = 0
    for layouts in made.passes:
        first, since = n, (0, 0)
        for row in range(n, n + layouts[0].repeats):
            if any(_meets(reads[row], since) for reads in reading):
                yield _rows(layouts, first - n, row - first)
                first, since = row, (0, 0)
            since = _together([since, writes[row]]) if since[1] else writes[row]
        n += layouts[0].repeats
        yield _rows(layouts, first - n + layouts[0].repeats, n - first)


def _joined(passes: tuple[tuple[Layout, ...], ...]) -> tuple[tuple[Layout, ...], ...]:
    """The last pass, which counter mode gives fewer lanes, with the one before, where all operands go on."""
    if len(passes) == 2:
        made = [first.followed_by(last) for first, last in zip(*passes, strict=True)]
        whole = tuple(layout for layout in made if layout is not None)
        if len(whole) == len(made):
            return (whole,)
    return passes


def _rows(layouts: tuple[Layout, ...], first: int, count: int) -> tuple[Layout, ...]:
    """Some repeats of all operands."""
    if count == layouts[0].repeats:
        return layouts
    return tuple(layout.rows(first, count) for layout in layouts)


def _accumulates(op: Elementwise, made: MaskPlan, source: int) -> bool:
    """Whether a source may be the running result: the second one, of these types, with a repeat stride of 0."""
    dst, src = made.passes[0][0], made.passes[0][source]
    fits = op.accumulates and source == 2 and made.plan.template.dtype != "int16"
    return fits and (src.rep_stride == 0 or dst.rep_stride == 0)


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
