"""The hazard pass in global memory: within a block, and between blocks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ascendc.language.enums import HardEvent, PipeID
from ascendc.language.findings import Finding, Severity
from ascendc.language.hazards import hazards
from ascendc.language.program import GlobalArray, Space, Template
from tests.rows import DATA_COPY, Rows, program

U = (0, 256)
Y = GlobalArray("y", 4096, 80, "float32", (20,), 1, 0)


def found(*rows: Rows) -> list[Finding]:
    return list(hazards(program(*rows, arrays=(GlobalArray("x", 0, 4096, "float32", (1024,), 0, 0), Y))))


def cores(count: int) -> list[Rows]:
    templates: list[Template] = []
    return [Rows(templates) for _ in range(count)]


def test_cores_that_store_into_the_same_32_bytes_are_found() -> None:
    """P15: four cores have 5 floats (20 bytes) each, and store 8: core 1 writes [20, 52), core 0 [0, 32)."""
    blocks = cores(4)
    for core, rows in enumerate(blocks):
        rows.store(4096 + 20 * core, (0, 32), line=7)

    (finding,) = found(*blocks)
    assert (finding.kind, finding.lines, finding.blocks) == ("cores", ("my.py:7", "my.py:7"), (0, 1, 2, 3))
    assert finding.message.startswith(
        "data_copy (MTE3, my.py:7): block 1 writes y bytes [20, 32), which block 0 writes, and nothing orders blocks; "
    )
    assert "data_copy_pad" in finding.message
    assert finding.message.endswith("; so do 4 blocks in all")


def test_cores_that_store_exactly_their_own_bytes_are_not() -> None:
    """P15 with data_copy_pad: 20 bytes each."""
    blocks = cores(4)
    for core, rows in enumerate(blocks):
        rows.store(4096 + 20 * core, (0, 20))

    assert found(*blocks) == []


def test_a_core_that_reads_what_another_writes_is_found() -> None:
    """Block 1 loads bytes [16, 48) of y, block 0 stores [0, 32)."""
    first, second = cores(2)
    first.store(4096, (0, 32), line=3)
    second.load((0, 32), gm=4096 + 16, line=5)

    (finding,) = found(first, second)
    assert (finding.kind, finding.lines, finding.blocks) == ("cores", ("my.py:3", "my.py:5"), (0, 1))
    assert "block 1 reads y bytes [16, 32), which block 0 writes with data_copy (MTE3, my.py:3)" in finding.message


def test_cores_may_read_the_same_bytes() -> None:
    """Nothing writes x."""
    blocks = cores(3)
    for core, rows in enumerate(blocks):
        rows.load(U, gm=0)
        rows.store(4096 + 256 * core, (512, 256))

    assert found(*blocks) == []


def test_each_core_may_update_its_own_bytes_in_place() -> None:
    """Two tiles a block, each loaded and then stored in order; one tile may overtake the other."""
    blocks = cores(3)
    for core, rows in enumerate(blocks):
        for tile in range(2):
            gm, ub = 512 * core + 256 * tile, (256 * tile, 256)
            rows.load(ub, gm)
            rows.flag(HardEvent.MTE2_MTE3, tile)
            rows.store(gm, ub)

    assert found(*blocks) == []


def test_a_load_of_what_the_block_stored_needs_a_flag() -> None:
    """Global memory follows the same rules inside a block."""
    rows = Rows()
    rows.store(4096, (0, 32))
    rows.load((512, 32), gm=4096 + 16)

    (finding,) = found(rows)
    assert (finding.kind, finding.lines) == ("raw", ("my.py:1", "my.py:2"))
    assert "reads y bytes [16, 32), which data_copy (MTE3, my.py:1) writes" in finding.message
    assert "HardEvent.MTE3_MTE2" in finding.message


def test_a_load_of_what_the_block_stored_is_fine_behind_a_flag() -> None:
    """The same with MTE3_MTE2."""
    rows = Rows()
    rows.store(4096, (0, 32))
    rows.flag(HardEvent.MTE3_MTE2)
    rows.load((512, 32), gm=4096 + 16)

    assert found(rows) == []


def test_blocks_equal_in_local_memory_may_differ_in_global_memory() -> None:
    """Both blocks store twice with the same rows and local addresses; only block 1 stores to one place."""
    blocks = cores(2)
    for core, rows in enumerate(blocks):
        rows.store(1024 * core, U, line=1)
        rows.store(1024 * core + 256 * (1 - core), U, line=2)

    (finding,) = found(*blocks)
    assert (finding.kind, finding.blocks) == ("waw", (1,))
    assert "x bytes [1024, 1280)" in finding.message


def column(rows: Rows, tile: int, *, write: bool) -> None:
    """Column ``tile``, 64 bytes wide, of a matrix of 64 rows of 4,096 bytes."""
    mine, ub = [(Space.GM, (64 * tile, 64))], [(Space.UB, (0, 4096))]
    if write:
        rows.access(DATA_COPY, PipeID.PIPE_MTE3, writes=mine, reads=ub, levels=((64, 4096),), line=9)
    else:
        rows.access(DATA_COPY, PipeID.PIPE_MTE2, writes=ub, reads=mine, levels=((64, 4096),), line=8)


def test_disjoint_column_tiles_do_not_meet() -> None:
    """64 blocks own a column each: their bounding ranges overlap, their bytes do not."""
    blocks = cores(64)
    for tile, rows in enumerate(blocks):
        column(rows, tile, write=True)

    assert found(*blocks) == []


def test_column_tiles_in_place_are_fine_and_a_shared_column_is_not() -> None:
    """Blocks 0 and 1 both take column 1."""
    blocks = cores(2)
    for core, rows in enumerate(blocks):
        for tile in (core, 1):
            column(rows, tile, write=False)
            rows.flag(HardEvent.MTE2_MTE3, line=100)
            column(rows, tile, write=True)
            rows.barrier(PipeID.PIPE_ALL, line=200)

    pairs = [(f.kind, sorted(f.lines)) for f in found(*blocks)]
    assert sorted(pairs) == [("cores", ["my.py:8", "my.py:9"]), ("cores", ["my.py:9", "my.py:9"])]


Store = tuple[int, int, bool]


@given(st.lists(st.lists(st.tuples(st.integers(0, 40), st.integers(1, 12), st.booleans()), max_size=5), max_size=4))
def test_cores_meet_exactly_where_a_byte_is_written_by_one_and_touched_by_another(plan: list[list[Store]]) -> None:
    """Against a count of every byte; each block drains after every row, so only cores can meet."""
    blocks, touched, written = cores(len(plan)), np.zeros((4, 64), bool), np.zeros((4, 64), bool)
    for core, (rows, accesses) in enumerate(zip(blocks, plan, strict=True)):
        for start, size, write in accesses:
            rows.store(start, (0, size)) if write else rows.load((0, size), gm=start)
            rows.barrier(PipeID.PIPE_ALL)
            touched[core, start : start + size] = True
            written[core, start : start + size] |= write
    fought_over = written.any(0) & (touched.sum(0) > 1)

    findings = found(*blocks)
    assert {f.kind for f in findings} == ({"cores"} if fought_over.any() else set())
    involved = {core for core in range(len(plan)) if touched[core, fought_over].any()}
    assert {block for f in findings for block in f.blocks} == involved


MODES = ("read", "write", "add float32", "max float32")
Access = tuple[int, int, str]


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 40), st.integers(1, 12), st.sampled_from(MODES)), max_size=5), max_size=4
    )
)
def test_atomic_stores_of_one_kind_may_meet_and_nothing_else(plan: list[list[Access]]) -> None:
    """Against all pairs of accesses of different cores, byte by byte."""
    blocks = cores(len(plan))
    for rows, accesses in zip(blocks, plan, strict=True):
        for start, size, mode in accesses:
            gm, ub = [(Space.GM, (start, size))], [(Space.UB, (0, size))]
            if mode == "read":
                rows.access(DATA_COPY, PipeID.PIPE_MTE2, writes=ub, reads=gm)
            else:
                rows.access(DATA_COPY, PipeID.PIPE_MTE3, writes=gm, reads=ub, atomic=mode if " " in mode else "")
            rows.barrier(PipeID.PIPE_ALL)
    involved = {
        core
        for core, accesses in enumerate(plan)
        for start, size, mode in accesses
        for other, theirs in enumerate(plan)
        for begin, length, what in theirs
        if other != core and start < begin + length and begin < start + size
        if not mode == what == "read" and not (mode == what and " " in mode)
    }

    findings = found(*blocks)
    assert {f.kind for f in findings} == ({"cores"} if involved else set())
    assert {block for f in findings for block in f.blocks} == involved


def test_reading_a_shared_table_again_and_again_hides_no_clash() -> None:
    """47 blocks read one tile of 2 KB 200 times; block 47 writes it."""
    blocks = cores(48)
    for rows in blocks[:47]:
        for _ in range(200):
            rows.load((0, 2048), gm=0, line=4)
            rows.barrier(PipeID.PIPE_MTE2, line=20)
    blocks[47].store(0, (0, 2048), line=6)

    (finding,) = found(*blocks)
    assert (finding.kind, finding.lines, finding.blocks) == ("cores", ("my.py:4", "my.py:6"), tuple(range(48)))


def test_a_block_that_polls_its_own_line_hides_no_clash() -> None:
    """Block 0 writes a line and reads it 120,000 times; block 1 reads it once, at the end."""
    first, second = cores(2)
    first.store(0, (0, 32), line=3)
    first.flag(HardEvent.MTE3_MTE2, line=10)
    first.load((512, 32), gm=0, line=4)
    first.barrier(PipeID.PIPE_MTE2, line=20)
    second.load((0, 32), gm=0, line=5)
    once = program(first, second)
    poll = once.blocks[0]
    often = replace(
        poll,
        rows=np.concatenate([poll.rows, np.tile(poll.rows[-2:], 119_999)]),
        addresses=np.concatenate([poll.addresses, np.tile(poll.addresses[-2:], 119_999)]),
    )

    (finding,) = hazards(replace(once, blocks=(often, once.blocks[1])))
    assert (finding.kind, finding.lines, finding.blocks) == ("cores", ("my.py:3", "my.py:5"), (0, 1))


def test_a_finding_says_that_blocks_clash_more_often_than_is_followed_up() -> None:
    """700 blocks that write the same bytes are 244,650 pairs."""
    blocks = cores(700)
    for rows in blocks:
        rows.store(0, (0, 32), line=3)

    clash, more = found(*blocks)
    assert (clash.kind, clash.severity, more.severity) == ("cores", Severity.ERROR, Severity.WARNING)
    assert more.message.startswith("hazards between blocks: more than 200000 pairs of accesses clash")
