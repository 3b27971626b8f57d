"""One lane of the instructions that change the element type, in fractions: ``cast``, and int32 scaled to float16."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

import ascendc as asc
from tests.exact import MODES, exact_cast
from tests.fused_lanes import nearest

Kind = np.dtype[Any]
_F16, _F32 = np.dtype(np.float16), np.dtype(np.float32)


def modes(kinds: list[Kind]) -> list[asc.RoundMode]:
    """The round modes of a pair of types, the destination's first; int32 to float16 is scaled in any."""
    target, source = (k.name for k in kinds)
    there = MODES.get((source, target), ("NONE",))
    return [asc.RoundMode[f"CAST_{mode}"] for mode in there]


def _scaled(value: int, scale: float) -> float:
    """``value · scale`` in float16; value and product are rounded to float32 on the way."""
    single = nearest(Fraction(value), _F32)
    product = nearest(Fraction(single) * Fraction(scale), _F32)
    return nearest(Fraction(product), _F16)


def _cast(kinds: list[Kind], scale: float, value: Any, mode: asc.RoundMode) -> Any:
    target, source = (k.name for k in kinds)
    if (source, target) == ("int32", "float16"):
        return _scaled(value, scale)
    return exact_cast(value, source, target, mode.name.removeprefix("CAST_"))


def _add_deq_relu(_: list[Kind], scale: float, a: int, b: int) -> float:
    total = (a + b + 2**31) % 2**32 - 2**31
    return max(_scaled(total, scale), 0.0)


CONVERTED: dict[str, Callable[..., Any]] = {"cast": _cast, "add_deq_relu": _add_deq_relu}
"""What each does to one lane: the operands' types, destination first, the scale, what it reads, its round mode."""
