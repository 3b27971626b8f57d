"""Forms of vector calls, counts and strides: one kernel for each mistake, as short as it can be.

The docstring is the whole text of the error, behind its class; the last line is the one that is refused.
"""

from __future__ import annotations

import ascendc as asc
from tests.block import local, ones
from tests.guards.mistakes import mistakes

F, P = asc.float32, asc.UnaryRepeatParams


def no_count_at_all() -> None:
    """UsageError: adds: count is missing; the forms are (…, count) and (…, mask, repeat_times, repeat_params)"""
    asc.adds(local(F, 64, 256), ones(F, 64), 1)


def a_mask_without_repeats() -> None:
    """UsageError: adds: repeat_times is missing; the forms are (…, count) and (…, mask, repeat_times, repeat_params)"""
    asc.adds(local(F, 64, 256), ones(F, 64), 1, [1, 0])


def repeats_without_a_mask() -> None:
    """UsageError: adds: mask is missing; the forms are (…, count) and (…, mask, repeat_times, repeat_params)"""
    asc.adds(local(F, 64, 256), ones(F, 64), 1, repeat_times=1)


def more_than_a_form_has() -> None:
    """UsageError: adds: too many arguments after the operands: (64, 1, None, True, 5); the forms are (…, count) and
    (…, mask, repeat_times, repeat_params)
    """
    asc.adds(local(F, 64, 256), ones(F, 64), 1, 64, 1, None, True, 5)


def a_count_twice() -> None:
    """UsageError: adds: count is given twice; the forms are (…, count) and (…, mask, repeat_times, repeat_params)"""
    asc.adds(local(F, 64, 256), ones(F, 64), 1, 64, count=64)


def a_name_that_is_none() -> None:
    """UsageError: adds: there is no argument 'repeat' here; the forms are (…, count) and (…, mask, repeat_times,
    repeat_params)
    """
    asc.adds(local(F, 64, 256), ones(F, 64), 1, 64, repeat=1)


def a_count_below_0() -> None:
    """RangeError: adds: count must be a whole number of elements, 0 or more, got -1"""
    asc.adds(local(F, 64, 256), ones(F, 64), 1, -1)


def half_a_repeat() -> None:
    """RangeError: adds: repeat_times must be a whole number, got 0.5"""
    asc.adds(local(F, 64, 256), ones(F, 64), 1, 64, 0.5, P())


def more_repeats_than_the_field_holds() -> None:
    """RangeError: adds: repeat 256 > 255; split it, or use the count form, which splits itself"""
    asc.adds(local(F, 64, 256), ones(F, 64), 1, 64, 256, P())


def repeats_below_0() -> None:
    """RangeError: adds: repeat_times must be 0 to 255, got -1"""
    asc.adds(local(F, 64, 256), ones(F, 64), 1, 64, -1, P())


def strides_of_two_sources() -> None:
    """UsageError: adds: repeat_params must be a UnaryRepeatParams, got BinaryRepeatParams(dst_blk_stride=1,
    src0_blk_stride=1, src1_blk_stride=1, dst_rep_stride=8, src0_rep_stride=8, src1_rep_stride=8)
    """
    asc.adds(local(F, 64, 256), ones(F, 64), 1, 64, 1, asc.BinaryRepeatParams())


def a_block_stride_too_wide() -> None:
    """RangeError: adds: src_blk_stride must be a whole number of blocks of 32 bytes, 0 to 65535, got 65536"""
    asc.adds(local(F, 64, 256), ones(F, 64), 1, 64, 1, P(src_blk_stride=65536))


def a_repeat_stride_too_wide() -> None:
    """RangeError: adds: dst_rep_stride must be a whole number of blocks of 32 bytes, 0 to 255, got 256"""
    asc.adds(local(F, 64, 256), ones(F, 64), 1, 64, 1, P(dst_rep_stride=256))


def half_a_stride() -> None:
    """RangeError: adds: dst_rep_stride must be a whole number of blocks of 32 bytes, 0 to 255, got 0.5"""
    asc.adds(local(F, 64, 256), ones(F, 64), 1, 64, 1, P(dst_rep_stride=0.5))


def all_blocks_in_one_place() -> None:
    """RangeError: adds: dst_blk_stride 0 would write all blocks of a repeat to one place; 1 puts them one behind
    another
    """
    asc.adds(local(F, 64, 256), ones(F, 64), 1, 64, 1, P(dst_blk_stride=0))


def strides_of_copy_left_at_0() -> None:
    """RangeError: copy: dst_blk_stride 0 would write all blocks of a repeat to one place; 1 puts them one behind
    another
    """
    asc.copy(local(F, 64, 256), ones(F, 64), 64, 1, asc.CopyRepeatParams())


def strides_of_copy_that_are_none() -> None:
    """UsageError: copy: repeat_params must be a CopyRepeatParams, got UnaryRepeatParams(dst_blk_stride=1,
    src_blk_stride=1, dst_rep_stride=8, src_rep_stride=8)
    """
    asc.copy(local(F, 64, 256), ones(F, 64), 64, 1, P())


def blocks_of_brcb_in_one_place() -> None:
    """RangeError: brcb: dst_blk_stride 0 would write all blocks of a repeat to one place; 1 puts them one behind
    another
    """
    asc.brcb(local(F, 64, 256), ones(F, 8), 1, asc.BrcbRepeatParams(0, 8))


def strides_of_brcb_that_are_none() -> None:
    """UsageError: brcb: repeat_params must be a BrcbRepeatParams, got UnaryRepeatParams(dst_blk_stride=1,
    src_blk_stride=1, dst_rep_stride=8, src_rep_stride=8)
    """
    asc.brcb(local(F, 64, 256), ones(F, 8), 1, P())


def blocks_of_gatherb_in_one_place() -> None:
    """RangeError: gatherb: dst_blk_stride 0 would write all blocks of a repeat to one place; 1 puts them one behind
    another
    """
    x, at = ones(asc.uint32, 64), ones(asc.uint32, 8, 256)
    asc.gatherb(local(asc.uint32, 64, 512), x, at, 1, asc.GatherRepeatParams(0, 8))


def operands_by_position_and_by_name() -> None:
    """UsageError: compare: cmp_mode is given twice"""
    asc.compare(local(asc.uint8, 32, 256), ones(F, 64), ones(F, 64), asc.CMPMODE.LT, 64, cmp_mode=asc.CMPMODE.LT)


def an_operand_left_out() -> None:
    """UsageError: gather: src_base is missing; this form begins (dst, src, src_offset, src_base)"""
    asc.gather(local(F, 64, 256), ones(F, 64), src_offset=ones(asc.uint32, 64))


MISTAKES = mistakes(globals())
