"""Why nobody can go on: who waits where, and the circle in which they wait for each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .prepare import BARRIER, WAIT, Plan

_SCALAR_UNIT = 0
"""Its lane."""


@dataclass(frozen=True, slots=True)
class _Stuck:
    """A unit of a core that waits.

    Attributes:
        row: of the program, where it waits.
        whom: the lane of the unit it waits for, −1 if nobody can help.
        why: in words, what for.
    """

    row: int
    whom: int
    why: str


def explain(plan: Plan, stuck: Sequence[tuple[int, int]]) -> str:
    """The text of the error: every row that is stuck, and the first circle of waits.

    Args:
        plan: the program.
        stuck: core and sorted position of each such row.
    """
    lines = []
    for core, position in stuck:
        row, template = plan.row(position)
        lines.append(f"  core {core} {_pipe(plan, int(plan.lane[row]))}: {template.label} at {template.site}")
    text = f"{plan.program.kernel}: nobody can go on; waiting for what never comes:\n" + "\n".join(lines)
    for core in dict(stuck):
        circle = _circle(_units(plan, [position for c, position in stuck if c == core]))
        if circle:
            steps = (f"{_pipe(plan, lane)} at {plan.template(unit.row).site} {unit.why}" for lane, unit in circle)
            return f"{text}\nin a circle on core {core}: {'; '.join(steps)}"
    return text


def _units(plan: Plan, positions: list[int]) -> dict[int, _Stuck]:
    """The stuck units of a core by lane."""
    rows = {position: int(plan.order[position]) for position in positions}
    units: dict[int, _Stuck] = {}
    heads: dict[int, int] = {}  # of the pipes: the row each of them waits at
    for position, row in rows.items():
        if plan.code[position] == WAIT and int(plan.lane[row]) not in heads:
            heads[int(plan.lane[row])] = row
    for position, row in rows.items():
        lane = int(plan.lane[row])
        if heads.get(lane) == row:
            units[lane] = _waiting(plan, row, heads)
        elif lane == _SCALAR_UNIT and plan.code[position] == BARRIER:
            pipes = sorted(set(heads) - {_SCALAR_UNIT})
            whom = pipes[0] if pipes else -1
            units[_SCALAR_UNIT] = _Stuck(row, whom, f"waits for all pipes, {_pipe(plan, whom)} among them")
        else:
            units[_SCALAR_UNIT] = _Stuck(row, lane, f"waits for room in the queue of {_pipe(plan, lane)}")
    return units


def _waiting(plan: Plan, row: int, heads: dict[int, int]) -> _Stuck:
    """A unit that waits for a flag."""
    event = plan.template(row).event
    name = f"{event[0].name} {event[1]}" if event else ""
    setter = int(plan.setter[row])
    if setter < 0:
        return _Stuck(row, -1, f"waits for {name}, which nothing sets")
    lane = int(plan.lane[setter])
    at = plan.template(setter).site
    if lane in heads and heads[lane] < setter:
        return _Stuck(row, lane, f"waits for {name}, which {_pipe(plan, lane)} sets at {at}, behind its own wait")
    return _Stuck(row, _SCALAR_UNIT, f"waits for {name}, to be set at {at}, which S has not issued")


def _circle(units: dict[int, _Stuck]) -> list[tuple[int, _Stuck]]:
    """Units that wait for each other, in that order; the lowest lane that is in a circle begins."""
    for start in sorted(units):
        path, lane = [start], units[start].whom
        while lane in units and lane not in path:
            path.append(lane)
            lane = units[lane].whom
        if lane == start:
            return [(lane, units[lane]) for lane in path]
    return []


def _pipe(plan: Plan, lane: int) -> str:
    return plan.pipe_of_lane[lane].short if lane >= 0 else "none"
