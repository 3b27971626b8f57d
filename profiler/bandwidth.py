"""Bytes moved, and how fast, against what the chip file says is possible.

Rates are in 10^9 bytes a second and divide by the launch's cycles, without launch overhead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ascendc.language.enums import PipeID
from simulator.timeline import Timeline

from .units import gbps


@dataclass(frozen=True, slots=True)
class PathUse:
    """One path between global memory and a memory of the cores.

    Attributes:
        route: as ``gm_to_ub``.
        pipe: the pipe that carries it.
        transfers, nbytes: instructions, and bytes they carried.
        gbps: bytes over the launch's time.
        port_gbps: what the ports of the cores that ran allow, all together.
    """

    route: str
    pipe: PipeID
    transfers: int
    nbytes: int
    gbps: float
    port_gbps: float

    @property
    def bytes_per_transfer(self) -> float:
        """Mean size of a transfer."""
        return self.nbytes / self.transfers if self.transfers else 0.0


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """One shared memory.

    Attributes:
        name: ``HBM`` or ``L2``.
        read_bytes, write_bytes: moved from and to it.
        gbps: both over the launch's time.
        peak_gbps: on paper; nothing if the chip file has no such number.
        achievable_gbps: what all cores together get out of it.
    """

    name: str
    read_bytes: int
    write_bytes: int
    gbps: float
    peak_gbps: float | None
    achievable_gbps: float


@dataclass(frozen=True, slots=True)
class Bandwidth:
    """What moved over the launch.

    Attributes:
        read_bytes, write_bytes: the cores asked of global memory, whoever served them.
        read_gbps, write_gbps: the same over the launch's time.
        paths: by route, those that moved something.
        memories: ``HBM`` and ``L2``.
        l2_hit_ratio: lines found in the L2 of lines asked of it; nothing if none were.
    """

    read_bytes: int
    write_bytes: int
    read_gbps: float
    write_gbps: float
    paths: Mapping[str, PathUse]
    memories: Mapping[str, MemoryUse]
    l2_hit_ratio: float | None


def bandwidth(timeline: Timeline) -> Bandwidth:
    """Bytes and rates of ``timeline``."""
    spec, cycles = timeline.spec, timeline.cycles
    paths = _paths(timeline)
    read = sum(p.nbytes for p in paths.values() if p.route.startswith("gm_to_"))
    write = sum(p.nbytes for p in paths.values() if p.route.endswith("_to_gm"))
    moved = dict(timeline.traffic)
    lookups = moved.get("l2_hit", 0) + moved.get("l2_miss", 0)
    return Bandwidth(
        read_bytes=read,
        write_bytes=write,
        read_gbps=gbps(read, cycles, spec),
        write_gbps=gbps(write, cycles, spec),
        paths=paths,
        memories={
            "HBM": _memory(timeline, "HBM", spec.hbm.peak_gbps, spec.hbm.achievable_gbps),
            "L2": _memory(timeline, "L2", None, spec.l2.achievable_gbps),
        },
        l2_hit_ratio=moved.get("l2_hit", 0) / lookups if lookups else None,
    )


def _memory(timeline: Timeline, name: str, peak: Fraction | None, achievable: Fraction) -> MemoryUse:
    moved = dict(timeline.traffic)
    read, write = (moved.get(f"{name.lower()}_{way}", 0) for way in ("read", "write"))
    rate = gbps(read + write, timeline.cycles, timeline.spec)
    return MemoryUse(name, read, write, rate, None if peak is None else float(peak), float(achievable))


def _paths(timeline: Timeline) -> dict[str, PathUse]:
    counts = np.bincount(timeline.label, minlength=len(timeline.labels)).tolist()
    transfers: dict[str, int] = {}
    nbytes: dict[str, int] = {}
    for count, label in zip(counts, timeline.labels, strict=True):
        if count and label.route in timeline.spec.route:
            transfers[label.route] = transfers.get(label.route, 0) + count
            nbytes[label.route] = nbytes.get(label.route, 0) + count * label.nbytes
    return {
        route: PathUse(
            route=route,
            pipe=_pipe(timeline, route),
            transfers=transfers[route],
            nbytes=nbytes[route],
            gbps=gbps(nbytes[route], timeline.cycles, timeline.spec),
            port_gbps=_port_gbps(timeline, route),
        )
        for route in sorted(transfers)
    }


def _pipe(timeline: Timeline, route: str) -> PipeID:
    kinds = (timeline.spec.core[kind] for kind in timeline.core_kinds)
    return next(kind.routes[route] for kind in kinds if route in kind.routes)


def _port_gbps(timeline: Timeline, route: str) -> float:
    """A port is as wide as it is, and never faster than its lines in flight come back."""
    spec = timeline.spec
    path = spec.route[route]
    in_flight = path.outstanding_lines * spec.l2.line_bytes
    ways = (path.l2_bytes_per_cycle, path.l2_latency_cycles), (path.hbm_bytes_per_cycle, path.hbm_latency_cycles)
    width = max(min(rate, in_flight / latency) if latency else rate for rate, latency in ways)
    ports = sum(route in spec.core[kind].routes for kind in timeline.core_kinds)
    return float(ports * width * spec.clock.reference_mhz / 1000)
