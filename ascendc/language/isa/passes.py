"""Which lanes a call works on: its mask, or the mask register, and how often it repeats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from ..errors import RangeError, UsageError
from ..mask import WORD, MaskRegister
from ..numbers import is_whole
from .lanes import Lanes, parse_mask

if TYPE_CHECKING:
    from types import FrameType

    from ..core import Core


@dataclass(frozen=True, slots=True)
class Pass:
    """Repeats in a row with the same lanes.

    Attributes:
        first: number of the first of them.
        repeats: how many.
        lanes: the lanes of each.
    """

    first: int
    repeats: int
    lanes: Lanes


def passes(core: Core, frame: FrameType, call: str, mask: Any, repeat_times: Any, lanes: int) -> tuple[Pass, ...]:
    """What a call in a mask form does, where a repeat has ``lanes`` lanes; nothing at all is no pass.

    In counter mode the last repeat may be a pass of its own, with fewer lanes.

    Raises:
        UsageError: the mask is none.
        RangeError: it chooses lanes that do not exist, or there are more repeats than the field holds.
    """
    if isinstance(mask, MaskRegister) and mask.counts:
        return _counted(core, frame, call, mask, lanes)
    repeats = check_repeat(core, call, repeat_times)
    if isinstance(mask, MaskRegister):
        _check_meant(core, frame, call, mask)
    chosen = parse_mask(core, call, mask, lanes)
    return (Pass(0, repeats, chosen),) if repeats and chosen.chosen else ()


def _counted(core: Core, frame: FrameType, call: str, mask: MaskRegister, lanes: int) -> tuple[Pass, ...]:
    if mask.low == WORD:
        core.fail(
            UsageError,
            f"{call}: counter mode is on, and nothing has said how many elements; "
            "call set_vector_mask(total, dtype=…, mode=MaskMode.COUNTER) after set_mask_count()",
        )
    _check_meant(core, frame, call, mask)
    full, rest = divmod(mask.low, lanes)
    whole = (Pass(0, full, Lanes.first(lanes, lanes)),) if full else ()
    return (*whole, Pass(full, 1, Lanes.first(rest, lanes))) if rest else whole


def _check_meant(core: Core, frame: FrameType, call: str, mask: MaskRegister) -> None:
    """Note a register that is read in another mode than it was set for."""
    if mask.mode is not mask.written:
        core.warn(
            "mask",
            f"{call}: the mask register was set for {mask.written.name} mode and is read in {mask.mode.name} mode, "
            f"as {mask}; set_mask_norm() and set_mask_count() choose the mode",
            frame,
        )


def check_count(core: Core, call: str, count: Any, name: str = "count") -> int:
    """The number of elements of a count form, or of what else ``name`` is.

    Raises:
        RangeError: it is none.
    """
    if not is_whole(count) or count < 0:
        core.fail(RangeError, f"{call}: {name} must be a whole number of elements, 0 or more, got {count!r}")
    return int(count)


def check_repeat(core: Core, call: str, repeat_times: Any) -> int:
    """The number of repeats, checked against what the instruction's field holds.

    Raises:
        RangeError: it is no whole number, or too large.
    """
    most = core.spec.limits.repeat_times
    repeats = core.whole(call, "repeat_times", repeat_times)
    if not 0 <= repeats <= most:
        core.fail(
            RangeError,
            f"{call}: repeat {repeats} > {most}; split it, or use the count form, which splits itself"
            if repeats > most
            else f"{call}: repeat_times must be 0 to {most}, got {repeats}",
        )
    return repeats


def check_strides(core: Core, call: str, role: str, blk_stride: Any, rep_stride: Any) -> tuple[int, int]:
    """The strides of an operand, checked against what the instruction's fields hold.

    Raises:
        RangeError: they do not fit.
    """
    for name, value, most in (("blk_stride", blk_stride, 65535), ("rep_stride", rep_stride, 255)):
        if not is_whole(value) or not 0 <= value <= most:
            core.fail(
                RangeError,
                f"{call}: {role}_{name} must be a whole number of blocks of 32 bytes, 0 to {most}, got {value!r}",
            )
    return int(blk_stride), int(rep_stride)


def refuse_one_place(core: Core, call: str) -> NoReturn:
    """Say that a destination's block stride of 0 leaves one block of each repeat.

    Raises:
        RangeError: always.
    """
    core.fail(
        RangeError,
        f"{call}: dst_blk_stride 0 would write all blocks of a repeat to one place; 1 puts them one behind another",
    )


def plain_repeat(core: Core, call: str, repeat_times: Any) -> int:
    """As a plan is known by it: a plain int, whatever it was given as; its range is checked with the plan."""
    return repeat_times if type(repeat_times) is int else check_repeat(core, call, repeat_times)


def plain_strides(core: Core, call: str, role: str, blk_stride: Any, rep_stride: Any) -> tuple[int, int]:
    """As :func:`plain_repeat`, for the strides of an operand."""
    if type(blk_stride) is int and type(rep_stride) is int:
        return blk_stride, rep_stride
    return check_strides(core, call, role, blk_stride, rep_stride)


def shown(mask: Any) -> tuple[tuple[str, Any], ...]:
    """A mask as parameters of a row: ``mask=100``, ``mask=('0xf', '0x0')`` or ``counter=15000``."""
    if isinstance(mask, MaskRegister):
        if mask.counts:
            return (("counter", mask.low),)
        mask = (mask.low, mask.high)
    return (("mask", tuple(f"{m:#x}" for m in mask) if isinstance(mask, tuple) else mask),)


__all__ = [
    "Pass",
    "check_count",
    "check_repeat",
    "check_strides",
    "passes",
    "plain_repeat",
    "plain_strides",
    "refuse_one_place",
    "shown",
]
