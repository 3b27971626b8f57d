"""Accesses to ranges of UB that a kernel said nothing should touch: see ``isa/watch.py``."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..enums import PipeID
from ..findings import Finding, Severity
from ..isa.watch import check_local_memory_ia
from ..program import Block, Kind, Program, Space, Template

_UNITS = {PipeID.PIPE_S: "scalar", PipeID.PIPE_V: "vector", PipeID.PIPE_MTE2: "mte", PipeID.PIPE_MTE3: "mte"}
"""Who accesses UB, by pipe."""

_ACCESSES = (Kind.COMPUTE, Kind.MOVE, Kind.SCALAR)
"""Rows that access what their footprints say; those of queue calls only name their buffer."""


def watched(program: Program) -> Iterator[Finding]:
    """One finding for each line that sets a watch and each line that trips over it, with the blocks that did."""
    if not any(t.op is check_local_memory_ia for t in program.templates):
        return
    found: dict[tuple[int, int], tuple[str, set[int]]] = {}
    for number, block in enumerate(program.blocks):
        for key, text in _trips(block):
            found.setdefault(key, (text, set()))[1].add(number)
    for (watch, trip), (text, blocks) in found.items():
        lines = tuple(str(program.templates[i].site) for i in (watch, trip))
        yield Finding("watch", Severity.ERROR, text, lines, tuple(sorted(blocks)))


def _trips(block: Block) -> Iterator[tuple[tuple[int, int], str]]:
    """Templates of a watch and of a row that trips over it, with the words for it."""
    on: dict[int, int] = {}
    for row, number in enumerate(block.rows.tolist()):
        template = block.templates[number]
        if template.op is check_local_memory_ia:
            on[dict(template.params)["register"]] = number
            continue
        for watch in on.values():
            if (text := _trip(block.templates[watch], template, block.addresses[block.offsets[row] :])) is not None:
                yield (watch, number), text


def _trip(watch: Template, template: Template, addresses: NDArray[np.int64]) -> str | None:
    """The words for a row that touches what is watched."""
    params, unit = dict(watch.params), _UNITS.get(template.pipe) if template.kind in _ACCESSES else None
    for f in template.footprints:
        access = "write" if f.write else "read"
        if f.space is not Space.UB or f"{unit} {access}" not in params["watches"]:
            continue
        for run in f.runs():
            start = int(addresses[f.operand]) + run
            if start < params["stop"] and params["first"] < start + f.nbytes:
                return (
                    f"{template.label} ({template.pipe.short}, {template.site}): {access}s UB bytes "
                    f"[{start}, {start + f.nbytes}), and check_local_memory_ia at {watch.site} watches "
                    f"[{params['first']}, {params['stop']}); move one of them, or set is_enable=False before"
                )
    return None
