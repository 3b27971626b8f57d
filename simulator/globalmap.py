"""Where the host buffers of several launches lie in global memory, once for all of them.

A launch numbers its own global memory; launches that share a buffer share its cache lines only if the
buffer is at the same place for both.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ascendc.language.program import Program

from .columns import Ints, column


class GlobalMap:
    """Moves the addresses of one launch to where its buffers are."""

    def __init__(self, program: Program, bases: dict[int, int]) -> None:
        arrays = sorted(program.arrays, key=lambda a: a.address)
        self._starts = column([a.address for a in arrays])
        self._shifts = column([bases[a.buffer] + a.offset - a.address for a in arrays])

    def __call__(self, addresses: Ints) -> Ints:
        """Addresses common to all launches; those of a program without arrays are common already."""
        if not len(self._starts):
            return addresses
        array = np.searchsorted(self._starts, addresses, "right") - 1
        moved: Ints = addresses + self._shifts[np.maximum(array, 0)]
        return moved


def lay_out(programs: Sequence[Program], line_bytes: int) -> list[GlobalMap]:
    """One map per program.  A buffer keeps its offset within a cache line."""
    ends: dict[int, int] = {}
    offsets: dict[int, int] = {}
    for array in (a for p in programs for a in p.arrays):
        ends[array.buffer] = max(ends.get(array.buffer, 0), array.offset + array.nbytes)
        offsets.setdefault(array.buffer, (array.address - array.offset) % line_bytes)
    bases, cursor = {}, 0
    for buffer, end in ends.items():
        bases[buffer] = cursor + offsets[buffer]
        cursor += -(-(offsets[buffer] + end) // line_bytes) * line_bytes
    return [GlobalMap(program, bases) for program in programs]
