"""Stages: named parts of a kernel, which the timeline shows in colour.

``@asc.copy_in``, ``@asc.compute`` and ``@asc.copy_out`` mark a function as one of the three classic ones and
refuse instructions that cannot belong there; ``asc.stage("name")`` marks any other, as a decorator or in a
``with`` statement.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from .core import current
from .enums import PipeID
from .errors import UsageError

if TYPE_CHECKING:
    from types import FrameType

    from .core import Core

P = ParamSpec("P")
R = TypeVar("R")

_REFUSED = {
    "copy_in": (PipeID.PIPE_V, PipeID.PIPE_M, PipeID.PIPE_MTE3, PipeID.PIPE_FIX),
    "compute": (PipeID.PIPE_MTE2, PipeID.PIPE_MTE3),
    "copy_out": (PipeID.PIPE_V, PipeID.PIPE_M, PipeID.PIPE_MTE1, PipeID.PIPE_MTE2),
}
"""Pipes whose instructions have no place in a stage."""

SUSPENDED = (inspect.isgeneratorfunction, inspect.iscoroutinefunction, inspect.isasyncgenfunction)
"""Functions that do not run when they are called: nothing of a kernel can be one."""

_HOME = {"V": "compute", "M": "compute", "MTE1": "compute", "MTE2": "copy_in", "MTE3": "copy_out", "FIX": "copy_out"}


@contextlib.contextmanager
def stage(name: str) -> Iterator[None]:
    """Mark everything issued inside as part of stage ``name``."""
    core = current()
    before, core.stage = core.stage, name
    try:
        yield
    finally:
        core.stage = before


def _marker(name: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    def mark(body: Callable[P, R]) -> Callable[P, R]:
        inner = getattr(body, "body", body)
        if any(asks(inner) for asks in SUSPENDED):
            raise UsageError(
                f"@asc.{name}: {inner.__name__} is a generator or coroutine, which would run outside its stage; "
                "a stage is a plain function"
            )

        @functools.wraps(inner)
        def run(*args: P.args, **kwargs: P.kwargs) -> R:
            core = current()
            before, core.stage = core.stage, name
            try:
                result: R = inner(*args, **kwargs)
                return result
            finally:
                core.stage = before

        return run

    mark.__name__ = mark.__qualname__ = name
    mark.__doc__ = f"Mark a function as the stage {name.replace('_', '-')} of a kernel."
    return mark


copy_in = _marker("copy_in")
compute = _marker("compute")
copy_out = _marker("copy_out")


def need_stage(core: Core, frame: FrameType, call: str, pipe: PipeID) -> None:
    """Check that an instruction of ``pipe`` may stand in the current stage.

    Raises:
        UsageError: it may not.
    """
    if pipe in _REFUSED.get(core.stage, ()):
        core.fail(
            UsageError,
            f"{call} runs on {pipe.short} and cannot be part of the {core.stage} stage; "
            f"move it to a function under @asc.{_HOME[pipe.short]}",
            frame,
        )
