"""The integers time and bandwidth are counted in.

A chip file has exact fractions; here they become integers once, when instructions are priced.  A tick is
small enough that rounding a cost to it does not show, and only the columns of a timeline are rounded up to
whole cycles.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from .columns import Ints

TICKS: Final = 256
"""Ticks of one reference cycle."""

GRAINS: Final = 1 << 40
"""Parts of one byte, so that a fair share of a rate is an integer to twelve digits."""


def ticks(cycles: Fraction) -> int:
    """The nearest whole number of ticks."""
    return round(cycles * TICKS)


def grains_per_tick(bytes_per_cycle: Fraction) -> int:
    """A rate, rounded up: a transfer that takes whole ticks then takes exactly those."""
    return -(-bytes_per_cycle * GRAINS // TICKS)


def cycles(at: Ints) -> Ints:
    """Ticks as whole cycles, rounded up."""
    return -(-at // TICKS)
