"""Queues: buffers that go round between two pipes, with the flags that make that safe.

A buffer is FREE, OCCUPIED (``alloc_tensor``), ENQUED (``enque``), DEQUED (``deque``) and FREE again
(``free_tensor``).  Every call out of this order is an error here; on the chip it hangs or corrupts.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections import deque as fifo
from collections.abc import Sequence
from types import FrameType
from typing import Any, NoReturn

from .core import Lease, LocalMemory, current
from .directions import EVENTS, SOURCES
from .enums import TPosition
from .errors import CapacityError, PositionError, QueueStateError, UsageError
from .isa import queue_calls
from .isa.queue_calls import record
from .memory import LocalTensor
from .numbers import is_whole
from .site import kernel_frame, name_of
from .windows import element_type

_MAKE = "; each block makes queues of its own"
_HANGS = "this would wait forever on the chip (deadlock)"


class State(enum.Enum):
    """Where a buffer is on its round."""

    FREE = "free"
    OCCUPIED = "allocated, not enqueued"
    ENQUED = "enqueued"
    DEQUED = "dequeued, not freed"


class Buffer:
    """One buffer of a queue.

    Attributes:
        queue: whose it is.
        address, nbytes: where it lies.
        state: where it is on its round.
        lease: who may use it; a new one for each round.
        full, free: ids of the pending flags, −1 if there is none.
    """

    __slots__ = ("address", "free", "full", "lease", "nbytes", "queue", "state")

    def __init__(self, queue: TQueBind, address: int, nbytes: int) -> None:
        self.queue, self.address, self.nbytes = queue, address, nbytes
        self.state, self.lease = State.FREE, Lease()
        self.full = self.free = -1


class TQueBind:
    """A queue of buffers from position ``src`` to position ``dst``; at most ``depth`` are enqueued at once.

    The buffers come from ``pipe.init_buffer(queue, num, len)``.  Depth 0 is the in-place form:
    ``alloc_tensor(tensor)`` and ``deque(tensor)`` fill in a tensor made before.
    """

    def __init__(self, src: TPosition, dst: TPosition, depth: int, mask: int = 0) -> None:
        self._bind(src, dst, dst if src is TPosition.GM else src, depth)

    def _bind(self, src: TPosition, dst: TPosition, position: TPosition, depth: int) -> None:
        core = current()
        if not is_whole(depth) or depth < 0:
            core.fail(UsageError, f"{type(self).__name__}: depth must be a whole number, 0 or more, got {depth!r}")
        self.core, self.position, self.depth = core, position, depth
        self._buffers: list[Buffer] = []
        self._filled: fifo[Buffer] = fifo()
        self._next = 0
        self._memory: LocalMemory | None = None
        ends = ("GM" if p in (TPosition.GM, TPosition.CO2) else core.memory(p).space.name for p in (src, dst))
        events = EVENTS.get((next(ends), next(ends)))
        if events is None:
            there = ", ".join(f"{a} to {b}" for a, b in EVENTS)
            core.fail(
                PositionError,
                f"{type(self).__name__}: there is no queue from {src.name} to {dst.name}; the memories joined by one "
                f"are: {there}",
            )
        self.fill_event, self.free_event = events

    def adopt(self, memory: LocalMemory, buffers: list[tuple[int, int]]) -> None:
        """Take (address, bytes) of ``memory`` as buffers; ``TPipe.init_buffer`` calls this."""
        self._memory = memory
        self._buffers = [Buffer(self, a, n) for a, n in buffers]

    def release(self) -> None:
        """Give the buffers back; ``TPipe.reset`` calls this."""
        self._buffers = []
        self._filled.clear()
        self._next = 0

    @property
    def buffers(self) -> tuple[Buffer, ...]:
        """Its buffers, in order."""
        return tuple(self._buffers)

    def label(self, frame: FrameType | None = None) -> str:
        """What the kernel calls this queue: ``queue qx (VECIN, num 2, depth 1)``."""
        name = name_of(self, frame or kernel_frame())
        return (
            f"queue {name} " if name else "the queue "
        ) + f"({self.position.name}, num {len(self._buffers)}, depth {self.depth})"

    def alloc_tensor(self, dtype: Any = None, *, tensor: LocalTensor | None = None) -> LocalTensor:
        """Take the next buffer; its content is random.

        Args:
            dtype: the element type; with depth 0, the tensor to fill in, which may be called by its name, too.
            tensor: that tensor.

        Raises:
            QueueStateError: no buffer is free: on the chip this would wait forever.
            CapacityError: too many tensors of this position are out.
        """
        frame, core = kernel_frame(), self.core
        if not self._buffers:
            what = "it has no buffers yet; call pipe.init_buffer(queue, num, len) first"
            self._fail(frame, "alloc_tensor", what if core.lease.usable else core.lease.why + _MAKE)
        buffer = self._buffers[self._next]
        if buffer.state is not State.FREE:
            self._nothing_free(frame, buffer)
        live = core.live.get(self.position, 0)
        if live >= core.spec.limits.tensors_per_position:
            core.fail(
                CapacityError,
                f"alloc_tensor on {self.label(frame)}: {live} tensors of {self.position.name} are allocated, "
                f"{core.spec.limits.tensors_per_position} at once is the limit; held: {self._held_at_position()}; "
                "free one first",
                frame,
            )
        core.live[self.position] = live + 1
        self._next = (self._next + 1) % len(self._buffers)
        event = None
        if buffer.free >= 0:
            event = (self.free_event, buffer.free)
            core.events.give(*event)
            buffer.free = -1
        record(core, queue_calls.alloc_tensor, frame, buffer.address, buffer.nbytes, event)
        buffer.state, buffer.lease = State.OCCUPIED, Lease(core.site(frame))
        assert self._memory is not None
        self._memory.forget(buffer.address, buffer.address + buffer.nbytes)
        return self._tensor(buffer, dtype if tensor is None else tensor)

    def enque(
        self, tensor: LocalTensor, src_user_pos: TPosition | None = None, dst_user_pos: TPosition | None = None
    ) -> bool:
        """Hand a tensor on; the positions are those of its queue, whatever they are said to be.

        Raises:
            QueueStateError: the queue is full, or the tensor is not one it may take.
        """
        frame, core = kernel_frame(), self.core
        buffer = self._own(frame, "enque", tensor)
        if tensor.lease is not buffer.lease or not tensor.lease.usable:
            self._fail(frame, "enque", f"the tensor cannot be enqueued: {tensor.lease.reason}")
        if len(self._filled) >= max(1, self.depth):
            self._fail(
                frame,
                "enque",
                f"as many tensors are enqueued as its depth allows; held: {_held(self._buffers)}; deque one first, "
                "or make the queue deeper",
            )
        buffer.full = core.events.take(self.fill_event, frame)
        record(core, queue_calls.enque, frame, buffer.address, buffer.nbytes, (self.fill_event, buffer.full))
        buffer.state = State.ENQUED
        buffer.lease.usable, buffer.lease.why = False, "it is in its queue; deque it first"
        self._filled.append(buffer)
        return True

    def deque(self, dtype: Any = None, *, tensor: LocalTensor | None = None) -> LocalTensor:
        """Receive the oldest tensor; its consumer waits until it is filled.

        Args:
            dtype: the element type; with depth 0, the tensor to fill in, which may be called by its name, too.
            tensor: that tensor.

        Raises:
            QueueStateError: nothing is enqueued.
        """
        frame, core = kernel_frame(), self.core
        if not self._filled:
            held = [f"{b.lease.site}" for b in self._buffers if b.state is State.OCCUPIED]
            hint = f"{len(held)} allocated but not enqueued, at {', '.join(held)}" if held else "nothing is allocated"
            self._fail(frame, "deque", f"it is empty ({hint}); enque comes first")
        buffer = self._filled.popleft()
        event = (self.fill_event, buffer.full)
        core.events.give(*event)
        buffer.full = -1
        record(core, queue_calls.deque, frame, buffer.address, buffer.nbytes, event)
        buffer.state = State.DEQUED
        buffer.lease.usable = True
        return self._tensor(buffer, dtype if tensor is None else tensor)

    def free_tensor(self, tensor: LocalTensor) -> None:
        """Give a tensor back.

        Raises:
            QueueStateError: it was freed already, is enqueued, or belongs to another queue.
        """
        frame, core = kernel_frame(), self.core
        buffer = self._own(frame, "free_tensor", tensor)
        if tensor.lease is not buffer.lease or not tensor.lease.usable:
            self._fail(frame, "free_tensor", f"the tensor cannot be freed: {tensor.lease.reason}")
        core.live[self.position] -= 1
        buffer.free = core.events.take(self.free_event, frame)
        record(core, queue_calls.free_tensor, frame, buffer.address, buffer.nbytes, (self.free_event, buffer.free))
        buffer.state = State.FREE
        buffer.lease.end("it was freed", core.site(frame))

    def free_all_event(self) -> None:
        """Wait for every buffer's last reader, and give the flags back."""
        frame, core = kernel_frame(), self.core
        for buffer in self._buffers:
            if buffer.free >= 0:
                event = (self.free_event, buffer.free)
                core.events.give(*event)
                buffer.free = -1
                record(core, queue_calls.free_all_event, frame, buffer.address, buffer.nbytes, event)

    def vacant_in_que(self) -> bool:
        """Whether another tensor can be enqueued."""
        self._needs_depth("vacant_in_que")
        return len(self._filled) < self.depth

    def has_tensor_in_que(self) -> bool:
        """Whether a tensor is enqueued."""
        self._needs_depth("has_tensor_in_que")
        return bool(self._filled)

    def get_tensor_count_in_que(self) -> int:
        """How many tensors are enqueued."""
        self._needs_depth("get_tensor_count_in_que")
        return len(self._filled)

    def has_idle_buffer(self) -> bool:
        """Whether a buffer is free."""
        self._needs_depth("has_idle_buffer")
        return any(b.state is State.FREE for b in self._buffers)

    def _tensor(self, buffer: Buffer, like: Any) -> LocalTensor:
        assert self._memory is not None
        if isinstance(like, LocalTensor):
            made, kind = like, like.dtype
            made.core, made.memory, made.position = self.core, self._memory, self.position
            made.address, made.nbytes, made.lease = buffer.address, buffer.nbytes, buffer.lease
        else:
            kind = element_type(self.core, "alloc_tensor" if buffer.state is State.OCCUPIED else "deque", like)
            made = LocalTensor._make(
                self.core, self._memory, self.position, buffer.address, buffer.nbytes, kind, buffer.lease
            )
        made.nbytes = buffer.nbytes // kind.itemsize * kind.itemsize
        made.buffer = buffer
        return made

    def _own(self, frame: FrameType, call: str, tensor: Any) -> Buffer:
        buffer: Buffer | None = getattr(tensor, "buffer", None)
        if buffer is None or buffer.queue is not self:
            whose = buffer.queue.label(frame) if buffer else "no queue"
            what = name_of(tensor, frame) or "given"
            self._fail(frame, call, f"the tensor {what} is not one of its own; it belongs to {whose}")
        return buffer

    def _needs_depth(self, call: str) -> None:
        if not self.depth:
            self._fail(kernel_frame(1), call, "a queue of depth 0 cannot be asked; make it with depth 1 or more")

    def _held_at_position(self) -> str:
        queues = self.core.pipe.queues if self.core.pipe else ()
        return _held([b for queue in queues if queue.position is self.position for b in queue.buffers])

    def _nothing_free(self, frame: FrameType, buffer: Buffer) -> NoReturn:
        what = f"no buffer is free, {_HANGS}; held: {_held(self._buffers)}"
        way_out = "free_tensor one first, or raise num in init_buffer"
        if any(b.state is State.FREE for b in self._buffers):
            what = f"buffers go round, and the next is not free, {_HANGS}; held: {_held([buffer])}"
            way_out = "free_tensor that one first: tensors are freed in the order they were taken"
        self._fail(frame, "alloc_tensor", f"{what}; {way_out}")

    def _fail(self, frame: FrameType, call: str, text: str) -> NoReturn:
        current().fail(QueueStateError, f"{call} on {self.label(frame)}: {text}", frame)


def _held(buffers: Sequence[Buffer]) -> str:
    """The buffers that are not free, by the line that took them."""
    held = Counter(f"{b.lease.site} ({b.state.value})" for b in buffers if b.state is not State.FREE)
    return ", ".join(f"{n} × {what}" if n > 1 else what for what, n in held.items())


class TQue(TQueBind):
    """A queue at ``pos``: ``VECIN`` brings tensors in, ``VECOUT`` takes them out."""

    def __init__(self, pos: TPosition, depth: int, mask: int = 0) -> None:
        core = current()
        if not isinstance(pos, TPosition):
            core.fail(PositionError, f"TQue: pos must be a TPosition, as TPosition.VECIN, got {pos!r}")
        ends = SOURCES.get(pos)
        if ends is None:
            there = ", ".join(p.name for p in SOURCES)
            core.fail(PositionError, f"TQue: {pos.name} is no queue position; there are: {there}")
        self._bind(*ends, pos, depth)
