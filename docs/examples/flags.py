"""z = x + y with buffers at fixed addresses and flags by hand."""

import numpy as np

import ascendc as asc
from ascendc import HardEvent

TILE = 2048


@asc.kernel
def add_kernel(x, y, z, length):
    xs, ys, zs = asc.GlobalTensor(), asc.GlobalTensor(), asc.GlobalTensor()
    for tensor, array in (xs, x), (ys, y), (zs, z):
        tensor.set_global_buffer(array + asc.get_block_idx() * length, length)
    nbytes = TILE * x.dtype.sizeof()
    a = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, TILE)
    b = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, nbytes, TILE)
    c = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 2 * nbytes, TILE)
    asc.set_flag(HardEvent.V_MTE2)
    asc.set_flag(HardEvent.MTE3_V)
    for at in range(0, length, TILE):
        asc.wait_flag(HardEvent.V_MTE2)
        asc.data_copy(a, xs[at:], TILE)
        asc.data_copy(b, ys[at:], TILE)
        asc.set_flag(HardEvent.MTE2_V)
        asc.wait_flag(HardEvent.MTE2_V)
        asc.wait_flag(HardEvent.MTE3_V)
        asc.add(c, a, b, TILE)
        asc.set_flag(HardEvent.V_MTE2)
        asc.set_flag(HardEvent.V_MTE3)
        asc.wait_flag(HardEvent.V_MTE3)
        asc.data_copy(zs[at:], c, TILE)
        asc.set_flag(HardEvent.MTE3_V)
    asc.wait_flag(HardEvent.V_MTE2)
    asc.wait_flag(HardEvent.MTE3_V)


@asc.operator(reference=np.add, shape=(8, 16384), blocks=8)
def add(x, y, z, blocks):
    """x + y, one buffer for each operand."""
    return add_kernel[blocks](x, y, z, x.size // blocks)
