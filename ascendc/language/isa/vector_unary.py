"""Vector instructions with one source.

Exponentials, logarithms and roots are computed in float64 and rounded once, so that they are the same on
every machine; the chip's own ``rsqrt`` and ``reciprocal`` are approximations, ours are rounded correctly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from ..core import current
from ..dtypes import DataType, float16, float32, int32
from ..memory import LocalTensor
from ..params import UnaryRepeatParams
from ..site import kernel_frame
from .elementwise import Elementwise, strides_of
from .extremes import larger
from .forms import form
from .vector import Array, same

_FIELDS = ("dst", "src")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Unary(Elementwise):
    """``dst[i] = compute(src[i])``."""

    @overload
    def __call__(self, dst: LocalTensor, src: LocalTensor, count: int) -> None: ...

    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        mask: int | list[int],
        repeat_times: int,
        repeat_params: UnaryRepeatParams,
        is_set_mask: bool = True,
    ) -> None: ...

    def __call__(self, dst: Any, src: Any, *args: Any, **kwargs: Any) -> None:
        """``op(dst, src, count)`` or ``op(dst, src, mask, repeat_times, repeat_params)``."""
        frame = kernel_frame()
        if len(args) == 1 and not kwargs and type(args[0]) is int:
            self.count_form(frame, (dst, src), args[0])
            return
        core = current()
        count, masked = form(core, self.name, args, kwargs)
        if masked is None:
            self.count_form(frame, (dst, src), count)
        else:
            strides = strides_of(core, self.name, masked.params, UnaryRepeatParams, _FIELDS)
            self.mask_form(frame, (dst, src), masked.mask, masked.repeat_times, strides)


def unary(
    *, cpp: str, dtypes: tuple[DataType, ...], cost: str = "simple"
) -> Callable[[Callable[[Array], Array]], Unary]:
    """Declare an instruction with one source of the destination's type; the function is its arithmetic."""

    def declare(lanes: Callable[[Array], Array]) -> Unary:
        return Unary(
            name=lanes.__name__,
            cpp=cpp,
            unit="V",
            doc=lanes.__doc__ or "",
            compute=lanes,
            dtypes=same(*dtypes, operands=2),
            cost=cost,
            roles=("dst", "src"),
        )

    return declare


def _wide(function: Callable[[Array], Array], lanes: Array) -> Array:
    """``function`` in float64, rounded once to the type of ``lanes``."""
    return function(lanes.astype(np.float64)).astype(lanes.dtype)


@unary(cpp="Abs", dtypes=(float16, float32))
def abs(src: Array) -> Array:
    """dst = |src|

    >>> abs.compute(f32(-1.5, 2)).tolist()
    [1.5, 2.0]
    """
    return np.abs(src)


@unary(cpp="Exp", dtypes=(float16, float32), cost="transcendental")
def exp(src: Array) -> Array:
    """dst = e to the power of src.

    >>> exp.compute(f16(11, 12, 0)).tolist()
    [59872.0, inf, 1.0]
    """
    return _wide(np.exp, src)


@unary(cpp="Ln", dtypes=(float16, float32), cost="transcendental")
def ln(src: Array) -> Array:
    """dst = natural logarithm of src; −inf of 0, NaN of negatives.

    >>> ln.compute(f32(1, 0)).tolist()
    [0.0, -inf]
    """
    return _wide(np.log, src)


@unary(cpp="Sqrt", dtypes=(float16, float32), cost="sqrt")
def sqrt(src: Array) -> Array:
    """dst = square root of src, correctly rounded.

    >>> sqrt.compute(f32(9, 2.25)).tolist()
    [3.0, 1.5]
    """
    return np.sqrt(src)


@unary(cpp="Rsqrt", dtypes=(float16, float32))
def rsqrt(src: Array) -> Array:
    """dst = 1 / square root of src; the chip approximates, this rounds correctly.

    >>> rsqrt.compute(f32(4, 0.25)).tolist()
    [0.5, 2.0]
    """
    return _wide(lambda x: 1 / np.sqrt(x), src)


@unary(cpp="Reciprocal", dtypes=(float16, float32))
def reciprocal(src: Array) -> Array:
    """dst = 1 / src; the chip approximates, this rounds correctly.

    >>> reciprocal.compute(f32(4, 0)).tolist()
    [0.25, inf]
    """
    out: Array = np.divide(src.dtype.type(1), src)
    return out


@unary(cpp="Relu", dtypes=(float16, int32, float32))
def relu(src: Array) -> Array:
    """dst = src where positive, else +0; NaN stays NaN.

    >>> relu.compute(f32(-1, 2)).tolist()
    [0.0, 2.0]
    """
    return larger(src, src.dtype.type(0))


__all__ = ["abs", "exp", "ln", "reciprocal", "relu", "rsqrt", "sqrt"]
