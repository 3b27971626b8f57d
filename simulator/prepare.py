"""A program as the columns an engine runs: priced, flags matched, sorted by block and lane.

A *lane* is an in-order resource of a core: lane 0 is the scalar unit, which also carries what runs inside it
(scalar instructions, buffer calls, barriers over all pipes); the others are pipes.  Everything is done on
whole columns, except asking an instruction whose cost depends on its addresses.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

import numpy as np

from ascendc.language.enums import PipeID
from ascendc.language.errors import UsageError
from ascendc.language.hardware import HardwareSpec
from ascendc.language.isa.op import Busy, Move
from ascendc.language.program import Kind, Program, Template

from .columns import Ints, column, joined, sorting, starts
from .flags import match
from .globalmap import GlobalMap
from .pricing import Ports, Prices, Transfer, depends_on_addresses

BUSY: Final = 0  # a: occupancy, b: latency
MOVE: Final = 1  # a: number of the transfer, b: line
SET: Final = 2  # a: token
WAIT: Final = 3  # a: token
BARRIER: Final = 4  # in lane 0 over all lanes

_CODE = {Kind.SET: SET, Kind.WAIT: WAIT, Kind.BARRIER: BARRIER}
_IN_SCALAR_UNIT = {PipeID.PIPE_S, PipeID.PIPE_ALL}


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What an engine needs to know of a program.

    ``pipe_of_lane`` is by lane; ``first_row`` and ``tokens`` are by block; ``lane``, ``cost`` (ticks of the
    scalar unit) and ``setter`` (the row that sets the flag a row awaits, or −1) are by row of the program;
    ``order`` (the row), ``code``, ``a`` and ``b`` are sorted by block, lane and row, and those of lane k of
    block i are at ``bounds[i, k]`` to ``bounds[i, k + 1]``; ``carried`` is the route and the bytes of an
    execution, by template.
    """

    program: Program
    pipe_of_lane: tuple[PipeID, ...]
    first_row: Ints
    tokens: Ints
    lane: Ints
    cost: Ints
    setter: Ints
    order: Ints
    code: Ints
    a: Ints
    b: Ints
    bounds: Ints
    transfers: tuple[Transfer, ...]
    carried: tuple[tuple[str, int], ...]

    def row(self, position: int) -> tuple[int, Template]:
        """The row of the program at a sorted position, and its template."""
        row = int(self.order[position])
        return row, self.template(row)

    def template(self, row: int) -> Template:
        """The template of a row of the program."""
        block = int(np.searchsorted(self.first_row, row, "right")) - 1
        made: Template = self.program.templates[self.program.blocks[block].rows[row - self.first_row[block]]]
        return made


def prepare(program: Program, spec: HardwareSpec, ports: Ports, where: GlobalMap) -> Plan:
    """Price ``program`` on ``spec``, its global addresses moved by ``where``."""
    columns = _Columns(program, spec, ports)
    for (kind, template), rows in columns.groups():
        columns.price(kind, template, rows, where)
    setter, tokens = columns.match_flags()
    lanes = len(columns.pipes)
    place = columns.block * lanes + columns.lane
    order = sorting(place)
    edges = np.searchsorted(place[order], np.arange(len(program.blocks) * lanes + 1))
    bounds = np.empty((len(program.blocks), lanes + 1), np.int64)
    bounds[:, :-1] = edges[:-1].reshape(-1, lanes)
    bounds[:, -1] = edges[lanes::lanes]
    return Plan(
        program,
        columns.pipes,
        columns.first_row,
        tokens,
        columns.lane,
        columns.cost,
        setter,
        order,
        columns.code[order],
        columns.a[order],
        columns.b[order],
        bounds,
        tuple(columns.transfers),
        tuple(columns.carried),
    )


class _Columns:
    """Columns by row of the program, while they are filled in."""

    def __init__(self, program: Program, spec: HardwareSpec, ports: Ports) -> None:
        templates, blocks = program.templates, program.blocks
        self.templates, self.blocks = templates, blocks
        self.line_bytes = ports.line_bytes
        self.kinds = tuple(dict.fromkeys(b.kind for b in blocks))
        self.prices = [Prices(spec, kind, ports) for kind in self.kinds]
        self.transfers: list[Transfer] = []
        self.carried = [("", 0)] * len(templates)
        self.first_row = starts([len(b) for b in blocks])
        self.template = joined([b.rows for b in blocks])
        self.addresses = joined([b.addresses for b in blocks])
        self.offsets = starts(column([len(t.operands) for t in templates])[self.template])
        self.block = np.repeat(np.arange(len(blocks)), np.diff(self.first_row))
        self.kind = column([self.kinds.index(b.kind) for b in blocks])[self.block]
        lanes = [_pipe(t) for t in templates]
        self.pipes = (PipeID.PIPE_S, *sorted(set(lanes) - {PipeID.PIPE_S}))
        self.lane = column([self.pipes.index(p) for p in lanes])[self.template]
        self.code, self.a, self.b, self.cost = (np.zeros(len(self.template), np.int64) for _ in range(4))

    def groups(self) -> list[tuple[tuple[int, int], Ints]]:
        """The rows of each template on each kind of core."""
        key = self.kind * len(self.templates) + self.template
        order = sorting(key)
        edges = np.flatnonzero(np.diff(key[order], prepend=-1))
        return [
            (divmod(int(key[rows[0]]), len(self.templates)), rows) for rows in np.split(order, edges[1:]) if len(rows)
        ]

    def price(self, kind: int, number: int, rows: Ints, where: GlobalMap) -> None:
        """Fill in what the rows of one template cost."""
        template, prices = self.templates[number], self.prices[kind]
        self.cost[rows] = prices.queue_call if template.queued else prices.issue
        if template.kind is Kind.CALL or (template.kind is Kind.BARRIER and template.pipe is PipeID.PIPE_S):
            return  # the issue cost is all there is
        if template.kind in _CODE:
            self.code[rows] = _CODE[template.kind]
            return
        for demand, some in self._demands(template, prices, rows):
            if isinstance(demand, Busy):
                occupancy, latency = prices.busy(demand)
                # Nothing is issued before an instruction of the scalar unit is visible.
                self.a[some] = max(occupancy, latency) if self.lane[rows[0]] == 0 else occupancy
                self.b[some] = latency
            else:
                self._price_move(number, prices, demand, some, where)

    def _demands(self, template: Template, prices: Prices, rows: Ints) -> list[tuple[Busy | Move, Ints]]:
        """The different demands among the rows of a template, each with its rows."""
        at, width = self.offsets[rows], len(template.operands)
        if not depends_on_addresses(template.op):
            return [(prices.demand(template, self.addresses[at[0] : at[0] + width].tolist()), rows)]
        demands: dict[Hashable, tuple[int, Busy | Move]] = {}
        known: dict[tuple[int, ...], int] = {}
        numbers = []
        for addresses in zip(*(self.addresses[at + i].tolist() for i in range(width)), strict=True):
            number = known.get(addresses)
            if number is None:
                key = prices.address_class(template, addresses)
                if key not in demands:
                    demands[key] = len(demands), prices.demand(template, addresses)
                number = known[addresses] = demands[key][0]
            numbers.append(number)
        by_row = column(numbers)
        return [(demand, rows[by_row == number]) for number, demand in demands.values()]

    def _price_move(self, number: int, prices: Prices, move: Move, rows: Ints, where: GlobalMap) -> None:
        template = self.templates[number]
        if self.lane[rows[0]] == 0:
            raise UsageError(f"{template.label} at {template.site}: a transfer cannot run in the scalar unit")
        operand = template.footprints[move.footprint].operand
        lines, offsets = np.divmod(where(self.addresses[self.offsets[rows] + operand]), self.line_bytes)
        distinct, which = np.unique(offsets, return_inverse=True)
        new = [prices.transfer(template, move, int(offset)) for offset in distinct]
        lowest = min((first for t in new for first, _ in t.extents), default=0)
        if lines.min() + lowest < 0:
            raise UsageError(f"{template.label} at {template.site}: it starts before the first byte of global memory")
        self.code[rows], self.b[rows] = MOVE, lines
        self.a[rows] = len(self.transfers) + which
        self.transfers += new
        self.carried[number] = move.route, new[0].nbytes

    def match_flags(self) -> tuple[Ints, Ints]:
        """The set row each wait consumes, and the sets of each block; fills in the token numbers."""
        events = {event: i for i, event in enumerate(dict.fromkeys(t.event for t in self.templates))}
        flag = self.block * len(events) + column([events[t.event] for t in self.templates])[self.template]
        sets, waits = np.flatnonzero(self.code == SET), np.flatnonzero(self.code == WAIT)
        count = np.bincount(self.block[sets], minlength=len(self.blocks))
        self.a[sets] = np.arange(len(sets)) - starts(count)[self.block[sets]]
        self.a[waits] = count[self.block[waits]]  # the token after the last never comes
        consumed = match(flag[sets], flag[waits])
        waits, consumed = waits[consumed >= 0], sets[consumed[consumed >= 0]]
        self.a[waits] = self.a[consumed]
        setter = np.full(len(self.code), -1)
        setter[waits] = consumed
        return setter, count


def _pipe(template: Template) -> PipeID:
    inside = template.pipe in _IN_SCALAR_UNIT or template.kind in {Kind.SCALAR, Kind.CALL}
    return PipeID.PIPE_S if inside else template.pipe
