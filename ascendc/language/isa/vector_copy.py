"""Vector instructions that move elements within UB as they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..block import BLOCK
from ..classes import need_class
from ..core import Core, current
from ..dtypes import bfloat16, float16, float32, int16, int32, uint16, uint32
from ..memory import LocalTensor
from ..params import BrcbRepeatParams, CopyRepeatParams
from ..program import Footprint, Space
from ..site import kernel_frame
from .elementwise import Elementwise
from .forms import form
from .geometry import Layout
from .lanes import Lanes
from .passes import check_repeat, check_strides, plain_repeat, plain_strides, refuse_one_place
from .vector import Array, Plan, VectorOp, kind_of, same

if TYPE_CHECKING:
    from types import FrameType

_KINDS = (int16, uint16, float16, bfloat16, int32, uint32, float32)
_BLOCKS = 8
"""Elements ``brcb`` takes in a repeat, one for each block."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CopyLanes(Elementwise):
    """``dst[i] = src[i]``, bit for bit."""

    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        mask: int | list[int],
        repeat_time: int,
        repeat_params: CopyRepeatParams,
    ) -> None:
        frame, core = kernel_frame(), current()
        _, masked = form(core, self.name, (mask, repeat_time, repeat_params), {}, ("repeat_time", "repeat_params"))
        assert masked is not None
        need_class(core, self.name, "repeat_params", repeat_params, CopyRepeatParams)
        to = plain_strides(core, self.name, "dst", repeat_params.dst_stride, repeat_params.dst_repeat_size)
        back = plain_strides(core, self.name, "src", repeat_params.src_stride, repeat_params.src_repeat_size)
        self.mask_form(frame, (dst, src), masked.mask, masked.repeat_times, (to, back))


def _copy(src: Array) -> Array:
    """dst = src, bit for bit, in the lanes of the mask.

    >>> copy.compute(u16(1, 65535)).tolist()
    [1, 65535]
    """
    return src


copy = CopyLanes(
    name="copy",
    cpp="Copy",
    unit="V",
    doc=_copy.__doc__ or "",
    compute=_copy,
    dtypes=same(*_KINDS, operands=2),
    cost="simple",
    roles=("dst", "src"),
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Broadcast(VectorOp):
    """Each element of the source fills one block of the destination.

    Attributes:
        compute: the blocks of some elements.
    """

    compute: Callable[[Array], Array]
    banked: bool = False

    def __call__(self, dst: LocalTensor, src0: LocalTensor, repeat_times: int, repeat_params: BrcbRepeatParams) -> None:
        frame, core = kernel_frame(), current()
        need_class(core, self.name, "repeat_params", repeat_params, BrcbRepeatParams)
        strides = plain_strides(core, self.name, "dst", repeat_params.dst_blk_stride, repeat_params.dst_rep_stride)
        repeat_times = plain_repeat(core, self.name, repeat_times)
        place = (self, id(frame.f_code), frame.f_lasti, core.stage)
        key = (*place, repeat_times, strides, kind_of(dst), kind_of(src0))
        made: tuple[Plan, Layout] | str | None = core.plans.get(key)
        if made is None:
            made = core.plans[key] = self._plan(core, frame, (dst, src0), repeat_times, strides)
        if isinstance(made, str):
            return
        plan, layout = made

        def run() -> None:
            first = src0.address // layout.item
            lanes = src0.memory.view(src0.dtype)[first : first + _BLOCKS * layout.repeats]
            blocks = self.compute(lanes).reshape(layout.repeats, -1)
            layout.put(dst.memory, dst.dtype, dst.address, blocks)

        self.issue(core, frame, plan, (dst, src0), run)

    def _plan(
        self, core: Core, frame: FrameType, tensors: tuple[Any, Any], repeat_times: Any, strides: tuple[Any, Any]
    ) -> tuple[Plan, Layout] | str:
        self.check(core, frame, tensors)
        repeats = check_repeat(core, self.name, repeat_times)
        blk_stride, rep_stride = check_strides(core, self.name, "dst", *strides)
        if not blk_stride:
            refuse_one_place(core, self.name)
        if not repeats:
            return "nothing to do"
        item = tensors[0].dtype.itemsize
        width = BLOCK // item
        layout = Layout(Lanes.first(_BLOCKS * width), item, repeats, blk_stride, rep_stride, width)
        read = Footprint(1, Space.UB, False, _BLOCKS * repeats * item)
        footprints = (*layout.footprints(0, write=True), read)
        return self.plan(core, frame, tensors, footprints, (("repeat", repeats),)), layout


def _brcb(src0: Array) -> Array:
    """dst block i = src0[i] in every element; eight blocks a repeat.

    >>> brcb.compute(f32(1, 2)).tolist()
    [[1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0]]
    """
    return np.repeat(src0[:, None], BLOCK // src0.itemsize, axis=1)


brcb = Broadcast(
    name="brcb",
    cpp="Brcb",
    unit="V",
    doc=_brcb.__doc__ or "",
    compute=_brcb,
    dtypes=same(*_KINDS, operands=2),
    cost="simple",
    roles=("dst", "src0"),
)

__all__ = ["brcb", "copy"]
