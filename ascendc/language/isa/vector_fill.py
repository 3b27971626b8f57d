"""Vector instructions without a source tensor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from ..core import current
from ..dtypes import bfloat16, float16, float32, int16, int32, uint16, uint32
from ..memory import LocalTensor
from ..site import kernel_frame
from .elementwise import Elementwise
from .forms import form
from .geometry import Layout
from .passes import plain_strides
from .scalar import scalar_like
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
        number = (scalar_like(core, self.name, scalar, dst),)
        if masked is None:
            self.count_form(frame, (dst,), count, number)
        else:
            block, repeat = masked.params
            stride = plain_strides(
                core, self.name, "dst", 1 if block is None else block, 8 if repeat is None else repeat
            )
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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Count(Elementwise):
    """``dst[i] = first_value + i``: lanes are numbered through all repeats, whether they take part or not."""

    @overload
    def __call__(self, dst: LocalTensor, first_value: float, count: int) -> None: ...

    @overload
    def __call__(
        self,
        dst: LocalTensor,
        first_value: float,
        mask: int | list[int],
        repeat_times: int,
        dst_blk_stride: int,
        dst_rep_stride: int,
    ) -> None: ...

    def __call__(self, dst: Any, first_value: Any, *args: Any, **kwargs: Any) -> None:
        """``op(dst, first_value, count)`` or ``op(dst, first_value, mask, repeat_times, strides)``."""
        frame, core = kernel_frame(), current()
        count, masked = form(core, self.name, args, kwargs, ("repeat_times", "dst_blk_stride", "dst_rep_stride"))
        first = scalar_like(core, self.name, first_value, dst, "first_value")
        if masked is None:
            there = len(dst) if isinstance(dst, LocalTensor) else 0  # what is beyond is refused, not numbered
            self.count_form(frame, (dst,), count, (first, np.arange(min(count, there))))
        else:
            stride = plain_strides(core, self.name, "dst", *masked.params)
            self.mask_form(frame, (dst,), masked.mask, masked.repeat_times, (stride,), (first,))

    @property
    def immediates(self) -> int:
        return 1

    def at_once(
        self, layouts: Sequence[Layout], tensors: Sequence[LocalTensor], addresses: Sequence[int], params: Any
    ) -> None:
        layout, dst = layouts[0], tensors[0]
        rows = (layout.row + np.arange(layout.repeats))[:, None]
        index = rows * (dst.core.spec.vector.repeat_bytes // layout.item) + layout.lanes.index
        layout.store(dst.memory, dst.dtype, addresses[0], self.compute(*params, index))


def _create_vec_index(first_value: Any, index: Array) -> Array:
    """dst = first_value, first_value + 1, first_value + 2 …, each rounded once.

    >>> create_vec_index.compute(np.float16(2047), np.arange(4)).tolist()
    [2047.0, 2048.0, 2048.0, 2050.0]
    """
    wide = np.float64 if first_value.dtype.kind == "f" else np.int64
    return (wide(first_value) + index).astype(first_value.dtype)


create_vec_index = Count(
    name="create_vec_index",
    cpp="CreateVecIndex",
    unit="V",
    doc=_create_vec_index.__doc__ or "",
    compute=_create_vec_index,
    dtypes=same(int16, float16, int32, float32, operands=1),
    cost="simple",
    roles=("dst",),
)

__all__ = ["create_vec_index", "duplicate"]
