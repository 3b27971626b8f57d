"""What is ordered before what inside one block, and which accesses are not.

Time here is the number of a row, in order of issue.  For pipes p and q, ``clocks[p][q]`` says: the rows of q
before this number are complete when the next row of p starts.  That is exact, since what a flag or a barrier
waits for is always everything earlier in a pipe:

* a flag carries the clock its pipe has at the set to the pipe that awaits it;
* a barrier completes a pipe for itself, a barrier over all pipes completes all of them for all;
* the scalar unit issues everything, so what it read or waited for is over when anything later is issued; only what
  it writes to local memory is not, until a flag of its own, a data_sync_barrier or a barrier over all pipes.

A pipe starts its rows in order, but that alone completes none of them.

A pair that is out of order is noted and then taken as mended, the way its finding advises: one missing flag is
one finding, not one for everything behind it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ..enums import HardEvent, PipeID
from ..program import Block, Kind, Space, Template
from .extent import Footprints, Ints, first_like
from .hits import Hit, Hits, Rule
from .slots import Access, Entries, plan

Clock = list[int]
Step = Callable[[int], None]
"""What the row with this number does to the clocks."""

_SETTLES = "data_sync_barrier"
"""What the scalar unit waits with for its own accesses."""
_RELATIONS = (Rule.RAW, Rule.WAR, Rule.WAW)


def check(block: Block, footprints: Footprints, addresses: Ints) -> list[Hit]:
    """Everything ``block`` leaves unordered.

    Args:
        block: one block.
        footprints: of its program.
        addresses: its addresses, with -1 for those that need no look.
    """
    return _Walk(block).run(footprints, addresses)


class _Memory(NamedTuple):
    """What accesses left in the slots: the last row, and what its pipe knew when it started."""

    last: list[int]
    known: list[Clock]


@dataclass(slots=True)
class _Flag:
    """One event id: the clocks of the sets nobody awaited yet, its last set, and the wait before it."""

    pending: deque[Clock] = field(default_factory=deque)
    set_row: int = -1
    wait_row: int = -1


class _Walk:
    """One pass over the rows of a block.  Every distinct row becomes a closure once; rows then only call."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self._used = np.unique(block.rows)
        templates = [block.templates[t] for t in self._used]
        queues = {t.pipe for t in templates} | {t.event[0].target for t in templates if t.event} | {PipeID.PIPE_S}
        self._pipes = {pipe: number for number, pipe in enumerate(sorted(queues - {PipeID.PIPE_ALL}))}
        self._clocks: list[Clock] = [[0] * len(self._pipes) for _ in self._pipes]
        self._flags: dict[tuple[HardEvent, int], _Flag] = {}
        self._hits = Hits(block.rows.tolist())

    def run(self, footprints: Footprints, addresses: Ints) -> list[Hit]:
        steps: list[Step] = []
        step_of = np.full(len(self._block), -1)
        self._add_accesses(steps, step_of, footprints, addresses)
        self._add_control(steps, step_of)
        rows = np.flatnonzero(step_of >= 0)
        for row, step in zip(rows.tolist(), step_of[rows].tolist(), strict=True):
            steps[step](row)
        for flag in self._flags.values():
            if flag.pending and _is_the_authors(self._block.templates[self._block.rows[flag.set_row]]):
                self._hits.add(Rule.LEFT_SET, flag.set_row, flag.set_row)
        return self._hits.sorted()

    def _add_accesses(self, steps: list[Step], step_of: Ints, footprints: Footprints, addresses: Ints) -> None:
        """A step for each distinct access that can conflict with any."""
        block = self._block
        like = first_like(block, footprints, addresses)
        rows = np.flatnonzero(like >= 0)
        first, access_of = np.unique(like[rows], return_inverse=True)
        template = block.rows[first]
        owner, number = footprints.of(template)
        address = addresses[block.offsets[first[owner]] + footprints.operand[number]]
        looked = address >= 0
        pipes = [self._pipes[block.templates[t].pipe] for t in template.tolist()]
        is_over = [is_over_at_once(block.templates[t]) for t in template.tolist()]
        accesses, slots = plan(
            Entries(owner[looked], number[looked], address[looked]),
            footprints,
            np.array(pipes, np.int64),
            np.array(is_over, np.bool_),
        )
        memory = _Memory([-1] * slots, [[]] * slots)
        step_of_access = np.full(len(accesses), -1)
        for i, (access, pipe) in enumerate(zip(accesses, pipes, strict=True)):
            if access.checks or access.stamps:
                step_of_access[i] = len(steps)
                steps.append(self._access(access, pipe, memory))
        step_of[rows] = step_of_access[access_of]

    def _access(self, access: Access, pipe: int, memory: _Memory) -> Step:
        clock, (last, known) = self._clocks[pipe], memory
        followers = [clock]
        if pipe == self._pipes[PipeID.PIPE_S]:  # which is in order with itself
            followers, access = self._clocks, access.minding_others_than(pipe)
        checks, stamps = access.checks, access.stamps

        def step(row: int) -> None:
            for slot, source, _ in checks:
                if last[slot] >= clock[source]:
                    _mend(access, row, memory, clock, followers, self._hits)
                    break
            now = clock.copy()
            for slot in stamps:
                last[slot] = row
                known[slot] = now

        return step

    def _add_control(self, steps: list[Step], step_of: Ints) -> None:
        """A step for each flag and barrier."""
        number = np.full(len(self._block.templates), -1)
        for t in self._used.tolist():
            template = self._block.templates[t]
            if template.kind in (Kind.SET, Kind.WAIT, Kind.BARRIER) or _settles(template):
                number[t] = len(steps)
                steps.append(self._control(template))
        step = number[self._block.rows]
        np.copyto(step_of, step, where=step >= 0)

    def _control(self, template: Template) -> Step:
        if _settles(template):
            return _settle(self._clocks, self._pipes[PipeID.PIPE_S])
        if template.kind is Kind.BARRIER:
            if template.pipe is PipeID.PIPE_ALL:
                return _drain(self._clocks)
            pipe = self._pipes[template.pipe]
            return _barrier(self._clocks[pipe], pipe)
        assert template.event is not None, "what else controls is a flag"
        flag = self._flags.setdefault(template.event, _Flag())
        pipe = self._pipes[template.pipe]
        if template.kind is Kind.WAIT:
            scalar = template.pipe is PipeID.PIPE_S
            followers = self._clocks if scalar else [self._clocks[pipe]]
            return _wait(flag, followers, scalar, self._hits)
        if _is_the_authors(template):
            return _set_once(flag, self._clocks[pipe], pipe, self._pipes[template.event[0].target], self._hits)
        return _set(flag, self._clocks[pipe], pipe)


def is_over_at_once(template: Template) -> bool:
    """Whether a row is over when anything later is issued: all of the scalar unit's but writes to local memory."""
    is_late = any(f.write and f.space is not Space.GM for f in template.footprints)
    return template.pipe is PipeID.PIPE_S and not is_late


def _settles(template: Template) -> bool:
    """Whether the scalar unit waits here until what it wrote to local memory is there."""
    return template.kind is Kind.SCALAR and template.op.name == _SETTLES and ("memory", "DDR") not in template.params


def _is_the_authors(template: Template) -> bool:
    """Whether nobody else looks after this flag: queues and the recorder look after theirs."""
    return not (template.queued or template.auto)


def _mend(access: Access, row: int, memory: _Memory, clock: Clock, followers: Sequence[Clock], hits: Hits) -> None:
    """Note what ``row`` is out of order with, and let the ``followers`` go on as if it had waited for that.

    Of several rows only those are named that no other one waited for, and the last of each pipe: who waits for
    these has waited for all.
    """
    last, known = memory
    broken: dict[int, tuple[int, int, Clock]] = {}
    for slot, pipe, relation in access.checks:
        if last[slot] >= clock[pipe]:
            latest, worst, _ = broken.get(pipe, (-1, 0, clock))
            if (last[slot], -relation) > (latest, -worst):
                broken[pipe] = last[slot], relation, known[slot]
    for pipe, (first, relation, then) in broken.items():
        if all(first >= seen[pipe] for _, _, seen in broken.values() if seen is not then):
            hits.add(_RELATIONS[relation], first, row)
            token = then.copy()
            token[pipe] = first + 1
            _join(followers, token)


def _join(clocks: Sequence[Clock], token: Clock) -> None:
    for clock in clocks:
        for pipe, before in enumerate(token):
            if before > clock[pipe]:  # noqa: PLR1730  max() costs twice as much, in every wait
                clock[pipe] = before


def _set(flag: _Flag, clock: Clock, pipe: int) -> Step:
    pending = flag.pending

    def step(row: int) -> None:
        now = clock.copy()
        now[pipe] = row
        pending.append(now)
        flag.set_row = row

    return step


def _set_once(flag: _Flag, clock: Clock, pipe: int, target: int, hits: Hits) -> Step:
    """As :func:`_set`, of a flag of the author's: the wait for the set before must be over."""
    proceed = _set(flag, clock, pipe)

    def step(row: int) -> None:
        waited_before = row if target == pipe else clock[target]
        if flag.pending or flag.wait_row >= waited_before:
            hits.add(Rule.SET_TWICE, flag.set_row, row)
        proceed(row)

    return step


def _wait(flag: _Flag, followers: Sequence[Clock], scalar: bool, hits: Hits) -> Step:
    pending = flag.pending

    def step(row: int) -> None:
        if not pending:
            hits.add(Rule.NEVER_SET, row, row)
            return
        _join(followers, pending.popleft())
        if not scalar:  # what the scalar unit waits for is over when anything later is issued
            flag.wait_row = row

    return step


def _barrier(clock: Clock, pipe: int) -> Step:
    def step(row: int) -> None:
        clock[pipe] = row

    return step


def _settle(clocks: Sequence[Clock], scalar: int) -> Step:
    def step(row: int) -> None:
        for clock in clocks:
            clock[scalar] = row

    return step


def _drain(clocks: Sequence[Clock]) -> Step:
    def step(row: int) -> None:
        for clock in clocks:
            clock[:] = [row] * len(clock)

    return step
