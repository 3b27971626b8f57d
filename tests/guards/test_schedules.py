"""Holding back one row at a time shows what trying all orders shows."""

from __future__ import annotations

from hypothesis import given, settings

from ascendc.language.enums import HardEvent, PipeID
from ascendc.language.program import Kind
from tests import oracle
from tests.guards import accesses
from tests.guards.schedules import Row, Schedules
from tests.rows import Rows
from tests.strategies import blocks

V, MTE2 = PipeID.PIPE_V, PipeID.PIPE_MTE2


@settings(max_examples=150)
@given(rows=blocks(rows=9))
def test_both_ways_of_looking_find_the_same(rows: Rows) -> None:
    """Every pair and every flag set twice."""
    block = rows.block()

    assert accesses.hazards_of(block) == oracle.hazards_of(block)


@settings(max_examples=60)
@given(rows=blocks(rows=7))
def test_both_ways_agree_about_mended_blocks(rows: Rows) -> None:
    """With flags between the first pairs found."""
    block = rows.block()
    mended = sorted({pair[1:] for pair in oracle.hazards_of(block) if pair[0] != "twice"})[:2]

    assert accesses.hazards_of(block, mended) == oracle.hazards_of(block, mended)


def test_everything_that_need_not_wait_overtakes_a_row_held_back() -> None:
    """The copy is held: the vector row goes first, then nothing that waits for the copy's flag."""
    event = (HardEvent.MTE2_V, 0)
    rows = [
        Row(MTE2, Kind.MOVE),
        Row(V, Kind.COMPUTE),
        Row(MTE2, Kind.SET, event),
        Row(V, Kind.WAIT, event),
        Row(V, Kind.COMPUTE),
    ]

    run = Schedules(rows).run(held=0)
    assert (run.order, run.early, run.is_stuck) == ((1, 0, 2, 3, 4), 1, False)


def test_a_wait_for_nothing_sticks() -> None:
    """The row before it ends, the one behind it never does."""
    rows = [Row(V, Kind.COMPUTE), Row(V, Kind.WAIT, (HardEvent.MTE2_V, 0)), Row(V, Kind.COMPUTE)]

    run = Schedules(rows).run()
    assert (run.order, run.is_stuck) == ((0,), True)
