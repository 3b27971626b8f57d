"""Scales, channels and probabilities of high-level functions: one kernel for each mistake, as short as it can be.

The docstring is the whole text of the error, behind its class; the last line is the one that is refused.
"""

from __future__ import annotations

import ascendc as asc
from ascendc import adv
from tests.block import local, ones
from tests.guards.mistakes import mistakes

F, Info, Rows = asc.float32, adv.DropOutShapeInfo, adv.DequantParams


def a_scalar_that_is_none() -> None:
    """UsageError: swish: scalar_value must be a number, got '1'"""
    adv.swish(local(F, 64, 256), ones(F, 64), 64, "1")


def a_source_that_does_not_fit_the_type() -> None:
    """RangeError: where: src0 70000 does not fit int16 (-32768 to 32767)"""
    adv.where(local(asc.int16, 64, 256), 70_000, 0, ones(asc.uint8, 64))


def a_scale_that_is_none() -> None:
    """UsageError: quant: scale must be a number, got '2'"""
    adv.quant(local(asc.int8, 64, 256), ones(F, 64), "2", 0.0)


def channels_that_differ_in_number() -> None:
    """RangeError: quant: scale has 32 channels and offset has 64 channels for 64 elements; all must have as many
    channels, and the elements be whole rows of them
    """
    adv.quant(local(asc.int8, 64, 256), ones(F, 64), ones(F, 32, 512), ones(F, 64, 1024))


def rows_of_parts_of_blocks() -> None:
    """AlignmentError: quant: with channels a row must be a multiple of 32 elements, got 16"""
    adv.quant(local(asc.int8, 64, 256), ones(F, 64), ones(F, 16, 512), 0.0)


def rows_that_are_not_there() -> None:
    """RangeError: anti_quant: k must be 2, since 64 elements are 2 rows of 32, got 3"""
    scale = ones(asc.half, 32, 512)
    adv.anti_quant(local(asc.half, 64, 256), ones(asc.int8, 64), 0.0, scale, 3)


def rows_without_their_params() -> None:
    """UsageError: dequant: params must be a DequantParams, got (8, 8)"""
    adv.dequant(local(F, 64, 256), ones(asc.int32, 64), 1.0, (8, 8))


def more_columns_than_a_row_has() -> None:
    """RangeError: dequant: cal_count must be 0 to 8 (n), got 9"""
    adv.dequant(local(F, 64, 256), ones(asc.int32, 64), 1.0, Rows(8, 8, 9))


def rows_off_their_blocks() -> None:
    """AlignmentError: dequant: n must be a multiple of 8 elements, so that each row of src starts at a block, got 12"""
    adv.dequant(local(F, 64, 256), ones(asc.int32, 64), 1.0, Rows(5, 12))


def half_a_row() -> None:
    """RangeError: dequant: m must be a whole number, 0 or more, got 0.5"""
    adv.dequant(local(F, 64, 256), ones(asc.int32, 64), 1.0, Rows(0.5, 8))


def a_step_of_half_an_integer() -> None:
    """RangeError: arange: diff_value 0.5 is no whole number, and the tensor is int16"""
    adv.arange(local(asc.int16, 64, 256), 0, 0.5, 64)


def an_epsilon_that_is_none() -> None:
    """UsageError: rmsnorm: epsilon must be a number, got '0'"""
    tiling = adv.get_rms_norm_tiling_info((1, 8))
    adv.rmsnorm(local(F, 8, 256), ones(F, 8), ones(F, 8, 512), "0", tiling)


def a_probability_of_0() -> None:
    """RangeError: dropout: keep_prob must be above 0 and up to 1, got 0"""
    adv.dropout(local(F, 64, 256), ones(F, 64), ones(asc.uint8, 64, 512), 0, Info(1, 64))


def a_probability_that_is_none() -> None:
    """UsageError: dropout: keep_prob must be a number, got '0.5'"""
    adv.dropout(local(F, 64, 256), ones(F, 64), ones(asc.uint8, 64, 512), "0.5", Info(1, 64))


def elements_without_their_info() -> None:
    """UsageError: dropout: info must be a DropOutShapeInfo, got 64"""
    adv.dropout(local(F, 64, 256), ones(F, 64), ones(asc.uint8, 64, 512), 0.5, 64)


def a_mode_there_is_not() -> None:
    """RangeError: dropout: drop_out_mode must be 0 to 4, got 5"""
    adv.dropout(local(F, 64, 256), ones(F, 64), ones(asc.uint8, 64, 512), 0.5, Info(1, 64), drop_out_mode=5)


def a_mask_too_narrow() -> None:
    """RangeError: dropout: a row of the mask has 8 B; 64 elements need 64 B"""
    adv.dropout(local(F, 64, 256), ones(F, 64), ones(asc.uint8, 64, 512), 0.5, Info(1, 64, 8), drop_out_mode=2)


def rows_of_a_mask_off_their_blocks() -> None:
    """AlignmentError: dropout: rows of src have 16 B, of the mask 32 B; where the mask has gaps both must be
    multiples of 32
    """
    adv.dropout(local(F, 64, 256), ones(F, 64), ones(asc.uint8, 64, 512), 0.5, Info(2, 4, 32), drop_out_mode=2)


MISTAKES = mistakes(globals())
