"""Automatic order inside a core, as the vendor compiler inserts it by default.

Between vector instructions whose operands overlap: a barrier of the vector pipe.  Around a scalar read or
write of local memory: a flag to and from the pipes that touch the same bytes.  Never between the transfer
pipes and the vector pipe: that is the author's work, or the queue's.  Everything inserted is an ordinary
row, marked ``auto``, and costs what it costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .enums import HardEvent, PipeID
from .program import Footprint, Kind, Space, Template

if TYPE_CHECKING:
    from types import FrameType

    from .core import Core

_GRAIN = 5
"""Operands are compared by blocks of 2^5 bytes, the vector unit's own."""

_WITHIN = (1 << _GRAIN) - 1
Index = NDArray[np.int64]

_LATE = {PipeID.PIPE_V: HardEvent.V_S, PipeID.PIPE_MTE2: HardEvent.MTE2_S, PipeID.PIPE_MTE3: HardEvent.MTE3_S}
_EARLY = {PipeID.PIPE_V: HardEvent.S_V, PipeID.PIPE_MTE3: HardEvent.S_MTE3, PipeID.PIPE_MTE2: HardEvent.S_MTE2}
_ONES = memoryview(b"\1" * (1 << 16))


class Blocks:
    """Blocks of UB that something was done to."""

    __slots__ = ("_marks", "_zero")

    def __init__(self, count: int) -> None:
        self._zero, self._marks = bytes(count), bytearray(count)

    def add(self, start: int, nbytes: int) -> None:
        """Note these bytes."""
        low, high = start >> _GRAIN, (start + nbytes + 31) >> _GRAIN
        self._marks[low:high] = _ONES[: high - low]

    def add_footprint(self, f: Footprint, address: int) -> None:
        """Note exactly the blocks of a footprint."""
        if f.levels:
            np.frombuffer(self._marks, np.uint8)[_blocks(f, address)] = 1
        else:
            self.add(address + f.offset, f.nbytes)

    def meets(self, start: int, nbytes: int) -> bool:
        """Whether any of these bytes lies in a noted block."""
        return self._marks.find(1, start >> _GRAIN, (start + nbytes + 31) >> _GRAIN) >= 0

    def clear(self) -> None:
        """Forget all."""
        self._marks[:] = self._zero


class AutoSync:
    """What the vector pipe has touched since its last barrier, and who must know what of the scalar unit.

    Blocks the vector pipe touched are bits of a number: whatever gaps instructions leave, one operation compares all.

    Attributes:
        enabled: whether anything is inserted.
        scalar_writes: whether the scalar unit has written anything yet.
    """

    __slots__ = (
        *("_at", "_busy", "_core", "_read", "_scanned", "_untold", "_written"),
        *("enabled", "scalar_writes"),
    )

    def __init__(self, core: Core, *, enabled: bool) -> None:
        self._core = core
        self.enabled = enabled
        ub = core.chip.memory.get("ub")
        blocks = -(-ub.bytes >> _GRAIN) if ub else 0
        self._read = self._written = 0
        self.scalar_writes = False
        self._untold = {pipe: Blocks(blocks) for pipe in _EARLY}
        self._busy = {pipe: (Blocks(blocks), Blocks(blocks)) for pipe in _LATE}
        self._scanned = self._at = 0

    def vector(self, frame: FrameType, reads: tuple[tuple[int, int], ...], writes: tuple[tuple[int, int], ...]) -> None:
        """Insert what a vector instruction over these (start, bytes) ranges needs before it."""
        if self.scalar_writes:
            self._tell(PipeID.PIPE_V, frame, (*reads, *writes))
        read = written = 0
        for start, nbytes in reads:
            low = start >> _GRAIN
            read |= ((1 << (start + nbytes + 31 >> _GRAIN) - low) - 1) << low
        for start, nbytes in writes:
            low = start >> _GRAIN
            written |= ((1 << (start + nbytes + 31 >> _GRAIN) - low) - 1) << low
        self._touch(frame, read, written)

    def strided(self, frame: FrameType, prints: tuple[Footprint, ...], addresses: tuple[int, ...]) -> None:
        """As :meth:`vector`, for operands with gaps: only the blocks they really touch count."""
        key = ("touched", id(prints), *[a & _WITHIN for a in addresses])
        touched: _Touched | None = self._core.plans.get(key)
        if touched is None or touched.prints is not prints:
            touched = self._core.plans[key] = _Touched.of(prints, addresses)
        if self.scalar_writes:
            spans = tuple((addresses[f.operand] + f.span[0], f.span[1] - f.span[0]) for f in prints)
            self._tell(PipeID.PIPE_V, frame, spans)
        read = written = 0
        for operand, blocks in touched.read:
            read |= blocks << (addresses[operand] >> _GRAIN)
        for operand, blocks in touched.written:
            written |= blocks << (addresses[operand] >> _GRAIN)
        self._touch(frame, read, written)

    def _touch(self, frame: FrameType, read: int, written: int) -> None:
        """Insert a barrier if an instruction on these blocks needs one, and note what it does."""
        if self._written & (read | written) or self._read & written:
            self.barrier(frame)
        self._read |= read
        self._written |= written

    def ordered(self) -> None:
        """The vector pipe was drained by the author."""
        self._read = self._written = 0

    def store(self, frame: FrameType, start: int, nbytes: int) -> None:
        """Insert what a store of these bytes needs after a scalar write of them."""
        if self.scalar_writes:
            self._tell(PipeID.PIPE_MTE3, frame, ((start, nbytes),))

    def load(self, frame: FrameType, start: int, nbytes: int) -> None:
        """Insert what a load over these bytes needs after a scalar access of them."""
        if self.scalar_writes:
            self._tell(PipeID.PIPE_MTE2, frame, ((start, nbytes),))

    def before_scalar(self, frame: FrameType, start: int, nbytes: int, *, write: bool) -> None:
        """Insert the waits a scalar access of these bytes of UB needs."""
        if not self.enabled:
            return
        self._catch_up()
        for pipe, event in _LATE.items():
            touched, written = self._busy[pipe]
            if (touched if write else written).meets(start, nbytes):
                self.pair(event, frame)
                touched.clear()
                written.clear()

    def drain_vector(self, frame: FrameType) -> None:
        """Let the scalar unit wait for all of the vector pipe, as it must before it reads a register of that."""
        if self.enabled:
            self._catch_up()
        self.pair(HardEvent.V_S, frame)
        for blocks in self._busy[PipeID.PIPE_V]:
            blocks.clear()

    def after_scalar_write(self, start: int, nbytes: int) -> None:
        """Remember a scalar write, so that the next access of each pipe to it is told."""
        if self.enabled:
            self.scalar_writes = True
            for untold in self._untold.values():
                untold.add(start, nbytes)

    def _catch_up(self) -> None:
        """Note what the rows since the last scalar access touch: only then does anybody ask."""
        rec = self._core.rec
        for row in rec.rows[self._scanned :]:
            template = rec.templates[row]
            busy = self._busy.get(template.pipe)
            for f in template.footprints if busy else ():
                if busy and f.space is Space.UB:
                    for blocks in busy if f.write else busy[:1]:
                        blocks.add_footprint(f, rec.addresses[self._at + f.operand])
            self._at += len(template.operands)
        self._scanned = len(rec.rows)

    def _tell(self, pipe: PipeID, frame: FrameType, ranges: tuple[tuple[int, int], ...]) -> None:
        untold = self._untold[pipe]
        if any(untold.meets(start, nbytes) for start, nbytes in ranges):
            self.pair(_EARLY[pipe], frame)
            untold.clear()

    def pair(self, event: HardEvent, frame: FrameType) -> None:
        """Insert a flag of ``event`` and the wait for it, under an id beyond those the author can use."""
        from .isa.sync import set_flag, wait_flag  # noqa: PLC0415  the declarations need the core

        index = self._core.chip.event_ids
        for op, kind, pipe in ((set_flag, Kind.SET, event.source), (wait_flag, Kind.WAIT, event.target)):
            self._core.rec.rows.append(
                self._core.template(
                    (op, id(frame.f_code), frame.f_lasti, event, self._core.stage, "auto"),
                    lambda op=op, kind=kind, pipe=pipe: Template(  # type: ignore[misc]
                        op, kind, pipe, self._core.site(frame), self._core.stage, event=(event, index), auto=True
                    ),
                )
            )

    def barrier(self, frame: FrameType) -> None:
        """Insert a barrier of the vector pipe."""
        from .isa.sync import pipe_barrier  # noqa: PLC0415  the declarations need the core

        core = self._core
        core.rec.rows.append(
            core.template(
                (pipe_barrier, id(frame.f_code), frame.f_lasti, core.stage, "auto"),
                lambda: Template(pipe_barrier, Kind.BARRIER, PipeID.PIPE_V, core.site(frame), core.stage, auto=True),
            )
        )
        self.ordered()


@dataclass(frozen=True, slots=True)
class _Touched:
    """Footprints as blocks of UB, relative to the blocks their addresses lie in.

    Attributes:
        prints: the footprints.
        read, written: (operand, a number with bit i set for its block i).
    """

    prints: tuple[Footprint, ...]
    read: tuple[tuple[int, int], ...]
    written: tuple[tuple[int, int], ...]

    @classmethod
    def of(cls, prints: tuple[Footprint, ...], addresses: tuple[int, ...]) -> _Touched:
        sides: tuple[dict[int, int], dict[int, int]] = ({}, {})
        for f in prints:
            if f.space is Space.UB:
                side, blocks = sides[f.write], _blocks(f, addresses[f.operand] & _WITHIN)
                bits = np.bincount(blocks).astype(bool)
                side[f.operand] = side.get(f.operand, 0) | int.from_bytes(
                    np.packbits(bits, bitorder="little"), "little"
                )
        return cls(prints, tuple(sides[False].items()), tuple(sides[True].items()))


def _blocks(f: Footprint, address: int) -> Index:
    """Numbers of the blocks of a footprint."""
    starts = f.starts + address
    width = ((int(starts[0]) & 31) + f.nbytes + 31) >> _GRAIN
    return np.unique((starts[:, None] >> _GRAIN) + np.arange(width))
