"""Vector instructions that compare: one bit for each lane, lane 0 in bit 0 of the first byte."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from ..access import need_dtype, need_local
from ..block import BLOCK
from ..classes import need_class
from ..core import Core, current
from ..dtypes import DataType, float16, float32, int8, int32, uint8
from ..enums import CMPMODE, PipeID
from ..memory import LocalTensor
from ..params import BinaryRepeatParams, UnaryRepeatParams
from ..site import kernel_frame
from ..stage import need_stage
from .comparison import TESTS, Comparison, check_mode
from .elementwise import strides_of
from .forms import form
from .geometry import Layout
from .lanes import parse_mask
from .operands import Rest, bind
from .passes import check_strides
from .scalar import scalar_like
from .vector import UB, Array, Plan, kind_of

if TYPE_CHECKING:
    from types import FrameType


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Compare(Comparison):
    """Two tensors, lane by lane, into a tensor of bits or into the register ``select`` reads."""

    @overload
    def __call__(
        self, dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, cmp_mode: CMPMODE, count: int
    ) -> None: ...

    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src0: LocalTensor,
        src1: LocalTensor,
        cmp_mode: CMPMODE,
        mask: int | list[int],
        repeat_times: int,
        repeat_params: BinaryRepeatParams,
        is_set_mask: bool = True,
    ) -> None: ...

    @overload
    def __call__(
        self,
        src0: LocalTensor,
        src1: LocalTensor,
        cmp_mode: CMPMODE,
        mask: int | list[int],
        repeat_params: BinaryRepeatParams,
        is_set_mask: bool = True,
    ) -> None: ...

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        """``op(dst, src0, src1, cmp_mode, count)``, or with a mask and repeats; without dst into the register."""
        core, frame = current(), kernel_frame()
        leading = next((i for i, a in enumerate(args) if isinstance(a, CMPMODE)), len(args))
        if leading + len(kwargs.keys() & {"dst", "src0", "src1"}) == 2:
            (src0, src1, mode, mask, params), rest = bind(
                core, self.name, ("src0", "src1", "cmp_mode", "mask", "repeat_params"), args, kwargs
            )
            self._to_register(core, frame, (src0, src1), mode, mask, params, rest)
            return
        (dst, src0, src1, mode), rest = bind(core, self.name, ("dst", "src0", "src1", "cmp_mode"), args, kwargs)
        call = form(core, self.name, *rest)
        params = call[1].params if call[1] else None
        strides = strides_of(core, self.name, params, BinaryRepeatParams, ("src0", "src1"))
        self.pack(core, frame, (dst, src0, src1), mode, call, strides)

    def _to_register(
        self,
        core: Core,
        frame: FrameType,
        tensors: tuple[LocalTensor, LocalTensor],
        mode: CMPMODE,
        mask: Any,
        params: Any,
        rest: Rest,
    ) -> None:
        """Compare one repeat; lanes that the mask leaves out keep their bits."""
        need_class(core, self.name, "cmp_mode", mode, CMPMODE)
        flags = dict(zip(("is_set_mask",), rest[0], strict=False)) | rest[1]
        _, call = form(core, self.name, (mask, 1, None), flags)
        assert call is not None
        strides = strides_of(core, self.name, params, BinaryRepeatParams, ("src0", "src1"))
        place = (self, "register", id(frame.f_code), frame.f_lasti, core.stage)
        key = (*place, mode, call.mask, strides, *map(kind_of, tensors))
        made: tuple[Plan, tuple[Layout, ...]] | None = core.plans.get(key)
        if made is None:
            made = core.plans[key] = self._plan_register(core, frame, tensors, mode, call.mask, strides)
        plan, layouts = made
        if not layouts:
            return

        def run() -> None:
            lanes = [layout.load(t.memory, t.dtype, t.address) for layout, t in zip(layouts, tensors, strict=True)]
            bits = core.cmp_mask or 0
            for lane, bit in zip(layouts[0].lanes.chosen, self.compute(*lanes, mode)[0].tolist(), strict=True):
                bits = bits & ~(1 << lane) | bit << lane
            core.cmp_mask = bits

        self.issue(core, frame, plan, tensors, run)

    def _plan_register(
        self,
        core: Core,
        frame: FrameType,
        tensors: tuple[LocalTensor, LocalTensor],
        mode: CMPMODE,
        mask: Any,
        strides: tuple[tuple[Any, Any], ...],
    ) -> tuple[Plan, tuple[Layout, ...]]:
        need_stage(core, frame, self.name, PipeID.PIPE_V)
        for role, tensor in zip(self.roles[1:], tensors, strict=True):
            need_local(core, self.name, role, tensor, UB)
            need_dtype(core, self.name, role, tensor, (float16, float32) if role == "src0" else (tensors[0].dtype,))
        check_mode(core, self.name, mode, tensors[0])
        item = tensors[0].dtype.itemsize
        lanes = parse_mask(core, self.name, mask, core.spec.vector.repeat_bytes // item)
        checked = [check_strides(core, self.name, r, *s) for r, s in zip(self.roles[1:], strides, strict=True)]
        layouts = tuple(Layout(lanes, item, 1, *s, BLOCK // item) for s in checked) if lanes.chosen else ()
        prints = tuple(f for i, layout in enumerate(layouts) for f in layout.footprints(i, write=False))
        params = (("repeat", 1), ("mode", mode.name))
        return self.plan(core, frame, tensors, prints, params, roles=self.roles[1:]), layouts


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CompareScalar(Comparison):
    """A tensor with one number."""

    @overload
    def __call__(
        self, dst: LocalTensor, src0: LocalTensor, src1_scalar: float, cmp_mode: CMPMODE, count: int
    ) -> None: ...

    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src0: LocalTensor,
        src1_scalar: float,
        cmp_mode: CMPMODE,
        mask: int | list[int],
        repeat_times: int,
        repeat_params: UnaryRepeatParams,
        is_set_mask: bool = True,
    ) -> None: ...

    def __call__(self, dst: Any, src0: Any, src1_scalar: Any, cmp_mode: Any, *args: Any, **kwargs: Any) -> None:
        """``op(dst, src0, src1_scalar, cmp_mode, count)`` or with ``mask, repeat_times, repeat_params``."""
        core, frame = current(), kernel_frame()
        call = form(core, self.name, args, kwargs)
        params = call[1].params if call[1] else None
        strides = strides_of(core, self.name, params, UnaryRepeatParams, ("src",))
        number = scalar_like(core, self.name, src1_scalar, src0, "src1_scalar")
        self.pack(core, frame, (dst, src0), cmp_mode, call, strides, (number,))

    @property
    def immediates(self) -> int:
        return 1


def _kinds(sources: int) -> tuple[tuple[DataType, ...], ...]:
    return tuple((bits, *(kind,) * sources) for bits in (uint8, int8) for kind in (float16, float32, int32))


def _compare(src0: Array, src1: Array, mode: CMPMODE) -> Array:
    """bit i of dst = src0[i] compared with src1[i]; int32 for equality only.

    >>> compare.compute(f32(1, 2, np.nan), f32(2, 2, np.nan), CMPMODE.LE).tolist()
    [True, True, False]
    """
    return TESTS[mode](src0, src1)


compare = Compare(
    name="compare",
    cpp="Compare",
    unit="V",
    doc=_compare.__doc__ or "",
    compute=_compare,
    dtypes=_kinds(2),
    cost="binary",
    roles=("dst", "src0", "src1"),
)


def _compare_scalar(src0: Array, scalar: Any, mode: CMPMODE) -> Array:
    """bit i of dst = src0[i] compared with a number; int32 for equality only.

    >>> compare_scalar.compute(f32(-1, -0.0, 1), np.float32(0), CMPMODE.GE).tolist()
    [False, True, True]
    """
    return TESTS[mode](src0, scalar)


compare_scalar = CompareScalar(
    name="compare_scalar",
    cpp="CompareScalar",
    unit="V",
    doc=_compare_scalar.__doc__ or "",
    compute=_compare_scalar,
    dtypes=_kinds(1),
    cost="simple",
    roles=("dst", "src0"),
)

__all__ = ["compare", "compare_scalar"]
