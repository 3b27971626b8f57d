"""Element-wise addition: the smallest kernel that overlaps load, compute and store."""

from __future__ import annotations

import numpy as np

import ascendc as asc
from ascendc.language.operator import Published

from .tiling import Array, Tiling, split
from .transfer import copy_in, copy_out, window


@asc.operator(
    reference=np.add,
    dtypes=("float16", "float32", "int16", "int32"),
    published=(
        Published(
            shape=(8192, 8192),
            dtype="float16",
            blocks=48,
            chip="Ascend910B1",
            us=264.02,
            what="static tensors, double buffer",
            source="asc-devkit, add_high_performance, case 4 (M0024)",
        ),
    ),
)
def add(x: Array, y: Array, z: Array, blocks: int) -> asc.Program:
    """z = x + y, of any shape."""
    return add_kernel[blocks](x, y, z, split(z, blocks, buffers=6))


@asc.kernel
def add_kernel(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, tiling: Tiling) -> None:
    """z = x + y: each block adds its part tile by tile; while one tile is added, the next is on its way in."""
    start, length = tiling.part(asc.get_block_idx())
    if not length:
        return
    xs, ys, zs = (window(array, start, length) for array in (x, y, z))

    pipe = asc.TPipe()
    queue_x = asc.TQue(asc.TPosition.VECIN, 1)
    queue_y = asc.TQue(asc.TPosition.VECIN, 1)
    queue_z = asc.TQue(asc.TPosition.VECOUT, 1)
    for queue in (queue_x, queue_y, queue_z):
        pipe.init_buffer(queue, 2, tiling.tile * x.dtype.sizeof())

    for at in range(0, length, tiling.tile):
        count = min(tiling.tile, length - at)
        copy_in(queue_x, xs[at:], count)
        copy_in(queue_y, ys[at:], count)
        compute(queue_x, queue_y, queue_z, x.dtype, count)
        copy_out(zs[at:], queue_z, count)


@asc.compute
def compute(queue_x: asc.TQue, queue_y: asc.TQue, queue_z: asc.TQue, dtype: asc.DataType, count: int) -> None:
    """Add the oldest tensors of two queues into a third queue."""
    a, b, c = queue_x.deque(dtype), queue_y.deque(dtype), queue_z.alloc_tensor(dtype)
    asc.add(c, a, b, count)
    queue_z.enque(c)
    queue_x.free_tensor(a)
    queue_y.free_tensor(b)
