"""Reductions, comparisons and selections one lane at a time, by the rules alone: the check on those families.

Nothing of the language is used here.  Numbers are single NumPy elements, so that each addition is rounded to
its type; everything else is a loop over lanes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.scalar_interpreter import Mask, Operand, chosen

Memory = np.ndarray[Any, Any]
Lane = Any | None


def element(memory: Memory, operand: Operand, repeat: int, lane: int) -> Any:
    """One lane of an operand."""
    at = operand.address(repeat, lane)
    return memory[at : at + operand.kind.itemsize].view(operand.kind)[0]


def put(memory: Memory, at: int, value: Any) -> None:
    """Write one NumPy element."""
    raw = np.frombuffer(value.tobytes(), np.uint8)
    memory[at : at + raw.size] = raw


def tree(lanes: list[Lane]) -> Any:
    """Neighbours are added, then neighbours of the sums; a lane that is not there adds nothing."""
    with np.errstate(all="ignore"):
        while len(lanes) > 1:
            pairs = zip(lanes[::2], lanes[1::2], strict=True)
            lanes = [b if a is None else a if b is None else a + b for a, b in pairs]
    return lanes[0]


def best(lanes: list[Lane], better: Callable[[Any, Any], bool]) -> tuple[Any, int]:
    """The best lane there is and its number: the first NaN, else the first of equals."""
    at = -1
    for i, lane in enumerate(lanes):
        if lane is None or (at >= 0 and np.isnan(lanes[at])):
            continue
        if at < 0 or np.isnan(lane) or better(lane, lanes[at]):
            at = i
    return lanes[at], at


def reduce_repeats(
    memory: Memory,
    dst: int,
    src: Operand,
    mask: Mask,
    repeats: int,
    stride: int,
    span: int,
    fold: Callable[[list[Lane]], list[Any]],
) -> tuple[set[int], set[int]]:
    """Fold each ``span`` lanes to the elements ``fold`` gives; a group without a lane leaves a gap.

    Gives the bytes that are written, and those that are read.
    """
    written: set[int] = set()
    read: set[int] = set()
    width = 256 // src.kind.itemsize
    there = set(chosen(mask, width))
    size = sum(e.itemsize for e in fold([src.kind.type(0)] * span))
    for repeat in range(repeats):
        lanes = [element(memory, src, repeat, i) if i in there else None for i in range(width)]
        read |= {src.address(repeat, i) + b for i in there for b in range(src.kind.itemsize)}
        for group in range(width // span):
            mine = lanes[group * span : (group + 1) * span]
            if any(lane is not None for lane in mine):
                at = dst + (repeat * stride * (width // span) + group) * size
                for value in fold(mine):
                    put(memory, at, value)
                    written |= set(range(at, at + value.itemsize))
                    at += value.itemsize
    return written, read


def in_turn(values: list[Any]) -> Any:
    """One after another, rounded each time."""
    total = values[0]
    with np.errstate(all="ignore"):
        for value in values[1:]:
            total = total + value
    return total


def compare(a: list[Any], b: list[Any], test: Callable[[Any, Any], bool]) -> bytes:
    """Bit i is the verdict on lane i, lowest bit first."""
    out = bytearray(len(a) // 8)
    for i, (x, y) in enumerate(zip(a, b, strict=True)):
        if test(x, y):
            out[i // 8] |= 1 << i % 8
    return bytes(out)


def bit(image: Memory, number: int) -> bool:
    """Bit ``number`` of some bytes, lowest first."""
    return bool(int(image[number // 8]) >> number % 8 & 1)
