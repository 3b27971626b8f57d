"""Comparing the stages of a kernel with what they should hold: which of them goes wrong first, and where.

``compare_stage`` stands in the kernel, costs no cycle, leaves no row and prints nothing; what it saw travels with
the program, as one :class:`Comparison` for each stage.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import patterns
from .access import refuse
from .core import Core, current
from .errors import UsageError
from .findings import Finding, Severity
from .global_memory import GlobalTensor
from .memory import LocalTensor
from .site import kernel_frame

Array = NDArray[Any]

TOLERANCE = {"float16": 1e-3, "bfloat16": 2.0**-7, "float32": 1e-4}
"""What counts as equal: the public samples' own limits (S04 and S19 of the case catalogue); one unit in the last
place of bfloat16.  Integers must be equal; a plain number is taken for one computed in float32."""
_SHOWN = 5


class Wrong(NamedTuple):
    """One lane that differs: lane ``lane`` of the block's ``tile``-th call at this stage."""

    block: int
    tile: int
    lane: int
    got: float
    want: float

    def __str__(self) -> str:
        return f"(block {self.block}, tile {self.tile}, lane {self.lane}) {self.got:.6g} instead of {self.want:.6g}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """One stage of a launch beside what it should hold.

    Attributes:
        name: the stage.
        line: where it was compared first, as ``file:line``.
        tiles, lanes: calls and elements compared, in all blocks.
        wrong: elements that differ by more than the tolerance.
        max_abs_error, max_rel_error: largest differences; infinite for a NaN or an infinity in place of a number.
        first: the first wrong lanes, by block, tile and lane.
        pattern: what the wrong lanes have in common, if anything.
        blocks: those with wrong elements, ascending.
        since: (call, block) of the first wrong tile, calls counted over all stages of the block.
    """

    name: str
    line: str
    tiles: int
    lanes: int
    wrong: int = 0
    max_abs_error: float = 0.0
    max_rel_error: float = 0.0
    first: tuple[Wrong, ...] = ()
    pattern: str = ""
    blocks: tuple[int, ...] = ()
    since: tuple[int, int] | None = None

    def __str__(self) -> str:
        errors = f"off by up to {self.max_abs_error:.3g} (relative {self.max_rel_error:.3g})"
        if not self.wrong:
            return f"stage {self.name}: {self.lanes:,} lanes are as wanted, {errors}"
        pattern = f"; {self.pattern}" if self.pattern else ""
        first = ", ".join(map(str, self.first))
        return f"stage {self.name}: {self.wrong:,} of {self.lanes:,} lanes differ, {errors}{pattern}; first: {first}"

    def finding(self) -> Finding:
        """The stage as a finding; it should differ."""
        return Finding("compare", Severity.ERROR, f"{self.line}: {self}", (self.line,), self.blocks)


def first_difference(stages: Iterable[Comparison]) -> Comparison | None:
    """The stage that went wrong earliest in the order of issue of a block, the likely cause of all later ones."""
    return min((s for s in stages if s.wrong), key=lambda s: s.since or (0, 0), default=None)


def compare_stage(name: str, got: Any, want: Any, *, tolerance: float | None = None) -> None:
    """Compare what a stage of the kernel holds at this line with what it should hold.

    Args:
        name: the stage; the n-th call of a block with one name is its tile n.
        got: a tensor, or an array of values.
        want: a number, or as many of them as ``got`` has.
        tolerance: largest |got − want| / max(1, |want|) that counts as equal; that of the element type if not given.

    Raises:
        UsageError: the sizes differ, or one of the two holds no numbers.
    """
    core = current()
    actual, written = _read(core, name, "got", got)
    wanted, _ = _read(core, name, "want", want)
    if wanted.size not in (1, actual.size):
        core.fail(
            UsageError,
            f"compare_stage: {name}: got has {actual.size} elements, want has {wanted.size}; "
            f"compare a window of equal size, as got[:{wanted.size}]",
        )
    tally = core.comparisons.get(name)
    if tally is None:
        tally = core.comparisons[name] = Tally(name, str(core.site(kernel_frame())))
    if tolerance is None:
        tolerance = 0.0 if actual.dtype.kind in "biu" else TOLERANCE.get(actual.dtype.name, TOLERANCE["float32"])
    call = sum(t.counts.get(core.index, 0) for t in core.comparisons.values())
    repeat = max(1, core.spec.vector.repeat_bytes // actual.itemsize)
    tally.add(Tile(actual, np.broadcast_to(wanted, actual.shape), written, repeat), tolerance, core.index, call)


def _read(core: Core, name: str, role: str, thing: Any) -> tuple[Array, NDArray[np.bool_]]:
    """The values of a tensor or an array, and which of them anything wrote."""
    if isinstance(thing, LocalTensor):
        if thing.core is not core or not thing.lease.usable:
            refuse(core, "compare_stage", role, thing, 0)
        kind = thing.dtype
        shadow = np.frombuffer(thing.memory.shadow, np.uint8, kind.nbytes(len(thing)), thing.address)
        return thing.values, shadow.reshape(-1, kind.itemsize).all(axis=1).repeat(kind.per_item)
    values = thing.values if isinstance(thing, GlobalTensor) else np.asarray(thing).reshape(-1)
    if values.dtype.kind not in "biuf" and values.dtype.name not in TOLERANCE:  # bfloat16 is no kind of NumPy's
        core.fail(UsageError, f"compare_stage: {name}: {role} must be a tensor, an array or a number, got {thing!r}")
    return values, np.ones(values.size, np.bool_)


class Tile(NamedTuple):
    """One call: the values, the wanted ones, which were ever written, and lanes in a repeat."""

    got: Array
    want: Array
    written: NDArray[np.bool_]
    repeat: int

    def errors(self) -> tuple[Array, Array]:
        """Absolute and relative difference of each lane, the latter 0 where 0 is wanted; NaN is equal to NaN."""
        with np.errstate(all="ignore"):
            got, want = self.got.astype(np.float64), self.want.astype(np.float64)
            same = (self.got == self.want) | (np.isnan(got) & np.isnan(want))
            off = np.where(same, 0.0, np.abs(got - want))
            relative = np.where((off == 0) | (want == 0), 0.0, off / np.abs(want))
            off[np.isnan(off)] = relative[np.isnan(relative)] = np.inf
            return off, relative


@dataclass(slots=True)
class Tally:
    """A :class:`Comparison` in the making: the tiles of one stage as they come.

    Attributes:
        name, line: as there.
        counts: tiles of each block so far.
    """

    name: str
    line: str
    counts: dict[int, int] = field(default_factory=dict)
    _seen: int = 0
    _wrong: int = 0
    _worst: tuple[float, float] = (0.0, 0.0)
    _first: list[Wrong] = field(default_factory=list)
    _tiles: list[tuple[int, int]] = field(default_factory=list)
    _lanes: list[str] | None = None
    _values: list[str] | None = None
    _since: tuple[int, int] | None = None

    def add(self, tile: Tile, tolerance: float, block: int, call: int) -> None:
        """Take in one tile; it is the block's ``call``-th of all stages."""
        number = self.counts.get(block, 0)
        self.counts[block] = number + 1
        self._seen += tile.got.size
        off, relative = tile.errors()
        self._worst = max(self._worst[0], off.max(initial=0.0)), max(self._worst[1], relative.max(initial=0.0))
        with np.errstate(all="ignore"):
            bad = np.flatnonzero(
                (off > tolerance * np.maximum(1, np.abs(tile.want.astype(np.float64)))) | np.isinf(off)
            )
        if not len(bad):
            return
        got, want = tile.got[bad].astype(np.float64), tile.want[bad].astype(np.float64)
        self._wrong += len(bad)
        self._tiles.append((block, number))
        here = (call, block)
        self._since = here if self._since is None else min(self._since, here)
        shown = zip(bad[:_SHOWN].tolist(), got[:_SHOWN].tolist(), want[:_SHOWN].tolist(), strict=True)
        self._first = sorted([*self._first, *(Wrong(block, number, *rest) for rest in shown)])[:_SHOWN]
        self._lanes = _common(self._lanes, patterns.lanes(bad, tile.got.size, tile.repeat))
        with np.errstate(all="ignore"):
            self._values = _common(self._values, patterns.values(got, want, tile.written[bad]))

    def comparison(self) -> Comparison:
        """What came of it."""
        return Comparison(
            self.name,
            self.line,
            sum(self.counts.values()),
            self._seen,
            self._wrong,
            float(self._worst[0]),
            float(self._worst[1]),
            tuple(self._first),
            self._pattern(),
            tuple(sorted({block for block, _ in self._tiles})),
            self._since,
        )

    def _pattern(self) -> str:
        if not self._wrong:
            return ""
        where = [*(self._lanes or [])[:1], *patterns.tiles(self._tiles, self.counts)]
        return ", ".join([*where, *(self._values or [])[:1]])


def _common(before: list[str] | None, now: Iterator[str]) -> list[str]:
    """The phrases true of all tiles so far."""
    phrases = list(now)
    return phrases if before is None else [p for p in before if p in phrases]
