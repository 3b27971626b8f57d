"""What to try first, as one sentence with a stable id.

The rules are asked in order and the first that fits answers: the grid comes before the kernel, because a
launch on too few or unequal cores makes every number inside a core misleading.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ascendc.language.enums import PipeID
from simulator.timeline import Cause

from .bandwidth import Bandwidth
from .metrics import CoreUse, PipeUse
from .verdict import USE_THRESHOLD, Bound, Verdict

LAUNCH_THRESHOLD = 0.50
"""Share of the task's time above which launching costs more than the kernel."""
CORES_THRESHOLD = 0.50
"""Share of a kind's cores below which too few run."""
IMBALANCE_THRESHOLD = 0.10
"""(max − min) / max of the cores' times above which they are unequal."""
TRANSFER_BYTES = 16 * 1024
"""Mean bytes of a transfer below which its start-up dominates."""
WAVES_THRESHOLD = 4
"""Blocks a core runs one after another above which it should loop inside one."""
OVERLAP_THRESHOLD = 0.05
"""Share of computing time under copies in below which the two take turns."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A sentence, and an id that scripts may rely on."""

    id: str
    text: str

    def __str__(self) -> str:
        return f"{self.id}: {self.text}"


def advice(
    judged: Verdict,
    cores: Mapping[str, CoreUse],
    pipes: Mapping[str, PipeUse],
    moved: Bandwidth,
    launch_share: float,
    overlap: float,
) -> Advice:
    """What to try first.

    Args:
        judged: what bounds the launch.
        cores: use of the cores by kind.
        pipes: use of the pipes by name.
        moved: bytes and rates.
        launch_share: of the task's time, what launching cost.
        overlap: of computing, what copies in ran beside.
    """
    if judged.bound is Bound.NOTHING:
        return Advice("ASC-GRID-000", "the kernel issued no instruction: check the block number and its loop")
    return _grid(judged, cores, launch_share) or _kernel(judged, pipes, moved, overlap)


def _grid(judged: Verdict, cores: Mapping[str, CoreUse], launch_share: float) -> Advice | None:
    if launch_share > LAUNCH_THRESHOLD:
        return Advice(
            "ASC-GRID-001",
            f"{launch_share:.0%} of the time is the launch itself: do more work per launch, or fuse kernels",
        )
    for use in cores.values():
        if use.count < CORES_THRESHOLD * use.available and not judged.is_shared:
            return Advice(
                "ASC-GRID-002",
                f"{use.count} of {use.available} {use.kind} cores ran: launch more blocks",
            )
        if use.blocks > WAVES_THRESHOLD * use.count:
            return Advice(
                "ASC-GRID-004",
                f"{use.blocks:,} blocks on {use.count} {use.kind} cores, and each start costs: "
                f"launch {use.count} blocks and loop inside them",
            )
        if use.imbalance > IMBALANCE_THRESHOLD:
            return Advice(
                "ASC-GRID-003",
                f"the slowest {use.kind} core took {use.max_cycles:,} cycles, the fastest {use.min_cycles:,}: "
                "spread the work evenly",
            )
    return None


def _kernel(judged: Verdict, pipes: Mapping[str, PipeUse], moved: Bandwidth, overlap: float) -> Advice:
    use = pipes[judged.pipe]
    match judged.bound:
        case Bound.MEMORY if judged.value > USE_THRESHOLD or overlap >= OVERLAP_THRESHOLD:
            return Advice(
                "ASC-MEM-001",
                "the memory gives no more: move fewer bytes (fuse operators, reuse what is on chip, narrower dtypes)",
            )
        case Bound.COMPUTE:
            return Advice("ASC-COMP-001", f"{use.pipe.short} computes all the time: fewer or cheaper instructions")
        case Bound.LATENCY_MEMORY:
            return _transfers(use, moved)
        case Bound.LATENCY_COMPUTE if use.pipe is PipeID.PIPE_S:
            return _issue(pipes)
        case Bound.LATENCY_COMPUTE:
            return Advice(
                "ASC-COMP-002",
                f"{use.pipe.short} is busy starting instructions: give each more elements or repeats",
            )
        case _:  # pauses, also those of a memory bound launch between the two thresholds
            return _pipeline(pipes, moved, overlap)


def _transfers(use: PipeUse, moved: Bandwidth) -> Advice:
    sizes = [p.bytes_per_transfer for p in moved.paths.values() if p.pipe is use.pipe]
    if sizes and min(sizes) < TRANSFER_BYTES:
        return _larger(use.pipe, min(sizes))
    return Advice(
        "ASC-MEM-003",
        f"{use.pipe.short} is busy below its rate: avoid short rows, and reuse what the L2 holds",
    )


def _larger(pipe: PipeID, nbytes: float) -> Advice:
    return Advice(
        "ASC-MEM-002",
        f"{pipe.short} carries {nbytes:,.0f} B at a time: larger transfers, {TRANSFER_BYTES:,} B or more",
    )


def _issue(pipes: Mapping[str, PipeUse]) -> Advice:
    count = sum(use.instructions for use in pipes.values())
    return Advice(
        "ASC-SCALAR-001",
        f"the scalar unit issues {count:,} small instructions and cannot keep up: larger tiles, fewer calls",
    )


def _pipeline(pipes: Mapping[str, PipeUse], moved: Bandwidth, overlap: float) -> Advice:
    """No pipe is full: what keeps them apart?"""
    working = [use for use in pipes.values() if use.instructions and use.pipe is not PipeID.PIPE_S]
    lost = {cause: sum(use.wait_cycles[cause] for use in working) for cause in Cause if cause is not Cause.NONE}
    cause = max(lost, key=lambda c: lost[c])
    if cause in {Cause.ISSUE, Cause.QUEUE} and lost[cause]:
        return _issue(pipes)
    if cause is Cause.BARRIER and lost[cause]:
        return Advice("ASC-SYNC-001", "the pipes wait at barriers: remove those that order nothing, or use flags")
    if overlap < OVERLAP_THRESHOLD:
        return Advice(
            "ASC-DB-001",
            "the pipes take turns: double buffer (two buffers per queue), so that copies and computing overlap",
        )
    small = [p for p in moved.paths.values() if p.bytes_per_transfer < TRANSFER_BYTES]
    if small:
        least = min(small, key=lambda p: p.bytes_per_transfer)
        return _larger(least.pipe, least.bytes_per_transfer)
    return Advice("ASC-DB-002", "the pipes overlap and still wait for each other: more buffers, or fewer dependencies")
