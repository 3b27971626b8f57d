"""Vector instructions that reduce a whole tensor to one number: several rounds of those that reduce repeats.

The count form of a sum adds the repeats' sums one after another in a register that only the scalar unit can
read, so it ends with the scalar unit waiting for the vector pipe, storing, and telling the pipes.  The mask
form adds them as a tree, in the temporary buffer.  A maximum or minimum keeps pairs of value and index there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ..block import whole_blocks
from ..core import Core, current
from ..enums import ReduceOrder
from ..errors import RangeError
from ..memory import LocalTensor
from ..site import kernel_frame
from .elementwise import leave_mask
from .forms import form
from .reduction_rows import Rows, counted_rows, paired_rows
from .scalar import read_element, write_element
from .tensor_reduction import TMP, Accepted, TensorReduction, tell
from .vector import Array, Plan, kind_of
from .vector_reduce import NOTHING, largest, reduction, smallest, tree

if TYPE_CHECKING:
    from types import FrameType

Mask = int | list[int]
NAMES = ("repeat_time", "src_rep_stride")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReduceSum(TensorReduction):
    """The sum of a tensor."""

    @overload
    def __call__(self, dst: LocalTensor, src: LocalTensor, shared_tmp_buffer: LocalTensor, count: int) -> None: ...

    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        shared_tmp_buffer: LocalTensor,
        mask: Mask,
        repeat_time: int,
        src_rep_stride: int,
    ) -> None: ...

    def __call__(self, dst: Any, src: Any, shared_tmp_buffer: Any, *args: Any, **kwargs: Any) -> None:
        """``op(dst, src, shared_tmp_buffer, count)`` or ``op(…, mask, repeat_time, src_rep_stride)``."""
        core, frame = current(), kernel_frame()
        call = form(core, self.name, args, kwargs, NAMES)

        def need(rows: Rows) -> int:
            return 0 if call[1] is None else whole_blocks(rows.count * src.dtype.itemsize)

        made = self.accept(core, frame, (dst, src, shared_tmp_buffer), call, need, 1)
        if not made.rows.count:
            return
        if call[1] is None:
            self._accumulate(core, frame, dst, src, made)
        else:
            self._tree(core, frame, dst, src, shared_tmp_buffer, made)

    def _tree(
        self, core: Core, frame: FrameType, dst: LocalTensor, src: LocalTensor, tmp: LocalTensor, made: Accepted
    ) -> None:
        count, width, item = made.rows.count, made.rows.width, src.dtype.itemsize
        origin, role, static, rows = src, "src", made.static, lambda: made.rows
        while count > 1:
            self.round(core, frame, tmp, origin, static, rows, (TMP, role))
            origin, role, static, rows = tmp, TMP, (count,), partial(counted_rows, core, item, count)
            count = -(-count // width)
        self.round(core, frame, dst, origin, static, rows, ("dst", role))

    def _accumulate(self, core: Core, frame: FrameType, dst: LocalTensor, src: LocalTensor, made: Accepted) -> None:
        """Sum into the register, and let the scalar unit store it."""
        leave_mask(core, frame, self.name)
        key = (self, "register", id(frame.f_code), frame.f_lasti, core.stage, made.static, kind_of(src))
        plan: Plan | None = core.plans.get(key)
        if plan is None:
            prints, params = made.rows.footprints(0), made.rows.params
            plan = core.plans[key] = self.plan(core, frame, (src,), prints, params, roles=("src",))
        register: list[Any] = []

        def run() -> None:
            sums = self.compute(made.rows.read(src, self.neutral))[:, 0]
            register.append(np.add.accumulate(sums)[-1])

        self.issue(core, frame, plan, (src,), run)
        core.auto.drain_vector(frame)
        write_element(core, dst, 0, register[0])
        tell(core, frame)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReduceExtreme(TensorReduction):
    """The largest or smallest element of a tensor, and on demand which one it is."""

    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        shared_tmp_buffer: LocalTensor,
        count: int,
        cal_index: bool = False,
    ) -> None: ...

    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        shared_tmp_buffer: LocalTensor,
        mask: Mask,
        repeat_time: int,
        src_rep_stride: int,
        cal_index: bool = False,
    ) -> None: ...

    def __call__(self, dst: Any, src: Any, shared_tmp_buffer: Any, *args: Any, **kwargs: Any) -> None:
        """``op(…, count, cal_index=False)`` or ``op(…, mask, repeat_time, src_rep_stride, cal_index=False)``."""
        core, frame = current(), kernel_frame()
        index = bool(kwargs.pop("cal_index", False))
        if args and isinstance(args[-1], bool):
            *args, index = args  # type: ignore[assignment]
        call = form(core, self.name, tuple(args), kwargs, NAMES)

        def need(rows: Rows) -> int:
            _check_index(core, self.name, rows, index=index)
            return _pairs_bytes(rows.count, src.dtype.itemsize, rows.width, index=index)

        made = self.accept(core, frame, (dst, src, shared_tmp_buffer), call, need, 2 if index else 1)
        if call[1] is None:
            leave_mask(core, frame, self.name)
        pairs, value = made.rows.count, ReduceOrder.ORDER_VALUE_INDEX
        if pairs > 1:
            self.round(core, frame, shared_tmp_buffer, src, made.static, lambda: made.rows, (TMP, "src"), value)
            (self._find if index else self._shrink)(core, frame, dst, shared_tmp_buffer, made.rows)
        else:
            order = value if index else ReduceOrder.ORDER_ONLY_VALUE
            self.round(core, frame, dst, src, made.static, lambda: made.rows, ("dst", "src"), order)

    def _shrink(self, core: Core, frame: FrameType, dst: LocalTensor, tmp: LocalTensor, rows: Rows) -> None:
        """Fold pairs in place until one repeat holds them all, and that to one value."""
        pairs, item, value = rows.count, tmp.dtype.itemsize, ReduceOrder.ORDER_VALUE_INDEX
        while 2 * pairs > rows.width:
            self.round(core, frame, tmp, tmp, (pairs,), partial(paired_rows, core, item, pairs), (TMP, TMP), value)
            pairs = -(-2 * pairs // rows.width)
        self.round(core, frame, dst, tmp, (pairs,), partial(paired_rows, core, item, pairs), ("dst", TMP))

    def _find(self, core: Core, frame: FrameType, dst: LocalTensor, tmp: LocalTensor, rows: Rows) -> None:
        """Fold pairs, each round behind the one before, and follow the indices back with the scalar unit."""
        item, width = tmp.dtype.itemsize, rows.width
        starts, pairs, value = [0], rows.count, ReduceOrder.ORDER_VALUE_INDEX
        while pairs > 1:
            starts.append(starts[-1] + whole_blocks(2 * pairs, item))
            origin, target, found = tmp[starts[-2] :], tmp[starts[-1] :], partial(paired_rows, core, item, pairs)
            self.round(core, frame, target, origin, (pairs,), found, (TMP, TMP), value)
            pairs = -(-2 * pairs // width)
        core.auto.drain_vector(frame)
        bits, row, lane = f"uint{8 * item}", 0, 0
        raw, best = tmp.reinterpret_cast(bits), read_element(core, tmp, starts[-1])
        for start in reversed(starts):
            row = row * (width // 2) + lane // 2
            lane = int(read_element(core, raw, start + 2 * row + 1))
        write_element(core, dst, 0, best)
        write_element(core, dst.reinterpret_cast(bits), 1, rows.element(row, lane))
        tell(core, frame)


def _pairs_bytes(repeats: int, item: int, width: int, *, index: bool) -> int:
    """Bytes for the pairs that ``repeats`` repeats leave; with the index, for those of all rounds."""
    elements = 2 * repeats
    total = whole_blocks(elements, item)
    while index and elements > 2:
        elements = -(-elements // width) * 2
        total += whole_blocks(elements, item)
    return total * item


def _check_index(core: Core, call: str, rows: Rows, *, index: bool) -> None:
    """Check that the index of every lane fits an element.

    Raises:
        RangeError: it does not.
    """
    if not index or not rows.count:
        return
    last, most = rows.element(rows.count - 1, rows.layouts[-1].lanes.last), 1 << 8 * rows.layouts[0].item
    if last >= most:
        core.fail(
            RangeError,
            f"{call}: the index is an element of {rows.layouts[0].item} B, which holds 0 to {most - 1}, and the source "
            f"goes on to element {last}; reduce it in parts, or leave out cal_index",
        )


@reduction(ReduceSum, cpp="ReduceSum", cost="repeat_sum", neutral=NOTHING, roles=("dst", "src", TMP))
def reduce_sum(lanes: Array) -> Array:
    """dst[0] = sum: neighbours first in a repeat; repeats in turn in the count form, as a tree in the other.

    >>> reduce_sum.compute(f32(1, 2, 3, 4)).tolist()
    [10.0]
    """
    return tree(lanes)


@reduction(ReduceExtreme, cpp="ReduceMax", cost="repeat_max", neutral=-np.inf, roles=("dst", "src", TMP))
def reduce_max(lanes: Array) -> Array:
    """dst[0] = largest element; with cal_index, dst[1] = the number of the first such, as raw bits.

    >>> reduce_max.compute(f32(3, 7, 7, 1)).tolist()
    [7.0]
    """
    return largest(lanes)


@reduction(ReduceExtreme, cpp="ReduceMin", cost="repeat_max", neutral=np.inf, roles=("dst", "src", TMP))
def reduce_min(lanes: Array) -> Array:
    """dst[0] = smallest element; with cal_index, dst[1] = the number of the first such, as raw bits.

    >>> reduce_min.compute(f32(3, 7, 7, 1)).tolist()
    [1.0]
    """
    return smallest(lanes)


__all__ = ["reduce_max", "reduce_min", "reduce_sum"]
