"""An addition written against the other Python spelling: no TPipe, tensors at addresses, flags by hand."""

import numpy as np

import ascendc as asc

USE_CORE_NUM = 8
BUFFER_NUM = 2
TILE_NUM = 8


@asc.jit
def vadd_kernel(
    x: asc.GlobalAddress,
    y: asc.GlobalAddress,
    z: asc.GlobalAddress,
    block_length: asc.ConstExpr[int],
    buffer_num: asc.ConstExpr[int],
    tile_num: asc.ConstExpr[int],
):
    offset = asc.get_block_idx() * block_length
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x + offset)
    y_gm.set_global_buffer(y + offset)
    z_gm.set_global_buffer(z + offset)

    tile_length = block_length // tile_num // buffer_num
    data_type = x.dtype
    area = tile_length * buffer_num * data_type.sizeof()
    x_local = asc.LocalTensor(data_type, asc.TPosition.VECIN, 0, tile_length * buffer_num)
    y_local = asc.LocalTensor(data_type, asc.TPosition.VECIN, area, tile_length * buffer_num)
    z_local = asc.LocalTensor(data_type, asc.TPosition.VECOUT, area * 2, tile_length * buffer_num)

    for i in asc.range(tile_num * buffer_num):
        buf_id = i % buffer_num
        at = buf_id * tile_length
        if i >= buffer_num:
            asc.wait_flag(asc.HardEvent.MTE3_MTE2, buf_id)
        asc.data_copy(x_local[at:], x_gm[i * tile_length :], count=tile_length)
        asc.data_copy(y_local[at:], y_gm[i * tile_length :], count=tile_length)
        asc.set_flag(asc.HardEvent.MTE2_V, buf_id)
        asc.wait_flag(asc.HardEvent.MTE2_V, buf_id)
        asc.add(z_local[at:], x_local[at:], y_local[at:], tile_length)
        asc.set_flag(asc.HardEvent.V_MTE3, buf_id)
        asc.wait_flag(asc.HardEvent.V_MTE3, buf_id)
        asc.data_copy(z_gm[i * tile_length :], z_local[at:], count=tile_length)
        asc.set_flag(asc.HardEvent.MTE3_MTE2, buf_id)
    for buf_id in asc.static_range(buffer_num):
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, buf_id)


def vadd_launch(x, y):
    z = np.empty_like(x)
    program = vadd_kernel[USE_CORE_NUM](x, y, z, z.size // USE_CORE_NUM, BUFFER_NUM, TILE_NUM)
    return z, program
