"""``data_copy_pad``: rows of any number of bytes, padded on their way into local memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ..block import BLOCK, whole_blocks
from ..classes import need_class
from ..copy_params import DataCopyExtParams, DataCopyPadExtParams, DataCopyPadParams, DataCopyParams, Nd2NzParams
from ..core import Core, current
from ..errors import DtypeError, PositionError, RangeError, UsageError
from ..global_memory import GlobalTensor
from ..memory import LocalTensor
from ..numbers import is_whole
from ..site import kernel_frame
from ..windows import element_type
from .copies import Copy, CopyPlan, check_fields, check_pair, kind_of, move_rows
from .copy_rows import Rows
from .nz import refuse_nz
from .scalar import scalar_of

if TYPE_CHECKING:
    from types import FrameType

_LIMITS = {
    "block_count": (0, 4095),
    "block_len": (0, 2_097_151),
    "src_stride": (0, 2**32 - 1),
    "dst_stride": (0, 2**32 - 1),
}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DataCopyPad(Copy):
    """Copy rows of bytes.  Strides count bytes in global memory and blocks of 32 bytes in UB."""

    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src: GlobalTensor,
        data_copy_params: DataCopyExtParams | DataCopyParams,
        pad_params: DataCopyPadExtParams | DataCopyPadParams,
    ) -> None: ...

    @overload
    def __call__(
        self, dst: GlobalTensor, src: LocalTensor, data_copy_params: DataCopyExtParams | DataCopyParams
    ) -> None: ...

    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        data_copy_params: DataCopyExtParams | DataCopyParams,
        nd2nz_params: Nd2NzParams,
    ) -> None: ...

    def __call__(  # type: ignore[misc]  # the third form has another fourth parameter
        self, dst: Any, src: Any, data_copy_params: Any, pad_params: Any = None, nd2nz_params: Any = None
    ) -> None:
        """``data_copy_pad(local, global, params, padding)`` or ``data_copy_pad(global, local, params)``."""
        core, frame = current(), kernel_frame()
        check_pair(core, self.name, dst, src)
        if nd2nz_params is not None or isinstance(pad_params, Nd2NzParams):
            refuse_nz(core, self.name, dst)
        wanted = DataCopyParams if isinstance(data_copy_params, DataCopyParams) else DataCopyExtParams
        values = check_fields(core, self.name, data_copy_params, wanted, _LIMITS)
        item = dst.dtype.itemsize
        if values[1] % item:
            core.fail(
                RangeError, f"data_copy_pad: block_len {values[1]} B is no whole number of {dst.dtype} ({item} B)"
            )
        if isinstance(dst, LocalTensor) and isinstance(src, GlobalTensor):
            self._load(core, frame, dst, src, values, pad_params)
        elif isinstance(dst, GlobalTensor) and isinstance(src, LocalTensor):
            if pad_params is not None:
                core.fail(
                    UsageError,
                    "data_copy_pad: only the way into local memory takes padding, and dst is in global memory; leave "
                    "out pad_params",
                )
            self._store(core, frame, dst, src, values)
        else:
            core.fail(
                PositionError,
                "data_copy_pad: one of dst and src must be in global memory and the other in UB, got "
                f"{dst!r} and {src!r}",
            )

    def _store(
        self, core: Core, frame: FrameType, dst: GlobalTensor, src: LocalTensor, values: tuple[int, ...]
    ) -> None:
        count, length, src_gap, dst_gap = values
        if not count or not length:
            return
        key = (self, id(frame.f_code), frame.f_lasti, core.stage, values, kind_of(dst), kind_of(src), core.atomic)
        plan: CopyPlan[Rows] | None = core.plans.get(key)
        if plan is None:
            rows = Rows(count, length, length + dst_gap), Rows(count, length, whole_blocks(length) + src_gap * BLOCK)
            shown = tuple(zip(_LIMITS, values, strict=True))
            plan = core.plans[key] = self.plan(core, frame, dst, src, rows, shown)
        self.ready(core, frame, plan, dst, src)
        move_rows(core, dst, plan.dst, src, plan.src)

    def _load(
        self, core: Core, frame: FrameType, dst: LocalTensor, src: GlobalTensor, values: tuple[int, ...], pad: Any
    ) -> None:
        count, length, src_gap, dst_gap = values
        pad = DataCopyPadExtParams() if pad is None else pad
        left, right, padded = self._padding(core, dst, pad)
        if not count or not length:
            return
        item = dst.dtype.itemsize
        used = left + length + right
        whole = whole_blocks(used)
        key = (
            *(self, id(frame.f_code), frame.f_lasti, core.stage, values, left, right, padded),
            *(kind_of(dst), kind_of(src)),
        )
        plan: CopyPlan[Rows] | None = core.plans.get(key)
        if plan is None:
            rows = Rows(count, whole, whole + dst_gap * BLOCK), Rows(count, length, length + src_gap)
            shown = (*zip(_LIMITS, values, strict=True), ("left", left // item), ("right", right // item))
            plan = core.plans[key] = self.plan(core, frame, dst, src, rows, shown)
        fill, known = self._fill(core, dst, pad) if left or right else (None, 1)
        self.ready(core, frame, plan, dst, src)
        to = Rows(count, length, plan.dst.pitch)
        move_rows(core, dst[left // item :], to, src, plan.src)
        if whole == length:
            return
        kind = dst.dtype.numpy
        cells = plan.dst.view(dst.memory.data, dst.address, kind)
        marks = plan.dst.view(dst.memory.shadow, dst.address, np.dtype(np.uint8))
        if fill is None:
            fill = cells[:, :1].copy()
        for first, last in ((0, left // item), ((left + length) // item, whole // item)):
            cells[:, first:last] = fill
            marks[:, first * item : last * item] = known

    def _padding(self, core: Core, dst: LocalTensor, pad: Any) -> tuple[int, int, bool]:
        """Bytes of padding left and right, and whether its value is given."""
        if not isinstance(pad, DataCopyPadParams):
            need_class(core, self.name, "pad_params", pad, DataCopyPadExtParams)
        kind = getattr(pad, "dtype", None)
        if (
            kind is not None
            and (given := element_type(core, f"{self.name}: dtype of pad_params", kind)) is not dst.dtype
        ):
            core.fail(DtypeError, f"{self.name}: the padding is {given}, dst is {dst.dtype}; they must be the same")
        item = dst.dtype.itemsize
        for side in ("left_padding", "right_padding"):
            n = getattr(pad, side)
            if not is_whole(n) or not 0 <= n <= BLOCK // item:
                core.fail(
                    RangeError,
                    f"data_copy_pad: {side} must be 0 to {BLOCK // item} elements of {dst.dtype} ({BLOCK} B), got {n!r}"
                    + (f" ({n * item} B)" if isinstance(n, int) else ""),
                )
        if pad.is_pad and item == 8 and pad.padding_value:
            core.fail(RangeError, f"data_copy_pad: {dst.dtype} can only be padded with 0, got {pad.padding_value}")
        return int(pad.left_padding) * item, int(pad.right_padding) * item, bool(pad.is_pad)

    def _fill(self, core: Core, dst: LocalTensor, pad: Any) -> tuple[Any, int]:
        """What the lanes around a row hold where there is padding, and 1 if that is known, 0 if it is random."""
        if pad.is_pad:
            return scalar_of(core, self.name, pad.padding_value, dst.dtype, "padding_value"), 1
        if core.pad_value is not None:
            return scalar_of(core, self.name, core.pad_value, dst.dtype, "the value of set_pad_value"), 1
        return np.frombuffer(b"\xff" * dst.dtype.itemsize, dst.dtype.numpy)[0], 0


data_copy_pad = DataCopyPad(
    name="data_copy_pad",
    cpp="DataCopyPad",
    unit="MTE2/MTE3",
    doc="dst = src, in rows of any number of bytes, padded to whole blocks of 32 bytes in UB.",
)

__all__ = ["data_copy_pad"]
