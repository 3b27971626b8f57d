"""``data_copy``: whole blocks of 32 bytes between global and local memory, in all its forms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from ..block import BLOCK
from ..classes import need_class
from ..copy_params import DataCopyEnhancedParams, DataCopyParams, Nd2NzParams, Nz2NdParamsFull, SliceInfo
from ..core import Core, current
from ..errors import UsageError
from ..global_memory import GlobalTensor
from ..memory import LocalTensor
from ..numbers import is_number
from ..site import kernel_frame
from .copies import Copy, CopyPlan, Tensor, check_fields, check_pair, elements, kind_of, move_rows
from .copy_rows import Rows
from .nz import refuse_nz, store_nd
from .passes import check_count
from .slices import copy_slices

if TYPE_CHECKING:
    from types import FrameType

_FORMS = (
    ("count",),
    ("repeat_params",),
    ("intri_params",),
    ("intri_params", "enhanced_params"),
    ("slice_list1", "slice_list2", "dim_value"),
)
"""Arguments after dst and src."""

_BLOCK_LIMITS = {
    "block_count": (0, 4095),
    "block_len": (0, 65535),
    "src_stride": (0, 65535),
    "dst_stride": (0, 65535),
}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DataCopy(Copy):
    """Copy whole blocks of 32 bytes."""

    row_unit_bytes: int = BLOCK

    @overload
    def __call__(self, dst: Tensor, src: Tensor, count: int) -> None: ...

    @overload
    def __call__(self, dst: Tensor, src: Tensor, repeat_params: DataCopyParams) -> None: ...

    @overload
    def __call__(
        self, dst: Tensor, src: Tensor, intri_params: DataCopyParams, enhanced_params: DataCopyEnhancedParams
    ) -> None: ...

    @overload
    def __call__(
        self, dst: Tensor, src: Tensor, slice_list1: list[SliceInfo], slice_list2: list[SliceInfo], dim_value: int
    ) -> None: ...

    @overload
    def __call__(self, dst: GlobalTensor, src: LocalTensor, intri_params: Nz2NdParamsFull) -> None: ...

    def __call__(self, dst: Any, src: Any, *args: Any, **kwargs: Any) -> None:
        """``data_copy(dst, src, count)``, or with parameters in place of the count."""
        core, frame = current(), kernel_frame()
        if len(args) == 1 and type(args[0]) is int and not kwargs:
            self._count(core, frame, dst, src, args[0])
            return
        given = args if not kwargs else self._by_name(args, kwargs)
        match given:
            case (DataCopyParams() as params,):
                self._blocks(core, frame, dst, src, params)
            case (Nz2NdParamsFull() as params,):
                store_nd(self, core, frame, dst, src, params)
            case (Nd2NzParams(),):
                refuse_nz(core, self.name, dst)
            case (count,) if is_number(count):
                check_pair(core, self.name, dst, src)
                self._count(core, frame, dst, src, check_count(core, self.name, count))
            case (params,):
                self._blocks(core, frame, dst, src, params)
            case (params, enhanced):
                self._check_enhanced(core, enhanced)
                self._blocks(core, frame, dst, src, params)
            case (to, come, dims):
                copy_slices(self, core, frame, (dst, src), (to, come), dims)
            case _:
                core.fail(
                    UsageError,
                    f"{self.name}: after dst and src comes a count, a DataCopyParams (and a DataCopyEnhancedParams), "
                    "a Nz2NdParamsFull, or two lists of SliceInfo with dim_value",
                )

    def _by_name(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """The arguments in order; none if they fit no form."""
        for names in _FORMS:
            missing = names[len(args) :]
            if len(args) <= len(names) and kwargs.keys() == set(missing):
                return (*args, *(kwargs[name] for name in missing))
        return ()

    def _check_enhanced(self, core: Core, enhanced: Any) -> None:
        need_class(core, self.name, "enhanced_params", enhanced, DataCopyEnhancedParams)
        if enhanced != DataCopyEnhancedParams():
            core.fail(
                UsageError,
                f"{self.name}: between global memory and UB enhanced_params do nothing here and must be left as they "
                f"are, got {enhanced!r}; they are for copies out of L0C",
            )

    def _count(self, core: Core, frame: FrameType, dst: Any, src: Any, count: int) -> None:
        key = (self, id(frame.f_code), frame.f_lasti, core.stage, count, kind_of(dst), kind_of(src), core.atomic)
        plan: CopyPlan[Rows] | None = core.plans.get(key)
        if plan is None:
            check_pair(core, self.name, dst, src)
            nbytes = check_count(core, self.name, count) * dst.dtype.itemsize // BLOCK * BLOCK
            rows = Rows(1, nbytes, nbytes)
            plan = core.plans[key] = self.plan(core, frame, dst, src, (rows, rows), (("count", count),))
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
        self.ready(core, frame, plan, dst, src)
        n = nbytes // dst.dtype.itemsize
        if isinstance(dst, LocalTensor):
            elements(dst, n)[...] = elements(src, n)
            dst.memory.written(dst.address, dst.address + nbytes)
        elif core.atomic is None:
            elements(dst, n)[...] = elements(src, n)
        else:
            core.atomic.store(elements(dst, n), elements(src, n))

    def _blocks(self, core: Core, frame: FrameType, dst: Any, src: Any, params: Any) -> None:
        check_pair(core, self.name, dst, src)
        values = check_fields(core, self.name, params, DataCopyParams, _BLOCK_LIMITS)
        count, length, src_gap, dst_gap = values
        if not count or not length:
            return
        nbytes = length * BLOCK
        key = (self, id(frame.f_code), frame.f_lasti, core.stage, values, kind_of(dst), kind_of(src), core.atomic)
        plan: CopyPlan[Rows] | None = core.plans.get(key)
        if plan is None:
            rows = Rows(count, nbytes, nbytes + dst_gap * BLOCK), Rows(count, nbytes, nbytes + src_gap * BLOCK)
            shown = tuple(zip(_BLOCK_LIMITS, values, strict=True))
            plan = core.plans[key] = self.plan(core, frame, dst, src, rows, shown)
        self.ready(core, frame, plan, dst, src)
        move_rows(core, dst, plan.dst, src, plan.src)


data_copy = DataCopy(
    name="data_copy",
    cpp="DataCopy",
    unit="MTE2/MTE3/V",
    doc="dst = src, in whole blocks of 32 bytes: a count (rounded down), rows with gaps, slices, or NZ to ND.",
)

__all__ = ["data_copy"]
