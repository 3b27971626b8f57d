"""The instructions in C++ spelling, for kernels on their way from Ascend C: ``from ascendc import cpp_names as cpp``.

``cpp.DataCopy`` is ``asc.data_copy``: same arguments, and messages speak of that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .language.isa import ISA

NAMES: dict[str, Callable[..., Any]] = {op.cpp: op for op in ISA.values() if callable(op)}
"""What there is, by name: the declarations know their own."""

globals().update(NAMES)


def __getattr__(name: str) -> Callable[..., Any]:
    """Only for type checkers, and for names that are none."""
    raise AttributeError(f"module {__name__!r} has no instruction {name!r}; queue calls are methods of the queue")
