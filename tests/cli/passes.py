"""Stand-ins for the passes, so that the command can be shown outcomes no real kernel has."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np

from ascendc.language.findings import Finding
from ascendc.language.hardware import HardwareSpec
from ascendc.language.program import Kind, Program, Recorder
from simulator.timeline import Label, Timeline


def program(spec: HardwareSpec, blocks: int = 1, findings: tuple[Finding, ...] = (), kernel: str = "fake") -> Program:
    """A launch that issued nothing."""
    return Program(kernel, spec, (), tuple(Recorder("aiv", []).freeze() for _ in range(blocks)), findings=findings)


def timeline(program: Program, progress: object = None) -> Timeline:
    """A thousand cycles in which the scalar unit of one core was busy."""
    label = Label("scalar", "scalar", Kind.SCALAR, "k.py:1", "", 0, "", auto=False, queued=False)
    zero = np.zeros(1, np.int64)
    columns = dict.fromkeys(("block", "core", "pipe", "ready", "start", "cause", "label"), zero)
    return Timeline(
        program.kernel, program.spec, (label,), **columns, stop=zero + 1000, by=zero - 1, core_kinds=("aiv",)
    )


def kernel_module(asked: dict[str, Any]) -> ModuleType:
    """``ascendc.language.kernel`` without launches: ``asked`` gets the defaults, ``launched`` calls the observer."""
    module = ModuleType("ascendc.language.kernel")
    observers: list[Callable[[Program], None]] = []

    @contextlib.contextmanager
    def defaults(**options: Any) -> Iterator[None]:
        asked.update(options)
        yield

    @contextlib.contextmanager
    def observe(on_launch: Callable[[Program], None] | None = None, on_block: object = None) -> Iterator[None]:
        observers[:] = [on_launch] if on_launch else []
        yield

    def launched(program: Program) -> None:
        for observer in observers:
            observer(program)

    vars(module).update(defaults=defaults, observe=observe, launched=launched)
    return module
