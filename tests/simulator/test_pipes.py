"""How one core spends its time, in cycles worked out by hand for the demo chip (issuing costs 1 cycle)."""

from __future__ import annotations

import pytest

from ascendc.language.enums import HardEvent, PipeID
from ascendc.language.errors import DeadlockError
from ascendc.language.hardware import HardwareSpec
from simulator import Cause, Timeline, simulate
from tests.simulator.programs import ALL, MTE2, MTE3, Pen, S, V


def spans(timeline: Timeline) -> list[tuple[int, int, int]]:
    return [(s.ready, s.start, s.stop) for s in timeline]


def causes(timeline: Timeline) -> list[tuple[Cause, int]]:
    return [(s.cause, s.by) for s in timeline]


def test_a_pipe_takes_its_next_instruction_after_the_occupancy_and_shows_results_after_the_latency(pen: Pen) -> None:
    """Issued at 1 and 2; the second starts when the pipe is free at 11, and ends 15 cycles later."""
    pen.work(V, 10, 15)
    pen.work(V, 10, 15)

    timeline = simulate(pen.program())

    assert spans(timeline) == [(0, 1, 16), (11, 11, 26)]
    assert causes(timeline) == [(Cause.ISSUE, -1), (Cause.NONE, -1)]
    assert timeline.cycles == 25


def test_a_third_of_a_cycle_is_kept_and_only_shown_rounded_up(pen: Pen) -> None:
    """Three times 10/3 cycles after 1 are 11, though each start and stop in between is shown rounded up."""
    for _ in range(4):
        pen.work(V, "10/3")

    assert [s.start for s in simulate(pen.program())] == [1, 5, 8, 11]


def test_scalar_work_holds_up_everything_behind_it(pen: Pen) -> None:
    """Issued at 1, done at 21; the vector instruction is issued one cycle later."""
    pen.work(S, 5, 20)
    pen.work(V, 10)

    assert spans(simulate(pen.program())) == [(0, 1, 21), (0, 22, 32)]


def test_a_queue_call_costs_its_own_issue_time(demo: HardwareSpec) -> None:
    """3 cycles for the call, 1 for the instruction behind it."""
    pen = Pen(demo.replace({"scalar.queue_call_cycles": 3})).block()
    pen.call()
    pen.work(V, 10)

    assert spans(simulate(pen.program())) == [(0, 3, 3), (0, 4, 14)]


def test_a_full_queue_stops_the_scalar_unit(demo: HardwareSpec) -> None:
    """Depth 2: the fourth instruction finds room when the second leaves at 101, and the copy is issued at 102."""
    pen = Pen(demo.replace({"core.aiv.queue_depth": 2})).block()
    for _ in range(4):
        pen.work(V, 100)
    pen.copy(MTE2, 0, 64)

    timeline = simulate(pen.program())

    assert [s.start for s in timeline] == [1, 101, 201, 301, 102]
    assert causes(timeline)[4] == (Cause.QUEUE, 1)


def test_a_flag_is_visible_when_all_earlier_work_of_its_pipe_is(pen: Pen) -> None:
    """The set leaves at 11 and takes a cycle; the work before it is visible at 31, when the wait gets through."""
    pen.work(V, 10, 30)
    pen.set(HardEvent.V_MTE2)
    pen.work(V, 10)
    pen.wait(HardEvent.V_MTE2)

    timeline = simulate(pen.program())

    assert spans(timeline) == [(0, 1, 31), (11, 11, 12), (11, 11, 21), (0, 31, 31)]
    assert causes(timeline)[3] == (Cause.FLAG, 1)


def test_a_flag_behind_nothing_is_visible_after_one_cycle(pen: Pen) -> None:
    """Set at 1, visible at 2; the wait was issued at 2 and does not wait."""
    pen.set(HardEvent.V_MTE2)
    pen.wait(HardEvent.V_MTE2)

    timeline = simulate(pen.program())

    assert spans(timeline) == [(0, 1, 2), (0, 2, 2)]
    assert causes(timeline)[1] == (Cause.ISSUE, -1)


def test_the_second_wait_takes_the_second_set(pen: Pen) -> None:
    """The sets are visible at 11 and 31."""
    for occupancy in (10, 20):
        pen.work(V, occupancy)
        pen.set(HardEvent.V_MTE3, 1)
    pen.wait(HardEvent.V_MTE3, 1)
    pen.wait(HardEvent.V_MTE3, 1)

    timeline = simulate(pen.program())

    assert [s.start for s in timeline][4:] == [12, 32]
    assert [s.by for s in timeline][4:] == [1, 3]


def test_a_wait_in_the_scalar_unit_holds_up_the_issue(pen: Pen) -> None:
    """The flag is visible at 31; the next instruction is issued one cycle later."""
    pen.work(V, 10, 30)
    pen.set(HardEvent.V_S)
    pen.wait(HardEvent.V_S)
    pen.work(MTE2, 10)

    assert spans(simulate(pen.program()))[2:] == [(2, 31, 31), (0, 32, 42)]


def test_a_barrier_adds_nothing_but_the_wait_for_earlier_work(pen: Pen) -> None:
    """The pipe is free at 11, everything visible at 31; after that there is nothing to wait for."""
    pen.work(V, 10, 30)
    pen.barrier(V)
    pen.barrier(V)

    timeline = simulate(pen.program())

    assert spans(timeline) == [(0, 1, 31), (11, 31, 31), (31, 31, 31)]
    assert causes(timeline) == [(Cause.ISSUE, -1), (Cause.BARRIER, 0), (Cause.NONE, -1)]


def test_a_barrier_over_all_pipes_waits_for_each_of_them(pen: Pen) -> None:
    """The last work is visible at 52; only then is the next instruction issued."""
    pen.work(V, 10, 30)
    pen.work(MTE3, 10, 50)
    pen.barrier(ALL)
    pen.work(V, 10)

    timeline = simulate(pen.program())

    assert spans(timeline)[2:] == [(2, 52, 52), (11, 53, 63)]
    assert timeline[2].pipe is PipeID.PIPE_S
    assert causes(timeline)[2:] == [(Cause.BARRIER, 1), (Cause.ISSUE, -1)]


def test_a_core_with_a_slower_clock_takes_longer(demo: HardwareSpec) -> None:
    """At half the reference clock, issuing costs 2 and the work 20 reference cycles."""
    pen = Pen(demo.replace({"core.aiv.mhz": 500})).block()
    pen.work(V, 10)

    assert spans(simulate(pen.program())) == [(0, 2, 22)]


def test_a_cost_may_depend_on_addresses(pen: Pen) -> None:
    """Even addresses cost 10, odd ones 11."""
    for address in (0, 1, 4, 7):
        pen.banked(address)

    assert [s.start for s in simulate(pen.program())] == [1, 11, 22, 32]


@pytest.mark.parametrize("mode", ["decoupled", "steps"])
def test_a_wait_that_nobody_ends_is_a_deadlock_that_names_all_who_wait(pen: Pen, mode: str) -> None:
    """The vector pipe waits for a flag that is never set, and the scalar unit for the vector pipe."""
    pen.wait(HardEvent.MTE2_V, 3)
    pen.barrier(ALL)

    with pytest.raises(DeadlockError) as error:
        simulate(pen.program(), mode=mode)  # type: ignore[call-overload]

    assert str(error.value) == (
        "hand_made: nobody can go on; waiting for what never comes:\n"
        "  core 0 S: barrier at kernel.py:7\n"
        "  core 0 V: flag MTE2_V 3 at kernel.py:7"
    )


@pytest.mark.parametrize("mode", ["decoupled", "steps"])
def test_a_queue_that_never_empties_stops_the_scalar_unit_for_good(demo: HardwareSpec, mode: str) -> None:
    """Depth 1: the wait leaves the queue, the work behind it stays, and there is no room for the last."""
    pen = Pen(demo.replace({"core.aiv.queue_depth": 1})).block()
    pen.wait(HardEvent.MTE2_V)
    pen.work(V, 10)
    pen.work(V, 11)

    with pytest.raises(DeadlockError) as error:
        simulate(pen.program(), mode=mode)  # type: ignore[call-overload]

    assert str(error.value).splitlines()[1:] == [
        "  core 0 V: flag MTE2_V 0 at kernel.py:7",
        "  core 0 V: work occupancy=11 latency=11 at kernel.py:7",
    ]


def test_a_flag_may_be_awaited_before_it_is_set(pen: Pen) -> None:
    """In order of issue, that is: the wait holds its own pipe until the scalar unit sets it at 23, visible at 24."""
    pen.wait(HardEvent.S_V)
    pen.work(S, 20)
    pen.set(HardEvent.S_V)

    timeline = simulate(pen.program())

    assert spans(timeline) == [(0, 24, 24), (1, 2, 22), (22, 23, 24)]
    assert timeline == simulate(pen.program(), mode="steps")
