"""When the marks of a kernel ran: what its ``get_system_cycle`` stands for once there is a clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

import numpy as np

from ascendc.language.errors import UsageError
from ascendc.language.isa.clock import STAMPS
from ascendc.language.opaque import Reading, SystemCycle

if TYPE_CHECKING:
    from .timeline import Timeline


@dataclass(frozen=True, slots=True)
class TimeStamp:
    """One mark.

    Attributes:
        name: what made it, with its number: ``get_system_cycle``, ``print_time_stamp desc_id=3``.
        line: ``file:line`` of the kernel.
        block: which block's.
        cycles: when, in cycles of the reference clock.
        ticks: when, in whole ticks of the system counter, which is slower.
    """

    name: str
    line: str
    block: int
    cycles: int
    ticks: int


class Stamps(Sequence[TimeStamp]):
    """The marks of a timeline, block after block, in order of issue."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        names = {op.name for op in STAMPS}
        marks = [i for i, label in enumerate(timeline.labels) if label.name in names]
        self._rows = np.flatnonzero(np.isin(timeline.label, marks))

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> TimeStamp: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[TimeStamp, ...]: ...
    def __getitem__(self, index: int | slice) -> TimeStamp | tuple[TimeStamp, ...]:
        if isinstance(index, slice):
            return tuple(self._at(int(row)) for row in self._rows[index])
        return self._at(int(self._rows[index]))

    def __repr__(self) -> str:
        return repr(tuple(self))

    def ticks(self, value: SystemCycle) -> int:
        """The number a kernel on the chip has where ours has ``value``.

        Args:
            value: what ``get_system_cycle`` gave, or a sum or difference of such.

        Raises:
            UsageError: it is none, or of another launch.
        """
        if not isinstance(value, SystemCycle):
            raise UsageError(f"stamps.ticks: takes what get_system_cycle gave to the kernel, got {value!r}")
        return value.ticks + sum(times * self._ticks(reading) for reading, times in value.readings.items())

    def _ticks(self, reading: Reading) -> int:
        row = int(np.searchsorted(self._timeline.block, reading.block)) + reading.row
        if row in self._rows:
            found = self._at(row)
            if (found.block, found.line) == (reading.block, str(reading.site)):
                return found.ticks
        raise UsageError(
            f"stamps.ticks: block {reading.block} of this {self._timeline.kernel} did not read the clock at "
            f"{reading.site} as its instruction {reading.row}; the value is of another launch"
        )

    def _at(self, row: int) -> TimeStamp:
        timeline = self._timeline
        label, cycles, clock = timeline.labels[timeline.label[row]], int(timeline.start[row]), timeline.spec.clock
        ticks = cycles * clock.counter_mhz // clock.reference_mhz
        return TimeStamp(label.text, label.line, int(timeline.block[row]), cycles, ticks)
