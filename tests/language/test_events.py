"""Flags and barriers: what each leaves, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from ascendc.language.findings import Severity
from ascendc.language.program import Kind
from tests.refusals import refused

E, P = asc.HardEvent, asc.PipeID
HERE = "test_events.py"


def one_block(body: Any, **options: Any) -> asc.Program:
    """Launch ``body`` in one block of the demo chip, without the hazard pass."""
    return asc.kernel(body).launch(1, **{"chip": "demo", "hazards": "off", **options})


@pytest.mark.parametrize("event", [e for e in E if e.name.count("S") or "V" in e.name or e.name.startswith("MTE")])
def test_every_event_of_the_core_is_two_rows(event: asc.HardEvent) -> None:
    """The set in its source pipe, the wait in its target pipe; other events name those there are."""

    def body() -> None:
        asc.set_flag(event, 3)
        asc.wait_flag(event, 3)

    legal = {"MTE2_V", "V_MTE2", "MTE3_V", "V_MTE3", "V_V", "MTE3_MTE2", "MTE2_MTE3"}
    legal |= {"S_V", "V_S", "S_MTE2", "MTE2_S", "S_MTE3", "MTE3_S"}
    if event.name not in legal:
        with refused(asc.EventError, f"{event.name} is no event of an aiv core; there are: MTE2_V, V_MTE2"):
            one_block(body)
        return
    source, target = event.name.split("_")
    rows = [row.template for row in one_block(body).blocks[0]]

    assert [(r.kind, r.pipe.short, r.event) for r in rows] == [
        (Kind.SET, source, (event, 3)),
        (Kind.WAIT, target, (event, 3)),
    ]
    assert [r.label for r in rows] == [f"set_flag {event.name} 3", f"wait_flag {event.name} 3"]


@pytest.mark.parametrize("event_id", [0, 7, np.int64(5)])
def test_ids(event_id: Any) -> None:
    """0 to 7, as Python or NumPy numbers; the row holds a plain one."""

    def body() -> None:
        asc.set_flag(E.MTE2_V, event_id)
        asc.wait_flag(E.MTE2_V, event_id)

    (_, kept) = one_block(body).blocks[0][0].template.event or (None, None)

    assert type(kept) is int
    assert kept == event_id


@pytest.mark.parametrize("event_id", [8, -1, 1.0, True, "0", None])
@pytest.mark.parametrize("call", [asc.set_flag, asc.wait_flag])
def test_ids_that_are_not_there(call: Any, event_id: Any) -> None:
    """The message has the range."""
    with refused(asc.EventError, f"{call.name}: event id must be 0 to 7, got {event_id!r}"):
        one_block(lambda: call(E.MTE2_V, event_id))


@pytest.mark.parametrize("event", [4, "MTE2_V", P.PIPE_V])
def test_an_event_is_a_hard_event(event: Any) -> None:
    """No number and no name."""
    with refused(asc.EventError, f"an event must be a HardEvent, as HardEvent.MTE2_V, got {event!r}"):
        one_block(lambda: asc.set_flag(event, 0))


def test_the_id_is_zero_if_not_given() -> None:
    """For both calls."""

    def body() -> None:
        asc.set_flag(E.V_MTE3)
        asc.wait_flag(event=E.V_MTE3)

    assert [row.template.event for row in one_block(body).blocks[0]] == [(E.V_MTE3, 0)] * 2


def test_a_wait_before_its_set_names_the_flags_that_are_set() -> None:
    """A wrong id is seen at a glance."""

    def body() -> None:
        asc.set_flag(E.MTE2_V, 2)
        asc.set_flag(E.MTE2_V, 1)
        asc.set_flag(E.V_MTE3, 0)
        asc.wait_flag(E.MTE2_V, 0)

    with refused(
        asc.EventError,
        "wait_flag: V would wait forever for MTE2_V id 0: no set_flag was issued before; set now: id 1, 2; set it once "
        "before the loop, or after the work it stands for",
    ):
        one_block(body)


def test_a_second_set_names_the_first() -> None:
    """A set, its wait and the next set are fine."""

    def body() -> None:
        for _ in range(2):
            asc.set_flag(E.MTE2_V, 1)
            asc.wait_flag(E.MTE2_V, 1)
        asc.set_flag(E.MTE2_V, 1)
        asc.set_flag(E.MTE2_V, 1)

    line = body.__code__.co_firstlineno + 4
    with refused(
        asc.EventError,
        f"set_flag: MTE2_V id 1 is already set, at {HERE}:{line}, and nothing has waited for it; wait_flag first, or "
        "use another id",
    ):
        one_block(body)


def test_a_left_flag_is_a_warning_of_the_hazard_pass() -> None:
    """The kernel is right; the next one may find it set."""

    def body() -> None:
        asc.set_flag(E.MTE2_V, 1)

    (finding,) = one_block(body, hazards="error").findings

    assert finding.severity is asc.Severity.WARNING
    assert finding.lines == (f"{HERE}:{body.__code__.co_firstlineno + 1}",)


@pytest.mark.parametrize("pipe", [P.PIPE_V, P.PIPE_MTE2, P.PIPE_MTE3, P.PIPE_ALL])
def test_barriers(pipe: asc.PipeID) -> None:
    """One row in the pipe it orders."""
    (row,) = one_block(lambda: asc.pipe_barrier(pipe)).blocks[0]

    assert (row.template.kind, row.template.pipe, row.template.auto) == (Kind.BARRIER, pipe, False)


@pytest.mark.parametrize("pipe", [P.PIPE_S, P.PIPE_M, P.PIPE_FIX, 1, "PIPE_V", E.V_V])
def test_pipes_without_a_barrier(pipe: Any) -> None:
    """The scalar unit needs none, and a vector core has no matrix unit."""
    there = ", ".join(f"PipeID.PIPE_{p}" for p in ("V", "MTE2", "MTE3", "ALL"))
    with refused(asc.UsageError, f"pipe_barrier: pipe must be one of {there}, got "):
        one_block(lambda: asc.pipe_barrier(pipe))


def test_each_line_and_stage_has_rows_of_its_own() -> None:
    """One helper called from two stages is told apart."""

    def body() -> None:
        for name in ("copy_in", "copy_out", "copy_in"):
            with asc.stage(name):
                asc.pipe_barrier(P.PIPE_ALL)

    program = one_block(body)

    assert [row.template.stage for row in program.blocks[0]] == ["copy_in", "copy_out", "copy_in"]
    assert len(program.templates) == 2


def test_a_reserved_id_is_warned_of_once_a_line() -> None:
    """Ids 6 and 7 are the system's; one that alloc_event_id lent is the author's."""

    def body() -> None:
        pipe = asc.TPipe()
        for _ in range(3):
            asc.set_flag(E.MTE2_V, 6)
            asc.wait_flag(E.MTE2_V, 6)
        lent = [pipe.alloc_event_id(E.MTE2_V) for _ in range(8)]
        asc.set_flag(E.MTE2_V, lent[7])
        asc.wait_flag(E.MTE2_V, lent[7])
        for event_id in lent:
            pipe.release_event_id(event_id, E.MTE2_V)

    (finding,) = one_block(body).findings

    assert (finding.kind, finding.severity) == ("reserved-id", Severity.WARNING)
    assert "set_flag: MTE2_V id 6 is one the system keeps for itself" in finding.message
