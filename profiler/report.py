"""All there is to say about one launch."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from ascendc.language.errors import UsageError
from simulator.timeline import Cause, Timeline

from . import text
from .advice import Advice, advice
from .bandwidth import Bandwidth, PathUse, bandwidth
from .excerpt import LIMIT_MB, Scope
from .files import write_all
from .lanes import Lanes, lanes
from .metrics import CoreUse, PipeUse, core_uses, overlap_ratio, pipe_uses
from .trace import TimeUnit, Trace
from .units import launch_us, microseconds
from .verdict import BUSY_THRESHOLD, USE_THRESHOLD, VECTOR_USE_THRESHOLD, Verdict, verdict

SCHEMA = 1
"""Of ``profile.json``; a new number when a reader of the old one could go wrong."""


@dataclass(frozen=True, eq=False)
class Report:
    """One launch, judged.

    Attributes:
        timeline: what it is about.
        lanes: its spans by lane.
        cores: use of the launched cores, by kind.
        pipes: use of their pipes, by name.
        bandwidth: bytes and rates.
        overlap_ratio: of the time computing ran, or copies in if they ran less, when both did.
        verdict: what bounds it.
        advice: what to try first.
    """

    timeline: Timeline
    lanes: Lanes = field(repr=False)
    cores: Mapping[str, CoreUse]
    pipes: Mapping[str, PipeUse]
    bandwidth: Bandwidth
    overlap_ratio: float
    verdict: Verdict
    advice: Advice

    @property
    def cycles(self) -> int:
        """Last completion minus first issue, over all cores."""
        return self.timeline.cycles

    @property
    def core_us(self) -> float:
        """The same in µs."""
        return microseconds(self.cycles, self.timeline.spec)

    @property
    def launch_us(self) -> float:
        """What the launch cost besides, in µs."""
        return launch_us(len(self.timeline.core_kinds), self.timeline.spec)

    @property
    def task_us(self) -> float:
        """Both together: what msprof calls the task's duration."""
        return self.core_us + self.launch_us

    def text(self) -> str:
        """The report as plain text, 80 columns wide."""
        return text.text(self)

    def as_dict(self) -> dict[str, Any]:
        """Every number of the report, ready for JSON."""
        return {
            "schema": SCHEMA,
            "kernel": self.timeline.kernel,
            "chip": self.timeline.spec.name,
            "cycles": self.cycles,
            "core_us": self.core_us,
            "launch_us": self.launch_us,
            "task_us": self.task_us,
            "overlap_ratio": self.overlap_ratio,
            "verdict": asdict(self.verdict)
            | {"ceilings": [*map(asdict, self.verdict.ceilings)], "line": str(self.verdict)},
            "advice": asdict(self.advice),
            "thresholds": {
                "use": USE_THRESHOLD,
                "vector_use": VECTOR_USE_THRESHOLD,
                "busy": BUSY_THRESHOLD,
            },
            "cores": {kind: asdict(use) | {"imbalance": use.imbalance} for kind, use in self.cores.items()},
            "pipes": {name: _pipe(use) for name, use in self.pipes.items()},
            "bandwidth": asdict(self.bandwidth) | {"paths": {n: _path(p) for n, p in self.bandwidth.paths.items()}},
        }

    def trace(
        self,
        *,
        cores: Collection[int] | None = None,
        window: tuple[int, int] | None = None,
        limit_mb: float = LIMIT_MB,
        time_unit: TimeUnit = "ns",
    ) -> Trace:
        """The spans as a trace for Perfetto; ``left_out`` says what it lacks.

        Args:
            cores: which; all, if not given.  One that did not run is among what is left out.
            window: from which cycle until before which; all of them, if not given.
            limit_mb: millions of bytes the file may have; infinite for no limit.
            time_unit: ``cycle`` counts cycles as nanoseconds, so that none is rounded away.

        Raises:
            UsageError: an argument makes no sense.
        """
        return Trace(self.lanes, Scope(cores, window, limit_mb), time_unit)

    def save(self, directory: str | Path, trace: Trace | None = None) -> list[Path]:
        """Write ``timeline.png``, ``trace.json`` and ``profile.json``; the same launch, the same bytes.

        Args:
            directory: where; made if it is not there.
            trace: what :meth:`trace` gave; of everything there is room for, if not given.

        Returns:
            The files.

        Raises:
            UsageError: they cannot be written there.  Nothing half-written is left.
        """
        from .chart import write_chart  # noqa: PLC0415  matplotlib takes longer than all else together

        return write_all(
            Path(directory),
            {
                "timeline.png": lambda file: write_chart(self, file),
                "trace.json": (trace or self.trace()).write,
                "profile.json": self._write_json,
            },
        )

    def _write_json(self, file: BinaryIO) -> None:
        file.write(json.dumps(self.as_dict(), indent=1).encode() + b"\n")


def profile(timeline: Timeline) -> Report:
    """Judge one launch.

    Everything follows from the timeline and the chip it carries; nothing is simulated again.

    Raises:
        UsageError: it is no timeline of one launch.
    """
    if not isinstance(timeline, Timeline):
        raise UsageError(
            f"profile: timeline must be the Timeline of one launch, got {type(timeline).__name__}; "
            "call profile(simulate(program)), once for each launch"
        )
    rows = lanes(timeline)
    cores, pipes, moved, overlap = core_uses(timeline), pipe_uses(rows), bandwidth(timeline), overlap_ratio(rows)
    judged = verdict(timeline, pipes, moved)
    launch = launch_us(len(timeline.core_kinds), timeline.spec)
    share = launch / (launch + microseconds(timeline.cycles, timeline.spec)) if launch else 0.0
    first = advice(judged, cores, pipes, moved, share, overlap)
    return Report(timeline, rows, cores, pipes, moved, overlap, judged, first)


def _verdict(judged: Verdict) -> dict[str, Any]:
    return asdict(judged) | {"ceilings": [asdict(ceiling) for ceiling in judged.ceilings], "line": str(judged)}


def _pipe(use: PipeUse) -> dict[str, Any]:
    waits = {cause.name.lower(): use.wait_cycles[cause] for cause in Cause if cause is not Cause.NONE}
    return asdict(use) | {"pipe": use.pipe.short, "wait_cycles": waits}


def _path(path: PathUse) -> dict[str, Any]:
    return asdict(path) | {"pipe": path.pipe.short, "bytes_per_transfer": path.bytes_per_transfer}
