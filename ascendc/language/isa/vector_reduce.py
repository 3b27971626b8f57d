"""Vector instructions that reduce each repeat, each block or each pair of lanes.

A sum is a tree: neighbours first, then neighbours of the sums, rounded at every step; a lane that takes no
part leaves its neighbour as it is.  A maximum or minimum is NaN if a lane is, and of equal lanes the first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ..classes import need_class
from ..core import current
from ..dtypes import float16, float32
from ..enums import ReduceOrder
from ..memory import LocalTensor
from ..site import kernel_frame
from .forms import form
from .reduction import Reduction, Span
from .reduction_rows import Rows, masked_rows, plain_stride
from .vector import Array, same

if TYPE_CHECKING:
    from types import FrameType

Mask = int | list[int]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MaskedReduction(Reduction):
    """A reduction of the chosen lanes of each repeat."""

    def fold_masked(
        self,
        frame: FrameType,
        dst: LocalTensor,
        src: LocalTensor,
        mask: Any,
        repeat_time: Any,
        strides: tuple[Any, Any, Any],
        *,
        is_set_mask: bool = True,
        order: ReduceOrder = ReduceOrder.ORDER_ONLY_VALUE,
    ) -> None:
        """Fold each repeat; ``strides`` are the destination's, then the source's of blocks and of repeats."""
        core = current()
        flags = {} if is_set_mask else {"is_set_mask": False}
        _, call = form(core, self.name, (mask, repeat_time, None), flags, ("repeat_time", "strides"))
        assert call is not None
        names = ("dst_rep_stride", "src_blk_stride", "src_rep_stride")
        stride, *apart = [plain_stride(core, self.name, n, s) for n, s in zip(names, strides, strict=True)]
        static = (call.mask, call.repeat_times, *apart)

        def rows() -> Rows:
            self.check(core, frame, (dst, src))
            return masked_rows(core, frame, self.name, src.dtype.itemsize, *static)

        self.fold(core, frame, dst, src, static, rows, stride=stride, order=order)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RepeatSum(MaskedReduction):
    """One number a repeat."""

    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        mask: Mask,
        repeat_time: int,
        dst_rep_stride: int,
        src_blk_stride: int,
        src_rep_stride: int,
        is_set_mask: bool = True,
    ) -> None:
        strides = (dst_rep_stride, src_blk_stride, src_rep_stride)
        self.fold_masked(kernel_frame(), dst, src, mask, repeat_time, strides, is_set_mask=is_set_mask)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RepeatExtreme(MaskedReduction):
    """The largest or smallest lane of a repeat, its number in the repeat, or both."""

    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        mask: Mask,
        repeat_time: int,
        dst_rep_stride: int,
        src_blk_stride: int,
        src_rep_stride: int,
        order: ReduceOrder = ReduceOrder.ORDER_VALUE_INDEX,
        is_set_mask: bool = True,
    ) -> None:
        need_class(current(), self.name, "order", order, ReduceOrder)
        strides = (dst_rep_stride, src_blk_stride, src_rep_stride)
        self.fold_masked(kernel_frame(), dst, src, mask, repeat_time, strides, is_set_mask=is_set_mask, order=order)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BlockFold(MaskedReduction):
    """One number for each block of 32 bytes; a block without a lane leaves none."""

    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        repeat: int,
        mask: Mask,
        dst_rep_stride: int,
        src_blk_stride: int,
        src_rep_stride: int,
    ) -> None:
        strides = (dst_rep_stride, src_blk_stride, src_rep_stride)
        self.fold_masked(kernel_frame(), dst, src, mask, repeat, strides)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PairSum(MaskedReduction):
    """One number for each pair of neighbours; a pair without a lane leaves none."""

    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        repeat_time: int,
        mask: Mask,
        dst_rep_stride: int,
        src_blk_stride: int,
        src_rep_stride: int,
        is_set_mask: bool = True,
    ) -> None:
        strides = (dst_rep_stride, src_blk_stride, src_rep_stride)
        self.fold_masked(kernel_frame(), dst, src, mask, repeat_time, strides, is_set_mask=is_set_mask)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OldRepeatSum(MaskedReduction):
    """As :class:`RepeatSum`, with another order of arguments; ``dst_blk_stride`` says nothing."""

    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        repeat_time: int,
        mask: Mask,
        dst_blk_stride: int,
        src_blk_stride: int,
        dst_rep_stride: int,
        src_rep_stride: int,
        is_set_mask: bool = True,
    ) -> None:
        strides = (dst_rep_stride, src_blk_stride, src_rep_stride)
        self.fold_masked(kernel_frame(), dst, src, mask, repeat_time, strides, is_set_mask=is_set_mask)


Family = TypeVar("Family", bound=Reduction)
NOTHING = -0.0
"""What changes no sum, not even that of negative zeros."""


def reduction(
    family: type[Family],
    *,
    cpp: str,
    cost: str,
    neutral: float,
    span: Span = Span.REPEAT,
    roles: tuple[str, ...] = ("dst", "src"),
) -> Callable[[Callable[[Array], Array]], Family]:
    """Declare a reduction; the function folds the last axis of its lanes into one."""

    def declare(lanes: Callable[[Array], Array]) -> Family:
        return family(
            name=lanes.__name__,
            cpp=cpp,
            unit="V",
            doc=lanes.__doc__ or "",
            compute=lanes,
            neutral=neutral,
            span=span,
            dtypes=same(float16, float32, operands=len(roles)),
            cost=cost,
            roles=roles,
        )

    return declare


def tree(lanes: Array) -> Array:
    """The sum over the last axis, a power of two long: neighbours first."""
    while lanes.shape[-1] > 1:
        lanes = lanes[..., 0::2] + lanes[..., 1::2]
    return lanes


def largest(lanes: Array) -> Array:
    """The largest of the last axis; of equal ones the first."""
    return _first(lanes, np.maximum.reduce(lanes, axis=-1, keepdims=True))


def smallest(lanes: Array) -> Array:
    """The smallest of the last axis; of equal ones the first."""
    return _first(lanes, np.minimum.reduce(lanes, axis=-1, keepdims=True))


def _first(lanes: Array, extremes: Array) -> Array:
    """``extremes``, where a zero has the sign of the first zero among its lanes: NumPy's may be any of them."""
    if not (extremes == 0).any():
        return extremes
    at = np.argmax(lanes == 0, axis=-1, keepdims=True)
    return np.where(extremes == 0, np.take_along_axis(lanes, at, -1), extremes)


@reduction(RepeatSum, cpp="WholeReduceSum", cost="repeat_sum", neutral=NOTHING)
def whole_reduce_sum(lanes: Array) -> Array:
    """dst = sum of each repeat, neighbours first.

    >>> whole_reduce_sum.compute(f32(1e8, 1, -1e8, 1)).tolist()
    [0.0]
    """
    return tree(lanes)


@reduction(RepeatExtreme, cpp="WholeReduceMax", cost="repeat_max", neutral=-np.inf)
def whole_reduce_max(lanes: Array) -> Array:
    """dst = largest lane of each repeat, and its number in the repeat as raw bits.

    >>> whole_reduce_max.compute(f32(3, 7, 7, 1)).tolist()
    [7.0]
    """
    return largest(lanes)


@reduction(RepeatExtreme, cpp="WholeReduceMin", cost="repeat_max", neutral=np.inf)
def whole_reduce_min(lanes: Array) -> Array:
    """dst = smallest lane of each repeat, and its number in the repeat as raw bits.

    >>> whole_reduce_min.compute(f32(3, 7, 7, 1)).tolist()
    [1.0]
    """
    return smallest(lanes)


@reduction(BlockFold, cpp="BlockReduceSum", cost="block_reduce", neutral=NOTHING, span=Span.BLOCK)
def block_reduce_sum(lanes: Array) -> Array:
    """dst = sum of each block of 32 bytes, neighbours first.

    >>> block_reduce_sum.compute(f32(1, 2, 3, 4, 5, 6, 7, 8)).tolist()
    [36.0]
    """
    return tree(lanes)


@reduction(BlockFold, cpp="BlockReduceMax", cost="block_reduce", neutral=-np.inf, span=Span.BLOCK)
def block_reduce_max(lanes: Array) -> Array:
    """dst = largest lane of each block of 32 bytes.

    >>> block_reduce_max.compute(f32(1, 2, 3, 4, 5, 6, 7, 8)).tolist()
    [8.0]
    """
    return largest(lanes)


@reduction(BlockFold, cpp="BlockReduceMin", cost="block_reduce", neutral=np.inf, span=Span.BLOCK)
def block_reduce_min(lanes: Array) -> Array:
    """dst = smallest lane of each block of 32 bytes.

    >>> block_reduce_min.compute(f32(1, 2, 3, 4, 5, 6, 7, 8)).tolist()
    [1.0]
    """
    return smallest(lanes)


@reduction(PairSum, cpp="PairReduceSum", cost="simple", neutral=NOTHING, span=Span.PAIR)
def pair_reduce_sum(lanes: Array) -> Array:
    """dst = sum of each two neighbours.

    >>> pair_reduce_sum.compute(f32(1, -3)).tolist()
    [-2.0]
    """
    return tree(lanes)


@reduction(OldRepeatSum, cpp="RepeatReduceSum", cost="repeat_sum", neutral=NOTHING)
def repeat_reduce_sum(lanes: Array) -> Array:
    """dst = sum of each repeat, neighbours first; the older order of arguments.

    >>> repeat_reduce_sum.compute(f32(1, 2, 3, 4)).tolist()
    [10.0]
    """
    return tree(lanes)


__all__ = [
    "block_reduce_max",
    "block_reduce_min",
    "block_reduce_sum",
    "pair_reduce_sum",
    "repeat_reduce_sum",
    "whole_reduce_max",
    "whole_reduce_min",
    "whole_reduce_sum",
]
