"""Timelines built by hand: a row says what ran where and when, the builder fills the columns."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ascendc.language.enums import PipeID
from ascendc.language.hardware import HardwareSpec
from ascendc.language.program import Kind
from simulator.timeline import Cause, Label, Timeline


@dataclass(frozen=True)
class Row:
    """One span: pipe, start, stop, and what else is not usual."""

    pipe: str
    start: int
    stop: int
    name: str = "add"
    kind: Kind = Kind.COMPUTE
    core: int = 0
    ready: int | None = None
    cause: Cause = Cause.NONE
    by: int = -1
    stage: str = ""
    line: str = "k.py:1"
    nbytes: int = 0
    route: str = ""
    queued: bool = False
    block: int | None = None

    @property
    def label(self) -> Label:
        return Label(
            self.name, self.name, self.kind, self.line, self.stage, self.nbytes, self.route, False, self.queued
        )


def copy_in(start: int, stop: int, nbytes: int = 64, core: int = 0, **more: object) -> Row:
    row = Row("MTE2", start, stop, "data_copy", Kind.MOVE, core, stage="copy_in", nbytes=nbytes, route="gm_to_ub")
    return replace(row, **more)  # type: ignore[arg-type]


def copy_out(start: int, stop: int, nbytes: int = 64, core: int = 0, **more: object) -> Row:
    row = Row("MTE3", start, stop, "data_copy", Kind.MOVE, core, stage="copy_out", nbytes=nbytes, route="ub_to_gm")
    return replace(row, **more)  # type: ignore[arg-type]


def build(*rows: Row, spec: HardwareSpec | None = None, kinds: tuple[str, ...] = (), **traffic: int) -> Timeline:
    """A timeline of these rows; as many vector cores as they name unless ``kinds`` says otherwise."""
    labels = list(dict.fromkeys(row.label for row in rows))

    def column(values: list[int]) -> np.ndarray:
        return np.array(values, np.int64)

    return Timeline(
        kernel="by_hand",
        spec=spec or HardwareSpec.load("demo"),
        labels=tuple(labels),
        block=column([r.core if r.block is None else r.block for r in rows]),
        core=column([r.core for r in rows]),
        pipe=column([PipeID.of(r.pipe) for r in rows]),
        ready=column([r.start if r.ready is None else r.ready for r in rows]),
        start=column([r.start for r in rows]),
        stop=column([r.stop for r in rows]),
        cause=column([r.cause for r in rows]),
        by=column([r.by for r in rows]),
        label=column([labels.index(r.label) for r in rows]),
        core_kinds=kinds or ("aiv",) * (1 + max((r.core for r in rows), default=0)),
        traffic=tuple(traffic.items()),
    )


def streaming(
    cores: int, tiles: int, buffers: int, load: int, work: int, store: int, nbytes: int = 4096, skew: int = 0
) -> list[Row]:
    """Rows of a load, compute, store loop on every core, with its flags, as max-plus recurrences.

    Tile ``i`` is loaded once tile ``i - buffers`` was computed; its result goes to a buffer that tile
    ``i - buffers`` was stored from.  Core ``c`` computes ``c * skew`` cycles longer.
    """
    rows: list[Row] = []
    for core in range(cores):
        loaded, computed, stored = [0], [0], [0]
        for i in range(tiles):
            free, room = (([0] * buffers + ends[1:])[i] for ends in (computed, stored))
            start = max(loaded[-1], free)
            waits = Row("MTE2", start, start, "wait V_MTE2", Kind.WAIT, core, loaded[-1], Cause.FLAG)
            rows += [waits, copy_in(start, start + load, nbytes, core, ready=start)]
            loaded.append(start + load)
            rows.append(Row("MTE2", start, loaded[-1], "set MTE2_V", Kind.SET, core))
            begin = max(loaded[-1], computed[-1], room)
            flag = len(rows) - 1
            rows.append(Row("V", begin, begin, "wait MTE2_V", Kind.WAIT, core, computed[-1], Cause.FLAG, flag))
            computed.append(begin + work + core * skew)
            rows.append(Row("V", begin, computed[-1], core=core, stage="compute"))
            leave = max(computed[-1], stored[-1])
            rows.append(Row("MTE3", leave, leave, "wait V_MTE3", Kind.WAIT, core, stored[-1], Cause.FLAG))
            stored.append(leave + store)
            rows.append(copy_out(leave, stored[-1], nbytes // 2, core))
    return rows
