"""Busy, waiting and idle cycles, and time in µs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ascendc.language.hardware import HardwareSpec
from ascendc.language.program import Kind
from profiler import profile
from profiler.units import nanoseconds
from simulator.timeline import Cause, Timeline
from tests.profiler.timelines import Row, build, copy_in, copy_out, streaming

DEMO = HardwareSpec.load("demo")


def test_busy_is_the_union_of_overlapping_spans() -> None:
    """Copies at [0,100), [60,160) and [200,240) keep MTE2 busy for 200 of 240 cycles, not for 240."""
    use = profile(build(copy_in(0, 100), copy_in(60, 160), copy_in(200, 240))).pipes["MTE2"]

    assert (use.busy_cycles, use.span_cycles, use.instructions) == (200, 240, 3)
    assert use.ratio == pytest.approx(200 / 240)


def test_flags_barriers_and_calls_are_not_work() -> None:
    """Only the 10 cycles of the addition count for V, whatever a flag, barrier or call lasts."""
    rows = [
        Row("V", 0, 1, "set", Kind.SET),
        Row("V", 0, 50, "wait", Kind.WAIT),
        Row("V", 50, 60),
        Row("V", 60, 90, "barrier", Kind.BARRIER),
        Row("S", 90, 100, "alloc", Kind.CALL),
    ]

    pipes = profile(build(*rows)).pipes

    assert pipes["V"].busy_cycles == 10
    assert pipes["V"].ratio == pytest.approx(0.1)
    assert pipes["V"].instructions == 1


def test_busy_and_ratio_are_means_over_the_launched_cores() -> None:
    """Core 0 is busy 40 of 100 cycles, core 1 20 of 60: 30 in the mean, of 80; the launch took 120."""
    timeline = build(Row("V", 0, 40), copy_out(40, 100), Row("V", 60, 80, core=1), copy_out(80, 120, core=1))

    report = profile(timeline)

    assert report.cycles == 120
    assert report.pipes["V"].busy_cycles == 30
    assert report.pipes["V"].ratio == pytest.approx(30 / 80)
    core = report.cores["aiv"]
    assert (core.count, core.available, core.mean_cycles, core.min_cycles, core.max_cycles) == (2, 2, 80, 60, 100)
    assert core.imbalance == pytest.approx(0.4)


def test_a_core_that_ran_nothing_is_a_launched_core() -> None:
    """One of two cores is busy all its 10 cycles: 5 in the mean, of 5."""
    use = profile(build(Row("V", 0, 10), kinds=("aiv", "aiv"))).pipes["V"]

    assert (use.busy_cycles, use.ratio) == (5, 1)


def test_waits_are_split_by_cause() -> None:
    """V waits 30 cycles for a flag, 5 at a barrier and 7 for the scalar unit."""
    rows = [
        copy_in(0, 30),
        Row("V", 30, 30, "wait", Kind.WAIT, ready=0, cause=Cause.FLAG),
        Row("V", 30, 40),
        Row("V", 45, 45, "barrier", Kind.BARRIER, ready=40, cause=Cause.BARRIER),
        Row("V", 52, 60, ready=45, cause=Cause.ISSUE),
    ]

    use = profile(build(*rows)).pipes["V"]

    assert use.wait_cycles == {Cause.ISSUE: 7, Cause.QUEUE: 0, Cause.FLAG: 30, Cause.BARRIER: 5, Cause.BLOCK: 0}
    assert (use.busy_cycles, use.idle_cycles) == (18, 0)


def test_waiting_under_earlier_work_costs_nothing() -> None:
    """The second copy is ready at 10 and starts at 70; the first is under way until 50: 20 cycles are lost."""
    rows = [copy_in(0, 50), copy_in(70, 90, ready=10, cause=Cause.FLAG)]

    use = profile(build(*rows)).pipes["MTE2"]

    assert use.wait_cycles[Cause.FLAG] == 20


def test_waits_before_a_core_starts_do_not_count() -> None:
    """The core's time begins at 100; that its block came late is not its pipes' wait."""
    use = profile(build(copy_in(100, 150, ready=0, cause=Cause.BLOCK))).pipes["MTE2"]

    assert use.wait_cycles[Cause.BLOCK] == 0
    assert use.ratio == 1


def test_scalar_unit_is_busy_issuing() -> None:
    """Three instructions at 1 cycle each and one scalar read of 10: 13 of 40 cycles."""
    rows = [Row("S", 1, 11, "get_value", Kind.SCALAR, ready=0, cause=Cause.ISSUE), Row("V", 12, 30), Row("V", 31, 41)]

    use = profile(build(*rows)).pipes["S"]

    assert use.busy_cycles == 13
    assert use.wait_cycles[Cause.ISSUE] == 0
    assert use.idle_cycles == 40 - 13


def test_barriers_over_all_pipes_hold_the_scalar_unit() -> None:
    """After 1 cycle of issue the scalar unit waits from 2 to 20; the barrier is on its lane."""
    rows = [Row("V", 1, 20), Row("ALL", 20, 20, "pipe_barrier", Kind.BARRIER, ready=1, cause=Cause.BARRIER)]

    assert profile(build(*rows)).pipes["S"].wait_cycles[Cause.BARRIER] == 18


def test_queue_calls_have_their_own_price() -> None:
    """On a chip where a queue call costs 6 cycles and an instruction 2, one of each is 8."""
    spec = DEMO.replace({"scalar.queue_call_cycles": 6, "scalar.issue_cycles": 2})
    rows = [Row("V", 0, 1, "enque", Kind.SET, queued=True), Row("V", 6, 60)]

    assert profile(build(*rows, spec=spec)).pipes["S"].busy_cycles == 8


def test_pipes_are_listed_along_the_flow_of_data() -> None:
    """All pipes of the core are there, also those that did nothing."""
    assert list(profile(build(Row("V", 0, 10))).pipes) == ["S", "MTE2", "V", "MTE3"]


def test_pipes_carry_their_kind_of_core_if_several_ran() -> None:
    """Two kinds of core have a V and an MTE2 each; nobody sees their mean."""
    report = profile(build(Row("V", 0, 10), copy_in(0, 20, core=1), spec=mixed(), kinds=("aiv", "other")))

    assert list(report.pipes) == [
        *("aiv.S", "aiv.MTE2", "aiv.V", "aiv.MTE3"),
        *("other.S", "other.MTE2", "other.V", "other.MTE3"),
    ]
    assert report.pipes["aiv.V"].ratio == report.pipes["other.MTE2"].ratio == 1


def mixed() -> HardwareSpec:
    """The demo chip with its vector core under a second name as well."""
    core = {**DEMO.core, "other": DEMO.core["aiv"]}
    return HardwareSpec(**{name: getattr(DEMO, name) for name in DEMO.__dataclass_fields__} | {"core": core})


def test_task_time_is_cycles_over_clock_plus_launch() -> None:
    """1000 cycles at 500 MHz are 2 µs, launching 3 cores 4 + 3 * 0.5 µs."""
    spec = DEMO.replace({"clock.reference_mhz": 500, "launch.base_us": 4, "launch.per_core_us": 0.5})

    report = profile(build(Row("V", 5, 1005), spec=spec, kinds=("aiv",) * 3))

    assert (report.core_us, report.launch_us, report.task_us) == (2.0, 5.5, 7.5)


def test_nothing_ran_is_a_report_too() -> None:
    """No span, no cycle, no division by zero."""
    report = profile(build(kinds=("aiv",)))

    assert (report.cycles, str(report.verdict), report.pipes["V"].ratio) == (0, "nothing ran", 0)
    assert report.advice.id == "ASC-GRID-000"


def test_overlap_is_of_the_shorter() -> None:
    """Copies at [0,100), V at [80,120): V runs 20 of its 40 cycles beside a copy."""
    assert profile(build(copy_in(0, 100), Row("V", 80, 120))).overlap_ratio == pytest.approx(0.5)


def test_overlap_is_within_a_core() -> None:
    """A copy on one core and V on another do not overlap."""
    assert profile(build(copy_in(0, 100), Row("V", 0, 100, core=1))).overlap_ratio == 0


@given(mhz=st.sampled_from([1000, 1650, 1800, 1850]), lengths=st.lists(st.integers(0, 900), max_size=40))
def test_edges_that_touch_in_cycles_touch_in_nanoseconds(mhz: int, lengths: list[int]) -> None:
    """Rounded edges never run backwards and are off by half a nanosecond at most."""
    spec = DEMO.replace({"clock.reference_mhz": mhz})
    edges = np.cumsum(np.array([0, *lengths], np.int64))

    rounded = nanoseconds(edges, spec)

    assert (np.diff(rounded) >= 0).all()
    assert (abs(rounded * mhz - edges * 1000) * 2 <= mhz).all()


@st.composite
def timelines(draw: st.DrawFn) -> Timeline:
    """In-order pipes whose spans may outlast the start of the next."""
    rows = []
    for core in range(draw(st.integers(1, 3))):
        for pipe in ("MTE2", "V", "MTE3"):
            free = draw(st.integers(0, 20))
            for _ in range(draw(st.integers(0, 6))):
                ready, cause = free, draw(st.sampled_from([c for c in Cause if c is not Cause.NONE]))
                start = ready + draw(st.integers(0, 9))
                free = start + draw(st.integers(0, 9))
                kind = draw(st.sampled_from([Kind.COMPUTE, Kind.WAIT]))
                stop = free + draw(st.integers(0, 9)) if kind is Kind.COMPUTE else start
                free = free if kind is Kind.COMPUTE else start
                rows.append(Row(pipe, start, stop, core=core, ready=ready, kind=kind, cause=cause))
    return build(*rows, kinds=("aiv",) * 3)


@given(timelines())
def test_busy_waiting_and_idle_are_all_of_a_cores_time(timeline: Timeline) -> None:
    """Nothing is counted twice and nothing is missing, on every pipe."""
    report = profile(timeline)

    for use in report.pipes.values():
        parts = [use.busy_cycles, *use.wait_cycles.values(), use.idle_cycles]
        assert min(parts) >= -1e-9
        assert sum(parts) == pytest.approx(report.cores["aiv"].mean_cycles)


def test_a_streaming_loop_by_hand() -> None:
    """One buffer, load 100, work 40, store 60, 8 tiles: a load every 140 cycles, done at 8 * 140 + 60."""
    report = profile(build(*streaming(1, 8, buffers=1, load=100, work=40, store=60)))

    assert report.cycles == 1180
    assert [report.pipes[p].busy_cycles for p in ("MTE2", "V", "MTE3")] == [800, 320, 480]
    assert report.pipes["V"].wait_cycles[Cause.FLAG] == 800
    assert report.overlap_ratio == 0
