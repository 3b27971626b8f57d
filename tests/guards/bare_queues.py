"""Queues as the vendor's library runs them on the chip, where its own assertions are off; part of ``bare.py``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ascendc.language.enums import HardEvent, TPosition
from tests.guards.bare_chip import NOW, UB_BYTES, Breach
from tests.guards.bare_tensors import BLOCK_BYTES, LocalTensor

_EVENTS = {
    (TPosition.GM, TPosition.VECIN): (HardEvent.MTE2_V, HardEvent.V_MTE2),
    (TPosition.VECOUT, TPosition.GM): (HardEvent.V_MTE3, HardEvent.MTE3_V),
    (TPosition.VECIN, TPosition.VECOUT): (HardEvent.MTE2_MTE3, HardEvent.MTE3_MTE2),
}


class TPipe:
    """Buffers one after another."""

    def __init__(self) -> None:
        self._used = 0

    def init_buffer(self, que: Any, num: int, len: int | None = None) -> None:
        count, nbytes = (1, num) if len is None else (num, len)
        each = -(-nbytes // BLOCK_BYTES) * BLOCK_BYTES
        que.adopt([self._used + i * each for i in range(count)])
        self._used += count * each
        if self._used > UB_BYTES:
            raise Breach("UB is full")


class TBuf:
    """A buffer without a queue."""

    def __init__(self, pos: TPosition = TPosition.VECCALC) -> None:
        self._address = 0

    def adopt(self, addresses: list[int]) -> None:
        (self._address,) = addresses

    def get(self, dtype: Any, len: int = 0) -> LocalTensor:
        return LocalTensor(dtype, TPosition.VECCALC, self._address)

    def get_with_offset(self, size: int, buf_offset: int, dtype: Any) -> LocalTensor:
        return LocalTensor(dtype, TPosition.VECCALC, self._address + buf_offset)


@dataclass(eq=False)
class Buffer:
    """A buffer of a queue on its round, with the ids of the flags that are raised for it."""

    queue: TQueBind
    address: int
    state: str = "free"
    full: int = -1
    empty: int = -1


class TQueBind:
    """A queue."""

    def __init__(self, src: TPosition, dst: TPosition, depth: int) -> None:
        self._fill, self._empty = _EVENTS[src, dst]
        self._depth, self._next = max(1, depth), 0
        self._buffers: list[Buffer] = []
        self._filled: list[Buffer] = []
        NOW[-1].at_end.append(self.drain)

    def adopt(self, addresses: list[int]) -> None:
        self._buffers = [Buffer(self, a) for a in addresses]

    def alloc_tensor(self, dtype: Any) -> LocalTensor:
        if not self._buffers:
            raise Breach("no buffers")
        buffer = self._buffers[self._next]
        self._next = (self._next + 1) % len(self._buffers)
        if buffer.state != "free":
            raise Breach("hang: nothing is free")
        if buffer.empty >= 0:
            NOW[-1].wait_flag(self._empty, buffer.empty)
            NOW[-1].give(self._empty, buffer.empty)
        buffer.empty, buffer.state = -1, "taken"
        return LocalTensor(dtype, TPosition.VECIN, buffer.address, buffer=buffer)

    def enque(self, tensor: LocalTensor) -> None:
        buffer = self._own(tensor)
        if buffer.state not in ("taken", "out") or len(self._filled) >= self._depth:
            raise Breach("enque out of turn")
        buffer.full, buffer.state = NOW[-1].take(self._fill), "full"
        NOW[-1].set_flag(self._fill, buffer.full, queued=True)
        self._filled.append(buffer)

    def deque(self, dtype: Any) -> LocalTensor:
        if not self._filled:
            raise Breach("deque of nothing")
        buffer = self._filled.pop(0)
        NOW[-1].wait_flag(self._fill, buffer.full)
        NOW[-1].give(self._fill, buffer.full)
        buffer.full, buffer.state = -1, "out"
        return LocalTensor(dtype, TPosition.VECIN, buffer.address, buffer=buffer)

    def free_tensor(self, tensor: LocalTensor) -> None:
        buffer = self._own(tensor)
        if buffer.state == "free":
            raise Breach("freed twice")
        buffer.empty, buffer.state = NOW[-1].take(self._empty), "free"
        NOW[-1].set_flag(self._empty, buffer.empty, queued=True)

    def drain(self) -> None:
        """Lower the flags that are left, as the TPipe does at the end."""
        for buffer in self._buffers:
            for event, index in ((self._fill, buffer.full), (self._empty, buffer.empty)):
                if index >= 0:
                    NOW[-1].lower(event, index)

    def _own(self, tensor: LocalTensor) -> Buffer:
        buffer: Buffer | None = tensor.buffer
        if buffer is None or buffer.queue is not self:
            raise Breach("a tensor of another queue")
        return buffer


def TQue(pos: TPosition, depth: int) -> TQueBind:  # noqa: N802  it stands in for a class
    """A queue in its usual direction."""
    ends = {TPosition.VECIN: (TPosition.GM, TPosition.VECIN), TPosition.VECOUT: (TPosition.VECOUT, TPosition.GM)}
    return TQueBind(*ends[pos], depth)
