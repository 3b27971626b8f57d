"""The timing pass: programs in, timelines out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal, Protocol, overload

import numpy as np
import simpy

from ascendc.language.errors import DeadlockError, UsageError
from ascendc.language.hardware import HardwareSpec
from ascendc.language.program import Program

from .cache import Cache
from .columns import Ints, Spans, column
from .core import Decoupled, Done
from .deadlock import explain
from .finish import finish
from .globalmap import lay_out
from .memory import Memory
from .prepare import MOVE, Plan, prepare
from .pricing import Ports
from .steps import Stepwise
from .ticks import ticks
from .timeline import Timeline

Mode = Literal["decoupled", "steps"]
Chip = str | Path | HardwareSpec
"""A chip's name, the TOML file of one, or the chip."""
Progress = Callable[[int, int], None]
"""Called now and then with the instructions done and the instructions in all."""

_EVENTS_PER_REPORT = 20_000


class Cores(Protocol):
    """What runs blocks: one class per mode."""

    def __init__(self, env: simpy.Environment, memory: Memory, plan: Plan, cores: int) -> None: ...
    def start(self, core: int, block: int, at: int, depth: int, done: Done) -> None: ...
    def stuck(self) -> list[tuple[int, int]]: ...
    def spans(self) -> Spans: ...
    @property
    def rows_done(self) -> int: ...


_MODES: dict[Mode, type[Cores]] = {"decoupled": Decoupled, "steps": Stepwise}


@overload
def simulate(
    program: Program, chip: Chip | None = None, *, mode: Mode = "decoupled", progress: Progress | None = None
) -> Timeline: ...
@overload
def simulate(
    program: Sequence[Program],
    chip: Chip | None = None,
    *,
    mode: Mode = "decoupled",
    progress: Progress | None = None,
) -> list[Timeline]: ...
def simulate(
    program: Program | Sequence[Program],
    chip: Chip | None = None,
    *,
    mode: Mode = "decoupled",
    progress: Progress | None = None,
) -> Timeline | list[Timeline]:
    """Work out when everything in a launch happens.

    Args:
        program: one launch, or several that follow one another; the L2 stays warm between them.
        chip: the chip to time them on; by default the one the first was made for.
        mode: ``steps`` is a slow engine with the same result, to test the fast one.
        progress: called now and then with the instructions done and the instructions in all.

    Returns:
        A timeline per program.

    Raises:
        HardwareSpecError: there is no such chip.
        UsageError: there is no such mode, a program is none, or was made for a chip that ``chip`` cannot stand in for.
        DeadlockError: some instruction can never go on; the message lists them all.
    """
    if mode not in _MODES:
        raise UsageError(f"simulate: mode must be {' or '.join(map(repr, _MODES))}, got {mode!r}")
    programs = [program] if isinstance(program, Program) else _launches(program)
    if not programs:
        return []
    spec = programs[0].spec if chip is None else HardwareSpec.load(chip)
    for each in programs:
        if not spec.runs(each.spec):
            raise UsageError(
                f"{each.kernel}: recorded for {each.spec.name}, cannot be timed on {spec.name}, whose architecture, "
                f"memories or pipes differ; launch again with chip={spec.name!r}"
            )
    timelines = _simulate(programs, spec, _MODES[mode], progress)
    return timelines[0] if isinstance(program, Program) else timelines


def _launches(programs: Iterable[object]) -> list[Program]:
    if not isinstance(programs, Iterable):
        raise UsageError(f"simulate: program must be a Program, which a launch gives, or several, got {programs!r}")
    launches = []
    for i, each in enumerate(programs):
        if not isinstance(each, Program):
            raise UsageError(f"simulate: program {i} must be a Program, which a launch gives, got {each!r}")
        launches.append(each)
    return launches


def _simulate(
    programs: list[Program], spec: HardwareSpec, mode: type[Cores], progress: Progress | None
) -> list[Timeline]:
    ports = Ports(spec)
    maps = lay_out(programs, ports.line_bytes)
    plans = [prepare(p, spec, ports, where) for p, where in zip(programs, maps, strict=True)]
    cache = Cache(max(_lines(plan) for plan in plans), spec.l2.bytes // ports.line_bytes)
    total, done = sum(map(len, programs)), 0
    timelines = []
    for plan in plans:
        report = partial(_report, progress, done, total) if progress else None
        timelines.append(_Launch(plan, spec, ports, cache, mode).run(report))
        done += len(plan.order)
    if progress:
        progress(done, total)
    return timelines


def _report(progress: Progress, before: int, total: int, rows: int) -> None:
    progress(before + rows, total)


def _lines(plan: Plan) -> int:
    """Lines of global memory a launch can touch."""
    is_move = plan.code == MOVE
    reach = column([max((f + n for f, n in t.extents), default=0) for t in plan.transfers])
    return int((plan.b[is_move] + reach[plan.a[is_move]]).max(initial=0))


@dataclass(slots=True)
class _Kind:
    """How the cores of one kind queue, and the blocks they still have to take."""

    depth: int
    waiting: deque[int] = field(default_factory=deque)


class _Launch:
    """One launch: hands the blocks to the cores and lets SimPy run."""

    def __init__(self, plan: Plan, spec: HardwareSpec, ports: Ports, cache: Cache, mode: type[Cores]) -> None:
        self.env = simpy.Environment()
        self.plan, self.spec = plan, spec
        self.memory = Memory(self.env, ports, cache)
        self.block_cost = ticks(spec.launch.block_cycles)
        blocks = plan.program.blocks
        self.core_of: Ints = np.zeros(len(blocks), np.int64)
        self.began: Ints = np.zeros(len(blocks), np.int64)
        self.core_kinds: list[str] = []
        self.kinds: dict[str, _Kind] = {}
        first: list[tuple[int, int]] = []
        for name, kind in spec.core.items():
            mine = [i for i, block in enumerate(blocks) if block.kind == name]
            number = len(self.core_kinds)
            self.kinds[name] = _Kind(kind.queue_depth, deque(mine[kind.count :]))
            first += [(number + i, block) for i, block in enumerate(mine[: kind.count])]
            self.core_kinds += [name] * min(len(mine), kind.count)
        self.cores = mode(self.env, self.memory, plan, len(self.core_kinds))
        for core, block in first:
            self._start(core, block, 0)

    def _start(self, core: int, block: int, at: int) -> None:
        self.core_of[block], self.began[block] = core, at
        kind = self.kinds[self.core_kinds[core]]
        self.cores.start(core, block, at, kind.depth, partial(self._finished, core, kind))

    def _finished(self, core: int, kind: _Kind, at: int) -> None:
        if kind.waiting:
            self.memory.turn(at, core, partial(self._next, core, kind))

    def _next(self, core: int, kind: _Kind, now: int) -> None:
        if kind.waiting:
            self._start(core, kind.waiting.popleft(), now + self.block_cost)

    def run(self, report: Callable[[int], None] | None) -> Timeline:
        step = self.env.step
        with suppress(simpy.core.EmptySchedule):
            while True:
                for _ in range(_EVENTS_PER_REPORT):
                    step()
                if report:
                    report(self.cores.rows_done)
        if stuck := self.cores.stuck():
            raise DeadlockError(explain(self.plan, stuck))
        self.memory.settle()
        return finish(
            self.plan, self.spec, self.cores.spans(), self.core_of, self.began, self.core_kinds, self.memory.traffic
        )
