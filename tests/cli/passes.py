"""Stand-ins for what the passes find, so that the command can be shown outcomes no real kernel has."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ascendc.language.findings import Finding
from ascendc.language.kernel import kernel
from ascendc.language.program import Kind, Program
from simulator.timeline import Label, Timeline


@kernel
def fake() -> None:
    """Issue nothing."""


def program(blocks: int = 1, findings: tuple[Finding, ...] = ()) -> Program:
    """A launch that issued nothing, under the launch options of the moment."""
    return replace(fake[blocks](), findings=findings)


def timeline(program: Program, progress: object = None) -> Timeline:
    """A thousand cycles in which the scalar unit of one core was busy."""
    label = Label("scalar", "scalar", Kind.SCALAR, "k.py:1", "", 0, "", auto=False, queued=False)
    zero = np.zeros(1, np.int64)
    columns = dict.fromkeys(("block", "core", "pipe", "ready", "start", "cause", "label"), zero)
    return Timeline(
        program.kernel, program.spec, (label,), **columns, stop=zero + 1000, by=zero - 1, core_kinds=("aiv",)
    )
