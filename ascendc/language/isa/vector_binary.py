"""Vector instructions with two sources."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from ..core import current
from ..dtypes import DataType, float16, float32, int16, int32
from ..memory import LocalTensor
from ..params import BinaryRepeatParams
from ..site import kernel_frame
from .elementwise import Elementwise, strides_of
from .extremes import larger, smaller
from .forms import form
from .running import Running, accumulated, differences, extreme
from .vector import Array, same

_FIELDS = ("dst", "src0", "src1")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Binary(Elementwise):
    """``dst[i] = compute(src0[i], src1[i])``."""

    @overload
    def __call__(
        self, dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, count: int, is_set_mask: bool = True
    ) -> None: ...

    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src0: LocalTensor,
        src1: LocalTensor,
        mask: int | list[int],
        repeat_times: int,
        repeat_params: BinaryRepeatParams,
        is_set_mask: bool = True,
    ) -> None: ...

    def __call__(self, dst: Any, src0: Any, src1: Any, *args: Any, **kwargs: Any) -> None:
        """``op(dst, src0, src1, count)`` or ``op(dst, src0, src1, mask, repeat_times, repeat_params)``."""
        frame = kernel_frame()
        if len(args) == 1 and not kwargs and type(args[0]) is int:
            self.count_form(frame, (dst, src0, src1), args[0])
            return
        core = current()
        count, masked = form(core, self.name, args, kwargs)
        if masked is None:
            self.count_form(frame, (dst, src0, src1), count)
        else:
            strides = strides_of(core, self.name, masked.params, BinaryRepeatParams, _FIELDS)
            self.mask_form(frame, (dst, src0, src1), masked.mask, masked.repeat_times, strides)


def binary(
    *,
    cpp: str,
    dtypes: tuple[DataType, ...] = (),
    pairs: tuple[tuple[DataType, DataType], ...] = (),
    cost: str = "binary",
    reads_dst: bool = False,
    accumulates: bool = False,
    running: Running | None = None,
    family: type[Binary] = Binary,
) -> Callable[[Callable[..., Array]], Binary]:
    """Declare an instruction with two sources; the function is its arithmetic.

    Args:
        cpp: Ascend C's name.
        dtypes: types that sources and destination share.
        pairs: further (destination, sources) types.
        cost: cost class.
        reads_dst: whether the arithmetic takes the old destination first.
        accumulates: whether the second source may be the destination of the repeat before.
        running: the arithmetic row after row on a running result, if something is faster.
        family: the class of the declaration.
    """

    def declare(lanes: Callable[..., Array]) -> Binary:
        return family(
            name=lanes.__name__,
            cpp=cpp,
            unit="V",
            doc=lanes.__doc__ or "",
            compute=lanes,
            dtypes=(*same(*dtypes, operands=3), *((dst, src, src) for dst, src in pairs)),
            cost=cost,
            roles=("dst", "src0", "src1"),
            reads_dst=reads_dst,
            accumulates=accumulates,
            running=running,
        )

    return declare


@binary(cpp="Add", dtypes=(int16, float16, int32, float32), accumulates=True, running=accumulated(np.add))
def add(src0: Array, src1: Array) -> Array:
    """dst = src0 + src1; integers wrap.

    >>> add.compute(f32(1, 2), f32(10, 20)).tolist()
    [11.0, 22.0]
    """
    return src0 + src1


@binary(cpp="Sub", dtypes=(int16, float16, int32, float32), accumulates=True, running=differences)
def sub(src0: Array, src1: Array) -> Array:
    """dst = src0 − src1; integers wrap.

    >>> sub.compute(f32(1, 2), f32(10, 20)).tolist()
    [-9.0, -18.0]
    """
    return src0 - src1


@binary(cpp="Mul", dtypes=(int16, float16, int32, float32), accumulates=True, running=accumulated(np.multiply))
def mul(src0: Array, src1: Array) -> Array:
    """dst = src0 · src1; integers wrap.

    >>> mul.compute(f32(2, 3), f32(10, 20)).tolist()
    [20.0, 60.0]
    """
    return src0 * src1


@binary(cpp="Div", dtypes=(float16, float32), cost="divide")
def div(src0: Array, src1: Array) -> Array:
    """dst = src0 / src1, correctly rounded.

    >>> div.compute(f32(1, 9), f32(2, 3)).tolist()
    [0.5, 3.0]
    """
    return src0 / src1


@binary(cpp="Max", dtypes=(int16, float16, int32, float32), accumulates=True, running=extreme(np.maximum, larger))
def max(src0: Array, src1: Array) -> Array:
    """dst = the larger of src0 and src1, +0 before −0; NaN if either is.

    >>> max.compute(f32(1, -2), f32(0, -1)).tolist()
    [1.0, -1.0]
    """
    return larger(src0, src1)


@binary(cpp="Min", dtypes=(int16, float16, int32, float32), accumulates=True, running=extreme(np.minimum, smaller))
def min(src0: Array, src1: Array) -> Array:
    """dst = the smaller of src0 and src1, −0 before +0; NaN if either is.

    >>> min.compute(f32(1, -2), f32(0, -1)).tolist()
    [0.0, -2.0]
    """
    return smaller(src0, src1)


__all__ = ["add", "div", "max", "min", "mul", "sub"]
