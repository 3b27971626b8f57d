"""``cast``: conversion between element types on the vector unit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, overload

from ..classes import need_class
from ..core import Core, current
from ..dtypes import DataType, bfloat16, float16, float32, int4, int8, int16, int32, int64, uint8
from ..enums import RoundMode
from ..errors import AlignmentError, DtypeError
from ..memory import LocalTensor
from ..params import UnaryRepeatParams
from ..site import kernel_frame
from .deq_scale import half_scale
from .dequant import scaled
from .elementwise import Elementwise, strides_of
from .forms import form
from .geometry import Layout
from .lanes import Lanes
from .passes import Pass
from .rounding import convert
from .vector import Array

if TYPE_CHECKING:
    from types import FrameType


_NONE = (RoundMode.CAST_NONE,)
_FIVE = (
    RoundMode.CAST_RINT,
    RoundMode.CAST_FLOOR,
    RoundMode.CAST_CEIL,
    RoundMode.CAST_ROUND,
    RoundMode.CAST_TRUNC,
)
_ANY = (*_NONE, *_FIVE)

_MODES: dict[tuple[DataType, DataType], tuple[RoundMode, ...]] = {
    (float16, int4): _NONE,
    (float16, int8): _NONE,
    (float16, uint8): _NONE,
    (float16, int16): _ANY,
    (float32, int16): _NONE,
    (int4, float16): _ANY,
    (int8, float16): _ANY,
    (uint8, float16): _ANY,
    (int16, float16): _FIVE,
    (int32, float16): _FIVE,
    (float32, float16): _NONE,
    (float32, bfloat16): _NONE,
    (int32, bfloat16): _FIVE,
    (float32, int32): _ANY,
    (int16, int32): _NONE,
    (int64, int32): _NONE,
    (int16, float32): _FIVE,
    (int32, float32): _FIVE,
    (int64, float32): _FIVE,
    (float16, int32): _ANY,
    (bfloat16, float32): _FIVE,
    (float32, float32): _FIVE,
    (float16, float32): (*_ANY, RoundMode.CAST_ODD),
    (int32, int64): _NONE,
    (float32, int64): _FIVE,
}
"""Round modes by (destination, source): Ascend C API, Cast (A2)."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Cast(Elementwise):
    """``dst[i] = src[i]`` in another type.  A repeat is 256 bytes of the wider one."""

    @overload
    def __call__(self, dst: LocalTensor, src: LocalTensor, round_mode: RoundMode, count: int) -> None: ...

    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        round_mode: RoundMode,
        mask: int | list[int],
        repeat_times: int,
        repeat_params: UnaryRepeatParams,
        is_set_mask: bool = True,
    ) -> None: ...

    def __call__(self, dst: Any, src: Any, round_mode: Any, *args: Any, **kwargs: Any) -> None:
        """``cast(dst, src, round_mode, count)`` or with ``mask, repeat_times, repeat_params``."""
        frame, core = kernel_frame(), current()
        count, masked = form(core, self.name, args, kwargs)
        need_class(core, self.name, "round_mode", round_mode, RoundMode)
        self._check_mode(core, dst, src, round_mode)
        to = getattr(dst, "dtype", None)
        params: tuple[Any, ...] = (to, round_mode)
        if to is float16 and getattr(src, "dtype", None) is int32:
            params = (*params, half_scale(core, self.name))
        if masked is None:
            self.count_form(frame, (dst, src), count, params)
        else:
            strides = strides_of(core, self.name, masked.params, UnaryRepeatParams, ("dst", "src"))
            self.mask_form(frame, (dst, src), masked.mask, masked.repeat_times, strides, params)

    def check(self, core: Core, frame: FrameType, tensors: Any) -> None:
        """As for all vector instructions, but a wrong pair names the pairs there are."""
        dst, src = (getattr(t, "dtype", None) for t in tensors)
        if isinstance(dst, DataType) and isinstance(src, DataType) and (dst, src) not in _MODES:
            to = ", ".join(d.name for d, s in _MODES if s is src) or "nothing"
            core.fail(DtypeError, f"cast: there is no conversion from {src} to {dst}; from {src} there is: {to}")
        Elementwise.check(self, core, frame, tensors)

    def layout(self, operand: int, tensor: LocalTensor, run: Pass, blk_stride: int, rep_stride: int | None) -> Layout:
        """As for all vector instructions; where two lanes share a byte, of their pairs."""
        lanes = run.lanes if tensor.dtype is not int4 else _in_pairs(self.name, self.roles[operand], run.lanes)
        return Elementwise.layout(self, operand, tensor, replace(run, lanes=lanes), blk_stride, rep_stride)

    def _check_mode(self, core: Core, dst: Any, src: Any, mode: RoundMode) -> None:
        modes = _MODES.get((getattr(dst, "dtype", None), getattr(src, "dtype", None)))  # type: ignore[arg-type]
        if modes is not None and mode not in modes:
            names = ", ".join(m.name for m in modes)
            core.fail(
                DtypeError, f"cast: {src.dtype} to {dst.dtype} has no {mode.name}; round modes there are: {names}"
            )


def _in_pairs(call: str, role: str, lanes: Lanes) -> Lanes:
    """The bytes of int4 that ``lanes`` are.

    Raises:
        AlignmentError: of two lanes in a byte, one is chosen alone.
    """
    pairs = lanes.among(lanes.count // 2)
    if pairs.among(lanes.count) != lanes:
        alone = next(lane for lane in lanes.chosen if lane ^ 1 not in lanes.chosen)
        current().fail(
            AlignmentError,
            f"{call}: the mask chooses lane {alone} without lane {alone ^ 1}; {role} is int4, in which lanes 2k and "
            "2k + 1 share a byte: choose both, or neither",
        )
    return pairs


def _cast(src: Array, to: DataType, mode: RoundMode, scale: Any = None) -> Array:
    """dst = src in dst's type; integers saturate, NaN becomes 0 in them; int32 to float16 times a scale set before.

    >>> cast.compute(f32(1.5, 2.5, -0.5), int32, RoundMode.CAST_RINT).tolist()
    [2, 2, 0]
    """
    if scale is not None:
        return scaled(src, scale)
    numbers = int4.numbers(src) if src.dtype == int4.numpy else src
    return to.items(convert(numbers, to, mode))


cast = Cast(
    name="cast",
    cpp="Cast",
    unit="V",
    doc=_cast.__doc__ or "",
    compute=_cast,
    dtypes=tuple(_MODES),
    cost="simple",
    roles=("dst", "src"),
)

__all__ = ["cast"]
