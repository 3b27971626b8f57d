"""What the recorder says a vector instruction touches, and what it lets through: exactly the bytes of its lanes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import ascendc as asc
from ascendc.language.isa.geometry import Layout
from ascendc.language.isa.lanes import Lanes
from ascendc.language.program import Instruction, Kind
from tests.block import tensor
from tests.scalar_interpreter import Operand
from tests.vector_calls import Call, calls


def touched(call: Call, operand: Operand) -> set[int]:
    """Bytes of UB that the lanes of an operand are."""
    starts = {operand.address(repeat, lane) for repeat, lane in call.lanes}
    return {start + b for start in starts for b in range(operand.kind.itemsize)}


def sources(call: Call) -> tuple[Operand, ...]:
    """The operands that are read."""
    return call.operands if call.op.reads_dst else call.operands[1:]


def recorded(row: Instruction, *, write: bool) -> set[int]:
    """Bytes that the footprints of a row cover."""
    return {
        row.addresses[f.operand] + run + b
        for f in row.template.footprints
        if f.write is write
        for run in f.runs()
        for b in range(f.nbytes)
    }


def run_in(call: Call, ready: Any, short: int = -1) -> tuple[asc.Program, bytearray]:
    """Run ``call`` after ``ready()``: the program, and which bytes are known to be written."""
    shadow = bytearray()

    @asc.kernel
    def block() -> None:
        ready()
        call.issue(short)
        shadow.extend(asc.LocalTensor(asc.uint8, asc.TPosition.VECIN, 0, 32).memory.shadow)

    return block.launch(1, chip="demo", hazards="off"), shadow


@given(call=calls(apart=True))
def test_footprints_are_exactly_the_lanes(call: Call) -> None:
    """What is read and what is written, byte for byte; no row at all if nothing is."""
    program, _ = run_in(call, lambda: tensor(np.zeros(call.bytes, np.uint8), 0))

    reads = [touched(call, o) for o in sources(call)]
    writes = touched(call, call.operands[0])
    rows = [row for row in program.blocks[0] if row.template.kind is Kind.COMPUTE]
    assert len(rows) == bool(writes)
    for row in rows:
        assert recorded(row, write=True) == writes
        assert recorded(row, write=False) == set().union(*reads)


@given(call=calls(apart=True))
def test_only_written_lanes_count_as_written(call: Call) -> None:
    """Masked-off lanes of a fresh destination stay unknown."""
    assume(not call.op.reads_dst)

    def ready() -> None:
        for o in sources(call):
            tensor(np.zeros(-(-(call.end(o) - o.start) // 32) * 32, np.uint8), o.start)

    _, shadow = run_in(call, ready)

    dst = call.operands[0]
    known = {dst.start + i for i, byte in enumerate(shadow[dst.start : call.end(dst)]) if byte}
    assert known == touched(call, dst)


@given(call=calls(apart=True), data=st.data())
def test_a_hole_is_refused_where_a_lane_reads_it(call: Call, data: st.DataObject) -> None:
    """One byte that nothing wrote: an error that names its element if a lane reads it, no matter if none does."""
    reads = set().union(*(touched(call, o) for o in sources(call)))
    anywhere = st.integers(0, call.bytes - 1)
    hole = data.draw(st.sampled_from(sorted(reads)) | anywhere if reads else anywhere)

    def ready() -> None:
        whole = tensor(np.zeros(call.bytes, np.uint8), 0)
        whole.memory.shadow[hole] = 0

    if hole not in reads:
        run_in(call, ready)
        return
    with pytest.raises(asc.UninitializedError, match=rf"UB bytes \[{hole}, {hole + 1}\)"):
        run_in(call, ready)


@given(call=calls(apart=True), data=st.data())
def test_a_tensor_one_element_short_is_refused(call: Call, data: st.DataObject) -> None:
    """Every operand must hold its furthest lane."""
    assume(call.lanes)
    short = data.draw(st.integers(0, len(call.operands) - 1))
    o, role = call.operands[short], call.op.roles[short]
    needs = (call.end(o) - o.start) // o.kind.itemsize

    with pytest.raises(asc.OutOfBoundsError, match=rf"^{role} of {call.op.name}.*\({needs} x .*B \({needs - 1}\)"):
        run_in(call, lambda: tensor(np.zeros(call.bytes, np.uint8), 0), short)


@given(
    chosen=st.sets(st.integers(0, 63), min_size=1),
    item=st.sampled_from([2, 4]),
    blk_stride=st.integers(0, 40),
    rep_stride=st.integers(0, 255),
)
def test_the_bits_of_a_repeat_are_the_bytes_of_its_lanes(
    chosen: set[int], item: int, blk_stride: int, rep_stride: int
) -> None:
    """Byte by byte, from the first one on; the stride between repeats is not in them."""
    lanes = Lanes(64, tuple(sorted(chosen)), prefix=False)
    first, bits = Layout(lanes, item, repeats=2, blk_stride=blk_stride, rep_stride=rep_stride, width=8, first=64).bits

    starts = [64 + lane // 8 * blk_stride * 32 + lane % 8 * item for lane in chosen]
    lit = {first + i for i in range(bits.bit_length()) if bits >> i & 1}
    assert first == min(starts)
    assert lit == {start + b for start in starts for b in range(item)}
