"""Every row of a matrix folded into one number: its sum, largest or smallest element; and back into blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..block import BLOCK, whole_blocks
from ..enums import ReduceOrder
from ..isa.elementwise import Elementwise
from ..isa.vector_binary import add
from ..isa.vector_binary import max as larger
from ..isa.vector_binary import min as smaller
from ..isa.vector_copy import brcb, copy
from ..isa.vector_fill import duplicate
from ..isa.vector_reduce import whole_reduce_max, whole_reduce_min, whole_reduce_sum
from ..memory import LocalTensor
from ..params import BrcbRepeatParams
from .matrix import REPEAT_BYTES, Grid, each, lanes_of, pitch_of, walk

_GROUP = 8
"""Elements that ``brcb`` takes at a time."""


@dataclass(frozen=True, slots=True)
class Fold:
    """A way to make one number of many.

    Attributes:
        pair: the instruction that makes one of two.
        whole: the one that makes one of a repeat.
        flags: what ``whole`` needs besides, to leave the number alone.
    """

    pair: Elementwise
    whole: Any
    flags: tuple[ReduceOrder, ...] = ()

    def rows(self, dst: LocalTensor, src: Grid, rows: int, columns: int, work: LocalTensor) -> None:
        """``dst[i]`` = row i of ``src`` folded, from any element of ``dst`` on."""
        fold_rows(self, dst, src, rows, columns, work)

    def room(self, rows: int, columns: int, item: int) -> int:
        """Elements of ``work`` that :meth:`rows` needs."""
        return rows * fold_room(columns, item)


SUM = Fold(add, whole_reduce_sum)
MAX = Fold(larger, whole_reduce_max, (ReduceOrder.ORDER_ONLY_VALUE,))
MIN = Fold(smaller, whole_reduce_min, (ReduceOrder.ORDER_ONLY_VALUE,))


def fold_rows(how: Fold, dst: LocalTensor, src: Grid, rows: int, columns: int, work: LocalTensor) -> None:
    """``dst[i]`` = row i of ``src`` folded; ``work`` has :func:`fold_room` elements for each row.

    Rows of several repeats: either these are first combined lane by lane, which makes sums of every 64th element
    (128th of float16), or each is folded first and then their results; whichever takes fewer instructions.
    """
    lanes, pitch = lanes_of(src), pitch_of(src)
    stretches = list(walk(rows, columns, lanes, pitch))
    if columns > lanes and not stretches[0].is_along:
        _combine(how, Grid(work, lanes), src, rows, columns)
        fold_rows(how, dst, Grid(work, lanes), rows, lanes, work)
        return
    repeats = -(-columns // lanes)
    target = Grid(dst, 1) if repeats == 1 else Grid(work, whole_blocks(repeats, src.tensor.dtype.itemsize))
    for stretch in stretches:
        start, blk, rep = stretch.place(src)
        at = target.tensor[stretch.row * target.row + stretch.column // lanes :]
        how.whole(at, start, stretch.lanes, stretch.repeats, 1, blk, rep, *how.flags)
    if repeats > 1:
        fold_rows(how, dst, target, rows, repeats, work[rows * target.row :])


def _combine(how: Fold, dst: Grid, src: Grid, rows: int, columns: int) -> None:
    """One repeat of ``dst`` for each row: all repeats of that row, lane by lane."""
    lanes = lanes_of(src)
    if columns < 2 * lanes:
        each(copy, rows, lanes, dst, src)
    else:
        each(how.pair, rows, lanes, dst, src, src.right(lanes))
    for column in range(lanes if columns < 2 * lanes else 2 * lanes, columns, lanes):
        each(how.pair, rows, min(lanes, columns - column), dst, dst, src.right(column))


def fold_room(columns: int, item: int) -> int:
    """Elements of ``work`` for each row of ``columns`` elements of ``item`` bytes."""
    lanes = REPEAT_BYTES // item
    repeats = -(-columns // lanes)
    if repeats <= 1:
        return 0
    return max(lanes, whole_blocks(repeats, item) + fold_room(repeats, item))


def grouped(rows: int) -> int:
    """``rows`` rounded up to what :func:`spread` works in."""
    return -(-rows // _GROUP) * _GROUP


def packed_room(rows: int, item: int) -> int:
    """Elements for one number a row, as :func:`spread` needs them."""
    return whole_blocks(grouped(rows), item)


def clear_tail(packed: LocalTensor, rows: int) -> None:
    """Give the elements behind ``rows`` numbers a value, before the numbers are there: :func:`spread` reads them."""
    if rows % _GROUP:
        duplicate(packed, 0, packed_room(rows, packed.dtype.itemsize))


def spread(blocks: LocalTensor, packed: LocalTensor, rows: int) -> None:
    """Fill block i with number i; both have room for whole groups of 8 rows, and :func:`clear_tail` was called."""
    most, width = 254, BLOCK // blocks.dtype.itemsize
    for first in range(0, grouped(rows), most * _GROUP):
        groups = min(most, (grouped(rows) - first) // _GROUP)
        brcb(blocks[first * width :], packed[first:], groups, BrcbRepeatParams(1, _GROUP))


def collect(dst: LocalTensor, blocks: Grid, rows: int) -> None:
    """Undo :func:`spread`, from any element of ``dst`` on: the first element of each block, a largest of one."""
    for stretch in walk(rows, 1, 1, 1):
        start, _, rep = stretch.place(blocks)
        whole_reduce_max(dst[stretch.row :], start, 1, stretch.repeats, 1, 1, rep, ReduceOrder.ORDER_ONLY_VALUE)
