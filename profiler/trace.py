"""Timelines as Chrome trace events, in the form Perfetto keeps every slice of.

A process is a core, a thread a pipe.  Spans of a pipe that overlap are packed into further threads of its
name, because Perfetto drops overlapping slices.  Flags, barriers and queue calls are on a ``sync`` thread
beside their pipe, from when the pipe could go on to when it did; an arrow joins a flag that was waited
for to the wait it ended.  What is left out is said in ``otherData``, and on a process of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal, get_args

import numpy as np

from ascendc.language.errors import UsageError
from ascendc.language.program import Kind
from simulator.timeline import Cause, Timeline

from . import events
from .cover import Ints
from .excerpt import Excerpt, Mask, Scope, choose
from .files import write_all
from .lanes import SYNC, Lanes
from .pack import pack
from .units import microseconds, nanoseconds

TimeUnit = Literal["ns", "cycle"]
"""What a nanosecond of the trace is: one, or one cycle (exact where a cycle is shorter)."""


class Trace:
    """A trace, ready to be written.

    Attributes:
        left_out: what of the launch is not in it, and why, a phrase each; none if everything is.
    """

    def __init__(self, lanes: Lanes, scope: Scope | None = None, time_unit: TimeUnit = "ns") -> None:
        """A trace of what of ``lanes`` is in ``scope``: everything there is room for, if not given.

        Raises:
            UsageError: ``time_unit`` is none.
        """
        if time_unit not in get_args(TimeUnit):
            raise UsageError(f"trace: time_unit must be one of {', '.join(get_args(TimeUnit))}, got {time_unit!r}")
        timeline, since = lanes.timeline, _since(lanes.timeline)
        edges = _edges(lanes, since, time_unit)
        self._heads = [events.head(label) for label in timeline.labels]
        excerpt = choose(lanes, scope or Scope(), since, _nbytes(timeline, self._heads, *edges))
        self.left_out = excerpt.left_out
        work = lanes.work[excerpt.kept[lanes.work]]
        sync = np.flatnonzero(~lanes.is_work & excerpt.kept)
        sync = sync[np.argsort(lanes.at(lanes.lane[sync], since[sync]), kind="stable")]
        self._timeline = timeline
        self._work, self._sync = (_Slices.of(lanes, spans, *edges) for spans in (work, sync))
        self._threads = _Threads(lanes, self._work.depth, self._sync.depth)
        self._about = _about(timeline, excerpt, time_unit)

    def write(self, file: BinaryIO) -> None:
        """Write it as one JSON object, piece by piece."""
        opening = f'{{"displayTimeUnit":"ns","otherData":{events.dump(self._about)},"traceEvents":[\n'
        file.write((opening + ",\n".join([*self._threads.naming(), *self._remarks()])).encode())
        for slices, first in ((self._work, self._threads.work), (self._sync, self._threads.sync)):
            where = self._threads.of(first[slices.lane] + slices.row)
            labels = self._timeline.label[slices.spans]
            for text in events.slices(self._heads, labels, where, slices.starts, slices.stops):
                file.write(text.encode())
        for text in self._arrows():
            file.write(text.encode())
        file.write(b"\n]}\n")

    def save(self, path: str | Path) -> Path:
        """Write it to ``path``.

        Raises:
            UsageError: it cannot be written there.
        """
        path = Path(path)
        return write_all(path.parent, {path.name: self.write})[0]

    def _remarks(self) -> Iterator[str]:
        """What is left out, where a viewer shows it: above all cores, as long as what is there."""
        if not self.left_out:
            return
        process = len(self._timeline.core_kinds)
        yield events.naming("process_name", process, name="left out of this trace")
        yield events.naming("process_sort_index", process, sort_index=-1)
        both = self._work, self._sync
        last = max(int(slices.stops.max(initial=0)) for slices in both)
        first = min(int(slices.starts.min(initial=last)) for slices in both)
        for tid, phrase in enumerate(self.left_out, 1):
            where = events.thread(process, tid)
            yield f'{{"ph":"X","name":{events.dump(phrase)},{where}{first / 1000},"dur":{(last - first) / 1000}}}'

    def _arrows(self) -> Iterator[str]:
        """From each flag that was waited for to where its pipe went on."""
        timeline, sync = self._timeline, self._sync
        place = np.full(len(timeline), -1, np.int64)
        place[sync.spans] = np.arange(len(sync.spans))
        waits = sync.spans[_by_flag(timeline)[sync.spans]]
        flags, ends = place[timeline.by[waits]], place[waits]
        flags, ends = flags[flags >= 0], ends[flags >= 0]
        thread = self._threads.sync[sync.lane] + sync.row
        leave = sync.starts[flags]
        arrive = np.maximum(sync.stops[ends] - 1, leave)  # where the wait ends, the next slice may begin
        return events.arrows(self._threads.of(thread[flags]), leave, self._threads.of(thread[ends]), arrive)


@dataclass(frozen=True, slots=True, eq=False)
class _Slices:
    """Slices of one kind, by lane and start.

    Attributes:
        spans: their numbers in the timeline.
        starts, stops: nanoseconds of the trace.
        lane, row: each slice's lane, and the sub-lane it was packed into.
        depth: sub-lanes of each lane.
    """

    spans: Ints
    starts: Ints
    stops: Ints
    lane: Ints
    row: Ints
    depth: Ints

    @classmethod
    def of(cls, lanes: Lanes, spans: Ints, starts: Ints, stops: Ints) -> _Slices:
        """These spans, packed; ``starts`` and ``stops`` are of all spans."""
        starts, stops, lane = starts[spans], stops[spans], lanes.lane[spans]
        base = lane * (int(stops.max(initial=0)) + 1)
        row = pack(base + starts, base + stops)
        depth = np.zeros(len(lanes.keys), np.int64)
        np.maximum.at(depth, lane, row + 1)
        return cls(spans, starts, stops, lane, row, depth)


class _Threads:
    """Numbers and names of the threads; numbered from 1 within each process.

    Attributes:
        work, sync: by lane, the number in all of the first thread of its work, and of its sync.
    """

    def __init__(self, lanes: Lanes, work: Ints, sync: Ints) -> None:
        self._lanes = lanes
        self._names: list[tuple[int, int, str]] = []
        self.work, self.sync = np.zeros_like(work), np.zeros_like(sync)
        last_core, tid = -1, 0
        for i, (core, pipe) in enumerate(lanes.keys):
            tid, last_core = (0 if core != last_core else tid), core
            for first, depth, name in ((self.work, work, pipe.short), (self.sync, sync, f"{pipe.short} sync")):
                first[i] = len(self._names)
                for row in range(int(depth[i])):
                    tid += 1
                    self._names.append((core, tid, name if row == 0 else f"{name} {row + 1}"))
        self._where = [events.thread(core, tid) for core, tid, _ in self._names]

    def of(self, numbers: Ints) -> list[str]:
        """What an event says of each of these threads."""
        return [self._where[number] for number in numbers.tolist()]

    def naming(self) -> Iterator[str]:
        """Events that name processes and threads and keep them in this order."""
        for core, kind in enumerate(self._lanes.timeline.core_kinds):
            yield events.naming("process_name", core, name=f"core {core} ({kind})")
            yield events.naming("process_sort_index", core, sort_index=core)
        for core, tid, name in self._names:
            yield events.naming("thread_name", core, tid, name=name)
            yield events.naming("thread_sort_index", core, tid, sort_index=tid)


def _about(timeline: Timeline, excerpt: Excerpt, time_unit: TimeUnit) -> dict[str, object]:
    slices = int(excerpt.kept.sum())
    return {
        "kernel": timeline.kernel,
        "chip": timeline.spec.name,
        "cycles": timeline.cycles,
        "core_us": microseconds(timeline.cycles, timeline.spec),
        "clock_mhz": timeline.spec.clock.reference_mhz,
        "time": "1 ns is 1 cycle" if time_unit == "cycle" else "edges rounded to 1 ns",
        "slices": slices,
        "left_out": len(timeline) - slices,
        "left_out_why": excerpt.left_out,
    }


def _since(timeline: Timeline) -> Ints:
    """When each span begins in a trace: what may hold its pipe up, when the pipe was free for it."""
    holds = np.array([label.kind in SYNC and label.kind is not Kind.SET for label in timeline.labels], bool)
    return np.where(holds[timeline.label], np.minimum(timeline.ready, timeline.start), timeline.start)


def _edges(lanes: Lanes, since: Ints, time_unit: TimeUnit) -> tuple[Ints, Ints]:
    """Starts and stops of all spans in the trace's nanoseconds; both ends of an arrow last one, or nothing holds it."""
    timeline = lanes.timeline
    starts, stops = since - lanes.origin, timeline.stop - lanes.origin
    if time_unit == "ns":
        starts, stops = nanoseconds(starts, timeline.spec), nanoseconds(stops, timeline.spec)
    is_set = np.array([label.kind is Kind.SET for label in timeline.labels], bool)[timeline.label]
    is_end = is_set | _by_flag(timeline)
    return np.where(is_end, np.minimum(starts, np.maximum(stops - 1, 0)), starts), stops


def _nbytes(timeline: Timeline, heads: list[str], starts: Ints, stops: Ints) -> Ints:
    """What each span takes in the file, with the arrow to it, at most."""
    head = np.array([len(text.encode()) for text in heads], np.int64)[timeline.label]
    thread = np.array([len(events.thread(core, 99)) for core in range(len(timeline.core_kinds))], np.int64)
    where = thread[timeline.core]
    arrow = np.where(_by_flag(timeline), events.ARROW_BYTES + 2 * (where + events.width(stops)), 0)
    return head + events.SLICE_BYTES + where + events.width(starts) + events.width(stops - starts) + arrow


def _by_flag(timeline: Timeline) -> Mask:
    """Whether each span waited for a flag that is known."""
    return np.asarray((timeline.cause == Cause.FLAG) & (timeline.by >= 0) & (timeline.start > timeline.ready))
