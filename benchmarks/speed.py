"""Speed of the passes beside what NumPy and SimPy alone do in the same process; recorded, never asserted.

python -m benchmarks.speed

The last lines are the costliest form of each family of vector instructions; ``forms.py`` has all of them.

Machines differ, and keep no pace: every number is a ratio of the best of several runs taken in turns.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import ascendc as asc
from ascendc.language.hazards import hazards
from benchmarks import forms
from benchmarks.timing import bare_timeouts_per_second, rows_per_timeout
from kernels import OPERATORS
from kernels.add import add_kernel
from kernels.tiling import Tiling, split
from simulator import simulate

ROUNDS = 5
WARM_UP = """
import numpy as np
from kernels import OPERATORS
from simulator import simulate
x = np.ones(4096, np.float16)
print(simulate(OPERATORS['add'].host(x, x, np.empty_like(x), 2)).cycles)
"""


def main() -> None:
    """Measure and print, a line per goal."""
    tiny, large, alone = launch(48, 64, np.float32), launch(48, 4096, np.float16), launch(1, 64, np.float32)
    show("timing, tiny tiles: rows a timeout", rows_per_timeout(tiny(hazards="off")), at_least=0.3)
    show("timing, 8 KB tiles: rows a timeout", rows_per_timeout(large(hazards="off")), at_least=0.3)
    show("timing, 128 B copies, 4 a line: rows a timeout", rows_per_timeout(copies()), at_least=0.1)
    show("64-element tiles, hazards off: rows a timeout", recorded_per_timeout(alone, "off"), at_least=0.10)
    show("64-element tiles, hazards on: rows a timeout", recorded_per_timeout(alone, "error"), at_least=0.06)
    show("float16 add in 16 KB tiles: times NumPy", functional_over_numpy(), at_most=3.5)
    show("16Mi float16, all passes: times NumPy", all_passes_over_numpy(), at_most=2.4)
    show("cold start: times importing NumPy and SimPy", cold_start(), at_most=2.2)
    show("32,000 blocks: times a block of 4,000", block_of_many(), at_most=1.5)
    show("memory: bytes a row of a program", bytes_per_row(alone(hazards="off")), at_most=200)
    show("16 KB tiles, all checks: times hazards off", checks_on_over_off(), at_most=2.5)
    show("hazard pass, a million rows: times functional", hazards_over_functional(), at_most=2)
    for cost in forms.worst_of_families():
        show(f"{cost.subject.name}, {cost.form}: times count", cost.worst, at_most=forms.GOAL)


def show(what: str, value: float, *, at_least: float | None = None, at_most: float | None = None) -> None:
    """One line: the number, its goal, and whether it is met."""
    goal, met = (f"≥ {at_least}", value >= at_least) if at_least is not None else (f"≤ {at_most}", value <= at_most)
    print(f"{what:<66}{value:>8.3g}   goal {goal:<7}{'' if met else '  missed'}", flush=True)


def launch(blocks: int, tile: int, dtype: Any) -> Callable[..., asc.Program]:
    """A launch of the add kernel: 1000 tiles of ``tile`` elements, divided among the blocks."""
    x = np.ones(1000 * tile, dtype)
    tiling = Tiling(len(x), asc.ceildiv(1000, blocks) * tile, tile)
    return lambda **options: add_kernel.launch(blocks, x, x.copy(), np.empty_like(x), tiling, **options)


@asc.kernel
def copy_kernel(x: asc.GlobalAddress, count: int) -> None:
    """Load ``count`` pieces of 128 B a block, of which every four share a cache line."""
    source, target = asc.GlobalTensor(), asc.TBuf(asc.TPosition.VECCALC)
    source.set_global_buffer(x + asc.get_block_idx() * count * 32, count * 32)
    asc.TPipe().init_buffer(target, 65536)
    tensor = target.get(asc.float32)
    for i in range(count):
        asc.data_copy(tensor[i % 256 * 32 :], source[i * 32 :], 32)


def copies() -> asc.Program:
    """147,000 loads on 48 cores: what looking up lines in flight costs."""
    x = np.zeros(48 * 3062 * 32, np.float32)
    return copy_kernel.launch(48, x, 3062, hazards="off")


def recorded_per_timeout(run: Callable[..., asc.Program], hazards: str) -> float:
    """Rows of the functional pass in the time of one bare timeout."""
    rows, bare = [], []
    for _ in range(ROUNDS):
        rows.append(len(run(hazards=hazards)) / best(lambda: run(hazards=hazards), rounds=1))
        bare.append(bare_timeouts_per_second())
    return max(rows) / max(bare)


def functional_over_numpy() -> float:
    """The functional pass without hazards, on one block, against the same tiles in plain NumPy."""
    x, y, z, tiling = add_inputs(2**21, blocks=1)
    tiling = Tiling(tiling.count, tiling.share, 8192)
    return ratio(
        lambda: add_kernel.launch(1, x, y, z, tiling, hazards="off"), lambda: numpy_tiles(x, y, z, tiling.tile)
    )


def all_passes_over_numpy() -> float:
    """Values, hazards and cycles of 16Mi elements on 48 blocks against the same tiles in plain NumPy."""
    x, y, z, tiling = add_inputs(2**24, blocks=48)
    return ratio(lambda: simulate(OPERATORS["add"].host(x, y, z, 48)), lambda: numpy_tiles(x, y, z, tiling.tile))


def add_inputs(count: int, *, blocks: int) -> tuple[Any, Any, Any, Tiling]:
    """Operands of an addition, and how the operator would divide it."""
    random = np.random.default_rng(0)
    x, y = (random.standard_normal(count, np.float32).astype(np.float16) for _ in "xy")
    return x, y, np.empty_like(x), split(x, blocks, buffers=6)


def numpy_tiles(x: Any, y: Any, z: Any, tile: int) -> None:
    """The addition as a kernel does it, without one: load, load, add, store."""
    a, b, c = (np.empty(tile, x.dtype) for _ in "abc")
    for at in range(0, len(x), tile):
        n = min(tile, len(x) - at)
        a[:n] = x[at : at + n]
        b[:n] = y[at : at + n]
        np.add(a[:n], b[:n], out=c[:n])
        z[at : at + n] = c[:n]


def cold_start() -> float:
    """A process that runs and times a small addition against one that imports two libraries."""
    return ratio(lambda: python(WARM_UP), lambda: python("import numpy, simpy"))


def block_of_many() -> float:
    """What a block costs in a launch of many, beside one of few: nothing may look at all blocks for each."""
    x = np.ones(8, np.float32)
    empty = asc.kernel(lambda x: asc.pipe_barrier(asc.PipeID.PIPE_ALL))
    return ratio(lambda: empty.launch(32_000, x), lambda: empty.launch(4_000, x)) / 8


def python(script: str) -> None:
    """Run ``script`` in a process of its own, which keeps what it compiles, as an installed package is compiled."""
    keeping = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, "-c", script], check=True, stdout=subprocess.DEVNULL, env=keeping)


def bytes_per_row(program: asc.Program) -> float:
    """Of the columns, what is worked out from them on first use included."""
    columns = (a for b in program.blocks for a in (b.rows, b.addresses, b.immediates, b.offsets))
    return sum(a.nbytes for a in columns) / len(program)


def ratio(work: Callable[[], object], limit: Callable[[], object]) -> float:
    """How much longer ``work`` takes than ``limit``: best of both, taken in turns."""
    pairs = [(best(work, rounds=1), best(limit, rounds=1)) for _ in range(ROUNDS)]
    return min(a for a, _ in pairs) / min(b for _, b in pairs)


def best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Seconds of the fastest of several runs."""
    seconds = []
    for _ in range(rounds):
        begin = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def checks_on_over_off() -> float:
    """A launch with all checks against one without the hazard pass, the one check that can be left out."""
    x, y, z, _ = add_inputs(2**21, blocks=1)
    tiling = Tiling(2**21, 2**21, 8192)
    return ratio(
        lambda: add_kernel.launch(1, x, y, z, tiling), lambda: add_kernel.launch(1, x, y, z, tiling, hazards="off")
    )


def hazards_over_functional() -> float:
    """The hazard pass against the pass that made the rows: one block, so that no two share their findings."""
    x, y, z, _ = add_inputs(64 * 61_000, blocks=1)
    tiling = Tiling(len(x), len(x), 64)
    begin = time.perf_counter()
    program = add_kernel.launch(1, x, y, z, tiling, hazards="off")
    middle = time.perf_counter()
    found = sum(1 for _ in hazards(program))
    end = time.perf_counter()
    if found or len(program) < 10**6:
        raise ValueError(f"{found} findings in {len(program)} rows: not the program this is about")
    return (end - middle) / (middle - begin)


if __name__ == "__main__":
    main()
