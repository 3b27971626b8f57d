"""Queues: the round of a buffer, and every call out of turn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from ascendc.language.program import Kind
from tests.block import on_gm
from tests.refusals import refused

VECIN, VECOUT, VECCALC, GM = asc.TPosition.VECIN, asc.TPosition.VECOUT, asc.TPosition.VECCALC, asc.TPosition.GM
H = asc.half
HERE = "test_queue.py"


def one_block(body: Any, **options: Any) -> asc.Program:
    """Launch ``body`` in one block of the demo chip, without the hazard pass."""
    return asc.kernel(body).launch(1, **{"chip": "demo", "hazards": "off", **options})


def queue(num: int = 1, depth: int = 1, nbytes: int = 256, pos: asc.TPosition = VECIN) -> asc.TQue:
    """A queue with its memory, of a TPipe that is made if there is none."""
    try:
        pipe = asc.get_tpipe_ptr()
    except asc.UsageError:
        pipe = asc.TPipe()
    made = asc.TQue(pos, depth)
    pipe.init_buffer(made, num, nbytes)
    return made


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


def calls_out_of_turn() -> list[Any]:
    """(body, offending call, text behind the queue's label); lines count from the body's first."""

    def never_initialised() -> None:
        q = asc.TQue(VECIN, 1)
        q.alloc_tensor(H)

    def full() -> None:
        q = queue(num=2)
        q.enque(q.alloc_tensor(H))
        q.enque(q.alloc_tensor(H))

    def twice_enqueued() -> None:
        q = queue(depth=2)
        t = q.alloc_tensor(H)
        q.enque(t)
        q.enque(t)

    def enqueued_when_free() -> None:
        q = queue()
        t = q.alloc_tensor(H)
        q.free_tensor(t)
        q.enque(t)

    def nothing_at_all() -> None:
        q = queue()
        q.deque(H)

    def twice_dequeued() -> None:
        q = queue()
        q.enque(q.alloc_tensor(H))
        q.deque(H)
        q.deque(H)

    def twice_freed() -> None:
        q = queue()
        t = q.alloc_tensor(H)
        q.free_tensor(t)
        q.free_tensor(t)

    def freed_while_enqueued() -> None:
        q = queue()
        t = q.alloc_tensor(H)
        q.enque(t)
        q.free_tensor(t)

    def freed_through_a_stale_tensor() -> None:
        q = queue()
        t = q.alloc_tensor(H)
        q.free_tensor(t)
        q.alloc_tensor(H)
        q.free_tensor(t)

    def enqueued_through_a_stale_tensor() -> None:
        q = queue()
        t = q.alloc_tensor(H)
        q.free_tensor(t)
        q.alloc_tensor(H)
        q.enque(t)

    def not_of_a_queue() -> None:
        q = queue()
        t = asc.LocalTensor(H, VECIN, 0, 16)
        q.enque(t)

    def asked_at_depth_zero() -> None:
        q = queue(depth=0)
        q.has_idle_buffer()

    label = "on queue q (VECIN, num 1, depth 1): "
    return [
        (
            never_initialised,
            "alloc_tensor on queue q (VECIN, num 0, depth 1): it has no buffers yet; call pipe.init_buffer(queue, num, "
            "len) first",
        ),
        (
            full,
            "enque on queue q (VECIN, num 2, depth 1): 1 tensors are enqueued, as many as its depth; held: "
            f"{HERE}:{{2}} (enqueued), {HERE}:{{3}} (allocated, not enqueued); deque one first, or make the queue "
            "deeper",
        ),
        (
            twice_enqueued,
            "enque on queue q (VECIN, num 1, depth 2): the tensor cannot be enqueued: it is in its queue; deque it "
            "first",
        ),
        (enqueued_when_free, f"enque {label}the tensor cannot be enqueued: it was freed at {HERE}:{{3}}"),
        (nothing_at_all, f"deque {label}it is empty (nothing is allocated); enque comes first"),
        (twice_dequeued, f"deque {label}it is empty (nothing is allocated); enque comes first"),
        (twice_freed, f"free_tensor {label}the tensor cannot be freed: it was freed at {HERE}:{{3}}"),
        (
            freed_while_enqueued,
            f"free_tensor {label}the tensor cannot be freed: it is in its queue; deque it first",
        ),
        (
            freed_through_a_stale_tensor,
            f"free_tensor {label}the tensor cannot be freed: it was freed at {HERE}:{{3}}",
        ),
        (enqueued_through_a_stale_tensor, f"enque {label}the tensor cannot be enqueued: it was freed at {HERE}:{{3}}"),
        (not_of_a_queue, f"enque {label}the tensor t is not one of its own; it belongs to no queue"),
        (
            asked_at_depth_zero,
            "has_idle_buffer on queue q (VECIN, num 1, depth 0): a queue of depth 0 cannot be asked",
        ),
    ]


@pytest.mark.parametrize(("body", "text"), calls_out_of_turn(), ids=lambda v: getattr(v, "__name__", ""))
def test_calls_out_of_turn(body: Any, text: str) -> None:
    """The whole text: the call, the queue, what is wrong and what to do."""
    first = body.__code__.co_firstlineno
    with pytest.raises(asc.QueueStateError) as caught:
        one_block(body)

    assert str(caught.value).split("\n  at ")[0] == text.format(*range(first, first + 9))
    with refused(asc.QueueStateError, ""):
        one_block(body)


class TestTensorsOutOfTurn:
    """A tensor can only be used by who holds it."""

    @pytest.mark.parametrize("moment", ["enqueued", "freed", "closed"])
    def test_use_outside_its_turn(self, moment: str) -> None:
        """In its queue, after its free, after its TPipe."""

        def body() -> None:
            q = queue()
            t = q.alloc_tensor(H)
            asc.duplicate(t, 1, 16)
            if moment == "enqueued":
                q.enque(t)
            elif moment == "freed":
                q.free_tensor(t)
            else:
                asc.get_tpipe_ptr().destroy()
            asc.adds(t, t, 1, 16)

        first = body.__code__.co_firstlineno
        why = {
            "enqueued": "it is in its queue; deque it first",
            "freed": f"it was freed at {HERE}:{first + 7}",
            "closed": "its TPipe was reset",
        }[moment]
        with refused(
            asc.QueueStateError, f"dst of adds (tensor t) cannot be used: {why}; it was taken at {HERE}:{first + 2}"
        ):
            one_block(body)

    def test_a_window_knows_its_buffer(self) -> None:
        """``t[16:]`` cannot be used when t cannot, and may stand for it in free_tensor."""

        def body() -> None:
            q = queue()
            window = q.alloc_tensor(H)[16:]
            q.free_tensor(window)
            asc.duplicate(window, 1, 16)

        with refused(asc.QueueStateError, "dst of duplicate (tensor window) cannot be used: it was freed at"):
            one_block(body)


class TestMaking:
    """What a queue can be."""

    @pytest.mark.parametrize("depth", [-1, 1.0, True, "1"])
    def test_depth_is_a_whole_number(self, depth: Any) -> None:
        """0 or more."""
        with refused(asc.UsageError, f"TQue: depth must be a whole number, 0 or more, got {depth!r}"):
            one_block(lambda: asc.TQue(VECIN, depth))

    @pytest.mark.parametrize("pos", [VECCALC, GM, 9])
    def test_positions_without_a_queue(self, pos: Any) -> None:
        """The message lists those with one."""
        name = getattr(pos, "name", pos)
        with refused(asc.PositionError, f"TQue: {name} is no queue position; there are: VECIN, VECOUT, A1"):
            one_block(lambda: asc.TQue(pos, 1))

    def test_directions_without_a_queue(self) -> None:
        """From global memory to global memory."""
        with refused(asc.PositionError, "TQueBind: there is no queue from GM to GM"):
            one_block(lambda: asc.TQueBind(GM, GM, 1))

    def test_a_queue_of_a_cube_core(self) -> None:
        """A vector core has no A1."""
        with refused(asc.PositionError, "A1 is no position of an aiv core"):
            one_block(lambda: asc.TQue(asc.TPosition.A1, 1))
