"""Element-wise addition: the smallest kernel that overlaps load, compute and store."""

from __future__ import annotations

from typing import Any

import numpy as np

import ascendc as asc

TILE_BYTES = 32_256
"""Bytes of a tile: six of them fill UB, and it is a whole number of cache lines."""


@asc.kernel
def add_kernel(x: Any, y: Any, z: Any, count: int, per_block: int, tile: int) -> None:
    """z = x + y: block i does ``per_block`` of ``count`` elements, ``tile`` at a time, double-buffered."""
    start = asc.get_block_idx() * per_block
    mine = min(per_block, count - start)
    if mine <= 0:
        return
    xs, ys, zs = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    xs.set_global_buffer(x + start, mine)
    ys.set_global_buffer(y + start, mine)
    zs.set_global_buffer(z + start, mine)

    pipe = asc.TPipe()
    queue_x, queue_y = asc.TQue(asc.TPosition.VECIN, 1), asc.TQue(asc.TPosition.VECIN, 1)
    queue_z = asc.TQue(asc.TPosition.VECOUT, 1)
    for queue in (queue_x, queue_y, queue_z):
        pipe.init_buffer(queue, 2, tile * x.dtype.sizeof())

    for at in range(0, mine, tile):
        length = min(tile, mine - at)
        copy_in(queue_x, queue_y, xs[at:], ys[at:], length)
        compute(queue_x, queue_y, queue_z, x.dtype, length)
        copy_out(queue_z, zs[at:], length)


@asc.copy_in
def copy_in(queue_x: asc.TQue, queue_y: asc.TQue, xs: asc.GlobalTensor, ys: asc.GlobalTensor, length: int) -> None:
    for queue, source in ((queue_x, xs), (queue_y, ys)):
        local = queue.alloc_tensor(source.dtype)
        load(local, source, length)
        queue.enque(local)


@asc.compute
def compute(queue_x: asc.TQue, queue_y: asc.TQue, queue_z: asc.TQue, dtype: asc.DataType, length: int) -> None:
    a, b, c = queue_x.deque(dtype), queue_y.deque(dtype), queue_z.alloc_tensor(dtype)
    asc.add(c, a, b, length)
    queue_z.enque(c)
    queue_x.free_tensor(a)
    queue_y.free_tensor(b)


@asc.copy_out
def copy_out(queue_z: asc.TQue, zs: asc.GlobalTensor, length: int) -> None:
    local = queue_z.deque(zs.dtype)
    store(zs, local, length)
    queue_z.free_tensor(local)


@asc.kernel
def load(local: asc.LocalTensor, source: asc.GlobalTensor, length: int) -> None:
    """Copy ``length`` elements in, by whole blocks where that is all of them."""
    nbytes = length * source.dtype.sizeof()
    if nbytes % 32 == 0:
        asc.data_copy(local, source, length)
    else:
        asc.data_copy_pad(local, source, asc.DataCopyExtParams(1, nbytes), asc.DataCopyPadExtParams())


@asc.kernel
def store(target: asc.GlobalTensor, local: asc.LocalTensor, length: int) -> None:
    """Copy ``length`` elements out, and not a byte more."""
    nbytes = length * target.dtype.sizeof()
    if nbytes % 32 == 0:
        asc.data_copy(target, local, length)
    else:
        asc.data_copy_pad(target, local, asc.DataCopyExtParams(1, nbytes))


def share(count: int, blocks: int, itemsize: int) -> int:
    """Elements for each of ``blocks`` blocks: equal, in whole cache lines of 512 bytes, none left over."""
    line = max(1, 512 // itemsize)
    return -(-count // (blocks * line)) * line
