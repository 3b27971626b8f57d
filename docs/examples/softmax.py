"""softmax of rows: a matrix at a time, one call of asc.adv."""

import numpy as np

import ascendc as asc

ROWS = 8  # of a tile


@asc.kernel
def softmax_kernel(x, y, rows, columns):
    xs, ys = asc.GlobalTensor(), asc.GlobalTensor()
    for tensor, array in (xs, x), (ys, y):
        tensor.set_global_buffer(array + asc.get_block_idx() * rows * columns, rows * columns)
    in_x, out_y = asc.TQue(asc.TPosition.VECIN, 1), asc.TQue(asc.TPosition.VECOUT, 1)
    sums, maxima, pipe = asc.TBuf(asc.TPosition.VECCALC), asc.TBuf(asc.TPosition.VECCALC), asc.TPipe()
    for queue in in_x, out_y:
        pipe.init_buffer(queue, 2, ROWS * columns * x.dtype.sizeof())
    for buffer in sums, maxima:
        pipe.init_buffer(buffer, ROWS * 32)  # a block for each row
    tiling = asc.adv.soft_max_tiling_func((ROWS, columns))
    for at in range(0, rows * columns, ROWS * columns):
        with asc.stage("copy_in"):
            tile = in_x.alloc_tensor(x.dtype)
            asc.data_copy(tile, xs[at:], ROWS * columns)
            in_x.enque(tile)
        with asc.stage("compute"):
            source, result = in_x.deque(x.dtype), out_y.alloc_tensor(x.dtype)
            asc.adv.softmax(result, sums.get(asc.float32), maxima.get(asc.float32), source, tiling)
            out_y.enque(result)
            in_x.free_tensor(source)
        with asc.stage("copy_out"):
            tile = out_y.deque(x.dtype)
            asc.data_copy(ys[at:], tile, ROWS * columns)
            out_y.free_tensor(tile)


def reference(x):
    powers = np.exp(x.astype(np.float64) - x.max(axis=-1, keepdims=True))
    return (powers / powers.sum(axis=-1, keepdims=True)).astype(x.dtype)


@asc.operator(reference=reference, shape=(1536, 256), dtype="float32", dtypes=("float32",), tolerance=1e-6)
def softmax(x, y, blocks):
    """e to the power of x, over the sum of the row."""
    rows, columns = x.shape
    return softmax_kernel[blocks](x, y, rows // blocks, columns)
