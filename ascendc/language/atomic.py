"""Atomic stores: what a store to global memory does with the element that is there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .dtypes import DataType, bfloat16, float16, float32, int8, int16, int32
from .enums import AtomicDtype, AtomicOp
from .isa.extremes import larger, smaller

KINDS = {
    AtomicDtype.ATOMIC_F32: float32,
    AtomicDtype.ATOMIC_F16: float16,
    AtomicDtype.ATOMIC_S16: int16,
    AtomicDtype.ATOMIC_S32: int32,
    AtomicDtype.ATOMIC_S8: int8,
    AtomicDtype.ATOMIC_BF16: bfloat16,
}
"""Element types that atomic stores have."""

_COMBINE: dict[AtomicOp, Callable[..., NDArray[Any]]] = {
    AtomicOp.ATOMIC_SUM: np.add,
    AtomicOp.ATOMIC_MAX: larger,
    AtomicOp.ATOMIC_MIN: smaller,
}
_WORD = {AtomicOp.ATOMIC_SUM: "add", AtomicOp.ATOMIC_MAX: "max", AtomicOp.ATOMIC_MIN: "min"}


@dataclass(frozen=True, slots=True)
class Atomic:
    """The mode of stores while atomics are on.

    Attributes:
        op: what they do.
        kind: the element type they work in.
        line: the kernel line that turned them on.
    """

    op: AtomicOp
    kind: DataType
    line: str = field(default="", compare=False)

    def store(self, target: NDArray[Any], values: NDArray[Any]) -> None:
        """Combine ``values`` into ``target``: rounded once, integers wrap."""
        with np.errstate(all="ignore"):
            target[...] = _COMBINE[self.op](target, values)

    def __str__(self) -> str:
        return f"{_WORD[self.op]} {self.kind}"
