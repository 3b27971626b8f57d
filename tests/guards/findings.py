"""One kernel for each finding: legal calls in an order or a place that is not right.

The docstring is the whole text of its findings; ``@-2`` is the second line above the last one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ascendc as asc
from tests.block import local, queue

H, F = asc.half, asc.float32
E, P = asc.HardEvent, asc.TPosition
OPTIONS: dict[str, dict[str, Any]] = {}
"""How kernels are launched that are launched differently."""


def launched(**options: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    def mark(body: Callable[..., None]) -> Callable[..., None]:
        OPTIONS[body.__name__] = options
        return body

    return mark


def a_tensor_never_freed(x: Any, z: Any) -> None:
    """warning (leak): @0: 1 tensor of q never freed (taken at @0); free_tensor them"""
    pipe, q = asc.TPipe(), asc.TQue(P.VECIN, 1)
    pipe.init_buffer(q, 2, 64)
    q.alloc_tensor(H)


def an_id_never_given_back(x: Any, z: Any) -> None:
    """warning (leak): @0: MTE2_V id 0 was never given back; release_event_id it"""
    asc.TPipe().alloc_event_id(E.MTE2_V)


def a_write_where_none_should_be(x: Any, z: Any) -> None:
    """error (watch): adds count=64 (V, @0): writes UB bytes [256, 512), and check_local_memory_ia at @-1 watches
    [288, 544); move one of them, or set is_enable=False before
    """
    a, b = local(F, 64), local(F, 64, 256)
    asc.duplicate(a, 1, 64)
    asc.check_local_memory_ia(asc.CheckLocalMemoryIAParam(0, 8, 16, is_vector_write=True, is_enable=True))
    asc.adds(b, a, 1, 64)


def nine_buffers_of_a_position(x: Any, z: Any) -> None:
    """warning (buffers): @0: init_buffer: 9 buffers at VECIN; only 8 of one position can be allocated at once"""
    pipe, q = asc.TPipe(), asc.TQue(P.VECIN, 1)
    pipe.init_buffer(q, 9, 64)


@launched(chip="Ascend910B1")
def all_of_ub(x: Any, z: Any) -> None:
    """warning (capacity): @0: init_buffer: 196608 B of UB are in use; the vendor library stops at 196352 B"""
    pipe, q = asc.TPipe(), asc.TQue(P.VECIN, 1)
    pipe.init_buffer(q, 2, 98_304)


def one_scratch_buffer_under_two_names(x: Any, z: Any) -> None:
    """warning (alias): @-2: TBuf buf: the tensor got at @-3 and this one share bytes [0, 256); use
    get_with_offset or a second TBuf for separate ones
    """
    buf = asc.TBuf()
    asc.TPipe().init_buffer(buf, 256)
    a = buf.get(F)
    b = buf.get(F)
    asc.duplicate(a, 1, 64)
    asc.duplicate(b, 2, 64)


def a_flag_left_set(x: Any, z: Any) -> None:
    """warning (flag): set_flag(HardEvent.MTE2_V, 3) at @0: still set at the end of the kernel, so the next
    kernel finds it set; every set needs its wait: add wait_flag(HardEvent.MTE2_V, 3) at the end
    """
    asc.set_flag(E.MTE2_V, 3)


def a_count_that_is_cut_off(x: Any, z: Any) -> None:
    """warning (rounding): @0: data_copy: 60 x float32 = 240 B is rounded down to 224 B, whole blocks of 32 B;
    use data_copy_pad for the rest
    """
    asc.data_copy(local(F, 64), x, 60)


def a_load_used_at_once(x: Any, z: Any) -> None:
    """error (raw): adds count=64 (V, @0): reads UB bytes [0, 256), which data_copy count=64 route=gm_to_ub
    (MTE2, @-1) writes, and nothing makes it wait for that; put set_flag(HardEvent.MTE2_V, id) after @-1 and
    wait_flag(HardEvent.MTE2_V, id) before @0, or enque and deque the tensor in between
    """
    a, b = local(F, 64), local(F, 64, 256)
    asc.data_copy(a, x, 64)
    asc.adds(b, a, 1, 64)


def a_load_over_what_is_read(x: Any, z: Any) -> None:
    """error (war): data_copy count=64 route=gm_to_ub (MTE2, @0): writes UB bytes [0, 256), which adds count=64
    (V, @-1) reads, and nothing makes it wait for that; put set_flag(HardEvent.V_MTE2, id) after @-1 and
    wait_flag(HardEvent.V_MTE2, id) before @0, or free_tensor and alloc_tensor the tensor in between
    """
    a, b = local(F, 64), local(F, 64, 256)
    asc.duplicate(a, 1, 64)
    asc.adds(b, a, 1, 64)
    asc.data_copy(a, x, 64)


def a_result_stored_at_once(x: Any, z: Any) -> None:
    """error (raw): data_copy count=64 route=ub_to_gm (MTE3, @0): reads UB bytes [0, 256), which duplicate
    count=64 (V, @-1) writes, and nothing makes it wait for that; put set_flag(HardEvent.V_MTE3, id) after @-1
    and wait_flag(HardEvent.V_MTE3, id) before @0, or enque and deque the tensor in between
    """
    a = local(F, 64)
    asc.duplicate(a, 1, 64)
    asc.data_copy(z, a, 64)


def a_result_over_what_is_stored(x: Any, z: Any) -> None:
    """error (war): duplicate count=64 (V, @0): writes UB bytes [0, 256), which data_copy count=64
    route=ub_to_gm (MTE3, @-1) reads, and nothing makes it wait for that; put set_flag(HardEvent.MTE3_V, id)
    after @-1 and wait_flag(HardEvent.MTE3_V, id) before @0, or free_tensor and alloc_tensor the tensor in
    between
    """
    a = local(F, 64)
    asc.duplicate(a, 1, 64)
    asc.set_flag(E.V_MTE3)
    asc.wait_flag(E.V_MTE3)
    asc.data_copy(z, a, 64)
    asc.duplicate(a, 2, 64)


@launched(auto_sync=False)
def dependent_vector_instructions(x: Any, z: Any) -> None:
    """error (raw): adds count=64 (V, @0): reads UB bytes [0, 256), which duplicate count=64 (V, @-1) writes,
    and nothing makes it wait for that; put pipe_barrier(PipeID.PIPE_V) between them
    """
    a, b = local(F, 64), local(F, 64, 256)
    asc.duplicate(a, 1, 64)
    asc.adds(b, a, 1, 64)


def two_loads_into_one_place(x: Any, z: Any) -> None:
    """error (waw): data_copy count=32 route=gm_to_ub (MTE2, @0): writes UB bytes [128, 256), which data_copy
    count=64 route=gm_to_ub (MTE2, @-1) writes, and nothing makes it wait for that; put
    pipe_barrier(PipeID.PIPE_MTE2) between them
    """
    a = local(F, 64)
    asc.data_copy(a, x, 64)
    asc.data_copy(a[32:], x, 32)


@launched(auto_sync=False)
def a_number_read_too_early(x: Any, z: Any) -> None:
    """error (raw): get_value (S, @0): reads UB bytes [0, 4), which duplicate count=64 (V, @-1) writes, and
    nothing makes it wait for that; put set_flag(HardEvent.V_S, id) after @-1 and wait_flag(HardEvent.V_S, id)
    before @0
    """
    a = local(F, 64)
    asc.duplicate(a, 1, 64)
    a.get_value(0)


def a_buffer_freed_while_a_store_reads_it(x: Any, z: Any) -> None:
    """error (war): data_copy count=64 route=gm_to_ub (MTE2, @-6): writes UB bytes [0, 256), which data_copy
    count=64 route=ub_to_gm (MTE3, @-1) reads, and nothing makes it wait for that; put
    set_flag(HardEvent.MTE3_MTE2, id) after @-1 and wait_flag(HardEvent.MTE3_MTE2, id) before @-6, or pass the
    tensor through a TQueBind(VECIN, VECOUT)
    """
    q = queue(num=1, nbytes=256)
    for _ in range(2):
        a = q.alloc_tensor(F)
        asc.data_copy(a, x, 64)
        q.enque(a)
        a = q.deque(F)
        asc.set_flag(E.MTE2_MTE3)
        asc.wait_flag(E.MTE2_MTE3)
        asc.data_copy(z, a, 64)
        q.free_tensor(a)


def a_store_read_back_at_once(x: Any, z: Any) -> None:
    """error (raw): data_copy count=64 route=gm_to_ub (MTE2, @0): reads z bytes [0, 256), which data_copy
    count=64 route=ub_to_gm (MTE3, @-1) writes, and nothing makes it wait for that; put
    set_flag(HardEvent.MTE3_MTE2, id) after @-1 and wait_flag(HardEvent.MTE3_MTE2, id) before @0
    """
    a, b = local(F, 64), local(F, 64, 256)
    asc.duplicate(a, 1, 64)
    asc.set_flag(E.V_MTE3)
    asc.wait_flag(E.V_MTE3)
    asc.data_copy(z, a, 64)
    asc.data_copy(b, z, 64)


def a_flag_that_may_be_set_twice(x: Any, z: Any) -> None:
    """error (flag): set_flag(HardEvent.MTE2_V, 0) at @-1: may run while it is still set from @-1, since nothing
    makes MTE2 wait until V has taken that one; use another event id, or wait_flag(HardEvent.MTE2_V, 0) and then
    a flag V_MTE2 before it
    """
    for _ in range(2):
        asc.set_flag(E.MTE2_V)
        asc.wait_flag(E.MTE2_V)


@launched(blocks=3)
def blocks_that_store_into_one_place(x: Any, z: Any) -> None:
    """error (cores): data_copy count=8 route=ub_to_gm (MTE3, @0): block 1 writes z bytes [20, 32), which block
    0 writes, and nothing orders blocks; give each block bytes of its own: where slices are no multiple of 32
    bytes, store their tails with data_copy_pad, which writes nothing beyond them; so do 3 blocks in all
    """
    a = local(F, 8)
    asc.duplicate(a, 1, 8)
    asc.set_flag(E.V_MTE3)
    asc.wait_flag(E.V_MTE3)
    asc.data_copy(z[asc.get_block_idx() * 5 :], a, 8)


FINDINGS = [
    f
    for f in list(globals().values())
    if getattr(f, "__module__", "") == __name__ and f is not launched and hasattr(f, "__code__")
]
