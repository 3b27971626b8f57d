"""Temporary memory of high-level functions: the caller's buffer, or what is left of UB."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from ..access import need_bytes, need_local
from ..allocate import pop_stack_buffer
from ..block import whole_blocks
from ..core import Core, current
from ..dtypes import uint8
from ..enums import TPosition
from ..errors import CapacityError, UsageError, WorkspaceError
from ..isa.vector import UB
from ..memory import LocalTensor


def elements_of(shape: int | Sequence[int]) -> int:
    """Elements of a tensor, given their number or its shape."""
    return shape if isinstance(shape, int) else prod(shape)


class Scratch:
    """The temporary memory of one call, handed out from its start.

    Attributes:
        memory: all of it.
    """

    __slots__ = ("_next", "memory")

    def __init__(self, call: str, temp_buffer: LocalTensor | None, least: int) -> None:
        """Use ``temp_buffer``, or without one everything behind the TPipe's buffers.

        Args:
            call: the function that works in it, for its errors.
            temp_buffer: of any element type.
            least: bytes it cannot do without.

        Raises:
            WorkspaceError: the buffer has fewer.
            CapacityError: there are fewer behind the TPipe's buffers.
            UsageError: there is neither a buffer nor a TPipe.
        """
        core = current()
        self.memory = _given(core, call, temp_buffer, least) if temp_buffer is not None else _rest(core, call, least)
        self._next = 0

    @property
    def nbytes(self) -> int:
        """Bytes of it."""
        return self.memory.nbytes

    def take(self, dtype: Any, count: int) -> LocalTensor:
        """The next ``count`` elements of ``dtype``, from a multiple of 32 bytes on."""
        made = self.memory[self._next :].reinterpret_cast(dtype)[:count]
        self._next += whole_blocks(made.get_length())
        return made

    def rewind(self) -> None:
        """Hand out the same memory again."""
        self._next = 0


def _given(core: Core, call: str, buffer: LocalTensor, least: int) -> LocalTensor:
    need_local(core, call, "temp_buffer", buffer, UB)
    if buffer.nbytes < least:
        core.fail(
            WorkspaceError,
            f"{call}: temp_buffer has {buffer.nbytes} B, at least {least} B are needed, {least - buffer.nbytes} B are "
            f"missing; get_{call}_max_min_tmp_size says how many on the host",
        )
    need_bytes(core, call, "temp_buffer", buffer, least)
    return buffer.reinterpret_cast(uint8)


def _rest(core: Core, call: str, least: int) -> LocalTensor:
    """What is left of UB, below the end that the vendor library keeps for itself."""
    if not least:
        return LocalTensor(uint8, TPosition.VECCALC, 0, 1)[:0]
    if core.pipe is None:
        core.fail(
            UsageError,
            f"{call}: without a TPipe nobody knows which part of UB is free; pass temp_buffer ({least} B or more)",
        )
    memory = core.memory(TPosition.VECCALC).spec
    start = core.pipe.get_base_addr(TPosition.VECCALC)
    left = max(0, min(memory.warn_above_bytes, memory.bytes - core.spec.vector.scratch_bytes) - start)
    if left < least:
        core.fail(
            CapacityError,
            f"{call}: {least} B of temporary memory are needed, {left} B of UB are left behind the TPipe's buffers, "
            f"{least - left} B are missing; shorten the buffers, or pass temp_buffer",
        )
    return pop_stack_buffer(uint8)[:left]
