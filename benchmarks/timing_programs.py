"""How fast the timing pass is: rows of a program per bare SimPy timeout, both taken in one process."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import simpy

from ascendc.language.program import Program
from simulator import simulate

_PROCESSES, _TIMEOUTS = 48, 5000


def bare_timeouts_per_second() -> float:
    """What SimPy alone does: 48 processes that only let time pass."""
    env = simpy.Environment()

    def ticking():
        for _ in range(_TIMEOUTS):
            yield env.timeout(1)

    for _ in range(_PROCESSES):
        env.process(ticking())
    return _PROCESSES * _TIMEOUTS / _seconds(env.run)


def rows_per_second(program: Program) -> float:
    """What the timing pass does with a recorded launch."""
    return len(program) / _seconds(lambda: simulate(program))


def rows_per_timeout(program: Program, repeats: int = 3) -> float:
    """The goal of the timing pass is 0.3 or more: the best of a few runs of each, one after the other."""
    bare = max(bare_timeouts_per_second() for _ in range(repeats))
    return max(rows_per_second(program) for _ in range(repeats)) / bare


def _seconds(work: Callable[[], object]) -> float:
    gc.collect()
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin
