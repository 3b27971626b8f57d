"""The forms of copies: one kernel for each mistake, as short as it can be.

The docstring is the whole text of the error, behind its class; the last line is the one that is refused.
"""

from __future__ import annotations

from typing import Any

import ascendc as asc
from tests.block import local, ones
from tests.guards.mistakes import mistakes

H, F, S = asc.half, asc.float32, asc.SliceInfo


def an_operand_that_is_none(x: Any) -> None:
    """UsageError: data_copy: src must be a LocalTensor or a GlobalTensor, got [1, 2]"""
    asc.data_copy(x, [1, 2], 64)


def a_copy_of_int4(x: Any) -> None:
    """DtypeError: data_copy: dst is int4; supported: bool, int8, int16, int32, int64, uint8, uint16, uint32,
    uint64, float16, bfloat16, float32; copy its bytes: reinterpret_cast(uint8) has half as many elements
    """
    asc.data_copy(local(asc.int4, 64), x, 64)


def more_than_dst_has(x: Any) -> None:
    """OutOfBoundsError: dst of data_copy (tensor t): needs 256 B (64 x float32), the tensor has 128 B (32), UB
    bytes [0, 128)
    """
    t = local(F, 32)
    asc.data_copy(t, x, 64)


def more_than_src_has(x: Any) -> None:
    """OutOfBoundsError: src of data_copy (tensor t): needs 256 B (64 x float32), the tensor has 128 B (32), UB
    bytes [0, 128)
    """
    t = ones(F, 32)
    asc.data_copy(x, t, 64)


def more_than_the_array_takes(x: Any) -> None:
    """OutOfBoundsError: dst of data_copy (tensor x): accesses elements [0, 128) of a view of 64 x float32 on
    argument x (elements [0, 64) of 64)
    """
    asc.data_copy(x, ones(F, 128), 128)


def a_store_of_nothing(x: Any) -> None:
    """UninitializedError: src of data_copy (tensor t): reads elements [0, 64) of the tensor, UB bytes [0, 256),
    which nothing has written; fill them first (data_copy, duplicate) or shorten the count
    """
    t = local(F, 64)
    asc.data_copy(x, t, 64)


def an_atomic_store_of_another_type(x: Any) -> None:
    """DtypeError: data_copy: dst is float32, and atomic stores are on for float16 (since @-1); call
    set_atomic_none() for ordinary stores
    """
    asc.set_atomic_add(H)
    asc.data_copy(x, ones(F, 64), 64)


def half_a_block_len(x: Any) -> None:
    """RangeError: data_copy: block_len must be a whole number, got 0.5"""
    asc.data_copy(local(F, 64), x, asc.DataCopyParams(1, 0.5))


def nd_to_nz(x: Any) -> None:
    """PositionError: data_copy: ND becomes NZ only on the way into L1 (A1, B1) of a cube core; dst is
    LocalTensor(VECCALC float32 x64 at byte 0)
    """
    asc.data_copy(local(F, 64), x, asc.Nd2NzParams())


def nd_to_nz_with_padding(x: Any) -> None:
    """PositionError: data_copy_pad: ND becomes NZ only on the way into L1 (A1, B1) of a cube core; dst is
    LocalTensor(VECCALC float32 x64 at byte 0)
    """
    asc.data_copy_pad(local(F, 64), x, asc.DataCopyExtParams(1, 32), asc.Nd2NzParams())


def nz_to_nd_on_the_way_in(x: Any) -> None:
    """PositionError: data_copy: NZ becomes ND on the way from UB to global memory, got dst LocalTensor(VECCALC
    float32 x64 at byte 0), src GlobalTensor(x, float32 x64 from byte 0)
    """
    asc.data_copy(local(F, 64), x, asc.Nz2NdParamsFull())


def nz_to_nd_of_four_bytes(x: Any) -> None:
    """DtypeError: data_copy from NZ to ND: dst is float32; supported: int16, uint16, float16, bfloat16"""
    asc.data_copy(x, local(F, 64), asc.Nz2NdParamsFull())


def enhancements_that_do_nothing(x: Any) -> None:
    """UsageError: data_copy: between global memory and UB enhanced_params do nothing here and must be left as they
    are, got DataCopyEnhancedParams(block_mode=0, deq_scale=0, deq_value=0, sid_store_mode=0, is_relu=True,
    pad_mode=0, pad_value=0); they are for copies out of L0C
    """
    asc.data_copy(local(F, 64), x, asc.DataCopyParams(1, 1), asc.DataCopyEnhancedParams(is_relu=True))


def enhancements_that_are_none(x: Any) -> None:
    """UsageError: data_copy: enhanced_params must be a DataCopyEnhancedParams, got True"""
    asc.data_copy(local(F, 64), x, asc.DataCopyParams(1, 1), True)


def a_padding_value_that_is_none(x: Any) -> None:
    """UsageError: data_copy_pad: padding_value must be a number, got '0'"""
    pad = asc.DataCopyPadExtParams(is_pad=True, right_padding=3, padding_value="0")
    asc.data_copy_pad(local(F, 64), x, asc.DataCopyExtParams(1, 20), pad)


def slices_that_are_no_list(x: Any) -> None:
    """UsageError: data_copy: the slices of dst must be a list, got SliceInfo(start_index=0, end_index=7, stride=0,
    burst_len=1, shape_value=64)
    """
    asc.data_copy(local(F, 64), x, S(0, 7, 0, 1, 64), S(0, 7, 0, 1, 64), 1)


def more_dimensions_than_slices(x: Any) -> None:
    """UsageError: data_copy: dim_value must be 1 to 1, the number of dst slices, got 2"""
    asc.data_copy(local(F, 64), x, [S(0, 7, 0, 1, 64)], [S(0, 7, 0, 1, 64)], 2)


def a_slice_that_is_none(x: Any) -> None:
    """UsageError: data_copy: src slice 0 must be a SliceInfo, got (0, 7)"""
    asc.data_copy(local(F, 64), x, [S(0, 7, 0, 1, 64)], [(0, 7)], 1)


def half_a_burst(x: Any) -> None:
    """RangeError: data_copy: burst_len of dst slice 0 must be a whole number, got 0.5"""
    asc.data_copy(local(F, 64), x, [S(0, 7, 0, 0.5, 64)], [S(0, 7, 0, 1, 64)], 1)


def a_slice_of_parts_of_pieces(x: Any) -> None:
    """RangeError: data_copy: dst slice 0 from 0 to 9 of 64 is not made of pieces of 8 with gaps of 0 elements"""
    asc.data_copy(local(F, 64), x, [S(0, 9, 0, 1, 64)], [S(0, 7, 0, 1, 64)], 1)


def slices_of_different_lengths(x: Any) -> None:
    """RangeError: data_copy: dst slices have 1 pieces of 32 B and src slices 1 pieces of 64 B; they must be as many
    and as long
    """
    asc.data_copy(local(F, 64), x, [S(0, 7, 0, 1, 64)], [S(0, 15, 0, 2, 64)], 1)


def a_slice_off_its_block(x: Any) -> None:
    """AlignmentError: data_copy: dst slice 0 has a piece at element 4 of float32, which is no multiple of 32 B in UB"""
    asc.data_copy(local(F, 64), x, [S(4, 11, 0, 1, 64)], [S(0, 7, 0, 1, 64)], 1)


def a_piece_beyond_the_array(x: Any) -> None:
    """OutOfBoundsError: src of data_copy: accesses elements [0, 8) of a view of 0 x float32 on argument x (elements
    [64, 64) of 64)
    """
    t = local(F, 64)
    asc.data_copy(t, x, [S(0, 7, 0, 1, 8), S(0, 1, 0, 1, 2)], [S(0, 7, 0, 1, 64), S(0, 1, 0, 1, 2)], 2)


MISTAKES = mistakes(globals())
