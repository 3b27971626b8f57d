"""Deadlocks are told at once, with the circle of waits and the line of each."""

from __future__ import annotations

import time

import pytest

import ascendc as asc
from ascendc.language.enums import HardEvent, PipeID
from ascendc.language.errors import DeadlockError
from simulator import simulate
from tests.rows import Rows, program

E = HardEvent
MODES = pytest.mark.parametrize("mode", ["decoupled", "steps"])


def text_of(rows: Rows, mode: str) -> str:
    begin = time.perf_counter()
    with pytest.raises(DeadlockError) as caught:
        simulate(program(rows), mode=mode)  # type: ignore[call-overload]

    assert time.perf_counter() - begin < 1
    return str(caught.value)


@MODES
def test_two_pipes_that_wait_for_each_other(mode: str) -> None:
    """Each would set the flag the other waits for, behind its own wait."""
    rows = Rows()
    rows.wait(E.MTE2_V)
    rows.wait(E.V_MTE2)
    rows.set(E.MTE2_V)
    rows.set(E.V_MTE2)

    assert text_of(rows, mode) == (
        "kernel: nobody can go on; waiting for what never comes:\n"
        "  core 0 V: wait_flag MTE2_V 0 at my.py:1\n"
        "  core 0 MTE2: wait_flag V_MTE2 0 at my.py:2\n"
        "in a circle on core 0: V at my.py:1 waits for MTE2_V 0, which MTE2 sets at my.py:3, behind its own wait; "
        "MTE2 at my.py:2 waits for V_MTE2 0, which V sets at my.py:4, behind its own wait"
    )


@MODES
def test_three_pipes_round_and_round(mode: str) -> None:
    """MTE3 waits for V, V for MTE2, and MTE2 for MTE3."""
    rows = Rows()
    for event in (E.MTE2_V, E.MTE3_MTE2, E.V_MTE3):
        rows.wait(event)
    for event in (E.MTE2_V, E.MTE3_MTE2, E.V_MTE3):
        rows.set(event)

    circle = text_of(rows, mode).splitlines()[-1]
    assert circle == (
        "in a circle on core 0: V at my.py:1 waits for MTE2_V 0, which MTE2 sets at my.py:4, behind its own wait; "
        "MTE2 at my.py:2 waits for MTE3_MTE2 0, which MTE3 sets at my.py:5, behind its own wait; "
        "MTE3 at my.py:3 waits for V_MTE3 0, which V sets at my.py:6, behind its own wait"
    )


@MODES
def test_a_barrier_before_the_set(mode: str) -> None:
    """The scalar unit drains all pipes before it issues what one of them waits for."""
    rows = Rows()
    rows.wait(E.MTE2_V)
    rows.barrier(PipeID.PIPE_ALL)
    rows.set(E.MTE2_V)

    circle = text_of(rows, mode).splitlines()[-1]
    assert circle == (
        "in a circle on core 0: S at my.py:2 waits for all pipes, V among them; "
        "V at my.py:1 waits for MTE2_V 0, to be set at my.py:3, which S has not issued"
    )


@MODES
def test_a_full_queue_before_the_set(mode: str) -> None:
    """More vector rows than the queue holds stand between a wait and its set."""
    rows = Rows()
    rows.wait(E.MTE2_V)
    for _ in range(200):
        rows.barrier(PipeID.PIPE_V, line=5)
    rows.set(E.MTE2_V, line=9)

    circle = text_of(rows, mode).splitlines()[-1]
    assert circle == (
        "in a circle on core 0: S at my.py:5 waits for room in the queue of V; "
        "V at my.py:1 waits for MTE2_V 0, to be set at my.py:9, which S has not issued"
    )


def test_a_wait_for_nothing_is_no_circle() -> None:
    """The listing is all there is to say."""
    rows = Rows()
    rows.wait(E.MTE2_V)
    rows.barrier(PipeID.PIPE_V)

    assert text_of(rows, "decoupled").splitlines()[1:] == ["  core 0 V: wait_flag MTE2_V 0 at my.py:1"]


def test_a_wait_without_a_set_never_gets_to_the_clock() -> None:
    """The functional pass refuses it at its line, in less than a second."""

    @asc.kernel
    def body() -> None:
        asc.wait_flag(E.MTE2_V, 0)

    begin = time.perf_counter()
    with pytest.raises(asc.EventError, match="V would wait forever for MTE2_V id 0"):
        body.launch(1, chip="demo")

    assert time.perf_counter() - begin < 1
