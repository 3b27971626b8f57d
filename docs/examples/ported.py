import numpy as np

import ascendc as asc


@asc.jit
def copy_in(i: int, source: asc.GlobalTensor, queue: asc.TQue, tile: asc.ConstExpr[int]):
    local = queue.alloc_tensor(source.dtype)
    asc.data_copy(local, source[i * tile :], count=tile)
    queue.enque(local)


@asc.jit
def copy_out(i: int, target: asc.GlobalTensor, queue: asc.TQue, tile: asc.ConstExpr[int]):
    local = queue.deque(target.dtype)
    asc.data_copy(target[i * tile :], local, count=tile)
    queue.free_tensor(local)


@asc.jit(always_compile=True)
def double_kernel(x: asc.GlobalAddress, z: asc.GlobalAddress, length: int, tile: asc.ConstExpr[int]):
    x_gm, z_gm = asc.GlobalTensor(), asc.GlobalTensor()
    x_gm.set_global_buffer(x + asc.get_block_idx() * length, length)
    z_gm.set_global_buffer(z + asc.get_block_idx() * length, length)
    pipe = asc.TPipe()
    in_x, out_z = asc.TQue(asc.TPosition.VECIN, 2), asc.TQue(asc.TPosition.VECOUT, 2)
    pipe.init_buffer(que=in_x, num=2, len=tile * x.dtype.sizeof())
    pipe.init_buffer(que=out_z, num=2, len=tile * x.dtype.sizeof())
    for i in asc.range(length // tile):
        copy_in(i, x_gm, in_x, tile)
        source, result = in_x.deque(x.dtype), out_z.alloc_tensor(x.dtype)
        asc.add(result, source, source, count=tile)
        out_z.enque(result)
        in_x.free_tensor(source)
        copy_out(i, z_gm, out_z, tile)


x = np.arange(16384, dtype=np.float32)
z = np.empty_like(x)
double_kernel[8](x, z, x.size // 8, 512)
print("right:", np.array_equal(z, 2 * x))
