"""Device functions that bring tiles into queues and take them out, for any number of elements."""

from __future__ import annotations

import ascendc as asc

_BLOCK_BYTES = 32


@asc.kernel
def window(array: asc.GlobalAddress, start: int, length: int) -> asc.GlobalTensor:
    """Elements ``start`` to ``start + length`` of an array argument."""
    tensor = asc.GlobalTensor()
    tensor.set_global_buffer(array + start, length)
    return tensor


@asc.copy_in
def copy_in(queue: asc.TQue, source: asc.GlobalTensor, length: int) -> None:
    """Enqueue the first ``length`` elements of ``source``."""
    local = queue.alloc_tensor(source.dtype)
    nbytes = length * source.dtype.sizeof()
    if nbytes % _BLOCK_BYTES == 0:
        asc.data_copy(local, source, length)
    else:
        asc.data_copy_pad(local, source, asc.DataCopyExtParams(1, nbytes), asc.DataCopyPadExtParams())
    queue.enque(local)


@asc.copy_out
def copy_out(target: asc.GlobalTensor, queue: asc.TQue, length: int) -> None:
    """Store the oldest tensor of ``queue`` in the first ``length`` elements of ``target``, and not a byte more."""
    local = queue.deque(target.dtype)
    nbytes = length * target.dtype.sizeof()
    if nbytes % _BLOCK_BYTES == 0:
        asc.data_copy(target, local, length)
    else:
        asc.data_copy_pad(target, local, asc.DataCopyExtParams(1, nbytes))
    queue.free_tensor(local)
