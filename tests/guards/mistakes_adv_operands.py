"""Operands and temporary memory of high-level functions: one kernel for each mistake, as short as it can be.

The docstring is the whole text of the error, behind its class; the last line is the one that is refused.
"""

from __future__ import annotations

from typing import Any

import ascendc as asc
from ascendc import adv
from tests.block import local, ones
from tests.guards.mistakes import mistakes

H, F = asc.half, asc.float32


def more_than_src_has() -> None:
    """OutOfBoundsError: src of sigmoid (tensor x): needs 256 B (64 x float32), the tensor has 32 B (8), UB bytes
    [0, 32)
    """
    x = ones(F, 8)
    adv.sigmoid(local(F, 64, 256), x, 64)


def a_source_nothing_has_written() -> None:
    """UninitializedError: src of sigmoid (tensor x): reads elements [0, 64) of the tensor, UB bytes [0, 256), which
    nothing has written; fill them first (data_copy, duplicate) or shorten the count
    """
    x = local(F, 64)
    adv.sigmoid(local(F, 64, 256), x)


def rows_nothing_has_written() -> None:
    """UninitializedError: src of reduce_sum (tensor x): reads elements [16, 24) of the tensor, UB bytes [64, 96),
    which nothing has written; fill them first (data_copy, duplicate) or shorten the count
    """
    x = ones(F, 16)[:8]
    x.set_size(24)
    adv.reduce_sum(local(F, 8, 256), x, (3, 8))


def a_source_written_while_it_is_read() -> None:
    """OverlapError: sigmoid: dst UB bytes [0, 256) and src UB bytes [0, 256) overlap; it writes its result before
    it has read all it needs, use separate buffers
    """
    x = ones(F, 64)
    adv.sigmoid(x, x)


def types_that_do_not_go_together() -> None:
    """DtypeError: rmsnorm: operands must have one element type, got dst (float32), src (float32), gamma (float16)"""
    tiling = adv.get_rms_norm_tiling_info((1, 8))
    adv.rmsnorm(local(F, 8, 256), ones(F, 8), ones(H, 8, 512), 0.0, tiling)


def a_buffer_too_small() -> None:
    """WorkspaceError: sigmoid: temp_buffer has 256 B, at least 512 B are needed, 256 B are missing;
    get_sigmoid_max_min_tmp_size says how many on the host
    """
    adv.sigmoid(local(F, 64, 256), ones(F, 64), temp_buffer=local(F, 64, 512))


def a_buffer_off_its_block() -> None:
    """AlignmentError: temp_buffer of sigmoid: byte offset 516 in UB is not a multiple of 32; start the window at a
    multiple of 8 elements
    """
    t = local(F, 256, 512)
    adv.sigmoid(local(F, 64, 256), ones(F, 64), temp_buffer=t[1:])


def a_buffer_over_an_operand() -> None:
    """OverlapError: sigmoid: temp_buffer UB bytes [0, 1024) and src UB bytes [0, 256) overlap; it writes its result
    before it has read all it needs, use separate buffers
    """
    x = ones(F, 256)
    adv.sigmoid(local(F, 64, 1024), x[:64], temp_buffer=x)


def neither_a_buffer_nor_a_pipe() -> None:
    """UsageError: sigmoid: without a TPipe nobody knows which part of UB is free; pass temp_buffer (512 B or more)"""
    adv.sigmoid(local(F, 64, 256), ones(F, 64))


def no_memory_left() -> None:
    """CapacityError: sigmoid: 512 B of temporary memory are needed, 416 B of UB are left behind the TPipe's
    buffers, 96 B are missing; shorten the buffers, or pass temp_buffer
    """
    asc.TPipe().init_buffer(asc.TBuf(asc.TPosition.VECCALC), 188_000)
    adv.sigmoid(local(F, 64, 256), ones(F, 64))


def a_local_tensor_filled() -> None:
    """UsageError: fill: dst must be a GlobalTensor, got LocalTensor(VECCALC float32 x64 at byte 0); UB is filled by
    duplicate
    """
    adv.fill(local(F, 64), 64, 0.0)


def an_array_filled_beyond_its_end(x: Any) -> None:
    """OutOfBoundsError: dst of fill (tensor x): accesses elements [0, 65) of a view of 64 x float32 on argument x
    (elements [0, 64) of 64)
    """
    adv.fill(x, 65, 0.0)


def less_than_no_elements_filled(x: Any) -> None:
    """RangeError: fill: size must be a whole number of elements, 0 or more, got -1"""
    adv.fill(x, -1, 0.0)


MISTAKES = mistakes(globals())
