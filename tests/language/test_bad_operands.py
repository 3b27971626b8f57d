"""What no vector instruction takes, whichever it is: refused with the operand and the rule, and nothing is written."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from ascendc.language.isa.vector import VectorOp
from tests.block import tensor
from tests.sample_calls import Sample, samples

SAMPLES = samples()
ROOM = 16384
"""Bytes between two operands."""

WORKS_INSIDE = {"cast_vdeq": "what cast_deq issues"}
"""Vector instructions that a kernel does not call itself."""

GLOBAL: list[asc.GlobalTensor] = []
"""A tensor of the kernel that runs, outside UB."""

each = pytest.mark.parametrize("sample", SAMPLES, ids=str)


def placed(sample: Sample) -> list[asc.LocalTensor]:
    """The operands, each far from the others and exactly as long as it must be."""
    made = [tensor(content, ROOM * i + 1024) for i, content in enumerate(sample.contents)]
    for one, content in zip(made, sample.contents, strict=True):
        one.set_size(content.size)
    return made


def run(sample: Sample, body: Any) -> asc.Program:
    """``body(tensors)`` in a kernel."""

    @asc.kernel
    def block(x: Any) -> None:
        GLOBAL[:] = [asc.GlobalTensor()]
        GLOBAL[0].set_global_buffer(x)
        body(placed(sample))

    return block.launch(1, np.zeros(1024, np.float32), chip="demo", hazards="off")


def refuse(sample: Sample, change: Any, error: type[Exception], *parts: str, masked: Any = None) -> None:
    """The call on operands after ``change`` is refused: all of ``parts`` are said, and no byte of UB is another one."""

    def body(tensors: list[asc.LocalTensor]) -> None:
        memory = tensors[0].memory
        changed = change(tensors)
        before, known = memory.data.copy(), bytes(memory.shadow)
        with pytest.raises(error) as caught:
            sample.call(changed) if masked is None else sample.masked(changed, *masked)

        text = str(caught.value)
        assert caught.type is error, text
        assert [part for part in parts if not re.search(part, text)] == [], text
        assert np.array_equal(memory.data, before)
        assert bytes(memory.shadow) == known

    program = run(sample, body)
    assert not [row for row in program.blocks[0] if row.template.op.name == sample.name]


def window(of: asc.LocalTensor, shift: int = 0, kind: Any = None, short: int = 0) -> asc.LocalTensor:
    """The same tensor ``shift`` bytes on, of another type, or some elements shorter."""
    kind = kind or of.dtype
    first, off = divmod(of.address + shift, 32)
    made = asc.LocalTensor(kind, of.position, 32 * first, 8192 // kind.itemsize)[off // kind.itemsize :]
    made.set_size(len(of) - short)
    return made


def replaced(tensors: list[Any], at: int, by: Any) -> list[Any]:
    return [by if i == at else t for i, t in enumerate(tensors)]


def test_every_vector_instruction_has_a_sample() -> None:
    """Whoever adds one says how it is called."""
    vector = {name for name, op in asc.ISA.items() if isinstance(op, VectorOp)}

    assert {s.name for s in SAMPLES} | set(WORKS_INSIDE) == vector


@each
def test_the_samples_are_legal(sample: Sample) -> None:
    """In each form that they have: what the tests below change is what is wrong."""
    if sample.masked is not None:
        run(sample, lambda t: sample.masked([window(one) for one in t], min(sample.lanes, 8), 1))
    program = run(sample, sample.call)

    assert any(row.template.op.name == sample.name for row in program.blocks[0])


@each
def test_an_operand_off_its_block(sample: Sample) -> None:
    """One element on: the operand, the address and what it must be a multiple of; packed results may begin there."""
    for i, role in enumerate(sample.roles):
        if (i == 0 and sample.may_start_anywhere) or role == "shared_tmp_buffer":
            continue
        shift = sample.contents[i].itemsize
        refuse(
            sample,
            lambda t, i=i, shift=shift: replaced(t, i, window(t[i], shift)),
            asc.AlignmentError,
            rf"^{role}\S* of {sample.name}|^{sample.name}: {role}",
            r"(not a|no) multiple of \d+",
        )


@each
def test_an_operand_one_element_short(sample: Sample) -> None:
    """Which, how long it is, and how long it must be."""
    for i, role in enumerate(sample.roles):
        error = asc.WorkspaceError if role == "shared_tmp_buffer" else asc.OutOfBoundsError
        refuse(sample, lambda t, i=i: replaced(t, i, window(t[i], short=1)), error, role, r"\d+ B.*\d+ B")


@each
def test_an_operand_of_a_type_there_is_not(sample: Sample) -> None:
    """The type, and those there are; any 16 bytes are an image of the compare register."""
    for i in range(len(sample.roles)) if "cmp_mask" not in sample.name else ():
        change = lambda t, i=i: replaced(t, i, window(t[i], kind=asc.bool_))  # noqa: E731
        refuse(sample, change, asc.DtypeError, rf"^{sample.name}: ", "bool")


@each
def test_an_operand_in_global_memory(sample: Sample) -> None:
    """The vector unit reaches UB alone."""
    for i, role in enumerate(sample.roles):
        error = asc.RangeError if role == "src1_pattern" else asc.PositionError  # a pattern may be a number, too
        refuse(sample, lambda t, i=i: replaced(t, i, GLOBAL[0]), error, role, "global memory|GlobalTensor")


@each
def test_a_source_that_nothing_has_written(sample: Sample) -> None:
    """One byte is enough."""
    for i, role in enumerate(sample.roles):
        if (i == 0 and sample.writes) or role == "shared_tmp_buffer":
            continue

        def change(t: list[Any], i: int = i) -> list[Any]:
            t[i].memory.shadow[t[i].address + 1] = 0
            return t

        refuse(sample, change, asc.UninitializedError, role, "which nothing has written")


READ_FIRST = {"reduce_sum", "reduce_max", "reduce_min"}
"""What writes its one result when all of the source has been read, in another round."""


@each
def test_a_destination_over_part_of_a_source(sample: Sample) -> None:
    """It begins a block before it, or, where the results are few, within it: both ranges of bytes."""
    if not sample.writes or sample.name in READ_FIRST:
        return
    for i, role in enumerate(sample.roles[1:], 1):
        if role == "shared_tmp_buffer":
            continue
        few, source = sample.contents[0].nbytes <= 32, sample.contents[i].nbytes
        shift = 0 if sample.name == "sort32" or (few and source <= 32) else 32 if few else -32

        def change(t: list[Any], i: int = i, shift: int = shift) -> list[Any]:
            over = window(t[0], t[i].address + shift - t[0].address)
            over.memory.written(over.address, over.address + over.nbytes)
            return replaced(t, 0, over)

        refuse(sample, change, asc.OverlapError, rf"^{sample.name}: ", r"\[\d+, \d+\).*\[?\d+")


MASKED = [s for s in SAMPLES if s.masked is not None]


@pytest.mark.parametrize("sample", MASKED, ids=str)
def test_masks_and_repeats_beyond_their_fields(sample: Sample) -> None:
    """More lanes than a repeat has, by number and by bit; more than 255 repeats, or fewer than none."""
    lanes = sample.lanes
    beyond = [2**64 - 1, 1] if lanes <= 64 else [2**64, 0]
    if lanes == 32:
        beyond = [1 << 32, 0]
    for mask, repeats, said in (
        (lanes + 1, 1, rf"mask {lanes + 1} is beyond the {lanes} lanes"),
        (beyond, 1, r"mask \[.*\] chooses lanes from|each word of a bit mask has 64 bits"),
        (1, 256, r"repeat 256 > 255"),
        (1, -1, r"repeat\w* must be .*got -1"),
    ):
        refuse(sample, lambda t: t, asc.RangeError, rf"^{sample.name}: ", said, masked=(mask, repeats))
