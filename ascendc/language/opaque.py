"""Values that only the chip has, and what a kernel gets in their place.

The functional pass has no clock and no code in memory.  A kernel may keep such a value and print it, and add and
subtract readings of the clock; whatever needs the number itself is an error that names the line.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any, ClassVar, NamedTuple, NoReturn, TypeVar

from .core import fail
from .errors import UsageError
from .numbers import is_whole
from .program import Site

T = TypeVar("T")

_CONVERTED = ("bool", "int", "index", "float", "round", "neg", "pos", "abs", "invert")
_COMPARED = ("lt", "le", "gt", "ge", "eq", "ne")
_REFLECTED = (
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "divmod",
    "pow",
    "lshift",
    "rshift",
    "and",
    "or",
    "xor",
)
_NEEDING = [f"__{name}__" for name in (*_CONVERTED, *_COMPARED, *_REFLECTED)] + [f"__r{name}__" for name in _REFLECTED]
"""What Python calls when it wants to know a number."""

_SHOWN = 4


def _opaque(kind: type[T]) -> type[T]:
    """Make everything that would need the number, and that ``kind`` does not define, an error."""
    for name in _NEEDING:
        if name not in vars(kind):
            setattr(kind, name, _refusal)
    return kind


def _refusal(value: Any, *others: object) -> NoReturn:
    fail(UsageError, f"{value!r} is no number in a kernel: {value.way_out}")


class Reading(NamedTuple):
    """One execution of ``get_system_cycle``.

    Attributes:
        block: which block's.
        row: its row in that block.
        site: the kernel's line.
    """

    block: int
    row: int
    site: Site


@_opaque
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SystemCycle:
    """A reading of the system counter, or a sum of such.

    Attributes:
        readings: how often each counts; negative if it is subtracted.
        ticks: a number added to them.
    """

    readings: dict[Reading, int]
    ticks: int = 0
    way_out: ClassVar[str] = (
        "no time passes while it runs. Nothing in it may depend on the clock; keep or print the value, and "
        "after simulate(program) look into timeline.stamps"
    )
    __array_ufunc__: ClassVar[None] = None  # NumPy's numbers leave the arithmetic to us

    def __add__(self, other: SystemCycle | int) -> SystemCycle:
        return self._plus(other, 1)

    def __sub__(self, other: SystemCycle | int) -> SystemCycle:
        return self._plus(other, -1)

    def __neg__(self) -> SystemCycle:
        return SystemCycle({reading: -times for reading, times in self.readings.items()}, -self.ticks)

    def __radd__(self, other: int) -> SystemCycle:
        return self._plus(other, 1)

    def __rsub__(self, other: int) -> SystemCycle:
        return (-self)._plus(other, 1)

    def _plus(self, other: SystemCycle | int, sign: int) -> SystemCycle:
        if is_whole(other):
            return SystemCycle(self.readings, self.ticks + sign * int(other))
        if not isinstance(other, SystemCycle):
            _refusal(self)
        total = dict(self.readings)
        for reading, times in other.readings.items():
            total[reading] = total.get(reading, 0) + sign * times
        return SystemCycle({r: n for r, n in total.items() if n}, self.ticks + sign * other.ticks)

    def __repr__(self) -> str:
        shown = [f"{n:+d} x {r.site}".replace("1 x ", "") for r, n in islice(self.readings.items(), _SHOWN)]
        shown += ["…"] if len(self.readings) > _SHOWN else []
        shown += [f"{self.ticks:+d}"] if self.ticks else []
        return f"<system counter at {' '.join(shown).removeprefix('+')}>"


@_opaque
@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ProgramCounter:
    """Where the code of a line is on the chip.

    Attributes:
        site: that line.
    """

    site: Site
    way_out: ClassVar[str] = "nothing is compiled, so code has no address; keep or print the value"
    __array_ufunc__: ClassVar[None] = None

    def __repr__(self) -> str:
        return f"<program counter at {self.site}>"


__all__ = ["ProgramCounter", "Reading", "SystemCycle"]
