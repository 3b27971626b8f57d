"""Vector instructions without a source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from ..core import current
from ..dtypes import bfloat16, float16, float32, int16, int32, uint16, uint32
from ..memory import LocalTensor
from ..site import kernel_frame
from .elementwise import Elementwise
from .forms import form
from .scalar import scalar_of
from .vector import Array, same


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Fill(Elementwise):
    """``dst[i] = scalar``."""

    @overload
    def __call__(self, dst: LocalTensor, scalar: float, count: int) -> None: ...

    @overload
    def __call__(
        self,
        dst: LocalTensor,
        scalar: float,
        mask: int | list[int],
        repeat_times: int,
        dst_block_stride: int,
        dst_repeat_stride: int,
        is_set_mask: bool = True,
    ) -> None: ...

    def __call__(self, dst: Any, scalar: Any, *args: Any, **kwargs: Any) -> None:
        """``op(dst, scalar, count)`` or ``op(dst, scalar, mask, repeat_times, block stride, repeat stride)``."""
        frame, core = kernel_frame(), current()
        names = ("repeat_times", "dst_block_stride", "dst_repeat_stride")
        count, masked = form(core, self.name, args, kwargs, names)
        number = (scalar_of(core, self.name, scalar, dst.dtype),) if hasattr(dst, "dtype") else (scalar,)
        if masked is None:
            self.count_form(frame, (dst,), count, number)
        else:
            block, repeat = masked.params
            stride = (1 if block is None else block, 8 if repeat is None else repeat)
            self.mask_form(frame, (dst,), masked.mask, masked.repeat_times, (stride,), number)

    @property
    def immediates(self) -> int:
        return 1


def _duplicate(scalar: Any) -> Array:
    """dst = scalar in every lane.

    >>> duplicate.compute(np.float32(1.5)).tolist()
    1.5
    """
    return np.asarray(scalar)


duplicate = Fill(
    name="duplicate",
    cpp="Duplicate",
    unit="V",
    doc=_duplicate.__doc__ or "",
    compute=_duplicate,
    dtypes=same(int16, uint16, float16, bfloat16, int32, uint32, float32, operands=1),
    cost="simple",
    roles=("dst",),
)

__all__ = ["duplicate"]
