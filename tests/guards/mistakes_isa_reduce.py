"""Reductions: one kernel for each mistake, as short as it can be.

The docstring is the whole text of the error, behind its class; the last line is the one that is refused.
"""

from __future__ import annotations

import ascendc as asc
from tests.block import local, ones
from tests.guards.mistakes import mistakes

H, F = asc.half, asc.float32


def results_over_what_is_still_read() -> None:
    """OverlapError: whole_reduce_sum: repeat 0 writes UB bytes [256, 260) of dst (from 256), which repeat 1 reads
    of src (from 0); start both at the same byte, or use separate buffers
    """
    x = ones(F, 192)
    asc.whole_reduce_sum(x[64:], x, 64, 2, 1, 1, 8)


def a_stride_of_results_too_wide() -> None:
    """RangeError: whole_reduce_sum: dst_rep_stride must be a whole number of results of one repeat, 0 to 65535, got
    65536
    """
    asc.whole_reduce_sum(local(F, 8, 256), ones(F, 64), 64, 1, 65536, 1, 8)


def half_a_stride_of_blocks() -> None:
    """RangeError: whole_reduce_sum: src_blk_stride must be a whole number of blocks of 32 bytes, 0 to 65535, got 0.5"""
    asc.whole_reduce_sum(local(F, 8, 256), ones(F, 64), 64, 1, 1, 0.5, 8)


def an_order_that_is_none() -> None:
    """UsageError: whole_reduce_max: order must be a ReduceOrder, as ReduceOrder.ORDER_VALUE_INDEX, got 2"""
    asc.whole_reduce_max(local(F, 8, 256), ones(F, 64), 64, 1, 1, 1, 8, 2)


def a_buffer_too_small_for_the_rounds() -> None:
    """WorkspaceError: reduce_max: shared_tmp_buffer has 20 B; 3 repeats of float32 need 32 B"""
    asc.reduce_max(local(F, 8, 768), ones(F, 192), local(F, 5, 512), 192)


def a_buffer_too_small_for_the_index() -> None:
    """WorkspaceError: reduce_max: shared_tmp_buffer has 32 B; 3 repeats of float32 with the index need 64 B"""
    asc.reduce_max(local(F, 8, 768), ones(F, 192), local(F, 8, 512), 192, True)


def a_result_off_its_pair() -> None:
    """AlignmentError: dst of reduce_max: byte offset 772 in UB is not a multiple of 8; start the window at a
    multiple of 2 elements
    """
    z = local(F, 8, 768)
    asc.reduce_max(z[1:], ones(F, 64), local(F, 64, 512), 64, True)


def more_elements_than_an_index_counts() -> None:
    """RangeError: reduce_max: the index is an element of 2 B, which holds 0 to 65535, and the source goes on to
    element 65536; reduce it in parts, or leave out cal_index
    """
    asc.reduce_max(local(H, 16, 180_224), ones(H, 65_537), local(H, 4096, 163_840), 65_537, True)


def a_result_among_the_rounds() -> None:
    """OverlapError: reduce_max: dst UB bytes [1032, 1036) lie within those of shared_tmp_buffer that are used,
    [1024, 1056); start both at one byte, or use separate buffers
    """
    tmp = local(F, 64, 1024)
    asc.reduce_max(tmp[2:], ones(F, 192), tmp, 192)


MISTAKES = mistakes(globals())
