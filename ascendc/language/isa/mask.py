"""Instructions that set the mask register: which lanes the vector instructions with ``is_set_mask=False`` take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, overload

from ..classes import need_class
from ..core import Core, current
from ..dtypes import DataType
from ..enums import MaskMode
from ..errors import RangeError
from ..mask import WORD, MaskRegister, counted, held
from ..site import kernel_frame
from ..windows import element_type
from .operands import one_form
from .scalar import ScalarOp, record_register

if TYPE_CHECKING:
    from ..hardware import HardwareSpec


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MaskOp(ScalarOp):
    """Change the mask register.

    Attributes:
        change: what it holds after, from what it held before.
    """

    change: Callable[[MaskRegister], MaskRegister]

    def __call__(self) -> None:
        core, frame = current(), kernel_frame()
        before = core.mask
        core.mask = self.change(before)
        if core.mask.counts and not before.counts:
            core.counting = core.site(frame)
        record_register(core, frame, self)


def mask_op(*, cpp: str) -> Callable[[Callable[[MaskRegister], MaskRegister]], MaskOp]:
    """Declare an instruction without arguments; the function says what it makes of the register."""

    def declare(change: Callable[[MaskRegister], MaskRegister]) -> MaskOp:
        return MaskOp(name=change.__name__, cpp=cpp, unit="S", doc=change.__doc__ or "", change=change)

    return declare


@mask_op(cpp="SetMaskNorm")
def set_mask_norm(register: MaskRegister) -> MaskRegister:
    """Normal mode: bit k of the mask register is lane k of every repeat.

    >>> str(set_mask_norm.change(MaskRegister(100, 0, MaskMode.COUNTER)))
    '[0x64, 0x0] (normal mode)'
    """
    return replace(register, mode=MaskMode.NORMAL)


@mask_op(cpp="SetMaskCount")
def set_mask_count(register: MaskRegister) -> MaskRegister:
    """Counter mode: a mask is the number of elements of the whole instruction; repeats follow from it.

    >>> str(set_mask_count.change(MaskRegister(100, 0)))
    '100 elements (counter mode)'
    """
    return replace(register, mode=MaskMode.COUNTER)


@mask_op(cpp="ResetMask")
def reset_mask(register: MaskRegister) -> MaskRegister:
    """All lanes, in the mode that is on; in counter mode set a number of elements before it is used.

    >>> str(reset_mask.change(MaskRegister(100, 0)))
    '[0xffffffffffffffff, 0xffffffffffffffff] (normal mode)'
    """
    return MaskRegister(mode=register.mode)


_FORMS = (("len",), ("mask_high", "mask_low"))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SetVectorMask(ScalarOp):
    """Put lanes, or in counter mode a number of elements, into the mask register."""

    @overload
    def __call__(self, len: int, *, dtype: DataType, mode: MaskMode = MaskMode.NORMAL) -> None: ...

    @overload
    def __call__(self, mask_high: int, mask_low: int, *, dtype: DataType, mode: MaskMode = MaskMode.NORMAL) -> None: ...

    def __call__(self, *args: Any, dtype: Any, mode: MaskMode = MaskMode.NORMAL, **kwargs: Any) -> None:
        core, frame = current(), kernel_frame()
        numbers = self._numbers(core, args, kwargs)
        need_class(core, self.name, "mode", mode, MaskMode)
        lanes = self._lanes(element_type(core, self.name, dtype), core.spec)
        words = self._count(core, numbers) if mode is MaskMode.COUNTER else self._words(core, numbers, lanes)
        core.mask = words.read_as(core.mask.mode)
        shown = ("elements", words.low) if mode is MaskMode.COUNTER else ("mask", f"{words.high << 64 | words.low:#x}")
        record_register(core, frame, self, (shown,))

    def _numbers(self, core: Core, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[int, ...]:
        """The length, or the high and the low word."""
        given = one_form(core, self.name, _FORMS, args, kwargs, behind=("dtype", "mode"))
        for name, value in given.items():
            if not 0 <= core.whole(self.name, name, value) <= WORD:
                core.fail(RangeError, f"{self.name}: {name} must be 0 to 2^64 - 1, got {value}")
        return tuple(int(given[name]) for names in _FORMS for name in names if name in given)

    @staticmethod
    def _lanes(kind: DataType, spec: HardwareSpec) -> int:
        """Lanes of a repeat that the register has bits for."""
        return min(128, spec.vector.repeat_bytes // kind.itemsize)

    def _count(self, core: Core, numbers: tuple[int, ...]) -> MaskRegister:
        *high, total = numbers
        if any(high) or total >= 1 << 32:
            core.fail(
                RangeError,
                f"{self.name}: counter mode counts up to 2^32 - 1 elements in the low word, got {numbers}; "
                "mask_high must be 0",
            )
        return counted(total)

    def _words(self, core: Core, numbers: tuple[int, ...], lanes: int) -> MaskRegister:
        if len(numbers) == 1:
            if numbers[0] > lanes:
                core.fail(
                    RangeError,
                    f"{self.name}: len {numbers[0]} is beyond the {lanes} lanes of a repeat; "
                    "mode=MaskMode.COUNTER counts the elements of the whole instruction",
                )
            return held(numbers[0])
        high, low = numbers
        if high and lanes <= 64:
            core.fail(
                RangeError, f"{self.name}: a repeat has {lanes} lanes here, so mask_high must be 0, got {high:#x}"
            )
        return MaskRegister(low, high)


set_vector_mask = SetVectorMask(
    name="set_vector_mask",
    cpp="SetVectorMask",
    unit="S",
    doc="The first ``len`` lanes, or those of two words; with ``MaskMode.COUNTER`` a number of elements.",
)

__all__ = ["reset_mask", "set_mask_count", "set_mask_norm", "set_vector_mask"]
