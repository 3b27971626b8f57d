"""``gatherb``: whole blocks of 32 bytes, in the order of their byte offsets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..block import BLOCK
from ..core import Core, current
from ..dtypes import uint16, uint32
from ..memory import LocalTensor
from ..params import GatherRepeatParams
from ..site import kernel_frame
from .elementwise import strides_of
from .geometry import Layout
from .lanes import Lanes
from .offsets import Offsets, Shape, need_written, read_offsets, span, window_of
from .passes import check_repeat, check_strides, plain_repeat, refuse_one_place
from .vector import Array, Plan, VectorOp, kind_of

if TYPE_CHECKING:
    from types import FrameType


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GatherBlocks(VectorOp):
    """Blocks of 32 bytes of the source, eight a repeat, in the order of their byte offsets.

    Attributes:
        compute: the blocks at offsets, out of rows of blocks.
    """

    compute: Callable[[Array, Array], Array]

    def __call__(
        self, dst: LocalTensor, src0: LocalTensor, offset: LocalTensor, repeat_times: int, repeat_params: Any
    ) -> None:
        core, frame = current(), kernel_frame()
        ((blk, rep),) = strides_of(core, self.name, repeat_params, GatherRepeatParams, ("dst",))
        tensors, repeat_times = (dst, src0, offset), plain_repeat(core, self.name, repeat_times)
        key = (self, id(frame.f_code), frame.f_lasti, core.stage, repeat_times, blk, rep, *map(kind_of, tensors))
        shape: Shape | str | None = core.plans.get(key)
        if shape is None:
            shape = core.plans[key] = self._shape(core, frame, tensors, repeat_times, (blk, rep))
        if isinstance(shape, str):
            return
        offsets = read_offsets(core, self, offset, shape.offsets)
        window, within = window_of(core, self, src0, "src0", offsets, grain=BLOCK, nbytes=BLOCK)
        need_written(core, self, src0, "src0", window, within, BLOCK)
        operands = (dst, window, offset)
        plan: Plan | None = core.plans.get((key, window.nbytes))
        if plan is None:
            footprints = (
                *shape.data.footprints(0, write=True),
                span(1, window, write=False),
                *shape.offsets.footprints(2, write=False),
            )
            plan = self.plan(core, frame, operands, footprints, shape.params, loose=(1,), priced=dst.dtype)
            core.plans[key, window.nbytes] = plan
        self.issue(core, frame, plan, operands, lambda: self._execute(dst, window, shape, within))

    def _shape(
        self,
        core: Core,
        frame: FrameType,
        tensors: tuple[LocalTensor, ...],
        repeat_times: Any,
        stride: tuple[Any, Any],
    ) -> Shape | str:
        self.check(core, frame, tensors)
        repeats, item = check_repeat(core, self.name, repeat_times), tensors[0].dtype.itemsize
        blk, rep = check_strides(core, self.name, "dst", *stride)
        if not blk:
            refuse_one_place(core, self.name)
        if not repeats:
            return "nothing to do"
        width = BLOCK // item
        data = Layout(Lanes.first(8 * width), item, repeats, blk, rep, width)
        return Shape(data, Layout(Lanes.first(8), 4, repeats, 1, 1, 8), (("repeat", repeats),))

    def _execute(self, dst: LocalTensor, window: LocalTensor, shape: Shape, offsets: Offsets) -> None:
        bytes_ = window.memory.data[window.address : window.address + window.nbytes]
        blocks = self.compute(bytes_.reshape(-1, BLOCK), offsets.ravel())
        lanes = blocks.view(dst.dtype.numpy).reshape(shape.data.repeats, -1)
        shape.data.put(dst.memory, dst.dtype, dst.address, lanes)


def _gatherb(blocks: Array, offset: Array) -> Array:
    """dst block i = the 32 bytes of src0 at byte offset[i], a multiple of 32; eight blocks a repeat.

    >>> gatherb.compute(u32(*range(16)).reshape(2, 8), u32(32, 0))[:, 0].tolist()
    [8, 0]
    """
    lanes: Array = blocks[offset // BLOCK]
    return lanes


gatherb = GatherBlocks(
    name="gatherb",
    cpp="Gatherb",
    unit="V",
    doc=_gatherb.__doc__ or "",
    compute=_gatherb,
    dtypes=((uint16, uint16, uint32), (uint32, uint32, uint32)),
    cost="gather_blocks",
    roles=("dst", "src0", "offset"),
    banked=False,
)

__all__ = ["gatherb"]
