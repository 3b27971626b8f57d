"""TBufPool: a part of local memory whose buffers are laid out anew for each phase of a kernel.

Also here: what a pool and the TPipe share, the laying out of queues and buffers and their end.
"""

from __future__ import annotations

from types import FrameType
from typing import Any

from .block import whole_blocks
from .buffers import State, TQueBind
from .core import Core, LocalMemory, current
from .enums import TPosition
from .errors import CapacityError, QueueStateError, RangeError, UsageError
from .numbers import is_whole
from .site import kernel_frame, name_of
from .tbuf import RESET, TBuf

_TWICE = "has its memory already; take it back with reset() on its TPipe or pool before giving it another"


class TBufPool:
    """A region of local memory for queues, buffers and smaller pools.

    ``TPipe.init_buf_pool`` gives it its bytes; ``reset`` takes all its buffers back, for the next phase.
    """

    def __init__(self, pos: TPosition = TPosition.VECCALC, buf_id_size: int = 4) -> None:
        self.core, self.position = current(), pos
        self._memory = self.core.memory(pos)
        self._most = buf_id_size
        self.address = self.nbytes = -1
        self._used = 0
        self._made: list[tuple[str, TQueBind | TBuf | TBufPool]] = []
        self._buffers = 0
        self._sharing: list[TBufPool] = []

    def adopt(self, address: int, nbytes: int, frame: FrameType) -> None:
        """Take these bytes."""
        if self.address >= 0:
            self.core.fail(QueueStateError, f"init_buf_pool: {called(self, frame)} {_TWICE}", frame)
        self.address, self.nbytes, self._used = address, nbytes, 0

    def share(self, other: TBufPool, nbytes: Any, frame: FrameType) -> None:
        """Take bytes from where another pool starts; the two are for different phases.

        Raises:
            CapacityError: the other pool is smaller.
        """
        each = whole_bytes(self.core, nbytes, frame)
        other.need_memory("init_buf_pool", frame)
        if each > other.nbytes:
            self.core.fail(
                CapacityError,
                f"init_buf_pool: {called(self, frame)} asks for {each} B of {called(other, frame)}, which has "
                f"{other.nbytes} B; give the larger pool its memory first",
                frame,
            )
        self.adopt(other.address, each, frame)
        self._sharing.append(other)
        other._sharing.append(self)

    def init_buffer(self, que: TQueBind | TBuf, num: int, len: int | None = None) -> bool:
        """As ``TPipe.init_buffer``, out of this pool.

        Raises:
            CapacityError: they do not fit, or there are more than ``buf_id_size``.
        """
        frame = kernel_frame()
        count, each, nbytes = buffer_sizes(self.core, que, num, len, frame)
        self._buffers += count
        if self._buffers > self._most:
            self.core.fail(
                CapacityError,
                f"init_buffer: {self._buffers} buffers in {called(self, frame)}, which has ids for {self._most}; "
                "raise buf_id_size",
                frame,
            )
        start = self._take("init_buffer", count * each, frame)
        self._warn_of_neighbours(start, start + count * each, frame)
        place(que, self._memory, start, count, each, nbytes)
        self._made.append((called(que, frame), que))
        return True

    def init_buf_pool(self, pool: TBufPool, len: int, share_buf: TBufPool | None = None) -> bool:
        """As ``TPipe.init_buf_pool``, out of this pool."""
        frame = kernel_frame()
        if share_buf is None:
            each = whole_bytes(self.core, len, frame)
            pool.adopt(self._take("init_buf_pool", each, frame), each, frame)
        else:
            pool.share(share_buf, len, frame)
        self._made.append((called(pool, frame), pool))
        return True

    def reset(self) -> None:
        """Wait for the last readers of its queues and take all its memory back."""
        self.settle()
        self.close()
        for _, que in self._made:
            que.release()
        self._made.clear()
        self._used = self._buffers = 0

    def settle(self) -> None:
        """Wait for the last readers of its queues."""
        for _, que in self._made:
            settle(que)

    def release(self) -> None:
        """Give its own bytes back; ``init_buf_pool`` may give it others."""
        self.reset()
        self.address = self.nbytes = -1

    def close(self) -> None:
        """Drain the flags of its queues."""
        for name, que in self._made:
            drain(self.core, name, que)

    def need_memory(self, call: str, frame: FrameType) -> None:
        """Check that it has been given its bytes.

        Raises:
            QueueStateError: it has not.
        """
        if self.address < 0:
            self.core.fail(
                QueueStateError,
                f"{call}: {called(self, frame)} has no memory yet; call pipe.init_buf_pool(pool, len) first",
                frame,
            )

    def _warn_of_neighbours(self, start: int, stop: int, frame: FrameType) -> None:
        """Say so if a pool that shares these bytes has buffers on them still."""
        for other in self._sharing:
            if start < other.address + other._used and other.address < stop:
                self.core.warn(
                    "alias",
                    f"init_buffer: {called(self, frame)} shares its bytes with {called(other, frame)}, which has "
                    f"buffers on the first {other._used} of them; reset that pool before this one gets buffers",
                    frame,
                )

    def _take(self, call: str, nbytes: int, frame: FrameType) -> int:
        self.need_memory(call, frame)
        start = self.address + self._used
        if self._used + nbytes > self.nbytes:
            self.core.fail(
                CapacityError,
                f"{call}: {called(self, frame)} overflow: {self._used} + {nbytes} B, it has {self.nbytes} B; "
                "make it larger, or reset it first",
                frame,
            )
        self._used += nbytes
        return start


def whole_bytes(core: Core, nbytes: Any, frame: FrameType) -> int:
    """A length rounded up to whole blocks.

    Raises:
        RangeError: it is no positive whole number.
    """
    if not is_whole(nbytes) or nbytes <= 0:
        core.fail(RangeError, f"init_buf_pool: len must be a positive whole number, got {nbytes!r}", frame)
    return whole_blocks(int(nbytes))


def buffer_sizes(core: Core, que: Any, num: Any, nbytes: Any, frame: FrameType) -> tuple[int, int, int]:
    """Buffers of a queue or TBuf, bytes of each rounded up to whole blocks, and bytes asked for.

    Raises:
        UsageError: it is neither, or of another block.
        QueueStateError: it has buffers already.
        RangeError: a number is not positive.
    """
    if not isinstance(que, TQueBind | TBuf):
        core.fail(UsageError, f"init_buffer: que must be a TQue, a TQueBind or a TBuf, got {que!r}", frame)
    for what, owner in (("its TPipe or pool", core), (called(que, frame), que.core)):
        if owner is not current():
            text = f"init_buffer: {what} is of a block that has ended or waits; each block makes its own"
            current().fail(UsageError, text, frame)
    count, each = (1, num if nbytes is None else nbytes) if isinstance(que, TBuf) else (num, nbytes)
    for name, value in (("num", count), ("len", each)):
        if not is_whole(value) or value <= 0:
            core.fail(RangeError, f"init_buffer: {name} must be a positive whole number, got {value!r}", frame)
    if que.buffers if isinstance(que, TQueBind) else que.nbytes > 0:
        core.fail(QueueStateError, f"init_buffer: {called(que, frame)} {_TWICE}", frame)
    return int(count), whole_blocks(int(each)), int(each)


def place(que: TQueBind | TBuf, memory: LocalMemory, start: int, count: int, each: int, nbytes: int) -> None:
    """Lay a queue's or TBuf's buffers out from byte ``start`` on."""
    if isinstance(que, TBuf):
        que.adopt(start, nbytes)
    else:
        que.adopt(memory, [(start + i * each, each) for i in range(count)])


def drain(core: Core, name: str, que: TQueBind | TBuf | TBufPool) -> None:
    """Give back the flags of a queue, and note buffers that nobody freed."""
    if isinstance(que, TBufPool):
        que.close()
    if isinstance(que, TBuf):
        que.end(RESET)
    if not isinstance(que, TQueBind):
        return
    held = [b for b in que.buffers if b.state is not State.FREE]
    if held:
        sites = tuple(dict.fromkeys(str(b.lease.site) for b in held))
        what = "1 tensor" if len(held) == 1 else f"{len(held)} tensors"
        core.note(
            "leak",
            f"{what} of {name} never freed (taken at {', '.join(sites)}); free_tensor them",
            sites,
        )
        core.live[que.position] -= len(held)
    for buffer in held:
        buffer.lease.usable, buffer.lease.why = False, RESET
    for buffer in que.buffers:
        for event, index in ((que.fill_event, buffer.full), (que.free_event, buffer.free)):
            if index >= 0:
                core.events.give(event, index)


def settle(que: TQueBind | TBuf | TBufPool) -> None:
    """Wait for the last readers of a queue, or of all queues of a pool."""
    if isinstance(que, TQueBind):
        que.free_all_event()
    elif isinstance(que, TBufPool):
        que.settle()


def called(que: object, frame: FrameType) -> str:
    """What the kernel calls a queue, buffer or pool."""
    return name_of(que, frame) or type(que).__name__
