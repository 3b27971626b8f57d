"""Elements kept or dropped as a mask says, the kept ones scaled up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..block import BLOCK
from ..classes import need_class
from ..core import Core, current
from ..dtypes import float16, float32, uint8
from ..enums import SelMode
from ..errors import AlignmentError, RangeError
from ..isa.scalar import check_number
from ..isa.vector_scalar import muls
from ..isa.vector_select import select
from ..memory import LocalTensor
from .bits import bits_of_bytes
from .function import function
from .operands import Operand, check_operands, check_scratch
from .temp import Scratch, elements_of
from .tiles import GRAIN
from .where import CONDITIONS
from .workspace import check_extents

_GRAIN_BYTES = 2 * GRAIN + BLOCK
"""Temporary bytes of a grain of a byte mask: in float16, and as bits."""


@dataclass(frozen=True, slots=True)
class DropOutShapeInfo:
    """Rows of the data and of the mask.

    Attributes:
        first_axis: rows.
        src_last_axis: elements of a row of the data.
        mask_last_axis: bytes of a row of the mask; if not given, those of a mask without gaps.
    """

    first_axis: int = 0
    src_last_axis: int = 0
    mask_last_axis: int = 0


def get_dropout_max_min_tmp_size(
    shape: int | Sequence[int], dtype: Any = float32, is_reuse_source: bool = False
) -> tuple[int, int]:
    """Bytes of temporary memory for a mask of bytes, the most of use and the least; a mask of bits needs none."""
    grains = -(-elements_of(shape) // GRAIN)
    return grains * _GRAIN_BYTES, min(grains, 1) * _GRAIN_BYTES


@function(cpp="DropOut", dtypes=(float16, float32))
def dropout(
    dst: LocalTensor,
    src: LocalTensor,
    mask: LocalTensor,
    keep_prob: float,
    info: DropOutShapeInfo,
    temp_buffer: LocalTensor | None = None,
    is_init_bit_mode: bool = False,
    drop_out_mode: int = 0,
) -> None:
    """dst = src / keep_prob where the mask says 1, else 0.

    The product with 1 / keep_prob, rounded to the type of ``dst``, is rounded once.

    >>> dropout(f32(1, 2, 3), u8(1, 0, 1), 0.5, DropOutShapeInfo(1, 3)).tolist()
    [2.0, 0.0, 6.0]

    Args:
        dst: the result, rows without gaps.
        src: as large.
        mask: bits or bytes, as ``drop_out_mode`` says.
        keep_prob: above 0, up to 1.
        info: rows of both.
        temp_buffer: as ``get_dropout_max_min_tmp_size`` says.
        is_init_bit_mode: without effect.
        drop_out_mode: 1: bytes without gaps; 2: bytes, rows of the mask are longer; 3: bits without gaps; 4: bits,
            rows of the mask are longer; 0: what ``info`` says, bytes if a row of the mask has as many as there are
            elements.
    """
    core = current()
    need_class(core, "dropout", "info", info, DropOutShapeInfo)
    check_number(core, "dropout", "keep_prob", keep_prob)
    if not 0 < keep_prob <= 1:
        core.fail(RangeError, f"dropout: keep_prob must be above 0 and up to 1, got {keep_prob!r}")
    check_extents(
        "dropout", first_axis=info.first_axis, src_last_axis=info.src_last_axis, mask_last_axis=info.mask_last_axis
    )
    per_byte, pitch = _layout(core, info, drop_out_mode)
    elements = info.first_axis * info.src_last_axis
    last = -(-info.src_last_axis // per_byte)
    mask_bytes = -(-elements // per_byte) if pitch is None else (info.first_axis - 1) * pitch + last
    operands = [
        Operand("dst", dst, elements, (float16, float32), written=True),
        Operand("src", src, elements, (dst.dtype,) if isinstance(dst, LocalTensor) else (float16, float32)),
        Operand("mask", mask, mask_bytes if elements else 0, CONDITIONS),
    ]
    check_operands("dropout", operands)
    if not elements:
        return
    if pitch is not None and (info.src_last_axis * dst.dtype.itemsize % BLOCK or pitch % BLOCK):
        core.fail(
            AlignmentError,
            f"dropout: rows of src have {info.src_last_axis * dst.dtype.itemsize} B, of the mask {pitch} B; where the "
            f"mask has gaps both must be multiples of {BLOCK}",
        )
    scratch = Scratch("dropout", temp_buffer, _GRAIN_BYTES if per_byte == 1 else 0)
    if per_byte == 1:
        check_scratch("dropout", scratch.memory, operands)
    for at, first, n in _rows(info, pitch):
        _row(dst[at:], src[at:], mask[first:].reinterpret_cast(uint8), n, scratch, per_byte)
    muls(dst, dst, 1 / keep_prob, elements)


def _layout(core: Core, info: DropOutShapeInfo, mode: int) -> tuple[int, int | None]:
    """Elements of a byte of the mask, and bytes from row to row; None if there are no gaps."""
    row, width = info.src_last_axis, info.mask_last_axis
    if mode not in range(5):
        core.fail(RangeError, f"dropout: drop_out_mode must be 0 to 4, got {mode!r}")
    per_byte = 1 if mode in (1, 2) or (mode == 0 and (width or row) >= row) else 8
    if mode in (1, 3) or not width:
        return per_byte, None
    if width * per_byte < row:
        core.fail(RangeError, f"dropout: a row of the mask has {width} B; {row} elements need {-(-row // per_byte)} B")
    return per_byte, None if width * per_byte == row or info.first_axis == 1 else width


def _rows(info: DropOutShapeInfo, pitch: int | None) -> Iterator[tuple[int, int, int]]:
    """Runs without gaps: first element, first byte of the mask, elements."""
    if pitch is None:
        yield 0, 0, info.first_axis * info.src_last_axis
        return
    for row in range(info.first_axis):
        yield row * info.src_last_axis, row * pitch, info.src_last_axis


def _row(dst: LocalTensor, src: LocalTensor, mask: LocalTensor, count: int, scratch: Scratch, per_byte: int) -> None:
    """Zeros where the mask says so, in one run."""
    if per_byte == 8:
        select(dst, mask, src, 0.0, SelMode.VSEL_TENSOR_SCALAR_MODE, count)
        return
    step = min(-(-count // GRAIN), scratch.nbytes // _GRAIN_BYTES) * GRAIN
    scratch.rewind()
    wide, bits = scratch.take(float16, step), scratch.take(uint8, step // 8)
    for at in range(0, count, step):
        n = min(step, count - at)
        bits_of_bytes(bits, wide, mask[at:], n)
        select(dst[at:], bits, src[at:], 0.0, SelMode.VSEL_TENSOR_SCALAR_MODE, n)
