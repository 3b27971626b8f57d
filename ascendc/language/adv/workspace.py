"""The start of a row-wise function: its operands checked, and its rows in parts that fit the temporary memory."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..access import refuse_poison
from ..core import current
from ..dtypes import DataType, dtype, uint8
from ..errors import DtypeError, RangeError
from ..isa.elementwise import leave_mask
from ..isa.vector import BLOCK
from ..memory import LocalTensor
from ..numbers import is_whole
from ..site import kernel_frame
from .operands import Operand, check_operands
from .temp import Scratch, room_for

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


def source(role: str, tensor: Any, shape: tuple[int, int, int], dtypes: tuple[DataType, ...]) -> Source:
    """A matrix of so many rows, columns, and elements from row to row, that is read."""
    return Source(role, tensor, span(*shape), dtypes, True, *shape)


def span(rows: int, columns: int, pitch: int) -> int:
    """Elements from the first to the last of a matrix."""
    return (rows - 1) * pitch + columns if rows else 0


def bytes_of(pieces: Pieces) -> int:
    """Bytes of some temporary tensors."""
    return sum(room_for(count * kind.itemsize) for kind, count in pieces)


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
    """All rows, as many at a time as the temporary memory has room for, after a check of the operands.

    Masks are numbers of lanes from here on, so counter mode ends, as with the count form of an instruction.

    Raises:
        CapacityError: there is not enough even for one.
    """
    _check_in_place(call, operands)
    if not rows:
        return
    scratch = Scratch(call, temp_buffer, bytes_of(pieces(1)))
    _check_in_place(call, [Operand("temp_buffer", scratch.memory, scratch.nbytes, (uint8,), written=True), *operands])
    core = current()
    if core.mask.counts:
        leave_mask(core, kernel_frame(), call)
    most = bisect.bisect_right(range(1, rows + 1), scratch.nbytes, key=lambda n: bytes_of(pieces(n)))
    for first in range(0, rows, most):
        count = min(most, rows - first)
        scratch.rewind()
        yield Part(first, count, tuple(scratch.take(kind, n) for kind, n in pieces(count)))


def _check_in_place(call: str, operands: Sequence[Operand]) -> None:
    """Check operands, of which a later one may be where an earlier one is."""
    first: dict[Any, Operand] = {}
    for each in operands:
        if first.setdefault(getattr(each.tensor, "address", id(each)), each) is not each:
            check_operands(call, [each])
    check_operands(call, list(first.values()))
    for each in operands:
        if isinstance(each, Source):
            _check_content(call, each)


def _check_content(call: str, each: Source) -> None:
    """Check that all rows hold something."""
    is_run = each.columns == each.pitch
    rows, columns = (1, each.rows * each.columns) if is_run and each.rows else (each.rows, each.columns)
    tensor, item = each.tensor, each.tensor.dtype.itemsize
    for row in range(rows):
        start = tensor.address + row * each.pitch * item
        if tensor.memory.shadow.find(0, start, start + columns * item) >= 0:
            refuse_poison(current(), call, each.role, tensor, start, start + columns * item)


def check_shape(call: str, rows: int, columns: int, pitch: int, item: int) -> None:
    """Check the shape of a matrix.

    Raises:
        RangeError: a number is none, a row has no room, or rows would start within a block.
    """
    core = current()
    for name, value in (("rows", rows), ("columns", columns), ("pitch", pitch)):
        if not is_whole(value) or value < 0:
            core.fail(RangeError, f"{call}: the number of {name} must be a whole number, 0 or more, got {value!r}")
    if columns > pitch:
        core.fail(RangeError, f"{call}: rows of {columns} elements do not fit a pitch of {pitch}")
    if rows > 1 and pitch * item % BLOCK:
        whole = room_for(pitch * item) // item
        core.fail(
            RangeError,
            f"{call}: rows every {pitch} elements of {item} B start within a block of {BLOCK} B; pad them to {whole}",
        )


def element_type(call: str, like: Any, allowed: tuple[DataType, ...]) -> DataType:
    """The element type meant, on the host.

    Raises:
        DtypeError: it is none of ``allowed``.
    """
    kind = dtype(like)
    if kind not in allowed:
        raise DtypeError(f"{call}: there is no {kind} form; there are: {', '.join(k.name for k in allowed)}")
    return kind
