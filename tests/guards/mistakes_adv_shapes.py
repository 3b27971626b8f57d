"""Shapes of high-level functions: one kernel for each mistake, as short as it can be.

The docstring is the whole text of the error, behind its class; the last line is the one that is refused.
"""

from __future__ import annotations

import ascendc as asc
from ascendc import adv
from tests.block import local, ones
from tests.guards.mistakes import mistakes

F = asc.float32


def shapes_that_do_not_fit() -> None:
    """UsageError: broadcast: src of (2, 8) does not fit dst of (4, 8); both must have one or two dimensions, and
    those of src be the same or 1
    """
    adv.broadcast(local(F, 64, 256), ones(F, 64), (4, 8), (2, 8))


def a_shape_that_is_none() -> None:
    """UsageError: broadcast: src of 1 does not fit dst of 8; both must have one or two dimensions, and those of src
    be the same or 1
    """
    adv.broadcast(local(F, 64, 256), ones(F, 64), 8, 1)


def a_column_that_may_be_packed_or_not() -> None:
    """RangeError: broadcast: src of (8, 1) has room for 64 elements, so its 8 may be packed or at every block; say
    src_pitch=1 or src_pitch=8, or pass src[:8]
    """
    adv.broadcast(local(F, 64, 256), ones(F, 64), (8, 8), (8, 1))


def a_pitch_of_nothing() -> None:
    """RangeError: broadcast: src_pitch must be 1 element or more, got 0"""
    adv.broadcast(local(F, 64, 256), ones(F, 64), (8, 8), (8, 1), src_pitch=0)


def half_a_pitch() -> None:
    """RangeError: broadcast: src_pitch must be a whole number, got 0.5"""
    adv.broadcast(local(F, 64, 256), ones(F, 64), (8, 8), (8, 1), src_pitch=0.5)


def bytes_with_a_pitch() -> None:
    """RangeError: broadcast: a column of int8 must be packed, got src_pitch 32"""
    adv.broadcast(local(asc.int8, 256, 256), ones(asc.int8, 256), (8, 32), (8, 1), src_pitch=32)


def less_than_no_padding() -> None:
    """RangeError: pad: left_pad must be a whole number of elements, 0 or more, got -1"""
    adv.pad(local(F, 64, 256), ones(F, 8), adv.PadParams(-1, 1), adv.PadTiling(1, 8))


def padding_that_is_none() -> None:
    """UsageError: pad: pad_params must be a PadParams, got (0, 1)"""
    adv.pad(local(F, 64, 256), ones(F, 8), (0, 1), adv.PadTiling(1, 8))


def a_tiling_of_unpad_for_pad() -> None:
    """UsageError: pad: tiling must be a PadTiling, as pad_tiling_func makes it, got UnPadTiling(src_height=1,
    src_width=8)
    """
    adv.pad(local(F, 64, 256), ones(F, 8), adv.PadParams(0, 1), adv.UnPadTiling(1, 8))


def padding_of_pad_for_unpad() -> None:
    """UsageError: unpad: unpad_params must be an UnPadParams, got PadParams(left_pad=0, right_pad=1, pad_value=0)"""
    adv.unpad(local(F, 64, 256), ones(F, 8), adv.PadParams(0, 1), adv.UnPadTiling(1, 8))


def a_tiling_of_pad_for_unpad() -> None:
    """UsageError: unpad: tiling must be an UnPadTiling, as unpad_tiling_func makes it, got PadTiling(src_height=1,
    src_width=8, src_ori_width=0)
    """
    adv.unpad(local(F, 64, 256), ones(F, 8), adv.UnPadParams(0, 1), adv.PadTiling(1, 8))


def half_a_row() -> None:
    """RangeError: unpad: src_height must be a whole number, 0 or more, got 0.5"""
    adv.unpad(local(F, 64, 256), ones(F, 8), adv.UnPadParams(0, 1), adv.UnPadTiling(0.5, 8))


def an_axis_that_is_none() -> None:
    """UsageError: reduce_sum: pattern must be a ReducePattern, as ReducePattern.AR, got 1"""
    adv.reduce_sum(local(F, 8, 256), ones(F, 64), (8, 8), True, 1)


def three_dimensions() -> None:
    """UsageError: reduce_sum: src_shape must have two dimensions, got (2, 4, 8)"""
    adv.reduce_sum(local(F, 8, 256), ones(F, 64), (2, 4, 8))


def sums_that_are_means() -> None:
    """UsageError: mean: mean_params must be a MeanParams, got SumParams(outter=8, inner=8, n=8)"""
    adv.mean(local(F, 8, 256), ones(F, 64), adv.SumParams(8, 8, 8))


def rows_without_their_info() -> None:
    """UsageError: cumsum: cum_sum_info must be a CumSumInfo, got (8, 8)"""
    adv.cumsum(local(F, 64, 256), None, ones(F, 64), (8, 8))


def more_columns_than_a_row_has() -> None:
    """RangeError: softmax: rows of 9 elements do not fit a pitch of 8 from row to row"""
    info = adv.SoftMaxShapeInfo(1, 8, 1, 9)
    adv.softmax(local(F, 8, 256), local(F, 8, 512), local(F, 8, 768), ones(F, 8), adv.SoftMaxTiling(), shape_info=info)


def rows_off_their_blocks() -> None:
    """AlignmentError: softmax: rows every 7 elements of 4 B start within a block of 32 B; pad them to 8"""
    tiling = adv.soft_max_tiling_func((2, 7))
    adv.softmax(local(F, 16, 256), local(F, 16, 512), local(F, 16, 768), ones(F, 16), tiling)


def a_shape_for_a_softmax_that_is_none() -> None:
    """UsageError: softmax: shape_info must be a SoftMaxShapeInfo, got (1, 8)"""
    tiling, x = adv.soft_max_tiling_func((1, 8)), ones(F, 8)
    adv.softmax(local(F, 8, 256), local(F, 8, 512), local(F, 8, 768), x, tiling, shape_info=(1, 8))


def a_softmax_without_a_tiling() -> None:
    """UsageError: softmax: tiling must be a SoftMaxTiling, as soft_max_tiling_func makes it, got (2, 8)"""
    adv.softmax(local(F, 16, 256), local(F, 16, 512), local(F, 16, 768), ones(F, 16), (2, 8))


def a_matrix_in_nz_format() -> None:
    """UsageError: softmax: there is no form for NZ matrices; bring the rows into ND order first"""
    tiling = adv.soft_max_tiling_func((2, 8))
    adv.softmax(local(F, 16, 256), local(F, 16, 512), local(F, 16, 768), ones(F, 16), tiling, data_format_nz=True)


def a_tiling_of_another_norm() -> None:
    """UsageError: rmsnorm: tiling must be a RmsNormTiling, as get_rms_norm_tiling_info makes it, got
    LayerNormTiling(b_length=1, s_length=1, h_length=8, original_h_length=0)
    """
    adv.rmsnorm(local(F, 8, 256), ones(F, 8), ones(F, 8, 512), 0.0, adv.get_layer_norm_nd_tiling_info((1, 1, 8)))


def a_choice_without_a_tiling() -> None:
    """UsageError: top_k: tiling must be a TopkTiling, as top_k_tiling_func makes it, got None"""
    adv.top_k(local(F, 8, 256), local(asc.int32, 8, 512), ones(F, 32), None, None, 8, None, adv.TopKInfo(1, 32))


def a_choice_without_an_info() -> None:
    """UsageError: top_k: topk_info must be a TopKInfo, got None"""
    adv.top_k(local(F, 8, 256), local(asc.int32, 8, 512), ones(F, 32), None, None, 8, adv.TopkTiling(1, 32, 8), None)


def a_tiling_for_another_k() -> None:
    """UsageError: top_k: tiling must have the numbers of topk_info and k, outter 1, inner 32, k 7, got
    TopkTiling(outter=1, inner=32, k=8)
    """
    tiling, info = adv.top_k_tiling_func(32, 1, 8), adv.TopKInfo(1, 32)
    adv.top_k(local(F, 8, 256), local(asc.int32, 8, 512), ones(F, 32), None, None, 7, tiling, info)


def rows_of_parts_of_runs() -> None:
    """RangeError: top_k: inner must be a multiple of 32 up to 4096, got 40; pad the rows"""
    tiling, info = adv.top_k_tiling_func(40, 1, 8), adv.TopKInfo(1, 40)
    adv.top_k(local(F, 8, 256), local(asc.int32, 8, 512), ones(F, 40), None, None, 8, tiling, info)


def more_than_there_are_to_choose_from() -> None:
    """RangeError: top_k: there must be 0 <= k <= n <= inner, got k 8, n 7, inner 32"""
    tiling, info = adv.top_k_tiling_func(32, 1, 8), adv.TopKInfo(1, 32, 7)
    adv.top_k(local(F, 8, 256), local(asc.int32, 8, 512), ones(F, 32), None, None, 8, tiling, info)


MISTAKES = mistakes(globals())
