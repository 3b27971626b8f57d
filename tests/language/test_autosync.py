"""Automatic order: exactly which barriers and flags are inserted, and where."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from ascendc.language.hazards import hazards
from simulator import simulate
from tests.block import local, on_gm, on_ub, program_of

F32 = np.float32
TILE = 64


def inserted(program: asc.Program) -> list[str]:
    """Every row of the only block: names, inserted ones in brackets."""
    rows = [row.template for row in program.blocks[0]]
    labels = [r.label.split(" count")[0].split(" mask")[0] for r in rows]
    return [f"({label} {r.pipe.short})" if r.auto else label for label, r in zip(labels, rows, strict=True)]


def vector(body: Any, **options: Any) -> list[str]:
    """Rows of a body over four written tensors of 64 floats: a, b, c, d."""
    return inserted(program_of(body, *[np.ones(TILE, F32)] * 4, **options))


class TestVector:
    """Between vector instructions: a barrier where operands meet and one of them is written."""

    @pytest.mark.parametrize(
        ("body", "wanted"),
        [
            (lambda a, b, c, d: (asc.adds(b, a, 1, 64), asc.adds(c, b, 1, 64)), "raw"),
            (lambda a, b, c, d: (asc.adds(b, a, 1, 64), asc.adds(a, c, 1, 64)), "war"),
            (lambda a, b, c, d: (asc.adds(b, a, 1, 64), asc.adds(b, c, 1, 64)), "waw"),
            (lambda a, b, c, d: (asc.adds(b, a, 1, 64), asc.adds(d, c, 1, 64)), ""),
            (lambda a, b, c, d: (asc.adds(b, a, 1, 64), asc.adds(c, a, 1, 64)), ""),
            (lambda a, b, c, d: (asc.adds(a, a, 1, 64), asc.adds(b, b, 1, 64)), ""),
            (lambda a, b, c, d: (asc.adds(b, a, 1, 8), asc.adds(c, b[8:], 1, 8)), ""),
            (lambda a, b, c, d: (asc.adds(b, a, 1, 9), asc.adds(c, b[8:], 1, 8)), "raw"),
            (lambda a, b, c, d: (asc.axpy(b, a, 1, 64), asc.adds(b, c, 1, 64)), "both"),
            (lambda a, b, c, d: (asc.duplicate(b, 1, 64), asc.axpy(b, a, 1, 64)), "raw of dst"),
        ],
    )
    def test_a_barrier_where_operands_meet(self, body: Any, wanted: str) -> None:
        """After a write: reads and writes; after a read: writes. Neighbouring blocks of 32 bytes are apart."""
        names = [name for name in vector(body) if not name.startswith("(")]

        assert vector(body) == ([names[0], "(pipe_barrier V)", names[1]] if wanted else names)

    def test_one_barrier_serves_all_before_it(self) -> None:
        """Three writes, then three reads."""

        def body(a: Any, b: Any, c: Any, d: Any) -> None:
            for t in (a, b, c):
                asc.duplicate(t, 1, 64)
            for t in (a, b, c):
                asc.adds(d, t, 1, 64)

        assert vector(body) == [
            *["duplicate"] * 3,
            *["(pipe_barrier V)", "adds"],
            *["(pipe_barrier V)", "adds"],
            *["(pipe_barrier V)", "adds"],
        ]

    @pytest.mark.parametrize("pipe", [asc.PipeID.PIPE_V, asc.PipeID.PIPE_ALL, asc.PipeID.PIPE_MTE2])
    def test_the_authors_own_barrier_is_enough(self, pipe: asc.PipeID) -> None:
        """One of another pipe is not."""

        def body(a: Any, b: Any, c: Any, d: Any) -> None:
            asc.adds(b, a, 1, 64)
            asc.pipe_barrier(pipe)
            asc.adds(c, b, 1, 64)

        assert vector(body).count("(pipe_barrier V)") == (pipe is asc.PipeID.PIPE_MTE2)

    def test_masked_lanes_count_exactly(self) -> None:
        """Even blocks and odd blocks of one tensor are apart."""
        even, odd = asc.UnaryRepeatParams(2, 2, 16, 16), asc.UnaryRepeatParams(2, 2, 16, 16)

        def body(a: Any, b: Any, c: Any, d: Any) -> None:
            asc.adds(b, a, 1, 32, 1, even)
            asc.adds(b[8:], a[8:], 1, 32, 1, odd)
            asc.adds(c, b, 1, 32, 1, even)

        assert vector(body) == ["adds", "adds", "(pipe_barrier V)", "adds"]

    def test_off_is_off(self) -> None:
        """``auto_sync=False`` inserts nothing."""
        body: Any = lambda a, b, c, d: (asc.adds(b, a, 1, 64), asc.adds(c, b, 1, 64), b.set_value(0, 1))  # noqa: E731

        assert vector(body, auto_sync=False) == ["adds", "adds", "set_value"]


class TestScalar:
    """Around scalar accesses of local memory: flags to and from the pipes that touch the same bytes."""

    def test_a_read_waits_for_the_vector_unit(self) -> None:
        """V_S before it, if the vector unit wrote the element; nothing for one it only read."""
        assert vector(lambda a, b, c, d: (asc.adds(b, a, 1, 64), b.get_value(3))) == [
            *["adds", "(set_flag V_S 8 V)", "(wait_flag V_S 8 S)", "get_value"]
        ]
        assert vector(lambda a, b, c, d: (asc.adds(b, a, 1, 64), a.get_value(3))) == ["adds", "get_value"]
        assert vector(lambda a, b, c, d: (asc.adds(b, a, 1, 32), b.get_value(40))) == ["adds", "get_value"]

    def test_a_write_waits_for_readers_and_the_vector_unit_for_it(self) -> None:
        """V_S before it, S_V behind it, once."""

        def body(a: Any, b: Any, c: Any, d: Any) -> None:
            asc.adds(b, a, 1, 64)
            a.set_value(3, 5)
            asc.adds(c, a, 1, 64)
            asc.adds(d, a, 1, 64)

        assert vector(body) == [
            *["adds", "(set_flag V_S 8 V)", "(wait_flag V_S 8 S)", "set_value"],
            *["(set_flag S_V 8 S)", "(wait_flag S_V 8 V)", "adds", "adds"],
        ]

    def test_a_second_access_of_what_was_waited_for_costs_nothing(self) -> None:
        """Two reads of one tensor."""
        assert vector(lambda a, b, c, d: (asc.adds(b, a, 1, 64), b.get_value(3), b.get_value(4))) == [
            *["adds", "(set_flag V_S 8 V)", "(wait_flag V_S 8 S)", "get_value", "get_value"]
        ]

    def test_transfers(self) -> None:
        """MTE2_S before a read of what was loaded, S_MTE3 before a store of what was written."""

        def body(x: Any) -> None:
            u = local(asc.float32, 16)
            asc.data_copy(u, x, 16)
            u.set_value(0, u.get_value(1) + 1)
            asc.data_copy(x, u, 16)

        x = np.arange(16, dtype=F32)
        rows = inserted(on_gm(body, x))

        assert rows == [
            *["data_copy", "(set_flag MTE2_S 8 MTE2)", "(wait_flag MTE2_S 8 S)", "get_value", "set_value"],
            *["(set_flag S_MTE3 8 S)", "(wait_flag S_MTE3 8 MTE3)", "data_copy"],
        ]
        assert x[0] == 2

    def test_a_store_is_waited_for_before_its_source_is_overwritten(self) -> None:
        """MTE3_S; and S_MTE2 before a load over what the scalar unit wrote."""

        def body(x: Any, y: Any) -> None:
            u = local(asc.float32, 16)
            asc.duplicate(u, 1, 16)
            asc.data_copy(x, u, 16)
            u.set_value(0, 5)
            asc.data_copy(u, y, 16)

        assert inserted(on_gm(body, *[np.zeros(16, F32)] * 2))[2:] == [
            *["(set_flag V_S 8 V)", "(wait_flag V_S 8 S)", "(set_flag MTE3_S 8 MTE3)", "(wait_flag MTE3_S 8 S)"],
            *["set_value", "(set_flag S_MTE2 8 S)", "(wait_flag S_MTE2 8 MTE2)", "data_copy"],
        ]


def test_each_pipe_is_told_of_scalar_writes_once() -> None:
    """One S_V for both elements at the first instruction that meets one; the store is told for itself."""

    def body(x: Any) -> None:
        u = local(asc.float32, 64)
        u.set_value(0, 1)
        u.set_value(16, 2)
        asc.duplicate(u, 0, 8)
        asc.data_copy(u[16:], x, 8)
        asc.duplicate(u[16:], 0, 8)
        asc.data_copy(x, u[16:], 8)
        asc.data_copy(x, u, 8)

    assert inserted(on_gm(body, np.zeros(8, F32))) == [
        *["set_value", "set_value", "(set_flag S_V 8 S)", "(wait_flag S_V 8 V)", "duplicate"],
        *["(set_flag S_MTE2 8 S)", "(wait_flag S_MTE2 8 MTE2)", "data_copy", "duplicate"],
        *["(set_flag S_MTE3 8 S)", "(wait_flag S_MTE3 8 MTE3)", "data_copy", "data_copy"],
    ]


def test_scalar_loops_cost_the_same_in_every_round() -> None:
    """Each row is looked at once: twice the rounds are twice the work, counted in calls."""

    def calls(rounds: int) -> int:
        count = 0

        def one_more(*_: object) -> None:
            nonlocal count
            count += 1

        def body(a: Any) -> None:
            sys.setprofile(one_more)
            for i in range(rounds):
                a.set_value(i % 64, a.get_value(i % 64))
            sys.setprofile(None)

        on_ub(body, np.zeros(64, F32))
        return count

    assert calls(400) <= 2.05 * calls(200)


def test_transfers_and_the_vector_unit_are_the_authors_work() -> None:
    """Nothing between MTE2, V and MTE3."""

    def body(x: Any) -> None:
        u = local(asc.float32, 16)
        asc.data_copy(u, x, 16)
        asc.adds(u, u, 1, 16)
        asc.data_copy(x, u, 16)

    assert inserted(on_gm(body, np.zeros(16, F32))) == ["data_copy", "adds", "data_copy"]


STEP = st.tuples(
    st.sampled_from(["adds", "strided", "get", "set", "dup", "copy"]), st.integers(0, 5), st.integers(0, 5)
)


@given(steps=st.lists(STEP, max_size=12))
@settings(max_examples=60)
def test_vector_and_scalar_accesses_are_always_in_order(steps: list[tuple[str, int, int]]) -> None:
    """Whatever a kernel does with one small region, the hazard pass finds nothing left to order."""
    params = asc.UnaryRepeatParams(2, 2, 8, 8)

    def body() -> None:
        whole = local(asc.float32, 8 * 16)
        asc.duplicate(whole, 1, 8 * 16)
        for what, to, of in steps:
            dst, src = whole[8 * to :], whole[8 * of :]
            if what == "dup":
                asc.duplicate(dst, 2, 11)
            elif what == "get":
                src.get_value(3)
            elif what == "set":
                dst.set_value(3, 1)
            elif to == of or abs(to - of) > 3:
                if what == "adds":
                    asc.adds(dst, src, 1, 20)
                elif what == "strided":
                    asc.adds(dst, src, 1, 16, 1, params)
                else:
                    asc.data_copy(dst, src, 16)

    asc.kernel(body).launch(1, chip="demo", hazards="error")


@pytest.mark.parametrize("event_id", range(8))
def test_inserted_flags_never_meet_the_authors(event_id: int, tmp_path: Path) -> None:
    """The read waits by a flag of its own while the author's is set; also in a program from a file."""

    def body() -> None:
        u = local(asc.float32, 8)
        asc.duplicate(u, 1, 8)
        asc.set_flag(asc.HardEvent.V_S, event_id)
        asc.duplicate(u, 2, 8)
        u.get_value(0)
        asc.wait_flag(asc.HardEvent.V_S, event_id)

    program = asc.kernel(body).launch(1, chip="demo", hazards="error")
    program.save(tmp_path / "program.npz")
    loaded = asc.Program.load(tmp_path / "program.npz")

    assert list(hazards(loaded)) == []
    assert simulate(loaded).cycles == simulate(program).cycles
