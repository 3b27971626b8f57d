"""Rows of a matrix folded into one row, as a tree; and with that, the product of each row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..isa.vector_binary import mul
from ..isa.vector_copy import copy
from ..isa.vector_fill import duplicate
from ..memory import LocalTensor
from .fold import collect, spread
from .matrix import Grid, each, per_row
from .turn import turn, whole_groups


def fold_down(pair: Any, work: Grid, src: Grid, rows: int, columns: int) -> Grid:
    """One row of all ``rows``: half of them with the other half, until one is left.

    ``work`` has room for half of the rows, or is ``src``.
    """
    while rows > 1:
        half = rows // 2
        each(pair, half, columns, work, src, src.down(half))
        if rows % 2:
            each(pair, 1, columns, work, work, src.down(rows - 1))
        src, rows = work, half
    return src


@dataclass(frozen=True, slots=True)
class Product:
    """As ``Fold``: no instruction multiplies the lanes of a repeat, so rows are turned and multiplied as rows.

    Attributes:
        pair: the instruction that makes one of two.
        width: columns that are left before that.
    """

    pair: Any = mul
    width: int = 64

    def rows(self, dst: LocalTensor, src: Grid, rows: int, columns: int, work: LocalTensor) -> None:
        """``dst[i]`` = product of row i of ``src``, from any element of ``dst`` on."""
        width, height = self._size(rows, columns)
        some, turned = Grid(work[: width * height], width), Grid(work[width * height :], height)
        duplicate(some.tensor, 1, width * height)
        each(copy, rows, min(width, columns), some, src)
        for column in range(width, columns, width):
            each(mul, rows, min(width, columns - column), some, some, src.right(column))
        turn(turned.tensor, some.tensor, height, width)
        spread(some.tensor, fold_down(mul, turned, turned, width, height).tensor, rows)
        collect(dst, per_row(some.tensor), rows)

    def room(self, rows: int, columns: int, item: int) -> int:
        """Elements of ``work`` that :meth:`rows` needs; they have ``item`` bytes, 4."""
        width, height = self._size(rows, columns)
        return 2 * width * height

    def _size(self, rows: int, columns: int) -> tuple[int, int]:
        return min(self.width, whole_groups(columns)), whole_groups(rows)


PROD = Product()
