"""A float32 matrix in UB transposed, 16 rows at a time: columns are out of reach of strides, which are whole blocks."""

from __future__ import annotations

from ..core import current
from ..isa.vector_5hd import trans_data_to_5hd
from ..memory import LocalTensor
from ..params import TransDataTo5HDParams

GROUP = 16
"""Rows and columns are multiples of it."""

_WIDTH = 8
"""Elements of a block."""


def turn(dst: LocalTensor, src: LocalTensor, rows: int, columns: int) -> None:
    """``dst`` (columns, rows) = ``src`` (rows, columns), without gaps, both numbers multiples of 16."""
    limit = current().spec.limits.repeat_times
    for row in range(0, rows, GROUP):
        for column in range(0, columns, limit * _WIDTH):
            repeats = min(limit, (columns - column) // _WIDTH)
            come = [src[(row + i) * columns + column :] for i in range(GROUP)]
            to = [dst[(column + i // 2) * rows + row + i % 2 * _WIDTH :] for i in range(GROUP)]
            strides = (rows, 1) if repeats > 1 else (0, 0)  # _WIDTH rows of dst are as many blocks as it has columns
            trans_data_to_5hd(to, come, TransDataTo5HDParams(False, False, repeats, *strides))


def whole_groups(count: int) -> int:
    """``count`` rounded up to a multiple of 16."""
    return -(-count // GROUP) * GROUP
