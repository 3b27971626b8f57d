"""Vector instructions that fold the lanes of each repeat: all of them, each block, or each pair.

A member says how a group of lanes becomes one; where the lanes come from is ``reduction_rows.py``.
Destinations are packed: their stride counts the results of one repeat, and they are aligned to no more than
these.  Repeats run one after another, so a destination may start where its source does and stay behind it.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..block import BLOCK
from ..core import Core
from ..enums import ReduceOrder
from ..errors import OverlapError
from ..program import Footprint, Space
from .geometry import spaced
from .lanes import Lanes
from .reduction_rows import Rows, check_stride
from .vector import Array, Plan, VectorOp, kind_of

if TYPE_CHECKING:
    from types import FrameType

    from ..memory import LocalTensor

INDEXED = (ReduceOrder.ORDER_VALUE_INDEX, ReduceOrder.ORDER_INDEX_VALUE)
"""Orders that leave two elements a repeat."""


class Span(enum.Enum):
    """How many lanes become one."""

    REPEAT = enum.auto()
    BLOCK = enum.auto()
    PAIR = enum.auto()

    def lanes(self, item: int, width: int) -> int:
        """Lanes of a group, for elements of ``item`` bytes of which a repeat has ``width``."""
        return {Span.REPEAT: width, Span.BLOCK: BLOCK // item, Span.PAIR: 2}[self]


@dataclass(frozen=True, slots=True)
class Results:
    """Where the results of repeats with the same lanes lie.

    Attributes:
        first: number of the first of the repeats.
        rows: how many.
        item: bytes of one result.
        each: results of a repeat, the unit of the destination's stride.
        lanes: those there are: a group without a lane leaves none.
        pitch: bytes between the results of two repeats.
    """

    first: int
    rows: int
    item: int
    each: int
    lanes: Lanes
    pitch: int

    @property
    def align(self) -> int:
        """What their address must be a multiple of."""
        return min(self.each * self.item, BLOCK)

    def footprints(self) -> tuple[Footprint, ...]:
        """Exactly the bytes that are written."""
        whole, start = len(self.lanes.chosen) * self.item, self.first * self.pitch
        if self.lanes.prefix and self.pitch == whole:
            return (Footprint(0, Space.UB, True, self.rows * whole, start),)
        levels = ((self.rows, self.pitch),) if self.rows > 1 and self.pitch else ()
        runs = spaced((start + at * self.item, n * self.item) for at, n in self.lanes.runs(self.each))
        return tuple(
            Footprint(0, Space.UB, True, nbytes, first, (*levels, (count, step)) if count > 1 else levels)
            for first, nbytes, count, step in runs
        )

    def store(self, tensor: LocalTensor, values: Array) -> None:
        """Write their part of ``values``, (repeats, groups); what later repeats overwrite is lost."""
        mine = values[self.first : self.first + self.rows]
        if not self.pitch:
            mine = mine[-1:]
        shape, strides = (len(mine), self.lanes.last + 1), (self.pitch, self.item)
        start = tensor.address + self.first * self.pitch
        cells = np.ndarray(shape, values.dtype, tensor.memory.data, start, strides)
        if self.lanes.prefix:
            cells[...] = mine[:, : self.lanes.last + 1]
        else:
            cells[:, self.lanes.index] = mine[:, self.lanes.index]


@dataclass(frozen=True, slots=True)
class Reduced:
    """A call whose static arguments have been checked: what is recorded, what is read, what is written."""

    plan: Plan
    rows: Rows
    results: tuple[Results, ...]
    order: ReduceOrder


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Reduction(VectorOp):
    """``dst[i] = compute(lanes of group i)``.

    Attributes:
        compute: folds the last axis of an array of lanes into one.
        neutral: what a lane that takes no part counts as.
        span: which lanes belong together.
    """

    compute: Callable[[Array], Array]
    neutral: float
    span: Span = Span.REPEAT
    banked: bool = False

    def fold(
        self,
        core: Core,
        frame: FrameType,
        dst: LocalTensor,
        src: LocalTensor,
        static: tuple[Any, ...],
        rows: Callable[[], Rows],
        *,
        stride: Any = 1,
        order: ReduceOrder = ReduceOrder.ORDER_ONLY_VALUE,
        roles: tuple[str, ...] = ("dst", "src"),
    ) -> None:
        """Fold ``src`` into ``dst``.

        Args:
            core: the running block.
            frame: the kernel frame.
            dst: the destination.
            src: the source.
            static: what ``rows`` depends on.
            rows: checks the call and says what it reads; called once for each kind of call.
            stride: between the results of two repeats, in results of one repeat.
            order: what each repeat leaves.
            roles: what the two are called in messages.
        """
        place = (self, id(frame.f_code), frame.f_lasti, core.stage)
        key = (*place, static, stride, order, roles, kind_of(dst), kind_of(src))
        made: Reduced | str | None = core.plans.get(key)
        if made is None:
            made = core.plans[key] = self._plan(core, frame, (dst, src), rows(), stride, order, roles)
        if isinstance(made, str):
            return
        found = made
        distance = (dst.address - src.address,)
        if distance not in found.plan.apart:
            _check_turns(core, self, found, dst, src)
            found.plan.apart.add(distance)

        def run() -> None:
            values = self._values(found, src)
            for results in found.results:
                results.store(dst, values)

        self.issue(core, frame, found.plan, (dst, src), run)

    def _values(self, made: Reduced, src: LocalTensor) -> Array:
        """What each repeat leaves, (repeats, groups)."""
        lanes = made.rows.read(src, self.neutral)
        item, width = src.dtype.itemsize, made.rows.width
        values: Array = self.compute(lanes.reshape(len(lanes), -1, self.span.lanes(item, width)))[..., 0]
        if made.order is ReduceOrder.ORDER_ONLY_VALUE:
            return values
        same = lanes == values
        if np.isnan(values).any():
            same |= np.isnan(lanes) & np.isnan(values)
        if not made.rows.is_full:
            same &= made.rows.present
        index: Array = np.argmax(same, axis=1)[:, None]
        if made.order is ReduceOrder.ORDER_ONLY_INDEX:
            return index.astype(np.uint32)
        bits = np.dtype(f"u{item}")
        both = (np.take_along_axis(lanes, index, 1).view(bits), index.astype(bits))
        return np.hstack(both if made.order is ReduceOrder.ORDER_VALUE_INDEX else both[::-1])

    def _plan(
        self,
        core: Core,
        frame: FrameType,
        tensors: tuple[LocalTensor, LocalTensor],
        rows: Rows,
        stride: Any,
        order: ReduceOrder,
        roles: tuple[str, ...],
    ) -> Reduced | str:
        check_stride(core, self.name, "dst_rep_stride", stride)
        if not rows.count:
            return "nothing to do"
        item = tensors[1].dtype.itemsize
        size = 4 if order is ReduceOrder.ORDER_ONLY_INDEX else item
        each = 2 if order in INDEXED else rows.width // self.span.lanes(item, rows.width)
        results, first = [], 0
        for layout in rows.layouts:
            lanes = Lanes.first(each) if self.span is Span.REPEAT else self._left(rows.present[first], item)
            results.append(Results(first, layout.repeats, size, each, lanes, int(stride) * each * size))
            first += layout.repeats
        shown = () if order is ReduceOrder.ORDER_ONLY_VALUE else (("order", order.name),)
        plan = self.plan(
            core,
            frame,
            tensors,
            (*(f for part in results for f in part.footprints()), *rows.footprints(1)),
            (*rows.params, *shown),
            aligns=(results[0].align, BLOCK),
            meeting=(1,),
            priced=tensors[1].dtype,
            roles=roles,
        )
        return Reduced(plan, rows, tuple(results), order)

    def _left(self, present: Array, item: int) -> Lanes:
        """Which groups of a repeat have a lane at all."""
        groups: Array = np.any(present.reshape(-1, self.span.lanes(item, len(present))), axis=1)
        return Lanes.of(np.flatnonzero(groups).tolist(), len(groups))


def _check_turns(core: Core, op: Reduction, made: Reduced, dst: LocalTensor, src: LocalTensor) -> None:
    """Check that no repeat overwrites what a later one reads, or part of what it reads itself.

    Raises:
        OverlapError: one does.
    """
    distance = dst.address - src.address
    if distance >= made.plan.nbytes[1] or -distance >= made.plan.nbytes[0]:
        return
    rows, reader = made.rows, made.rows.last_reader
    for results in made.results:
        offsets = (results.lanes.index[:, None] * results.item + np.arange(results.item)).ravel()
        for row in range(results.first, results.first + results.rows):
            start = distance + row * results.pitch
            at = start + offsets
            readers = reader[at[(at >= 0) & (at < len(reader))]]
            here = start == rows.element(row, 0) * src.dtype.itemsize
            if (readers > row).any() or ((readers == row).any() and not here):
                names = made.plan.template.operands
                core.fail(
                    OverlapError,
                    f"{op.name}: repeat {row} writes UB bytes [{src.address + at.min()}, {src.address + at.max() + 1}) "
                    f"of {names[0]} (from {dst.address}), which repeat {readers.max()} reads of {names[1]} (from "
                    f"{src.address}); start both at the same byte, or use separate buffers",
                )


__all__ = ["INDEXED", "Reduced", "Reduction", "Results", "Span"]
