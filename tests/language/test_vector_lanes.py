"""Every vector instruction of lanes, with any mask, repeats and strides, or any count, against one lane at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import ascendc as asc
from tests.block import tensor
from tests.inventory import looped
from tests.scalar_interpreter import Operand, is_legal, run
from tests.vector_calls import OPS, SIGNATURES, Call, calls, issue, lane_of, prepare, scalars


def memory_for(call: Call) -> np.ndarray[Any, Any]:
    """As many random bytes as ``call`` needs."""
    return random_bytes(call.operands[-1].kind, call.bytes, call.seed)


def random_bytes(kind: np.dtype[Any], nbytes: int, seed: int) -> np.ndarray[Any, Any]:
    """Random bytes, with numbers of ordinary size where floats of type ``kind`` lie."""
    random = np.random.default_rng(seed)
    count = nbytes // kind.itemsize
    if kind.kind in "iu":
        values = random.integers(0, 256, count * kind.itemsize, np.uint8).view(kind)
    else:
        values = random.choice([0.0, 1.0, -1.0, 0.5, 3.0, -7.25, 65504.0, np.inf, -np.inf, np.nan], count).astype(kind)
        plain = random.random(count) < 0.8
        values[plain] = random.standard_normal(int(plain.sum())).astype(kind)
    return values.view(np.uint8).copy()


def execute(body: Any, memory: np.ndarray[Any, Any], *, auto_sync: bool) -> np.ndarray[Any, Any]:
    """The whole of UB that matters, after ``body`` has run on it."""
    after: list[np.ndarray[Any, Any]] = []

    @asc.kernel
    def block() -> None:
        whole = tensor(memory, 0)
        body()
        after.append(whole.memory.data[: memory.size].copy())

    block.launch(1, chip="demo", hazards="off", auto_sync=auto_sync)
    return after[0]


def assert_same(
    kind: np.dtype[Any], got: np.ndarray[Any, Any], wanted: np.ndarray[Any, Any], written: set[int]
) -> None:
    """Untouched bytes are untouched, and written lanes hold the same numbers."""
    untouched = np.ones(got.size, bool)
    untouched[sorted(written)] = False
    assert np.array_equal(got[untouched], wanted[untouched])

    a, b = got.view(kind), wanted.view(kind)
    lanes = ~untouched[:: kind.itemsize]
    if kind.kind in "iu":
        assert np.array_equal(a[lanes], b[lanes])
    else:
        assert np.array_equal(a[lanes].astype(np.float64), b[lanes].astype(np.float64), equal_nan=True)


@looped(*(op.name for op in OPS), "set_vector_mask", "set_deq_scale")
@given(call=calls(apart=True))
@settings(max_examples=200)
def test_masked_lanes_hold_what_one_lane_at_a_time_gives(call: Call) -> None:
    """Any mask, in the call or in the register, any strides: the lanes are right, every other byte is as before."""
    memory = memory_for(call)
    wanted = memory.copy()
    written = run(wanted, call.operands, call.mask, call.repeats, call.lane, reads_dst=call.op.reads_dst)

    assert_same(call.operands[0].kind, execute(call.issue, memory, auto_sync=call.seed % 2 == 0), wanted, written)


@given(call=calls(apart=False))
@settings(max_examples=400)
def test_operands_that_meet_are_right_or_refused(call: Call) -> None:
    """A legal overlap gives what repeats one after another give; any other is refused, and writes nothing."""
    memory = memory_for(call)
    wanted = memory.copy()
    accumulates = call.op.accumulates and call.operands[0].kind != np.int16
    if is_legal(call.operands, call.mask, call.repeats, accumulates=accumulates):
        lane, results = call.lane, []
        noted = lambda *values: results.append(lane(*values)) or results[-1]  # noqa: E731
        written = run(wanted, call.operands, call.mask, call.repeats, noted, reads_dst=call.op.reads_dst)
        # A NaN read back as part of a wider number shows its sign, which no rule gives.
        assume(len({o.kind for o in call.operands}) == 1 or not any(map(np.isnan, results)))

        assert_same(call.operands[0].kind, execute(call.issue, memory, auto_sync=call.seed % 2 == 0), wanted, written)
    else:
        with pytest.raises(asc.OverlapError, match=rf"^{call.op.name}: repeat \d+ writes UB bytes"):
            execute(call.issue, memory, auto_sync=True)


@looped(*(op.name for op in OPS))
@given(
    op=st.sampled_from(OPS),
    count=st.integers(0, 700),
    how=st.sampled_from(["count", "lanes of the register", "number in the register"]),
    data=st.data(),
)
@settings(max_examples=150)
def test_counted_lanes_hold_what_one_lane_at_a_time_gives(op: Any, count: int, how: str, data: st.DataObject) -> None:
    """The first elements of contiguous operands, whatever their types; with is_set_mask=False as the register says."""
    kinds = [k.numpy for k in data.draw(st.sampled_from(SIGNATURES[op.name]))]
    scalar, seed = data.draw(scalars(op, kinds)), data.draw(st.integers(0, 99))
    lanes = 256 // max(k.itemsize for k in kinds)
    mask: Any = count
    if how == "lanes of the register":
        mask = data.draw(st.integers(0, lanes) | st.integers(0, 2**64 - 1).map(lambda low: [low & (1 << lanes) - 1, 0]))
    operands = [Operand(8192 * i, kind, 1, 8) for i, kind in enumerate(kinds)]
    memory = random_bytes(kinds[-1], 8192 * len(kinds), seed)
    wanted, lane = memory.copy(), lane_of(op.name, kinds, scalar)
    written = run(wanted, operands, mask, 1, lane, reads_dst=op.reads_dst)

    def body() -> None:
        tensors = [asc.LocalTensor(o.kind, asc.TPosition.VECCALC, o.start, 8192 // o.kind.itemsize) for o in operands]
        prepare(op.name)
        if how == "lanes of the register":
            words = (mask,) if isinstance(mask, int) else (mask[1], mask[0])
            asc.set_vector_mask(*words, dtype=asc.half if lanes == 128 else asc.float32)
        elif how == "number in the register":
            asc.set_mask_count()
            asc.set_vector_mask(count, dtype=asc.half, mode=asc.MaskMode.COUNTER)
        issue(op, tensors, operands, scalar, (count,), is_set_mask=how == "count")

    assert_same(kinds[0], execute(body, memory, auto_sync=seed % 2 == 0), wanted, written)
