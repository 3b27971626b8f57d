"""Timelines as Chrome trace events, in the form Perfetto keeps every slice of.

A process is a core, a thread a pipe.  Spans of a pipe that overlap are packed into further threads of its
name, because Perfetto drops overlapping slices.  Flags, barriers and queue calls are on a ``sync`` thread
beside their pipe, from when the pipe could go on to when it did; an arrow joins a flag that was waited
for to the wait it ended.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Literal

import numpy as np

from ascendc.language.program import Kind
from simulator.timeline import Label, Timeline

from .cover import Ints
from .lanes import SYNC, Lanes
from .pack import pack
from .units import nanoseconds

TimeUnit = Literal["ns", "cycle"]
"""What a nanosecond of the trace is: one, or one cycle (exact where a cycle is shorter)."""
CHUNK = 1 << 15
"""Events formatted at a time."""


@dataclass(frozen=True, slots=True, eq=False)
class Slices:
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


def write_trace(lanes: Lanes, file: BinaryIO, time_unit: TimeUnit = "ns") -> None:
    """Write all spans of ``lanes`` as one JSON object.

    Args:
        lanes: the spans.
        file: where to.
        time_unit: ``cycle`` counts cycles as nanoseconds, so that none is rounded away.
    """
    work = _slices(lanes, lanes.work, lanes.timeline.start, time_unit)
    sync = _slices(lanes, _sync(lanes), _since(lanes.timeline), time_unit)
    threads = _Threads(lanes, work.depth, sync.depth)
    file.write(_opening(lanes.timeline, time_unit).encode())
    file.write(",\n".join(threads.metadata()).encode())
    heads = [_head(label) for label in lanes.timeline.labels]
    for slices, first in ((work, threads.work), (sync, threads.sync)):
        thread = first[slices.lane] + slices.row
        for chunk in _events(lanes.timeline, slices, thread, heads, threads.prefix):
            file.write(chunk.encode())
    for chunk in _arrows(lanes.timeline, sync, threads):
        file.write(chunk.encode())
    file.write(b"\n]}\n")


def _slices(lanes: Lanes, spans: Ints, since: Ints, time_unit: TimeUnit) -> Slices:
    """These spans, sorted by lane and start, packed."""
    starts, stops = since[spans] - lanes.origin, lanes.timeline.stop[spans] - lanes.origin
    if time_unit == "ns":
        starts, stops = (nanoseconds(edge, lanes.timeline.spec) for edge in (starts, stops))
    lane = lanes.lane[spans]
    base = lane * (int(stops.max(initial=0)) + 1)
    row = pack(base + starts, base + stops)
    depth = np.zeros(len(lanes.keys), np.int64)
    np.maximum.at(depth, lane, row + 1)
    return Slices(spans, starts, stops, lane, row, depth)


def _sync(lanes: Lanes) -> Ints:
    spans = np.flatnonzero(~lanes.is_work)
    return spans[np.argsort(lanes.at(lanes.lane[spans], _since(lanes.timeline)[spans]), kind="stable")]


def _since(timeline: Timeline) -> Ints:
    """When each span of ``sync`` began to hold its pipe up; setting a flag never does."""
    holds = np.array([label.kind is not Kind.SET for label in timeline.labels], bool)
    if not len(timeline):
        return timeline.start
    return np.where(holds[timeline.label], np.minimum(timeline.ready, timeline.start), timeline.start)


class _Threads:
    """Numbers and names of the threads; numbered from 1 within each process.

    Attributes:
        work, sync: by lane, the place in ``prefix`` of the first thread of its work, and of its sync.
        prefix: by thread, the part of an event that names it.
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
        self.prefix = [f'"pid":{core + 1},"tid":{tid},"ts":' for core, tid, _ in self._names]

    def metadata(self) -> Iterator[str]:
        """Events that name processes and threads and keep them in this order."""
        for core, kind in enumerate(self._lanes.timeline.core_kinds):
            yield _meta("process_name", core, 0, name=f"core {core} ({kind})")
            yield _meta("process_sort_index", core, 0, sort_index=core)
        for core, tid, name in self._names:
            yield _meta("thread_name", core, tid, name=name)
            yield _meta("thread_sort_index", core, tid, sort_index=tid)


def _meta(event: str, core: int, tid: int, **args: str | int) -> str:
    thread = {"tid": tid} if tid else {}
    return _json({"ph": "M", "name": event, "pid": core + 1, **thread, "args": args})


def _opening(timeline: Timeline, time_unit: TimeUnit) -> str:
    about = {
        "kernel": timeline.kernel,
        "chip": timeline.spec.name,
        "cycles": timeline.cycles,
        "clock_mhz": timeline.spec.clock.reference_mhz,
        "time": "1 ns is 1 cycle" if time_unit == "cycle" else "edges rounded to 1 ns",
        "slices": len(timeline),
        "left_out": 0,
    }
    return f'{{"displayTimeUnit":"ns","otherData":{_json(about)},"traceEvents":[\n'


def _head(label: Label) -> str:
    """What all events of one label begin with."""
    name = label.text if label.kind in SYNC else label.name
    args = {"line": label.line} | ({"bytes": label.nbytes} if label.nbytes else {})
    stage = f'"cat":{_json(label.stage)},' if label.stage else ""
    return f'{{"ph":"X","name":{_json(name)},{stage}"args":{_json(args)},'


def _events(timeline: Timeline, slices: Slices, thread: Ints, heads: list[str], prefix: list[str]) -> Iterator[str]:
    """One event a slice, in pieces."""
    for at in range(0, len(slices.spans), CHUNK):
        part = slice(at, at + CHUNK)
        yield "".join(
            f',\n{heads[label]}{prefix[row]}{ts},"dur":{dur}}}'
            for label, row, ts, dur in zip(
                timeline.label[slices.spans[part]].tolist(),
                thread[part].tolist(),
                _micro(slices.starts[part]),
                _micro(slices.stops[part] - slices.starts[part]),
                strict=True,
            )
        )


def _arrows(timeline: Timeline, sync: Slices, threads: _Threads) -> Iterator[str]:
    """Two events for every wait that a flag ended: from the flag to where the pipe went on."""
    place = np.full(len(timeline), -1, np.int64)
    place[sync.spans] = np.arange(len(sync.spans))
    is_wait = np.array([label.kind is Kind.WAIT for label in timeline.labels], bool)
    waits = sync.spans[is_wait[timeline.label[sync.spans]]] if len(sync.spans) else sync.spans
    waits = waits[(timeline.start[waits] > timeline.ready[waits]) & (timeline.by[waits] >= 0)]
    flags = place[timeline.by[waits]]
    ends = place[waits][flags >= 0]
    flags = flags[flags >= 0]
    thread = (threads.sync[sync.lane] + sync.row).tolist()
    leave, arrive = _micro(sync.starts[flags]), _micro(sync.stops[ends])
    for number, (a, b) in enumerate(zip(flags.tolist(), ends.tolist(), strict=True), 1):
        flow = f'"name":"flag","cat":"flag","id":{number},'
        yield (
            f',\n{{"ph":"s",{flow}{threads.prefix[thread[a]]}{leave[number - 1]}}}'
            f',\n{{"ph":"f","bp":"e",{flow}{threads.prefix[thread[b]]}{arrive[number - 1]}}}'
        )


def _micro(ns: Ints) -> list[float]:
    """Nanoseconds as the format's µs, such that times 1000 gives them back rounded *or* cut off.

    Readers do either, and the nearest double of ``n / 1000`` may be a hair too small to survive the second.
    """
    us = ns / 1000
    short = (us * 1000).astype(np.int64) != ns
    us[short] = np.nextafter(us[short], np.inf)
    out: list[float] = us.tolist()
    return out


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
