"""What all vector instructions share: operands in UB, checks, recording and cost.

An instruction plans a call once per call site and static arguments: types, ranges, which bytes it touches.
Every execution then checks what depends on addresses and content, runs and is recorded.  ``elementwise.py``
has a faster way for the instructions whose lanes are independent; the others go through :meth:`VectorOp.issue`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..access import need_dtype, need_local, refuse, refuse_poison
from ..block import BLOCK
from ..core import Core, LocalMemory
from ..dtypes import DTYPES, DataType
from ..enums import PipeID, TPosition
from ..errors import DtypeError
from ..hardware import HardwareSpec
from ..program import Footprint, Kind, Template
from ..stage import need_stage
from .banks import conflict_cycles
from .op import Busy, Op
from .overlap import check_apart

if TYPE_CHECKING:
    from types import FrameType

    from ..memory import LocalTensor

Array = NDArray[Any]
UB = (TPosition.VECIN, TPosition.VECCALC, TPosition.VECOUT)


@dataclass(frozen=True, slots=True)
class Plan:
    """A call that has been checked as far as its static arguments go.

    Attributes:
        number: of the template.
        template: what is recorded.
        nbytes: how far each operand reaches from its address.
        aligns: what each address must be a multiple of.
        loose: operands of which a run touches only part of the footprint, as its data say; the instruction
            itself checks what it reads of them and marks what it writes.
        in_place: whether the destination may be the very bytes of a source.
        meeting: sources that may overlap the destination: the instruction itself has looked at them.
        apart: distances of the operands at which nothing overlaps that must not; filled as they occur.
    """

    number: int
    template: Template
    nbytes: tuple[int, ...]
    aligns: tuple[int, ...]
    loose: tuple[int, ...] = ()
    in_place: bool = False
    meeting: tuple[int, ...] = ()
    apart: set[tuple[int, ...]] = field(default_factory=set)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class VectorOp(Op):
    """A vector instruction: UB to UB.

    Attributes:
        dtypes: element types of (dst, src …) that exist together.
        cost: cost class, a key of the chip file.
        roles: names of the operands, destination first.
        banked: whether operands are read block by block, so that bank conflicts cost.
    """

    dtypes: tuple[tuple[DataType, ...], ...]
    cost: str
    roles: tuple[str, ...]
    banked: bool = True

    def check(self, core: Core, frame: FrameType, tensors: Sequence[Any]) -> None:
        """Everything about the operands that does not depend on their addresses; the last ones may be missing."""
        need_stage(core, frame, self.name, PipeID.PIPE_V)
        if self.cost not in core.spec.vector.cost:
            core.fail(
                DtypeError,
                f"{self.name}: {core.spec.name} has no such instruction, its file no vector.cost.{self.cost}",
            )
        for role, tensor in zip(self.roles, tensors, strict=False):
            need_local(core, self.name, role, tensor, UB)
        kinds = tuple(t.dtype for t in tensors)
        if kinds not in (k[: len(kinds)] for k in self.dtypes):
            for i, (role, tensor) in enumerate(zip(self.roles, tensors, strict=False)):
                fitting = [k[i] for k in self.dtypes if k[:i] == kinds[:i]]
                need_dtype(core, self.name, role, tensor, tuple(dict.fromkeys(fitting)), kinds[:i])

    def plan(
        self,
        core: Core,
        frame: FrameType,
        tensors: Sequence[LocalTensor],
        footprints: tuple[Footprint, ...],
        params: tuple[tuple[str, Any], ...],
        *,
        nbytes: tuple[int, ...] = (),
        aligns: tuple[int, ...] = (),
        loose: tuple[int, ...] = (),
        in_place: bool = False,
        meeting: tuple[int, ...] = (),
        priced: DataType | None = None,
        roles: tuple[str, ...] = (),
        immediates: int | None = None,
    ) -> Plan:
        """Record a new kind of call.

        Args:
            core: the running block.
            frame: the kernel frame.
            tensors: the operands, in the order of ``roles``.
            footprints: what one execution reads and writes.
            params: its scalar parameters by name; ``count``, or ``repeat``, says how long it runs.
            nbytes: how far each operand reaches; what the footprints say, if not given.
            aligns: what each address must be a multiple of; 32 if not given.
            loose: see :class:`Plan`.
            in_place: see :class:`Plan`.
            meeting: see :class:`Plan`.
            priced: the element type that sets the cost; the widest if not given.
            roles: names of the operands, for a call that has others than most of the instruction's.
            immediates: how many numbers the row carries; the instruction's, if not given.
        """
        roles = roles or self.roles
        wide = priced or max((t.dtype for t in tensors), key=lambda d: d.itemsize)
        template = Template(
            self,
            Kind.COMPUTE,
            PipeID.PIPE_V,
            core.site(frame),
            core.stage,
            dtype=wide.name,
            params=params,
            operands=roles,
            footprints=footprints,
            immediates=self.immediates if immediates is None else immediates,
        )
        if not nbytes:
            reach = [0] * len(roles)
            for f in footprints:
                reach[f.operand] = max(reach[f.operand], f.span[1])
            nbytes = tuple(reach)
        number, aligns = core.rec.add(template), aligns or (BLOCK,) * len(roles)
        return Plan(number, template, nbytes, aligns, loose, in_place, meeting)

    def reach(self, core: Core, plan: Plan, tensors: Sequence[LocalTensor]) -> tuple[int, ...]:
        """The operands' addresses, once each operand may be used, is long enough and lies where it must."""
        roles = plan.template.operands
        for tensor, nbytes, align, role in zip(tensors, plan.nbytes, plan.aligns, roles, strict=True):
            if tensor.core is not core or not tensor.lease.usable or nbytes > tensor.nbytes or tensor.address % align:
                refuse(core, self.name, role, tensor, nbytes, align)
        return tuple([t.address for t in tensors])

    def issue(
        self,
        core: Core,
        frame: FrameType,
        plan: Plan,
        tensors: Sequence[LocalTensor],
        run: Callable[[], None],
        immediates: tuple[float, ...] = (),
    ) -> None:
        """Check an execution against its footprints, run it and record it.

        Sources must be filled, and none may overlap the destination, unless it is that and the plan allows it.
        """
        addresses = self.reach(core, plan, tensors)
        footprints = plan.template.footprints
        exact = [f for f in footprints if f.operand not in plan.loose] if plan.loose else footprints
        whole = [t.memory.shadow.find(0, a, a + n) < 0 for t, a, n in zip(tensors, addresses, plan.nbytes, strict=True)]
        exact = [f for f in exact if not whole[f.operand]]  # of the others all is known to be written
        for f in exact:
            if not f.write and not _is_filled(tensors[f.operand].memory.shadow, f, addresses[f.operand]):
                self._refuse_hole(core, plan.template.operands[f.operand], f, tensors[f.operand])
        check_apart(core, self, plan, addresses)
        if core.auto.enabled:
            core.auto.strided(frame, footprints, addresses)
        with np.errstate(all="ignore"):
            run()
        for f in exact:
            if f.write:
                _fill(tensors[f.operand].memory, f, addresses[f.operand])
        core.rec.issue(plan.number, addresses, immediates)

    def _refuse_hole(self, core: Core, role: str, f: Footprint, tensor: LocalTensor) -> None:
        for run in f.runs():
            start = tensor.address + run
            if tensor.memory.shadow.find(0, start, start + f.nbytes) >= 0:
                refuse_poison(core, self.name, role, tensor, start, start + f.nbytes)

    @property
    def immediates(self) -> int:
        """Numbers each row carries: the scalar operand, if there is one."""
        return 0

    def repeats(self, template: Template, spec: HardwareSpec) -> int:
        """Repeats of 256 bytes one execution takes."""
        params = dict(template.params)
        if "repeat" in params:
            return int(params["repeat"])
        return -(-int(params["count"]) * DTYPES[template.dtype].itemsize // spec.vector.repeat_bytes)

    def demand(self, template: Template, addresses: Sequence[int], spec: HardwareSpec) -> Busy:
        cost, repeats = spec.vector.cost[self.cost], self.repeats(template, spec)
        work = repeats * (cost.per_repeat(template.dtype) + self.address_class(template, addresses, spec))
        return Busy(max(spec.vector.min_issue_cycles, work), cost.head_cycles + work)

    def address_class(self, template: Template, addresses: Sequence[int], spec: HardwareSpec) -> Fraction:
        return conflict_cycles(addresses, spec) if self.banked else Fraction(0)


def kind_of(tensor: Any) -> Any:
    """What of an operand a plan depends on."""
    try:
        return (tensor.dtype, tensor.position)
    except AttributeError:
        return type(tensor)


def same(*kinds: DataType, operands: int) -> tuple[tuple[DataType, ...], ...]:
    """Signatures in which all operands have the same type."""
    return tuple((k,) * operands for k in kinds)


def _is_filled(shadow: bytearray, f: Footprint, address: int) -> bool:
    """Whether something has written all bytes of a footprint."""
    if f.levels:
        return bool(_marks(shadow, f, address).all())
    start = address + f.offset
    return shadow.find(0, start, start + f.nbytes) < 0


def _fill(memory: LocalMemory, f: Footprint, address: int) -> None:
    """Note that all bytes of a footprint are written."""
    if f.levels:
        _marks(memory.shadow, f, address)[...] = 1
    else:
        memory.written(address + f.offset, address + f.offset + f.nbytes)


def _marks(shadow: bytearray, f: Footprint, address: int) -> NDArray[np.uint8]:
    """The shadow of a footprint, as a view."""
    shape, pitches = (*(c for c, _ in f.levels), f.nbytes), (*(p for _, p in f.levels), 1)
    return np.ndarray(shape, np.uint8, shadow, address + f.offset, pitches)


__all__ = ["BLOCK", "UB", "Plan", "VectorOp", "kind_of", "same"]
