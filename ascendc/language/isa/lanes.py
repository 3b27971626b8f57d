"""Which lanes of a repeat take part: what a mask chooses.  Where they lie in memory is ``geometry.py``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RangeError, UsageError
from ..mask import MaskRegister

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..core import Core


@dataclass(frozen=True)
class Lanes:
    """The lanes of a repeat that take part.

    Attributes:
        count: how many lanes a repeat has.
        chosen: their numbers, ascending.
        prefix: whether they are the first ones.
    """

    count: int
    chosen: tuple[int, ...]
    prefix: bool

    @classmethod
    def first(cls, chosen: int, count: int = 0) -> Lanes:
        """The first ``chosen`` of ``count``; all, if that is not given."""
        return cls(count or chosen, tuple(range(chosen)), prefix=True)

    @classmethod
    def of(cls, chosen: Iterable[int], count: int) -> Lanes:
        """Any lanes of ``count``, ascending."""
        lanes = tuple(chosen)
        return cls(count, lanes, lanes == tuple(range(len(lanes))))

    @property
    def last(self) -> int:
        """The highest lane; −1 if there is none."""
        return self.chosen[-1] if self.chosen else -1

    @cached_property
    def index(self) -> NDArray[np.intp]:
        """``chosen`` as an array."""
        return np.array(self.chosen, np.intp)

    def among(self, count: int) -> Lanes:
        """The same part of a repeat where it has ``count`` lanes, each some of these, or a part of one."""
        if count == self.count:
            return self
        if count > self.count:
            each = range(count // self.count)
            return Lanes.of((lane * len(each) + i for lane in self.chosen for i in each), count)
        return Lanes.of(dict.fromkeys(lane * count // self.count for lane in self.chosen), count)

    def runs(self, width: int) -> list[tuple[int, int]]:
        """(first lane, lanes) of each run of neighbours, cut at multiples of ``width``."""
        out: list[tuple[int, int]] = []
        for lane in self.chosen:
            if out and sum(out[-1]) == lane and lane % width:
                out[-1] = (out[-1][0], out[-1][1] + 1)
            else:
                out.append((lane, 1))
        return out


def parse_mask(core: Core, call: str, mask: Any, lanes: int) -> Lanes:
    """The lanes a mask argument chooses among ``lanes``; of the register, those a repeat has.

    Raises:
        UsageError: the register counts elements.
        RangeError: it chooses lanes that do not exist.
    """
    if isinstance(mask, MaskRegister):
        if mask.counts:
            core.fail(UsageError, f"{call}: it does not work in counter mode; leave that with set_mask_norm()")
        return _lanes_of((mask.low | mask.high << 64) & (1 << lanes) - 1, lanes)
    if isinstance(mask, tuple):
        if any(not 0 <= m < 1 << 64 for m in mask):
            core.fail(RangeError, f"{call}: each word of a bit mask has 64 bits, got {[hex(m) for m in mask]}")
        bits = mask[0] | mask[1] << 64
        if bits >> lanes:
            core.fail(
                RangeError,
                f"{call}: mask {[hex(m) for m in mask]} chooses lanes from {lanes} on; a repeat has {lanes} lanes"
                + ("; mask[1] must be 0 here" if lanes <= 64 else ""),
            )
        return _lanes_of(bits, lanes)
    if not 0 <= mask <= lanes:
        core.fail(
            RangeError,
            f"{call}: mask {mask} is beyond the {lanes} lanes of a repeat; take more repeats, or the form with a count "
            "if there is one",
        )
    return Lanes.first(mask, lanes)


def _lanes_of(bits: int, lanes: int) -> Lanes:
    return Lanes.of((i for i in range(lanes) if bits >> i & 1), lanes)
