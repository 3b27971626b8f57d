"""``bilinear_interpolation``: weighted sums of gathered blocks, written in ``gatherb``, ``brcb``, ``mul`` and ``add``.

Cycles are those of the instructions, and so is the rounding: to float16 after each product and each sum.
"""

from __future__ import annotations

from typing import Any

from .core import Core, current
from .dtypes import float16, uint16
from .enums import PipeID
from .errors import CapacityError, DtypeError, RangeError, UsageError
from .isa.sync import pipe_barrier
from .isa.vector_binary import add, mul
from .isa.vector_copy import brcb
from .isa.vector_gatherb import gatherb
from .isa.vector_scalar import adds
from .memory import LocalTensor
from .params import BinaryRepeatParams, BrcbRepeatParams, GatherRepeatParams, UnaryRepeatParams

_CALL = "bilinear_interpolation"
_BLOCKS = 8
"""Blocks of a repeat, and elements ``brcb`` takes in one."""

_BLOCK = 16
"""Elements of a block."""

_REPEAT = _BLOCKS * _BLOCK


def bilinear_interpolation(
    dst: LocalTensor,
    src0: LocalTensor,
    src0_offset: LocalTensor,
    src1: LocalTensor,
    mask: int | list[int],
    h_repeat: int,
    repeat_mode: bool,
    dst_blk_stride: int,
    v_r_offset: int,
    v_repeat: int,
    shared_tmp_buffer: LocalTensor,
) -> None:
    """Row v of dst = sum over its h_repeat repeats of eight blocks of src0 times their weights in src1; float16.

    Args:
        dst: eight blocks a row, ``dst_blk_stride`` blocks apart; only the lanes of ``mask`` are written.
        src0: where the blocks lie.
        src0_offset: uint32 byte offsets of the blocks, eight a repeat, ``h_repeat`` repeats a row.
        src1: the weights, one for each repeat, or with ``repeat_mode`` one for each block.
        mask: lanes of a repeat.
        h_repeat: repeats that are added up.
        repeat_mode: whether each block has a weight of its own.
        dst_blk_stride: blocks between those of a row.
        v_r_offset: elements from row to row of ``dst``; a multiple of 16.
        v_repeat: rows.
        shared_tmp_buffer: uint8, 256 bytes for each repeat and 256 for every 8 weights.

    Raises:
        DtypeError: a tensor is of another type.
        RangeError: there are more than 255 repeats in all, or ``v_r_offset`` is no multiple of 16.
        CapacityError: ``shared_tmp_buffer`` is too small.
    """
    core = current()
    _check_types(core, dst=dst, src0=src0, src1=src1)
    across, rows, pitch = _check_sizes(core, h_repeat, v_repeat, v_r_offset)
    repeats = across * rows
    weights = repeats * _BLOCKS if repeat_mode else repeats
    products, factors = _temporary(core, shared_tmp_buffer, repeats, -(-weights // _BLOCKS))
    if not repeats:
        return
    gatherb(
        products.reinterpret_cast(uint16), src0.reinterpret_cast(uint16), src0_offset, repeats, GatherRepeatParams()
    )
    brcb(factors, src1, -(-weights // _BLOCKS), BrcbRepeatParams())
    pipe_barrier(PipeID.PIPE_V)
    each = (1, _BLOCKS) if repeat_mode else (0, 1)
    mul(products, factors, products, _REPEAT, repeats, BinaryRepeatParams(1, each[0], 1, _BLOCKS, each[1], _BLOCKS))
    pipe_barrier(PipeID.PIPE_V)
    if across > 1:
        for row in range(rows):
            total = products[row * across * _REPEAT :]
            add(total, total[_REPEAT:], total, mask, across - 1, BinaryRepeatParams(1, 1, 1, 0, _BLOCKS, 0))
        pipe_barrier(PipeID.PIPE_V)
    adds(dst, products, 0.0, mask, rows, UnaryRepeatParams(dst_blk_stride, 1, pitch, across * _BLOCKS))


def _check_types(core: Core, **tensors: Any) -> None:
    for role, tensor in tensors.items():
        if not isinstance(tensor, LocalTensor):
            core.fail(UsageError, f"{_CALL}: {role} must be a LocalTensor, got {tensor!r}")
        if tensor.dtype is not float16:
            core.fail(DtypeError, f"{_CALL}: {role} is {tensor.dtype}; supported: float16")


def _check_sizes(core: Core, h_repeat: Any, v_repeat: Any, v_r_offset: Any) -> tuple[int, int, int]:
    """Repeats of a row, rows, and blocks from row to row."""
    across, rows = core.whole(_CALL, "h_repeat", h_repeat), core.whole(_CALL, "v_repeat", v_repeat)
    most, offset = core.spec.limits.repeat_times, core.whole(_CALL, "v_r_offset", v_r_offset)
    if min(across, rows) < 0 or across * rows > most:
        core.fail(RangeError, f"{_CALL}: h_repeat x v_repeat must be 0 to {most} in all, got {across} x {rows}")
    if offset < 0 or offset % _BLOCK:
        core.fail(RangeError, f"{_CALL}: v_r_offset must be a multiple of {_BLOCK} elements, a block, got {offset}")
    return across, rows, offset // _BLOCK


def _temporary(core: Core, memory: Any, repeats: int, factors: int) -> tuple[LocalTensor, LocalTensor]:
    """Room for the products and for the weights, spread over blocks."""
    if not isinstance(memory, LocalTensor):
        core.fail(UsageError, f"{_CALL}: shared_tmp_buffer must be a LocalTensor, got {memory!r}")
    halves = memory.reinterpret_cast(float16)
    if len(halves) < (repeats + factors) * _REPEAT:
        need = (repeats + factors) * _REPEAT * float16.itemsize
        core.fail(CapacityError, f"{_CALL}: shared_tmp_buffer needs {need} B, it has {memory.nbytes} B ({memory!r})")
    return halves, halves[repeats * _REPEAT :]
