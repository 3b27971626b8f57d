"""Buffers without a queue."""

from __future__ import annotations

import weakref
from types import FrameType
from typing import Any, NamedTuple

from .block import BLOCK
from .core import Lease, current
from .enums import TPosition
from .errors import AlignmentError, OutOfBoundsError, QueueStateError
from .memory import LocalTensor
from .site import kernel_frame, name_of
from .windows import element_type, in_bytes

RESET = "its TPipe or pool was reset"
"""What became of tensors whose memory was taken back."""


class _Given(NamedTuple):
    """What a call gave last: its line, the bytes, and who may use them, as long as a tensor of it lives."""

    line: str
    start: int
    stop: int
    lease: weakref.ref[Lease]


class TBuf:
    """A buffer without a queue, for intermediate results: no calls, no flags, always the same bytes."""

    def __init__(self, pos: TPosition = TPosition.VECCALC) -> None:
        self.core, self.position = current(), pos
        self._memory = self.core.memory(pos)
        self.address = self.nbytes = -1
        self._leases: weakref.WeakSet[Lease] = weakref.WeakSet()
        self._given: dict[tuple[int, int], _Given] = {}

    def adopt(self, address: int, nbytes: int) -> None:
        """Take these bytes; ``TPipe.init_buffer`` calls this."""
        self.address, self.nbytes = address, nbytes

    def release(self) -> None:
        """Give the bytes back, and what they hold with them; ``TPipe.reset`` calls this."""
        if self.address >= 0:
            self._memory.forget(self.address, self.address + self.nbytes)
        self.address = self.nbytes = -1
        self.end(RESET)
        self._given.clear()

    def end(self, why: str) -> None:
        """Make the tensors it gave unusable."""
        for lease in self._leases:
            lease.usable, lease.why = False, why

    def get(self, dtype: Any, len: int | None = None) -> LocalTensor:
        """The first ``len`` elements; all of them if not given.  Every call gives the same memory.

        Raises:
            OutOfBoundsError: the buffer is shorter.
        """
        return self._window(kernel_frame(), "get", dtype, len, 0)

    def get_with_offset(self, size: int, buf_offset: int, dtype: Any) -> LocalTensor:
        """``size`` elements from byte ``buf_offset`` on, a multiple of 32.

        Raises:
            AlignmentError: the offset is none.
            OutOfBoundsError: the buffer is shorter.
        """
        frame = kernel_frame()
        if self.core.whole("get_with_offset", "buf_offset", buf_offset) % BLOCK:
            self.core.fail(
                AlignmentError,
                f"get_with_offset on {self._label(frame)}: buf_offset {buf_offset} is not a multiple of {BLOCK} bytes",
                frame,
            )
        return self._window(frame, "get_with_offset", dtype, size, buf_offset)

    def _window(self, frame: FrameType, call: str, like: Any, size: int | None, offset: int) -> LocalTensor:
        if self.address < 0:
            self.core.fail(
                QueueStateError,
                f"{call} on {self._label(frame)}: it has no memory yet; call pipe.init_buffer(buf, len) first",
                frame,
            )
        kind = element_type(self.core, call, like)
        room = self.nbytes - offset
        given = "len" if call == "get" else "size"
        count = kind.count(room) if size is None else self.core.whole(call, given, size)
        nbytes = in_bytes(self.core, call, kind, count)
        if nbytes > room or offset < 0 or nbytes < 0:
            self.core.fail(
                OutOfBoundsError,
                f"{call} on {self._label(frame)}: {size} x {kind} from byte {offset} needs {nbytes} B, "
                f"it has {self.nbytes} B",
                frame,
            )
        lease = Lease()
        self._leases.add(lease)
        self._hint(frame, lease, offset, offset + nbytes)
        return LocalTensor._make(self.core, self._memory, self.position, self.address + offset, nbytes, kind, lease)

    def _label(self, frame: FrameType) -> str:
        return f"TBuf {name_of(self, frame)}".rstrip()

    def _hint(self, frame: FrameType, lease: Lease, start: int, stop: int) -> None:
        """Say so when two calls get overlapping tensors of one TBuf, and the kernel still has the earlier one."""
        key = (id(frame.f_code), frame.f_lasti)  # a line may have several calls, and a loop has one
        before = self._given.get(key)
        is_new = before is None or (before.start, before.stop) != (start, stop)
        for other, (there, low, high, taken) in self._given.items() if is_new else ():
            if other != key and low < stop and start < high and taken() is not None:
                self.core.warn(
                    "alias",
                    f"{self._label(frame)}: the tensor got at {there} and this one share bytes "
                    f"[{max(low, start)}, {min(high, stop)}); use get_with_offset or a second TBuf for separate ones",
                    frame,
                )
        self._given[key] = _Given(str(self.core.site(frame)), start, stop, weakref.ref(lease))
