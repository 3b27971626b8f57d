"""What of a long launch to show span by span: which cores, and from when to when."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .cover import Ints
from .lanes import Lanes

CORES = 2
"""Cores shown: few enough to read the names of their pipes."""
SPANS = 24
"""Spans of the fullest pipe shown: few enough to read what they are."""
NEARLY_ALL = 0.6
"""A window that would show this much of the launch shows all of it."""


@dataclass(frozen=True, slots=True)
class Window:
    """Some cores, for some of the time.

    Attributes:
        cores: their numbers.
        start, stop: cycles.
        is_whole: whether it is all of the launch.
    """

    cores: tuple[int, ...]
    start: int
    stop: int
    is_whole: bool


def choose(lanes: Lanes) -> Window:
    """The first core and the one that ends last, from the middle of the launch on."""
    t = lanes.timeline
    cores = _cores(lanes)
    first, last = int(t.start.min()), int(t.stop.max())
    fullest = _fullest(lanes, cores)
    length = int((last - first) * min(1.0, SPANS / max(len(fullest), 1)))
    if length >= NEARLY_ALL * (last - first):
        return Window(cores, first, last, len(cores) == len(t.core_kinds))
    start = int(t.start[fullest[(len(fullest) - SPANS) // 2]])
    return Window(cores, start, min(start + length, last), False)


def _cores(lanes: Lanes) -> tuple[int, ...]:
    count = len(lanes.timeline.core_kinds)
    if count <= CORES:
        return tuple(range(count))
    latest = int(lanes.timeline.core[np.argmax(lanes.timeline.stop)])
    return 0, latest or count - 1


def _fullest(lanes: Lanes, cores: tuple[int, ...]) -> Ints:
    """The spans of the lane that has most of them, in order of start."""
    lane = lanes.lane[lanes.work]
    own = [lanes.work[lane == i] for i, (core, _) in enumerate(lanes.keys) if core in cores]
    return max(own, key=len)
