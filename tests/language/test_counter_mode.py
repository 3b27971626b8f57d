"""Counter mode: what it touches, what it costs, and every instruction against one lane at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import ascendc as asc
from ascendc.language.isa.op import Busy
from ascendc.language.program import Kind
from tests.block import on_ub, program_of, tensor
from tests.inventory import looped, worked
from tests.scalar_interpreter import Operand, run
from tests.vector_calls import OPS, SIGNATURES, issue, lane_of, prepare, scalars

F16, F32 = np.float16, np.float32
COUNTER = asc.MaskMode.COUNTER
UNARY = asc.UnaryRepeatParams


def touched(fill: Any) -> list[int]:
    """Lanes of z that ``fill(z, x)`` writes: halves, x = 0, 1, 2 …, z = −1 everywhere before."""
    _, z = on_ub(lambda x, z: fill(z, x), np.arange(256).astype(F16), np.full(256, -1, F16))
    return np.flatnonzero(z != -1).tolist()


@worked("set_mask_count", "set_mask_norm", "set_vector_mask", "reset_mask")
class TestCounterMode:
    """In counter mode a mask is the number of elements of the whole instruction."""

    def test_the_mask_argument_counts(self) -> None:
        """200 halves, whatever repeat_times is: one full repeat and 72 lanes."""

        def fill(z: Any, x: Any) -> None:
            asc.set_mask_count()
            asc.adds(z, x, 1, 200, 77, UNARY())

        assert touched(fill) == list(range(200))

    def test_the_register_counts(self) -> None:
        """As before, without a mask in the call."""

        def fill(z: Any, x: Any) -> None:
            asc.set_mask_count()
            asc.set_vector_mask(200, dtype=asc.half, mode=COUNTER)
            asc.adds(z, x, 1, 0, 1, UNARY(), is_set_mask=False)

        assert touched(fill) == list(range(200))

    def test_two_words_count_in_the_low_one(self) -> None:
        """High 0, low 130."""

        def fill(z: Any, x: Any) -> None:
            asc.set_mask_count()
            asc.set_vector_mask(0, 130, dtype=asc.half, mode=COUNTER)
            asc.adds(z, x, 1, 0, 1, UNARY(), is_set_mask=False)

        assert touched(fill) == list(range(130))

    def test_normal_mode_comes_back(self) -> None:
        """set_mask_norm and reset_mask undo it."""

        def fill(z: Any, x: Any) -> None:
            asc.set_mask_count()
            asc.set_vector_mask(200, dtype=asc.half, mode=COUNTER)
            asc.set_mask_norm()
            asc.reset_mask()
            asc.adds(z, x, 1, 3, 2, UNARY())

        assert touched(fill) == [0, 1, 2, 128, 129, 130]

    def test_zero_elements_are_nothing_done(self) -> None:
        """No row, no lane."""

        def body(x: Any, z: Any) -> None:
            asc.set_mask_count()
            asc.adds(z, x, 1, 0, 4, UNARY())

        program = program_of(body, np.zeros(128, F16), np.zeros(128, F16))

        assert [row.template.op.name for row in program.blocks[0]] == ["set_mask_count"]

    def test_one_row_with_the_bytes_of_its_elements(self) -> None:
        """200 halves are 400 B read and written, two repeats of work, one instruction."""

        def body(x: Any, z: Any) -> None:
            asc.set_mask_count()
            asc.adds(z, x, 1, 200, 1, UNARY())

        program = program_of(body, np.zeros(256, F16), np.zeros(256, F16))

        (row,) = (r for r in program.blocks[0] if r.template.kind is Kind.COMPUTE)
        assert row.template.label == "adds counter=200 repeat=2"
        assert [(f.write, f.runs(), f.nbytes) for f in row.template.footprints] == [
            (True, (0,), 400),
            (False, (0,), 400),
        ]
        demand = row.template.op.demand(row.template, row.addresses, program.spec)
        assert demand == Busy(2, 12)  # demo: 10 + 2 · 1

    def test_zero_strides_accumulate_in_every_repeat(self) -> None:
        """130 ones into 64 lanes: 64, 64 and 2 elements one after the other."""

        def body(total: Any, ones: Any) -> None:
            asc.set_mask_count()
            asc.add(total, ones, total, 130, 1, asc.BinaryRepeatParams(1, 1, 1, 0, 8, 0))

        total, _ = on_ub(body, np.zeros(64, F32), np.ones(192, F32))

        assert total.tolist() == [3, 3, *[2] * 62]

    def test_zero_strides_broadcast(self) -> None:
        """One block of eight floats added to 100 elements."""

        def body(x: Any, block: Any, z: Any) -> None:
            asc.set_mask_count()
            asc.add(z, x, block, 100, 1, asc.BinaryRepeatParams(1, 1, 0, 8, 8, 0))

        _, _, z = on_ub(body, np.zeros(100, F32), np.arange(8, dtype=F32), np.full(100, -1, F32))

        assert z.tolist() == [i % 8 for i in range(100)]


@looped(*(op.name for op in OPS), "set_mask_count", "set_mask_norm", "set_vector_mask", "reset_mask")
@given(
    op=st.sampled_from(OPS),
    total=st.integers(0, 700),
    strides=st.lists(
        st.tuples(st.sampled_from([1, 1, 2, 3]), st.sampled_from([8, 8, 4, 9, 24])), min_size=3, max_size=3
    ),
    by_register=st.booleans(),
    data=st.data(),
)
@settings(max_examples=80)
def test_counted_elements_hold_what_one_lane_at_a_time_gives(
    op: Any, total: int, strides: Any, by_register: bool, data: Any
) -> None:
    """Full repeats and a partial last one, any strides: right lanes, other bytes as before, exact footprints."""
    kinds = [k.numpy for k in data.draw(st.sampled_from(SIGNATURES[op.name]))]
    lanes = 256 // max(k.itemsize for k in kinds)
    full, rest = divmod(total, lanes)
    operands = [Operand(40_960 * i, kind, *strides[i]) for i, kind in enumerate(kinds)]
    memory = np.random.default_rng(total).integers(0, 60, 40_960 * len(kinds), np.uint8)
    scalar = data.draw(scalars(op, kinds))
    kernel, after = counted_call(op, operands, scalar, total, memory, by_register=by_register)
    program = kernel.launch(1, chip="demo", hazards="off")

    wanted, lane = memory.copy(), lane_of(op.name, kinds, scalar)
    written = run(wanted, operands, lanes, full, lane, reads_dst=op.reads_dst)
    tail = [replace(o, start=o.start + full * o.rep * 32) for o in operands]
    written |= run(wanted, tail, rest, 1, lane, reads_dst=op.reads_dst)
    assert np.array_equal(bits(after[0], kinds[0]), bits(wanted, kinds[0]))
    rows = [r for r in program.blocks[0] if r.template.kind is Kind.COMPUTE]
    assert len(rows) == bool(total)
    assert written == {
        r.addresses[f.operand] + start + b
        for r in rows
        for f in r.template.footprints
        if f.write
        for start in f.runs()
        for b in range(f.nbytes)
    }


def counted_call(
    op: Any, operands: list[Operand], scalar: Any, total: int, memory: NDArray[np.uint8], *, by_register: bool
) -> tuple[Any, list[Any]]:
    """A kernel that runs ``op`` over ``total`` elements, as the register or the call says; and UB after it."""
    after: list[Any] = []

    @asc.kernel
    def block() -> None:
        whole = tensor(memory, 0)
        tensors = [asc.LocalTensor(o.kind, asc.TPosition.VECCALC, o.start, 40_960 // o.kind.itemsize) for o in operands]
        prepare(op.name)
        asc.set_mask_count()
        if by_register:
            asc.set_vector_mask(total, dtype=asc.half, mode=COUNTER)
        issue(op, tensors, operands, scalar, (0 if by_register else total, 0), is_set_mask=not by_register)
        after.append(whole.memory.data[: memory.size].copy())

    return block, after


def bits(memory: NDArray[np.uint8], kind: np.dtype[Any]) -> NDArray[Any]:
    """Numbers that are equal where the lanes are: every NaN and zero is one."""
    lanes = memory.view(kind)
    return lanes if kind.kind in "iu" else np.where(np.isnan(lanes), 12345.0, lanes + kind.type(0)).astype(np.float64)
