"""The trace, read back as a viewer would."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascendc.language.hardware import HardwareSpec
from ascendc.language.program import Kind
from profiler.events import micro, width
from profiler.lanes import lanes
from profiler.trace import TimeUnit, Trace
from simulator.timeline import Cause, Timeline
from tests.profiler.timelines import Row, build, copy_in, streaming

FAST = HardwareSpec.load("demo").replace({"clock.reference_mhz": 1850})


def trace(timeline: Timeline, time_unit: TimeUnit = "ns") -> dict[str, Any]:
    file = io.BytesIO()
    Trace(lanes(timeline), time_unit=time_unit).write(file)
    out: dict[str, Any] = json.loads(file.getvalue())
    return out


def slices(events: list[dict[str, Any]]) -> list[tuple[int, int, int, int, str]]:
    """Process, thread, start and stop in nanoseconds, name; times cut off, as some readers do."""
    return [
        (e["pid"], e["tid"], int(e["ts"] * 1000), int(e["ts"] * 1000) + int(e["dur"] * 1000), e["name"])
        for e in events
        if e["ph"] == "X"
    ]


def test_a_slice_carries_name_stage_line_and_bytes() -> None:
    """A core is a process, a pipe a thread; both are numbered from 1."""
    events = trace(build(copy_in(5, 105, 4096)))["traceEvents"]

    assert events[-1] == {
        "ph": "X",
        "name": "data_copy",
        "cat": "copy_in",
        "args": {"line": "k.py:1", "bytes": 4096},
        "pid": 1,
        "tid": 1,
        "ts": 0.0,
        "dur": 0.1,
    }
    names = {(e["name"], e["pid"], e.get("tid")): e["args"] for e in events if e["ph"] == "M"}
    assert names["process_name", 1, None] == {"name": "core 0 (aiv)"}
    assert names["thread_name", 1, 1] == {"name": "MTE2"}


def test_overlapping_spans_go_to_further_threads() -> None:
    """Three copies of which two overlap need two threads: the third goes back to the first."""
    events = trace(build(copy_in(0, 100), copy_in(60, 160), copy_in(100, 120)))["traceEvents"]

    assert [(tid, start, stop) for _, tid, start, stop, _ in slices(events)] == [
        (1, 0, 100),
        (2, 60, 160),
        (1, 100, 120),
    ]
    assert [e["args"]["name"] for e in events if e["name"] == "thread_name"] == ["MTE2", "MTE2 2"]


def test_flags_are_joined_to_the_waits_they_end() -> None:
    """V is free from 0 on and goes on at 41, when the flag that MTE2 sets at 40 is visible."""
    rows = [
        copy_in(0, 40),
        Row("MTE2", 40, 41, "set_flag MTE2_V", Kind.SET),
        Row("V", 41, 41, "wait_flag MTE2_V", Kind.WAIT, ready=0, cause=Cause.FLAG, by=1),
        Row("V", 41, 50),
    ]

    events = trace(build(*rows))["traceEvents"]

    threads = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    sync = [(threads[pid, tid], start, stop) for pid, tid, start, stop, name in slices(events) if "flag" in name]
    assert sync == [("MTE2 sync", 40, 41), ("V sync", 0, 41)]
    arrows = [(e["ph"], e["id"], threads[e["pid"], e["tid"]], e["ts"]) for e in events if e["ph"] in "sf"]
    assert arrows == [("s", 1, "MTE2 sync", 0.04), ("f", 1, "V sync", 0.04)]


def bound(events: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """The slices each arrow joins, as Perfetto finds them: sorted by time, then place; the one that began last."""
    top: dict[tuple[int, int], str] = {}
    began: dict[int, str] = {}
    ends = []
    for e in sorted((e for e in events if e["ph"] != "M"), key=lambda e: int(e["ts"] * 1000)):
        where = e["pid"], e["tid"]
        if e["ph"] == "X":
            top[where] = e["name"]
        elif e["ph"] == "s":
            began[e["id"]] = top[where]
        else:
            ends.append((began.pop(e["id"]), top[where]))
    assert not began
    return ends


@pytest.mark.parametrize("spec", [None, FAST])
def test_arrows_are_bound_to_the_flag_and_to_the_wait_it_ended(spec: HardwareSpec | None) -> None:
    """Also where the next wait begins in the instant the first ends, and where a cycle is less than a nanosecond."""
    rows = []
    for i in range(9):
        rows += [
            Row("MTE2", 40 * i + 40, 40 * i + 41, f"set_flag MTE2_V {i}", Kind.SET),
            Row("V", 40 * i + 41, 40 * i + 41, f"wait_flag MTE2_V {i}", Kind.WAIT, 0, 40 * i + 1, Cause.FLAG, 2 * i),
        ]

    joined = bound(trace(build(*rows, spec=spec))["traceEvents"])

    assert sorted(joined) == [(f"set_flag MTE2_V {i}", f"wait_flag MTE2_V {i}") for i in range(9)]


def test_flags_nobody_waited_for_have_no_arrow() -> None:
    """The wait finds its flag set; there is nothing to explain."""
    rows = [Row("MTE2", 0, 1, "set", Kind.SET), Row("V", 9, 9, "wait", Kind.WAIT, by=0)]

    assert all(e["ph"] in "MX" for e in trace(build(*rows))["traceEvents"])


@pytest.mark.parametrize("time_unit", ["ns", "cycle"])
def test_no_span_is_lost_and_no_slice_overlaps(time_unit: TimeUnit) -> None:
    """Every span is one slice, in both units; within a thread the next starts where the last ended, or later."""
    rows = streaming(3, 30, 2, load=97, work=41, store=59, skew=3)
    rows += [copy_in(5000 + 7 * i, 5100 + 9 * i, core=1) for i in range(50)]
    timeline = build(*rows, spec=FAST)

    read = trace(timeline, time_unit)

    found = slices(read["traceEvents"])
    assert len(found) == len(rows) == read["otherData"]["slices"]
    assert read["otherData"]["left_out"] == 0
    work = sorted((pid, stop - start) for pid, _, start, stop, name in found if name in {"add", "data_copy"})
    if time_unit == "cycle":
        assert work == sorted((r.core + 1, r.stop - r.start) for r in rows if r.kind in {Kind.COMPUTE, Kind.MOVE})
    reach: dict[tuple[int, int], int] = {}
    for pid, tid, start, stop, _ in sorted(found):
        assert reach.get((pid, tid), 0) <= start <= stop
        reach[pid, tid] = stop


def test_edges_are_rounded_lengths_are_not() -> None:
    """At 1850 MHz cycles 1, 2 and 3 are 0.54, 1.08 and 1.62 ns: edges 1, 1 and 2, so lengths 0 and 1."""
    found = slices(trace(build(Row("V", 0, 1), Row("V", 1, 2), Row("V", 2, 3), spec=FAST))["traceEvents"])

    assert [(start, stop) for _, _, start, stop, _ in found] == [(0, 1), (1, 1), (1, 2)]


@given(st.lists(st.integers(0, 2**40), min_size=1))
def test_times_survive_readers_that_round_and_readers_that_cut(ns: list[int]) -> None:
    """As JSON and back, a thousand times the number of µs is the nanosecond again, either way."""
    read = json.loads(json.dumps(micro(np.array(ns, np.int64))))

    assert [int(us * 1000) for us in read] == ns
    assert [round(us * 1000) for us in read] == ns
    assert all(len(json.dumps(us)) <= most for us, most in zip(read, width(np.array(ns, np.int64)), strict=True))


def test_names_are_escaped() -> None:
    """Quotes, backslashes and control characters in a line or name leave the file readable."""
    odd = 'say "hi"\\\n\x01'

    events = trace(build(Row("V", 0, 10, name=odd, line=odd, stage=odd)))["traceEvents"]

    assert events[-1]["name"] == events[-1]["args"]["line"] == events[-1]["cat"] == odd


def test_an_empty_timeline_is_an_empty_trace() -> None:
    """The file is still one a viewer opens."""
    assert {e["name"] for e in trace(build(kinds=("aiv",)))["traceEvents"]} == {"process_name", "process_sort_index"}


def test_flags_say_which_they_are_and_nothing_else() -> None:
    """The parameters of a queue call and its stage are with its line."""
    row = Row("V", 0, 1, "enque V_MTE3 2 nbytes=128 space=UB", Kind.SET, stage="compute")

    *_, event = trace(build(row))["traceEvents"]

    assert (event["name"], event["args"], "cat" in event) == ("enque V_MTE3 2", {"line": "k.py:1"}, False)


def test_an_event_is_about_100_bytes() -> None:
    """Nothing but name, stage, line, place and time is spent on each of a million events."""
    timeline = build(*(Row("V", 10 * i, 10 * i + 10, stage="compute") for i in range(1000)))
    file = io.BytesIO()

    Trace(lanes(timeline)).write(file)

    assert len(file.getvalue()) / 1000 < 110
