"""``gather_mask``: the elements that a pattern chooses, packed one after another; and how many they were."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..access import need_bytes, refuse, refuse_poison
from ..block import BLOCK
from ..core import Core, current
from ..dtypes import DTYPES, bfloat16, float16, float32, int16, int32, uint16, uint32
from ..enums import GatherMaskMode
from ..errors import RangeError
from ..hardware import HardwareSpec
from ..mask import FULL
from ..memory import LocalTensor
from ..numbers import is_whole
from ..params import GatherMaskParams
from ..program import Footprint, Space, Template
from ..site import kernel_frame
from .copies import check_fields
from .elementwise import leave_mask
from .geometry import Layout
from .lanes import Lanes
from .scalar import ScalarOp, record_register
from .vector import Array, VectorOp, kind_of

if TYPE_CHECKING:
    from types import FrameType

_LIMITS = {
    "src0_block_stride": (0, 255),
    "repeat_times": (0, 255),
    "src0_repeat_stride": (0, 65535),
    "src1_repeat_stride": (0, 255),
}

_BUILT_IN = {1: (0, 2), 2: (1, 2), 3: (0, 4), 4: (1, 4), 5: (2, 4), 6: (3, 4), 7: (0, 1)}
"""First element and step of each built-in pattern."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A call as far as its static arguments go.

    Attributes:
        key: what makes it different from others.
        source: where the source's elements lie.
        pattern: where the pattern's words lie, or the number of a built-in pattern.
        params: what the row shows.
    """

    key: tuple[Any, ...]
    source: Layout
    pattern: Layout | int
    params: tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GatherMask(VectorOp):
    """Elements of a source that bits of a pattern choose.

    Attributes:
        compute: the elements kept, from rows of elements and of booleans.
    """

    compute: Callable[[Array, Array], Array]

    def __call__(
        self,
        dst: LocalTensor,
        src0: LocalTensor,
        src1_pattern: LocalTensor | int,
        reduce_mode: bool,
        mask: int,
        params: GatherMaskParams,
        gather_mask_mode: GatherMaskMode = GatherMaskMode.DEFAULT,
    ) -> int:
        """Give how many elements were kept; the mask register is full and in normal mode afterwards."""
        core, frame = current(), kernel_frame()
        values = check_fields(core, self.name, params, GatherMaskParams, _LIMITS)
        built_in = not isinstance(src1_pattern, LocalTensor)
        tensors: tuple[Any, ...] = (dst, src0) if built_in else (dst, src0, src1_pattern)
        size = self._size(core, mask) if reduce_mode else None
        pattern = self._built_in(core, src1_pattern) if built_in else None
        place = (self, id(frame.f_code), frame.f_lasti, core.stage)
        key: tuple[Any, ...] = (*place, size, values, pattern, *map(kind_of, tensors))
        shape: Shape | None = core.plans.get(key)
        if shape is None:
            shape = core.plans[key] = self._shape(core, frame, key, tensors, pattern, size, values)
        core.gathered = self._run(core, frame, shape, tensors) if shape.source.repeats and shape.source.reach else 0
        if core.mask is not FULL:
            leave_mask(core, frame, self.name)
        core.auto.drain_vector(frame)
        record_register(core, frame, get_gather_mask_remain_count)
        return core.gathered

    def _size(self, core: Core, mask: Any) -> int:
        if not is_whole(mask) or not 0 <= mask < 1 << 32:
            core.fail(RangeError, f"{self.name}: mask must be 0 to 2^32 - 1 elements of a repeat, got {mask!r}")
        return int(mask)

    def _built_in(self, core: Core, pattern: Any) -> int:
        if not is_whole(pattern) or pattern not in _BUILT_IN:
            core.fail(
                RangeError,
                f"{self.name}: src1_pattern must be a LocalTensor or a built-in pattern, 1 to 7, got {pattern!r}",
            )
        return int(pattern)

    def _shape(
        self,
        core: Core,
        frame: FrameType,
        key: tuple[Any, ...],
        tensors: tuple[Any, ...],
        pattern: int | None,
        size: int | None,
        values: tuple[int, ...],
    ) -> Shape:
        self.check(core, frame, tensors)
        item, (blk, repeats, rep, pattern_rep) = tensors[1].dtype.itemsize, values
        elements = core.spec.vector.repeat_bytes // item
        if size is not None:
            elements = size
            if elements * item > tensors[1].memory.spec.bytes:
                refuse(core, self.name, "src0", tensors[1], elements * item)
        shown = (("repeat", repeats), ("elements", elements))
        source = Layout(Lanes.first(elements), item, repeats if elements else 0, blk, rep, BLOCK // item)
        if pattern is not None:
            return Shape(key, source, pattern, (*shown, ("pattern", pattern)))
        words = -(-elements // (8 * item))
        bits = Layout(Lanes.first(words), item, repeats, 1, pattern_rep, BLOCK // item)
        return Shape(key, source, bits, shown)

    def _run(self, core: Core, frame: FrameType, shape: Shape, tensors: tuple[LocalTensor, ...]) -> int:
        """Execute and record; give how many elements were kept."""
        source = tensors[1]
        kept = self._kept(core, shape, tensors)
        count = int(np.count_nonzero(kept))
        plan = core.plans.get((shape.key, count))
        if plan is None:
            footprints = (
                *((Footprint(0, Space.UB, True, count * source.dtype.itemsize),) if count else ()),
                *shape.source.footprints(1, write=False),
                *(shape.pattern.footprints(2, write=False) if isinstance(shape.pattern, Layout) else ()),
            )
            plan = self.plan(
                *(core, frame, tensors, footprints, shape.params), roles=self.roles[: len(tensors)], priced=source.dtype
            )
            core.plans[shape.key, count] = plan

        def run() -> None:
            dst, lanes = tensors[0], shape.source.load(source.memory, source.dtype, source.address)
            first = dst.address // dst.dtype.itemsize
            dst.memory.view(dst.dtype)[first : first + count] = self.compute(lanes, kept)

        self.issue(core, frame, plan, tensors, run)
        return count

    def _kept(self, core: Core, shape: Shape, tensors: tuple[LocalTensor, ...]) -> Array:
        """Which elements of the source are kept: (repeats, elements) of booleans."""
        elements = len(shape.source.lanes.chosen)
        if isinstance(shape.pattern, int):
            first, step = _BUILT_IN[shape.pattern]
            row = np.zeros(elements, np.bool_)
            row[first::step] = True
            return np.broadcast_to(row, (shape.source.repeats, elements))
        bits, tensor = shape.pattern, tensors[2]
        need_bytes(core, self.name, "src1_pattern", tensor, bits.reach)
        hole = bits.first_hole(tensor.memory.shadow, tensor.address)
        if hole >= 0:
            refuse_poison(core, self.name, "src1_pattern", tensor, hole, hole + bits.item)
        words = bits.load(tensor.memory, tensor.dtype, tensor.address)
        return unpack(words)[:, :elements]

    def repeats(self, template: Template, spec: HardwareSpec) -> int:
        params = dict(template.params)
        nbytes: int = params["elements"] * DTYPES[template.dtype].itemsize
        return int(params["repeat"]) * -(-nbytes // spec.vector.repeat_bytes)


def unpack(words: Array) -> Array:
    """The bits of each row of words, lowest first, as booleans."""
    rows = np.ascontiguousarray(words).view(np.uint8)
    return np.unpackbits(rows, axis=-1, bitorder="little").astype(np.bool_)


def _gather_mask(src0: Array, pattern: Array) -> Array:
    """dst = the elements of src0 whose bit in the pattern is 1, packed; gives their number.

    >>> gather_mask.compute(f32(5, 6, 7, 8), np.array([True, False, True, True])).tolist()
    [5.0, 7.0, 8.0]
    """
    kept: Array = src0[pattern]
    return kept


_KINDS = (int16, uint16, float16, bfloat16, int32, uint32, float32)

gather_mask = GatherMask(
    name="gather_mask",
    cpp="GatherMask",
    unit="V",
    doc=_gather_mask.__doc__ or "",
    compute=_gather_mask,
    dtypes=tuple((k, k, uint16 if k.itemsize == 2 else uint32) for k in _KINDS),
    cost="compress",
    roles=("dst", "src0", "src1_pattern"),
    banked=False,
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RemainCount(ScalarOp):
    """Read the register that ``gather_mask`` leaves its count in."""

    def __call__(self) -> int:
        core, frame = current(), kernel_frame()
        core.auto.drain_vector(frame)
        record_register(core, frame, self)
        return core.gathered


get_gather_mask_remain_count = RemainCount(
    name="get_gather_mask_remain_count",
    cpp="GetGatherMaskRemainCount",
    unit="S",
    doc="How many elements the last ``gather_mask`` kept.",
)

__all__ = ["gather_mask", "get_gather_mask_remain_count"]
