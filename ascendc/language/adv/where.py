"""Elements from one of two sources, as a tensor of conditions says."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..block import BLOCK
from ..core import current
from ..dtypes import (
    DataType,
    bfloat16,
    bool_,
    float16,
    float32,
    int8,
    int16,
    int32,
    uint8,
    uint16,
    uint32,
)
from ..dtypes import dtype as element_type
from ..enums import SelMode
from ..isa.scalar import scalar_of
from ..isa.vector_fill import duplicate
from ..isa.vector_select import select
from ..memory import LocalTensor
from .bits import bits_of_bytes
from .function import function
from .operands import Operand, check_operands, check_scratch, count_of
from .temp import Scratch, elements_of
from .tiles import GRAIN

_KINDS = (int16, uint16, float16, bfloat16, int32, uint32, float32)
CONDITIONS = (uint8, int8, bool_)
"""Types of a byte that is 0 for no and anything else for yes."""


def get_where_max_min_tmp_size(shape: int | Sequence[int], dtype: Any = float32, scalars: int = 0) -> tuple[int, int]:
    """Bytes of temporary memory, the most of use and the least; ``scalars``: how many sources are numbers."""
    grains, each = -(-elements_of(shape) // GRAIN), _grain_bytes(dtype, scalars)
    return grains * each, min(grains, 1) * each


def _grain_bytes(like: Any, scalars: int) -> int:
    """Conditions in float16, as bits, and each number in every element."""
    return 2 * GRAIN + BLOCK + scalars * GRAIN * element_type(like).itemsize


@function(cpp="Where", dtypes=_KINDS)
def where(
    dst: LocalTensor,
    src0: LocalTensor | float,
    src1: LocalTensor | float,
    condition: LocalTensor,
    count: int | None = None,
    temp_buffer: LocalTensor | None = None,
) -> None:
    """dst = src0 where condition is not 0, else src1.  Bit for bit.

    >>> where(f32(1, 2, 3), 0, u8(1, 0, 255)).tolist()
    [1.0, 0.0, 3.0]

    Args:
        dst: the result.
        src0: of the type of ``dst``, or a number.
        src1: of the type of ``dst``, or a number.
        condition: bytes.
        count: elements; all of ``condition`` if not given.
        temp_buffer: as ``get_where_max_min_tmp_size`` says.
    """
    core = current()
    n = count_of(core, "where", count, condition)
    operands = [Operand("dst", dst, n, _KINDS, written=True)]
    check_operands("where", operands)
    kind = dst.dtype
    sources = (("src0", src0), ("src1", src1))
    numbers = {role: scalar_of(core, "where", x, kind, role) for role, x in sources if not isinstance(x, LocalTensor)}
    operands += [Operand(role, x, n, (kind,)) for role, x in sources if role not in numbers]
    operands.append(Operand("condition", condition, n, CONDITIONS))
    check_operands("where", operands)
    if not n:
        return
    each, whole = _grain_bytes(kind, len(numbers)), -(-n // GRAIN) * GRAIN
    scratch = Scratch("where", temp_buffer, each)
    check_scratch("where", scratch.memory, operands)
    step = min(whole, scratch.nbytes // each * GRAIN)
    filled = {role: scratch.take(kind, step) for role in numbers}
    for role, number in numbers.items():
        duplicate(filled[role], number, min(step, n))
    wide, bits = scratch.take(float16, step), scratch.take(uint8, step // 8)
    for at in range(0, n, step):
        m = min(step, n - at)
        bits_of_bytes(bits, wide, condition[at : at + m].reinterpret_cast(uint8), m)
        chosen = [filled[r] if r in numbers else x[at:] for r, x in sources]  # type: ignore[index]
        y, yes, no = (x.reinterpret_cast(_mover(kind)) for x in (dst[at:], *chosen))
        select(y, bits, yes, no, SelMode.VSEL_TENSOR_TENSOR_MODE, m)


def _mover(kind: DataType) -> DataType:
    """The type in which ``select`` moves elements of this size, whatever they hold."""
    return float16 if kind.itemsize == 2 else float32
