"""Queues: the round of a buffer, and the rows it leaves."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from ascendc.language.program import Kind
from tests.block import on_gm, one_block, queue
from tests.refusals import refused

VECIN, VECOUT, VECCALC, GM = asc.TPosition.VECIN, asc.TPosition.VECOUT, asc.TPosition.VECCALC, asc.TPosition.GM
H = asc.half
HERE = "test_queue.py"


def rows(program: asc.Program) -> list[str]:
    """What each row is: the call, and the flag it sets or awaits."""
    out = []
    for row in program.blocks[0]:
        event = row.template.event
        what = {Kind.SET: " sets ", Kind.WAIT: " awaits "}.get(row.template.kind, "")
        out.append(row.template.op.name + (f"{what}{event[0].name} {event[1]}" if event else ""))
    return out


class TestRound:
    """Allocated, enqueued, dequeued, freed, and again."""

    def test_the_rows_of_two_rounds(self) -> None:
        """The first allocation waits for nothing; later ones wait for the flag of the last reader."""

        def body() -> None:
            q = queue()
            for _ in range(2):
                q.enque(q.alloc_tensor(H))
                q.free_tensor(q.deque(H))

        assert rows(one_block(body)) == [
            "alloc_tensor",
            "enque sets MTE2_V 0",
            "deque awaits MTE2_V 0",
            "free_tensor sets V_MTE2 0",
            "alloc_tensor awaits V_MTE2 0",
            "enque sets MTE2_V 0",
            "deque awaits MTE2_V 0",
            "free_tensor sets V_MTE2 0",
        ]

    def test_buffers_take_turns(self) -> None:
        """Ring order, first in first out, ids lowest first."""
        seen: list[int] = []

        def body() -> None:
            q = queue(num=3, depth=3)
            for _ in range(2):
                for _ in range(3):
                    q.enque(q.alloc_tensor(H))
                for _ in range(3):
                    t = q.deque(H)
                    seen.append(t.get_phy_addr())
                    q.free_tensor(t)

        program = one_block(body)

        assert seen == [0, 256, 512] * 2
        assert [r for r in rows(program) if r.startswith("enque")] == [f"enque sets MTE2_V {i}" for i in range(3)] * 2

    @pytest.mark.parametrize(
        ("make", "filled", "freed", "position"),
        [
            (lambda: asc.TQue(VECIN, 1), "MTE2_V", "V_MTE2", VECIN),
            (lambda: asc.TQue(VECOUT, 1), "V_MTE3", "MTE3_V", VECOUT),
            (lambda: asc.TQueBind(GM, VECIN, 1), "MTE2_V", "V_MTE2", VECIN),
            (lambda: asc.TQueBind(VECOUT, GM, 1), "V_MTE3", "MTE3_V", VECOUT),
            (lambda: asc.TQueBind(VECIN, VECOUT, 1), "MTE2_MTE3", "MTE3_MTE2", VECIN),
        ],
    )
    def test_directions(self, make: Any, filled: str, freed: str, position: asc.TPosition) -> None:
        """Where a queue comes from and goes to decides its flags."""
        seen: list[asc.TPosition] = []

        def body() -> None:
            q, pipe = make(), asc.TPipe()
            pipe.init_buffer(q, 1, 256)
            t = q.alloc_tensor(H)
            seen.append(t.get_position())
            q.enque(t)
            q.free_tensor(q.deque(H))

        program = one_block(body)

        assert rows(program)[1:] == [
            f"enque sets {filled} 0",
            f"deque awaits {filled} 0",
            f"free_tensor sets {freed} 0",
        ]
        assert seen == [position]

    def test_an_unread_tensor_may_be_freed_and_a_read_one_enqueued_again(self) -> None:
        """alloc, free; alloc, enque, deque, enque, deque, free."""

        def body() -> None:
            q = queue()
            q.free_tensor(q.alloc_tensor(H))
            q.enque(q.alloc_tensor(H))
            q.enque(q.deque(H))
            q.free_tensor(q.deque(H))

        assert len(one_block(body)) == 8

    def test_enque_says_yes(self) -> None:
        """It takes the user's positions, too, and ignores them."""
        said: list[bool] = []

        def body() -> None:
            q = queue()
            said.append(q.enque(q.alloc_tensor(H), GM, VECIN))
            q.free_tensor(q.deque(H))

        one_block(body)

        assert said == [True]

    def test_depth_zero_is_in_place(self) -> None:
        """alloc_tensor and deque fill in a tensor made before; queries are refused."""
        x, y = np.arange(16).astype(np.float16), np.zeros(16, np.float16)

        def body(x: Any, y: Any) -> None:
            q, pipe = asc.TQueBind(VECIN, VECOUT, 0), asc.TPipe()
            pipe.init_buffer(q, 1, 32)
            t = asc.LocalTensor(H)
            q.alloc_tensor(t)
            asc.data_copy(t, x, 16)
            q.enque(t)
            u = asc.LocalTensor(H)
            q.deque(u)
            asc.data_copy(y, u, 16)
            q.free_tensor(u)

        on_gm(body, x, y, hazards="error")

        assert np.array_equal(x, y)

    def test_content_is_random_again_in_every_round(self) -> None:
        """What the last round left is gone."""

        def body() -> None:
            q = queue()
            t = q.alloc_tensor(H)
            asc.duplicate(t, 1, 16)
            q.free_tensor(t)
            t = q.alloc_tensor(H)
            asc.adds(t, t, 1, 16)

        with refused(asc.UninitializedError, "src of adds (tensor t): reads elements [0, 16)"):
            one_block(body)

    def test_free_all_event_waits_for_the_last_readers(self) -> None:
        """Nothing for buffers that nobody has read."""

        def body() -> None:
            q = queue(num=2)
            q.free_tensor(q.alloc_tensor(H))
            q.free_all_event()
            q.free_all_event()

        assert rows(one_block(body))[2:] == ["free_all_event awaits V_MTE2 0"]

    def test_more_buffers_than_event_ids(self) -> None:
        """A ninth pending flag of a direction has no id; the message lists who holds the others."""

        def body() -> None:
            first, second = queue(num=8, nbytes=32), queue(num=1, nbytes=32)
            for _ in range(8):
                first.free_tensor(first.alloc_tensor(H))
            second.free_tensor(second.alloc_tensor(H))

        with refused(asc.EventError, "V_MTE2: all 8 event ids are taken", f"7 ({HERE}:"):
            one_block(body)


CALLS = st.lists(st.sampled_from(["alloc", "enque", "deque", "free"]), max_size=40)


@given(num=st.integers(1, 3), depth=st.integers(1, 3), calls=CALLS, pick=st.randoms(use_true_random=False))
@settings(max_examples=300)
def test_any_order_of_calls_is_right_or_refused(num: int, depth: int, calls: list[str], pick: Random) -> None:
    """A model of a ring: the same buffers in the same order, or an error at the first call out of turn."""
    free, held, filled = set(range(num)), dict[int, asc.LocalTensor](), list[int]()
    done = turn = 0

    def receive(tensor: asc.LocalTensor, wanted: int) -> None:
        assert tensor.get_phy_addr() == 32 * wanted
        held[wanted] = tensor

    def body() -> None:
        nonlocal done, turn
        q = queue(num, depth, 32)
        for call in calls:
            if call == "alloc":
                receive(q.alloc_tensor(H), turn)
                free.remove(turn)
                turn = (turn + 1) % num
            elif call == "deque":
                receive(q.deque(H), filled.pop(0) if filled else -1)
            elif held:
                buffer = pick.choice(sorted(held))
                (q.enque if call == "enque" else q.free_tensor)(held.pop(buffer))
                filled.append(buffer) if call == "enque" else free.add(buffer)
            done += 1

    try:
        one_block(body)
    except asc.QueueStateError:
        out_of_turn = {"alloc": turn not in free, "deque": not filled, "enque": len(filled) >= depth, "free": False}

        assert out_of_turn[calls[done]]
    else:
        assert len(filled) <= depth
        assert sorted([*free, *held, *filled]) == list(range(num))
