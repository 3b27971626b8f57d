"""Vector instructions that scale integers to narrower types, as ``set_deq_scale`` was last told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ..access import need_local
from ..block import BLOCK
from ..core import Core, current
from ..dtypes import DataType, float16, int8, int16, int32, uint8, uint64
from ..errors import UsageError
from ..mask import counted
from ..memory import LocalTensor
from ..params import UnaryRepeatParams
from ..site import kernel_frame
from .deq_scale import SCALES, half_scale
from .dequant import is_signed, requantised, scaled
from .elementwise import Elementwise, leave_mask, strides_of
from .forms import Masked, form
from .geometry import Layout
from .operands import listed
from .passes import check_count
from .scratch import warn_scratch
from .vector import UB, Array
from .vector_binary import Binary, binary
from .vector_fused import rectified

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

    from .passes import Pass


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Dequant(Elementwise):
    """Lanes of int16 to 8 bits: 16 of them fill one half of a block, the other half stays as it is."""

    def lane_bytes(self, tensors: Sequence[LocalTensor]) -> int:
        return max(t.dtype.itemsize for t in tensors[:2])

    def layout(
        self, operand: int, tensor: LocalTensor, run: Pass, blk_stride: int, rep_stride: int | None, half: int = 0
    ) -> Layout:
        """``half`` is where in each block of the destination its lanes start."""
        item = tensor.dtype.itemsize
        width = SCALES if item in (int8.itemsize, uint64.itemsize) else BLOCK // item
        if rep_stride is None:
            rep_stride = run.lanes.count // width
        first = run.first * rep_stride * BLOCK + half
        return Layout(run.lanes, item, run.repeats, blk_stride, rep_stride, width, first)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CastDeq(Dequant):
    """``dst[i] = src[i] · scale + offset``, as ``set_deq_scale`` was last told."""

    @overload
    def __call__(
        self, dst: LocalTensor, src: LocalTensor, count: int, is_vec_deq: bool = True, half_block: bool = True
    ) -> None: ...

    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        mask: int | list[int],
        repeat_times: int,
        repeat_params: UnaryRepeatParams,
        is_set_mask: bool = True,
        is_vec_deq: bool = True,
        half_block: bool = True,
    ) -> None: ...

    def __call__(self, dst: Any, src: Any, *args: Any, **kwargs: Any) -> None:
        """``cast_deq(dst, src, count)`` or with ``mask, repeat_times, repeat_params``."""
        core, frame = current(), kernel_frame()
        given, is_vec_deq, half_block = self._arguments(core, args, kwargs)
        count, masked = form(core, self.name, (), given)
        strides = strides_of(core, self.name, masked and masked.params, UnaryRepeatParams, ("dst", "src"))
        if getattr(src, "dtype", None) is int32:
            scale = half_scale(core, self.name)
            if masked is None:
                self.count_form(frame, (dst, src), count, (scale,))
            else:
                self.mask_form(frame, (dst, src), masked.mask, masked.repeat_times, strides, (scale,))
            return
        if masked is None:  # the destination has gaps, so that there are no contiguous bytes to work on
            masked = Masked(counted(check_count(core, self.name, count)), 1, None)
            leave_mask(core, frame, self.name)
        to = getattr(dst, "dtype", None)
        into = ((*strides[0], BLOCK // 2 if half_block else 0), strides[1])
        if is_vec_deq:
            tensors = (dst, src, self._scales(core, frame, (dst, src)))
            cast_vdeq.mask_form(frame, tensors, masked.mask, masked.repeat_times, (*into, (0, 0)), (to,))
        else:
            word = self._word(core, frame, to)
            self.mask_form(frame, (dst, src), masked.mask, masked.repeat_times, into, (word, to))

    def _arguments(
        self, core: Core, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[dict[str, Any], bool, bool]:
        """The arguments after the operands by name, without the two flags, and the flags."""
        counts = "mask" not in kwargs and not (len(args) > 1 and not isinstance(args[1], bool))
        names = ("count",) if counts else ("mask", "repeat_times", "repeat_params", "is_set_mask")
        names = (*names, "is_vec_deq", "half_block")
        given = dict(zip(names, args, strict=False))
        if len(args) > len(names) or given.keys() & kwargs:
            core.fail(
                UsageError,
                f"{self.name}: the arguments after the operands must be {', '.join(names)}, got {listed(args, kwargs)}",
            )
        given.update(kwargs)
        return given, bool(given.pop("is_vec_deq", True)), bool(given.pop("half_block", True))

    def _scales(self, core: Core, frame: FrameType, tensors: tuple[Any, Any]) -> LocalTensor:
        if not isinstance(core.deq_scale, LocalTensor):
            self.check(core, frame, tensors)  # a wrong operand may be why other scales are asked for
            core.fail(
                UsageError,
                f"{self.name}: is_vec_deq=True takes {SCALES} scales; call set_deq_scale(vdeq, vdeq_info) before, "
                "or pass is_vec_deq=False",
            )
        return core.deq_scale

    def _word(self, core: Core, frame: FrameType, to: Any) -> np.uint64:
        word = core.deq_scale
        if not isinstance(word, int):
            core.fail(
                UsageError,
                f"{self.name}: is_vec_deq=False takes one scale; call set_deq_scale(scale, offset, sign_mode) before",
            )
        if to in (int8, uint8) and is_signed(word) != (to is int8):
            core.warn(
                "dequant",
                f"{self.name}: dst is {to}, and sign_mode={is_signed(word)} of set_deq_scale gives "
                f"{int8 if is_signed(word) else uint8} results; their bits are stored as they are",
                frame,
            )
        return np.uint64(word)


def _cast_deq(src: Array, scale: Any, to: DataType = float16) -> Array:
    """dst = src · scale + offset of ``set_deq_scale``, rounded to nearest even and saturated.

    >>> cast_deq.compute(i16(10, -3, 900), np.uint64(packed(0.5, 2, True)), int8).tolist()
    [7, 0, 127]
    >>> cast_deq.compute(i32(3, 1 << 20), np.float16(0.5)).tolist()
    [1.5, inf]
    """
    if to is float16:
        return scaled(src, scale)
    return requantised(src, np.asarray(scale), to.numpy)


def _cast_vdeq(src: Array, vdeq: Array, to: DataType) -> Array:
    """What ``cast_deq`` with ``is_vec_deq=True`` issues: lane k of a block takes word k of ``vdeq``.

    >>> words = u64(packed(0.5, 2, True), packed(2, 0, True))
    >>> cast_vdeq.compute(i16(10, 10), words, int8).tolist()
    [7, 20]
    """
    return requantised(src, vdeq, to.numpy)


cast_deq = CastDeq(
    name="cast_deq",
    cpp="CastDeq",
    unit="V",
    doc=_cast_deq.__doc__ or "",
    compute=_cast_deq,
    dtypes=((int8, int16), (uint8, int16), (float16, int32)),
    cost="simple",
    roles=("dst", "src"),
)
cast_vdeq = Dequant(
    name="cast_vdeq",
    cpp="CastDeq",
    unit="V",
    doc=_cast_vdeq.__doc__ or "",
    compute=_cast_vdeq,
    dtypes=((int8, int16, uint64), (uint8, int16, uint64)),
    cost="dequantize_each",
    roles=("dst", "src", "vdeq"),
    banked=False,
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BinaryDeq(Binary):
    """``dst[i] = compute(src0[i], src1[i], scale)``, by way of the scratch at the end of UB."""

    def count_form(
        self, frame: FrameType, tensors: tuple[LocalTensor, ...], count: Any, params: tuple[Any, ...] = ()
    ) -> None:
        Binary.count_form(self, frame, tensors, count, (self._scale(frame, tensors), *params))

    def mask_form(
        self,
        frame: FrameType,
        tensors: tuple[LocalTensor, ...],
        mask: Any,
        repeat_times: Any,
        strides: tuple[tuple[int, ...], ...],
        params: tuple[Any, ...] = (),
    ) -> None:
        scale = self._scale(frame, tensors)
        Binary.mask_form(self, frame, tensors, mask, repeat_times, strides, (scale, *params))

    def _scale(self, frame: FrameType, tensors: tuple[LocalTensor, ...]) -> np.float16:
        core = current()
        need_local(core, self.name, self.roles[0], tensors[0], UB)
        warn_scratch(core, frame, self.name, tensors[0].memory)
        return half_scale(core, self.name)


@binary(cpp="AddDeqRelu", pairs=((float16, int32),), cost="add_deq_relu", family=BinaryDeq)
def add_deq_relu(src0: Array, src1: Array, scale: np.float16) -> Array:
    """dst = (src0 + src1) · scale of ``set_deq_scale`` where positive, else 0; the sum wraps.

    >>> add_deq_relu.compute(i32(3, 5), i32(4, -9), np.float16(0.5)).tolist()
    [3.5, 0.0]
    """
    return rectified(scaled(src0 + src1, scale))


__all__ = ["add_deq_relu", "cast_deq", "cast_vdeq"]
