"""What a simulation leaves behind: who was busy when, with what, and what it waited for.

A timeline is columns, one entry per instruction of the program, block after block, in order of issue.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, overload

import numpy as np

from ascendc.language.enums import PipeID
from ascendc.language.hardware import HardwareSpec
from ascendc.language.program import Kind

from .columns import Ints

if TYPE_CHECKING:
    from .stamps import Stamps


class Cause(enum.IntEnum):
    """Why an instruction did not start as soon as its pipe was free.

    ``ISSUE``: the scalar unit had not issued it yet.  ``QUEUE``: the scalar unit was stopped by a full queue.
    ``FLAG``: a flag was not set yet.  ``BARRIER``: earlier work was not visible yet.  ``BLOCK``: its block
    had not started on the core yet.
    """

    NONE = 0
    ISSUE = 1
    QUEUE = 2
    FLAG = 3
    BARRIER = 4
    BLOCK = 5


@dataclass(frozen=True, slots=True)
class Label:
    """What the spans of one template share: instruction, kernel line, stage.

    Attributes:
        name: instruction, as the author wrote it.
        text: name and parameters.
        kind: how the passes treat it.
        line: ``file:line``.
        stage: its stage, or nothing.
        nbytes: bytes one execution carries from or to global memory.
        route: the path it carries them over, or nothing.
        auto: whether it was inserted automatically.
        queued: whether a queue call made it.
    """

    name: str
    text: str
    kind: Kind
    line: str
    stage: str
    nbytes: int
    route: str
    auto: bool
    queued: bool


@dataclass(frozen=True, slots=True)
class Span:
    """One instruction on one pipe, as a view.  Times in cycles of the reference clock.

    ``start - ready`` is the wait, ``cause`` its reason and ``by`` the span that ended it (−1: none).
    """

    index: int
    block: int
    core: int
    pipe: PipeID
    ready: int
    start: int
    stop: int
    cause: Cause
    by: int
    label: Label


@dataclass(frozen=True, slots=True)
class Allocation:
    """A buffer of a queue, from the call that took it until its last reader let it go.

    Attributes:
        block, core: where.
        space: the memory's name.
        address, nbytes: what part of it.
        start, stop: cycles; ``stop`` is when the free flag became visible, or the end of the block.
        line: ``file:line`` that took it.
    """

    block: int
    core: int
    space: str
    address: int
    nbytes: int
    start: int
    stop: int
    line: str


COLUMNS = ("block", "core", "pipe", "ready", "start", "stop", "cause", "by", "label")
"""The columns of a timeline: one entry per span."""

ALLOCATION_COLUMNS = 8  # block, core, space, address, nbytes, start, stop, label


class Allocations(Sequence[Allocation]):
    """Many :class:`Allocation`, kept as one array; each is a view made when somebody looks.

    Attributes:
        columns: (n, 8): block, core, number of the space, address, nbytes, start, stop, number of the line.
        spaces, lines: what those numbers stand for.
    """

    def __init__(self, columns: Ints, spaces: tuple[str, ...], lines: tuple[str, ...]) -> None:
        self.columns, self.spaces, self.lines = columns, spaces, lines

    @classmethod
    def of(cls, allocations: Sequence[Allocation]) -> Allocations:
        """Any sequence of allocations as one array."""
        if isinstance(allocations, cls):
            return allocations
        spaces = {s: i for i, s in enumerate(dict.fromkeys(a.space for a in allocations))}
        lines = {s: i for i, s in enumerate(dict.fromkeys(a.line for a in allocations))}
        rows = [
            (a.block, a.core, spaces[a.space], a.address, a.nbytes, a.start, a.stop, lines[a.line]) for a in allocations
        ]
        return cls(np.array(rows, np.int64).reshape(-1, ALLOCATION_COLUMNS), tuple(spaces), tuple(lines))

    def __len__(self) -> int:
        return len(self.columns)

    @overload
    def __getitem__(self, index: int) -> Allocation: ...
    @overload
    def __getitem__(self, index: slice) -> Allocations: ...
    def __getitem__(self, index: int | slice) -> Allocation | Allocations:
        if isinstance(index, slice):
            return Allocations(self.columns[index], self.spaces, self.lines)
        block, core, space, address, nbytes, start, stop, line = self.columns[index].tolist()
        return Allocation(block, core, self.spaces[space], address, nbytes, start, stop, self.lines[line])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, eq=False)
class Timeline:
    """When everything in one launch happened.  Immutable.

    Attributes:
        kernel: name of the kernel.
        spec: the chip it was timed on.
        labels: what spans share; ``label[i]`` is a number of one of them.
        block, core, pipe, ready, start, stop, cause, by, label: one entry per span; see :class:`Span`.
        core_kinds: kind of each core that ran, by core number.
        allocations: see :class:`Allocation`.
        traffic: bytes by name over the launch: ``hbm_read``, ``hbm_write``, ``l2_read``, ``l2_write``, and
            cache lines ``l2_hit``, ``l2_miss`` (of reads) and ``l2_writeback``.
    """

    kernel: str
    spec: HardwareSpec
    labels: tuple[Label, ...]
    block: Ints
    core: Ints
    pipe: Ints
    ready: Ints
    start: Ints
    stop: Ints
    cause: Ints
    by: Ints
    label: Ints
    core_kinds: tuple[str, ...]
    allocations: Sequence[Allocation] = ()
    traffic: tuple[tuple[str, int], ...] = ()

    def __post_init__(self) -> None:
        for name in COLUMNS:
            getattr(self, name).flags.writeable = False

    def __len__(self) -> int:
        return len(self.start)

    @property
    def cycles(self) -> int:
        """Last completion minus first issue, over all cores; 0 if nothing ran."""
        return int(self.stop.max() - self.start.min()) if len(self) else 0

    @property
    def stamps(self) -> Stamps:
        """When ``get_system_cycle``, ``print_time_stamp`` and the marks of a window to profile ran."""
        from .stamps import Stamps  # noqa: PLC0415  only who looks pays for it

        return Stamps(self)

    def __getitem__(self, index: int) -> Span:
        i = range(len(self))[index]
        block, core, pipe, ready, start, stop, cause, by, label = (int(getattr(self, name)[i]) for name in COLUMNS)
        return Span(i, block, core, PipeID(pipe), ready, start, stop, Cause(cause), by, self.labels[label])

    def __iter__(self) -> Iterator[Span]:
        return (self[i] for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Timeline) and all(
            _same(getattr(self, f.name), getattr(other, f.name)) for f in fields(self)
        )

    __hash__ = None  # type: ignore[assignment]

    def save(self, path: str | Path) -> None:
        """Write the timeline to ``path``, an ``.npz`` file without pickle."""
        from .archive import save_timeline  # noqa: PLC0415  only who saves pays for it

        save_timeline(self, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The timeline saved at ``path``.

        Raises:
            UsageError: the file is none of ours, or of another schema.
        """
        from .archive import load_timeline  # noqa: PLC0415  only who loads pays for it

        return load_timeline(cls, Path(path))


def _same(a: Any, b: Any) -> bool:
    return np.array_equal(a, b) if isinstance(a, np.ndarray) else bool(a == b)
