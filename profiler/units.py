"""Cycles as time.  The only place where either becomes the other, so that every view agrees."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ascendc.language.hardware import HardwareSpec


def microseconds(cycles: float | Fraction, spec: HardwareSpec) -> float:
    """``cycles`` of the reference clock in µs."""
    return float(cycles / spec.clock.reference_mhz)


def nanoseconds(cycles: NDArray[np.int64], spec: HardwareSpec) -> NDArray[np.int64]:
    """Each of ``cycles`` to the nearest nanosecond.

    Edges are rounded, never lengths, and one rule rounds them all: spans that touch still touch.
    """
    mhz = spec.clock.reference_mhz
    return (cycles * 1000 + mhz // 2) // mhz


def launch_us(cores: int, spec: HardwareSpec) -> float:
    """What launching on ``cores`` cores costs besides their own time."""
    return float(spec.launch.base_us + spec.launch.per_core_us * cores)


def gbps(nbytes: int, cycles: float, spec: HardwareSpec) -> float:
    """A rate in 10^9 bytes a second; 0 if no time passed."""
    return nbytes / microseconds(cycles, spec) / 1000 if cycles else 0.0
