"""The pairs of rows of a recorded block that a schedule can break, found by holding back one row at a time."""

from __future__ import annotations

from collections.abc import Iterable

from ascendc.language.enums import PipeID
from ascendc.language.program import Block, Instruction, Kind, Space
from tests.guards.schedules import Row, Schedules
from tests.oracle import Pair

Intervals = list[tuple[int, int, int]]


def hazards_of(block: Block, mended: Iterable[tuple[int, int]] = ()) -> set[Pair]:
    """As the function of this name in ``tests/oracle.py``, for blocks of any size."""
    rows = list(block)
    reads, writes = ([_touched(r, write=w) for r in rows] for w in (False, True))
    schedules = Schedules([_row(r, wrote) for r, wrote in zip(rows, writes, strict=True)], mended)
    found: set[Pair] = set()
    for held in schedules.holdable():
        run = schedules.run(held)
        found |= {("twice", *pair) for pair in run.twice}
        for row in run.order[: run.early]:
            if row > held and not rows[row].template.pipe is rows[held].template.pipe is PipeID.PIPE_S:
                for kind, mine, theirs in (
                    ("raw", reads[row], writes[held]),
                    ("war", writes[row], reads[held]),
                    ("waw", writes[row], writes[held]),
                ):
                    commute = kind == "waw" and _commute(rows[held], rows[row])
                    if _meet([t for t in mine if not commute or t[0] is not Space.GM], theirs):
                        found.add((kind, held, row))
    return found | {("twice", *pair) for pair in schedules.run().twice}


def _row(row: Instruction, wrote: Intervals) -> Row:
    pipe, kind, event = row.template.pipe, row.template.kind, row.template.event
    is_late = pipe is PipeID.PIPE_S and (kind is Kind.SET or any(space is not Space.GM for space, *_ in wrote))
    return Row(pipe, kind, event, is_late)


def _commute(a: Instruction, b: Instruction) -> bool:
    """Whether two stores combine with what is in global memory in the same way, in whichever order."""
    how = [dict(row.template.params).get("atomic") for row in (a, b)]
    return how[0] is not None and how[0] == how[1]


def _touched(row: Instruction, *, write: bool) -> Intervals:
    """(space, first byte, byte after the last) of every run of a row."""
    return [
        (f.space, row.addresses[f.operand] + start, row.addresses[f.operand] + start + f.nbytes)
        for f in row.template.footprints
        if f.write is write
        for start in f.runs()
    ]


def _meet(mine: Intervals, theirs: Intervals) -> bool:
    return any(s == t and a < d and c < b for s, a, b in mine for t, c, d in theirs)
