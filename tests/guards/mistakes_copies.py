"""Copies, windows and scalars: one kernel for each mistake, as short as it can be.

The docstring is the whole text of the error, behind its class; ``@-2`` is the second line above the last one, which
is the line that is refused.
"""

from __future__ import annotations

from typing import Any

import ascendc as asc
from tests.block import local
from tests.guards.mistakes import mistakes

H, F, P = asc.half, asc.float32, asc.TPosition
Row, Pad = asc.DataCopyExtParams, asc.DataCopyPadExtParams


def no_position() -> None:
    """PositionError: a position must be a TPosition, as TPosition.VECIN, got 'VECIN'"""
    asc.TBuf("VECIN")


def a_type_that_changes_on_the_way(x: Any) -> None:
    """DtypeError: data_copy: dst is float16, src is float32; they must be the same"""
    asc.data_copy(local(H, 64), x, 64)


def no_count(x: Any) -> None:
    """RangeError: data_copy: count must be a whole number of elements, 0 or more, got -8"""
    asc.data_copy(local(F, 64), x, -8)


def half_a_count(x: Any) -> None:
    """RangeError: data_copy: count must be a whole number of elements, 0 or more, got 8.5"""
    asc.data_copy(local(F, 64), x, 8.5)


def neither_count_nor_params(x: Any) -> None:
    """UsageError: data_copy: after dst and src comes a count, a DataCopyParams (and a DataCopyEnhancedParams),
    a Nz2NdParamsFull, or two lists of SliceInfo with dim_value
    """
    asc.data_copy(local(F, 64), x)


def the_wrong_params(x: Any) -> None:
    """UsageError: data_copy: params must be a DataCopyParams, got DataCopyExtParams(block_count=1, block_len=1,
    src_stride=0, dst_stride=0, rsv=0)
    """
    asc.data_copy(local(F, 64), x, repeat_params=Row(1, 1))


def elements_for_blocks(x: Any) -> None:
    """OutOfBoundsError: src of data_copy (tensor x): accesses elements [0, 512) of a view of 64 x float32 on
    argument x (elements [0, 64) of 64); block_len counts blocks of 32 B, and 64 of them are 2048 B
    """
    asc.data_copy(local(F, 512), x, asc.DataCopyParams(1, 64))


def too_many_rows(x: Any) -> None:
    """RangeError: data_copy_pad: block_count must be 0 to 4095, got 4096"""
    asc.data_copy_pad(local(F, 64), x, Row(4096, 32), Pad())


def half_an_element(x: Any) -> None:
    """RangeError: data_copy_pad: block_len 30 B is no whole number of float32 (4 B)"""
    asc.data_copy_pad(local(F, 64), x, Row(1, 30), Pad())


def no_padding_params(x: Any) -> None:
    """UsageError: data_copy_pad: pad_params must be a DataCopyPadExtParams, got 0"""
    asc.data_copy_pad(local(F, 64), x, Row(1, 32), 0)


def padding_of_another_type(x: Any) -> None:
    """DtypeError: data_copy_pad: the padding is float16, dst is float32; they must be the same"""
    asc.data_copy_pad(local(F, 64), x, Row(1, 32), Pad(H))


def a_padding_without_its_type(x: Any) -> None:
    """DtypeError: data_copy_pad: dtype of pad_params: False is no element type here; there are: bool, int8, int16,
    int32, int64, uint8, uint16, uint32, uint64, float16, bfloat16, float32, int4
    """
    asc.data_copy_pad(local(F, 64), x, Row(1, 32), Pad(False, 0, 0))


def more_padding_than_a_block(x: Any) -> None:
    """RangeError: data_copy_pad: left_padding must be 0 to 8 elements of float32 (32 B), got 9 (36 B)"""
    asc.data_copy_pad(local(F, 64), x, Row(1, 32), Pad(left_padding=9))


def padding_on_the_way_out(x: Any) -> None:
    """UsageError: data_copy_pad: only the way into local memory takes padding, and dst is in global memory; leave
    out pad_params
    """
    asc.data_copy_pad(x, local(F, 64), Row(1, 32), Pad())


def a_padded_copy_inside_ub() -> None:
    """PositionError: data_copy_pad: one of dst and src must be in global memory and the other in UB, got
    LocalTensor(VECCALC float32 x64 at byte 0) and LocalTensor(VECCALC float32 x64 at byte 256)
    """
    asc.data_copy_pad(local(F, 64), local(F, 64, 256), Row(1, 32), Pad())


def a_copy_onto_half_of_itself() -> None:
    """OverlapError: data_copy: dst UB bytes [32, 160) and src [0, 128) overlap in part; use separate buffers"""
    a = local(F, 64)
    asc.duplicate(a, 1, 64)
    asc.data_copy(a[8:], a, 32)


def rows_onto_half_of_themselves() -> None:
    """OverlapError: data_copy: dst UB bytes [32, 160) and src [0, 128) overlap in part; use separate buffers"""
    a = local(F, 64)
    asc.duplicate(a, 1, 64)
    asc.data_copy(a[8:], a, asc.DataCopyParams(2, 2))


def a_copy_from_array_to_array(x: Any) -> None:
    """PositionError: src of data_copy (tensor x) is at GM and dst of data_copy (tensor x) at GM: there is no
    path gm_to_gm on an aiv core; there are: gm_to_ub, ub_to_gm, ub_to_ub
    """
    asc.data_copy(x, x, 64)


def a_scalar_outside() -> None:
    """OutOfBoundsError: get_value: element 64 lies outside the tensor of 64 (LocalTensor(VECCALC float32 x64 at byte
    0))
    """
    a = local(F, 64)
    a.get_value(64)


def no_pad_value() -> None:
    """UsageError: set_pad_value: padding_value must be a number, got '0'"""
    asc.set_pad_value("0")


def a_buffer_that_is_no_array() -> None:
    """UsageError: set_global_buffer: buffer must be an array argument of the kernel, got 0"""
    asc.GlobalTensor().set_global_buffer(0)


def a_window_wider_than_ub() -> None:
    """OutOfBoundsError: set_size: 50000 x float32 from byte 0 end outside UB, which has 196608 B"""
    a = local(F, 64)
    a.set_size(50_000)


def every_second_element() -> None:
    """RangeError: LocalTensor(VECCALC float32 x64 at byte 0): a tensor window has step 1, got 2"""
    a = local(F, 64)
    a[::2]


def two_indices() -> None:
    """UsageError: LocalTensor(VECCALC float32 x64 at byte 0): a tensor is one-dimensional; index it by one
    element offset, got (0, 1)
    """
    a = local(F, 64)
    a[0, 1]


MISTAKES = mistakes(globals())
