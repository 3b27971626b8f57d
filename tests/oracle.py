"""What can happen to a small block, by trying everything: the check on the hazard pass.

The machine below does what the chip may do, one step at a time, and is explored until no new state turns up.
It shares nothing with the pass: no clocks, no slots, bytes as sets.  States: how many rows are issued, which
have started, and which are complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ascendc.language.enums import PipeID
from ascendc.language.program import Block, Instruction, Kind, Space

Pair = tuple[str, int, int]
State = tuple[int, frozenset[int], frozenset[int]]


def hazards_of(block: Block, mended: Iterable[tuple[int, int]] = ()) -> set[Pair]:
    """Every (kind, row, later row) that some schedule breaks: ``raw``, ``war``, ``waw`` and ``twice``.

    Args:
        block: up to about ten rows.
        mended: pairs of rows between which a flag was put: the later one waits until the earlier one, and all
            before it in its pipe, are over.
    """
    machine = _Machine(block, mended)
    found: set[Pair] = set()
    seen, todo = set(), [machine.start]
    while todo:
        state = todo.pop()
        if state not in seen:
            seen.add(state)
            todo += machine.steps(state, found)
    return found


class _Machine:
    """A block as the chip runs it."""

    def __init__(self, block: Block, mended: Iterable[tuple[int, int]]) -> None:
        self.start: State = (0, frozenset(), frozenset())
        self._rows = list(block)
        self._reads = [_bytes(row, write=False) for row in self._rows]
        self._writes = [_bytes(row, write=True) for row in self._rows]
        self._partner = self._match()
        self._mended = list(mended)

    def _match(self) -> dict[int, int]:
        """The set each wait takes: its own number of sets and waits of that flag were before."""
        partner = {}
        for kind_rows in {r.template.event for r in self._rows if r.template.event}:
            mine = [i for i, r in enumerate(self._rows) if r.template.event == kind_rows]
            sets = [i for i in mine if self._rows[i].template.kind is Kind.SET]
            waits = [i for i in mine if self._rows[i].template.kind is Kind.WAIT]
            partner |= dict(zip(waits, sets, strict=False))
        return partner

    def steps(self, state: State, found: set[Pair]) -> Iterator[State]:
        issued, started, done = state
        if issued < len(self._rows) and self._may_issue(state):
            yield issued + 1, started, done
        for i in range(issued):
            if i not in started and self._may_start(i, state):
                self._look(i, state, found)
                yield issued, started | {i}, done
            if i in started and i not in done and self._may_end(i, done):
                self._look_at_flag(i, state, found)
                yield issued, started, done | {i}

    def _may_issue(self, state: State) -> bool:
        """The scalar unit goes on when its own row, or the barrier over all pipes, is over.

        It does not wait for what it writes to local memory, nor for a flag it sets behind that.
        """
        issued, started, done = state
        if issued == 0 or self._pipe(issued - 1) not in (PipeID.PIPE_S, PipeID.PIPE_ALL):
            return True
        is_late = any(space is not Space.GM for space, _ in self._writes[issued - 1])
        is_late |= self._rows[issued - 1].template.kind is Kind.SET
        return issued - 1 in (started if is_late else done)

    def _may_start(self, row: int, state: State) -> bool:
        """A pipe starts rows in order, and is held by its waits and barriers."""
        _, started, done = state
        pipe = self._pipe(row)
        for i in range(row):
            if self._pipe(i) is pipe:
                holds = self._rows[i].template.kind in (Kind.WAIT, Kind.BARRIER)
                if i not in started or (holds and i not in done):
                    return False
        over = {i for first, second in self._mended if second == row for i in range(first + 1) if self._with(i, first)}
        return over <= done

    def _may_end(self, row: int, done: frozenset[int]) -> bool:
        kind, pipe = self._rows[row].template.kind, self._pipe(row)
        if kind is Kind.WAIT:
            return self._partner[row] in done
        if pipe is PipeID.PIPE_ALL:
            return all(i in done for i in range(row))
        if kind in (Kind.SET, Kind.BARRIER):
            return all(i in done for i in range(row) if self._pipe(i) is pipe)
        return True

    def _look(self, row: int, state: State, found: set[Pair]) -> None:
        """Starting ``row`` breaks every earlier access it meets that is not over."""
        for i in range(row):
            if i not in state[2] and not self._pipe(i) is self._pipe(row) is PipeID.PIPE_S:
                for kind, mine, theirs in (
                    ("raw", self._reads[row], self._writes[i]),
                    ("war", self._writes[row], self._reads[i]),
                    ("waw", self._writes[row], self._writes[i]),
                ):
                    commute = kind == "waw" and self._commute(i, row)
                    if any(not commute or space is not Space.GM for space, _ in mine & theirs):
                        found.add((kind, i, row))

    def _commute(self, row: int, other: int) -> bool:
        """Whether what both store to global memory is combined there in the same way."""
        kinds = [dict(self._rows[i].template.params).get("atomic") for i in (row, other)]
        return kinds[0] is not None and kinds[0] == kinds[1]

    def _look_at_flag(self, row: int, state: State, found: set[Pair]) -> None:
        """A flag that becomes set while the set before it was not taken is set twice."""
        if self._rows[row].template.kind is Kind.SET:
            event = self._rows[row].template.event
            before = [i for i in range(row) if self._rows[i].template.event == event]
            sets = [i for i in before if self._rows[i].template.kind is Kind.SET]
            taken = [wait for wait, set_ in self._partner.items() if sets and set_ == sets[-1]]
            if sets and not (taken and taken[0] in state[2]):
                found.add(("twice", sets[-1], row))

    def _with(self, row: int, other: int) -> bool:
        return self._pipe(row) is self._pipe(other)

    def _pipe(self, row: int) -> PipeID:
        return self._rows[row].template.pipe


def _bytes(row: Instruction, *, write: bool) -> set[tuple[int, int]]:
    """(space, byte) of everything a row touches."""
    return {
        (f.space, row.addresses[f.operand] + start + i)
        for f in row.template.footprints
        if f.write is write
        for start in f.runs()
        for i in range(f.nbytes)
    }
