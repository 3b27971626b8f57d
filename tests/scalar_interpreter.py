"""Vector instructions one lane at a time, by the rules alone: the check on the families.

A repeat is 256 bytes of the widest operand; lane i of an operand lies in block i · size / 32 of the repeat,
blocks ``blk`` · 32 bytes apart, repeats ``rep`` · 32.  Repeats run one after another; a repeat reads all its
lanes, then writes them.  Nothing of the language is used here: addresses are sums, numbers are Python's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Total:
    """Counter mode: how many elements there are in all, from the first repeat on."""

    count: int


Mask = int | list[int] | Total


@dataclass(frozen=True)
class Operand:
    """Where an operand lies: first byte, element type, strides in blocks."""

    start: int
    kind: np.dtype[Any]
    blk: int = 1
    rep: int = 8

    def address(self, repeat: int, lane: int) -> int:
        block, within = divmod(lane * self.kind.itemsize, 32)
        return self.start + repeat * self.rep * 32 + block * self.blk * 32 + within


def chosen(mask: Mask, lanes: int, repeat: int = 0) -> list[int]:
    """Numbers of the lanes of a repeat that take part."""
    if isinstance(mask, Total):
        return list(range(min(lanes, max(mask.count - repeat * lanes, 0))))
    if isinstance(mask, int):
        return list(range(mask))
    return [i for i in range(lanes) if mask[i // 64] >> i % 64 & 1]


def lanes_of(operands: Sequence[Operand]) -> int:
    """Lanes of a repeat."""
    return 256 // max(o.kind.itemsize for o in operands)


def run(
    memory: np.ndarray[Any, Any],
    operands: Sequence[Operand],
    mask: Mask,
    repeats: int,
    compute: Callable[..., Any],
    *,
    reads_dst: bool = False,
) -> set[int]:
    """Execute on ``memory``, bytes; the destination comes first.  Gives the bytes that were written."""
    dst, written = operands[0], set()
    for repeat in range(repeats):
        lanes = chosen(mask, lanes_of(operands), repeat)
        sources = operands if reads_dst else operands[1:]
        read = [[_get(memory, o, o.address(repeat, lane)) for o in sources] for lane in lanes]
        for lane, values in zip(lanes, read, strict=True):
            at, size = dst.address(repeat, lane), dst.kind.itemsize
            memory[at : at + size] = np.frombuffer(_element(compute(*values), dst.kind).tobytes(), np.uint8)
            written.update(range(at, at + size))
    return written


def is_legal(operands: Sequence[Operand], mask: Mask, repeats: int, *, accumulates: bool) -> bool:
    """Whether the destination overlaps the sources as it may."""
    dst = operands[0]
    lanes = [chosen(mask, lanes_of(operands), n) for n in range(repeats)]
    for i, src in enumerate(operands[1:], 1):
        may_accumulate = accumulates and i == 2 and 0 in (src.rep, dst.rep)
        for n in range(repeats):
            read, write = _bytes(src, n, lanes[n]), _bytes(dst, n, lanes[n])
            if set(read) & set(write) and read != write:
                return False
            if n and set(read) & set(_bytes(dst, n - 1, lanes[n - 1])) and not may_accumulate:
                return False
    return True


def _bytes(operand: Operand, repeat: int, lanes: list[int]) -> list[int]:
    return [operand.address(repeat, lane) + b for lane in lanes for b in range(operand.kind.itemsize)]


def _get(memory: np.ndarray[Any, Any], operand: Operand, at: int) -> Any:
    return memory[at : at + operand.kind.itemsize].view(operand.kind)[0].item()


def _element(value: Any, kind: np.dtype[Any]) -> Any:
    """``value`` in a lane: integers wrap, floats round to nearest even."""
    if kind.kind in "iu":
        bits = 8 * kind.itemsize
        value = int(value) % (1 << bits)
        if kind.kind == "i" and value >> bits - 1:
            value -= 1 << bits
    with np.errstate(all="ignore"):
        return np.array(value, np.float64 if kind.kind not in "iu" else None).astype(kind)


def _ieee(function: Callable[..., Any]) -> Callable[..., Any]:
    """Floats as the standard has them: infinities and NaN in place of Python's exceptions."""

    def lanes(*values: Any) -> Any:
        if all(isinstance(v, int) for v in values):
            return function(*values)
        with np.errstate(all="ignore"):
            return float(function(*(np.float64(v) for v in values)))

    return lanes


def _either_nan(a: Any, b: Any, other: Callable[[Any, Any], Any]) -> Any:
    return math.nan if math.isnan(a) or math.isnan(b) else other(a, b)


LANES: dict[str, Callable[..., Any]] = {
    "add": _ieee(lambda a, b: a + b),
    "sub": _ieee(lambda a, b: a - b),
    "mul": _ieee(lambda a, b: a * b),
    "div": _ieee(lambda a, b: a / b),
    "max": lambda a, b: _either_nan(a, b, max),
    "min": lambda a, b: _either_nan(a, b, min),
    "adds": _ieee(lambda a, s: a + s),
    "muls": _ieee(lambda a, s: a * s),
    "maxs": lambda a, s: _either_nan(a, s, max),
    "mins": lambda a, s: _either_nan(a, s, min),
    "leaky_relu": _ieee(lambda a, s: a if a >= 0 else a * s),
    "abs": abs,
    "exp": _ieee(np.exp),
    "ln": _ieee(np.log),
    "sqrt": _ieee(np.sqrt),
    "rsqrt": _ieee(lambda a: 1 / np.sqrt(a)),
    "reciprocal": _ieee(lambda a: 1 / a),
    "relu": lambda a: _either_nan(a, 0, max),
    "duplicate": lambda s: s,
}
"""What each instruction does to one lane; numbers after the sources are its scalar."""
