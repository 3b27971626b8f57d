"""What the instructions of a program cost on a chip, as integers.

Each template is asked for its demand once per class of addresses; a transfer also depends on where its
first byte lies in a cache line.  What waits for what, and contention, are not here.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ascendc.language.errors import UsageError
from ascendc.language.hardware import HardwareSpec
from ascendc.language.isa.op import Busy, Move, Op
from ascendc.language.program import Footprint, Template

from .cache import Extent
from .ticks import grains_per_tick, ticks


@dataclass(frozen=True, slots=True)
class Transfer:
    """What all executions of a move have in common that start at one offset within a cache line.

    Attributes:
        write: to global memory, or from it.
        cached: whether the L2 keeps the lines.
        nbytes: carried.
        lines: cache lines touched.
        extents: which, relative to the line of the address.
        issue, rows: ticks from the start before which the pipe is not free.
        hbm_port, l2_port: port classes.
        hbm_latency, l2_latency: ticks from the end of the flow until the data are visible.
    """

    write: bool
    cached: bool
    nbytes: int
    lines: int
    extents: tuple[Extent, ...]
    issue: int
    rows: int
    hbm_port: int
    l2_port: int
    hbm_latency: int
    l2_latency: int


class Ports:
    """The chip's shared bandwidths and the port classes of its routes, in grains a tick.

    Attributes:
        line_bytes: of the L2.
        hbm_total, l2_total: what all cores share.
        hbm_caps, l2_caps: what one transfer of each port class can take, ascending.
        write_back: the port class of lines the L2 writes back, which only the HBM limits.
    """

    def __init__(self, spec: HardwareSpec) -> None:
        self.line_bytes = spec.l2.line_bytes
        self.hbm_total = grains_per_tick(spec.bytes_per_cycle(spec.hbm.achievable_gbps))
        self.l2_total = grains_per_tick(spec.bytes_per_cycle(spec.l2.achievable_gbps))
        hbm, l2 = {}, {}
        for name, route in spec.route.items():
            window = Fraction(route.outstanding_lines * spec.l2.line_bytes)
            hbm[name] = _cap(route.hbm_bytes_per_cycle, window, route.hbm_latency_cycles)
            l2[name] = _cap(route.l2_bytes_per_cycle, window, route.l2_latency_cycles)
        self.hbm_caps = tuple(sorted({*hbm.values(), self.hbm_total}))
        self.l2_caps = tuple(sorted(set(l2.values())))
        self.write_back = self.hbm_caps.index(self.hbm_total)
        self._hbm = {name: self.hbm_caps.index(cap) for name, cap in hbm.items()}
        self._l2 = {name: self.l2_caps.index(cap) for name, cap in l2.items()}

    def of(self, route: str) -> tuple[int, int]:
        """The HBM and L2 port classes of a route."""
        return self._hbm[route], self._l2[route]


def _cap(bytes_per_cycle: Fraction, window: Fraction, latency: Fraction) -> int:
    """A port's rate, or what its outstanding lines allow if that is less."""
    return grains_per_tick(min(bytes_per_cycle, window / latency) if latency else bytes_per_cycle)


class Prices:
    """Prices of templates on one kind of core, each worked out once."""

    def __init__(self, spec: HardwareSpec, kind: str, ports: Ports) -> None:
        self._spec, self._ports = spec, ports
        self._scale = Fraction(spec.clock.reference_mhz, spec.core[kind].mhz)
        self.issue = self.core_ticks(spec.scalar.issue_cycles)
        self.queue_call = self.core_ticks(spec.scalar.queue_call_cycles)

    def core_ticks(self, cycles: Fraction) -> int:
        """Cycles of the core's own clock as ticks."""
        return ticks(cycles * self._scale)

    def demand(self, template: Template, addresses: Sequence[int]) -> Busy | Move:
        """What one execution asks of the chip."""
        return template.op.demand(template, addresses, self._spec)

    def address_class(self, template: Template, addresses: Sequence[int]) -> Hashable:
        """What of the addresses matters."""
        return template.op.address_class(template, addresses, self._spec)

    def busy(self, demand: Busy) -> tuple[int, int]:
        """Occupancy and latency."""
        return self.core_ticks(demand.occupancy), self.core_ticks(demand.latency)

    def transfer(self, template: Template, move: Move, offset: int) -> Transfer:
        """A move whose address is ``offset`` bytes into a cache line.

        Raises:
            UsageError: the chip has no such route.
        """
        route = self._spec.route.get(move.route)
        if route is None:
            raise UsageError(
                f"{template.label} at {template.site}: {self._spec.name} has no route {move.route}; "
                f"it has: {', '.join(self._spec.route)}"
            )
        footprint = template.footprints[move.footprint]
        rows = math.prod(count for count, _ in footprint.levels)
        extents = line_extents(footprint, offset, self._spec.l2.line_bytes)
        hbm_port, l2_port = self._ports.of(move.route)
        return Transfer(
            write=footprint.write,
            cached=move.cached,
            nbytes=rows * footprint.nbytes,
            lines=sum(count for _, count in extents),
            extents=extents,
            issue=self.core_ticks(route.issue_cycles),
            rows=self.core_ticks(rows * route.row_cycles),
            hbm_port=hbm_port,
            l2_port=l2_port,
            hbm_latency=ticks(route.hbm_latency_cycles),
            l2_latency=ticks(route.l2_latency_cycles),
        )


def line_extents(footprint: Footprint, offset: int, line_bytes: int) -> tuple[Extent, ...]:
    """The cache lines of a footprint, each once, as runs; relative to the line ``offset`` lies in."""
    if not footprint.nbytes:
        return ()
    spans = sorted(
        ((offset + run) // line_bytes, (offset + run + footprint.nbytes - 1) // line_bytes + 1)
        for run in footprint.runs()
    )
    merged: list[Extent] = []
    first, end = spans[0] if spans else (0, 0)
    for low, high in spans:
        if low > end:
            merged.append((first, end - first))
            first = low
        end = high  # all runs are of one length, so none ends before the one it follows
    return (*merged, (first, end - first)) if end > first else tuple(merged)


def depends_on_addresses(op: Op) -> bool:
    """Whether its demand may differ from address to address."""
    return type(op).address_class is not Op.address_class
