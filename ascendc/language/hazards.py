"""The hazard pass: accesses of a program that nothing puts in order.

A functional run in order of issue is one legal schedule of many.  This pass finds what another one could break:
it knows flags, queues and barriers, and the exact bytes of every access, and has no clock.  Inside a block
the parts are in ``hazard/``; blocks that issued the same rows on the same local addresses are looked at once.
"""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from .findings import Finding, Severity
from .hazard import report
from .hazard.extent import Bools, Extents, Footprints, spread
from .hazard.hits import Hit, Hits, Rule
from .hazard.order import check
from .hazard.padding import taken_for_data
from .hazard.shared import Clash, clashes, contested
from .hazard.watch import watched
from .program import Block, Program, Space

SHOWN = 12
"""Findings a listing shows."""
WIDTH = 80
"""Columns it is wrapped to."""
CLASHES = 200_000
"""Pairs of accesses of different blocks that clash, followed up at most: a finding says if there are more."""

_FAR = np.iinfo(np.int64).max


def hazards(program: Program) -> Iterator[Finding]:
    """What in ``program`` a legal schedule could break, in order of issue of the later access.

    One finding for each pair of kernel lines and kind, with all blocks it was found in.  Kinds: ``raw``, ``war`` and
    ``waw`` inside a block, ``cores`` between blocks, ``flag`` for flags set twice, or left set (a warning: it
    is the next kernel that trips over them), ``padding`` for dummies of ``data_copy_pad`` that are taken for data (a
    warning, too), and at the end ``watch`` for what ``check_local_memory_ia`` watches.
    """
    footprints = Footprints(program.templates)
    within, between = contested(program.blocks, footprints)
    merged: dict[tuple[Rule, int, int], _Case] = {}
    for number, hits in enumerate(_by_block(program, footprints, within)):
        templates = program.blocks[number].rows
        for hit in hits:
            key = (hit.rule, int(templates[hit.first]), int(templates[hit.second]))
            merged.setdefault(key, _Case((number, hit.second, hit.first), hit)).add(hit.count, number)
    more = clashes(between)
    for clash in itertools.islice(more, CLASHES):
        a, b = (int(program.blocks[n].rows[row]) for n, row in zip(clash.blocks, clash.rows, strict=True))
        case = _Case((clash.blocks[1], clash.rows[1], clash.rows[0]), clash)
        merged.setdefault((Rule.CORES, min(a, b), max(a, b)), case).add(1, *clash.blocks)
    cases = sorted(merged.values(), key=lambda case: case.order)
    yield from (_finding(program, case) for case in cases[: Hits.LIMIT])
    if next(more, None) is not None:
        yield _too_many(cases)
    yield from watched(program)


def describe(findings: Sequence[Finding]) -> str:
    """A numbered listing of the first findings, for an error text or a terminal."""
    shown = [
        textwrap.fill(str(f), WIDTH, initial_indent=f"{n:>3}. ", subsequent_indent="     ", break_long_words=False)
        for n, f in enumerate(findings[:SHOWN], 1)
    ]
    more = len(findings) - len(shown)
    return "\n".join([*shown, f"     and {more} more"] if more else shown)


@dataclass(slots=True)
class _Case:
    """One finding in the making: where it came first, how often and in which blocks it came at all."""

    order: tuple[int, int, int]
    what: Hit | Clash
    count: int = 0
    blocks: set[int] = field(default_factory=set)

    def add(self, count: int, *blocks: int) -> None:
        self.count += count
        self.blocks.update(blocks)


def _by_block(program: Program, footprints: Footprints, within: Extents) -> Iterator[list[Hit]]:
    """The hits of each block; blocks that cannot differ share theirs."""
    seen: dict[tuple[str, bytes, bytes], list[Hit]] = {}
    local = _Operands(program, footprints)
    ub = program.spec.core[program.spec.vector_kind].memory["ub"]
    ends = np.searchsorted(within.block, np.arange(len(program.blocks) + 1))
    for number, block in enumerate(program.blocks):
        inside = np.where(local.of(block), block.addresses, -1)
        addresses = inside.copy()
        mine = within.take(np.arange(ends[number], ends[number + 1]))
        places = block.offsets[mine.row] + footprints.operand[mine.footprint]
        at = block.addresses[places]
        addresses[places] = at - at.min(initial=_FAR)  # distances are all that counts: in place, too, blocks stay equal
        key = (block.kind, block.rows.tobytes(), addresses.tobytes())
        if key not in seen:
            seen[key] = check(block, footprints, addresses) + taken_for_data(block, footprints, inside, ub.bytes)
        yield seen[key]


class _Operands:
    """Which operands of the program's templates lie in a core's own memory."""

    def __init__(self, program: Program, footprints: Footprints) -> None:
        self._width = np.array([len(t.operands) for t in program.templates], np.int64)
        self._first = np.cumsum(self._width) - self._width
        template, number = footprints.of(np.arange(len(program.templates)))
        self._is_local = np.zeros(int(self._width.sum()), np.bool_)
        local = footprints.space[number] != Space.GM
        self._is_local[self._first[template[local]] + footprints.operand[number[local]]] = True

    def of(self, block: Block) -> Bools:
        """For each address of ``block``."""
        _, place = spread(self._first[block.rows], self._width[block.rows])
        return self._is_local[place]


def _finding(program: Program, case: _Case) -> Finding:
    what = case.what
    if isinstance(what, Clash):
        rule, text, rows = Rule.CORES, report.between_blocks(program, what), zip(what.blocks, what.rows, strict=True)
    else:
        number, block = case.order[0], program.blocks[case.order[0]]
        rule, rows = what.rule, zip((number, number), (what.first, what.second), strict=True)
        text = _words(program, block, what)
    sites = [program.templates[program.blocks[n].rows[row]].site for n, row in rows]
    if rule in (Rule.LEFT_SET, Rule.NEVER_SET):
        del sites[1]
    return Finding(
        rule.kind,
        Severity.WARNING if rule in (Rule.LEFT_SET, Rule.PADDING) else Severity.ERROR,
        text + _how_often(case, len(program.blocks)),
        tuple(map(str, sites)),
        tuple(sorted(case.blocks)),
    )


def _words(program: Program, block: Block, hit: Hit) -> str:
    if hit.rule.kind == "flag":
        return report.flag(block, hit)
    return report.padding(block, hit) if hit.rule is Rule.PADDING else report.unordered(program, block, hit)


def _too_many(cases: Sequence[_Case]) -> Finding:
    """That blocks clash more often than anybody follows up."""
    blocks = set().union(*(case.blocks for case in cases if isinstance(case.what, Clash)))
    text = (
        f"hazards between blocks: more than {CLASHES} pairs of accesses clash, and only so many were followed up; "
        "mend those named, and look again"
    )
    return Finding(Rule.CORES.kind, Severity.WARNING, text, (), tuple(sorted(blocks)))


def _how_often(case: _Case, blocks: int) -> str:
    if isinstance(case.what, Clash):  # the text names two blocks
        return f"; so do {len(case.blocks)} blocks in all" if len(case.blocks) > 2 else ""
    times = f"; {case.count} times" if case.count > 1 else ""
    if blocks == 1:
        return times
    first, last = min(case.blocks), max(case.blocks)
    named = f"block {first}" if first == last else f"{len(case.blocks)} blocks from {first} to {last}"
    return f"{times}, in {named}" if times else f"; in {named}"
