"""A core without one check: the rows a block issues, and what each does to memory.

Values are tokens, one for each byte: a number that stands for how the byte came about.  Two schedules agree about
an output exactly if its tokens do.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascendc.language.enums import HardEvent, PipeID
from ascendc.language.program import Kind
from tests.guards.schedules import Row

Tokens = NDArray[np.uint64]
UB_BYTES, IDS = 196_608, 8
_ODD = np.uint64(0x9E3779B97F4A7C15)


class Breach(Exception):  # noqa: N818  a fact about a kernel, not a mistake of the model
    """A step no chip survives: it hangs, traps, or does what nobody defines."""


@dataclass
class World:
    """What a schedule has made of memory, and of the scalars that were read."""

    gm: Tokens
    ub: Tokens
    cells: dict[int, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """A row, what it does, and whether a queue made it."""

    row: Row
    effect: Callable[[World], None] | None = None
    queued: bool = False


def token(thing: object) -> Any:
    """The token of something that is known."""
    return np.uint64(zlib.crc32(repr(thing).encode()))


def mixed(how: str, *sources: Any) -> Any:
    """The tokens of what ``how`` makes of ``sources``, byte by byte."""
    made = np.atleast_1d(token(how))
    for source in sources:
        made = (made ^ source) * _ODD
        made = made ^ (made >> np.uint64(29))
    return made


class Block:
    """One block in the making."""

    def __init__(self, index: int, count: int, *, auto_sync: bool) -> None:
        self.index, self.count, self.auto_sync = index, count, auto_sync
        self.steps: list[Step] = []
        self.top = self.cells = 0
        self.tokens: dict[tuple[HardEvent, int], int] = {}
        self.at_end: list[Callable[[], None]] = []
        self._ids = {event: list(range(IDS)) for event in HardEvent}
        self._read, self._written = np.zeros((2, UB_BYTES), np.bool_)

    def set_flag(self, event: HardEvent, index: int, *, queued: bool = False) -> None:
        if not 0 <= index < IDS:
            raise Breach(f"there is no event id {index}")
        self.lower(event, index, -1)
        is_late = event.source is PipeID.PIPE_S
        self.steps.append(Step(Row(event.source, Kind.SET, (event, index), is_late), queued=queued))

    def wait_flag(self, event: HardEvent, index: int) -> None:
        if not self.tokens.get((event, index), 0):
            raise Breach(f"hang: {event.name} {index} is never set")
        self.lower(event, index)
        self.steps.append(Step(Row(event.target, Kind.WAIT, (event, index))))

    def lower(self, event: HardEvent, index: int, by: int = 1) -> None:
        """Count a flag down without a row."""
        self.tokens[event, index] = self.tokens.get((event, index), 0) - by

    def take(self, event: HardEvent) -> int:
        """The lowest free id."""
        if not self._ids[event]:
            raise Breach(f"{event.name}: no id is left")
        return self._ids[event].pop(0)

    def give(self, event: HardEvent, index: int) -> None:
        self._ids[event] = sorted([*self._ids[event], index])

    def barrier(self, pipe: PipeID) -> None:
        self.steps.append(Step(Row(pipe, Kind.BARRIER)))
        if pipe in (PipeID.PIPE_V, PipeID.PIPE_ALL):
            self._read[:] = self._written[:] = False

    def work(self, pipe: PipeID, effect: Callable[[World], None], *, is_late: bool = False) -> None:
        kind = {PipeID.PIPE_V: Kind.COMPUTE, PipeID.PIPE_S: Kind.SCALAR}.get(pipe, Kind.MOVE)
        self.steps.append(Step(Row(pipe, kind, is_late=is_late), effect))

    def vector(self, reads: list[slice], write: slice, effect: Callable[[World], None]) -> None:
        """A vector instruction, behind the barrier the compiler may insert."""
        touched = self._read[write].any() or any(self._written[s].any() for s in (*reads, write))
        if self.auto_sync and touched:
            self.barrier(PipeID.PIPE_V)
        for s in reads:
            self._read[s] = True
        self._written[write] = True
        self.work(PipeID.PIPE_V, effect)


NOW: list[Block] = []
"""The block that runs, last."""
