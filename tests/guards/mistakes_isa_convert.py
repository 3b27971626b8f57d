"""Conversions and scales: one kernel for each mistake, as short as it can be.

The docstring is the whole text of the error, behind its class; the last line is the one that is refused.
"""

from __future__ import annotations

import ascendc as asc
from tests.block import local, ones
from tests.guards.mistakes import mistakes

H, F, NONE, Vdeq = asc.half, asc.float32, asc.RoundMode.CAST_NONE, asc.VdeqInfo


def a_pair_without_a_conversion() -> None:
    """DtypeError: cast: there is no conversion from float32 to int8; from float32 there is: int16, int32, int64,
    bfloat16, float32, float16
    """
    asc.cast(local(asc.int8, 64, 256), ones(F, 64), NONE, 64)


def a_pair_without_this_rounding() -> None:
    """DtypeError: cast: float32 to int32 has no CAST_NONE; round modes there are: CAST_RINT, CAST_FLOOR, CAST_CEIL,
    CAST_ROUND, CAST_TRUNC
    """
    asc.cast(local(asc.int32, 64, 256), ones(F, 64), NONE, 64)


def a_round_mode_that_is_none() -> None:
    """UsageError: cast: round_mode must be a RoundMode, as RoundMode.CAST_NONE, got 1"""
    asc.cast(local(asc.int32, 64, 256), ones(F, 64), 1, 64)


def a_lane_without_its_neighbour() -> None:
    """AlignmentError: cast: the mask chooses lane 4 without lane 5; dst is int4, in which lanes 2k and 2k + 1 share
    a byte: choose both, or neither
    """
    asc.cast(local(asc.int4, 64, 256), ones(H, 64), NONE, 5, 1, asc.UnaryRepeatParams())


def a_conversion_without_its_scale() -> None:
    """UsageError: cast: int32 values are scaled to float16; call set_deq_scale(scale) before"""
    asc.cast(local(H, 64, 256), ones(asc.int32, 64), NONE, 64)


def no_form_of_a_scale() -> None:
    """UsageError: set_deq_scale: the arguments fit no form; the forms are (scale), (scale, offset, sign_mode) and
    (vdeq, vdeq_info)
    """
    asc.set_deq_scale(1.0, 0, True, 1)


def a_scale_that_is_none() -> None:
    """UsageError: set_deq_scale: scale must be a number, got '1'"""
    asc.set_deq_scale("1")


def a_scale_with_an_offset_that_is_none() -> None:
    """UsageError: set_deq_scale: scale must be a number, got None"""
    asc.set_deq_scale(None, 0, True)


def an_offset_of_10_bits() -> None:
    """RangeError: set_deq_scale: offset must be -256 to 255, got 256"""
    asc.set_deq_scale(1.0, 256, True)


def scales_without_a_struct() -> None:
    """UsageError: set_deq_scale: vdeq_info must be a VdeqInfo, got [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0,
    1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    """
    asc.set_deq_scale(local(asc.uint64, 16), [1.0] * 16)


def fifteen_offsets() -> None:
    """RangeError: set_deq_scale: vdeq_info must hold 16 of each parameter, got 16 scales, 15 offsets and 16 sign
    modes
    """
    asc.set_deq_scale(local(asc.uint64, 16), Vdeq(vdeq_offset=[0] * 15))


def room_for_fifteen_scales() -> None:
    """OutOfBoundsError: vdeq of set_deq_scale (tensor words): needs 128 B (16 x uint64), the tensor has 120 B (15),
    UB bytes [0, 120)
    """
    words = local(asc.uint64, 15)
    asc.set_deq_scale(words, Vdeq())


def arguments_that_are_no_flags() -> None:
    """UsageError: cast_deq: the arguments after the operands must be count, is_vec_deq, half_block, got 64, True,
    True, True
    """
    asc.cast_deq(local(asc.int8, 64, 256), ones(asc.int16, 64), 64, True, True, True)


def one_scale_where_there_must_be_sixteen() -> None:
    """UsageError: cast_deq: is_vec_deq=True takes 16 scales; call set_deq_scale(vdeq, vdeq_info) before, or pass
    is_vec_deq=False
    """
    asc.set_deq_scale(1.0, 0, True)
    asc.cast_deq(local(asc.int8, 128, 256), ones(asc.int16, 64), 64)


def sixteen_scales_where_there_must_be_one() -> None:
    """UsageError: cast_deq: is_vec_deq=False takes one scale; call set_deq_scale(scale, offset, sign_mode) before"""
    asc.set_deq_scale(local(asc.uint64, 16, 512), Vdeq())
    asc.cast_deq(local(asc.int8, 128, 256), ones(asc.int16, 64), 64, False)


MISTAKES = mistakes(globals())
