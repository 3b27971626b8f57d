"""Transposing: one kernel for each mistake, as short as it can be.

The docstring is the whole text of the error, behind its class; the last line is the one that is refused.
"""

from __future__ import annotations

import ascendc as asc
from tests.block import local, ones
from tests.guards.mistakes import mistakes

H, F, Once = asc.half, asc.float32, asc.TransDataTo5HDParams()
Shape, NHWC = asc.TransposeParamsExt, asc.TransposeType.TRANSPOSE_NCHW2NHWC


def rows(kind: asc.DataType, address: int = 0) -> list[asc.LocalTensor]:
    """16 rows of a block each."""
    return [ones(kind, 32 // kind.itemsize, address + 32 * i) for i in range(16)]


def no_params() -> None:
    """UsageError: trans_data_to_5hd: the arguments fit no form; the forms are (dst_list, src_list, params) and
    (dst_list, src_list, params, dtype)
    """
    asc.trans_data_to_5hd(rows(H), rows(H, 512))


def params_that_are_none() -> None:
    """UsageError: trans_data_to_5hd: params must be a TransDataTo5HDParams, got 1"""
    asc.trans_data_to_5hd(rows(H), rows(H, 512), 1)


def fifteen_rows() -> None:
    """UsageError: trans_data_to_5hd: dst_list must be a list of 16 tensors or addresses, got 15"""
    asc.trans_data_to_5hd(rows(H)[:15], rows(H, 512), Once)


def fewer_addresses_than_rows() -> None:
    """OutOfBoundsError: dst of trans_data_to_5hd (tensor at): needs 128 B (16 x uint64), the tensor has 120 B (15),
    UB bytes [0, 120)
    """
    at = ones(asc.uint64, 15)
    asc.trans_data_to_5hd(at, rows(H, 512), Once, H)


def addresses_nothing_has_written() -> None:
    """UninitializedError: dst of trans_data_to_5hd (tensor at): reads elements [0, 16) of the tensor, UB bytes [0,
    128), which nothing has written; fill them first (data_copy, duplicate) or shorten the count
    """
    at = local(asc.uint64, 16)
    asc.trans_data_to_5hd(at, rows(H, 512), Once, H)


def addresses_without_a_type() -> None:
    """UsageError: trans_data_to_5hd: addresses have no element type; say dtype=…"""
    at = list(range(0, 512, 32))
    asc.trans_data_to_5hd(at, at, Once)


def rows_of_two_types() -> None:
    """DtypeError: trans_data_to_5hd: all rows must have one element type of int8, uint8, int16, uint16, float16,
    int32, uint32, float32; got float16, float32
    """
    asc.trans_data_to_5hd(rows(H), rows(F, 512), Once)


def halves_of_two_bytes() -> None:
    """UsageError: trans_data_to_5hd: halves of a block are for types of one byte, and the rows are float16"""
    asc.trans_data_to_5hd(rows(H), rows(H, 512), asc.TransDataTo5HDParams(dst_high_half=True))


def an_address_off_its_block() -> None:
    """AlignmentError: trans_data_to_5hd: dst_list[1] is byte 16, no multiple of 32"""
    asc.trans_data_to_5hd(list(range(0, 256, 16)), rows(H, 512), Once)


def repeats_beyond_a_row() -> None:
    """OutOfBoundsError: src_list[0] of trans_data_to_5hd: needs 64 B (32 x float16), the tensor has 32 B (16), UB
    bytes [512, 544)
    """
    asc.trans_data_to_5hd(rows(H), rows(H, 512), asc.TransDataTo5HDParams(False, False, 2, 0, 1))


def an_order_that_is_not_there() -> None:
    """UsageError: transpose: transpose_type must be TRANSPOSE_ND2ND_B16, TRANSPOSE_NCHW2NHWC or
    TRANSPOSE_NHWC2NCHW, got TransposeType.TRANSPOSE_TYPE_NONE
    """
    shape = Shape(1, 1, 4, 4, asc.TransposeType.TRANSPOSE_TYPE_NONE)
    asc.transpose(local(H, 256, 512), ones(H, 256), local(asc.uint8, 4096, 1024), shape)


def no_params_for_the_buffer() -> None:
    """UsageError: transpose: params must be a TransposeParamsExt, got None"""
    asc.transpose(local(H, 256, 512), ones(H, 256), local(asc.uint8, 4096, 1024))


def more_than_a_tile() -> None:
    """RangeError: transpose: src has 512 elements, and a tile is 16 x 16 = 256; transpose tile by tile (src[i : i +
    256]), or use trans_data_to_5hd
    """
    asc.transpose(local(H, 512, 1024), ones(H, 512))


def an_image_of_parts_of_blocks() -> None:
    """AlignmentError: transpose: h_size x w_size is 12 x float16 = 24 B, which must be a multiple of 32 B"""
    asc.transpose(local(H, 256, 512), ones(H, 256), local(asc.uint8, 4096, 1024), Shape(1, 1, 4, 3, NHWC))


def a_buffer_too_small_for_the_image() -> None:
    """WorkspaceError: transpose: shared_tmp_buffer has 1024 B; TRANSPOSE_NCHW2NHWC of float16 needs 1536 B"""
    asc.transpose(local(H, 256, 512), ones(H, 256), local(asc.uint8, 1024, 1024), Shape(1, 1, 4, 4, NHWC))


MISTAKES = mistakes(globals())
