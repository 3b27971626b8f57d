"""What all copies between global and local memory share: paths, bounds, recording and cost.

The pipe follows from the two memories: MTE2 brings in, MTE3 takes out; between two places of UB the vector
pipe copies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from ..access import describe, need_tensor, refuse, refuse_global, refuse_poison, refuse_read_only
from ..block import BLOCK
from ..classes import need_class
from ..core import Core
from ..dtypes import DTYPES, int4
from ..enums import PipeID
from ..errors import DtypeError, OverlapError, PositionError, RangeError
from ..global_memory import GlobalTensor
from ..hardware import HardwareSpec
from ..memory import LocalTensor
from ..program import Footprint, Kind, Space, Template
from ..stage import need_stage
from .copy_rows import Place, Rows
from .op import Busy, Demand, Move, Op

if TYPE_CHECKING:
    from types import FrameType

Tensor = LocalTensor | GlobalTensor


P = TypeVar("P", bound=Place)


@dataclass(frozen=True, slots=True)
class CopyPlan(Generic[P]):
    """A copy that has been checked as far as its static arguments go."""

    number: int
    dst: P
    src: P
    write_pipe: PipeID


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Copy(Op):
    """What the copying instructions share: paths, bounds, recording and cost.

    Attributes:
        row_unit_bytes: what ``block_len`` counts.
    """

    row_unit_bytes: int = 1

    def demand(self, template: Template, addresses: Sequence[int], spec: HardwareSpec) -> Demand:
        route = dict(template.params)["route"]
        for i, f in enumerate(template.footprints):
            if f.space is Space.GM:
                return Move(route, i, dict(template.params).get("l2", True))
        moved = template.footprints[0]
        runs = len(moved.runs())
        cost = spec.vector.cost["simple"]
        work = -(-moved.nbytes * runs // spec.vector.repeat_bytes) * cost.per_repeat("any")
        return Busy(max(spec.vector.min_issue_cycles, work), cost.head_cycles + work)

    def plan(
        self, core: Core, frame: FrameType, dst: Tensor, src: Tensor, places: tuple[P, P], params: Any
    ) -> CopyPlan[P]:
        """Record a new kind of copy: everything that does not depend on addresses."""
        route, pipe = path(core, self.name, dst, src)
        need_stage(core, frame, self.name, pipe)
        cached = dst.cached_writes if isinstance(dst, GlobalTensor) else getattr(src, "cached_reads", True)
        shown = (*params, ("route", route), *(() if cached else (("l2", False),)), *self._atomic(core, dst))
        template = Template(
            self,
            Kind.COMPUTE if pipe is PipeID.PIPE_V else Kind.MOVE,
            pipe,
            core.site(frame),
            core.stage,
            dtype=dst.dtype.name,
            params=shown,
            operands=("dst", "src"),
            footprints=(
                *places[0].footprints(0, _space(dst), write=True),
                *places[1].footprints(1, _space(src), write=False),
            ),
        )
        return CopyPlan(core.rec.add(template), *places, pipe)

    def _atomic(self, core: Core, dst: Tensor) -> tuple[tuple[str, str], ...]:
        """How a store combines with what is there, as a parameter of its row; nothing if it does not."""
        if core.atomic is None or isinstance(dst, LocalTensor):
            return ()
        if dst.dtype is not core.atomic.kind:
            core.fail(
                DtypeError,
                f"{self.name}: dst is {dst.dtype}, and atomic stores are on for {core.atomic.kind} (since "
                f"{core.atomic.line}); call set_atomic_none() for ordinary stores",
            )
        return (("atomic", str(core.atomic)),)

    def ready(self, core: Core, frame: FrameType, plan: CopyPlan[P], dst: Tensor, src: Tensor) -> None:
        """Check a copy, and record it."""
        self.check(core, plan, dst, src)
        if core.auto.enabled:
            self._order(core, frame, plan, dst, src)
        core.rec.rows.append(plan.number)
        core.rec.addresses.extend((dst.address, src.address))

    def check(self, core: Core, plan: CopyPlan[P], dst: Tensor, src: Tensor) -> None:
        """Check bounds, alignment and content."""
        if isinstance(src, LocalTensor):
            n = plan.src.reach
            if src.core is not core or not src.lease.usable or n > src.nbytes or src.address & 31:
                refuse(core, self.name, "src", src, n, note=self._units(core, plan))
            if src.memory.shadow.find(0, src.address, src.address + n) >= 0:
                self._need_filled(core, src, core.rec.templates[plan.number])
        elif plan.src.reach > src.nbytes:
            refuse_global(core, self.name, "src", src, plan.src.reach, self._units(core, plan))
        if isinstance(dst, LocalTensor):
            n = plan.dst.reach
            if dst.core is not core or not dst.lease.usable or n > dst.nbytes or dst.address & 31:
                refuse(core, self.name, "dst", dst, n, note=self._units(core, plan))
        else:
            if plan.dst.reach > dst.nbytes:
                refuse_global(core, self.name, "dst", dst, plan.dst.reach, self._units(core, plan))
            if not dst.host.writeable:
                refuse_read_only(core, self.name, dst)
        if plan.write_pipe is PipeID.PIPE_V:
            _check_overlap(core, self.name, plan, dst, src)

    def _units(self, core: Core, plan: CopyPlan[P]) -> str:
        """What the length of a row counts, for those who meant elements by it."""
        params = dict(core.rec.templates[plan.number].params)
        length, unit = params.get("block_len"), self.row_unit_bytes
        if length is None or unit == 1:
            return ""
        return f"; block_len counts blocks of {unit} B, and {length} of them are {length * unit} B"

    def _need_filled(self, core: Core, src: LocalTensor, template: Template) -> None:
        """Check that everything read was written."""
        for f in template.footprints:
            for run in f.runs() if not f.write else ():
                start = src.address + run
                if src.memory.shadow.find(0, start, start + f.nbytes) >= 0:
                    refuse_poison(core, self.name, "src", src, start, start + f.nbytes)

    def _order(self, core: Core, frame: FrameType, plan: CopyPlan[P], dst: Tensor, src: Tensor) -> None:
        if plan.write_pipe is PipeID.PIPE_V:
            core.auto.strided(frame, core.rec.templates[plan.number].footprints, (dst.address, src.address))
        elif isinstance(src, LocalTensor):
            core.auto.store(frame, src.address, plan.src.reach)
        elif isinstance(dst, LocalTensor):
            core.auto.load(frame, dst.address, plan.dst.reach)


def check_fields(
    core: Core, call: str, params: Any, wanted: type, limits: dict[str, tuple[int, int]]
) -> tuple[int, ...]:
    """The fields of a parameter struct, checked against what the instruction holds.

    Raises:
        UsageError: ``params`` is no ``wanted``.
        RangeError: a field is no whole number in its limits.
    """
    need_class(core, call, "params", params, wanted)
    values = []
    for name, (low, high) in limits.items():
        value = core.whole(call, name, getattr(params, name))
        if not low <= value <= high:
            core.fail(RangeError, f"{call}: {name} must be {low} to {high}, got {value}")
        values.append(value)
    return tuple(values)


def kind_of(tensor: Any) -> Any:
    """What of a tensor the plan of a copy depends on."""
    if type(tensor) is LocalTensor:
        return (tensor.dtype, tensor.position)
    if type(tensor) is GlobalTensor:
        return (tensor.dtype, tensor.cached_reads, tensor.cached_writes)
    return type(tensor)


def check_pair(core: Core, call: str, dst: Any, src: Any) -> None:
    """Check that two operands are tensors of one element type, which copies have.

    Raises:
        UsageError: one is no tensor.
        DtypeError: their types differ, or one is int4.
    """
    need_tensor(core, call, "dst", dst)
    need_tensor(core, call, "src", src)
    if dst.dtype is src.dtype is not int4:
        return
    for role, tensor in (("dst", dst), ("src", src)):
        if tensor.dtype is int4:
            core.fail(
                DtypeError,
                f"{call}: {role} is int4; supported: {', '.join(DTYPES)}; copy its bytes: "
                "reinterpret_cast(uint8) has half as many elements",
            )
    core.fail(DtypeError, f"{call}: dst is {dst.dtype}, src is {src.dtype}; they must be the same")


def path(core: Core, call: str, dst: Tensor, src: Tensor) -> tuple[str, PipeID]:
    """The route between two tensors, and its pipe.

    Raises:
        PositionError: there is none on this kind of core.
    """
    ends = [t.memory.space.name if isinstance(t, LocalTensor) else "GM" for t in (src, dst)]
    route = f"{ends[0]}_to_{ends[1]}".lower()
    pipe = core.chip.routes.get(route)
    if pipe is None:
        named = [t.position.name if isinstance(t, LocalTensor) else "GM" for t in (src, dst)]
        there = ", ".join(core.chip.routes)
        core.fail(
            PositionError,
            f"{describe(call, 'src', src)} is at {named[0]} and {describe(call, 'dst', dst)} at {named[1]}: there is "
            f"no path {route} on an {core.kind} core; there are: {there}",
        )
    return route, pipe


def move_rows(core: Core, dst: Tensor, to: Rows, src: Tensor, come: Rows) -> None:
    """Copy rows of bytes, and note that local ones are written; combine global ones if stores are atomic."""
    if core.atomic is not None and isinstance(dst, GlobalTensor):
        kind = dst.dtype.numpy
        core.atomic.store(to.view(*_bytes_of(dst), kind), come.view(*_bytes_of(src), kind, to.nbytes))
        return
    kind = np.dtype(np.uint8)
    target = to.view(*_bytes_of(dst), kind)
    target[...] = come.view(*_bytes_of(src), kind, to.nbytes).copy()
    if isinstance(dst, LocalTensor):
        to.view(dst.memory.shadow, dst.address, kind)[...] = 1


def _bytes_of(tensor: Tensor) -> tuple[Any, int]:
    """The memory or array that a tensor lies in, and its first byte there."""
    if isinstance(tensor, LocalTensor):
        return tensor.memory.data, tensor.address
    return tensor.host.bytes, tensor.start


def _space(tensor: Tensor) -> Space:
    return tensor.memory.space if isinstance(tensor, LocalTensor) else Space.GM


def elements(tensor: Tensor, count: int) -> Any:
    """The first ``count`` elements of a tensor, as a view on them."""
    if isinstance(tensor, GlobalTensor):
        return tensor.elements(0, count)
    first = tensor.address // tensor.dtype.itemsize
    return tensor.memory.view(tensor.dtype)[first : first + count]


def _check_overlap(core: Core, call: str, plan: CopyPlan[P], dst: Tensor, src: Tensor) -> None:
    """Check a copy within UB: in place or apart.

    Raises:
        OverlapError: it would overwrite part of what it reads.
    """
    at, of = _bytes_of(dst)[1], _bytes_of(src)[1]
    to, come = plan.dst.reach, plan.src.reach
    if at >= of + come or of >= at + to or (at == of and plan.dst == plan.src):
        return
    writes, reads = core.rec.templates[plan.number].footprints
    if _blocks(writes, at) & _blocks(reads, of):
        core.fail(
            OverlapError,
            f"{call}: dst UB bytes [{at}, {at + to}) and src [{of}, {of + come}) overlap in part; use separate buffers",
        )


def _blocks(f: Footprint, address: int) -> set[int]:
    """Numbers of the 32-byte blocks of UB that a footprint is."""
    first = [(address + run) // BLOCK for run in f.runs()]
    return {block + i for block in first for i in range(f.nbytes // BLOCK)}
