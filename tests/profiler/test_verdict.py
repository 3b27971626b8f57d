"""What bounds a launch, what to do about it, and how fast bytes moved."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

from ascendc.language.hardware import HardwareSpec
from ascendc.language.program import Kind
from profiler import Bound, profile
from simulator.timeline import Cause
from tests.profiler.timelines import Row, build, copy_in, copy_out, streaming

DEMO = HardwareSpec.load("demo")
MANY = DEMO.replace({"core.aiv.count": 48, "hbm.achievable_gbps": 300, "hbm.peak_gbps": 400, "launch.base_us": 0})


def test_bandwidth_is_bytes_over_the_launch() -> None:
    """4096 B in and 2048 B out in 1000 ns are 4.096 and 2.048 GB/s; HBM moved 512 B each way."""
    timeline = build(copy_in(0, 100, 4096), copy_out(900, 1000, 2048), hbm_read=512, hbm_write=512, l2_hit=3, l2_miss=1)

    moved = profile(timeline).bandwidth

    assert (moved.read_bytes, moved.write_bytes) == (4096, 2048)
    assert (moved.read_gbps, moved.write_gbps) == (pytest.approx(4.096), pytest.approx(2.048))
    hbm = moved.memories["HBM"]
    assert (hbm.gbps, hbm.peak_gbps, hbm.achievable_gbps) == (pytest.approx(1.024), 128, 128)
    assert moved.memories["L2"].peak_gbps is None
    assert moved.l2_hit_ratio == 0.75
    assert moved.paths["gm_to_ub"].transfers == 1


def test_ports_are_as_wide_as_the_cores_that_ran() -> None:
    """Two cores of 64 B a cycle at 1000 MHz: 128 GB/s; 64 lines of 512 B in 100 cycles would be more."""
    assert profile(build(copy_in(0, 10), copy_in(0, 10, core=1))).bandwidth.paths["gm_to_ub"].port_gbps == 128


def test_ports_are_no_faster_than_their_lines_come_back() -> None:
    """4 lines of 512 B in flight for 100 cycles are 20.48 B a cycle, whatever the port's width."""
    spec = DEMO.replace({"route.gm_to_ub.outstanding_lines": 4})

    path = profile(build(copy_in(0, 10), spec=spec)).bandwidth.paths["gm_to_ub"]

    assert path.port_gbps == pytest.approx(float(Fraction(4 * 512, 100)))


def test_48_streaming_cores_are_memory_bound() -> None:
    """Each moves 6144 B every 1000 cycles: 294.9 of the 300 GB/s that HBM gives, less filling and draining."""
    rows = streaming(48, 40, buffers=2, load=1000, work=300, store=500, nbytes=4096)
    timeline = build(*rows, spec=MANY, hbm_read=48 * 40 * 4096, hbm_write=48 * 40 * 2048)

    report = profile(timeline)

    assert report.cycles == 40 * 1000 + 300 + 500
    assert str(report.verdict) == "memory bound: MTE2 fills HBM with 289 of 300 GB/s (0.964 > 0.65)"
    assert report.advice.id == "ASC-MEM-001"


def test_memory_bound_with_pauses_is_told_to_overlap() -> None:
    """2 * 40 * 4480 B in 5660 ns are 63.3 GB/s: above the vector threshold, yet nothing is copied while V works."""
    rows = streaming(2, 40, buffers=1, load=100, work=40, store=60, nbytes=4480)
    timeline = build(*rows, spec=DEMO.replace({"hbm.achievable_gbps": 96}), hbm_read=2 * 40 * 4480)

    report = profile(timeline)

    assert str(report.verdict) == "memory bound: MTE2 fills HBM with 63 of 96 GB/s (0.660 > 0.65)"
    assert report.advice.id == "ASC-DB-001"


def test_one_core_with_small_tiles_is_latency_bound() -> None:
    """Its pipes take turns: MTE2 works 40 * 100 of 40 * 140 + 60 cycles; 47 cores do nothing."""
    report = profile(build(*streaming(1, 40, buffers=1, load=100, work=40, store=60, nbytes=512), spec=MANY))

    assert str(report.verdict) == "latency bound: pipeline caused: MTE2 is the busiest pipe (0.707 <= 0.80)"
    assert str(report.advice) == "ASC-GRID-002: 1 of 48 aiv cores ran: launch more blocks"


def test_one_core_that_fills_its_port_is_memory_bound() -> None:
    """6400 B in 100 cycles are all of the port's 64 B a cycle, but none of the chip's memory: more cores help."""
    report = profile(build(*streaming(1, 40, buffers=2, load=100, work=40, store=60, nbytes=6400), spec=MANY))

    assert report.verdict.bound is Bound.MEMORY
    assert report.verdict.pipe == "MTE2"
    assert "gm_to_ub" in report.verdict.text
    assert report.advice.id == "ASC-GRID-002"


def test_a_busy_vector_unit_is_compute_bound() -> None:
    """Instructions of 110 cycles, 10 of them start-up, one after the other: 100 / 110 of V's time."""
    report = profile(build(*(Row("V", 110 * i, 110 * i + 110) for i in range(50))))

    assert str(report.verdict) == "compute bound: V computes, start-up left out (0.909 > 0.65)"
    assert report.advice.id == "ASC-COMP-001"


def test_a_vector_unit_busy_starting_is_latency_bound() -> None:
    """Of 11 cycles an instruction 10 are start-up: V has no time left and computes for 9 % of it."""
    report = profile(build(*(Row("V", 11 * i, 11 * i + 11) for i in range(200))))

    assert str(report.verdict) == "latency bound: compute caused: V is the busiest pipe (1.000 > 0.80)"
    assert report.advice.id == "ASC-COMP-002"


def test_work_of_no_length_bounds_nothing() -> None:
    """V is there for no cycle at all, MTE3 for one."""
    report = profile(build(Row("V", 0, 0), copy_out(0, 1)))

    assert report.verdict.pipe == "MTE3"


def test_small_copies_without_pause_are_latency_bound_by_memory() -> None:
    """MTE2 is busy all the time and moves 64 B in 100 cycles."""
    report = profile(build(*(copy_in(100 * i, 100 * i + 100) for i in range(50))))

    assert str(report.verdict) == "latency bound: memory caused: MTE2 is the busiest pipe (1.000 > 0.80)"
    assert str(report.advice) == "ASC-MEM-002: MTE2 carries 64 B at a time: larger transfers, 16,384 B or more"


def test_large_slow_copies_are_not_told_to_grow() -> None:
    """32 KB in 2000 cycles is a quarter of the port; size is not what is wrong."""
    report = profile(build(*(copy_in(2000 * i, 2000 * i + 2000, 32_768) for i in range(5))))

    assert report.verdict.bound is Bound.LATENCY_MEMORY
    assert report.advice.id == "ASC-MEM-003"
    assert report.advice.text == "MTE2 is busy below its rate: avoid short rows, and reuse what the L2 holds"


def test_a_scalar_unit_without_time_is_told_to_issue_less() -> None:
    """Scalar reads fill the core's time."""
    report = profile(build(*(Row("S", 11 * i, 11 * i + 10, "get_value", Kind.SCALAR) for i in range(200))))

    assert report.verdict.bound is Bound.LATENCY_COMPUTE
    assert report.verdict.pipe == "S"
    assert report.advice.id == "ASC-SCALAR-001"


@pytest.mark.parametrize(
    ("cause", "identifier"),
    [(Cause.ISSUE, "ASC-SCALAR-001"), (Cause.QUEUE, "ASC-SCALAR-001"), (Cause.BARRIER, "ASC-SYNC-001")],
)
def test_advice_follows_what_the_pipes_wait_for(cause: Cause, identifier: str) -> None:
    """V works 50 of every 100 cycles and waits for the rest."""
    rows = [Row("V", 100 * i + 50, 100 * i + 100, ready=100 * i, cause=cause) for i in range(30)]

    report = profile(build(*rows))

    assert report.verdict.bound is Bound.LATENCY_PIPELINE
    assert report.advice.id == identifier


def test_pipes_that_take_turns_should_double_buffer() -> None:
    """Nothing is copied while V computes."""
    rows = streaming(2, 40, buffers=1, load=100, work=40, store=60, nbytes=512)

    assert profile(build(*rows)).advice.id == "ASC-DB-001"


def test_pipes_that_overlap_with_small_tiles_should_move_more_at_once() -> None:
    """V works beside the copies, nobody is full, and a copy carries 64 B."""
    rows = [row for i in range(40) for row in (copy_in(100 * i, 100 * i + 70), Row("V", 100 * i + 30, 100 * i + 80))]

    assert profile(build(*rows)).advice.id == "ASC-MEM-002"


def test_pipes_that_overlap_with_large_tiles_need_fewer_dependencies() -> None:
    """The same with copies of 32 KB on a port that could do much more."""
    spec = DEMO.replace({"route.gm_to_ub.hbm_bytes_per_cycle": 4096, "route.gm_to_ub.outstanding_lines": 4096})
    rows = [
        row for i in range(40) for row in (copy_in(100 * i, 100 * i + 70, 32768), Row("V", 100 * i + 30, 100 * i + 80))
    ]

    assert profile(build(*rows, spec=spec)).advice.id == "ASC-DB-002"


def test_a_launch_that_costs_more_than_the_kernel_comes_first() -> None:
    """100 ns of work behind 1 µs of launch."""
    assert str(profile(build(Row("V", 0, 100))).advice).startswith("ASC-GRID-001: 91% of the time is the launch")


def test_unequal_cores_come_before_the_kernel() -> None:
    """One core takes 2000 cycles, the other 1000."""
    advice = profile(build(Row("V", 0, 2000), Row("V", 0, 1000, core=1))).advice

    assert advice.id == "ASC-GRID-003"
    assert "2,000 cycles, the fastest 1,000" in advice.text


def test_many_more_blocks_than_cores_should_be_a_loop() -> None:
    """Ten blocks one after another on each of two cores."""
    rows = [Row("V", at * 1000, at * 1000 + 900, core=core, block=2 * at + core) for at in range(10) for core in (0, 1)]

    advice = profile(build(*rows)).advice
    assert advice.id == "ASC-GRID-004"
    assert advice.text.startswith("20 blocks on 2 aiv cores")


def test_text_fits_a_terminal_and_names_thresholds() -> None:
    """80 columns, plain ASCII, verdict first, one row a pipe."""
    rows = streaming(48, 40, buffers=2, load=1000, work=300, store=500)
    report = profile(build(*rows, spec=MANY, hbm_read=48 * 40 * 4096, hbm_write=48 * 40 * 2048, l2_hit=1, l2_miss=1))

    lines = report.text().splitlines()

    assert max(map(len, lines)) <= 80
    assert len(lines) <= 24
    assert report.text().isascii()
    assert lines[0] == str(report.verdict)
    assert any(re.match(r"MTE2 +40,000 +0\.98", line) for line in lines)
    assert lines[-1] == "bound: use > 0.80 (0.65 without the cube); busy pipe: ratio > 0.80"


def test_text_of_an_empty_launch() -> None:
    """There is nothing to divide, and it says so."""
    assert profile(build(kinds=("aiv",))).text().startswith("nothing ran\n")
