"""Programs made by hand: a pen for one block, fake instructions, and random programs."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from ascendc.language.enums import HardEvent, PipeID
from ascendc.language.hardware import HardwareSpec
from ascendc.language.isa.op import Busy, Demand, Move, Op
from ascendc.language.program import Footprint, GlobalArray, Kind, Program, Recorder, Site, Space, Template

S, V, MTE2, MTE3 = PipeID.PIPE_S, PipeID.PIPE_V, PipeID.PIPE_MTE2, PipeID.PIPE_MTE3
ALL = PipeID.PIPE_ALL


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Fixed(Op):
    """Costs what its parameters say."""

    def demand(self, template: Template, addresses: Sequence[int], spec: HardwareSpec) -> Demand:
        params = dict(template.params)
        return Busy(Fraction(params["occupancy"]), Fraction(params["latency"]))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Copy(Op):
    """Moves its first footprint."""

    def demand(self, template: Template, addresses: Sequence[int], spec: HardwareSpec) -> Demand:
        params = dict(template.params)
        return Move(params["route"], 0, params["cached"])


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Banked(Op):
    """Costs one cycle more if its address is odd."""

    def demand(self, template: Template, addresses: Sequence[int], spec: HardwareSpec) -> Demand:
        return Busy(Fraction(10 + addresses[0] % 2), Fraction(20))

    def address_class(self, template: Template, addresses: Sequence[int], spec: HardwareSpec) -> int:
        return addresses[0] % 2


def op(cls: type[Op], name: str) -> Op:
    return cls(name=name, cpp=name, unit="V", doc="", source="made up")


WORK, COPY, BANKED = op(Fixed, "work"), op(Copy, "copy"), op(Banked, "banked")
FLAG, BARRIER, CALL = op(Op, "flag"), op(Op, "barrier"), op(Op, "call")
ALLOC, FREE = op(Op, "alloc_tensor"), op(Op, "free_tensor")


@dataclass
class Pen:
    """Writes the rows of the blocks of one program; a template is made once."""

    spec: HardwareSpec
    templates: list[Template] = field(default_factory=list)
    known: dict[Template, int] = field(default_factory=dict)
    recorders: list[Recorder] = field(default_factory=list)

    def block(self, kind: str = "aiv") -> Pen:
        self.recorders.append(Recorder(kind, self.templates))
        return self

    def row(self, template: Template, addresses: Sequence[int] = ()) -> None:
        recorder = self.recorders[-1]
        number = self.known.get(template)
        if number is None:
            number = self.known[template] = recorder.add(template)
        recorder.issue(number, addresses)

    def work(self, pipe: PipeID, occupancy: Any, latency: Any = None) -> None:
        params = (("occupancy", occupancy), ("latency", occupancy if latency is None else latency))
        kind = Kind.SCALAR if pipe is S else Kind.COMPUTE
        self.row(Template(WORK, kind, pipe, SITE, params=params))

    def banked(self, address: int) -> None:
        self.row(Template(BANKED, Kind.COMPUTE, V, SITE, operands=("dst",)), [address])

    def copy(
        self,
        pipe: PipeID,
        address: int,
        nbytes: int,
        levels: tuple[tuple[int, int], ...] = (),
        cached: bool = True,
        route: str = "",
    ) -> None:
        write = pipe is MTE3
        route = route or ("ub_to_gm" if write else "gm_to_ub")
        footprint = Footprint(0, Space.GM, write, nbytes, 0, levels)
        params = (("route", route), ("cached", cached))
        self.row(
            Template(COPY, Kind.MOVE, pipe, SITE, params=params, operands=("gm",), footprints=(footprint,)), [address]
        )

    def set(self, event: HardEvent, number: int = 0, queued: bool = False) -> None:
        self.row(Template(FLAG, Kind.SET, event.source, SITE, event=(event, number), queued=queued))

    def wait(self, event: HardEvent, number: int = 0, queued: bool = False) -> None:
        self.row(Template(FLAG, Kind.WAIT, event.target, SITE, event=(event, number), queued=queued))

    def barrier(self, pipe: PipeID) -> None:
        self.row(Template(BARRIER, Kind.BARRIER, pipe, SITE))

    def barrier_all_then_copy(self, address: int) -> None:
        """Read as many bytes as the L2 holds, once everything else is done."""
        self.barrier(ALL)
        self.copy(MTE2, address, self.spec.l2.bytes)

    def call(self) -> None:
        self.row(Template(CALL, Kind.CALL, S, SITE, queued=True))

    def alloc(self, address: int, event: tuple[HardEvent, int] | None, nbytes: int = 64) -> None:
        kind, pipe = (Kind.CALL, S) if event is None else (Kind.WAIT, event[0].target)
        self._buffer(ALLOC, kind, pipe, event, nbytes, address)

    def free(self, address: int, event: tuple[HardEvent, int], nbytes: int = 64) -> None:
        self._buffer(FREE, Kind.SET, event[0].source, event, nbytes, address)

    def _buffer(
        self, op: Op, kind: Kind, pipe: PipeID, event: tuple[HardEvent, int] | None, nbytes: int, address: int
    ) -> None:
        params = (("nbytes", nbytes), ("space", "UB"))
        template = Template(op, kind, pipe, SITE, params=params, operands=("tensor",), event=event, queued=True)
        self.row(template, [address])

    def program(self, arrays: Sequence[GlobalArray] = ()) -> Program:
        return Program(
            "hand_made",
            self.spec,
            tuple(self.templates),
            tuple(r.freeze() for r in self.recorders),
            tuple(arrays),
        )


SITE = Site("kernel.py", 7, "kernel")


def tqueue_add(spec: HardwareSpec, blocks: int, tiles: int, nbytes: int, buffers: int = 2) -> Program:
    """x + y through queues, as a kernel records it: 16 rows a tile."""
    pen = Pen(spec)
    for block in range(blocks):
        pen.block()
        for tile in range(tiles):
            _add_tile(pen, blocks * tiles * nbytes, (block * tiles + tile) * nbytes, tile, nbytes, buffers)
    return pen.program()


def _add_tile(pen: Pen, array: int, offset: int, tile: int, nbytes: int, buffers: int) -> None:
    slot = tile % buffers
    first = tile < buffers
    for name in range(2):
        number, buffer = name * buffers + slot, (name * buffers + slot) * nbytes
        pen.alloc(buffer, None if first else (HardEvent.V_MTE2, number), nbytes)
        pen.copy(MTE2, name * array + offset, nbytes)
        pen.set(HardEvent.MTE2_V, number, queued=True)
    for name in range(2):
        pen.wait(HardEvent.MTE2_V, name * buffers + slot, queued=True)
    pen.alloc((4 + slot) * nbytes, None if first else (HardEvent.MTE3_V, slot), nbytes)
    pen.work(V, max(1, nbytes // 256), max(1, nbytes // 256) + 20)
    pen.set(HardEvent.V_MTE3, slot, queued=True)
    for name in range(2):
        pen.free((name * buffers + slot) * nbytes, (HardEvent.V_MTE2, name * buffers + slot), nbytes)
    pen.wait(HardEvent.V_MTE3, slot, queued=True)
    pen.copy(MTE3, 2 * array + offset, nbytes)
    pen.free((4 + slot) * nbytes, (HardEvent.MTE3_V, slot), nbytes)


_EVENTS = [HardEvent[name] for name in ("MTE2_V", "V_MTE2", "V_MTE3", "MTE3_V", "MTE3_MTE2", "S_V", "V_S", "MTE2_S")]


def random_program(rng: random.Random, spec: HardwareSpec, blocks: int, rows: int) -> Program:
    """Every kind of row, in an order that cannot deadlock: a flag is set before it is awaited."""
    pen = Pen(spec)
    for _ in range(blocks):
        pen.block()
        pending: list[tuple[HardEvent, int]] = []
        for _ in range(rng.randrange(rows)):
            rng.choice(_ROWS)(rng, pen, pending)
    return pen.program()


def _random_set(rng: random.Random, pen: Pen, pending: list[tuple[HardEvent, int]]) -> None:
    event = rng.choice(_EVENTS), rng.randrange(3)
    pending.append(event)
    pen.set(*event, queued=rng.random() < 0.5)


def _random_wait(rng: random.Random, pen: Pen, pending: list[tuple[HardEvent, int]]) -> None:
    if pending:
        pen.wait(*pending.pop(rng.randrange(len(pending))), queued=rng.random() < 0.5)


def _random_copy(rng: random.Random, pen: Pen, _: list[tuple[HardEvent, int]]) -> None:
    levels = rng.choice([(), (), (), ((3, 1024),), ((2, 4096), (3, 700)), ((4, 32),)])
    pen.copy(
        rng.choice([MTE2, MTE2, MTE3]),
        rng.randrange(400) * rng.choice([32, 512]),
        rng.choice([0, 1, 32, 128, 2048, 8192]),
        levels,
        rng.random() < 0.8,
    )


def _random_work(rng: random.Random, pen: Pen, _: list[tuple[HardEvent, int]]) -> None:
    pen.work(rng.choice([V, V, V, S]), Fraction(rng.randrange(0, 400), rng.choice([1, 3, 10])), rng.choice([0, 22, 90]))


_Row = Callable[[random.Random, Pen, list[tuple[HardEvent, int]]], None]
_ROWS: list[_Row] = [
    _random_set,
    _random_set,
    _random_wait,
    _random_wait,
    _random_copy,
    _random_copy,
    _random_copy,
    _random_work,
    _random_work,
    lambda rng, pen, _: pen.banked(rng.randrange(9)),
    lambda rng, pen, _: pen.barrier(rng.choice([V, MTE2, MTE3, ALL, S])),
    lambda rng, pen, _: pen.call(),
]
