"""The instructions in C++ spelling, for kernels on their way from Ascend C: ``from ascendc import cpp_names as cpp``.

``cpp.DataCopy`` is ``asc.data_copy``: same arguments, and messages speak of that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .language.isa import ISA

NAMES: dict[str, Callable[..., Any]] = {op.cpp: op for op in ISA.values() if callable(op)}
"""What there is, by name: the declarations know their own."""


def __getattr__(name: str) -> Callable[..., Any]:
    found = NAMES.get(name)
    if found is None:
        raise AttributeError(f"{__name__} has no instruction {name!r}; queue calls are methods of the queue")
    return found


def __dir__() -> list[str]:
    return sorted(NAMES)
