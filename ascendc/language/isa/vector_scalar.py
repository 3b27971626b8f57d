"""Vector instructions with one source and one number."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from ..core import Core, current
from ..dtypes import DataType, float16, float32, int16, int32
from ..memory import LocalTensor
from ..params import UnaryRepeatParams
from ..site import kernel_frame
from .elementwise import Elementwise, strides_of
from .extremes import larger, smaller
from .forms import form
from .multiply_add import multiply_add
from .running import Running, add_products
from .scalar import scalar_of
from .vector import Array, same

_FIELDS = ("dst", "src")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Scalar(Elementwise):
    """``dst[i] = compute(src[i], scalar)``; the number is rounded to the source's type first."""

    @overload
    def __call__(
        self, dst: LocalTensor, src: LocalTensor, scalar: float, count: int, is_set_mask: bool = True
    ) -> None: ...

    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        scalar: float,
        mask: int | list[int],
        repeat_times: int,
        repeat_params: UnaryRepeatParams,
        is_set_mask: bool = True,
    ) -> None: ...

    def __call__(self, dst: Any, src: Any, scalar: Any, *args: Any, **kwargs: Any) -> None:
        """``op(dst, src, scalar, count)`` or ``op(dst, src, scalar, mask, repeat_times, repeat_params)``."""
        frame, core = kernel_frame(), current()
        count, masked = form(core, self.name, args, kwargs)
        number = (self.number(core, scalar, src.dtype),) if hasattr(src, "dtype") else (scalar,)
        if masked is None:
            self.count_form(frame, (dst, src), count, number)
        else:
            strides = strides_of(core, self.name, masked.params, UnaryRepeatParams, _FIELDS)
            self.mask_form(frame, (dst, src), masked.mask, masked.repeat_times, strides, number)

    def number(self, core: Core, scalar: Any, kind: DataType) -> Any:
        """The scalar as the lanes take it."""
        return scalar_of(core, self.name, scalar, kind)

    @property
    def immediates(self) -> int:
        return 1


def scalar(
    *,
    cpp: str,
    dtypes: tuple[DataType, ...] = (int16, float16, int32, float32),
    pairs: tuple[tuple[DataType, DataType], ...] = (),
    cost: str = "simple",
    reads_dst: bool = False,
    running: Running | None = None,
    family: type[Scalar] = Scalar,
) -> Callable[[Callable[..., Array]], Scalar]:
    """Declare an instruction with a source and a number; the function is its arithmetic.

    Args:
        cpp: Ascend C's name.
        dtypes: types that source and destination share.
        pairs: further (destination, source) types.
        cost: cost class.
        reads_dst: whether the arithmetic takes the old destination first.
        running: the arithmetic row after row on a running result, if something is faster.
        family: the class of the declaration.
    """

    def declare(lanes: Callable[..., Array]) -> Scalar:
        return family(
            name=lanes.__name__,
            cpp=cpp,
            unit="V",
            doc=lanes.__doc__ or "",
            compute=lanes,
            dtypes=(*same(*dtypes, operands=2), *pairs),
            cost=cost,
            roles=("dst", "src"),
            reads_dst=reads_dst,
            running=running,
        )

    return declare


@scalar(cpp="Adds")
def adds(src: Array, scalar: Any) -> Array:
    """dst = src + scalar

    >>> adds.compute(f32(1, 2), np.float32(10)).tolist()
    [11.0, 12.0]
    """
    out: Array = np.add(src, scalar)
    return out


@scalar(cpp="Muls")
def muls(src: Array, scalar: Any) -> Array:
    """dst = src · scalar

    >>> muls.compute(f32(1, 2), np.float32(10)).tolist()
    [10.0, 20.0]
    """
    out: Array = np.multiply(src, scalar)
    return out


@scalar(cpp="Maxs")
def maxs(src: Array, scalar: Any) -> Array:
    """dst = the larger of src and scalar, +0 before −0; NaN if either is.

    >>> maxs.compute(f32(1, 20), np.float32(10)).tolist()
    [10.0, 20.0]
    """
    return larger(src, scalar)


@scalar(cpp="Mins")
def mins(src: Array, scalar: Any) -> Array:
    """dst = the smaller of src and scalar, −0 before +0; NaN if either is.

    >>> mins.compute(f32(1, 20), np.float32(10)).tolist()
    [1.0, 10.0]
    """
    return smaller(src, scalar)


@scalar(cpp="LeakyRelu", dtypes=(float16, float32))
def leaky_relu(src: Array, scalar: Any) -> Array:
    """dst = src where it is 0 or more, else src · scalar.

    >>> leaky_relu.compute(f32(-4, 2), np.float32(0.5)).tolist()
    [-2.0, 2.0]
    """
    return np.where(src >= 0, src, src * scalar)


@scalar(
    cpp="Axpy",
    dtypes=(float16, float32),
    pairs=((float32, float16),),
    cost="binary",
    reads_dst=True,
    running=add_products,
)
def axpy(dst: Array, src: Array, scalar: Any) -> Array:
    """dst = dst + src · scalar, computed in float64 and rounded at the end.

    >>> axpy.compute(f32(2, 2), f32(3, 1), np.float32(4)).tolist()
    [14.0, 6.0]
    """
    return multiply_add(src, scalar, dst, dst.dtype)


__all__ = ["adds", "axpy", "leaky_relu", "maxs", "mins", "muls"]
