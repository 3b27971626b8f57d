"""Pools, queues and memory without queues: one kernel for each mistake, as short as it can be.

The docstring is the whole text of the error, behind its class; ``@-2`` is the second line above the last one, which
is the line that is refused.
"""

from __future__ import annotations

import ascendc as asc
from tests.block import queue
from tests.guards.mistakes import mistakes

H, F, P = asc.half, asc.float32, asc.TPosition


def pool_of(nbytes: int = 4096, ids: int = 2) -> asc.TBufPool:
    """A pool with its memory."""
    made = asc.TBufPool(P.VECCALC, ids)
    asc.TPipe().init_buf_pool(made, nbytes)
    return made


def a_pool_with_memory_twice() -> None:
    """QueueStateError: init_buf_pool: pool has its memory already; take it back with reset() on its TPipe or pool
    before giving it another
    """
    pool = pool_of()
    asc.get_tpipe_ptr().init_buf_pool(pool, 64)


def more_than_the_pool_it_shares() -> None:
    """CapacityError: init_buf_pool: other asks for 5024 B of pool, which has 4096 B; give the larger pool its memory
    first
    """
    pool, other = pool_of(), asc.TBufPool()
    asc.get_tpipe_ptr().init_buf_pool(other, 5000, pool)


def more_buffers_than_the_pool_has_ids() -> None:
    """CapacityError: init_buffer: 3 buffers in pool, which has ids for 2; raise buf_id_size"""
    pool, q = pool_of(), asc.TQue(P.VECIN, 1)
    pool.init_buffer(q, 3, 32)


def a_pool_without_memory() -> None:
    """QueueStateError: init_buffer: pool has no memory yet; call pipe.init_buf_pool(pool, len) first"""
    pool = asc.TBufPool()
    pool.init_buffer(asc.TBuf(), 32)


def sharing_a_pool_without_memory() -> None:
    """QueueStateError: init_buf_pool: pool has no memory yet; call pipe.init_buf_pool(pool, len) first"""
    pipe, pool = asc.TPipe(), asc.TBufPool()
    pipe.init_buf_pool(asc.TBufPool(), 64, pool)


def more_than_the_pool_has_left() -> None:
    """CapacityError: init_buffer: pool overflow: 1024 + 4000 B, it has 4096 B; make it larger, or reset it first"""
    pool, first, second = pool_of(), asc.TBuf(), asc.TBuf()
    pool.init_buffer(first, 1000)
    pool.init_buffer(second, 4000)


def a_pool_in_a_pool_too_large() -> None:
    """CapacityError: init_buf_pool: pool overflow: 0 + 5024 B, it has 4096 B; make it larger, or reset it first"""
    pool = pool_of()
    pool.init_buf_pool(asc.TBufPool(), 5000)


def a_pool_of_nothing() -> None:
    """RangeError: init_buf_pool: len must be a positive whole number, got 0"""
    asc.TPipe().init_buf_pool(asc.TBufPool(), 0)


def scratch_with_memory_twice() -> None:
    """QueueStateError: init_buffer: buf has its memory already; take it back with reset() on its TPipe or pool
    before giving it another
    """
    pool, buf = pool_of(), asc.TBuf()
    pool.init_buffer(buf, 32)
    pool.init_buffer(buf, 32)


def no_depth() -> None:
    """UsageError: TQue: depth must be a whole number, 0 or more, got -1"""
    asc.TQue(P.VECIN, -1)


def a_queue_at_no_position() -> None:
    """PositionError: TQue: pos must be a TPosition, as TPosition.VECIN, got 'VECIN'"""
    asc.TQue("VECIN", 1)


def a_queue_where_none_can_be() -> None:
    """PositionError: TQue: VECCALC is no queue position; there are: VECIN, VECOUT, A1, B1, A2, B2, C1, C2, CO1, CO2"""
    asc.TQue(P.VECCALC, 1)


def a_queue_from_array_to_array() -> None:
    """PositionError: TQueBind: there is no queue from GM to GM; the memories joined by one are: GM to UB, UB to GM,
    UB to UB, GM to L1, L1 to L0A, L1 to L0B, L1 to BT, L0C to GM, L1 to FB, UB to L1
    """
    asc.TQueBind(P.GM, P.GM, 1)


def a_queue_without_buffers() -> None:
    """QueueStateError: alloc_tensor on queue q (VECIN, num 0, depth 1): it has no buffers yet; call
    pipe.init_buffer(queue, num, len) first
    """
    q = asc.TQue(P.VECIN, 1)
    q.alloc_tensor(H)


def a_buffer_taken_out_of_order() -> None:
    """QueueStateError: alloc_tensor on queue q (VECIN, num 2, depth 1): buffers go round, and the next is not free,
    this would wait forever on the chip (deadlock); held: @-2 (allocated, not enqueued); free_tensor that one first:
    tensors are freed in the order they were taken
    """
    q = queue(num=2)
    _first, second = q.alloc_tensor(H), q.alloc_tensor(H)
    q.free_tensor(second)
    q.alloc_tensor(H)


def enque_twice() -> None:
    """QueueStateError: enque on queue q (VECIN, num 1, depth 1): the tensor cannot be enqueued: it is in its queue;
    deque it first
    """
    q = queue()
    t = q.alloc_tensor(H)
    q.enque(t)
    q.enque(t)


def enque_of_a_freed_tensor() -> None:
    """QueueStateError: enque on queue q (VECIN, num 1, depth 1): the tensor cannot be enqueued: it was freed at @-1"""
    q = queue()
    t = q.alloc_tensor(H)
    q.free_tensor(t)
    q.enque(t)


def more_enqueued_than_the_depth() -> None:
    """QueueStateError: enque on queue q (VECIN, num 2, depth 1): as many tensors are enqueued as its depth allows;
    held: @-2 (enqueued), @-2 (allocated, not enqueued); deque one first, or make the queue deeper
    """
    q = queue(num=2, depth=1)
    first, second = q.alloc_tensor(H), q.alloc_tensor(H)
    q.enque(first)
    q.enque(second)


def deque_of_a_queue_nobody_used() -> None:
    """QueueStateError: deque on queue q (VECIN, num 1, depth 1): it is empty (nothing is allocated); enque comes
    first
    """
    q = queue()
    q.deque(H)


def free_twice() -> None:
    """QueueStateError: free_tensor on queue q (VECIN, num 1, depth 1): the tensor cannot be freed: it was freed at
    @-1
    """
    q = queue()
    t = q.alloc_tensor(H)
    q.free_tensor(t)
    q.free_tensor(t)


def free_of_a_tensor_of_no_queue() -> None:
    """QueueStateError: free_tensor on queue q (VECIN, num 1, depth 1): the tensor given is not one of its own; it
    belongs to no queue
    """
    q = queue()
    q.free_tensor(asc.LocalTensor(H, P.VECIN, 0, 16))


def use_after_free() -> None:
    """QueueStateError: dst of duplicate (tensor t) cannot be used: it was freed at @-1; it was taken at @-2"""
    q = queue()
    t = q.alloc_tensor(H)
    q.free_tensor(t)
    asc.duplicate(t, 1, 16)


def use_before_deque() -> None:
    """QueueStateError: dst of adds (tensor t) cannot be used: it is in its queue; deque it first; it was taken at
    @-2
    """
    q = queue()
    t = q.alloc_tensor(H)
    q.enque(t)
    asc.adds(t, t, 1, 16)


def a_type_there_is_not() -> None:
    """DtypeError: alloc_tensor: 'float99' is no element type here; there are: bool, int8, int16, int32, int64,
    uint8, uint16, uint32, uint64, float16, bfloat16, float32, int4
    """
    q = queue()
    q.alloc_tensor("float99")


def an_odd_number_of_int4() -> None:
    """AlignmentError: LocalTensor: 65 x int4 end within a byte, which 2 of them share; take a multiple of 2"""
    asc.LocalTensor(asc.int4, P.VECIN, 0, 65)


def a_window_that_parts_two_int4() -> None:
    """AlignmentError: LocalTensor(VECIN int4 x64 at byte 0): window [1, 64) parts elements that share a byte; begin
    and end it at multiples of 2
    """
    t = asc.LocalTensor(asc.int4, P.VECIN, 0, 64)
    t[1:]


def half_an_offset() -> None:
    """RangeError: get_with_offset: buf_offset must be a whole number, got 0.5"""
    pipe, buf = asc.TPipe(), asc.TBuf()
    pipe.init_buffer(buf, 256)
    buf.get_with_offset(8, 0.5, F)


def a_tensor_at_no_position() -> None:
    """PositionError: LocalTensor: pos must be a TPosition, as TPosition.VECIN, got 'VECIN'"""
    asc.LocalTensor(F, "VECIN", 0, 64)


def an_allocator_of_another_memory() -> None:
    """PositionError: alloc: VECIN lies in UB, and this allocator hands out L1; make another with Hardware.UB"""
    asc.LocalMemAllocator(asc.Hardware.L1).alloc(P.VECIN, F, 64)


def an_allocation_of_nothing() -> None:
    """RangeError: alloc: tile_size must be a positive number of elements, got 0"""
    asc.LocalMemAllocator().alloc(P.VECIN, F, 0)


def nothing_left_behind_the_buffers() -> None:
    """CapacityError: pop_stack_buffer: 196608 B of UB are in use, nothing is left; use shorter or fewer buffers"""
    pipe, buf = asc.TPipe(), asc.TBuf()
    pipe.init_buffer(buf, 196_608)
    asc.pop_stack_buffer(F)


def a_file_that_cannot_be_written() -> None:
    """UsageError: to_file: none/t.bin: cannot be written: No such file or directory"""
    t = asc.LocalTensor(F, P.VECIN, 0, 64)
    t.to_file("none/t.bin")


MISTAKES = mistakes(globals())
