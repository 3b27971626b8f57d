"""Local memory without queues: a bump allocator, and what is left over."""

from __future__ import annotations

import weakref
from typing import Any

from .claims import Claim
from .core import Core, Lease, current
from .enums import Hardware, TPosition
from .errors import CapacityError, PositionError, RangeError
from .memory import LocalTensor
from .numbers import is_whole
from .site import kernel_frame
from .tpipe import get_tpipe_ptr
from .windows import element_type


class LocalMemAllocator:
    """Hands out tensors of one memory one after another, from address 0; for kernels without a TPipe."""

    def __init__(self, hard: Hardware = Hardware.UB) -> None:
        self._core, self._hard, self._next = current(), hard, 0

    def alloc(self, pos: TPosition, dtype: Any, tile_size: int) -> LocalTensor:
        """``tile_size`` elements at the next free address.

        Raises:
            PositionError: ``pos`` lies in another memory.
            CapacityError: they do not fit.
        """
        memory = self._core.memory(pos)
        if memory.space.name != self._hard.name:
            self._core.fail(
                PositionError,
                f"alloc: {pos.name} lies in {memory.space.name}, and this allocator hands out {self._hard.name}; "
                f"make another with Hardware.{memory.space.name}",
            )
        if not is_whole(tile_size) or tile_size <= 0:
            self._core.fail(RangeError, f"alloc: tile_size must be a positive number of elements, got {tile_size!r}")
        made = LocalTensor(dtype, pos, self._next, tile_size)
        _claim(self._core, self, "a tensor of a LocalMemAllocator", made)
        align = memory.spec.align_bytes
        self._next += -(-made.nbytes // align) * align
        return made

    def get_cur_addr(self) -> int:
        """Where the next tensor will start."""
        return self._next


def pop_stack_buffer(dtype: Any, position: TPosition = TPosition.VECCALC) -> LocalTensor:
    """All memory behind the TPipe's buffers, as one tensor of elements of ``dtype``, for a moment.

    Raises:
        UsageError: the kernel has no TPipe.
        CapacityError: nothing is left.
    """
    core, start = current(), get_tpipe_ptr().get_base_addr(position)
    kind = element_type(core, "pop_stack_buffer", dtype)
    memory = core.memory(position)
    count = kind.count(memory.spec.warn_above_bytes - start)
    if count <= 0:
        core.fail(
            CapacityError,
            f"pop_stack_buffer: {start} B of {memory.space.name} are in use, nothing is left; "
            "use shorter or fewer buffers",
        )
    memory.forget(start, start + kind.nbytes(count))
    made = LocalTensor(kind, position, start, count)
    _claim(core, "stack", "a tensor of pop_stack_buffer", made)
    return made


def _claim(core: Core, owner: object, what: str, tensor: LocalTensor) -> None:
    """Give a tensor a lease of its own, and claim its bytes as long as a window on it lives."""
    tensor.lease, frame = Lease(), kernel_frame()
    where, lives = range(tensor.address, tensor.address + tensor.nbytes), weakref.ref(tensor.lease)
    core.claims.add(Claim(owner, what, core.site(frame), tensor.memory.space, where, lives), frame)
