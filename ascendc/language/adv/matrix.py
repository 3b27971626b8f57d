"""Row-wise work on a matrix in UB: what its operands are, and instructions that run over all of it.

A matrix is walked in repeats of up to 256 bytes, either down the rows (one column of lanes at a time) or along
each row, whichever takes fewer instructions.  Elements between the end of a row and the start of the next are
never touched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ..block import BLOCK
from ..core import current
from ..isa.vector_copy import copy
from ..memory import LocalTensor
from ..params import BinaryRepeatParams, CopyRepeatParams, UnaryRepeatParams

REPEAT_BYTES = 8 * BLOCK
"""Of one repeat."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A tensor as rows and columns: an operand of row-wise work.

    Attributes:
        tensor: where it starts.
        row: elements from one row to the next; 0 if all rows are the same.
        column: 1, or 0 if all columns are the same: one block then holds the value of a row.
    """

    tensor: LocalTensor
    row: int
    column: int = 1

    def down(self, rows: int) -> Grid:
        """The grid from row ``rows`` on."""
        return Grid(self.tensor[rows * self.row :], self.row, self.column)

    def right(self, columns: int) -> Grid:
        """The grid from column ``columns`` on."""
        return Grid(self.tensor[columns * self.column :], self.row, self.column)


def per_row(tensor: LocalTensor) -> Grid:
    """A tensor with one block for each row, all elements of which are the same."""
    return Grid(tensor, BLOCK // tensor.dtype.itemsize, 0)


def for_all(tensor: LocalTensor) -> Grid:
    """A tensor that is the same for all rows."""
    return Grid(tensor, 0)


@dataclass(frozen=True, slots=True)
class Stretch:
    """What one instruction does of a matrix: ``repeats`` times ``lanes`` elements from (row, column) on.

    Attributes:
        is_along: whether the repeats follow each other in one row, or start in one row each.
    """

    row: int
    column: int
    lanes: int
    repeats: int
    is_along: bool

    def place(self, grid: Grid) -> tuple[LocalTensor, int, int]:
        """Where the lanes of a grid start, and its strides of blocks and repeats, in blocks."""
        start = grid.tensor[self.row * grid.row + self.column * grid.column :]
        step = self.lanes * grid.column if self.is_along else grid.row
        return start, grid.column, step * grid.tensor.dtype.itemsize // BLOCK


def walk(rows: int, columns: int, lanes: int, pitch: int) -> Iterator[Stretch]:
    """All of a matrix, ``lanes`` elements a repeat; its widest operand has rows every ``pitch`` blocks."""
    limit = current().spec.limits.repeat_times
    full, rest = divmod(columns, lanes)
    along = rows * (-(-full // limit) + (rest > 0))
    down = -(-rows // limit) * -(-columns // lanes)
    if down <= along and pitch <= limit:
        for row in range(0, rows, limit):
            for column in range(0, columns, lanes):
                yield Stretch(row, column, min(lanes, columns - column), min(limit, rows - row), is_along=False)
        return
    for row in range(rows):
        for first in range(0, full, limit):
            yield Stretch(row, first * lanes, lanes, min(limit, full - first), is_along=True)
        if rest:
            yield Stretch(row, full * lanes, rest, 1, is_along=True)


def each(op: Any, rows: int, columns: int, dst: Grid, *sources: Grid, using: tuple[Any, ...] = ()) -> None:
    """``dst = op(sources, using)`` for every element of a matrix.

    ``using`` is what the instruction takes between its sources and its count: a scalar, or a round mode.
    """
    grids = (dst, *sources)
    if rows == 1 or all(g.row == columns and g.column for g in grids):
        rows, columns = 1, rows * columns
        if op is not copy and all(g.column for g in grids):
            op(*(g.tensor for g in grids), *using, columns)
            return
    for stretch in walk(rows, columns, lanes_of(*grids), pitch_of(*grids)):
        tensors, blocks, repeats = zip(*map(stretch.place, grids), strict=True)
        params = CopyRepeatParams if op is copy else _PARAMS[len(grids)]
        op(*tensors, *using, stretch.lanes, stretch.repeats, params(*blocks, *repeats))


_PARAMS: dict[int, Callable[..., Any]] = {2: UnaryRepeatParams, 3: BinaryRepeatParams}
"""Strides by number of operands."""


def lanes_of(*grids: Grid) -> int:
    """Elements of a repeat, which the widest type decides."""
    return REPEAT_BYTES // max(g.tensor.dtype.itemsize for g in grids)


def pitch_of(*grids: Grid) -> int:
    """Blocks from row to row of the widest operand."""
    return max(g.row * g.tensor.dtype.itemsize for g in grids) // BLOCK
