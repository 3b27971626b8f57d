"""Kernels of queues in ways the operator library does not use them: what the mutation test takes apart.

Each computes z from x; all are right, with barriers by hand.
"""

from __future__ import annotations

import numpy as np

import ascendc as asc
from kernels.tiling import Array, Tiling, split
from kernels.transfer import copy_in, copy_out, window

_V = asc.PipeID.PIPE_V
_IN, _OUT = asc.TPosition.VECIN, asc.TPosition.VECOUT


@asc.operator(reference=lambda x: (x * np.float16(2) + np.float16(1)) * x, dtypes=("float16",), inputs=1)
def staged(x: Array, z: Array, blocks: int) -> asc.Program:
    """z = (2·x + 1) · x in three dependent instructions."""
    return staged_kernel[blocks](x, z, split(z, blocks, buffers=4))


@asc.kernel
def staged_kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, tiling: Tiling) -> None:
    """One queue in, one out, computing in place in between."""
    start, length = tiling.part(asc.get_block_idx())
    xs, zs = window(x, start, length), window(z, start, length)
    pipe, queue_x, queue_z = asc.TPipe(), asc.TQue(_IN, 1), asc.TQue(_OUT, 1)
    pipe.init_buffer(queue_x, 2, tiling.tile * x.dtype.sizeof())
    pipe.init_buffer(queue_z, 2, tiling.tile * x.dtype.sizeof())
    for at in range(0, length, tiling.tile):
        count = min(tiling.tile, length - at)
        copy_in(queue_x, xs[at:], count)
        a = queue_x.deque(x.dtype)
        b = queue_z.alloc_tensor(x.dtype)
        asc.muls(b, a, 2, count)
        asc.pipe_barrier(_V)
        asc.adds(b, b, 1, count)
        asc.pipe_barrier(_V)
        asc.mul(b, b, a, count)
        queue_z.enque(b)
        queue_x.free_tensor(a)
        copy_out(zs[at:], queue_z, count)


@asc.operator(reference=np.copy, dtypes=("float16",), inputs=1)
def bound(x: Array, z: Array, blocks: int) -> asc.Program:
    """z = x through one queue from load to store."""
    return bound_kernel[blocks](x, z, split(z, blocks, buffers=2))


@asc.kernel
def bound_kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, tiling: Tiling) -> None:
    """The two transfer pipes hand tiles to each other."""
    start, length = tiling.part(asc.get_block_idx())
    xs, zs = window(x, start, length), window(z, start, length)
    pipe, queue = asc.TPipe(), asc.TQueBind(_IN, _OUT, 1)
    pipe.init_buffer(queue, 2, tiling.tile * x.dtype.sizeof())
    for at in range(0, length, tiling.tile):
        row = asc.DataCopyExtParams(1, min(tiling.tile, length - at) * x.dtype.sizeof())
        a = queue.alloc_tensor(x.dtype)
        asc.data_copy_pad(a, xs[at:], row, asc.DataCopyPadExtParams())
        queue.enque(a)
        b = queue.deque(x.dtype)
        asc.data_copy_pad(zs[at:], b, row)
        queue.free_tensor(b)


@asc.operator(reference=np.abs, dtypes=("float16",), inputs=1)
def two_in_flight(x: Array, z: Array, blocks: int) -> asc.Program:
    """z = |x|, the next tile loaded before this one is computed."""
    return two_in_flight_kernel[blocks](x, z, split(z, blocks, buffers=4))


@asc.kernel
def two_in_flight_kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, tiling: Tiling) -> None:
    """A queue of depth two that is always one ahead."""
    start, length = tiling.part(asc.get_block_idx())
    if not length:
        return
    xs, zs = window(x, start, length), window(z, start, length)
    pipe, queue_x, queue_z = asc.TPipe(), asc.TQue(_IN, 2), asc.TQue(_OUT, 1)
    pipe.init_buffer(queue_x, 2, tiling.tile * x.dtype.sizeof())
    pipe.init_buffer(queue_z, 2, tiling.tile * x.dtype.sizeof())
    copy_in(queue_x, xs, min(tiling.tile, length))
    for at in range(0, length, tiling.tile):
        after = at + tiling.tile
        if after < length:
            copy_in(queue_x, xs[after:], min(tiling.tile, length - after))
        count = min(tiling.tile, length - at)
        a, b = queue_x.deque(x.dtype), queue_z.alloc_tensor(x.dtype)
        asc.abs(b, a, count)
        queue_z.enque(b)
        queue_x.free_tensor(a)
        copy_out(zs[at:], queue_z, count)


@asc.operator(
    reference=lambda x: np.maximum(x, np.float16(0)) + np.minimum(x, np.float16(1)), dtypes=("float16",), inputs=1
)
def scratch(x: Array, z: Array, blocks: int) -> asc.Program:
    """z = max(x, 0) + min(x, 1) with two intermediate results."""
    return scratch_kernel[blocks](x, z, split(z, blocks, buffers=6))


@asc.kernel
def scratch_kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, tiling: Tiling) -> None:
    """Intermediate results in a TBuf, which no queue looks after."""
    start, length = tiling.part(asc.get_block_idx())
    xs, zs, size = window(x, start, length), window(z, start, length), tiling.tile * x.dtype.sizeof()
    pipe, queue_x, queue_z, buffer = asc.TPipe(), asc.TQue(_IN, 1), asc.TQue(_OUT, 1), asc.TBuf()
    pipe.init_buffer(queue_x, 2, size)
    pipe.init_buffer(queue_z, 2, size)
    pipe.init_buffer(buffer, 2 * size)
    high, low = buffer.get_with_offset(tiling.tile, 0, x.dtype), buffer.get_with_offset(tiling.tile, size, x.dtype)
    for at in range(0, length, tiling.tile):
        count = min(tiling.tile, length - at)
        copy_in(queue_x, xs[at:], count)
        a, b = queue_x.deque(x.dtype), queue_z.alloc_tensor(x.dtype)
        asc.pipe_barrier(_V)
        asc.maxs(high, a, 0, count)
        asc.mins(low, a, 1, count)
        queue_x.free_tensor(a)
        asc.pipe_barrier(_V)
        asc.add(b, high, low, count)
        queue_z.enque(b)
        copy_out(zs[at:], queue_z, count)
