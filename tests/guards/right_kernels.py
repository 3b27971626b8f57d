"""Kernels that look wrong and are right: nothing may be found in any.  All take two arrays of 1024 float32, x and z."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ascendc as asc
from tests.block import local

F, E, P = asc.float32, asc.HardEvent, asc.TPosition
_V, _MTE2 = asc.PipeID.PIPE_V, asc.PipeID.PIPE_MTE2
BLOCKS: dict[str, int] = {}
"""How many blocks those run on that run on several."""
BARE: set[str] = set()
"""Those without automatic barriers."""


def on(blocks: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    def mark(body: Callable[..., None]) -> Callable[..., None]:
        BLOCKS[body.__name__] = blocks
        return body

    return mark


def bare(body: Callable[..., None]) -> Callable[..., None]:
    BARE.add(body.__name__)
    return body


def tile(address: int = 0, count: int = 64) -> asc.LocalTensor:
    return local(F, count, address)


def flag(event: asc.HardEvent, index: int = 0) -> None:
    asc.set_flag(event, index)
    asc.wait_flag(event, index)


def queue(pipe: asc.TPipe, position: asc.TPosition = P.VECIN, depth: int = 1, num: int = 2) -> asc.TQue:
    made = asc.TQue(position, depth)
    pipe.init_buffer(made, num, 256)
    return made


def load(q: Any, source: Any) -> None:
    a = q.alloc_tensor(F)
    asc.data_copy(a, source, 64)
    q.enque(a)


def store(q: Any, target: Any) -> None:
    a = q.deque(F)
    asc.data_copy(target, a, 64)
    q.free_tensor(a)


def one_flag_for_a_chain(x: Any, z: Any) -> None:
    """One buffer and one id in each direction, again and again."""
    for i in range(4):
        asc.data_copy(tile(), x[64 * i :], 64)
        flag(E.MTE2_V)
        asc.adds(tile(), tile(), 1, 64)
        flag(E.V_MTE3)
        asc.data_copy(z[64 * i :], tile(), 64)
        flag(E.MTE3_MTE2)


def an_id_used_again_once_its_wait_is_known_to_be_over(x: Any, z: Any) -> None:
    """V_MTE2 says that the vector unit has taken the first MTE2_V."""
    asc.data_copy(tile(), x, 64)
    flag(E.MTE2_V)
    flag(E.V_MTE2)
    asc.data_copy(tile(256), x[64:], 64)
    flag(E.MTE2_V)
    asc.add(tile(), tile(), tile(256), 64)


def ping_pong_by_hand(x: Any, z: Any) -> None:
    """Flags set before the loop and taken after it."""
    for slot in range(2):
        asc.set_flag(E.MTE3_MTE2, slot)
    for i in range(5):
        slot, a = i % 2, tile(256 * (i % 2))
        asc.wait_flag(E.MTE3_MTE2, slot)
        asc.data_copy(a, x[64 * i :], 64)
        flag(E.MTE2_MTE3, slot)
        asc.data_copy(z[64 * i :], a, 64)
        asc.set_flag(E.MTE3_MTE2, slot)
    for slot in range(2):
        asc.wait_flag(E.MTE3_MTE2, slot)


def three_in_flight(x: Any, z: Any) -> None:
    """A queue of depth three, filled ahead; another one whose tensors are freed before they are stored by others."""
    pipe = asc.TPipe()
    ins, outs = queue(pipe, depth=3, num=3), queue(pipe, P.VECOUT, depth=2)
    for i in range(3):
        load(ins, x[64 * i :])
    for i in range(6):
        a, b = ins.deque(F), outs.alloc_tensor(F)
        asc.adds(b, a, 1, 64)
        ins.free_tensor(a)
        outs.enque(b)
        if i < 3:
            load(ins, x[64 * (i + 3) :])
        store(outs, z[64 * i :])


def in_place_at_depth_0(x: Any, z: Any) -> None:
    """One tensor that alloc_tensor and deque fill in."""
    pipe, ins = asc.TPipe(), asc.TQue(P.VECIN, 0)
    pipe.init_buffer(ins, 1, 256)
    t = asc.LocalTensor(F, P.VECIN, 0, 64)
    for i in range(3):
        ins.alloc_tensor(t)
        asc.data_copy(t, x[64 * i :], 64)
        ins.enque(t)
        ins.deque(t)
        asc.adds(t, t, 1, 64)
        ins.free_tensor(t)


def a_part_stands_for_its_buffer(x: Any, z: Any) -> None:
    """A slice, and the same bytes as another type, are enqueued and freed in place of the tensor."""
    ins = queue(asc.TPipe())
    a = ins.alloc_tensor(F)
    asc.data_copy(a, x, 64)
    ins.enque(a[8:])
    ins.free_tensor(ins.deque(asc.int32).reinterpret_cast(F))


def scratch_of_the_vector_unit(x: Any, z: Any) -> None:
    """A TBuf that no transfer touches needs no flags."""
    pipe, buffer = asc.TPipe(), asc.TBuf()
    ins, outs = queue(pipe), queue(pipe, P.VECOUT)
    pipe.init_buffer(buffer, 256)
    for i in range(4):
        load(ins, x[64 * i :])
        a, b, t = ins.deque(F), outs.alloc_tensor(F), buffer.get(F)
        asc.adds(t, a, 1, 64)
        asc.muls(b, t, 2, 64)
        outs.enque(b)
        ins.free_tensor(a)
        store(outs, z[64 * i :])


def memory_laid_out_anew(x: Any, z: Any) -> None:
    """A TPipe reset, and one destroyed and made again."""
    for renew in (asc.TPipe.reset, asc.TPipe.destroy):
        pipe = asc.TPipe()
        both = asc.TQueBind(P.VECIN, P.VECOUT, 1)
        pipe.init_buffer(both, 2, 256)
        load(both, x)
        store(both, z)
        renew(pipe)
        asc.pipe_barrier(asc.PipeID.PIPE_MTE3)  # of the two stores
        pipe.destroy()


def pools_that_take_turns(x: Any, z: Any) -> None:
    """Two pools of the same bytes, the first reset before the second is used."""
    pipe = asc.TPipe()
    pools = asc.TBufPool(P.VECCALC), asc.TBufPool(P.VECCALC)
    pipe.init_buf_pool(pools[0], 1024)
    pipe.init_buf_pool(pools[1], 1024, pools[0])
    for i, pool in enumerate(pools):
        both = asc.TQueBind(P.VECIN, P.VECOUT, 1)
        pool.init_buffer(both, 2, 256)
        load(both, x)
        store(both, z[64 * i :])
        pool.reset()


def lanes_left_alone(x: Any, z: Any) -> None:
    """Some lanes computed in place, all stored."""
    asc.data_copy(tile(), x, 64)
    flag(E.MTE2_V)
    asc.adds(tile(), tile(), 1, 20, 1, asc.UnaryRepeatParams(1, 1, 8, 8))
    flag(E.V_MTE3)
    asc.data_copy(z, tile(), 64)


def loads_that_interleave(x: Any, z: Any) -> None:
    """Every second block by one copy, the others by another: their spans overlap, their bytes do not."""
    every_second = asc.DataCopyParams(8, 1, 1, 1)
    asc.data_copy(tile(count=128), x, every_second)
    asc.data_copy(tile(32, 120), x[8:], every_second)
    flag(E.MTE2_V)
    asc.adds(tile(count=128), tile(count=128), 1, 128)


def a_load_over_a_load(x: Any, z: Any) -> None:
    """With the barrier of their pipe between them."""
    asc.data_copy(tile(count=128), x, 128)
    asc.pipe_barrier(_MTE2)
    asc.data_copy(tile(256), x[64:], 64)


def through_global_memory_and_back(x: Any, z: Any) -> None:
    """A workspace of the block's own, with the flag that a load needs after a store."""
    asc.data_copy(tile(), x, 64)
    flag(E.MTE2_MTE3)
    asc.data_copy(z[512:], tile(), 64)
    flag(E.MTE3_MTE2)
    asc.data_copy(tile(256), z[512:], 64)
    flag(E.MTE2_MTE3)
    asc.data_copy(z, tile(256), 64)


@bare
def numbers_in_a_loop(x: Any, z: Any) -> None:
    """The scalar unit waits for a load, and for each result it looks at."""
    asc.data_copy(tile(), x, 64)
    flag(E.MTE2_V)
    flag(E.MTE2_S)
    for i in range(4):
        asc.muls(tile(256), tile(), tile().get_value(i), 64)
        asc.pipe_barrier(_V)
        asc.adds(tile(256), tile(256), 1, 64)
        flag(E.V_S)
        tile(256).get_value(0)


@bare
def written_by_the_scalar_unit(x: Any, z: Any) -> None:
    """Eight elements, read back, told to one unit, and through that to the others."""
    for i in range(8):
        tile().set_value(i, float(i))
        tile().get_value(i)
    flag(E.S_V)
    asc.adds(tile(), tile(), 1, 8)
    flag(E.V_MTE3)
    asc.data_copy(z, tile(), 8)
    flag(E.MTE3_MTE2)
    asc.data_copy(tile(), x, 8)


@bare
def told_by_a_sync_barrier(x: Any, z: Any) -> None:
    """data_sync_barrier ends what the scalar unit wrote to UB, for all."""
    for i in range(8):
        tile().set_value(i, 1.0)
    asc.data_sync_barrier(asc.MemDsbT.UB)
    asc.data_copy(z, tile(), 8)


@bare
def what_need_not_wait(x: Any, z: Any) -> None:
    """Vector instructions that read one tile, or write different ones."""
    asc.duplicate(tile(), 1, 64)
    asc.duplicate(tile(768), 2, 64)
    asc.pipe_barrier(_V)
    asc.adds(tile(256), tile(), 1, 64)
    asc.adds(tile(512), tile(), 2, 64)


@on(5)
def blocks_with_nothing_to_do(x: Any, z: Any) -> None:
    """Some return early, some have a share of nothing, one a tail."""
    start = 300 * asc.get_block_idx()
    if start >= 1200:
        return
    row = asc.DataCopyExtParams(1, 4 * min(300, 1024 - start))
    asc.data_copy_pad(tile(count=304), x[start:], row, asc.DataCopyPadExtParams())
    flag(E.MTE2_MTE3)
    asc.data_copy_pad(z[start:], tile(count=304), row)


@on(4)
def neighbours_in_one_granule(x: Any, z: Any) -> None:
    """Five floats each, stored to the byte."""
    asc.duplicate(tile(), 1, 8)
    flag(E.V_MTE3)
    asc.data_copy_pad(z[5 * asc.get_block_idx() :], tile(), asc.DataCopyExtParams(1, 20))


@on(8)
def sums_of_many_blocks(x: Any, z: Any) -> None:
    """All add into one place, then each stores into its own."""
    asc.duplicate(tile(), 1, 64)
    flag(E.V_MTE3)
    asc.set_atomic_add(F)
    asc.data_copy(z, tile(), 64)
    asc.set_atomic_none()
    asc.data_copy(x[64 * asc.get_block_idx() :], tile(), 64)


RIGHT = [
    f
    for f in list(globals().values())
    if getattr(f, "__module__", "") == __name__ and f.__code__.co_varnames[:2] == ("x", "z")
]
