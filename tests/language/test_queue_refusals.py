"""Queues: every call out of turn, and queues that cannot be."""

from __future__ import annotations

from typing import Any

import pytest

import ascendc as asc
from tests.block import one_block, queue
from tests.refusals import refused

VECIN, VECOUT, VECCALC, GM = asc.TPosition.VECIN, asc.TPosition.VECOUT, asc.TPosition.VECCALC, asc.TPosition.GM
H = asc.half
HERE = "test_queue_refusals.py"


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

    def out_of_its_turn() -> None:
        q = queue(num=2)
        q.alloc_tensor(H)
        q.free_tensor(q.alloc_tensor(H))
        q.alloc_tensor(H)

    label = "on queue q (VECIN, num 1, depth 1): "
    return [
        (
            never_initialised,
            "alloc_tensor on queue q (VECIN, num 0, depth 1): it has no buffers yet; call pipe.init_buffer(queue, num, "
            "len) first",
        ),
        (
            out_of_its_turn,
            "alloc_tensor on queue q (VECIN, num 2, depth 1): buffers go round, and the next is not free, this would "
            f"wait forever on the chip (deadlock); held: {HERE}:{{2}} (allocated, not enqueued); free_tensor that one "
            "first: tensors are freed in the order they were taken",
        ),
        (
            full,
            "enque on queue q (VECIN, num 2, depth 1): as many tensors are enqueued as its depth allows; held: "
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
            "has_idle_buffer on queue q (VECIN, num 1, depth 0): a queue of depth 0 cannot be asked; "
            "make it with depth 1 or more",
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
            "closed": "its TPipe or pool was reset",
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

    @pytest.mark.parametrize("pos", [VECCALC, GM])
    def test_positions_without_a_queue(self, pos: Any) -> None:
        """The message lists those with one."""
        with refused(asc.PositionError, f"TQue: {pos.name} is no queue position; there are: VECIN, VECOUT, A1"):
            one_block(lambda: asc.TQue(pos, 1))

    def test_a_queue_of_a_cube_core(self) -> None:
        """A vector core has no A1."""
        with refused(asc.PositionError, "A1 is no position of an aiv core"):
            one_block(lambda: asc.TQue(asc.TPosition.A1, 1))
