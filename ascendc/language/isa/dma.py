"""Data movement between global and local memory.

``copies.py`` says which pipe a copy runs in, and what all copies check.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from ..core import Core, current
from ..errors import RangeError, UsageError
from ..memory import GlobalTensor, LocalTensor
from ..numbers import is_number, is_whole
from ..params import DataCopyParams
from ..site import kernel_frame
from .copies import BLOCK, Copy, CopyPlan, Rows, Tensor, check_fields, check_pair, kind_of, move_rows

if TYPE_CHECKING:
    from types import FrameType

_BLOCK_LIMITS = {
    "block_count": (0, 4095),
    "block_len": (0, 65535),
    "src_stride": (0, 65535),
    "dst_stride": (0, 65535),
}


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
        if "count" in given and (type(how) is int or is_number(how)):
            self._count(core, frame, dst, src, how)
        else:
            self._blocks(core, frame, dst, src, how)

    def _count(self, core: Core, frame: FrameType, dst: Any, src: Any, count: Any) -> None:
        key = (self, id(frame.f_code), frame.f_lasti, core.stage, count, kind_of(dst), kind_of(src))
        plan: CopyPlan | None = core.plans.get(key)
        if plan is None:
            check_pair(core, self.name, dst, src)
            if not is_whole(count) or count < 0:
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
        self.ready(core, frame, plan, dst, src)
        move_rows(dst, plan.dst, src, plan.src)


def _elements(tensor: Tensor, count: int) -> Any:
    if isinstance(tensor, GlobalTensor):
        return tensor.elements(0, count)
    first = tensor.address // tensor.dtype.itemsize
    return tensor.memory.view(tensor.dtype)[first : first + count]


data_copy = DataCopy(
    name="data_copy",
    cpp="DataCopy",
    unit="MTE2/MTE3/V",
    doc="dst = src, in whole blocks of 32 bytes: a count (rounded down), or rows with gaps.",
)

__all__ = ["data_copy"]
