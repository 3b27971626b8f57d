"""What row-wise functions are given: matrices of one shape and type, and what goes with each row or column."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..block import BLOCK
from ..core import current
from ..dtypes import DataType, float32
from ..errors import DtypeError
from ..memory import LocalTensor
from .matrix import Grid
from .operands import Operand, check_operands
from .rows import FLOATS
from .workspace import Part, Pieces, check_shape, parts, source, span


@dataclass(frozen=True, slots=True)
class Given:
    """A call whose shape makes sense.

    Attributes:
        call: its name.
        rows, columns, pitch: rows and elements of each that count, and elements from row to row.
        kind: element type of the matrices.
        operands: all of it.
    """

    call: str
    rows: int
    columns: int
    pitch: int
    kind: DataType
    operands: tuple[Operand, ...]

    def parts(
        self, temp_buffer: LocalTensor | None, pieces: Callable[[int, int, DataType], Callable[[int], Pieces]]
    ) -> Iterator[Part]:
        """Its rows, as many at a time as the temporary memory has room for; operands are checked before that."""
        check_operands(self.call, self.operands)
        rows = self.rows if self.columns else 0
        return parts(self.call, temp_buffer, rows, pieces(self.columns, self.pitch, self.kind), self.operands)

    def at(self, tensor: LocalTensor, row: int) -> Grid:
        """A matrix from ``row`` on."""
        return Grid(tensor[row * self.pitch :], self.pitch)


def block_of(tensor: LocalTensor, row: int) -> LocalTensor:
    """A tensor of one block for each row, from ``row`` on."""
    return tensor[row * (BLOCK // tensor.dtype.itemsize) :]


def given(
    call: str,
    shape: tuple[int, int, int],
    matrices: Mapping[str, LocalTensor],
    *,
    numbers: dict[str, LocalTensor] | None = None,
    per_row: int = 1,
    known: dict[str, LocalTensor] | None = None,
    columns: Mapping[str, LocalTensor] | None = None,
) -> Given:
    """A call on matrices of one ``shape``: rows, columns, pitch.  All operands by role.

    Args:
        call: its name.
        shape: of the matrices.
        matrices: the result first, which may be the source behind it.
        numbers: of the type of the matrices or float32, all the same: those of each row that are written.
        known: likewise, and of the type of those: numbers that are read; ``in_NAME`` may be the NAME that is written.
        per_row: elements a row of these; 0 for a block.
        columns: of the type of the matrices: one element for each column.

    Raises:
        DtypeError: operands have types that do not go together.
        RangeError: the shape makes no sense.
    """
    rows, width, pitch = shape
    kind = next((t.dtype for t in matrices.values() if isinstance(t, LocalTensor)), float32)
    check_shape(call, rows, width, pitch, kind.itemsize)
    (role, result), *sources = matrices.items()
    operands = [Operand(role, result, span(*shape), FLOATS, written=True, over=sources[0][0])]
    operands += [source(role, t, shape, FLOATS) for role, t in sources]
    either, of_rows = tuple(dict.fromkeys((kind, float32))), (numbers or {}) | (known or {})
    for role, t in of_rows.items():
        count = rows * (per_row or BLOCK // (t.dtype.itemsize if isinstance(t, LocalTensor) else 4))
        operands.append(Operand(role, t, count, either, written=role not in (known or {}), over=f"in_{role}"))
    operands += [Operand(role, t, width, FLOATS) for role, t in (columns or {}).items()]
    _check_types(call, [*matrices.items(), *(columns or {}).items()])
    _check_types(call, list(of_rows.items()))
    return Given(call, rows, width, pitch, kind, tuple(operands))


def _check_types(call: str, named: Sequence[tuple[str, LocalTensor]]) -> None:
    """Check that tensors have one type, all those that are tensors."""
    types = {role: t.dtype for role, t in named if isinstance(t, LocalTensor)}
    if len(set(types.values())) > 1:
        listed = ", ".join(f"{role} ({kind})" for role, kind in types.items())
        current().fail(DtypeError, f"{call}: operands must have one element type, got {listed}")
