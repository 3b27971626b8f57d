import numpy as np

import ascendc as asc

TILE, BUFFERS = 4096, 2  # elements of a tile, buffers of a queue


@asc.kernel
def add_relu_kernel(x, y, z, length):
    xs, ys, zs = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    in_x, in_y = asc.TQue(asc.TPosition.VECIN, 1), asc.TQue(asc.TPosition.VECIN, 1)
    out_z, pipe = asc.TQue(asc.TPosition.VECOUT, 1), asc.TPipe()
    for tensor, array, queue in (xs, x, in_x), (ys, y, in_y), (zs, z, out_z):
        tensor.set_global_buffer(array + asc.get_block_idx() * length, length)
        pipe.init_buffer(queue, BUFFERS, TILE * array.dtype.sizeof())
    for at in range(0, length, TILE):
        with asc.stage("copy_in"):
            for queue, source in (in_x, xs), (in_y, ys):
                tile = queue.alloc_tensor(x.dtype)
                asc.data_copy(tile, source[at:], TILE)
                queue.enque(tile)
        with asc.stage("compute"):
            a, b, c = in_x.deque(x.dtype), in_y.deque(x.dtype), out_z.alloc_tensor(x.dtype)
            asc.add(c, a, b, TILE)
            asc.relu(c, c, TILE)
            out_z.enque(c)
            in_x.free_tensor(a)
            in_y.free_tensor(b)
        with asc.stage("copy_out"):
            tile = out_z.deque(x.dtype)
            asc.data_copy(zs[at:], tile, TILE)
            out_z.free_tensor(tile)


@asc.operator(reference=lambda x, y: np.maximum(x + y, 0), shape=(48, 32768))
def add_relu(x, y, z, blocks):
    """max(x + y, 0), element by element."""
    return add_relu_kernel[blocks](x, y, z, x.size // blocks)
