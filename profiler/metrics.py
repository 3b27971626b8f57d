"""How the cores and their pipes spent their time, in cycles.

The convention is msprof's: a pipe's busy time is the length of the union of its spans, without flags,
barriers and queue calls; its ratio divides by the time of its own core, not of the launch; both are means
over the launched cores that have the pipe.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ascendc.language.enums import PipeID
from simulator.timeline import Cause, Timeline

from .cover import Cover, Ints
from .lanes import Lanes
from .waits import issue_cycles, waits


@dataclass(frozen=True, slots=True)
class CoreUse:
    """The launched cores of one kind.

    Attributes:
        kind: as ``aiv``.
        count, available: how many ran, and how many the chip has.
        blocks: that they ran, one after another if there were more of them.
        mean_cycles, min_cycles, max_cycles: of a core's time, first start to last stop.
    """

    kind: str
    count: int
    available: int
    blocks: int
    mean_cycles: float
    min_cycles: int
    max_cycles: int

    @property
    def imbalance(self) -> float:
        """(max − min) / max of the cores' times."""
        return (self.max_cycles - self.min_cycles) / self.max_cycles if self.max_cycles else 0.0


@dataclass(frozen=True, slots=True)
class PipeUse:
    """One pipe, in cycles of a mean core; busy, waiting and idle sum to the core's time.

    For the scalar unit, busy is its own instructions plus the chip file's price of issuing all others; when
    a full queue stopped it is not recorded and counts as idle.

    Attributes:
        pipe, kind: which, and of which kind of core.
        cores: how many of them ran.
        instructions: that did work, over all cores.
        busy_cycles: at work.
        ratio: of the core's time.
        span_cycles: sum of the lengths of its spans; more than busy where they overlap.
        wait_cycles: not at work because of each cause.
        idle_cycles: neither; there was nothing left to do, or nothing yet.
    """

    pipe: PipeID
    kind: str
    cores: int
    instructions: int
    busy_cycles: float
    ratio: float
    span_cycles: float
    wait_cycles: Mapping[Cause, float]
    idle_cycles: float


def core_uses(timeline: Timeline) -> dict[str, CoreUse]:
    """Use of the launched cores by kind."""
    window = _window(timeline)
    spent = window[1] - window[0]
    kinds = np.array(timeline.core_kinds)
    out = {}
    for kind in dict.fromkeys(timeline.core_kinds):
        mine = kinds == kind
        own, blocks = spent[mine], len(np.unique(timeline.block[mine[timeline.core]]))
        available = timeline.spec.core[kind].count
        out[kind] = CoreUse(kind, len(own), available, blocks, float(own.mean()), int(own.min()), int(own.max()))
    return out


def pipe_uses(lanes: Lanes) -> dict[str, PipeUse]:
    """Use of every pipe of the launched cores, by name: ``V``, or ``aiv.V`` if several kinds of core ran."""
    t = lanes.timeline
    first, last = _window(t)
    core = np.array([c for c, _ in lanes.keys], np.int64)
    spent = (last - first)[core] if len(core) else np.zeros(0, np.int64)
    waiting = _waits(lanes, first)
    busy = _busy(lanes, spent - waiting.sum(axis=1))
    counts = np.bincount(lanes.lane[lanes.work], minlength=len(lanes.keys))
    length = (t.stop - t.start)[lanes.work]
    worked = np.bincount(lanes.lane[lanes.work], weights=length, minlength=len(lanes.keys))
    idle = spent - busy - waiting.sum(axis=1)

    members: dict[tuple[str, PipeID], list[int]] = {}
    for i, (c, pipe) in enumerate(lanes.keys):
        members.setdefault((t.core_kinds[c], pipe), []).append(i)
    is_mixed = len({*t.core_kinds}) > 1
    return {
        (f"{kind}.{pipe.short}" if is_mixed else pipe.short): PipeUse(
            pipe=pipe,
            kind=kind,
            cores=len(own),
            instructions=int(counts[own].sum()),
            busy_cycles=float(busy[own].mean()),
            ratio=float(busy[own].sum() / spent[own].sum()) if spent[own].any() else 0.0,
            span_cycles=float(worked[own].mean()),
            wait_cycles={c: float(waiting[own, c].mean()) for c in Cause if c is not Cause.NONE},
            idle_cycles=float(idle[own].mean()),
        )
        for (kind, pipe), own in members.items()
    }


def overlap_ratio(lanes: Lanes) -> float:
    """Cycles in which copies in and computing both ran, of all in which the less busy of the two did."""
    copying, computing = (_on_cores(lanes, pipes) for pipes in ((PipeID.PIPE_MTE2,), (PipeID.PIPE_V, PipeID.PIPE_M)))
    starts, stops = (np.concatenate(edges) for edges in zip(copying, computing, strict=True))
    parts = [_length(*copying), _length(*computing)]
    return (sum(parts) - _length(starts, stops)) / min(parts) if min(parts) else 0.0


def _on_cores(lanes: Lanes, pipes: tuple[PipeID, ...]) -> tuple[Ints, Ints]:
    """When any of these pipes was busy, with the lanes of one core on top of each other."""
    lane = lanes.busy.starts // lanes.width
    chosen = np.array([pipe in pipes for _, pipe in lanes.keys], bool)[lane]
    shift = np.array([core - i for i, (core, _) in enumerate(lanes.keys)], np.int64)[lane] * lanes.width
    return (lanes.busy.starts + shift)[chosen], (lanes.busy.stops + shift)[chosen]


def _length(starts: Ints, stops: Ints) -> int:
    order = np.argsort(starts, kind="stable")
    return int(Cover.of(starts[order], stops[order]).before[-1])


def _window(timeline: Timeline) -> tuple[Ints, Ints]:
    """First start and last stop of each core that ran; equal if it ran nothing."""
    cores = len(timeline.core_kinds)
    first = np.full(cores, np.iinfo(np.int64).max)
    last = np.full(cores, np.iinfo(np.int64).min)
    np.minimum.at(first, timeline.core, timeline.start)
    np.maximum.at(last, timeline.core, timeline.stop)
    is_empty = first > last
    first[is_empty] = last[is_empty] = 0
    return first, last


def _busy(lanes: Lanes, most: NDArray[np.float64]) -> NDArray[np.float64]:
    """Busy cycles of each lane; the scalar unit's include issuing, up to ``most``."""
    t = lanes.timeline
    busy = lanes.total().astype(np.float64)
    issuing = np.bincount(t.core, weights=issue_cycles(t), minlength=len(t.core_kinds))
    for i, (core, pipe) in enumerate(lanes.keys):
        if pipe is PipeID.PIPE_S:
            busy[i] = min(busy[i] + issuing[core], most[i])
    return busy


def _waits(lanes: Lanes, first: Ints) -> NDArray[np.float64]:
    """(lanes, causes) cycles each lane waited and did nothing else.

    A wait that the end of earlier work covers costs nothing there.
    """
    t, held = lanes.timeline, waits(lanes)
    start, lane = t.start[held.spans], lanes.lane[held.spans]
    since = np.minimum(np.maximum(held.since, first[t.core[held.spans]]), start)
    hidden = lanes.busy.upto(lanes.at(lane, start)) - lanes.busy.upto(lanes.at(lane, since))
    cell = lane * len(Cause) + t.cause[held.spans]
    flat = np.bincount(cell, weights=start - since - hidden, minlength=len(lanes.keys) * len(Cause))
    return np.asarray(flat.reshape(len(lanes.keys), len(Cause)), np.float64)
