"""Kernels with tensors at fixed addresses, flags and barriers by hand: what the mutation test takes apart.

Each computes z from x in a way of its own; all are right.
"""

from __future__ import annotations

import numpy as np

import ascendc as asc
from kernels.tiling import Array, Tiling, split
from kernels.transfer import window

_E = asc.HardEvent
_V = asc.PipeID.PIPE_V


@asc.operator(reference=lambda x: (x + np.float16(1)) * np.float16(2) + x, dtypes=("float16",), inputs=1)
def chain(x: Array, z: Array, blocks: int) -> asc.Program:
    """z = (x + 1) · 2 + x: dependent vector instructions, two buffers."""
    return chain_kernel[blocks](x, z, split(z, blocks, buffers=6))


@asc.kernel
def chain_kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, tiling: Tiling) -> None:
    """Load into one of two buffers, compute in place beside it, store."""
    start, length = tiling.part(asc.get_block_idx())
    xs, zs, size = window(x, start, length), window(z, start, length), tiling.tile * x.dtype.sizeof()
    a = [asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, slot * size, tiling.tile) for slot in range(2)]
    b = [asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, (2 + slot) * size, tiling.tile) for slot in range(2)]
    for slot in range(2):
        asc.set_flag(_E.V_MTE2, slot)
        asc.set_flag(_E.MTE3_V, slot)
    for number, at in enumerate(range(0, length, tiling.tile)):
        slot, count = number % 2, min(tiling.tile, length - at)
        row = asc.DataCopyExtParams(1, count * x.dtype.sizeof())
        asc.wait_flag(_E.V_MTE2, slot)
        asc.data_copy_pad(a[slot], xs[at:], row, asc.DataCopyPadExtParams())
        asc.set_flag(_E.MTE2_V, slot)
        asc.wait_flag(_E.MTE2_V, slot)
        asc.wait_flag(_E.MTE3_V, slot)
        asc.adds(b[slot], a[slot], 1, count)
        asc.pipe_barrier(_V)
        asc.muls(b[slot], b[slot], 2, count)
        asc.pipe_barrier(_V)
        asc.add(b[slot], b[slot], a[slot], count)
        asc.set_flag(_E.V_MTE2, slot)
        asc.set_flag(_E.V_MTE3, slot)
        asc.wait_flag(_E.V_MTE3, slot)
        asc.data_copy_pad(zs[at:], b[slot], row)
        asc.set_flag(_E.MTE3_V, slot)
    for slot in range(2):
        asc.wait_flag(_E.V_MTE2, slot)
        asc.wait_flag(_E.MTE3_V, slot)


@asc.operator(reference=np.copy, dtypes=("float16",), inputs=1)
def passed_on(x: Array, z: Array, blocks: int) -> asc.Program:
    """z = x, without the vector unit."""
    return passed_on_kernel[blocks](x, z, split(z, blocks, buffers=2))


@asc.kernel
def passed_on_kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, tiling: Tiling) -> None:
    """Load into one of two buffers and store from there."""
    start, length = tiling.part(asc.get_block_idx())
    xs, zs, size = window(x, start, length), window(z, start, length), tiling.tile * x.dtype.sizeof()
    buffers = [asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, slot * size, tiling.tile) for slot in range(2)]
    for slot in range(2):
        asc.set_flag(_E.MTE3_MTE2, slot)
    for number, at in enumerate(range(0, length, tiling.tile)):
        slot, row = number % 2, asc.DataCopyExtParams(1, min(tiling.tile, length - at) * x.dtype.sizeof())
        asc.wait_flag(_E.MTE3_MTE2, slot)
        asc.data_copy_pad(buffers[slot], xs[at:], row, asc.DataCopyPadExtParams())
        asc.set_flag(_E.MTE2_MTE3, slot)
        asc.wait_flag(_E.MTE2_MTE3, slot)
        asc.data_copy_pad(zs[at:], buffers[slot], row)
        asc.set_flag(_E.MTE3_MTE2, slot)
    for slot in range(2):
        asc.wait_flag(_E.MTE3_MTE2, slot)


def _by_first(x: Array) -> Array:
    z = x.copy()
    for start in range(0, x.size, 112):
        for at in range(start, min(start + 112, x.size), 32):
            tile = x[at : min(at + 32, start + 112)]
            z[at : at + tile.size] = tile * tile[0]
    return z


@asc.operator(reference=_by_first, dtypes=("float16",), inputs=1)
def scaled_by_first(x: Array, z: Array, blocks: int) -> asc.Program:
    """Each tile times its first element."""
    return scaled_by_first_kernel[blocks](x, z, split(z, blocks, buffers=2))


@asc.kernel
def scaled_by_first_kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, tiling: Tiling) -> None:
    """The scalar unit reads what was loaded, and tells the vector unit."""
    start, length = tiling.part(asc.get_block_idx())
    xs, zs = window(x, start, length), window(z, start, length)
    a = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 0, tiling.tile)
    for at in range(0, length, tiling.tile):
        count = min(tiling.tile, length - at)
        row = asc.DataCopyExtParams(1, count * x.dtype.sizeof())
        asc.data_copy_pad(a, xs[at:], row, asc.DataCopyPadExtParams())
        asc.set_flag(_E.MTE2_S, 0)
        asc.wait_flag(_E.MTE2_S, 0)
        factor = a.get_value(0)
        asc.set_flag(_E.S_V, 0)
        asc.wait_flag(_E.S_V, 0)
        asc.muls(a, a, factor, count)
        asc.set_flag(_E.V_MTE3, 0)
        asc.wait_flag(_E.V_MTE3, 0)
        asc.data_copy_pad(zs[at:], a, row)
        asc.set_flag(_E.MTE3_MTE2, 0)
        asc.wait_flag(_E.MTE3_MTE2, 0)


def _patched(x: Array) -> Array:
    z = x.copy()
    for start in range(0, x.size, 112):
        z[start : start + 112 : 32] = 5
    return z


@asc.operator(reference=_patched, dtypes=("float16",), inputs=1)
def patched(x: Array, z: Array, blocks: int) -> asc.Program:
    """z = x, the first element of each tile 5."""
    return patched_kernel[blocks](x, z, split(z, blocks, buffers=2))


@asc.kernel
def patched_kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, tiling: Tiling) -> None:
    """The scalar unit writes into what was loaded, and tells who stores it."""
    start, length = tiling.part(asc.get_block_idx())
    xs, zs = window(x, start, length), window(z, start, length)
    a = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 0, tiling.tile)
    for at in range(0, length, tiling.tile):
        row = asc.DataCopyExtParams(1, min(tiling.tile, length - at) * x.dtype.sizeof())
        asc.data_copy_pad(a, xs[at:], row, asc.DataCopyPadExtParams())
        asc.set_flag(_E.MTE2_S, 0)
        asc.wait_flag(_E.MTE2_S, 0)
        a.set_value(0, 5)
        asc.set_flag(_E.S_MTE3, 0)
        asc.wait_flag(_E.S_MTE3, 0)
        asc.data_copy_pad(zs[at:], a, row)
        asc.set_flag(_E.MTE3_MTE2, 0)
        asc.wait_flag(_E.MTE3_MTE2, 0)


@asc.operator(reference=lambda x: np.abs(x) + np.float16(3), dtypes=("float16",), inputs=1)
def one_buffer(x: Array, z: Array, blocks: int) -> asc.Program:
    """z = |x| + 3 with everything drained between the steps."""
    return one_buffer_kernel[blocks](x, z, split(z, blocks, buffers=2))


@asc.kernel
def one_buffer_kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, tiling: Tiling) -> None:
    """Barriers over all pipes, and one of the vector pipe."""
    start, length = tiling.part(asc.get_block_idx())
    xs, zs = window(x, start, length), window(z, start, length)
    a = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 0, tiling.tile)
    b = asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, 256, tiling.tile)
    for at in range(0, length, tiling.tile):
        count = min(tiling.tile, length - at)
        row = asc.DataCopyExtParams(1, count * x.dtype.sizeof())
        asc.data_copy_pad(a, xs[at:], row, asc.DataCopyPadExtParams())
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.abs(b, a, count)
        asc.pipe_barrier(_V)
        asc.adds(b, b, 3, count)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.data_copy_pad(zs[at:], b, row)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
