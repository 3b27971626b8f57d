"""Operands of high-level functions, checked before the first instruction runs.

Their instructions check again what they touch; but by then half of a result may have been written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from ..access import need_bytes, need_dtype, need_local, refuse_poison
from ..core import Core, current
from ..dtypes import DataType, uint8
from ..errors import OverlapError
from ..isa.passes import check_count
from ..isa.vector import UB
from ..memory import LocalTensor


@dataclass(frozen=True, slots=True)
class Operand:
    """What a call does with a tensor.

    Attributes:
        role: what the function calls it.
        tensor: what the author passed.
        count: elements of it that are used, from its start.
        dtypes: element types it may have.
        written: whether it is written; else it is read, and must hold something.
        over: role of the source that it may replace: one that starts where it does, and is laid out like it.
    """

    role: str
    tensor: Any
    count: int
    dtypes: tuple[DataType, ...]
    written: bool = False
    over: str = ""

    @property
    def runs(self) -> Iterable[tuple[int, int]]:
        """What is read: first element and number of elements of each run."""
        return () if self.written else ((0, self.count),)

    @property
    def nbytes(self) -> int:
        """Bytes that are used."""
        return int(self.tensor.dtype.nbytes(self.count))


def count_of(core: Core, call: str, count: int | None, like: Any) -> int:
    """The count, or all of a tensor if none is given; 0 of what is no tensor, which a check of it will say.

    Raises:
        RangeError: it is no number of elements.
    """
    if count is None:
        return len(like) if isinstance(like, LocalTensor) else 0
    return check_count(core, call, count)


def check_operands(call: str, operands: Sequence[Operand]) -> None:
    """Check place, type, size and content of each, and that none overlaps one that is written, but for its ``over``.

    Raises:
        PositionError: one is not in UB.
        DtypeError: an element type does not fit.
        OutOfBoundsError: one is shorter than its count.
        AlignmentError: one starts at no multiple of 32 bytes.
        UninitializedError: nothing has written a source.
        OverlapError: two overlap.
    """
    core = current()
    for each in operands:
        need_local(core, call, each.role, each.tensor, UB)
        need_dtype(core, call, each.role, each.tensor, each.dtypes)
        _check_place(core, call, each)
    for one, other in combinations(operands, 2):
        if one.written or other.written:
            _check_apart(core, call, one, other)


def check_scratch(call: str, memory: LocalTensor, operands: Sequence[Operand]) -> None:
    """Check that temporary memory overlaps none of these operands.

    Raises:
        OverlapError: it does.
    """
    core, mine = current(), Operand("temp_buffer", memory, len(memory), (uint8,), written=True)
    for each in operands:
        _check_apart(core, call, mine, each)


def _check_place(core: Core, call: str, each: Operand) -> None:
    tensor, nbytes, kind = each.tensor, each.nbytes, each.tensor.dtype
    need_bytes(core, call, each.role, tensor, nbytes)
    for first, count in each.runs:
        start, end = tensor.address + kind.nbytes(first), tensor.address + kind.nbytes(first + count)
        if tensor.memory.shadow.find(0, start, end) >= 0:
            refuse_poison(core, call, each.role, tensor, start, end)


def _check_apart(core: Core, call: str, one: Operand, other: Operand) -> None:
    a, b = one.tensor.address, other.tensor.address
    if a == b and (one.over == other.role or other.over == one.role):
        return
    if a < b + other.nbytes and b < a + one.nbytes:
        core.fail(
            OverlapError,
            f"{call}: {one.role} UB bytes [{a}, {a + one.nbytes}) and {other.role} UB bytes "
            f"[{b}, {b + other.nbytes}) overlap; it writes its result before it has read all it needs, use separate "
            "buffers",
        )
