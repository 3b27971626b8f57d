"""Cycles of add_relu on one core, by tile and number of buffers."""

import numpy as np
from tails import add_relu

from profiler import profile
from simulator import simulate

x, y = np.random.default_rng(0).standard_normal((2, 129024), np.float32).astype(np.float16)
z = np.empty_like(x)

print("  tile   1 buffer  2 buffers")
for tile in (512, 1024, 2048, 4096, 8192, 16128):
    programs = [add_relu.host(x, y, z, blocks=1, tile=tile, buffers=n) for n in (1, 2)]
    one, two = (profile(simulate(program)) for program in programs)
    print(f"{tile:6,}{one.cycles:11,}{two.cycles:11,}  {two.verdict.bound}, {two.verdict.pipe}")
