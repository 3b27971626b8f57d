"""``pad`` and ``unpad``: rows made wider by elements of one value, and rows without their first and last elements.

Rows of ``pad`` may start anywhere, which strides cannot say: elements are gathered.  Those of ``unpad`` come
out without gaps: elements are chosen by a pattern of bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from ..block import BLOCK
from ..classes import need_class
from ..core import current
from ..dtypes import DataType, bfloat16, float16, float32, int16, int32, uint16, uint32
from ..isa.passes import check_count
from ..isa.scalar import scalar_of
from ..isa.vector_copy import copy
from ..isa.vector_fill import create_vec_index, duplicate
from ..isa.vector_gather import gather
from ..isa.vector_gather_mask import gather_mask
from ..isa.vector_scalar import muls
from ..memory import LocalTensor
from ..params import GatherMaskParams
from .function import function
from .matrix import REPEAT_BYTES, Grid, each
from .operands import Operand, check_operands
from .workspace import Pieces, check_extents, check_shape, element_type, parts, sizes, source

_KINDS = (int16, uint16, float16, bfloat16, int32, uint32, float32)

_ROWS = 240
"""Rows of one ``gather_mask``, as many as leave the next ones at a whole block."""


@dataclass(frozen=True, slots=True)
class PadParams:
    """What is put around each row.

    Attributes:
        left_pad: elements before it.
        right_pad: elements behind it.
        pad_value: what they are.
    """

    left_pad: int = 0
    right_pad: int = 0
    pad_value: float = 0


@dataclass(frozen=True, slots=True)
class PadTiling:
    """The rows of a ``pad``.

    Attributes:
        src_height: how many.
        src_width: elements from one to the next.
        src_ori_width: elements that count; all if 0.
    """

    src_height: int = 0
    src_width: int = 0
    src_ori_width: int = 0


@dataclass(frozen=True, slots=True)
class UnPadParams:
    """What is taken from each row.

    Attributes:
        left_pad: elements from its start.
        right_pad: elements from its end.
    """

    left_pad: int = 0
    right_pad: int = 0


@dataclass(frozen=True, slots=True)
class UnPadTiling:
    """The rows of an ``unpad``.

    Attributes:
        src_height: how many.
        src_width: elements of each, whole blocks.
    """

    src_height: int = 0
    src_width: int = 0


def pad_tiling_func(src_shape: Sequence[int], ori_width: int = 0) -> PadTiling:
    """The tiling for rows of ``src_shape`` of which the first ``ori_width`` elements count."""
    return PadTiling(prod(src_shape[:-1]), src_shape[-1], ori_width)


def unpad_tiling_func(src_shape: Sequence[int]) -> UnPadTiling:
    """The tiling for rows of ``src_shape``."""
    return UnPadTiling(prod(src_shape[:-1]), src_shape[-1])


@function(cpp="Pad", dtypes=_KINDS)
def pad(
    dst: LocalTensor,
    src: LocalTensor,
    pad_params: PadParams,
    tiling: PadTiling,
    temp_buffer: LocalTensor | None = None,
) -> None:
    """dst row = left_pad times pad_value, the row of src, right_pad times pad_value.

    Rows 1, 2, 3 and 4, 5, 6 with right_pad 5 and pad_value 0 become 1, 2, 3, 0, 0, 0, 0, 0 and 4, 5, 6, 0, ….

    Args:
        dst: of the type of ``src``; if there are several rows, whole blocks each.
        src: rows as ``tiling`` says, from any element on.
        pad_params: what comes before and behind.
        tiling: from ``pad_tiling_func``.
        temp_buffer: nothing if rows of ``src`` are whole blocks and left_pad is 0, else 4 B for each column of ``dst``.
    """
    core = current()
    need_class(core, "pad", "pad_params", pad_params, PadParams)
    need_class(core, "pad", "tiling", tiling, PadTiling, maker="pad_tiling_func")
    rows, pitch, left = tiling.src_height, tiling.src_width, pad_params.left_pad
    check_extents("pad", src_height=rows, src_width=pitch, src_ori_width=tiling.src_ori_width)
    _check_sides("pad", left, pad_params.right_pad)
    columns = tiling.src_ori_width or pitch
    width = left + columns + pad_params.right_pad
    kind = src.dtype if isinstance(src, LocalTensor) and src.dtype in _KINDS else float32
    value = scalar_of(core, "pad", pad_params.pad_value, kind, "pad_value")
    check_shape("pad", rows, width, width, kind.itemsize)
    check_shape("pad", min(rows, 1), columns, pitch, kind.itemsize)
    operands = (
        Operand("dst", dst, rows * width, (kind,), written=True),
        source("src", src, (rows, columns, pitch), _KINDS),
    )
    check_operands("pad", operands)
    if not rows or not width:
        return
    is_aligned = not left and (rows == 1 or pitch * kind.itemsize % BLOCK == 0)
    (part,) = parts("pad", temp_buffer, rows, _pad_pieces(0 if is_aligned else width), operands)
    duplicate(dst, value, rows * width)
    if is_aligned:
        each(copy, rows, columns, Grid(dst, width), Grid(src, pitch))
        return
    (offsets,) = part.tensors
    create_vec_index(offsets, -left, width)
    muls(offsets, offsets, kind.itemsize, width)
    for row in range(rows):
        _gather_row(dst[row * width :], src, offsets.reinterpret_cast(uint32), row * pitch, range(left, left + columns))


def _gather_row(dst: LocalTensor, src: LocalTensor, offsets: LocalTensor, first: int, lanes: range) -> None:
    """``lanes`` of ``dst`` from element ``first`` of ``src`` on."""
    item = dst.dtype.itemsize
    width = REPEAT_BYTES // item
    for start in range(lanes.start // width * width, lanes.stop, width):
        bits = _bits(range(max(lanes.start, start) - start, min(lanes.stop, start + width) - start))
        words = [bits & (1 << 64) - 1, bits >> 64]
        gather(dst[start:], src, offsets[start:], first * item, words, 1, 8)


@function(cpp="UnPad", dtypes=_KINDS)
def unpad(
    dst: LocalTensor,
    src: LocalTensor,
    unpad_params: UnPadParams,
    tiling: UnPadTiling,
    temp_buffer: LocalTensor | None = None,
) -> None:
    """dst = rows of src without their first left_pad and last right_pad elements, one after another.

    Rows 1, 2, 3, 0, 0, 0, 0, 0 and 4, 5, 6, 0, … with right_pad 5 become 1, 2, 3, 4, 5, 6.

    Args:
        dst: of the type of ``src``; rows without gaps.
        src: rows as ``tiling`` says, whole blocks each.
        unpad_params: what goes.
        tiling: from ``unpad_tiling_func``.
        temp_buffer: a bit for each column of ``src``.
    """
    core = current()
    need_class(core, "unpad", "unpad_params", unpad_params, UnPadParams)
    need_class(core, "unpad", "tiling", tiling, UnPadTiling, maker="unpad_tiling_func")
    rows, width, left = tiling.src_height, tiling.src_width, unpad_params.left_pad
    check_extents("unpad", src_height=rows, src_width=width)
    _check_sides("unpad", left, unpad_params.right_pad)
    kind = src.dtype if isinstance(src, LocalTensor) and src.dtype in _KINDS else float32
    check_shape("unpad", rows, width, width, kind.itemsize)
    kept = range(left, width - unpad_params.right_pad)
    operands = (
        Operand("dst", dst, rows * max(0, kept.stop - kept.start), (kind,), written=True),
        source("src", src, (rows, width, width), _KINDS),
    )
    check_operands("unpad", operands)
    if not rows or not kept:
        return
    (part,) = parts("unpad", temp_buffer, rows, _unpad_pieces(width, kind), operands)
    (pattern,) = part.tensors
    _write_pattern(pattern, kept, width)
    for first in range(0, rows, _ROWS):
        params = GatherMaskParams(1, min(_ROWS, rows - first), width * kind.itemsize // BLOCK, 0)
        gather_mask(dst[first * len(kept) :], src[first * width :], pattern, True, width, params)


def _write_pattern(pattern: LocalTensor, kept: range, width: int) -> None:
    """Set the bits of ``kept`` among ``width``, with one instruction for each 256 bytes and different word."""
    size = 8 * pattern.dtype.itemsize
    words = [_bits(range(max(kept.start, at), min(kept.stop, at + size))) >> at for at in range(0, width, size)]
    lanes = REPEAT_BYTES // pattern.dtype.itemsize
    for start in range(0, len(words), lanes):
        here = words[start : start + lanes]
        for word in dict.fromkeys(here):
            places = sum(1 << i for i, w in enumerate(here) if w == word)
            duplicate(pattern[start:], word, [places & (1 << 64) - 1, places >> 64], 1, 1, 8)


def _bits(lanes: range) -> int:
    """A number with the bits of ``lanes`` set."""
    return (1 << lanes.stop) - (1 << lanes.start) if lanes else 0


def _check_sides(call: str, left: Any, right: Any) -> None:
    for name, value in (("left_pad", left), ("right_pad", right)):
        check_count(current(), call, value, name)


def _pad_pieces(width: int) -> Callable[[int], Pieces]:
    return lambda _: ((int32, width),)


def _unpad_pieces(width: int, kind: DataType) -> Callable[[int], Pieces]:
    words = uint16 if kind.itemsize == 2 else uint32
    return lambda _: ((words, -(-width // (8 * words.itemsize))),)


def get_pad_max_min_tmp_size(shape: Sequence[int], dtype: Any, pad_params: PadParams) -> tuple[int, int]:
    """Bytes of temporary memory ``pad`` can use, and those it needs: the same."""
    element_type("pad", dtype, _KINDS)
    return sizes(1, _pad_pieces(pad_params.left_pad + shape[-1] + pad_params.right_pad))


def get_unpad_max_min_tmp_size(shape: Sequence[int], dtype: Any) -> tuple[int, int]:
    """Bytes of temporary memory ``unpad`` can use, and those it needs: the same."""
    return sizes(1, _unpad_pieces(shape[-1], element_type("unpad", dtype, _KINDS)))
