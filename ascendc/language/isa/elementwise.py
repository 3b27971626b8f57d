"""Vector instructions whose lanes are independent, in their three call forms.

* count form: the first ``count`` elements, contiguous;
* mask form: ``repeat_times`` repeats of up to 256 bytes, the first ``mask`` lanes of each, with strides; in
  counter mode ``mask`` is the number of elements of the whole instruction, and the repeats follow from it;
* bit mask form: as before, lanes chosen by two 64-bit words.

The count form leaves the mask register in normal mode with every lane, the others leave in it what they use.

A family (binary, unary, scalar …) says which operands there are; a member is one decorated function whose
body is the arithmetic on plain NumPy lanes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..access import refuse_poison
from ..block import BLOCK
from ..classes import need_class
from ..core import Core, current
from ..mask import FULL
from ..program import Footprint, Space
from ..windows import in_bytes
from .forms import CONTIGUOUS
from .geometry import Layout, joined
from .overlap import Order, check_contiguous, check_strided
from .passes import Pass, check_count, check_strides, passes, plain_strides, refuse_one_place, shown
from .vector import Array, Plan, VectorOp, kind_of

if TYPE_CHECKING:
    from types import FrameType

    from ..memory import LocalTensor


@dataclass(frozen=True, slots=True)
class MaskPlan:
    """A call in a mask form: the plan, and where its lanes lie.

    Attributes:
        plan: what is recorded and checked.
        passes: where the lanes of each operand lie, for repeats in a row that have the same lanes.
        orders: how repeats are computed, by distance of the operands; filled as they occur.
    """

    plan: Plan
    passes: tuple[tuple[Layout, ...], ...]
    orders: dict[tuple[int, ...], Order] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Elementwise(VectorOp):
    """``dst[i] = compute(src0[i], …)``.

    Attributes:
        compute: the arithmetic on NumPy lanes: sources (after the old destination, if it is read), then
            parameters; gives the lanes of the destination.
        reads_dst: whether the old destination is a source too.
        accumulates: whether the second source may be the destination of the repeat before.
        running: for instructions that read what the repeat before has written: of that and the rows of the
            other sources, what ``compute`` makes of them row after row; ``compute`` itself, if not given.
    """

    compute: Callable[..., Array]
    reads_dst: bool = False
    accumulates: bool = False
    running: Callable[..., Array] | None = None

    def count_form(
        self, frame: FrameType, tensors: tuple[LocalTensor, ...], count: Any, params: tuple[Any, ...] = ()
    ) -> None:
        """Run on the first ``count`` elements.  ``params`` go to ``compute``, after the sources."""
        core = current()
        if core.mask is not FULL:
            leave_mask(core, frame, self.name)
        key = (self, id(frame.f_code), frame.f_lasti, core.stage, count, *[kind_of(t) for t in tensors])
        plan: Plan | None = core.plans.get(key)
        if plan is None:
            plan = core.plans[key] = self._plan_count(core, frame, tensors, count)
        if not count:
            return
        sources = tensors if self.reads_dst else tensors[1:]
        addresses = self.reach(core, plan, tensors)
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
        strides: tuple[tuple[int, ...], ...],
        params: tuple[Any, ...] = (),
    ) -> None:
        """Run on masked lanes of ``repeat_times`` repeats.

        ``strides`` are (block, repeat) per operand, and whatever else :meth:`layout` of the family takes.
        """
        core = current()
        key = (
            *(self, id(frame.f_code), frame.f_lasti, core.stage, mask, repeat_times, strides),
            *[kind_of(t) for t in tensors],
        )
        made: MaskPlan | str | None = core.plans.get(key)
        if made is None:
            made = core.plans[key] = self._plan_mask(core, frame, tensors, mask, repeat_times, strides)
        if isinstance(made, str):
            return
        plan = made.plan
        addresses = self.reach(core, plan, tensors)
        self.need_filled(core, made, tensors, addresses)
        order = check_strided(core, self, made, addresses)
        if core.auto.enabled:
            core.auto.strided(frame, plan.template.footprints, addresses)
        with np.errstate(all="ignore"):
            for layouts in order.steps:
                if order.folds:
                    self._fold(layouts, tensors, addresses, params)
                else:
                    self.at_once(layouts, tensors, addresses, params)
        self._record(core, plan, addresses, params)

    def need_filled(self, core: Core, made: MaskPlan, tensors: Sequence[LocalTensor], at: Sequence[int]) -> None:
        """Check that something has written all lanes that are read.

        Raises:
            UninitializedError: nothing wrote one of them.
        """
        for i in range(0 if self.reads_dst else 1, len(tensors)):
            shadow = tensors[i].memory.shadow
            if shadow.find(0, at[i], at[i] + made.plan.nbytes[i]) >= 0:  # though perhaps between lanes
                for layouts in made.passes:
                    hole = layouts[i].first_hole(shadow, at[i])
                    if hole >= 0:
                        item = tensors[i].dtype.itemsize
                        refuse_poison(core, self.name, self.roles[i], tensors[i], hole, hole + item)

    def _record(self, core: Core, plan: Plan, addresses: tuple[int, ...], params: tuple[Any, ...]) -> None:
        rec = core.rec
        rec.rows.append(plan.number)
        rec.addresses.extend(addresses)
        if plan.template.immediates:
            rec.immediates.append(float(params[0]))

    def at_once(
        self, layouts: Sequence[Layout], tensors: Sequence[LocalTensor], addresses: Sequence[int], params: Any
    ) -> None:
        """Execute repeats that do not see each other."""
        lanes = [
            layouts[i].load(tensors[i].memory, tensors[i].dtype, addresses[i], into=layouts[0])
            for i in range(0 if self.reads_dst else 1, len(tensors))
        ]
        dst = tensors[0]
        layouts[0].store(dst.memory, dst.dtype, addresses[0], self.compute(*lanes, *params))

    def _fold(
        self, layouts: Sequence[Layout], tensors: Sequence[LocalTensor], addresses: Sequence[int], params: Any
    ) -> None:
        """Execute repeats, each on the result of the one before, which is in memory only at the end."""
        dst, last = tensors[0], len(tensors) if self.reads_dst else 2
        at_first, *rows = [layouts[i].load(tensors[i].memory, tensors[i].dtype, addresses[i]) for i in range(last)]
        running = (self.running or self._in_turn)(at_first[0], *rows, *params)
        layouts[0].store(dst.memory, dst.dtype, addresses[0], running)

    def _in_turn(self, running: Array, *given: Any) -> Array:
        """``compute`` over and over."""
        sources = len(self.roles) - 1 if self.reads_dst else 1
        rows, params = given[:sources], given[sources:]
        for row in zip(*rows, strict=True):
            operands = (running, *row) if self.reads_dst else (*row, running)
            running = self.compute(*operands, *params)
        return running

    def _plan_count(self, core: Core, frame: FrameType, tensors: tuple[LocalTensor, ...], count: Any) -> Plan:
        self.check(core, frame, tensors)
        check_count(core, self.name, count)
        nbytes = tuple(in_bytes(core, self.name, t.dtype, count) for t in tensors)
        footprints = tuple(
            Footprint(i, Space.UB, write, n) for i, n in enumerate(nbytes) for write in self._directions(i)
        )
        return self.plan(core, frame, tensors, footprints, (("count", count),), nbytes=nbytes)

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
        strides: tuple[tuple[int, ...], ...],
    ) -> MaskPlan | str:
        """The plan of a mask form, or a word if there is nothing to do."""
        self.check(core, frame, tensors)
        made = self.place(core, frame, tensors, mask, repeat_times, strides)
        if not made:
            return "nothing to do"
        footprints = tuple(self.touched(made))
        nbytes = tuple(max(layout.reach for layout in operand) for operand in zip(*made, strict=True))
        params = (*shown(mask), ("repeat", sum(layouts[0].repeats for layouts in made)))
        return MaskPlan(self.plan(core, frame, tensors, footprints, params, nbytes=nbytes), made)

    def place(
        self,
        core: Core,
        frame: FrameType,
        tensors: Sequence[LocalTensor],
        mask: Any,
        repeat_times: Any,
        strides: tuple[tuple[Any, ...], ...],
    ) -> tuple[tuple[Layout, ...], ...]:
        """Where the lanes of each operand lie, pass by pass.

        Raises:
            RangeError: a number does not fit its field.
        """
        width = self.lane_bytes(tensors)
        runs = passes(core, frame, self.name, mask, repeat_times, core.spec.vector.repeat_bytes // width)
        for role, (blk_stride, rep_stride, *_) in zip(self.roles, strides, strict=False):
            if rep_stride is not None:
                check_strides(core, self.name, role, blk_stride, rep_stride)
        placed = tuple(enumerate(zip(tensors, strides, strict=True)))
        made = tuple(tuple(self.layout(i, tensor, run, *stride) for i, (tensor, stride) in placed) for run in runs)
        if made and strides[0][0] == 0 and made[0][0].lanes.last >= made[0][0].width:
            refuse_one_place(core, self.name)
        return made

    def touched(self, made: tuple[tuple[Layout, ...], ...]) -> Iterator[Footprint]:
        """Exactly the bytes that the operands' lanes are."""
        for i in range(len(made[0])):
            for write in self._directions(i):
                yield from joined([f for layouts in made for f in layouts[i].footprints(i, write=write)])

    def lane_bytes(self, tensors: Sequence[LocalTensor]) -> int:
        """Bytes of a lane, which a repeat has 256 of."""
        return max([t.dtype.itemsize for t in tensors])

    def layout(self, operand: int, tensor: LocalTensor, run: Pass, blk_stride: int, rep_stride: int | None) -> Layout:
        """Where the lanes of an operand lie in a pass; without a repeat stride its repeats follow each other."""
        item = tensor.dtype.itemsize
        if rep_stride is None:
            rep_stride = run.lanes.count * item // BLOCK
        first = run.first * rep_stride * BLOCK
        return Layout(run.lanes, item, run.repeats, blk_stride, rep_stride, BLOCK // item, first, run.first)


def leave_mask(core: Core, frame: FrameType, call: str) -> None:
    """The count form resets the register; in counter mode that is more than its author may want."""
    if core.mask.counts:
        core.warn(
            "mask",
            f"{call}: the count form leaves counter mode and a full mask behind; call set_mask_count() and "
            "set_vector_mask(…) again before the next instruction that counts",
            frame,
        )
    core.mask = FULL


def strides_of(
    core: Core, call: str, params: Any, wanted: type, fields: tuple[str, ...]
) -> tuple[tuple[Any, Any], ...]:
    """(block, repeat) strides per operand out of a parameter struct of class ``wanted``.

    The operands of a count form have none between repeats: see :meth:`Elementwise.layout`.

    Raises:
        UsageError: ``params`` is something else.
    """
    if params is CONTIGUOUS:
        return ((1, None),) * len(fields)
    if params is None:
        params = wanted()
    need_class(core, call, "repeat_params", params, wanted)
    return tuple(
        [
            plain_strides(core, call, f, getattr(params, f"{f}_blk_stride"), getattr(params, f"{f}_rep_stride"))
            for f in fields
        ]
    )


def _run(tensor: LocalTensor, count: int) -> Array:
    kind = tensor.dtype
    first = tensor.address // kind.itemsize
    return tensor.memory.view(kind)[first : first + count // kind.per_item]


__all__ = ["Elementwise", "MaskPlan", "leave_mask", "strides_of"]
