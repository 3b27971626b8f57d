"""Flags in the hazard pass: set twice, waited for in vain, those of queues."""

from __future__ import annotations

from ascendc.language.enums import HardEvent, PipeID
from ascendc.language.findings import Finding
from ascendc.language.hazards import hazards
from tests.rows import Rows, program

V, MTE2 = PipeID.PIPE_V, PipeID.PIPE_MTE2
U, T = (0, 256), (256, 256)


def found(*rows: Rows) -> list[Finding]:
    return list(hazards(program(*rows)))


def short(findings: list[Finding]) -> list[tuple[str, ...]]:
    """Kinds and line numbers."""
    return [(f.kind, *(line.removeprefix("my.py:") for line in f.lines)) for f in findings]


def test_a_flag_set_twice_is_found() -> None:
    """P11: two sets, a barrier over all pipes; the second finds the flag set, and nobody takes it."""
    rows = Rows()
    rows.set(HardEvent.MTE2_V)
    rows.set(HardEvent.MTE2_V)
    rows.barrier(PipeID.PIPE_ALL)

    twice, left = found(rows)
    assert (twice.kind, twice.lines) == ("flag", ("my.py:1", "my.py:2"))
    assert twice.message == (
        "set_flag(HardEvent.MTE2_V, 0) at my.py:2: may run while it is still set from my.py:1, since nothing makes "
        "MTE2 wait until V has taken that one; use another event id, or wait_flag(HardEvent.MTE2_V, 0) and then a "
        "flag V_MTE2 before it"
    )
    assert (left.kind, left.lines) == ("flag", ("my.py:2",))
    assert "still set at the end of the kernel" in left.message


def test_a_wait_between_two_sets_is_not_enough() -> None:
    """The setting pipe does not wait for the waiting one: set, wait, set may run as set, set, wait."""
    rows = Rows()
    rows.flag(HardEvent.MTE2_V)
    rows.flag(HardEvent.MTE2_V)

    assert short(found(rows)) == [("flag", "1", "3")]


def test_a_flag_back_makes_a_second_set_safe() -> None:
    """V_MTE2 makes MTE2 wait until V took the first set."""
    rows = Rows()
    rows.flag(HardEvent.MTE2_V)
    rows.flag(HardEvent.V_MTE2)
    rows.flag(HardEvent.MTE2_V)

    assert found(rows) == []


def test_flags_to_the_scalar_unit_and_to_the_own_pipe_can_be_set_again_at_once() -> None:
    """Nothing is issued while the scalar unit waits; and a pipe's set comes after its own earlier wait."""
    rows = Rows()
    for _ in range(2):
        rows.flag(HardEvent.V_S)
        rows.flag(HardEvent.V_V)

    assert found(rows) == []


def test_flags_of_queues_are_nobodys_fault() -> None:
    """A queue may leave its flags set, and reuse an id; its TPipe drains them."""
    rows = Rows()
    for _ in range(2):
        rows.set(HardEvent.MTE2_V, queued=True)
        rows.wait(HardEvent.MTE2_V, queued=True)
    rows.set(HardEvent.V_MTE2, queued=True)

    assert found(rows) == []


def test_flags_of_queues_order_as_others_do() -> None:
    """enque and deque between a load and an add."""
    rows = Rows()
    rows.load(U)
    rows.set(HardEvent.MTE2_V, 3, queued=True)
    rows.wait(HardEvent.MTE2_V, 3, queued=True)
    rows.adds(T, U)

    assert found(rows) == []


def test_a_wait_for_nothing_is_found() -> None:
    """A program written by hand may wait for a flag nobody sets."""
    rows = Rows()
    rows.wait(HardEvent.MTE2_V, 2)

    (finding,) = found(rows)
    assert (finding.kind, finding.lines) == ("flag", ("my.py:1",))
    assert finding.message.startswith("wait_flag(HardEvent.MTE2_V, 2) at my.py:1: waits for ever")
