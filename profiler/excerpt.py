"""What of a launch goes into its trace: all of it, unless less was asked for or a file would grow too large.

Nothing is left out silently: an excerpt says what it lacks.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ascendc.language.errors import UsageError
from ascendc.language.numbers import is_number, is_whole
from simulator.timeline import Cause, Timeline

from . import events
from .cover import Ints
from .lanes import Lanes

LIMIT_MB = 50.0
"""Of a trace, in millions of bytes, unless another limit is given: viewers choke on much more."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Scope:
    """What of a launch somebody wants to see.

    Attributes:
        cores: their numbers; all, if not given.
        window: from which cycle until before which; all of them, if not given.
        limit_mb: millions of bytes a file may have; infinite for no limit.
    """

    cores: Collection[int] | None = None
    window: tuple[int, int] | None = None
    limit_mb: float = LIMIT_MB

    def __post_init__(self) -> None:
        if self.cores is not None and not _are_cores(self.cores):
            raise UsageError(f"trace: cores must be numbers of cores, as [0, 3], got {self.cores!r}")
        if self.window is not None and not _is_window(self.window):
            raise UsageError(f"trace: window must be two cycles, as (0, 10_000), the first less, got {self.window!r}")
        if not (is_number(self.limit_mb) and self.limit_mb > 0):
            raise UsageError(f"trace: limit_mb must be more than 0, math.inf for no limit, got {self.limit_mb!r}")


def _are_cores(cores: object) -> bool:
    return isinstance(cores, Collection) and all(is_whole(core) and core >= 0 for core in cores)


def _is_window(window: object) -> bool:
    return (
        isinstance(window, Sequence) and len(window) == 2 and all(map(is_whole, window)) and 0 <= window[0] < window[1]
    )


@dataclass(frozen=True, slots=True, eq=False)
class Excerpt:
    """Some spans of a launch.

    Attributes:
        kept: whether each span is one of them.
        left_out: what is not, and why, a phrase each; none if everything is there.
    """

    kept: Mask
    left_out: tuple[str, ...]


def choose(lanes: Lanes, scope: Scope, since: Ints, nbytes: Ints) -> Excerpt:
    """What of ``scope`` a file has room for.

    First go the flags, waits and barriers that held nothing up, then cores, evenly, but the first and the one that
    ends last; then the end of the launch.

    Args:
        lanes: all spans.
        scope: what is wanted.
        since: the cycle each span is shown from.
        nbytes: what each span takes in the file, at most.
    """
    choice = _Choice(lanes, since, nbytes)
    if scope.cores is not None:
        choice.keep_cores(sorted({int(core) for core in scope.cores}))
    if scope.window is not None:
        choice.keep_window(*scope.window)
    if math.isfinite(scope.limit_mb):
        choice.shrink(scope.limit_mb)
    return Excerpt(choice.kept, tuple(choice.left_out))


class _Choice:
    """Spans while they are chosen."""

    def __init__(self, lanes: Lanes, since: Ints, nbytes: Ints) -> None:
        self.kept: Mask = np.ones(len(since), bool)
        self.left_out: list[str] = []
        self._lanes, self._timeline, self._since, self._nbytes = lanes, lanes.timeline, since, nbytes
        self._cores = list(range(len(lanes.timeline.core_kinds)))

    def keep_cores(self, cores: list[int]) -> None:
        """Keep what ran on these."""
        ran = self._cores
        self._cores = [core for core in cores if core < len(ran)]
        others = sorted({*ran} - {*cores})
        self._drop(~np.isin(self._timeline.core, self._cores), f"of {_cores(others)}, not asked for")
        if idle := cores[len(self._cores) :]:
            self.left_out.append(f"{_cores(idle)}: only {len(ran)} ran")

    def keep_window(self, start: int, stop: int) -> None:
        """Keep what reaches into these cycles, whole."""
        inside = (self._since < stop) & (np.maximum(self._timeline.stop, self._since + 1) > start)
        self._drop(~inside, f"outside of cycles {start:,} to {stop:,}, not asked for")

    def shrink(self, limit_mb: float) -> None:
        """Make what is kept fit into a file."""
        limit = int(limit_mb * 1e6)
        why = f"to stay within {limit_mb:g} MB"
        if self._fits(limit):
            return
        self._drop(
            ~(self._lanes.is_work | _holding(self._timeline)),
            f"of flags, waits and barriers that held nothing up, {why}",
        )
        if not self._fits(limit):
            cores = self._fewer_cores(limit)
            dropped = sorted({*self._cores} - cores)
            self._cores = sorted(cores)
            if dropped:
                self._drop(np.isin(self._timeline.core, dropped), f"of {_cores(dropped)}, {why}")
        if not self._fits(limit):
            cycle = self._last_cycle(limit)
            self._drop(self._since >= cycle, f"from cycle {cycle:,} on, {why}")

    def _drop(self, spans: Mask, what: str) -> None:
        count = int((self.kept & spans).sum())
        if count:
            self.left_out.append(f"{count:,} spans {what}")
            self.kept &= ~spans

    def _fits(self, limit: int) -> bool:
        kept = self._nbytes[self.kept]
        return not len(kept) or self._naming(len(self._cores)) + int(kept.sum()) <= limit

    def _naming(self, cores: int) -> int:
        return events.NAMING_BYTES * (cores + 1)

    def _fewer_cores(self, limit: int) -> set[int]:
        """As many as there is room for, evenly spread, with the one that ends last; at least that."""
        core, wanted = self._timeline.core, np.array(self._cores)
        own = np.bincount(core[self.kept], self._nbytes[self.kept], len(self._timeline.core_kinds))
        latest = int(core[self.kept][np.argmax(self._timeline.stop[self.kept])])
        for count in range(len(wanted) - 1, 0, -1):
            cores = {latest, *wanted[np.linspace(0, len(wanted) - 1, count).astype(int)].tolist()}
            if self._naming(len(cores)) + own[list(cores)].sum() <= limit:
                return cores
        return {latest}

    def _last_cycle(self, limit: int) -> int:
        """The cycle at whose spans the room ends."""
        spans = np.flatnonzero(self.kept)
        spans = spans[np.argsort(self._since[spans], kind="stable")]
        filled = np.cumsum(self._nbytes[spans]) + self._naming(len(self._cores))
        return int(self._since[spans[np.searchsorted(filled, limit, "right")]])


def _holding(timeline: Timeline) -> Mask:
    """Waits and barriers that held their pipe up, and the flags that ended such waits."""
    waits: Mask = np.isin(timeline.cause, (Cause.FLAG, Cause.BARRIER)) & (timeline.start > timeline.ready)
    waits[timeline.by[waits & (timeline.by >= 0)]] = True
    return waits


def _cores(cores: Sequence[int]) -> str:
    """``cores 1-3, 5``."""
    runs: list[list[int]] = []
    for core in cores:
        if runs and core == runs[-1][-1] + 1:
            runs[-1][1:] = [core]
        else:
            runs.append([core])
    return f"core{'s'[: len(cores) != 1]} " + ", ".join("-".join(map(str, run)) for run in runs)
