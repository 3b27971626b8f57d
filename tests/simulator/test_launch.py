"""Blocks on cores, launches one after another, and what a timeline says about them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ascendc.language.enums import HardEvent
from ascendc.language.errors import UsageError
from ascendc.language.hardware import HardwareSpec
from ascendc.language.program import GlobalArray, Program
from simulator import Cause, Timeline, simulate
from simulator.timeline import Allocation
from tests.simulator.programs import MTE2, Pen, V, tqueue_add


def reading(spec: HardwareSpec, address: int, *arrays: GlobalArray) -> Program:
    pen = Pen(spec).block()
    pen.copy(MTE2, address, 8192)
    return pen.program(arrays)


def array(address: int, buffer: int, offset: int = 0) -> GlobalArray:
    return GlobalArray("x", address, 8192, "uint8", (8192,), buffer, offset)


def test_later_blocks_go_to_the_core_that_is_done_first(demo: HardwareSpec) -> None:
    """Core 1 is done at 51 and takes block 2 ten cycles later; core 0 is done at 101 and takes block 3."""
    pen = Pen(demo)
    for occupancy in (100, 50, 100, 5):
        pen.block().work(V, occupancy)

    timeline = simulate(pen.program())

    assert timeline.core.tolist() == [0, 1, 1, 0]
    assert timeline.start.tolist() == [1, 1, 62, 112]
    assert timeline.ready.tolist() == [0, 0, 51, 101]
    assert timeline[3].cause is Cause.BLOCK
    assert timeline.core_kinds == ("aiv", "aiv")


def test_cores_that_are_done_together_take_blocks_in_order(demo: HardwareSpec) -> None:
    """A tie goes to the lower core."""
    pen = Pen(demo)
    for _ in range(4):
        pen.block().work(V, 10)

    assert simulate(pen.program()).core.tolist() == [0, 1, 0, 1]


def test_a_block_ends_with_its_last_result_or_flag(demo: HardwareSpec) -> None:
    """The work is visible at 31, the flag behind an empty pipe at 33; the next block starts ten cycles later."""
    pen = Pen(demo.replace({"core.aiv.count": 1})).block()
    pen.work(V, 10, 30)
    for _ in range(31):
        pen.set(HardEvent.MTE2_V)
    pen.block().work(V, 10)

    assert simulate(pen.program()).start[-1] == 33 + 10 + 1


def test_a_block_ends_with_a_flag_of_the_scalar_unit(demo: HardwareSpec) -> None:
    """Set at 1, visible at 2; the next block starts ten cycles later."""
    pen = Pen(demo.replace({"core.aiv.count": 1})).block()
    pen.set(HardEvent.S_V)
    pen.block().work(V, 10)

    assert simulate(pen.program()).start[-1] == 2 + 10 + 1


def test_an_empty_program_takes_no_time(demo: HardwareSpec) -> None:
    """No block, or blocks without rows."""
    for program in (Pen(demo).program(), Pen(demo).block().block().program()):
        timeline = simulate(program)

        assert len(timeline) == 0
        assert timeline.cycles == 0
        assert timeline == simulate(program, mode="steps")


def test_a_second_launch_finds_the_buffers_of_the_first_in_the_l2(demo: HardwareSpec) -> None:
    """The same buffer at another address of the launch hits; another buffer at the same address does not."""
    first = reading(demo, 1024, array(1024, buffer=7))
    same, other = reading(demo, 8192, array(8192, buffer=7)), reading(demo, 1024, array(1024, buffer=8))

    cold, warm, none = (dict(t.traffic)["l2_hit"] for t in simulate([first, same, other]))

    assert (cold, warm, none) == (0, 16, 0)


def test_arrays_of_one_buffer_share_its_lines(demo: HardwareSpec) -> None:
    """The second half of a buffer, passed by itself, is where it was."""
    whole = GlobalArray("x", 0, 16384, "uint8", (16384,), 3, 0)
    launches = [reading(demo, 8192, whole), reading(demo, 512, array(512, 3, 8192))]

    assert dict(simulate(launches)[1].traffic)["l2_hit"] == 16


def test_a_buffer_keeps_its_place_within_a_line(demo: HardwareSpec) -> None:
    """8192 bytes from byte 100 of a line touch 17 lines."""
    assert dict(simulate(reading(demo, 1124, array(1124, buffer=7))).traffic)["l2_miss"] == 17


def test_no_launches_leave_no_timelines() -> None:
    """An empty list is a list of nothing, not an error."""
    assert simulate([]) == []


def test_another_chip_of_the_same_kind_may_stand_in(demo: HardwareSpec) -> None:
    """Twice the latency of HBM delays the copy by as much."""
    program = reading(demo, 0)

    slower = simulate(program, demo.replace({"route.gm_to_ub.hbm_latency_cycles": 200}))

    assert slower.stop[0] - simulate(program).stop[0] == 100


def test_a_chip_that_cannot_run_the_program_is_refused(demo: HardwareSpec) -> None:
    """The message says what to do."""
    smaller = demo.replace({"name": "tiny", "core.aiv.memory.ub.bytes": 1024})

    with pytest.raises(UsageError, match=r"^hand_made: recorded for demo, .* launch again with chip='tiny'$"):
        simulate(reading(demo, 0), smaller)


def test_a_route_the_chip_does_not_have_is_refused(demo: HardwareSpec) -> None:
    """The message names the instruction, its line and the route."""
    pen = Pen(demo).block()
    pen.copy(MTE2, 0, 32, route="gm_to_l1")

    with pytest.raises(
        UsageError, match=r"^copy .* at kernel.py:7: demo has no route gm_to_l1; it has: gm_to_ub, ub_to_gm$"
    ):
        simulate(pen.program())


def test_progress_counts_up_to_the_number_of_rows(demo: HardwareSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    """It never goes back, knows of all launches, and is told more often than at the end."""
    monkeypatch.setattr("simulator.engine._EVENTS_PER_REPORT", 50)
    program = tqueue_add(demo, 3, 20, 128)
    seen: list[tuple[int, int]] = []

    simulate([program, program], progress=lambda done, total: seen.append((done, total)))

    assert seen == sorted(seen)
    assert len({done for done, _ in seen}) > 10
    assert seen[-1] == (2 * len(program), 2 * len(program))


def test_buffers_are_held_from_alloc_until_their_free_is_visible(demo: HardwareSpec) -> None:
    """Taken at 1, freed behind work visible at 32; taken again then, and held to the end of the block."""
    pen = Pen(demo).block()
    flag = HardEvent.V_MTE2, 0
    pen.alloc(64, None)
    pen.work(V, 10, 30)
    pen.free(64, flag)
    pen.alloc(64, flag)
    pen.work(MTE2, 10)

    timeline = simulate(pen.program())

    assert list(timeline.allocations) == [
        Allocation(0, 0, "UB", 64, 64, 1, 32, "kernel.py:7"),
        Allocation(0, 0, "UB", 64, 64, 32, 42, "kernel.py:7"),
    ]


def test_a_buffer_that_is_never_freed_is_held_to_the_end_of_the_block(demo: HardwareSpec) -> None:
    """Also if it is taken again meanwhile."""
    pen = Pen(demo).block()
    pen.alloc(64, None)
    pen.alloc(64, None)
    pen.work(V, 10)

    assert [(a.start, a.stop) for a in simulate(pen.program()).allocations] == [(1, 13), (2, 13)]


def test_a_saved_timeline_is_the_same_and_so_are_its_bytes(demo: HardwareSpec, tmp_path: Path) -> None:
    """Every column, label, buffer and number of the chip; written twice, the files are equal."""
    timeline = simulate(tqueue_add(demo.replace({"hbm.achievable_gbps": 20.6}), 3, 4, 128))

    timeline.save(tmp_path / "a.npz")
    timeline.save(tmp_path / "b.npz")

    loaded = Timeline.load(tmp_path / "a.npz")
    assert loaded == timeline
    assert loaded.allocations[0] == timeline.allocations[0]
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    assert np.load(tmp_path / "a.npz", allow_pickle=False)["start"].tolist() == timeline.start.tolist()


def test_a_timeline_cannot_be_changed(demo: HardwareSpec) -> None:
    """Neither its fields nor what is in its columns."""
    timeline = simulate(tqueue_add(demo, 1, 1, 128))

    with pytest.raises(ValueError, match="read-only"):
        timeline.start[0] = 7


def test_a_timeline_made_by_hand_is_saved_too(demo: HardwareSpec, tmp_path: Path) -> None:
    """Its buffers may be any sequence; a part of them is a sequence again."""
    made = simulate(tqueue_add(demo, 2, 2, 128))
    by_hand = replace(made, allocations=tuple(made.allocations))

    by_hand.save(tmp_path / "x.npz")

    assert Timeline.load(tmp_path / "x.npz") == by_hand == made
    assert made.allocations[2:4] == by_hand.allocations[2:4]
