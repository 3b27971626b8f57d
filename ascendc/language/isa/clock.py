"""Marks in the timeline: reading the system counter, time stamps, the window to profile.

A kernel never learns a time.  Each of these is a scalar row, and ``timeline.stamps`` says when it ran.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..core import current
from ..opaque import ProgramCounter, Reading, SystemCycle
from ..site import kernel_frame
from .scalar import ScalarOp, record_register


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReadClock(ScalarOp):
    """Read the system counter."""

    def __call__(self) -> SystemCycle:
        core, frame = current(), kernel_frame()
        reading = Reading(core.index, len(core.rec.rows), core.site(frame))
        record_register(core, frame, self)
        return SystemCycle({reading: 1})


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReadCounter(ScalarOp):
    """Read the program counter."""

    def __call__(self) -> ProgramCounter:
        core, frame = current(), kernel_frame()
        record_register(core, frame, self)
        return ProgramCounter(core.site(frame))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Stamp(ScalarOp):
    """A mark with a number of the author's."""

    def __call__(self, desc_id: int) -> None:
        core, frame = current(), kernel_frame()
        record_register(core, frame, self, (("desc_id", core.whole(self.name, "desc_id", desc_id)),))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Mark(ScalarOp):
    """A mark without a number."""

    def __call__(self) -> None:
        record_register(current(), kernel_frame(), self)


get_program_counter = ReadCounter(
    name="get_program_counter",
    cpp="GetProgramCounter",
    unit="S",
    doc="Place of the line in the code; only to keep or to print, since nothing is compiled.",
)
get_system_cycle = ReadClock(
    name="get_system_cycle",
    cpp="GetSystemCycle",
    unit="S",
    doc="Reading of the system counter, when the scalar unit gets there: to add, subtract, keep and print; "
    "``timeline.stamps`` knows the ticks.",
)
metrics_prof_start = Mark(
    name="metrics_prof_start",
    cpp="MetricsProfStart",
    unit="S",
    doc="Mark the begin of what is to be profiled, in ``timeline.stamps``.",
)
metrics_prof_stop = Mark(
    name="metrics_prof_stop",
    cpp="MetricsProfStop",
    unit="S",
    doc="Mark the end of what is to be profiled, in ``timeline.stamps``.",
)
print_time_stamp = Stamp(
    name="print_time_stamp",
    cpp="PrintTimeStamp",
    unit="S",
    doc="Mark the moment as ``desc_id`` in ``timeline.stamps``.",
)

STAMPS = (get_system_cycle, print_time_stamp, metrics_prof_start, metrics_prof_stop)
"""What ``timeline.stamps`` lists."""

__all__ = ["get_program_counter", "get_system_cycle", "metrics_prof_start", "metrics_prof_stop", "print_time_stamp"]
