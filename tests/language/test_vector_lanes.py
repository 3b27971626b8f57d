"""Every vector instruction, with any mask, repeats and strides, against one lane at a time."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings

import ascendc as asc
from tests.block import tensor
from tests.fused_lanes import FUSED
from tests.scalar_interpreter import LANES, is_legal, run
from tests.vector_calls import Call, calls


def memory_for(call: Call) -> np.ndarray[Any, Any]:
    """Random bytes, with numbers of ordinary size where floats lie."""
    random = np.random.default_rng(call.seed)
    kind = call.operands[-1].kind
    count = call.bytes // kind.itemsize
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
        call.issue()
        after.append(whole.memory.data[: memory.size].copy())

    block.launch(1, chip="demo", hazards="off", auto_sync=call.seed % 2 == 0)
    return after[0]


def compute_of(call: Call) -> Any:
    if call.op.name in FUSED:
        lane = functools.partial(FUSED[call.op.name], [o.kind for o in call.operands])
    else:
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
@settings(max_examples=200)
def test_masked_lanes_hold_what_one_lane_at_a_time_gives(call: Call) -> None:
    """Any mask, 0 to 255 repeats and any strides: the lanes are right, every other byte is as before."""
    memory = memory_for(call)
    wanted = memory.copy()
    written = run(wanted, call.operands, call.mask, call.repeats, compute_of(call), reads_dst=call.op.reads_dst)

    assert_same(call, execute(call, memory), wanted, written)


@given(call=calls(apart=False))
@settings(max_examples=400)
def test_operands_that_meet_are_right_or_refused(call: Call) -> None:
    """A legal overlap gives what repeats one after another give; any other is refused, and writes nothing."""
    memory = memory_for(call)
    wanted = memory.copy()
    accumulates = call.op.accumulates and call.operands[0].kind != np.int16
    if is_legal(call.operands, call.mask, call.repeats, accumulates=accumulates):
        lane, results = compute_of(call), []
        noted = lambda *values: results.append(lane(*values)) or results[-1]  # noqa: E731
        written = run(wanted, call.operands, call.mask, call.repeats, noted, reads_dst=call.op.reads_dst)
        # A NaN read back as part of a wider number shows its sign, which no rule gives.
        assume(len({o.kind for o in call.operands}) == 1 or not any(map(np.isnan, results)))

        assert_same(call, execute(call, memory), wanted, written)
    else:
        with pytest.raises(asc.OverlapError, match=rf"^{call.op.name}: repeat \d+ writes UB bytes"):
            execute(call, memory)
