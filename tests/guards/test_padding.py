"""Dummies that data_copy_pad puts behind rows: harmless until somebody takes them for data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from tests.block import local, on_gm

F, E = asc.float32, asc.HardEvent
ROW = asc.DataCopyExtParams(1, 100)
"""25 floats: 28 bytes of dummies fill the fourth block."""
ROWS = asc.DataCopyExtParams(8, 20)
"""Eight rows of five floats: three dummies behind each."""
_VALUE = asc.DataCopyPadExtParams(F, is_pad=True, right_padding=7, padding_value=0)


def tile(address: int = 0, count: int = 64) -> asc.LocalTensor:
    return local(F, count, address)


def flag(event: asc.HardEvent) -> None:
    asc.set_flag(event, 0)
    asc.wait_flag(event, 0)


def found(*steps: Callable[[Any], None], row: Any = ROW, pad: Any = None) -> list[str]:
    """What is found when one row is loaded to byte 0, and ``steps`` follow with all that orders them."""

    def body(x: Any, z: Any) -> None:
        asc.data_copy_pad(tile(), x, row, pad or asc.DataCopyPadExtParams())
        for step in steps:
            asc.pipe_barrier(asc.PipeID.PIPE_ALL)
            step(z)

    x = np.arange(64, dtype=np.float32)
    program = on_gm(body, x, x.copy(), hazards="warn")
    assert {f.severity for f in program.findings} <= {asc.Severity.WARNING}
    return [f.message for f in program.findings]


def store(address: int = 0, count: int = 32) -> Callable[[Any], None]:
    return lambda z: asc.data_copy(z, tile(address), count)


def test_a_store_of_dummies_names_both_lines() -> None:
    """32 floats stored, of which 25 were loaded."""
    (message,) = found(store())

    assert "data_copy count=32" in message
    assert "stores dummies, or what came of them" in message
    assert "put 28 B of copies of its first element behind each row" in message


@pytest.mark.parametrize(
    ("step", "kind"),
    [
        (lambda z: asc.adds(tile(256), tile(), 1, 32), F),
        (lambda z: asc.add(tile(256), tile(), tile(), 32), F),
        (lambda z: asc.adds(tile(256), tile(), 1, 32, 1, asc.UnaryRepeatParams(1, 1, 8, 8)), F),
        (lambda z: asc.data_copy(tile(256), tile(), 32), F),
        (lambda z: asc.cast(local(asc.half, 32, 256), tile(), asc.RoundMode.CAST_NONE, 32), asc.half),
    ],
    ids=["count", "twice", "mask", "copy", "narrower"],
)
def test_what_comes_of_dummies_is_one(step: Callable[[Any], None], kind: asc.DataType) -> None:
    """Lane by lane: the first 16 results are data, of the second 16 seven are not."""

    def part(first: int) -> Callable[[Any], None]:
        def step(z: Any) -> None:
            out = asc.GlobalTensor()
            out.set_global_buffer(z.get_phy_addr(0))
            out.dtype = kind
            asc.data_copy(out, local(kind, 16, 256 + first * kind.sizeof()), 16)

        return step

    assert found(step, part(0)) == []
    assert len(found(step, part(16))) == 1


@pytest.mark.parametrize("name", ["reduce_sum", "whole_reduce_sum"])
def test_a_sum_of_dummies_is_no_sum_of_data(name: str) -> None:
    """Of 32 lanes, and of the 25 that are data."""

    def sum_of(count: int) -> Callable[[Any], None]:
        if name == "reduce_sum":
            return lambda z: asc.reduce_sum(tile(256), tile(), tile(512), count)
        return lambda z: asc.whole_reduce_sum(tile(256), tile(), count, 1, 1, 1, 8)

    (message,) = found(sum_of(32))
    assert f"{name} " in message
    assert "adds up dummies" in message
    assert found(sum_of(25)) == []


@pytest.mark.parametrize(
    "steps",
    [
        (lambda z: asc.data_copy_pad(z, tile(), ROW),),
        (lambda z: asc.adds(tile(256), tile(), 1, 32), lambda z: asc.data_copy_pad(z, tile(256), ROW)),
        (lambda z: asc.duplicate(tile(96), 0, 8), store()),
        (lambda z: asc.data_copy(tile(), z, 32), store()),
        (lambda z: asc.reduce_max(tile(256), tile(), tile(512), 32), store(256, 8)),
    ],
    ids=["only the data", "only what came of data", "overwritten", "loaded over", "a maximum"],
)
def test_dummies_nobody_keeps_are_nobodys_business(steps: tuple[Callable[[Any], None], ...]) -> None:
    """A maximum is none of them: they are copies of a lane it sees anyway; its second lane is its index."""
    fill = (lambda z: asc.duplicate(tile(256), 0, 64),)

    assert found(*fill, *steps) == []


def test_padding_with_a_value_is_data() -> None:
    """is_pad says what stands there."""
    assert found(store(), pad=_VALUE) == []


def test_rows_keep_their_dummies_apart() -> None:
    """Rows of 32 bytes of which 20 are data go out as they came in; whole, they do not."""

    def compute(z: Any) -> None:
        asc.adds(tile(256), tile(), 1, 64)

    assert found(compute, lambda z: asc.data_copy_pad(z, tile(256), ROWS), row=ROWS) == []
    assert len(found(compute, store(256, 64), row=ROWS)) == 1


Call = tuple[str, int, int, int, int]
"""What, the tile it writes or stores, two it reads, and how many lanes."""

TILE, LANES = st.integers(0, 2), st.integers(1, 24)
CALLS = st.builds(
    lambda lanes, calls, last: [("load", 0, 0, 0, lanes), *calls, ("store", *last)],
    LANES,
    st.lists(
        st.tuples(st.sampled_from(["load", "add", "add", "adds", "copy", "fill", "store"]), TILE, TILE, TILE, LANES),
        min_size=1,
        max_size=7,
    ),
    st.tuples(st.integers(1, 2), TILE, TILE, LANES),
)
"""Something is loaded first, and a tile that it was not loaded to is stored last."""


def _make(call: Call, x: Any, z: Any, dummy: float) -> None:
    what, t, a, b, lanes = call
    to, one, two = (tile(128 * n, 24) for n in (t, a, b))
    match what:
        case "load":
            asc.data_copy_pad(to, x, asc.DataCopyExtParams(1, 4 * lanes), asc.DataCopyPadExtParams())
            behind = to.memory.data[to.address + 4 * lanes : to.address + -(-lanes // 8) * 32]
            behind.view(np.float32)[...] = dummy
        case "add":
            asc.add(to, one, two, lanes)
        case "adds":
            asc.adds(to, one, 1, lanes, 1, asc.UnaryRepeatParams(1, 1, 8, 8))
        case "copy" if t != a:
            asc.data_copy(to, one, lanes // 8 * 8)
        case "fill":
            asc.duplicate(to, 1, lanes)
        case "store":
            asc.data_copy_pad(z, to, asc.DataCopyExtParams(1, 4 * lanes))


def _played(calls: list[Call], dummy: float) -> tuple[Any, list[str]]:
    """What is stored, each time in a place of its own, if dummies were ``dummy``; and what is found."""

    def body(x: Any, z: Any) -> None:
        asc.duplicate(tile(count=96), 0, 96)
        for number, call in enumerate(calls):
            asc.pipe_barrier(asc.PipeID.PIPE_ALL)
            _make(call, x, z[24 * number :], dummy)

    x, z = np.ones(24, np.float32), np.zeros(240, np.float32)
    program = on_gm(body, x, z, hazards="warn")
    return z, [f.kind for f in program.findings if f.kind != "rounding"]


@settings(max_examples=80)
@given(calls=CALLS)
def test_found_is_what_makes_a_difference(calls: list[Call]) -> None:
    """Dummies of one value and of another: what is stored differs exactly if something is found."""
    one, found_then = _played(calls, 1000)
    other, found_now = _played(calls, 2000)

    assert found_then == found_now
    assert bool(found_now) == (not np.array_equal(one, other))
    assert set(found_now) <= {"padding"}
