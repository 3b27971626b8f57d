"""The start of a row-wise function: its shape checked, and its rows in parts that fit the temporary memory."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..block import BLOCK, whole_blocks
from ..core import current
from ..dtypes import DataType, dtype
from ..errors import AlignmentError, DtypeError, RangeError
from ..isa.elementwise import leave_mask
from ..memory import LocalTensor
from ..numbers import is_whole
from ..site import kernel_frame
from .operands import Operand, check_scratch
from .temp import Scratch

Pieces = tuple[tuple[DataType, int], ...]
"""Temporary tensors: element type and elements of each."""


@dataclass(frozen=True, slots=True)
class Part:
    """Rows that are worked on at a time.

    Attributes:
        first: number of the first of them.
        rows: how many.
        tensors: the temporary tensors for them.
    """

    first: int
    rows: int
    tensors: tuple[LocalTensor, ...]


@dataclass(frozen=True, slots=True)
class Source(Operand):
    """A matrix that is read: what lies between its rows need hold nothing.

    Attributes:
        rows: how many.
        columns: elements of each.
        pitch: elements from one to the next.
    """

    rows: int = 0
    columns: int = 0
    pitch: int = 0

    @property
    def runs(self) -> Iterable[tuple[int, int]]:
        """The rows, or all of it if there are no gaps."""
        if self.columns == self.pitch:
            return ((0, self.rows * self.columns),)
        return ((row * self.pitch, self.columns) for row in range(self.rows))


def source(role: str, tensor: Any, shape: tuple[int, int, int], dtypes: tuple[DataType, ...]) -> Source:
    """A matrix of so many rows, columns, and elements from row to row, that is read."""
    rows, columns, pitch = shape
    return Source(role, tensor, span(*shape), dtypes, rows=rows, columns=columns, pitch=pitch)


def span(rows: int, columns: int, pitch: int) -> int:
    """Elements from the first to the last of a matrix."""
    return (rows - 1) * pitch + columns if rows else 0


def bytes_of(pieces: Pieces) -> int:
    """Bytes of some temporary tensors."""
    return sum(whole_blocks(count * kind.itemsize) for kind, count in pieces)


def sizes(rows: int, pieces: Callable[[int], Pieces]) -> tuple[int, int]:
    """Bytes of temporary memory that a function can use for ``rows`` rows, and that it needs."""
    return bytes_of(pieces(rows)), bytes_of(pieces(min(rows, 1)))


def parts(
    call: str,
    temp_buffer: LocalTensor | None,
    rows: int,
    pieces: Callable[[int], Pieces],
    operands: Sequence[Operand],
) -> Iterator[Part]:
    """All rows, as many at a time as the temporary memory has room for, once that is known to lie on no operand.

    Masks are numbers of lanes from here on, so counter mode ends, as with the count form of an instruction.

    Raises:
        CapacityError: there is not enough even for one.
        OverlapError: the temporary memory lies on an operand.
    """
    if not rows:
        return
    scratch = Scratch(call, temp_buffer, bytes_of(pieces(1)))
    check_scratch(call, scratch.memory, operands)
    core = current()
    if core.mask.counts:
        leave_mask(core, kernel_frame(), call)
    most = bisect.bisect_right(range(1, rows + 1), scratch.nbytes, key=lambda n: bytes_of(pieces(n)))
    for first in range(0, rows, most):
        count = min(most, rows - first)
        scratch.rewind()
        yield Part(first, count, tuple(scratch.take(kind, n) for kind, n in pieces(count)))


def check_extents(call: str, **extents: Any) -> None:
    """Check numbers of rows and elements, by the names that the author gave them with.

    Raises:
        RangeError: one is no whole number, or negative.
    """
    for name, value in extents.items():
        if not is_whole(value) or value < 0:
            current().fail(RangeError, f"{call}: {name} must be a whole number, 0 or more, got {value!r}")


def check_shape(call: str, rows: int, columns: int, pitch: int, item: int) -> None:
    """Check the shape of a matrix.

    Raises:
        RangeError: a number is none, or a row has no room.
        AlignmentError: rows would start within a block.
    """
    core = current()
    check_extents(call, rows=rows, columns=columns, pitch=pitch)
    if columns > pitch:
        core.fail(RangeError, f"{call}: rows of {columns} elements do not fit a pitch of {pitch} from row to row")
    if rows > 1 and pitch * item % BLOCK:
        whole = whole_blocks(pitch, item)
        core.fail(
            AlignmentError,
            f"{call}: rows every {pitch} elements of {item} B start within a block of {BLOCK} B; pad them to {whole}",
        )


def element_type(call: str, like: Any, allowed: tuple[DataType, ...]) -> DataType:
    """The element type meant, on the host.

    Raises:
        DtypeError: it is none of ``allowed``.
    """
    kind = dtype(like)
    if kind not in allowed:
        raise DtypeError(f"{call}: dtype is {kind}; supported: {', '.join(k.name for k in allowed)}")
    return kind
