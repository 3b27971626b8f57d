"""How fast the timing pass is, beside what SimPy alone does in the same process.

python -m benchmarks.timing
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Generator

import simpy

from ascendc.language.program import Program
from simulator import simulate

_PROCESSES, _TIMEOUTS = 48, 5000


def bare_timeouts_per_second() -> float:
    """48 processes that only let time pass."""
    env = simpy.Environment()

    def ticking() -> Generator[simpy.Event, None, None]:
        for _ in range(_TIMEOUTS):
            yield env.timeout(1)

    for _ in range(_PROCESSES):
        env.process(ticking())
    return _PROCESSES * _TIMEOUTS / _seconds(env.run)


def rows_per_second(program: Program) -> float:
    """Rows of a recorded launch the timing pass gets through."""
    return len(program) / _seconds(lambda: simulate(program))


def rows_per_timeout(program: Program, repeats: int = 5) -> float:
    """The goal is 0.3 or more.  Best of both, taken in turns because machines do not keep their pace."""
    pairs = [(rows_per_second(program), bare_timeouts_per_second()) for _ in range(repeats)]
    return max(rows for rows, _ in pairs) / max(bare for _, bare in pairs)


def _seconds(work: Callable[[], object]) -> float:
    gc.collect()
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin
