"""``select``: each lane from one of two sources, as a bit says: 1 for the first, 0 for the second.

The forms without a mask work on the lanes of the mask register.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ..access import need_dtype, need_local, refuse
from ..classes import need_class, spelled
from ..core import Core, current
from ..dtypes import float16, float32, int8, uint8, uint16, uint32, uint64
from ..enums import SelMode
from ..errors import UsageError
from ..hardware import HardwareSpec
from ..mask import counted
from ..memory import LocalTensor
from ..params import BinaryRepeatParams
from ..program import Footprint, Space, Template
from ..site import kernel_frame
from .banks import conflict_cycles
from .elementwise import Elementwise, MaskPlan, leave_mask, strides_of
from .forms import Masked, form
from .geometry import Layout
from .operands import bind, nothing_after
from .overlap import Order, check_strided
from .passes import check_count, plain_repeat, shown
from .scalar import scalar_like
from .scratch import warn_scratch
from .vector import UB, Array, kind_of, same
from .vector_cmp_mask import read_cmp_mask

if TYPE_CHECKING:
    from types import FrameType

_BITS = (uint8, int8, uint16, uint32, uint64)
_FIELDS = ("dst", "src0", "src1")
_STRIDES = (BinaryRepeatParams, _FIELDS)
_CONTIGUOUS = ((1, 8),) * 3
_BLOCKS = 8
_SPR, _SCALAR, _TENSOR = SelMode


@dataclass(frozen=True, slots=True)
class Selection:
    """One call, as far as it does not depend on its count or mask.

    Attributes:
        mode: which bits a repeat uses, and what the second source is.
        tensors: dst, src0 and, unless it is a number, src1.
        scalar: that number.
        bits: the tensor of bits; the register, if there is none.
    """

    mode: SelMode
    tensors: tuple[LocalTensor, ...]
    scalar: Any
    bits: LocalTensor | None

    @property
    def operands(self) -> tuple[LocalTensor, ...]:
        """All tensors."""
        return self.tensors if self.bits is None else (*self.tensors, self.bits)

    @property
    def roles(self) -> tuple[str, ...]:
        """What they are called."""
        names = _FIELDS[: len(self.tensors)]
        return names if self.bits is None else (*names, "sel_mask")


@dataclass(frozen=True, slots=True)
class Selected:
    """A call that has been checked as far as its static arguments go.

    Attributes:
        made: the plan, and where the lanes of dst, src0 and src1 lie.
        numbers: for the steps of each order, the number of each lane's bit: one row a repeat, or one for all;
            filled as they occur.
    """

    made: MaskPlan
    numbers: dict[Order, tuple[Array, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Select(Elementwise):
    """``dst[i] = src0[i] if bit i else src1[i]``."""

    @overload
    def __call__(
        self,
        dst: LocalTensor,
        sel_mask: LocalTensor,
        src0: LocalTensor,
        src1: LocalTensor | float,
        sel_mode: SelMode,
        count: int,
    ) -> None: ...

    @overload
    def __call__(
        self,
        dst: LocalTensor,
        sel_mask: LocalTensor,
        src0: LocalTensor,
        src1: LocalTensor | float,
        sel_mode: SelMode,
        mask: int | list[int],
        repeat_times: int,
        repeat_params: BinaryRepeatParams,
        is_set_mask: bool = True,
    ) -> None: ...

    @overload
    def __call__(
        self,
        dst: LocalTensor,
        sel_mask: LocalTensor,
        src0: LocalTensor,
        repeat_times: int,
        repeat_params: BinaryRepeatParams,
    ) -> None: ...

    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src0: LocalTensor,
        src1: LocalTensor,
        repeat_times: int,
        repeat_params: BinaryRepeatParams,
        sel_mode: SelMode,
    ) -> None: ...

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        """With ``sel_mask`` and both sources; with the number or the bits in the compare register."""
        core, frame = current(), kernel_frame()
        at = next((i for i, a in enumerate(args) if isinstance(a, SelMode)), -1)
        tail = ("repeat_times", "repeat_params")
        if at == 4 or (at < 0 and kwargs.keys() & {"count", "mask"}):
            names: tuple[str, ...] = ("dst", "sel_mask", "src0", "src1", "sel_mode")
            (dst, bits, src0, src1, mode), rest = bind(core, self.name, names, args, kwargs)
            call = form(core, self.name, *rest)
            self._run(core, frame, self._with_bits(core, mode, dst, src0, src1, bits), call)
        elif at == 5 or "sel_mode" in kwargs:
            names = ("dst", "src0", "src1", *tail, "sel_mode")
            (dst, src0, src1, repeats, params, mode), rest = bind(core, self.name, names, args, kwargs)
            nothing_after(core, self.name, names[-1], rest)
            if mode is not _SPR:
                core.fail(
                    UsageError, f"{self.name}: without sel_mask, sel_mode must be {spelled(_SPR)}, got {spelled(mode)}"
                )
            made = Selection(_SPR, (dst, src0, src1), None, None)
            self._run(core, frame, made, (None, Masked(core.mask, plain_repeat(core, self.name, repeats), params)))
        else:
            names = ("dst", "sel_mask", "src0", *tail)
            (dst, bits, src0, repeats, params), rest = bind(core, self.name, names, args, kwargs)
            nothing_after(core, self.name, names[-1], rest)
            made = Selection(_SCALAR, (dst, src0), _register_scalar(core, self.name, src0), bits)
            self._run(core, frame, made, (None, Masked(core.mask, plain_repeat(core, self.name, repeats), params)))

    def _with_bits(self, core: Core, mode: Any, dst: Any, src0: Any, src1: Any, bits: Any) -> Selection:
        """The call whose bits are in a tensor."""
        need_class(core, self.name, "sel_mode", mode, SelMode)
        if mode is not _SCALAR:
            return Selection(mode, (dst, src0, src1), None, bits)
        if isinstance(src1, LocalTensor):
            core.fail(
                UsageError, f"{self.name}: src1 must be a number in {mode.name}; {_TENSOR.name} takes two tensors"
            )
        number = scalar_like(core, self.name, src1, src0, "src1")
        return Selection(mode, (dst, src0), number, bits)

    def _run(self, core: Core, frame: FrameType, what: Selection, call: tuple[Any, Masked | None]) -> None:
        count, masked = call
        if masked is None:
            leave_mask(core, frame, self.name)
        strides = _CONTIGUOUS if masked is None else strides_of(core, self.name, masked.params, *_STRIDES)
        static = (count,) if masked is None else (masked.mask, masked.repeat_times, strides)
        place = (self, id(frame.f_code), frame.f_lasti, core.stage)
        key = (*place, what.mode, what.roles, static, *map(kind_of, what.operands))
        made: Selected | str | None = core.plans.get(key)
        if made is None:
            made = core.plans[key] = self._plan_selection(core, frame, what, call, strides[: len(what.tensors)])
        if isinstance(made, str):
            return
        if what.mode is not _SPR and what.bits is not None:
            warn_scratch(core, frame, self.name, what.tensors[0].memory)
        scalars = () if what.scalar is None else (what.scalar,)
        addresses = tuple([t.address for t in what.tensors])
        plan, order = made.made.plan, check_strided(core, self, made.made, addresses)
        numbers = made.numbers.get(order)
        if numbers is None:
            numbers = made.numbers[order] = tuple(
                layouts[0].shaped(_numbers(what.mode, layouts[0])) for layouts in order.steps
            )

        def run() -> None:
            self.need_filled(core, made.made, what.tensors, addresses)
            bits = _bits(core, self.name, what, plan.nbytes[-1])
            for layouts, number in zip(order.steps, numbers, strict=True):
                self.at_once(layouts, what.tensors, addresses, (*scalars, bits[number]))

        self.issue(core, frame, plan, what.operands, run, tuple(map(float, scalars)))

    def _plan_selection(
        self,
        core: Core,
        frame: FrameType,
        what: Selection,
        call: tuple[Any, Masked | None],
        strides: tuple[tuple[int, ...], ...],
    ) -> Selected | str:
        """As a masked instruction; a count is the counter mode of contiguous operands."""
        self.check(core, frame, (*what.tensors, what.tensors[-1])[:3])
        if what.bits is not None:
            need_local(core, self.name, "sel_mask", what.bits, UB)
            need_dtype(core, self.name, "sel_mask", what.bits, _BITS)
        count, masked = call
        if masked is None:
            count = check_count(core, self.name, count)
            made = self.place(core, frame, what.tensors, counted(count), 0, strides)
            params: tuple[tuple[str, Any], ...] = (("count", count),)
        else:
            made = self.place(core, frame, what.tensors, masked.mask, masked.repeat_times, strides)
            params = (*shown(masked.mask), ("repeat", sum(layouts[0].repeats for layouts in made)))
        if not made:
            return "nothing to do"
        if (reach := made[-1][0].reach) > what.tensors[0].nbytes:  # there may be far too many bits to number
            refuse(core, self.name, "dst", what.tensors[0], reach)
        last = max(int(_numbers(what.mode, layouts[0])[-1, -1]) for layouts in made)
        reads = () if what.bits is None else (Footprint(len(what.tensors), Space.UB, False, last // 8 + 1),)
        plan = self.plan(
            core,
            frame,
            what.operands,
            (*self.touched(made), *reads),
            (*params, ("mode", what.mode.name)),
            loose=tuple(range(len(what.tensors))),
            meeting=tuple(range(1, len(what.tensors))),
            priced=what.tensors[0].dtype,
            roles=what.roles,
            immediates=0 if what.scalar is None else 1,
        )
        return Selected(MaskPlan(plan, made))

    def address_class(self, template: Template, addresses: Sequence[int], spec: HardwareSpec) -> Fraction:
        """The bits are a sixteenth of a source or less."""
        return conflict_cycles(addresses[:-1] if template.operands[-1] == "sel_mask" else addresses, spec)


def _numbers(mode: SelMode, layout: Layout) -> Array:
    """Numbers of the bits that the lanes of a pass use, one row a repeat, or one for all."""
    width = layout.width * _BLOCKS
    first = 0 if mode is _SPR else (layout.row + np.arange(layout.repeats))[:, None] * width
    lanes = layout.lanes.index % width if mode is _SPR else layout.lanes.index
    return np.atleast_2d(first + lanes)


def _bits(core: Core, call: str, what: Selection, nbytes: int) -> Array:
    """All bits of the call, one element each."""
    if what.bits is None:
        image = np.frombuffer(read_cmp_mask(core, call).to_bytes(16, "little"), np.uint8)
    else:
        image = what.bits.memory.data[what.bits.address : what.bits.address + nbytes]
    return np.unpackbits(image, bitorder="little").view(bool)


def _register_scalar(core: Core, call: str, like: Any) -> Any:
    """The number in the low bits of the compare register, as one element of ``like``."""
    bits = read_cmp_mask(core, call)
    if not isinstance(like, LocalTensor):
        return None
    item = like.dtype.itemsize
    return np.frombuffer(bits.to_bytes(16, "little")[:item], like.dtype.numpy)[0]


def _select(src0: Array, src1: Any, bits: Array) -> Array:
    """dst = src0 where the bit is 1, src1 where it is 0.

    >>> select.compute(f32(1, 2), f32(10, 20), np.array([True, False])).tolist()
    [1.0, 20.0]
    """
    return np.where(bits, src0, src1)


select = Select(
    name="select",
    cpp="Select",
    unit="V",
    doc=_select.__doc__ or "",
    compute=_select,
    dtypes=same(float16, float32, operands=3),
    cost="binary",
    roles=_FIELDS,
)

__all__ = ["select"]
