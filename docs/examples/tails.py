"""z = relu(x + y) for any number of elements: the last tile of a block is as long as what is left."""

import numpy as np

import ascendc as asc


@asc.copy_in
def copy_in(queue, source, count):
    tile = queue.alloc_tensor(source.dtype)
    row = asc.DataCopyExtParams(block_count=1, block_len=count * source.dtype.sizeof())
    asc.data_copy_pad(tile, source, row, asc.DataCopyPadExtParams())
    queue.enque(tile)


@asc.compute
def compute(in_x, in_y, out_z, dtype, count):
    x, y, z = in_x.deque(dtype), in_y.deque(dtype), out_z.alloc_tensor(dtype)
    asc.add(z, x, y, count)
    asc.relu(z, z, count)
    out_z.enque(z)
    in_x.free_tensor(x)
    in_y.free_tensor(y)


@asc.copy_out
def copy_out(queue, target, count):
    tile = queue.deque(target.dtype)
    row = asc.DataCopyExtParams(block_count=1, block_len=count * target.dtype.sizeof())
    asc.data_copy_pad(target, tile, row)
    queue.free_tensor(tile)


@asc.kernel
def add_relu_kernel(x, y, z, count, length, tile, buffers):
    start = asc.get_block_idx() * length
    mine = min(length, count - start)
    if mine <= 0:
        return
    xs, ys, zs = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    in_x, in_y = asc.TQue(asc.TPosition.VECIN, 1), asc.TQue(asc.TPosition.VECIN, 1)
    out_z, pipe = asc.TQue(asc.TPosition.VECOUT, 1), asc.TPipe()
    for tensor, array, queue in (xs, x, in_x), (ys, y, in_y), (zs, z, out_z):
        tensor.set_global_buffer(array + start, mine)
        pipe.init_buffer(queue, buffers, tile * array.dtype.sizeof())
    for at in range(0, mine, tile):
        now = min(tile, mine - at)
        copy_in(in_x, xs[at:], now)
        copy_in(in_y, ys[at:], now)
        compute(in_x, in_y, out_z, x.dtype, now)
        copy_out(out_z, zs[at:], now)


@asc.operator(reference=lambda x, y: np.maximum(x + y, 0), shape=(1000, 1001))
def add_relu(x, y, z, blocks, tile=4096, buffers=2):
    """max(x + y, 0), element by element, any shape."""
    length = asc.ceildiv(x.size, blocks * 256) * 256  # whole cache lines: 512 bytes
    return add_relu_kernel[blocks](x, y, z, x.size, length, tile, buffers)
