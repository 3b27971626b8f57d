"""TPipe: hands out local memory and event ids to the queues and buffers of a kernel."""

from __future__ import annotations

from types import FrameType
from typing import Any

from .buffers import TQueBind
from .claims import Claim
from .core import LocalMemory, current
from .enums import HardEvent, TPosition
from .errors import CapacityError, EventError, QueueStateError, UsageError
from .pool import TBufPool, buffer_sizes, called, drain, place, settle, whole_bytes
from .site import kernel_frame
from .tbuf import TBuf


class TPipe:
    """The memory of a kernel: one per kernel at a time.

    Buffers are laid out in the order of the ``init_buffer`` calls, from address 0, and are never given back
    before ``reset`` or ``destroy``.
    """

    def __init__(self) -> None:
        self.core = current()
        self._used: dict[str, int] = {}
        self._made: list[tuple[str, TPosition, int, int, TQueBind | TBuf | TBufPool]] = []
        self.init()

    def init_buffer(self, que: TQueBind | TBuf, num: int, len: int | None = None) -> bool:
        """Give a queue ``num`` buffers of ``len`` bytes, or a TBuf ``num`` bytes; each rounded up to 32.

        Raises:
            CapacityError: they do not fit, or there are too many buffers.
            QueueStateError: the queue has buffers already.
            RangeError: a number is not positive.
        """
        frame = kernel_frame()
        count, each, nbytes = buffer_sizes(self.core, que, num, len, frame)
        memory = self.core.memory(que.position)
        self._made.append((called(que, frame), que.position, count, each, que))
        place(que, memory, self._take(memory, count * each, frame), count, each, nbytes)
        return True

    def init_buf_pool(self, pool: TBufPool, len: int, share_buf: TBufPool | None = None) -> bool:
        """Give a pool ``len`` bytes, of its own or from where ``share_buf`` starts.

        Raises:
            CapacityError: they do not fit.
            RangeError: the number is not positive.
        """
        frame = kernel_frame()
        if share_buf is None:
            self._made.append((called(pool, frame), pool.position, 0, whole_bytes(self.core, len, frame), pool))
            pool.adopt(self._take(self.core.memory(pool.position), self._made[-1][3], frame), self._made[-1][3], frame)
        else:
            pool.share(share_buf, len, frame)
            self._made.append((called(pool, frame), pool.position, 0, 0, pool))
        return True

    @property
    def queues(self) -> tuple[TQueBind, ...]:
        """The queues that have buffers, in order."""
        return tuple(que for *_, que in self._made if isinstance(que, TQueBind))

    def _take(self, memory: LocalMemory, nbytes: int, frame: FrameType) -> int:
        spec, limits, name = memory.spec, self.core.spec.limits, memory.space.name
        start = self._used.get(name, 0)
        stop = start + nbytes
        if stop > spec.bytes:
            self.core.fail(
                CapacityError,
                f"init_buffer: {name} overflow: requested {stop} B, capacity {spec.bytes} B on "
                f"{self.core.spec.name}: {self._listing(name)}; use shorter or fewer buffers",
                frame,
            )
        queued = [m for m in self._made if isinstance(m[4], TQueBind)]
        total = sum(m[2] for m in self._made)
        if total > limits.buffers:
            self.core.fail(
                CapacityError,
                f"init_buffer: {total} buffers in all, {limits.buffers} is the limit of a TPipe; use fewer, or reset()",
                frame,
            )
        if stop > spec.warn_above_bytes:
            self.core.warn(
                "capacity",
                f"init_buffer: {stop} B of {name} are in use; the vendor library stops at {spec.warn_above_bytes} B",
                frame,
            )
        position = self._made[-1][1]
        held = sum(m[2] for m in queued if m[1] is position)
        if held > limits.tensors_per_position and queued and self._made[-1] is queued[-1]:
            self.core.warn(
                "buffers",
                f"init_buffer: {held} buffers at {position.name}; only {limits.tensors_per_position} of one position "
                "can be allocated at once",
                frame,
            )
        self._used[name] = stop
        what, site = f"a buffer of {self._made[-1][0]}", self.core.site(frame)
        self.core.claims.add(Claim(self, what, site, memory.space, range(start, stop)), frame)
        return start

    def _listing(self, space: str) -> str:
        parts = [
            f"{name} {count}×{each} → {count * each}"
            for name, position, count, each, _ in self._made
            if self.core.memory(position).space.name == space
        ]
        return ", ".join(parts)

    def alloc_event_id(self, event: HardEvent) -> int:
        """Take an event id; give it back with ``release_event_id``.

        Raises:
            EventError: none is free.
        """
        self.core.events.check("alloc_event_id", event, 0)
        return self.core.events.lend(event, kernel_frame())

    def release_event_id(self, id: int, event: HardEvent) -> None:
        """Give an event id back.

        Raises:
            EventError: it was not taken.
        """
        id = self.core.events.check("release_event_id", event, id)
        if not self.core.events.is_taken(event, id):
            self.core.fail(
                EventError,
                f"release_event_id: {event.name} id {id} is not taken; give back, once, what alloc_event_id gave",
            )
        self.core.events.give(event, id)

    def fetch_event_id(self, event: HardEvent) -> int:
        """An event id that is free now, without taking it.

        Raises:
            EventError: none is.
        """
        self.core.events.check("fetch_event_id", event, 0)
        return self.core.events.peek(event)

    def get_base_addr(self, pos: TPosition) -> int:
        """Bytes in use in the memory ``pos`` lies in: where the next buffer would start."""
        return self._used.get(self.core.memory(pos).space.name, 0)

    def init(self) -> None:
        """Start over, also after ``destroy``.

        Raises:
            QueueStateError: the kernel has another TPipe.
        """
        if self.core.pipe not in (None, self):
            self.core.fail(
                QueueStateError,
                "TPipe: this kernel has one already, and both would start at address 0; "
                "call destroy() on the first before making a second",
            )
        self.reset()
        self.core.pipe = self

    def reset(self) -> None:
        """Take all memory back, once its last readers are done, for a new round of ``init_buffer``."""
        for *_, que in self._made:
            settle(que)
        self.close()
        for *_, que in self._made:
            que.release()
        self._used.clear()
        self._made.clear()
        self.core.claims.drop(self)

    def destroy(self) -> None:
        """End this TPipe; another one may be made."""
        self.reset()
        if self.core.pipe is self:
            self.core.pipe = None

    def end(self) -> None:
        """End with the block: its queues hand nothing out any more."""
        self.close()
        for queue in self.queues:
            queue.release()

    def close(self) -> None:
        """Drain the flags of its queues and note buffers that nobody freed."""
        for name, _, _, _, que in self._made:
            drain(self.core, name, que)


def get_tpipe_ptr() -> TPipe:
    """The kernel's TPipe.

    Raises:
        UsageError: it has none.
    """
    core = current()
    if core.pipe is None:
        core.fail(UsageError, "get_tpipe_ptr: this kernel has made no TPipe; pipe = asc.TPipe() comes first")
    pipe: Any = core.pipe
    return pipe  # type: ignore[no-any-return]
