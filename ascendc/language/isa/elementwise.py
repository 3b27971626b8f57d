"""Vector instructions whose lanes are independent, in their three call forms.

* count form: the first ``count`` elements, contiguous;
* mask form: ``repeat_times`` repeats of up to 256 bytes, the first ``mask`` lanes of each, with strides;
* bit mask form: as before, lanes chosen by two 64-bit words.

A family (binary, unary, scalar …) says which operands there are; a member is one decorated function whose
body is the arithmetic on plain NumPy lanes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..access import refuse, refuse_poison
from ..core import Core, current
from ..errors import RangeError, UsageError
from ..numbers import is_whole
from ..program import Footprint, Space
from .geometry import Lanes, Layout, parse_mask
from .overlap import check_contiguous, check_strided
from .vector import Array, Plan, VectorOp, kind_of

if TYPE_CHECKING:
    from types import FrameType

    from ..memory import LocalTensor


@dataclass(frozen=True, slots=True)
class MaskPlan:
    """A call in a mask form: the plan, and where its lanes lie.

    Attributes:
        plan: what is recorded and checked.
        layouts: where the lanes of each operand lie.
        lanes: which lanes take part.
    """

    plan: Plan
    layouts: tuple[Layout, ...]
    lanes: Lanes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Elementwise(VectorOp):
    """``dst[i] = compute(src0[i], …)``.

    Attributes:
        compute: the arithmetic on NumPy lanes: sources (after the old destination, if it is read), then
            parameters; gives the lanes of the destination.
        reads_dst: whether the old destination is a source too.
        accumulates: whether the second source may be the destination of the repeat before.
    """

    compute: Callable[..., Array]
    reads_dst: bool = False
    accumulates: bool = False

    def count_form(
        self, frame: FrameType, tensors: tuple[LocalTensor, ...], count: Any, params: tuple[Any, ...] = ()
    ) -> None:
        """Run on the first ``count`` elements.  ``params`` go to ``compute``, after the sources."""
        core = current()
        key = (self, id(frame.f_code), frame.f_lasti, core.stage, count, *[kind_of(t) for t in tensors])
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
                if (start != at or n != reach) and start < at + reach and at < start + n:
                    check_contiguous(core, self, i, (at, reach), (start, n))
        if core.auto.enabled:
            reads = tuple(zip(addresses, plan.nbytes, strict=True))
            core.auto.vector(frame, reads if self.reads_dst else reads[1:], reads[:1])
        with np.errstate(all="ignore"):
            lanes = [_run(t, count) for t in sources]
            _run(dst, count)[...] = self.compute(*lanes, *params)
        memory.written(at, at + reach)
        self._record(core, plan, addresses, params)

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
            *[kind_of(t) for t in tensors],
        )
        made: MaskPlan | str | None = core.plans.get(key)
        if made is None:
            made = core.plans[key] = self._plan_mask(core, frame, tensors, bits, repeat_times, strides)
        if isinstance(made, str):
            return
        plan, layouts, lanes = made.plan, made.layouts, made.lanes
        for tensor, nbytes, role in zip(tensors, plan.nbytes, self.roles, strict=True):
            if tensor.core is not core or not tensor.lease.usable or nbytes > tensor.nbytes or tensor.address & 31:
                refuse(core, self.name, role, tensor, nbytes)
        addresses = tuple([t.address for t in tensors])
        for i in range(0 if self.reads_dst else 1, len(tensors)):
            hole = layouts[i].first_hole(tensors[i].memory.shadow, addresses[i], lanes)
            if hole >= 0:
                item = tensors[i].dtype.itemsize
                refuse_poison(core, self.name, self.roles[i], tensors[i], hole, hole + item)
        in_turn = check_strided(core, self, made, addresses)
        if core.auto.enabled:
            core.auto.strided(frame, plan.template.footprints, addresses)
        with np.errstate(all="ignore"):
            for repeat in range(layouts[0].repeats) if in_turn else (None,):
                self._repeats(made, tensors, addresses, repeat, params)
        self._record(core, plan, addresses, params)

    def _record(self, core: Core, plan: Plan, addresses: tuple[int, ...], params: tuple[Any, ...]) -> None:
        rec = core.rec
        rec.rows.append(plan.number)
        rec.addresses.extend(addresses)
        if plan.template.immediates:
            rec.immediates.append(float(params[0]))

    def _repeats(
        self,
        made: MaskPlan,
        tensors: Sequence[LocalTensor],
        addresses: Sequence[int],
        repeat: int | None,
        params: tuple[Any, ...],
    ) -> None:
        """Execute one repeat, or all of them at once."""
        lanes = [
            made.layouts[i].load(tensors[i].memory, tensors[i].dtype, addresses[i], made.lanes, repeat)
            for i in range(0 if self.reads_dst else 1, len(tensors))
        ]
        dst = tensors[0]
        values = self.compute(*lanes, *params)
        made.layouts[0].store(dst.memory, dst.dtype, addresses[0], made.lanes, repeat, values)

    def _plan_count(self, core: Core, frame: FrameType, tensors: tuple[LocalTensor, ...], count: Any) -> Plan:
        self.check(core, frame, tensors)
        if not is_whole(count) or count < 0:
            core.fail(RangeError, f"{self.name}: count must be a whole number of elements, 0 or more, got {count!r}")
        nbytes = tuple(int(count) * t.dtype.itemsize for t in tensors)
        footprints = tuple(
            Footprint(i, Space.UB, write, n) for i, n in enumerate(nbytes) for write in self._directions(i)
        )
        return self.plan(core, frame, tensors, footprints, (("count", int(count)),), nbytes=nbytes)

    def _directions(self, operand: int) -> tuple[bool, ...]:
        """Whether an operand is read (False), written (True) or both."""
        return (operand == 0,) if operand or not self.reads_dst else (False, True)

    def _plan_mask(
        self,
        core: Core,
        frame: FrameType,
        tensors: tuple[LocalTensor, ...],
        mask: Any,
        repeat_times: Any,
        strides: tuple[tuple[int, int], ...],
    ) -> MaskPlan | str:
        """The plan of a mask form, or a word if there is nothing to do."""
        self.check(core, frame, tensors)
        repeats = check_repeat(core, self.name, repeat_times)
        items = tuple(t.dtype.itemsize for t in tensors)
        lanes = parse_mask(core, self.name, mask, core.spec.vector.repeat_bytes // max(items))
        layouts = tuple(
            Layout.checked(core, self.name, role, item, repeats, *stride)
            for role, item, stride in zip(self.roles, items, strides, strict=True)
        )
        if layouts[0].blk_stride == 0 and lanes.last * items[0] >= 32:
            core.fail(RangeError, f"{self.name}: dst_blk_stride 0 would write all blocks of a repeat to one place")
        if not repeats or lanes.last < 0:
            return "nothing to do"
        footprints = tuple(
            f
            for i, layout in enumerate(layouts)
            for write in self._directions(i)
            for f in layout.footprints(i, lanes, write=write)
        )
        shown = mask if isinstance(mask, int) else tuple(f"{m:#x}" for m in mask)
        nbytes = tuple(layout.reach(lanes) for layout in layouts)
        plan = self.plan(core, frame, tensors, footprints, (("mask", shown), ("repeat", repeats)), nbytes=nbytes)
        return MaskPlan(plan, layouts, lanes)


def check_repeat(core: Core, call: str, repeat_times: Any) -> int:
    """The number of repeats, checked against what the instruction's field holds.

    Raises:
        RangeError: it is no whole number, or too large.
    """
    most = core.spec.limits.repeat_times
    if not is_whole(repeat_times):
        core.fail(RangeError, f"{call}: repeat_times must be a whole number, got {repeat_times!r}")
    if not 0 <= repeat_times <= most:
        core.fail(
            RangeError,
            f"{call}: repeat {repeat_times} > {most}; split it, or use the count form, which splits itself"
            if repeat_times > most
            else f"{call}: repeat_times must be 0 to {most}, got {repeat_times}",
        )
    return int(repeat_times)


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


def _run(tensor: LocalTensor, count: int) -> Array:
    first = tensor.address // tensor.dtype.itemsize
    return tensor.memory.view(tensor.dtype)[first : first + count]


__all__ = ["Elementwise", "MaskPlan", "check_repeat", "strides_of"]
