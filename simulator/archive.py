"""Timelines as files: see :mod:`ascendc.language.npz` for the container."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from ascendc.language.npz import read_npz, spec_from_json, spec_to_json, write_npz
from ascendc.language.program import Kind

from .timeline import COLUMNS, Allocations, Label, Timeline

SCHEMA: Final = "timeline/1"

Loaded = TypeVar("Loaded", bound=Timeline)


def save_timeline(timeline: Timeline, path: Path) -> None:
    """See :meth:`Timeline.save`."""
    buffers = Allocations.of(timeline.allocations)
    header = {
        "kernel": timeline.kernel,
        "chip": spec_to_json(timeline.spec),
        "labels": [asdict(label) for label in timeline.labels],
        "core_kinds": timeline.core_kinds,
        "traffic": timeline.traffic,
        "spaces": buffers.spaces,
        "lines": buffers.lines,
    }
    columns = {name: getattr(timeline, name) for name in COLUMNS}
    write_npz(path, SCHEMA, header, {**columns, "allocations": buffers.columns})


def load_timeline(cls: type[Loaded], path: Path) -> Loaded:
    """See :meth:`Timeline.load`."""
    header, arrays = read_npz(path, SCHEMA)
    return cls(
        kernel=header["kernel"],
        spec=spec_from_json(header["chip"]),
        labels=tuple(Label(**{**label, "kind": Kind(label["kind"])}) for label in header["labels"]),
        **{name: arrays[name].astype(np.int64, copy=False) for name in COLUMNS},
        core_kinds=tuple(header["core_kinds"]),
        allocations=Allocations(arrays["allocations"], tuple(header["spaces"]), tuple(header["lines"])),
        traffic=tuple((name, number) for name, number in header["traffic"]),
    )
