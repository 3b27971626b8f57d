"""What a launch leaves behind: every instruction it issued, without any notion of time.

A program is columns: per block one template number a row, and the addresses of the row's operands in one
flat array.  A :class:`Template` is everything that rows have in common (instruction, parameters, kernel
line, the shape of what it touches); an :class:`Instruction` is a view made when somebody looks.
"""

from __future__ import annotations

import enum
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from .enums import HardEvent, PipeID
from .findings import Finding
from .hardware import HardwareSpec

if TYPE_CHECKING:
    from .compare import Comparison
    from .isa.op import Op


class Space(enum.IntEnum):
    """A physical memory an operand can lie in."""

    GM = 0
    UB = 1
    L1 = 2
    L0A = 3
    L0B = 4
    L0C = 5
    BT = 6
    FB = 7


class Kind(enum.IntEnum):
    """How the passes treat a row.

    ``COMPUTE`` and ``MOVE`` do work; ``SET`` and ``WAIT`` are the two ends of a flag, also those a queue call
    makes; ``BARRIER`` orders a pipe, or all of them; ``SCALAR`` runs in the scalar unit; ``CALL`` only costs
    the scalar unit time (a buffer taken for the first time).
    """

    COMPUTE = 0
    MOVE = 1
    SET = 2
    WAIT = 3
    BARRIER = 4
    SCALAR = 5
    CALL = 6


@dataclass(frozen=True, slots=True)
class Footprint:
    """Exactly the bytes one execution touches, relative to one of its addresses.

    Attributes:
        operand: which address of the row it starts from.
        space: the memory it lies in.
        write: whether it is written; read otherwise.
        nbytes: contiguous bytes.
        offset: bytes from the address to the first of them.
        levels: up to two (count, pitch in bytes), outer first; none if the bytes are one run.
    """

    operand: int
    space: Space
    write: bool
    nbytes: int
    offset: int = 0
    levels: tuple[tuple[int, int], ...] = ()

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where each contiguous run starts, in bytes from the address, in order of access."""
        starts = np.array([self.offset], np.int64)
        for count, pitch in self.levels:
            starts = (starts[:, None] + np.arange(count) * pitch).ravel()
        return starts

    def runs(self) -> tuple[int, ...]:
        """As :attr:`starts`, as plain numbers."""
        return tuple(self.starts.tolist()) if self.levels else (self.offset,)

    @property
    def span(self) -> tuple[int, int]:
        """First byte, and the one after the last, relative to the address."""
        reach = [(c - 1) * p for c, p in self.levels]
        low = self.offset + sum(r for r in reach if r < 0)
        return low, self.offset + sum(r for r in reach if r > 0) + self.nbytes


@dataclass(frozen=True, slots=True)
class Site:
    """A place in a kernel: ``file`` as Python knows it, ``line``, and the function it is in."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{Path(self.file).name}:{self.line}"


@dataclass(frozen=True, slots=True)
class Template:
    """What all executions of one instruction at one place have in common.

    Attributes:
        op: its declaration.
        kind: how the passes treat it.
        pipe: the queue it runs in; ``PIPE_ALL`` for a barrier over all of them.
        site: the kernel line that issued it.
        stage: the stage that line belongs to, or nothing.
        dtype: name of the element type that sets its cost, or nothing.
        params: its scalar parameters by name.
        operands: the roles of its addresses (``dst``, ``src0`` …); the row has one address for each.
        footprints: what it reads and writes.
        event: direction and id of the flag it sets or awaits.
        immediates: how many numbers the row carries besides.
        auto: whether the recorder inserted it.
        queued: whether a queue call made it: charged as one, and drained by its TPipe at the end.
    """

    op: Op
    kind: Kind
    pipe: PipeID
    site: Site
    stage: str = ""
    dtype: str = ""
    params: tuple[tuple[str, Any], ...] = ()
    operands: tuple[str, ...] = ()
    footprints: tuple[Footprint, ...] = ()
    event: tuple[HardEvent, int] | None = None
    immediates: int = 0
    auto: bool = False
    queued: bool = False

    @property
    def label(self) -> str:
        """Name and parameters on one line: ``add count=64``."""
        event = f" {self.event[0].name} {self.event[1]}" if self.event else ""
        return self.op.name + event + "".join(f" {k}={v}" for k, v in self.params)


@dataclass(frozen=True, slots=True)
class Instruction:
    """One row of a program, as a view."""

    template: Template
    addresses: tuple[int, ...]
    immediates: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Block:
    """What one block issued, in order.

    Attributes:
        kind: the kind of core it runs on, a key of ``HardwareSpec.core``.
        templates: the program's templates, shared by all its blocks.
        rows: template number of each row, int32.
        addresses: the rows' addresses one after another, int64; bytes within each operand's space.
        immediates: the rows' numbers one after another, float64.
    """

    kind: str
    templates: Sequence[Template] = field(repr=False)
    rows: NDArray[np.int32]
    addresses: NDArray[np.int64]
    immediates: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """Where each row's addresses start in ``addresses``; one entry more than rows."""
        return _starts(np.array([len(t.operands) for t in self.templates], np.int64), self.rows)

    def __getitem__(self, row: int) -> Instruction:
        row = range(len(self))[row]
        template = self.templates[self.rows[row]]
        numbers = _starts(np.array([t.immediates for t in self.templates], np.int64), self.rows)
        return Instruction(
            template,
            tuple(self.addresses[self.offsets[row] : self.offsets[row + 1]].tolist()),
            tuple(self.immediates[numbers[row] : numbers[row + 1]].tolist()),
        )

    def __iter__(self) -> Iterator[Instruction]:
        return (self[i] for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Block)
            and self.kind == other.kind
            and np.array_equal(self.rows, other.rows)
            and np.array_equal(self.addresses, other.addresses)
            and np.array_equal(self.immediates, other.immediates, equal_nan=True)
        )

    __hash__ = None  # type: ignore[assignment]


def _starts(width: NDArray[np.int64], rows: NDArray[np.int32]) -> NDArray[np.int64]:
    out = np.zeros(len(rows) + 1, np.int64)
    if len(rows):
        np.cumsum(width[rows], out=out[1:])
    return out


@dataclass(frozen=True, slots=True)
class GlobalArray:
    """An array argument of the launch, as it lies in global memory.

    Attributes:
        name: the kernel's name for it.
        address: its first byte, among the launch's addresses.
        nbytes: its size.
        dtype: its element type's name.
        shape: its shape on the host.
        buffer: number of the host buffer it is part of: launches that share one share its cache lines.  Programs
            of equal launches of other arrays differ in it, and in nothing else.
        offset: its first byte within that buffer.
    """

    name: str
    address: int
    nbytes: int
    dtype: str
    shape: tuple[int, ...]
    buffer: int
    offset: int


@dataclass(frozen=True, slots=True, eq=True)
class Program:
    """Everything one launch issued.

    Attributes:
        kernel: name of the kernel.
        spec: the chip it was made for.
        templates: see :class:`Template`.
        blocks: one per block; which core runs it is the timing pass's knowledge.
        arrays: the array arguments.
        findings: remarks of the functional and hazard passes.
        auto_sync: whether barriers were inserted.
        comparisons: stages beside what they should hold, in order of the first call.
    """

    kernel: str
    spec: HardwareSpec
    templates: tuple[Template, ...]
    blocks: tuple[Block, ...]
    arrays: tuple[GlobalArray, ...] = ()
    findings: tuple[Finding, ...] = ()
    auto_sync: bool = True
    comparisons: tuple[Comparison, ...] = ()

    def __len__(self) -> int:
        return sum(map(len, self.blocks))

    def __repr__(self) -> str:
        findings = f", {len(self.findings)} findings" if self.findings else ""
        return f"Program({self.kernel}: {len(self.blocks)} blocks, {len(self)} rows, {self.spec.name}{findings})"

    def save(self, path: str | Path) -> None:
        """Write the program to ``path``, an ``.npz`` file without pickle."""
        from .archive import save_program  # noqa: PLC0415  only who saves pays for it

        save_program(self, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The program saved at ``path``.

        Raises:
            UsageError: the file is none of ours, or of another schema.
        """
        from .archive import load_program  # noqa: PLC0415  only who loads pays for it

        return load_program(cls, Path(path))


class Recorder:
    """Rows of one block while it runs.  The templates are the launch's, shared by all blocks.

    Hot code appends to ``rows``, ``addresses`` and ``immediates`` directly.
    """

    __slots__ = ("addresses", "immediates", "kind", "rows", "templates")

    def __init__(self, kind: str, templates: list[Template]) -> None:
        self.kind, self.templates = kind, templates
        self.rows, self.addresses, self.immediates = array("i"), array("q"), array("d")

    def add(self, template: Template) -> int:
        """Number of a new template."""
        self.templates.append(template)
        return len(self.templates) - 1

    def issue(self, template: int, addresses: Sequence[int] = (), immediates: Sequence[float] = ()) -> None:
        """Append one row."""
        self.rows.append(template)
        self.addresses.extend(addresses)
        self.immediates.extend(immediates)

    def freeze(self) -> Block:
        """The finished block."""
        return Block(
            self.kind,
            self.templates,
            _frozen(self.rows, np.int32),
            _frozen(self.addresses, np.int64),
            _frozen(self.immediates, np.float64),
        )


def _frozen(values: array[Any], dtype: Any) -> NDArray[Any]:
    out = np.array(values, dtype)
    out.flags.writeable = False
    return out
