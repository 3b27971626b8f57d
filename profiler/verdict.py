"""What bounds the launch, in one line, in msprof's words.

First the best use of anything that has a ceiling: a memory, the ports of a path, an execution unit.  Above
its threshold the launch is memory or compute bound and nothing in the kernel's schedule will help.  Below,
it is latency bound: by its pipeline if every pipe has time left, else by the pipe that has none.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ascendc.language.enums import PipeID
from ascendc.language.hardware import HardwareSpec
from simulator.timeline import Timeline

from .bandwidth import Bandwidth
from .metrics import PipeUse

USE_THRESHOLD = 0.80
"""Share of a ceiling above which it is the bound, for launches that use the cube."""
VECTOR_USE_THRESHOLD = 0.65
"""The same for launches that do not: their best published versions stay further below the ceilings."""
BUSY_THRESHOLD = 0.80
"""Busy share above which a pipe has no time left."""


class Bound(enum.StrEnum):
    """What there is not enough of."""

    MEMORY = "memory bound"
    COMPUTE = "compute bound"
    LATENCY_PIPELINE = "latency bound: pipeline caused"
    LATENCY_MEMORY = "latency bound: memory caused"
    LATENCY_COMPUTE = "latency bound: compute caused"
    NOTHING = "nothing ran"


@dataclass(frozen=True, slots=True)
class Ceiling:
    """How much of something that has a limit was used.

    Attributes:
        bound: what the launch is if this is the limit.
        pipe: name of the pipe that used it most.
        text: what the pipe did, in words with numbers.
        use: share of the limit, 0 to 1.
        is_shared: whether it is the limit of all cores together, so that more of them do not help.
    """

    bound: Bound
    pipe: str
    text: str
    use: float
    is_shared: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """The bound, who is to blame, and the number that says so.

    Attributes:
        bound: the class.
        pipe: name of the pipe, as in ``Report.pipes``.
        text: what the pipe did.
        value: its share, 0 to 1.
        threshold: what the share was compared with.
        ceilings: all that were looked at, most used first.
    """

    bound: Bound
    pipe: str
    text: str
    value: float
    threshold: float
    ceilings: tuple[Ceiling, ...]

    @property
    def is_shared(self) -> bool:
        """Whether the bound is a limit of all cores together."""
        return self.bound is Bound.MEMORY and self.ceilings[0].is_shared

    def __str__(self) -> str:
        if self.bound is Bound.NOTHING:
            return str(self.bound)
        sign = ">" if self.value > self.threshold else "<="
        return f"{self.bound}: {self.pipe} {self.text} ({self.value:.3f} {sign} {self.threshold:.2f})"


def verdict(timeline: Timeline, pipes: Mapping[str, PipeUse], moved: Bandwidth) -> Verdict:
    """What bounds ``timeline``, whose pipes were used like ``pipes`` and whose memories like ``moved``."""
    if not timeline.cycles:
        return Verdict(Bound.NOTHING, "", "", 0.0, 0.0, ())
    spec = timeline.spec
    ceilings = sorted((*_memories(pipes, moved), *_paths(pipes, moved), *_units(pipes, spec)), key=lambda c: -c.use)
    has_cube = any(p.pipe is PipeID.PIPE_M and p.instructions for p in pipes.values())
    threshold = USE_THRESHOLD if has_cube else VECTOR_USE_THRESHOLD
    if ceilings and ceilings[0].use > threshold:
        best = ceilings[0]
        return Verdict(best.bound, best.pipe, best.text, best.use, threshold, tuple(ceilings))

    busiest = max(pipes, key=lambda name: pipes[name].ratio)
    ratio = pipes[busiest].ratio
    bound = _latency(pipes[busiest])
    return Verdict(bound, busiest, "is the busiest pipe", ratio, BUSY_THRESHOLD, tuple(ceilings))


def _latency(busiest: PipeUse) -> Bound:
    if busiest.ratio <= BUSY_THRESHOLD:
        return Bound.LATENCY_PIPELINE
    return Bound.LATENCY_MEMORY if busiest.pipe.short.startswith("MTE") else Bound.LATENCY_COMPUTE


def _memories(pipes: Mapping[str, PipeUse], moved: Bandwidth) -> Iterator[Ceiling]:
    """Shares of what HBM and L2 give all cores together."""
    if not moved.paths:
        return
    most = max(moved.paths.values(), key=lambda path: path.nbytes)
    for memory in moved.memories.values():
        text = f"fills {memory.name} with {memory.gbps:,.0f} of {memory.achievable_gbps:,.0f} GB/s"
        yield Ceiling(Bound.MEMORY, _busiest(pipes, most.pipe), text, memory.gbps / memory.achievable_gbps, True)


def _paths(pipes: Mapping[str, PipeUse], moved: Bandwidth) -> Iterator[Ceiling]:
    """Shares of what the ports of the cores that ran allow."""
    for path in moved.paths.values():
        text = f"fills {path.route} with {path.gbps:,.0f} of {path.port_gbps:,.0f} GB/s of its ports"
        yield Ceiling(Bound.MEMORY, _busiest(pipes, path.pipe), text, path.gbps / path.port_gbps)


def _units(pipes: Mapping[str, PipeUse], spec: HardwareSpec) -> Iterator[Ceiling]:
    """Shares of time the execution units computed, not counting what starting an instruction costs at least."""
    for name, use in pipes.items():
        match use.pipe:
            case PipeID.PIPE_V:
                yield Ceiling(Bound.COMPUTE, name, "computes, start-up left out", use.ratio * _computing(use, spec))
            case PipeID.PIPE_M:
                yield Ceiling(Bound.COMPUTE, name, "computes", use.ratio)
            case _:
                pass


def _computing(use: PipeUse, spec: HardwareSpec) -> float:
    """Share of the vector unit's busy time that is not start-up of an instruction, at most.

    Every instruction has at least the smallest head of all cost classes.  What remains of their lengths is
    the time the lanes were fed, also where the next instruction starts under the tail of the last.
    """
    if not use.busy_cycles:
        return 0.0
    head = float(min(cost.head_cycles for cost in spec.vector.cost.values()))
    fed = max(0.0, use.span_cycles - head * use.instructions / use.cores)
    return min(1.0, fed / use.busy_cycles)


def _busiest(pipes: Mapping[str, PipeUse], pipe: PipeID) -> str:
    """The pipe's name, in whichever kind of core uses it most."""
    return max((n for n, use in pipes.items() if use.pipe is pipe), key=lambda name: pipes[name].ratio)
