"""Hardware as data: what a chip is, read from a TOML file and never changed.

The unit of every number is in its name: ``bytes``, ``cycles``, ``mhz``, ``us``, ``gbps`` (10^9 bytes a
second), ``bytes_per_cycle``.  Every group carries where its numbers come from (``source``) and how far to
trust them (``status``).  Fractions are exact: ``20.6`` in the file is 103/5 here.  Not here: what an
instruction asks of the chip (the families say that) and contention (the simulator's).
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from .enums import HardEvent, PipeID, TPosition


class Status(enum.Enum):
    """How far a number can be trusted."""

    DOCUMENTED = "documented"
    MEASURED = "measured"
    ASSUMED = "assumed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Clocks shared by the chip.

    Attributes:
        reference_mhz: the clock all cycles of a timeline are counted in.
        counter_mhz: the clock of the system counter a kernel can read.
    """

    reference_mhz: int
    counter_mhz: int
    source: str
    status: Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A memory of a core.

    Attributes:
        bytes: its size; more is an error.
        warn_above_bytes: more than this fits, but is reported: the vendor library stops here.
        align_bytes: what a start address must be a multiple of.
    """

    bytes: int
    warn_above_bytes: int
    align_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreKind:
    """One kind of core.

    Attributes:
        count: how many the chip has.
        mhz: their clock.
        pipes: their instruction queues.
        queue_depth: instructions a pipe's queue holds before the scalar unit must stop.
        event_ids: flags per direction, numbered from 0.
        reserved_event_ids: ids the system keeps for itself; a kernel that names one is warned.
        events: the directions of flags this core has.
        memory: its memories by lower-case name (``ub``, ``l1`` …).
        positions: which memory each logical position is.
        routes: which pipe carries each path, as ``gm_to_ub`` → ``MTE2``.
    """

    count: int
    mhz: int
    pipes: tuple[PipeID, ...]
    queue_depth: int
    event_ids: int
    reserved_event_ids: tuple[int, ...]
    events: tuple[HardEvent, ...]
    memory: Mapping[str, Memory]
    positions: Mapping[TPosition, str]
    routes: Mapping[str, PipeID]
    source: str
    status: Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """How cores of two kinds belong together: ``aiv_per_aic`` vector cores share one cube core's launch."""

    aiv_per_aic: int
    source: str
    status: Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the framework and the runtime allow.

    Attributes:
        blocks: largest number of blocks of one launch.
        buffers: buffers of one TPipe in all.
        tensors_per_position: tensors of one position allocated at once.
        repeat_times: largest repeat of one vector instruction.
    """

    blocks: int
    buffers: int
    tensors_per_position: int
    repeat_times: int
    source: str
    status: Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Scalar:
    """The scalar unit, which issues everything.

    Attributes:
        issue_cycles: for every instruction.
        queue_call_cycles: for every call of a queue (alloc, enque, deque, free), in place of the above.
        access_cycles: one scalar read or write of local memory.
        global_access_cycles: one scalar read or write of global memory.
    """

    issue_cycles: Fraction
    queue_call_cycles: Fraction
    access_cycles: Fraction
    global_access_cycles: Fraction
    source: str
    status: Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """A cost class of vector instructions.

    Attributes:
        head_cycles: from the start of an instruction to its result, beyond the repeats.
        cycles_per_repeat: for 256 bytes of the wider operand, by dtype name; ``any`` for all others.
    """

    head_cycles: Fraction
    cycles_per_repeat: Mapping[str, Fraction]
    source: str
    status: Status

    def per_repeat(self, dtype: str) -> Fraction:
        """Cycles of one repeat for elements called ``dtype``.

        Raises:
            KeyError: this class has no number for it.
        """
        found = self.cycles_per_repeat.get(dtype)
        return self.cycles_per_repeat["any"] if found is None else found


@dataclass(frozen=True, slots=True, kw_only=True)
class Banks:
    """Banks of the unified buffer.

    A byte address is ``bank | row | group | offset``, ``offset`` being one block.

    Attributes:
        groups: bank groups; blocks go round them.
        rows: blocks of one group in one bank.
        read_read_cycles: extra cycles of a repeat whose two sources are in the same group.
        read_write_cycles: extra cycles of a repeat that reads and writes different rows of the same bank.
    """

    groups: int
    rows: int
    read_read_cycles: Fraction
    read_write_cycles: Fraction
    source: str
    status: Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Vector:
    """The vector unit.

    Attributes:
        repeat_bytes, block_bytes: what one repeat and one block of it hold.
        min_issue_cycles: least distance of two instructions' starts.
        scratch_bytes: the end of the unified buffer that some instructions work in.
        cost: the cost classes by name.
        banks: conflicts of its operands.
    """

    repeat_bytes: int
    block_bytes: int
    min_issue_cycles: Fraction
    scratch_bytes: int
    banks: Banks
    cost: Mapping[str, Cost]
    source: str
    status: Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A path between global memory and a memory of a core, as one transfer sees it.

    Attributes:
        issue_cycles: least distance of the starts of two transfers.
        row_cycles: least time of each contiguous row of a transfer.
        l2_latency_cycles, l2_bytes_per_cycle: when the L2 has the line, or takes it.
        hbm_latency_cycles, hbm_bytes_per_cycle: when it does not.
        outstanding_lines: cache lines in flight at once; bounds the rate by lines * line / latency.
    """

    issue_cycles: Fraction
    row_cycles: Fraction
    l2_latency_cycles: Fraction
    l2_bytes_per_cycle: Fraction
    hbm_latency_cycles: Fraction
    hbm_bytes_per_cycle: Fraction
    outstanding_lines: int
    source: str
    status: Status


@dataclass(frozen=True, slots=True, kw_only=True)
class L2:
    """The cache all cores share."""

    bytes: int
    line_bytes: int
    achievable_gbps: Fraction
    source: str
    status: Status


@dataclass(frozen=True, slots=True, kw_only=True)
class HBM:
    """Global memory: its size, its peak on paper and what all cores together get out of it."""

    bytes: int
    peak_gbps: Fraction
    achievable_gbps: Fraction
    source: str
    status: Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """What a launch costs besides the cores' own time.

    Attributes:
        base_us, per_core_us: of a launch on so many cores.
        block_cycles: between two blocks on the same core.
    """

    base_us: Fraction
    per_core_us: Fraction
    block_cycles: Fraction
    source: str
    status: Status


@dataclass(frozen=True, kw_only=True)
class HardwareSpec:
    """One chip.  Immutable; equal if its numbers are.

    Attributes:
        name: as ``Ascend910B1``.
        architecture: programs move only between chips of the same one.
        core: kinds of core by name: ``aiv`` and ``aic``, or ``fused``.
        route: paths from and to global memory, as ``gm_to_ub``.
        raw: the file's content, from which :meth:`replace` and saved programs rebuild a chip.
    """

    schema: int
    name: str
    architecture: str
    clock: Clock
    core: Mapping[str, CoreKind]
    group: Group
    limits: Limits
    scalar: Scalar
    vector: Vector
    route: Mapping[str, Route]
    l2: L2
    hbm: HBM
    launch: Launch
    raw: Mapping[str, Any] = field(repr=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HardwareSpec) and self.raw == other.raw

    def __hash__(self) -> int:
        return hash((self.name, self.architecture))

    def __repr__(self) -> str:
        return f"HardwareSpec({self.name})"

    @classmethod
    def load(cls, chip: str | Path | HardwareSpec) -> HardwareSpec:
        """The chip with this name, the one in this TOML file, or the chip itself.

        Raises:
            HardwareSpecError: no such chip or file, or the file breaks the schema; the message names
                the file and the key.
        """
        from .chipfile import load  # noqa: PLC0415  the loader needs these classes

        return load(chip)

    def replace(self, changes: Mapping[str, Any]) -> HardwareSpec:
        """This chip with other numbers, for what-if runs.

        Args:
            changes: new values by dotted key, as ``{"hbm.achievable_gbps": 3000}``.

        Raises:
            HardwareSpecError: a key does not exist or its value has the wrong type.
        """
        from .chipfile import replace  # noqa: PLC0415  the loader needs these classes

        return replace(self, changes)

    @cached_property
    def vector_kind(self) -> str:
        """The kind of core that has the vector unit: ``aiv``, or ``fused``."""
        return "aiv" if "aiv" in self.core else "fused"

    def bytes_per_cycle(self, gbps: Fraction) -> Fraction:
        """A rate in 10^9 bytes a second as bytes per reference cycle."""
        return gbps * 1000 / self.clock.reference_mhz

    def runs(self, other: Self) -> bool:
        """Whether a program made for ``other`` may be timed on this chip."""
        return self.architecture == other.architecture and {
            k: (c.memory, c.positions, c.pipes) for k, c in self.core.items()
        } == {k: (c.memory, c.positions, c.pipes) for k, c in other.core.items()}
