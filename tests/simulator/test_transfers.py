"""What moving data costs, in cycles worked out by hand for the demo chip.

A port moves 64 bytes a cycle, all cores together 128 from HBM; latency is 100, the issue interval 10, a row
takes at least 1, a line is 512 bytes.
"""

from __future__ import annotations

import pytest

from ascendc.language.hardware import HardwareSpec
from simulator import Timeline, simulate
from tests.simulator.programs import ALL, MTE2, MTE3, Pen

READ, WRITE = "route.gm_to_ub.", "route.ub_to_gm."


def times(timeline: Timeline) -> list[tuple[int, int]]:
    return [(s.start, s.stop) for s in timeline]


def traffic(timeline: Timeline) -> dict[str, int]:
    return {name: number for name, number in timeline.traffic if number}


def test_the_latency_of_consecutive_copies_overlaps(pen: Pen) -> None:
    """8192 bytes flow for 128 cycles; the pipe is free then, the data are visible 100 cycles later."""
    pen.copy(MTE2, 0, 8192)
    pen.copy(MTE2, 8192, 8192)

    timeline = simulate(pen.program())

    assert times(timeline) == [(1, 229), (129, 357)]
    assert traffic(timeline) == {"hbm_read": 16384, "l2_miss": 32}


def test_small_copies_start_an_issue_interval_apart(pen: Pen) -> None:
    """32 bytes fetch a line of 512, which flows for 8 cycles; the next copy starts after 10."""
    for i in range(3):
        pen.copy(MTE2, 512 * i, 32)

    assert times(simulate(pen.program())) == [(1, 109), (11, 119), (21, 129)]


def test_each_row_takes_its_least_time(pen: Pen) -> None:
    """32 rows of 32 bytes flow for 16 cycles but take 32."""
    pen.copy(MTE2, 0, 32, ((32, 32),))
    pen.copy(MTE2, 4096, 32)

    timeline = simulate(pen.program())

    assert times(timeline) == [(1, 133), (33, 141)]
    assert timeline[0].label.nbytes == 1024
    assert timeline[0].label.route == "gm_to_ub"


def test_strided_rows_fetch_each_line_once(pen: Pen) -> None:
    """4 rows, two in each of the lines 0 and 2, and a row that straddles two more."""
    pen.copy(MTE2, 0, 32, ((2, 1024), (2, 256)))
    pen.copy(MTE2, 4096 - 16, 32)

    assert traffic(simulate(pen.program())) == {"hbm_read": 4 * 512, "l2_miss": 4}


def test_lines_in_flight_bound_the_rate(demo: HardwareSpec) -> None:
    """4 lines in 100 cycles are 20.48 bytes a cycle: 400 cycles."""
    pen = Pen(demo.replace({READ + "outstanding_lines": 4})).block()
    pen.copy(MTE2, 0, 8192)

    assert times(simulate(pen.program())) == [(1, 501)]


@pytest.mark.parametrize(("cores", "flow"), [(1, 128), (2, 128), (3, 192), (4, 256)])
def test_cores_share_the_memory_fairly(demo: HardwareSpec, cores: int, flow: int) -> None:
    """Two ports fill the 128 bytes a cycle; three get exactly a third each, four a quarter."""
    pen = Pen(demo.replace({"core.aiv.count": 4}))
    for core in range(cores):
        pen.block().copy(MTE2, core * 8192, 8192)

    assert times(simulate(pen.program())) == [(1, 1 + flow + 100)] * cores


def test_a_transfer_speeds_up_when_another_ends(demo: HardwareSpec) -> None:
    """Three share 128: 2048 bytes each in 48 cycles; the two left take the port's 64 for their last 6144."""
    pen = Pen(demo.replace({"core.aiv.count": 4}))
    for core, nbytes in enumerate((2048, 8192, 8192)):
        pen.block().copy(MTE2, core * 8192, nbytes)

    assert times(simulate(pen.program())) == [(1, 149), (1, 245), (1, 245)]


def test_a_line_that_is_here_comes_from_the_l2(demo: HardwareSpec) -> None:
    """The barrier lets the lines arrive at 229; the hit flows for 128 cycles and takes the shorter latency."""
    pen = Pen(demo.replace({READ + "l2_latency_cycles": 50})).block()
    pen.copy(MTE2, 0, 8192)
    pen.barrier(MTE2)
    pen.copy(MTE2, 0, 8192)

    timeline = simulate(pen.program())

    assert times(timeline)[2] == (229, 407)
    assert traffic(timeline) == {"hbm_read": 8192, "l2_read": 8192, "l2_hit": 16, "l2_miss": 16}


def test_a_line_still_on_its_way_is_not_here_before_its_fetch_ends(demo: HardwareSpec) -> None:
    """Core 1 asks for what core 0 fetches until 129, visible at 229; half of it would be there much sooner."""
    pen = Pen(demo.replace({READ + "l2_latency_cycles": 5}))
    pen.block().copy(MTE2, 0, 8192)
    pen.block().copy(MTE2, 0, 64)
    pen.copy(MTE2, 16384, 32)

    assert times(simulate(pen.program())) == [(1, 229), (1, 229), (129, 237)]


def test_a_line_that_has_flowed_but_is_not_visible_is_not_here_either(demo: HardwareSpec) -> None:
    """Fetched by 129, visible at 229: a hit at 129 would show at 135."""
    pen = Pen(demo.replace({READ + "l2_latency_cycles": 5})).block()
    pen.copy(MTE2, 0, 8192)
    pen.copy(MTE2, 0, 64)

    assert times(simulate(pen.program())) == [(1, 229), (129, 229)]


def test_a_transfer_of_which_a_part_is_here_ends_when_both_parts_did(pen: Pen) -> None:
    """8 of 16 lines hit: 4096 bytes from each side at once take 64 cycles."""
    pen.copy(MTE2, 4096, 4096)
    pen.barrier(MTE2)
    pen.copy(MTE2, 0, 8192)

    timeline = simulate(pen.program())

    assert times(timeline)[2] == (165, 329)
    assert traffic(timeline) == {"hbm_read": 8192, "l2_read": 4096, "l2_hit": 8, "l2_miss": 16}


def test_a_write_goes_to_the_l2_and_fetches_nothing(pen: Pen) -> None:
    """128 cycles through the port into the L2, then its latency; HBM sees nothing of it."""
    pen.copy(MTE3, 0, 8192)

    timeline = simulate(pen.program())

    assert times(timeline) == [(1, 229)]
    assert traffic(timeline) == {"l2_write": 8192}


def test_evicting_written_lines_costs_the_evicting_transfer_their_write_back(demo: HardwareSpec) -> None:
    """L2 of 4 lines. The read of 4 others shares 80 bytes a cycle with 2048 bytes going back: 51.2 cycles, not 32."""
    pen = Pen(demo.replace({"l2.bytes": 2048, "hbm.achievable_gbps": 80})).block()
    pen.copy(MTE3, 0, 2048)
    pen.barrier_all_then_copy(2048)

    timeline = simulate(pen.program())

    assert times(timeline)[2] == (134, 286)
    assert traffic(timeline) == {
        "hbm_read": 2048,
        "hbm_write": 2048,
        "l2_write": 2048,
        "l2_miss": 4,
        "l2_writeback": 4,
    }


def test_what_a_slow_port_does_not_take_is_left_to_others(demo: HardwareSpec) -> None:
    """Of 100 bytes a cycle a reader takes 20, so 4096 bytes are written back at 80: 51.2 cycles from 134."""
    pen = Pen(
        demo.replace(
            {
                "l2.bytes": 4096,
                "hbm.achievable_gbps": 100,
                READ + "hbm_bytes_per_cycle": 20,
                WRITE + "l2_bytes_per_cycle": 128,
                WRITE + "outstanding_lines": 999,
            }
        )
    ).block()
    pen.copy(MTE3, 0, 4096)
    pen.barrier(ALL)
    pen.copy(MTE3, 4096, 4096)
    pen.block().copy(MTE2, 8192, 65536, cached=False)

    assert times(simulate(pen.program()))[2] == (134, 286)


def test_the_oldest_lines_leave_first(demo: HardwareSpec) -> None:
    """L2 of 4 lines: reading 0 to 3, then 4, throws out 0 and keeps 1."""
    pen = Pen(demo.replace({"l2.bytes": 2048})).block()
    for line in (0, 1, 2, 3, 4, 1, 0):
        pen.copy(MTE2, 512 * line, 512)
        pen.barrier(MTE2)

    assert traffic(simulate(pen.program()))["l2_hit"] == 1


def test_reading_past_the_l2_leaves_no_line_there(pen: Pen) -> None:
    """The second read misses as the first did."""
    for _ in range(2):
        pen.copy(MTE2, 0, 512, cached=False)
        pen.barrier(MTE2)

    assert traffic(simulate(pen.program())) == {"hbm_read": 1024, "l2_miss": 2}


def test_writing_past_the_l2_cleans_the_line_that_is_there(demo: HardwareSpec) -> None:
    """A dirty line that is overwritten in HBM needs no write-back when it leaves; reads still find it."""
    pen = Pen(demo.replace({"l2.bytes": 512})).block()
    pen.copy(MTE3, 0, 512)
    pen.copy(MTE3, 0, 512, cached=False)
    pen.barrier_all_then_copy(0)
    pen.barrier_all_then_copy(512)

    assert traffic(simulate(pen.program())) == {
        "hbm_read": 512,
        "hbm_write": 512,
        "l2_read": 512,
        "l2_write": 512,
        "l2_hit": 1,
        "l2_miss": 1,
    }


def test_nothing_to_move_takes_the_issue_interval(pen: Pen) -> None:
    """No bytes touch no line, but are a row, of one cycle; the next copy starts 10 cycles later."""
    pen.copy(MTE2, 0, 0)
    pen.copy(MTE2, 0, 32)

    assert times(simulate(pen.program())) == [(1, 102), (11, 119)]


def test_many_transfers_later_a_line_is_simply_here(demo: HardwareSpec) -> None:
    """The first of 300 lines has long arrived: no wait for its fetch, and the latency of the L2."""
    pen = Pen(demo.replace({READ + "l2_latency_cycles": 50})).block()
    for line in range(300):
        pen.copy(MTE2, 512 * line, 512)
    pen.copy(MTE2, 0, 512)

    timeline = simulate(pen.program())

    assert timeline[300].start == 1 + 300 * 10
    assert timeline[300].stop == 3001 + 8 + 50
