"""Gathering, packing, transposing and sorting, one element at a time, by the rules alone.

Plain Python on bytes and numbers; nothing of the language is used here.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

Record = tuple[float, int]


def gather(dst: bytearray, src: bytes, offsets: Sequence[int], lanes: Sequence[int], size: int, starts: int) -> None:
    """Element ``lane`` of each repeat of ``dst`` = the element at a byte of ``src``.

    Args:
        dst: changed in place.
        src: the table.
        offsets: bytes, one for each lane of each repeat.
        lanes: those that take part.
        size: bytes of an element.
        starts: blocks between repeats of ``dst``.
    """
    width = 256 // size
    for repeat in range(len(offsets) // width):
        for lane in lanes:
            at, come = repeat * starts * 32 + lane * size, offsets[repeat * width + lane]
            dst[at : at + size] = src[come : come + size]


def gather_blocks(dst: bytearray, src: bytes, offsets: Sequence[int], block: int, repeat: int) -> None:
    """Block i of ``dst`` = 32 bytes of ``src``; ``block`` and ``repeat`` are strides."""
    for i, come in enumerate(offsets):
        at = 32 * (i // 8 * repeat + i % 8 * block)
        dst[at : at + 32] = src[come : come + 32]


def chosen(pattern: int | Sequence[int], bits: int, element: int) -> bool:
    """Whether a pattern keeps element number ``element`` of a repeat: built in, or words of ``bits``."""
    if isinstance(pattern, int):
        if pattern == 7:
            return True
        return element % 2 == pattern - 1 if pattern < 3 else element % 4 == pattern - 3
    return bool(pattern[element // bits] >> element % bits & 1)


def packed(
    values: Sequence[float],
    size: int,
    pattern: int | Sequence[int],
    elements: int,
    strides: tuple[int, int, int],
    repeats: int,
) -> list[float]:
    """The elements of ``values`` that a pattern keeps; strides: of blocks, of repeats, of the pattern's repeats."""
    block, repeat, again = strides
    width, out = 32 // size, []
    for r in range(repeats):
        words = pattern if isinstance(pattern, int) else pattern[r * again * width :]
        kept = [e for e in range(elements) if chosen(words, 8 * size, e)]
        out += [values[(r * repeat + e // width * block) * width + e % width] for e in kept]
    return out


def before(a: float, b: float) -> bool:
    """Whether score ``a`` comes before score ``b``; what is no number comes last."""
    return a > b or (math.isnan(b) and not math.isnan(a))


def insertion_sorted(records: Sequence[Record]) -> list[Record]:
    """Descending, equal scores as they came."""
    out: list[Record] = []
    for record in records:
        at = len(out)
        while at and before(record[0], out[at - 1][0]):
            at -= 1
        out.insert(at, record)
    return out


def merged(lists: Sequence[Sequence[Record]], *, suspends: bool) -> tuple[list[Record], list[int]]:
    """The heads of the lists, always the first of the best; and how many of each list were taken."""
    taken, out = [0] * len(lists), []
    while any(t < len(each) for t, each in zip(taken, lists, strict=True)):
        if suspends and any(t == len(each) for t, each in zip(taken, lists, strict=True)):
            break
        best = -1
        for i, each in enumerate(lists):
            if taken[i] < len(each) and (best < 0 or before(each[taken[i]][0], lists[best][taken[best]][0])):
                best = i
        out.append(lists[best][taken[best]])
        taken[best] += 1
    return out, taken


def turned(rows: Sequence[Sequence[int]], width: int) -> list[list[int]]:
    """16 rows of ``width`` elements: element (i, j) goes to place i + 16 · j, counted through 16 rows."""
    flat = [0] * (16 * width)
    for i, row in enumerate(rows):
        for j, value in enumerate(row):
            flat[j * 16 + i] = value
    return [flat[i : i + width] for i in range(0, len(flat), width)]
