"""Every vector instruction, with any mask, repeats and strides, against one lane at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from ascendc.language.isa.vector import VectorOp
from tests.block import local, tensor
from tests.scalar_interpreter import LANES, Mask, Operand, chosen, is_legal, lanes_of, run

OPS = [op for op in asc.ISA.values() if isinstance(op, VectorOp) and op.name != "cast"]
WORD = st.integers(0, 2**64 - 1)


@dataclass(frozen=True)
class Call:
    """One call of an instruction in the mask form, with every operand's place."""

    op: Any
    operands: tuple[Operand, ...]
    mask: Mask
    repeats: int
    scalar: Any
    seed: int

    @property
    def bytes(self) -> int:
        return max(end(o, self.mask, self.repeats, lanes_of(self.operands)) for o in self.operands)

    def issue(self, tensors: list[asc.LocalTensor]) -> None:
        """Say it in the language."""
        blk, rep = [o.blk for o in self.operands], [o.rep for o in self.operands]
        match len(tensors):
            case 1:
                self.op(tensors[0], self.scalar, self.mask, self.repeats, blk[0], rep[0])
            case 2:
                numbers = () if self.scalar is None else (self.scalar,)
                self.op(*tensors, *numbers, self.mask, self.repeats, asc.UnaryRepeatParams(*blk, *rep))
            case _:
                self.op(*tensors, self.mask, self.repeats, asc.BinaryRepeatParams(*blk, *rep))


def end(operand: Operand, mask: Mask, repeats: int, lanes: int) -> int:
    """The byte after the furthest lane."""
    last = (operand.address(max(repeats - 1, 0), lane) for lane in chosen(mask, lanes))
    return max(last, default=operand.start) + operand.kind.itemsize


@st.composite
def calls(draw: st.DrawFn, *, apart: bool) -> Call:
    """A call; with ``apart`` its operands do not meet.  Tensors end with their furthest lane."""
    op = draw(st.sampled_from(OPS))
    kinds = [k.numpy for k in draw(st.sampled_from(op.dtypes))]
    lanes = 256 // max(k.itemsize for k in kinds)
    mask: Mask = draw(
        st.one_of(
            st.sampled_from([lanes, 1]),
            st.integers(0, lanes),
            st.tuples(WORD, WORD).map(lambda words: _bits(words, lanes)),
        )
    )
    repeats, operands, free = draw(st.integers(0, 5)), [], 0
    for kind in kinds:
        start = free if apart else 32 * draw(st.integers(0, 20))
        blk = draw(st.sampled_from([0, 1, 1, 2, 3, 8] if operands else [1, 1, 2, 3, 8]))
        operands.append(Operand(start, kind, blk, draw(st.sampled_from([0, 1, 4, 7, 8, 8, 9, 255]))))
        free = -(-end(operands[-1], mask, repeats, lanes) // 32) * 32
    return Call(op, tuple(operands), mask, repeats, _scalar(draw, op, kinds[-1]), draw(st.integers(0, 2**32)))


def _bits(words: tuple[int, int], lanes: int) -> list[int]:
    return [words[0] & (1 << min(lanes, 64)) - 1, words[1] if lanes == 128 else 0]


def _scalar(draw: st.DrawFn, op: Any, kind: Any) -> Any:
    if not op.immediates:
        return None
    if kind.kind in "iu":
        limits = np.iinfo(kind)
        return draw(st.integers(int(limits.min), int(limits.max)))
    return kind.type(draw(st.sampled_from([0.0, 1.0, -2.5, 0.1, 1e-4, 60000.0, np.inf, np.nan]))).item()


def memory_for(call: Call) -> np.ndarray[Any, Any]:
    """Random bytes, with numbers of ordinary size where floats lie."""
    random = np.random.default_rng(call.seed)
    kind = call.operands[-1].kind
    count = -(-call.bytes // 32) * 32 // kind.itemsize
    if kind.kind in "iu":
        values = random.integers(0, 256, count * kind.itemsize, np.uint8).view(kind)
    else:
        values = random.choice([0.0, 1.0, -1.0, 0.5, 3.0, -7.25, 65504.0, np.inf, -np.inf, np.nan], count).astype(kind)
        plain = random.random(count) < 0.8
        values[plain] = random.standard_normal(int(plain.sum())).astype(kind)
    return values.view(np.uint8).copy()


def execute(call: Call, memory: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The whole of UB that matters, after the language has run the call."""
    after: list[np.ndarray[Any, Any]] = []

    @asc.kernel
    def block() -> None:
        whole = tensor(memory, 0)
        tensors = []
        for o in call.operands:
            size = (end(o, call.mask, call.repeats, lanes_of(call.operands)) - o.start) // o.kind.itemsize
            tensors.append(local(o.kind, size, o.start))
        call.issue(tensors)
        after.append(whole.memory.data[: memory.size].copy())

    block.launch(1, chip="demo", hazards="off", auto_sync=call.seed % 2 == 0)
    return after[0]


def compute_of(call: Call) -> Any:
    lane = LANES[call.op.name]
    return lane if call.scalar is None else lambda *values: lane(*values, call.scalar)


def assert_same(call: Call, got: np.ndarray[Any, Any], wanted: np.ndarray[Any, Any], written: set[int]) -> None:
    """Untouched bytes are untouched, and written lanes hold the same numbers."""
    untouched = np.ones(got.size, bool)
    untouched[sorted(written)] = False
    assert np.array_equal(got[untouched], wanted[untouched])

    kind = call.operands[0].kind
    a, b = got.view(kind), wanted.view(kind)
    lanes = ~untouched[:: kind.itemsize]
    if kind.kind in "iu":
        assert np.array_equal(a[lanes], b[lanes])
    else:
        assert np.array_equal(a[lanes].astype(np.float64), b[lanes].astype(np.float64), equal_nan=True)


@given(call=calls(apart=True))
@settings(max_examples=150)
def test_masked_lanes_hold_what_one_lane_at_a_time_gives(call: Call) -> None:
    """Any mask, 0 to 255 repeats and any strides: the lanes are right, every other byte is as before."""
    memory = memory_for(call)
    wanted = memory.copy()
    written = run(wanted, call.operands, call.mask, call.repeats, compute_of(call), reads_dst=call.op.reads_dst)

    assert_same(call, execute(call, memory), wanted, written)


@given(call=calls(apart=False))
@settings(max_examples=1500)
def test_operands_that_meet_are_right_or_refused(call: Call) -> None:
    """A legal overlap gives what repeats one after another give; any other is refused, and writes nothing."""
    memory = memory_for(call)
    wanted = memory.copy()
    if is_legal(call.operands, call.mask, call.repeats, accumulates=call.op.accumulates):
        written = run(wanted, call.operands, call.mask, call.repeats, compute_of(call), reads_dst=call.op.reads_dst)

        assert_same(call, execute(call, memory), wanted, written)
    else:
        with pytest.raises(asc.OverlapError, match=rf"^{call.op.name}: repeat \d+ writes UB bytes"):
            execute(call, memory)
