"""Data movement between global and local memory.

The pipe follows from the two memories: MTE2 brings in, MTE3 takes out; between two places of UB the vector
pipe copies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ..access import describe, refuse, refuse_global, refuse_poison, refuse_read_only
from ..core import Core, current
from ..enums import PipeID
from ..errors import DtypeError, OverlapError, PositionError, RangeError, UsageError
from ..hardware import HardwareSpec
from ..memory import GlobalTensor, LocalTensor
from ..params import DataCopyParams
from ..program import Footprint, Kind, Space, Template
from ..site import kernel_frame
from ..stage import need_stage
from .op import Busy, Demand, Move, Op

if TYPE_CHECKING:
    from types import FrameType

BLOCK = 32
Tensor = LocalTensor | GlobalTensor


@dataclass(frozen=True, slots=True)
class Rows:
    """Equal rows of bytes: ``count`` of ``nbytes`` each, starts ``pitch`` apart."""

    count: int
    nbytes: int
    pitch: int

    @property
    def reach(self) -> int:
        """Bytes from the first to the end of the last."""
        return (self.count - 1) * self.pitch + self.nbytes

    def footprint(self, operand: int, space: Space, *, write: bool) -> Footprint:
        """Exactly these bytes."""
        if self.count == 1 or self.pitch == self.nbytes:
            return Footprint(operand, space, write, self.count * self.nbytes)
        return Footprint(operand, space, write, self.nbytes, levels=((self.count, self.pitch),))

    def view(self, data: Any, start: int, kind: Any, nbytes: int | None = None) -> Any:
        """The rows as a (count, elements) view on ``data``; the first ``nbytes`` of each, if given."""
        width = (self.nbytes if nbytes is None else nbytes) // kind.itemsize
        return np.ndarray((self.count, width), kind, data, start, (self.pitch, kind.itemsize))


@dataclass(frozen=True, slots=True)
class CopyPlan:
    """A copy that has been checked as far as its static arguments go."""

    number: int
    dst: Rows
    src: Rows
    write_pipe: PipeID


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Copy(Op):
    """What the copying instructions share: paths, bounds, recording and cost."""

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
        self, core: Core, frame: FrameType, dst: Tensor, src: Tensor, rows: tuple[Rows, Rows], params: Any
    ) -> CopyPlan:
        """Record a new kind of copy: everything that does not depend on addresses."""
        route, pipe = path(core, self.name, dst, src)
        need_stage(core, frame, self.name, pipe)
        cached = dst.cached_writes if isinstance(dst, GlobalTensor) else getattr(src, "cached_reads", True)
        shown = (*params, ("route", route), *(() if cached else (("l2", False),)))
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
                rows[0].footprint(0, _space(dst), write=True),
                rows[1].footprint(1, _space(src), write=False),
            ),
        )
        return CopyPlan(core.rec.add(template), *rows, pipe)

    def ready(self, core: Core, frame: FrameType, plan: CopyPlan, dst: Tensor, src: Tensor) -> None:
        """Check bounds, alignment and content, and record the copy."""
        if isinstance(src, LocalTensor):
            n = plan.src.reach
            if src.core is not core or not src.lease.usable or n > src.nbytes or src.address & 31:
                refuse(core, self.name, "src", src, n)
            self._filled(core, src, plan.src)
        elif plan.src.reach > src.nbytes:
            refuse_global(core, self.name, "src", src, plan.src.reach)
        if isinstance(dst, LocalTensor):
            n = plan.dst.reach
            if dst.core is not core or not dst.lease.usable or n > dst.nbytes or dst.address & 31:
                refuse(core, self.name, "dst", dst, n)
        else:
            if plan.dst.reach > dst.nbytes:
                refuse_global(core, self.name, "dst", dst, plan.dst.reach)
            if not dst.host.writeable:
                refuse_read_only(core, self.name, dst)
        if core.auto.enabled:
            self._order(core, frame, plan, dst, src)
        core.rec.rows.append(plan.number)
        core.rec.addresses.extend((dst.address, src.address))

    def _filled(self, core: Core, src: LocalTensor, rows: Rows) -> None:
        """Check that everything read was written."""
        find = src.memory.shadow.find
        if find(0, src.address, src.address + rows.reach) < 0:
            return
        for row in range(rows.count):
            start = src.address + row * rows.pitch
            if find(0, start, start + rows.nbytes) >= 0:
                refuse_poison(core, self.name, "src", src, start, start + rows.nbytes)

    def _order(self, core: Core, frame: FrameType, plan: CopyPlan, dst: Tensor, src: Tensor) -> None:
        if plan.write_pipe is PipeID.PIPE_V:
            core.auto.strided(frame, core.rec.templates[plan.number].footprints, (dst.address, src.address))
        elif isinstance(src, LocalTensor):
            core.auto.store(frame, src.address, plan.src.reach)
        elif isinstance(dst, LocalTensor):
            core.auto.load(frame, dst.address, plan.dst.reach)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DataCopy(Copy):
    """Copy whole blocks of 32 bytes."""

    @overload
    def __call__(self, dst: Tensor, src: Tensor, count: int) -> None: ...

    @overload
    def __call__(self, dst: Tensor, src: Tensor, repeat_params: DataCopyParams) -> None: ...

    def __call__(self, dst: Any, src: Any, *args: Any, **kwargs: Any) -> None:
        """``data_copy(dst, src, count)`` or ``data_copy(dst, src, DataCopyParams(…))``."""
        core, frame = current(), kernel_frame()
        given = {**dict(zip(("count",), args, strict=False)), **kwargs}
        if len(args) > 1 or len(given) != 1 or not given.keys() <= {"count", "repeat_params"}:
            core.fail(UsageError, "data_copy: after dst and src comes a count, or one DataCopyParams")
        (how,) = given.values()
        if isinstance(how, DataCopyParams) or "repeat_params" in given:
            self._blocks(core, frame, dst, src, how)
        else:
            self._count(core, frame, dst, src, how)

    def _count(self, core: Core, frame: FrameType, dst: Any, src: Any, count: Any) -> None:
        key = (self, id(frame.f_code), frame.f_lasti, core.stage, count, kind_of(dst), kind_of(src))
        plan: CopyPlan | None = core.plans.get(key)
        if plan is None:
            check_pair(core, self.name, dst, src)
            if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 0:
                core.fail(RangeError, f"data_copy: count must be a whole number of elements, 0 or more, got {count!r}")
            nbytes = int(count) * dst.dtype.itemsize // BLOCK * BLOCK
            rows = Rows(1, nbytes, nbytes)
            plan = core.plans[key] = self.plan(core, frame, dst, src, (rows, rows), (("count", int(count)),))
        nbytes = plan.dst.nbytes
        asked = count * dst.dtype.itemsize
        if nbytes != asked:
            core.warn(
                "rounding",
                f"data_copy: {count} x {dst.dtype} = {asked} B is rounded down to {nbytes} B, whole blocks of "
                f"{BLOCK} B; use data_copy_pad for the rest",
                frame,
            )
        if not nbytes:
            return
        if type(dst) is LocalTensor and type(src) is LocalTensor:
            _check_overlap(core, self.name, dst, plan.dst, src, plan.src)
        self.ready(core, frame, plan, dst, src)
        n = nbytes // dst.dtype.itemsize
        _elements(dst, n)[...] = _elements(src, n)
        if isinstance(dst, LocalTensor):
            dst.memory.written(dst.address, dst.address + nbytes)

    def _blocks(self, core: Core, frame: FrameType, dst: Any, src: Any, params: Any) -> None:
        check_pair(core, self.name, dst, src)
        values = check_fields(core, self.name, params, DataCopyParams, _BLOCK_LIMITS)
        count, length, src_gap, dst_gap = values
        if not count or not length:
            return
        nbytes = length * BLOCK
        key = (self, id(frame.f_code), frame.f_lasti, core.stage, values, kind_of(dst), kind_of(src))
        plan: CopyPlan | None = core.plans.get(key)
        if plan is None:
            rows = Rows(count, nbytes, nbytes + dst_gap * BLOCK), Rows(count, nbytes, nbytes + src_gap * BLOCK)
            shown = tuple(zip(_BLOCK_LIMITS, values, strict=True))
            plan = core.plans[key] = self.plan(core, frame, dst, src, rows, shown)
        if isinstance(dst, LocalTensor) and isinstance(src, LocalTensor):
            _check_overlap(core, self.name, dst, plan.dst, src, plan.src)
        self.ready(core, frame, plan, dst, src)
        move_rows(dst, plan.dst, src, plan.src)


_BLOCK_LIMITS = {
    "block_count": (0, 4095),
    "block_len": (0, 65535),
    "src_stride": (0, 65535),
    "dst_stride": (0, 65535),
}


def check_fields(
    core: Core, call: str, params: Any, wanted: type, limits: dict[str, tuple[int, int]]
) -> tuple[int, ...]:
    """The fields of a parameter struct, checked against what the instruction holds.

    Raises:
        UsageError: ``params`` is no ``wanted``.
        RangeError: a field is no whole number in its limits.
    """
    if not isinstance(params, wanted):
        core.fail(UsageError, f"{call}: params must be a {wanted.__name__}, got {params!r}")
    names = {f.name for f in fields(wanted)}
    for name, (low, high) in limits.items():
        value = getattr(params, name)
        if name in names and (isinstance(value, bool) or not isinstance(value, int | np.integer)):
            core.fail(RangeError, f"{call}: {name} must be a whole number, got {value!r}")
        if not low <= value <= high:
            core.fail(RangeError, f"{call}: {name} must be {low} to {high}, got {value}")
    return tuple(int(getattr(params, name)) for name in limits)


def kind_of(tensor: Any) -> Any:
    """What of a tensor the plan of a copy depends on."""
    if type(tensor) is LocalTensor:
        return (tensor.dtype, tensor.position)
    if type(tensor) is GlobalTensor:
        return (tensor.dtype, tensor.cached_reads, tensor.cached_writes)
    return type(tensor)


def check_pair(core: Core, call: str, dst: Any, src: Any) -> None:
    """Check that two operands are tensors of one element type.

    Raises:
        UsageError: one is no tensor.
        DtypeError: their types differ.
    """
    for role, tensor in (("dst", dst), ("src", src)):
        if not isinstance(tensor, LocalTensor | GlobalTensor):
            hint = "; lay a GlobalTensor on it first" if type(tensor).__name__ == "GlobalAddress" else ""
            core.fail(UsageError, f"{call}: {role} must be a LocalTensor or a GlobalTensor, got {tensor!r}{hint}")
    if dst.dtype is not src.dtype:
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
            f"{call}: {describe(call, 'src', src)} is at {named[0]} and {describe(call, 'dst', dst)} at {named[1]}: "
            f"no path {route} on an {core.kind} core; there are: {there}",
        )
    return route, pipe


def move_rows(dst: Tensor, to: Rows, src: Tensor, come: Rows) -> None:
    """Copy rows of bytes, and note that local ones are written."""
    kind = np.dtype(np.uint8)
    target = to.view(*_where(dst), kind)
    target[...] = come.view(*_where(src), kind, to.nbytes).copy()
    if isinstance(dst, LocalTensor):
        to.view(dst.memory.shadow, dst.address, kind)[...] = 1


def _where(tensor: Tensor) -> tuple[Any, int]:
    if isinstance(tensor, LocalTensor):
        return tensor.memory.data, tensor.address
    return tensor.host.bytes, tensor.start


def _space(tensor: Tensor) -> Space:
    return tensor.memory.space if isinstance(tensor, LocalTensor) else Space.GM


def _elements(tensor: Tensor, count: int) -> Any:
    if isinstance(tensor, GlobalTensor):
        return tensor.elements(0, count)
    first = tensor.address // tensor.dtype.itemsize
    return tensor.memory.view(tensor.dtype)[first : first + count]


def _check_overlap(core: Core, call: str, dst: LocalTensor, to: Rows, src: LocalTensor, come: Rows) -> None:
    if (
        dst.memory is src.memory
        and dst.address != src.address
        and dst.address < src.address + come.reach
        and src.address < dst.address + to.reach
    ):
        core.fail(
            OverlapError,
            f"{call}: dst UB bytes [{dst.address}, {dst.address + to.reach}) and src "
            f"[{src.address}, {src.address + come.reach}) overlap in part; use separate buffers",
        )


data_copy = DataCopy(
    name="data_copy",
    cpp="DataCopy",
    unit="MTE2/MTE3/V",
    doc="dst = src, in whole blocks of 32 bytes: a count (rounded down), or rows with gaps.",
)

__all__ = ["data_copy"]
