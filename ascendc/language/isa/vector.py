"""What all vector instructions share: their three call forms, checks, recording and cost.

* count form: the first ``count`` elements, contiguous;
* mask form: ``repeat_times`` repeats of up to 256 bytes, the first ``mask`` lanes of each, with strides;
* bit mask form: as before, lanes chosen by two 64-bit words.

A family (binary, unary, scalar …) says which operands there are; a member is one decorated function whose
body is the arithmetic on plain NumPy lanes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..access import need_dtype, need_local, refuse, refuse_poison
from ..core import Core, current
from ..dtypes import DTYPES, DataType
from ..enums import PipeID, TPosition
from ..errors import RangeError, UsageError
from ..hardware import HardwareSpec
from ..program import Footprint, Kind, Space, Template
from ..stage import need_stage
from .geometry import Lanes, Layout, parse_mask
from .op import Busy, Op
from .overlap import check_contiguous, check_strided

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
        nbytes: how far each operand reaches from its address.
        template: what is recorded.
        layouts: where the lanes of each operand lie, in the mask forms.
        lanes: which lanes, in the mask forms.
        orders: verdicts on overlaps by distance of the operands; filled as they occur.
    """

    number: int
    nbytes: tuple[int, ...]
    template: Template
    layouts: tuple[Layout, ...] = ()
    lanes: Lanes | None = None
    orders: dict[tuple[int, ...], bool] | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class VectorOp(Op):
    """A vector instruction: UB to UB.

    Attributes:
        compute: the arithmetic on NumPy lanes: sources (after the old destination, if it is read), then
            parameters; gives the lanes of the destination.
        dtypes: element types of (dst, src …) that exist together.
        cost: cost class, a key of the chip file.
        roles: names of the operands, destination first.
        reads_dst: whether the old destination is a source too.
        accumulates: whether the second source may be the destination of the repeat before.
    """

    compute: Callable[..., Array]
    dtypes: tuple[tuple[DataType, ...], ...]
    cost: str
    roles: tuple[str, ...]
    reads_dst: bool = False
    accumulates: bool = False

    def count_form(
        self, frame: FrameType, tensors: tuple[LocalTensor, ...], count: Any, params: tuple[Any, ...] = ()
    ) -> None:
        """Run on the first ``count`` elements.  ``params`` go to ``compute``, after the sources."""
        core = current()
        key = (self, id(frame.f_code), frame.f_lasti, core.stage, count, *[_kind(t) for t in tensors])
        plan: Plan | None = core.plans.get(key)
        if plan is None:
            plan = core.plans[key] = self._plan_count(core, frame, tensors, count)
        if not count:
            return
        sources = tensors if self.reads_dst else tensors[1:]
        for tensor, nbytes, role in zip(tensors, plan.nbytes, self.roles, strict=True):
            if tensor.core is not core or not tensor.lease.usable or nbytes > tensor.nbytes or tensor.address & 31:
                refuse(core, self.name, role, tensor, nbytes)
        addresses = tuple([t.address for t in tensors])
        dst, at, reach = tensors[0], addresses[0], plan.nbytes[0]
        memory = dst.memory
        for i, source in enumerate(tensors):
            if i or self.reads_dst:
                start, n = addresses[i], plan.nbytes[i]
                if memory.shadow.find(0, start, start + n) >= 0:
                    refuse_poison(core, self.name, self.roles[i], source, start, start + n)
                if start != at and start < at + reach and at < start + n:
                    check_contiguous(core, self, i, (at, reach), (start, n))
        if core.auto.enabled:
            reads = tuple(zip(addresses, plan.nbytes, strict=True))
            core.auto.vector(frame, reads if self.reads_dst else reads[1:], reads[:1])
        with np.errstate(all="ignore"):
            lanes = [_run(t, count) for t in sources]
            _run(dst, count)[...] = self.compute(*lanes, *params)
        memory.written(at, at + reach)
        rec = core.rec
        rec.rows.append(plan.number)
        rec.addresses.extend(addresses)
        if plan.template.immediates:
            rec.immediates.append(float(params[0]))

    def mask_form(
        self,
        frame: FrameType,
        tensors: tuple[LocalTensor, ...],
        mask: Any,
        repeat_times: Any,
        strides: tuple[tuple[int, int], ...],
        params: tuple[Any, ...] = (),
    ) -> None:
        """Run on masked lanes of ``repeat_times`` repeats; ``strides`` are (block, repeat) per operand."""
        core = current()
        bits = tuple(mask) if isinstance(mask, list | tuple) else mask
        key = (
            *(self, id(frame.f_code), frame.f_lasti, core.stage, bits, repeat_times, strides),
            *[_kind(t) for t in tensors],
        )
        plan: Plan | None = core.plans.get(key)
        if plan is None:
            plan = core.plans[key] = self._plan_mask(core, frame, tensors, bits, repeat_times, strides)
        if plan.lanes is None:
            return
        for tensor, nbytes, role in zip(tensors, plan.nbytes, self.roles, strict=True):
            if tensor.core is not core or not tensor.lease.usable or nbytes > tensor.nbytes or tensor.address & 31:
                refuse(core, self.name, role, tensor, nbytes)
        addresses = tuple([t.address for t in tensors])
        for i in range(0 if self.reads_dst else 1, len(tensors)):
            hole = plan.layouts[i].first_hole(tensors[i].memory.shadow, addresses[i], plan.lanes)
            if hole >= 0:
                item = tensors[i].dtype.itemsize
                refuse_poison(core, self.name, self.roles[i], tensors[i], hole, hole + item)
        in_turn = check_strided(core, self, plan, addresses)
        if core.auto.enabled:
            core.auto.strided(frame, plan.template.footprints, addresses)
        with np.errstate(all="ignore"):
            if in_turn:
                for repeat in range(plan.layouts[0].repeats):
                    self._repeats(plan, tensors, addresses, repeat, params)
            else:
                self._repeats(plan, tensors, addresses, None, params)
        core.rec.rows.append(plan.number)
        core.rec.addresses.extend(addresses)
        if plan.template.immediates:
            core.rec.immediates.append(float(params[0]))

    def _repeats(
        self,
        plan: Plan,
        tensors: Sequence[LocalTensor],
        addresses: Sequence[int],
        repeat: int | None,
        params: tuple[Any, ...],
    ) -> None:
        """Execute one repeat, or all of them at once."""
        assert plan.lanes is not None
        first = 0 if self.reads_dst else 1
        lanes = [
            plan.layouts[i].load(tensors[i].memory, tensors[i].dtype, addresses[i], plan.lanes, repeat)
            for i in range(first, len(tensors))
        ]
        dst = tensors[0]
        plan.layouts[0].store(dst.memory, dst.dtype, addresses[0], plan.lanes, repeat, self.compute(*lanes, *params))

    def _check(self, core: Core, frame: FrameType, tensors: Sequence[Any]) -> None:
        """Everything about the operands that does not depend on their addresses."""
        need_stage(core, frame, self.name, PipeID.PIPE_V)
        for role, tensor in zip(self.roles, tensors, strict=True):
            need_local(core, self.name, role, tensor, UB)
        kinds = tuple(t.dtype for t in tensors)
        if kinds not in self.dtypes:
            for i, (role, tensor) in enumerate(zip(self.roles, tensors, strict=True)):
                fitting = [k[i] for k in self.dtypes if k[:i] == kinds[:i]]
                need_dtype(core, self.name, role, tensor, tuple(dict.fromkeys(fitting)))

    def _plan_count(self, core: Core, frame: FrameType, tensors: tuple[LocalTensor, ...], count: Any) -> Plan:
        self._check(core, frame, tensors)
        if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 0:
            core.fail(RangeError, f"{self.name}: count must be a whole number of elements, 0 or more, got {count!r}")
        nbytes = tuple(int(count) * t.dtype.itemsize for t in tensors)
        prints = tuple(
            Footprint(i, Space.UB, write, n)
            for i, n in enumerate(nbytes)
            for write in ((False, True) if i == 0 and self.reads_dst else (i == 0,))
        )
        return self._finish(core, frame, tensors, nbytes, prints, (("count", int(count)),))

    def _plan_mask(
        self,
        core: Core,
        frame: FrameType,
        tensors: tuple[LocalTensor, ...],
        mask: Any,
        repeat_times: Any,
        strides: tuple[tuple[int, int], ...],
    ) -> Plan:
        self._check(core, frame, tensors)
        most = core.spec.limits.repeat_times
        if isinstance(repeat_times, bool) or not isinstance(repeat_times, int | np.integer):
            core.fail(RangeError, f"{self.name}: repeat_times must be a whole number, got {repeat_times!r}")
        if not 0 <= repeat_times <= most:
            core.fail(
                RangeError,
                f"{self.name}: repeat {repeat_times} > {most}; split it, or use the count form, which splits itself"
                if repeat_times > most
                else f"{self.name}: repeat_times must be 0 to {most}, got {repeat_times}",
            )
        items = tuple(t.dtype.itemsize for t in tensors)
        lanes = parse_mask(core, self.name, mask, core.spec.vector.repeat_bytes // max(items))
        layouts = tuple(
            Layout.checked(core, self.name, role, item, int(repeat_times), *stride)
            for role, item, stride in zip(self.roles, items, strides, strict=True)
        )
        if layouts[0].blk_stride == 0 and lanes.last * items[0] >= 32:
            core.fail(RangeError, f"{self.name}: dst_blk_stride 0 would write all blocks of a repeat to one place")
        if not repeat_times or lanes.last < 0:
            return Plan(-1, (), Template(self, Kind.COMPUTE, PipeID.PIPE_V, core.site(frame)))
        nbytes = tuple(layout.reach(lanes) for layout in layouts)
        prints = tuple(
            f
            for i, layout in enumerate(layouts)
            for write in ((False, True) if i == 0 and self.reads_dst else (i == 0,))
            for f in layout.footprints(i, lanes, write=write)
        )
        shown = mask if isinstance(mask, int) else tuple(f"{m:#x}" for m in mask)
        made = self._finish(core, frame, tensors, nbytes, prints, (("mask", shown), ("repeat", int(repeat_times))))
        return Plan(made.number, nbytes, made.template, layouts, lanes, {})

    def _finish(
        self,
        core: Core,
        frame: FrameType,
        tensors: tuple[LocalTensor, ...],
        nbytes: tuple[int, ...],
        prints: tuple[Footprint, ...],
        params: tuple[tuple[str, Any], ...],
    ) -> Plan:
        wide = max((t.dtype for t in tensors), key=lambda d: d.itemsize)
        template = Template(
            self,
            Kind.COMPUTE,
            PipeID.PIPE_V,
            core.site(frame),
            core.stage,
            dtype=wide.name,
            params=params,
            operands=self.roles,
            footprints=prints,
            immediates=self.immediates,
        )
        return Plan(core.rec.add(template), nbytes, template)

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
        work = repeats * (cost.per_repeat(template.dtype) + self._conflict(addresses, spec))
        return Busy(max(spec.vector.min_issue_cycles, work), cost.head_cycles + work)

    def address_class(self, template: Template, addresses: Sequence[int], spec: HardwareSpec) -> Fraction:
        return self._conflict(addresses, spec)

    def _conflict(self, addresses: Sequence[int], spec: HardwareSpec) -> Fraction:
        """Extra cycles of a repeat because operands meet in the same banks of UB."""
        banks, block = spec.vector.banks, spec.vector.block_bytes
        width = spec.vector.repeat_bytes // block
        extra = Fraction(0)
        if len(addresses) == 3 and banks.read_read_cycles:
            apart = (addresses[1] - addresses[2]) // block % banks.groups
            shared = max(0, width - min(apart, banks.groups - apart))
            extra += banks.read_read_cycles * shared / width
        if banks.read_write_cycles:
            bank_bytes = banks.groups * banks.rows * block
            for source in addresses[1:]:
                apart = (addresses[0] - source) // block % banks.groups
                same_bank = addresses[0] // bank_bytes == source // bank_bytes
                if same_bank and min(apart, banks.groups - apart) % width:
                    extra += banks.read_write_cycles
                    break
        return extra


def _kind(tensor: Any) -> Any:
    """What of an operand a plan depends on."""
    try:
        return (tensor.dtype, tensor.position)
    except AttributeError:
        return type(tensor)


def _run(tensor: LocalTensor, count: int) -> Array:
    first = tensor.address // tensor.dtype.itemsize
    return tensor.memory.view(tensor.dtype)[first : first + count]


def strides_of(
    core: Core, call: str, params: Any, wanted: type, fields: tuple[str, ...]
) -> tuple[tuple[int, int], ...]:
    """(block, repeat) strides per operand out of a parameter struct of class ``wanted``.

    Raises:
        UsageError: ``params`` is something else.
    """
    if params is None:
        params = wanted()
    if not isinstance(params, wanted):
        core.fail(UsageError, f"{call}: repeat_params must be a {wanted.__name__}, got {params!r}")
    return tuple((getattr(params, f"{f}_blk_stride"), getattr(params, f"{f}_rep_stride")) for f in fields)


def same(*kinds: DataType, operands: int) -> tuple[tuple[DataType, ...], ...]:
    """Signatures in which all operands have the same type."""
    return tuple((k,) * operands for k in kinds)


__all__ = ["UB", "Plan", "VectorOp", "same", "strides_of"]
