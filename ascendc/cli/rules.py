"""What ``ascendc lint`` advises: transfers that are right, and slower than they need be.

The rules look at the lines that move data between global and local memory, and at nothing that takes a clock.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ascendc.language.findings import Finding, Severity
from ascendc.language.program import Block, GlobalArray, Kind, Program, Space, Template
from profiler.advice import TRANSFER_BYTES

SINGLE_BUFFER, SMALL_TRANSFER, GM_ALIGNMENT = "single-buffer", "small-transfer", "gm-alignment"

_QUEUE = "init_buffer(queue, 2, len)"
_TENSORS = "use two tensors in turn, each with flags of its own"


def advise(program: Program) -> Iterator[Finding]:
    """Advice about one launch, line by line."""
    for line, moves in _moves(program).items():
        for rule in (_single_buffer, _small_transfer, _alignment):
            found = rule(moves, program)
            if found is not None:
                kind, text = found
                yield Finding(kind, Severity.ADVICE, f"{line}: {text}", (line,), tuple(sorted(moves.blocks)))


@dataclass(slots=True)
class _Moves:
    """The transfers of one line.

    Attributes:
        blocks: which blocks came here.
        parts: for each block and kind of transfer: block, bytes of one, places in global and in local memory.
    """

    blocks: set[int] = field(default_factory=set)
    parts: list[tuple[int, int, NDArray[np.int64], NDArray[np.int64]]] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many there are."""
        return sum(len(places) for _, _, places, _ in self.parts)


def _moves(program: Program) -> dict[str, _Moves]:
    """The transfers by line, in order of their templates."""
    lines: dict[str, _Moves] = {}
    for number, template in enumerate(program.templates):
        outside = [f for f in template.footprints if f.space is Space.GM]
        if template.kind is not Kind.MOVE or len(outside) != 1:
            continue
        nbytes = outside[0].nbytes * len(outside[0].runs())
        for index, block in enumerate(program.blocks):
            places = _addresses(block, number, template)
            if len(places):
                found = lines.setdefault(str(template.site), _Moves())
                found.blocks.add(index)
                here = outside[0].operand
                found.parts.append((index, nbytes, places[:, here], places[:, 1 - here]))
    return lines


def _addresses(block: Block, number: int, template: Template) -> NDArray[Any]:
    """The addresses of all rows of one template, one row each."""
    rows = np.flatnonzero(block.rows == number)
    found: NDArray[Any] = block.addresses[block.offsets[rows][:, None] + np.arange(len(template.operands))]
    return found


def _single_buffer(moves: _Moves, program: Program) -> tuple[str, str] | None:
    """Arrays that pass through one place again and again: the next copy waits for the last one's reader."""
    names, ways, most = [], [], 0
    for array in program.arrays:
        by_block: dict[int, list[NDArray[np.int64]]] = {}
        for block, _, outside, inside in moves.parts:
            mine = (outside >= array.address) & (outside < array.address + array.nbytes)
            by_block.setdefault(block, []).append(inside[mine])
        places = [np.concatenate(parts) for parts in by_block.values()]
        times = max(map(len, places), default=0)
        if times > 1 and all(len(np.unique(p)) <= 1 for p in places):
            names.append(array.name)
            firsts = dict.fromkeys(int(p[0]) for p in places if len(p))
            ways += [_QUEUE if _in_queue(program, at) else _TENSORS for at in firsts]
            most = max(most, times)
    if not names:
        return None
    through = "passes through one buffer" if len(names) == 1 else "pass through one buffer each"
    return SINGLE_BUFFER, (
        f"{', '.join(names)} {through}, up to {most:,} times in a block, so copies and computing take turns; "
        f"two buffers let them overlap: {', or '.join(dict.fromkeys(ways))}"
    )


def _in_queue(program: Program, address: int) -> bool:
    """Whether a byte of local memory lies in a buffer of a queue: its calls leave rows with the buffer's place."""
    for number, template in enumerate(program.templates):
        if template.queued:
            nbytes = dict(template.params)["nbytes"]
            for block in program.blocks:
                starts = _addresses(block, number, template)
                if ((starts <= address) & (address < starts + nbytes)).any():
                    return True
    return False


def _small_transfer(moves: _Moves, program: Program) -> tuple[str, str] | None:
    mean = sum(nbytes * len(places) for _, nbytes, places, _ in moves.parts) / moves.count
    if mean >= TRANSFER_BYTES or moves.count == len(moves.blocks):  # a block that copies once has no more to copy
        return None
    return SMALL_TRANSFER, (
        f"{moves.count:,} transfers of {mean:,.0f} B on average; below {TRANSFER_BYTES:,} B starting one costs more "
        "than its bytes: use larger tiles"
    )


def _alignment(moves: _Moves, program: Program) -> tuple[str, str] | None:
    line = program.spec.l2.line_bytes
    places = np.concatenate(
        [outside for _, nbytes, outside, _ in moves.parts if nbytes >= line] or [np.empty(0, np.int64)]
    )
    off = places[places % line != 0]
    if not len(off):
        return None
    first = int(off[0])
    array = _array_at(program, first)
    return GM_ALIGNMENT, (
        f"{len(off):,} of {len(places):,} transfers start inside a {line}-byte line of global memory, the first at "
        f"byte {first - array.address:,} of {array.name}; shares and tiles of whole lines are faster"
    )


def _array_at(program: Program, address: int) -> GlobalArray:
    return max((a for a in program.arrays if a.address <= address), key=lambda a: a.address)
