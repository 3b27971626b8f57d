"""Queues, buffers and pipes: one kernel for each mistake, as short as it can be.

The docstring is the whole text of the error, behind its class; ``@-2`` is the second line above the last one, which
is the line that is refused.
"""

from __future__ import annotations

import ascendc as asc
from tests.block import queue
from tests.guards.mistakes import mistakes

H, F, P = asc.half, asc.float32, asc.TPosition


def alloc_with_nothing_free() -> None:
    """QueueStateError: alloc_tensor on queue q (VECIN, num 1, depth 1): no buffer is free, this would wait
    forever on the chip (deadlock); held: @-1 (allocated, not enqueued); free_tensor one first, or raise num in
    init_buffer
    """
    q = queue(num=1)
    q.alloc_tensor(H)
    q.alloc_tensor(H)


def alloc_with_one_enqueued_and_one_in_use() -> None:
    """QueueStateError: alloc_tensor on queue q (VECIN, num 2, depth 1): no buffer is free, this would wait
    forever on the chip (deadlock); held: @-2 (enqueued), @-1 (allocated, not enqueued); free_tensor one first,
    or raise num in init_buffer
    """
    q = queue(num=2)
    q.enque(q.alloc_tensor(H))
    q.alloc_tensor(H)
    q.alloc_tensor(H)


def deque_of_a_queue_nobody_filled() -> None:
    """QueueStateError: deque on queue q (VECIN, num 1, depth 1): it is empty (1 allocated but not enqueued, at
    @-1); enque comes first
    """
    q = queue(num=1)
    q.alloc_tensor(H)
    q.deque(H)


def enque_into_another_queue() -> None:
    """QueueStateError: enque on queue other (VECOUT, num 1, depth 1): the tensor t is not one of its own; it
    belongs to queue q (VECIN, num 1, depth 1)
    """
    q, other = queue(), queue(pos=P.VECOUT)
    t = q.alloc_tensor(H)
    other.enque(t)


def free_into_another_queue() -> None:
    """QueueStateError: free_tensor on queue other (VECOUT, num 1, depth 1): the tensor t is not one of its own;
    it belongs to queue q (VECIN, num 1, depth 1)
    """
    q, other = queue(), queue(pos=P.VECOUT)
    t = q.alloc_tensor(H)
    other.free_tensor(t)


def a_ninth_tensor_of_a_position() -> None:
    """CapacityError: alloc_tensor on queue q (VECIN, num 9, depth 1): 8 tensors of VECIN are allocated, 8 at
    once is the limit; held: 8 × @0 (allocated, not enqueued); free one first
    """
    q = queue(num=9)
    for _ in range(9):
        q.alloc_tensor(H)


def a_65th_buffer() -> None:
    """CapacityError: init_buffer: 65 buffers in all, 64 is the limit of a TPipe; use fewer, or reset()"""
    pipe, q = asc.TPipe(), asc.TQue(P.VECIN, 1)
    pipe.init_buffer(q, 64, 32)
    pipe.init_buffer(asc.TBuf(), 32)


def more_than_ub_has() -> None:
    """CapacityError: init_buffer: UB overflow: requested 211072 B, capacity 196608 B on demo: qx 2×65536 →
    131072, qy 2×40000 → 80000; use shorter or fewer buffers
    """
    pipe, qx, qy = asc.TPipe(), asc.TQue(P.VECIN, 1), asc.TQue(P.VECIN, 1)
    pipe.init_buffer(qx, 2, 65_536)
    pipe.init_buffer(qy, 2, 40_000)


def memory_twice() -> None:
    """QueueStateError: init_buffer: q has its memory already; take it back with reset() on its TPipe or pool before
    giving it another
    """
    q = queue()
    asc.get_tpipe_ptr().init_buffer(q, 1, 64)


def no_buffers() -> None:
    """RangeError: init_buffer: num must be a positive whole number, got 0"""
    asc.TPipe().init_buffer(asc.TQue(P.VECIN, 1), 0, 64)


def memory_for_something_else() -> None:
    """UsageError: init_buffer: que must be a TQue, a TQueBind or a TBuf, got 'q'"""
    asc.TPipe().init_buffer("q", 1, 64)


def a_second_pipe() -> None:
    """QueueStateError: TPipe: this kernel has one already, and both would start at address 0; call destroy() on
    the first before making a second
    """
    asc.TPipe()
    asc.TPipe()


def no_pipe() -> None:
    """UsageError: get_tpipe_ptr: this kernel has made no TPipe; pipe = asc.TPipe() comes first"""
    asc.get_tpipe_ptr()


def vacancy_asked_at_depth_0() -> None:
    """QueueStateError: vacant_in_que on queue q (VECIN, num 1, depth 0): a queue of depth 0 cannot be asked; make it
    with depth 1 or more
    """
    q = queue(depth=0)
    q.vacant_in_que()


def content_asked_at_depth_0() -> None:
    """QueueStateError: has_tensor_in_que on queue q (VECIN, num 1, depth 0): a queue of depth 0 cannot be asked;
    make it with depth 1 or more
    """
    q = queue(depth=0)
    q.has_tensor_in_que()


def count_asked_at_depth_0() -> None:
    """QueueStateError: get_tensor_count_in_que on queue q (VECIN, num 1, depth 0): a queue of depth 0 cannot be
    asked; make it with depth 1 or more
    """
    q = queue(depth=0)
    q.get_tensor_count_in_que()


def scratch_without_memory() -> None:
    """QueueStateError: get on TBuf buf: it has no memory yet; call pipe.init_buffer(buf, len) first"""
    buf = asc.TBuf()
    buf.get(F)


def scratch_too_short() -> None:
    """OutOfBoundsError: get on TBuf buf: 65 x float32 from byte 0 needs 260 B, it has 256 B"""
    pipe, buf = asc.TPipe(), asc.TBuf()
    pipe.init_buffer(buf, 256)
    buf.get(F, 65)


def scratch_off_its_block() -> None:
    """AlignmentError: get_with_offset on TBuf buf: buf_offset 20 is not a multiple of 32 bytes"""
    pipe, buf = asc.TPipe(), asc.TBuf()
    pipe.init_buffer(buf, 256)
    buf.get_with_offset(8, 20, F)


MISTAKES = mistakes(globals())
