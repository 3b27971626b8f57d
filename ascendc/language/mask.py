"""The mask register of the vector unit: the lanes an instruction works on when its call does not say.

A value, not a place: whoever sets the register gives ``Core.mask`` a new one.  ``isa/mask.py`` holds the
instructions that do, ``isa/forms.py`` the calls that do it on the way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from .enums import MaskMode

WORD = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class MaskRegister:
    """What the register holds.

    Attributes:
        low, high: its two words.
        mode: how instructions read it.  In normal mode bit k is lane k of every repeat; in counter mode
            ``low`` is the number of elements of the whole instruction, which finds its repeats itself.
        written: the mode its words were meant for.
    """

    low: int = WORD
    high: int = WORD
    mode: MaskMode = MaskMode.NORMAL
    written: MaskMode = MaskMode.NORMAL

    @property
    def counts(self) -> bool:
        """Whether it holds a number of elements."""
        return self.mode is MaskMode.COUNTER

    def read_as(self, mode: MaskMode) -> MaskRegister:
        """The same words in another mode."""
        return replace(self, mode=mode)

    def __str__(self) -> str:
        if self.counts:
            return f"{self.low} elements (counter mode)"
        return f"[{self.low:#x}, {self.high:#x}] (normal mode)"


FULL = MaskRegister()
"""Normal mode, every lane: how a block starts, and how the count form of an instruction leaves it."""


def counted(total: int) -> MaskRegister:
    """Counter mode over ``total`` elements."""
    return MaskRegister(total, 0, MaskMode.COUNTER, MaskMode.COUNTER)


@lru_cache(maxsize=256)
def held(mask: int | tuple[int, ...]) -> MaskRegister:
    """What the register holds after a call with this mask: its first lanes, or its two words."""
    if isinstance(mask, tuple):
        return MaskRegister(*mask) if len(mask) == 2 else FULL
    bits = (1 << mask) - 1 if 0 <= mask <= 128 else 0
    return MaskRegister(bits & WORD, bits >> 64)
