"""What a block does if one of its rows takes its time: every order that matters, without clocks.

Flags and barriers choose nothing: a row that may go on stays able to, whatever the others do meanwhile.  So with
the end of one row held back and everything else run as far as it goes, exactly the rows that need not wait for
it have run.  As many runs as rows show what trying all orders shows; ``tests/oracle.py`` does try them, for
small blocks, and a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ascendc.language.enums import HardEvent, PipeID
from ascendc.language.program import Kind

_ORDERLY = (PipeID.PIPE_S, PipeID.PIPE_ALL)
"""Rows of these are over before anything later is issued, but for late ones."""

NOBODY = -1


class Row(NamedTuple):
    """As much of a row as order depends on.

    Late is what the scalar unit writes to local memory, and a flag it sets: it goes on before that is there.
    """

    pipe: PipeID
    kind: Kind
    event: tuple[HardEvent, int] | None = None
    is_late: bool = False

    @property
    def is_orderly(self) -> bool:
        return self.pipe in _ORDERLY and not self.is_late


@dataclass(frozen=True, slots=True)
class Run:
    """One legal schedule.

    Attributes:
        order: the rows, as they end.
        early: how many of them ended while one row was held back.
        is_stuck: whether some rows never end.
        twice: (set, later set) of a flag that was set while it was set.
    """

    order: tuple[int, ...]
    early: int
    is_stuck: bool
    twice: frozenset[tuple[int, int]]


class Schedules:
    """The schedules of a block."""

    def __init__(self, rows: Sequence[Row], mended: Iterable[tuple[int, int]] = ()) -> None:
        """Look at ``rows``; ``mended`` are pairs between which a flag was put."""
        self._rows = rows
        self._awaited, self._taker, self._previous = _flags(rows)
        self._needs: dict[int, list[int]] = {}
        for first, second in mended:
            pipe = rows[first].pipe
            self._needs.setdefault(second, []).extend(i for i in range(first + 1) if rows[i].pipe is pipe)

    def holdable(self) -> list[int]:
        """The rows that others can overtake."""
        return [i for i, row in enumerate(self._rows) if not row.is_orderly]

    def run(self, held: int = NOBODY) -> Run:
        """Run everything, the row ``held`` as late as can be, the others as early as in order of issue."""
        state = _State(len(self._rows), held)
        while state.move(self):
            pass
        early = len(state.order)
        state.held = NOBODY
        while state.move(self):
            pass
        return Run(tuple(state.order), early, len(state.order) < len(self._rows), frozenset(state.twice))


def _flags(rows: Sequence[Row]) -> tuple[dict[int, int], dict[int, int], dict[int, int]]:
    """The set of each wait, the wait of each set, and the set before each set: the k-th wait takes the k-th set."""
    sets: dict[object, list[int]] = {}
    waits: dict[object, list[int]] = {}
    for i, row in enumerate(rows):
        if row.event:
            (sets if row.kind is Kind.SET else waits).setdefault(row.event, []).append(i)
    pairs = [pair for event, mine in waits.items() for pair in zip(mine, sets.get(event, ()), strict=False)]
    before = [pair for mine in sets.values() for pair in zip(mine[1:], mine, strict=False)]
    return dict(pairs), {s: w for w, s in pairs}, dict(before)


class _State:
    """How far a run is."""

    def __init__(self, count: int, held: int) -> None:
        self.held, self.issued = held, 0
        self.order: list[int] = []
        self.twice: set[tuple[int, int]] = set()
        self._done = bytearray(count)
        self._queues: dict[PipeID, list[int]] = {}  # issued, not started
        self._open: dict[PipeID, list[int]] = {}  # started, not over

    def move(self, of: Schedules) -> bool:
        """Let one row go on: the first in order of issue that can."""
        rows = of._rows
        while self.issued < len(rows) and rows[self.issued].pipe not in _ORDERLY:
            self._queues.setdefault(rows[self.issued].pipe, []).append(self.issued)
            self.issued += 1
        waiting = [(queue[0], pipe, False) for pipe, queue in self._queues.items() if queue]
        waiting += [(row, pipe, True) for pipe, started in self._open.items() for row in started]
        for row, pipe, is_started in sorted(waiting):
            if is_started and self._ends(row, of):
                self._open[pipe].remove(row)
                return True
            if not is_started and self._starts(row, pipe, of):
                self._queues[pipe].pop(0)
                if not self._ends(row, of):
                    self._open.setdefault(pipe, []).append(row)
                return True
        if self.issued < len(rows) and self._is_free(self.issued, of):
            is_over = self._ends(self.issued, of)
            if not is_over and rows[self.issued].is_late:
                self._open.setdefault(rows[self.issued].pipe, []).append(self.issued)
            if is_over or rows[self.issued].is_late:
                self.issued += 1
                return True
        return False

    def _starts(self, row: int, pipe: PipeID, of: Schedules) -> bool:
        started = self._open.get(pipe)
        if started and any(of._rows[i].kind in (Kind.WAIT, Kind.BARRIER) for i in started):
            return False
        return self._is_free(row, of)

    def _is_free(self, row: int, of: Schedules) -> bool:
        return row not in of._needs or all(self._done[i] for i in of._needs[row])

    def _ends(self, row: int, of: Schedules) -> bool:
        """End ``row`` if it may."""
        pipe, kind, *_ = of._rows[row]
        if row == self.held:
            return False
        if kind is Kind.WAIT:
            if row not in of._awaited or not self._done[of._awaited[row]]:
                return False
        elif pipe is PipeID.PIPE_ALL:
            if not all(self._done[:row]):
                return False
        elif kind in (Kind.SET, Kind.BARRIER) and any(i < row for i in self._open.get(pipe, ())):
            return False
        self._done[row] = 1
        self.order.append(row)
        before = of._previous.get(row)
        if kind is Kind.SET and before is not None and not self._taken(before, of):
            self.twice.add((before, row))
        return True

    def _taken(self, row: int, of: Schedules) -> bool:
        taker = of._taker.get(row)
        return taker is not None and bool(self._done[taker])
