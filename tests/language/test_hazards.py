"""The hazard pass inside one block: cases worked out by hand.

``Rows`` gives each row a line of its own, counted from 1, unless a line is given.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ascendc.language.enums import HardEvent, PipeID
from ascendc.language.findings import Finding, Severity
from ascendc.language.hazard.hits import Hits
from ascendc.language.hazards import hazards
from ascendc.language.program import Space, Template
from tests.rows import ADDS, VALUE, Rows, program

V, MTE2, MTE3, S = PipeID.PIPE_V, PipeID.PIPE_MTE2, PipeID.PIPE_MTE3, PipeID.PIPE_S
U, T, Z = (0, 256), (256, 256), (512, 256)


def found(*rows: Rows) -> list[Finding]:
    return list(hazards(program(*rows)))


def short(findings: list[Finding]) -> list[tuple[str, ...]]:
    """Kinds and line numbers."""
    return [(f.kind, *(line.removeprefix("my.py:") for line in f.lines)) for f in findings]


def hand_synchronised(without: HardEvent | None = None) -> Rows:
    """Two tiles through one buffer: load (line 10), add 1 in place (20), store (30), all flags but one."""
    rows = Rows()

    def flag(event: HardEvent, line: int) -> None:
        if event is not without:
            rows.flag(event, line=line)

    for tile in range(2):
        if tile:
            flag(HardEvent.MTE3_MTE2, 5)
        rows.load(U, gm=256 * tile, line=10)
        flag(HardEvent.MTE2_V, 15)
        rows.adds(U, U, line=20)
        flag(HardEvent.V_MTE3, 25)
        rows.store(4096 + 256 * tile, U, line=30)
    return rows


def test_a_program_without_blocks_or_rows_has_no_hazards() -> None:
    """Nothing is in order."""
    assert found() == []
    assert found(Rows()) == []


def test_using_a_tensor_without_its_queue_or_flag_is_a_race() -> None:
    """P07: nothing between the load of line 1 and the vector instruction of line 2."""
    rows = Rows()
    rows.load(U)
    rows.adds(T, U)

    assert found(rows) == [
        Finding(
            "raw",
            Severity.ERROR,
            "adds (V, my.py:2): reads UB bytes [0, 256), which data_copy (MTE2, my.py:1) writes, and nothing makes it "
            "wait for that; put set_flag(HardEvent.MTE2_V, id) after my.py:1 and wait_flag(HardEvent.MTE2_V, id) "
            "before my.py:2, or enque and deque the tensor in between",
            ("my.py:1", "my.py:2"),
            (0,),
        )
    ]


def test_the_hand_synchronised_loop_is_in_order() -> None:
    """P08 with its three flags."""
    assert found(hand_synchronised()) == []


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (HardEvent.MTE2_V, ("raw", "10", "20")),
        (HardEvent.V_MTE3, ("raw", "20", "30")),
        (HardEvent.MTE3_MTE2, ("war", "30", "10")),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_each_missing_flag_of_the_loop_is_found_with_its_two_lines(
    event: HardEvent, expected: tuple[str, str, str]
) -> None:
    """P08: the load before the add, the add before the store, the store before the next load; nothing else."""
    assert short(found(hand_synchronised(without=event))) == [expected]


def test_a_buffer_reused_while_it_is_stored_is_a_race() -> None:
    """P24: the add of line 3 writes what the store of line 2 may still read; the flag V_MTE3 does not help."""
    rows = Rows()
    rows.flag(HardEvent.V_MTE3)
    rows.store(0, U, line=2)
    rows.adds(U, T, line=3)

    (finding,) = found(rows)
    assert (finding.kind, finding.lines) == ("war", ("my.py:2", "my.py:3"))
    assert "set_flag(HardEvent.MTE3_V, id) after my.py:2" in finding.message
    assert "free_tensor and alloc_tensor" in finding.message


def test_dependent_vector_instructions_need_a_barrier() -> None:
    """P09: one pipe starts its instructions in order, but does not finish one before the next."""
    rows = Rows()
    rows.adds(T, U)
    rows.adds(Z, T)

    (finding,) = found(rows)
    assert (finding.kind, finding.lines) == ("raw", ("my.py:1", "my.py:2"))
    assert finding.message.endswith("; put pipe_barrier(PipeID.PIPE_V) between them")


@pytest.mark.parametrize("pipe", [V, PipeID.PIPE_ALL])
def test_a_barrier_orders_vector_instructions(pipe: PipeID) -> None:
    """P09 with its barrier."""
    rows = Rows()
    rows.adds(T, U)
    rows.barrier(pipe)
    rows.adds(Z, T)

    assert found(rows) == []


def test_a_barrier_of_one_pipe_says_nothing_about_another() -> None:
    """A load, a barrier of V, an add: still unordered."""
    rows = Rows()
    rows.load(U)
    rows.barrier(V)
    rows.adds(T, U)

    assert short(found(rows)) == [("raw", "1", "3")]


def test_two_loads_into_the_same_bytes_need_a_barrier_of_their_pipe() -> None:
    """Transfers of one pipe overlap."""
    rows = Rows()
    rows.load(U)
    rows.load((128, 256))

    (finding,) = found(rows)
    assert finding.kind == "waw"
    assert "UB bytes [128, 256)" in finding.message
    assert "pipe_barrier(PipeID.PIPE_MTE2)" in finding.message


def test_neighbours_do_not_meet() -> None:
    """Bytes [0, 256) and [256, 512) have none in common."""
    rows = Rows()
    rows.load(U)
    rows.adds(Z, T)
    rows.load((768, 32))

    assert found(rows) == []


def test_an_instruction_in_place_does_not_race_with_itself() -> None:
    """Lanes of one instruction never conflict."""
    rows = Rows()
    rows.adds(U, U)

    assert found(rows) == []


def test_order_passes_through_a_third_pipe() -> None:
    """MTE2 sets for V, V sets for MTE3: the store comes after the load, without a flag between these two."""
    rows = Rows()
    rows.load(U)
    rows.flag(HardEvent.MTE2_V)
    rows.flag(HardEvent.V_MTE3)
    rows.store(0, U)

    assert found(rows) == []


def test_a_flag_covers_only_what_was_issued_before_its_set() -> None:
    """The load of line 3 comes after the set: the wait at line 4 does not wait for it."""
    rows = Rows()
    rows.load(U)
    rows.set(HardEvent.MTE2_V)
    rows.load(T)
    rows.wait(HardEvent.MTE2_V)
    rows.adds(Z, U)
    rows.adds((768, 256), T)

    assert short(found(rows)) == [("raw", "3", "6")]


def test_waits_take_sets_in_turn() -> None:
    """With two sets open the first wait takes the first: the second load is not covered by it.

    That the second set may come too early is another finding.
    """
    rows = Rows()
    rows.load(U)
    rows.set(HardEvent.MTE2_V)
    rows.load(T)
    rows.set(HardEvent.MTE2_V)
    rows.wait(HardEvent.MTE2_V)
    rows.adds(Z, T)
    rows.wait(HardEvent.MTE2_V)

    assert short(found(rows)) == [("flag", "2", "4"), ("raw", "3", "6")]


def test_what_the_scalar_unit_read_is_done() -> None:
    """It issues everything: its read at line 1 is over when line 2 is issued; so is its own write for itself."""
    rows = Rows()
    rows.access(VALUE, S, reads=[(Space.UB, (256, 4))])
    rows.load(T)
    rows.access(VALUE, S, writes=[(Space.UB, (600, 4))])
    rows.access(VALUE, S, reads=[(Space.UB, (600, 4))])

    assert found(rows) == []


def test_what_the_scalar_unit_wrote_to_local_memory_needs_a_flag() -> None:
    """The vector unit may read at line 2 what set_value wrote at line 1 before it is there."""
    rows = Rows()
    rows.access(VALUE, S, writes=[(Space.UB, (0, 4))])
    rows.adds(T, U)

    (finding,) = found(rows)
    assert finding.kind == "raw"
    assert "UB bytes [0, 4)" in finding.message
    assert finding.message.endswith("wait_flag(HardEvent.S_V, id) before my.py:2")


@pytest.mark.parametrize("order", [lambda rows: rows.flag(HardEvent.S_V), lambda rows: rows.barrier(PipeID.PIPE_ALL)])
def test_a_flag_or_a_full_barrier_brings_what_the_scalar_unit_wrote(order: Callable[[Rows], None]) -> None:
    """And who waits for the vector unit knows of it, too."""
    rows = Rows()
    rows.access(VALUE, S, writes=[(Space.UB, (0, 4))])
    order(rows)
    rows.adds(T, U)
    rows.flag(HardEvent.V_MTE2)
    rows.load(U)

    assert found(rows) == []


def test_the_scalar_unit_does_not_wait_for_others() -> None:
    """A read of a result needs the flag V_S."""
    rows = Rows()
    rows.adds(U, T)
    rows.access(VALUE, S, reads=[(Space.UB, (8, 4))])

    (finding,) = found(rows)
    assert finding.kind == "raw"
    assert "UB bytes [8, 12)" in finding.message
    assert finding.message.endswith("wait_flag(HardEvent.V_S, id) before my.py:2")


def test_what_the_scalar_unit_waited_for_is_over_for_all_pipes() -> None:
    """Nothing is issued while it waits: V_S orders the store, which waits for nothing itself."""
    rows = Rows()
    rows.adds(U, T)
    rows.flag(HardEvent.V_S)
    rows.store(0, U)

    assert found(rows) == []


def test_a_pair_without_a_flag_of_its_own_is_told_to_use_a_full_barrier() -> None:
    """The demo chip has no flag from MTE3 to MTE1, and no pipe MTE1; the advice must be possible."""
    rows = Rows()
    rows.store(0, U)
    rows.access(VALUE, PipeID.PIPE_MTE1, writes=[(Space.UB, U)])

    (finding,) = found(rows)
    assert finding.message.endswith("put pipe_barrier(PipeID.PIPE_ALL) between them")


def test_a_finding_is_told_once_with_its_number() -> None:
    """Five tiles through the same two lines are one finding."""
    rows = Rows()
    for tile in range(5):
        rows.load((256 * tile, 256), line=10)
        rows.adds((4096, 32), (256 * tile, 256), line=20)
        rows.barrier(V, line=30)

    (finding,) = found(rows)
    assert (finding.kind, finding.lines) == ("raw", ("my.py:10", "my.py:20"))
    assert finding.message.endswith("; 5 times")


def test_equal_blocks_share_a_finding_and_others_are_named() -> None:
    """Blocks 0 and 2 forget the flag, block 1 does not."""
    templates: list[Template] = []
    blocks = [Rows(templates) for _ in range(3)]
    for number, rows in enumerate(blocks):
        rows.load(U, gm=4096 * number, line=1)
        if number == 1:
            rows.flag(HardEvent.MTE2_V, line=2)
        rows.adds(T, U, line=4)

    (finding,) = found(*blocks)
    assert finding.blocks == (0, 2)
    assert finding.message.endswith("; 2 times, in 2 blocks from 0 to 2")


def test_findings_come_in_order_of_issue_of_the_later_row() -> None:
    """Line 3 meets line 2, then line 4 meets line 1."""
    rows = Rows()
    rows.load(U)
    rows.load(T)
    rows.adds(Z, T)
    rows.store(4096, U)

    assert short(found(rows)) == [("raw", "2", "3"), ("raw", "1", "4")]


def test_no_more_than_a_hundred_findings_are_made() -> None:
    """A kernel without any flag is told enough."""
    rows = Rows()
    for _ in range(300):
        rows.load(U)

    assert len(found(rows)) == Hits.LIMIT == 100


@pytest.mark.parametrize(
    ("start", "met"), [(32, ""), (48, "UB bytes [64, 80) and 2 more ranges"), (64, "UB bytes [64, 96)")]
)
def test_strided_accesses_are_compared_run_by_run(start: int, met: str) -> None:
    """Four runs of 32 bytes, 64 apart: odd blocks lie between even ones, and half a block further they meet thrice."""
    rows, even = Rows(), ((2, 128), (2, 64))
    rows.access(ADDS, V, writes=[(Space.UB, (0, 32))], levels=even, strided=Space.UB)
    rows.access(ADDS, V, reads=[(Space.UB, (start, 32))], levels=even, strided=Space.UB)

    messages = [f.message for f in found(rows)]
    assert len(messages) == bool(met)
    assert all(met in message for message in messages)
