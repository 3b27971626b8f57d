"""Gathering and scattering: one kernel for each mistake, as short as it can be.

The docstring is the whole text of the error, behind its class; the last line is the one that is refused.
"""

from __future__ import annotations

import numpy as np

import ascendc as asc
from tests.block import local, ones, tensor
from tests.guards.mistakes import mistakes

F, U, ONCE = asc.float32, asc.uint32, asc.GatherMaskParams(1, 1, 8, 8)


def offsets(*values: int) -> asc.LocalTensor:
    """Offsets behind the first two tensors of 256 bytes."""
    return tensor(np.array(values, np.uint32), 512)


def fewer_offsets_than_lanes() -> None:
    """OutOfBoundsError: src_offset of gather (tensor at): needs 12 B (3 x uint32), the tensor has 8 B (2), UB bytes
    [512, 520)
    """
    at = offsets(0, 4)
    asc.gather(local(F, 64, 256), ones(F, 64), at, 0, 3)


def offsets_nothing_has_written() -> None:
    """UninitializedError: src_offset of gather (tensor at): reads elements [0, 1) of the tensor, UB bytes [512,
    516), which nothing has written; fill them first (data_copy, duplicate) or shorten the count
    """
    at = local(U, 8, 512)
    asc.gather(local(F, 64, 256), ones(F, 64), at, 0, 3)


def a_base_below_0() -> None:
    """RangeError: gather: src_base must be a whole number of bytes, 0 to 2^32 - 1, got -4"""
    asc.gather(local(F, 64, 256), ones(F, 64), offsets(0, 4), -4, 2)


def a_table_off_its_block() -> None:
    """AlignmentError: src of gather: byte offset 4 in UB is not a multiple of 32; start the window at a multiple of
    8 elements
    """
    x = ones(F, 64)
    asc.gather(local(F, 64, 256), x[1:], offsets(0, 4), 0, 2)


def offsets_that_count_elements() -> None:
    """AlignmentError: gather: offset 1 of lane 1 is no multiple of 4 bytes; offsets count bytes, not elements
    (float32 has 4)
    """
    asc.gather(local(F, 64, 256), ones(F, 64), offsets(0, 1), 0, 2)


def an_offset_beyond_the_table() -> None:
    """OutOfBoundsError: src of gather (tensor x): offset 256 of lane 1 plus 4 B ends outside the tensor of 256 B
    (64 x float32); offsets count bytes from its start
    """
    x = ones(F, 64)
    asc.gather(local(F, 64, 256), x, offsets(0, 256), 0, 2)


def an_element_of_the_table_nothing_has_written() -> None:
    """UninitializedError: src of gather (tensor x): reads elements [8, 9) of the tensor, UB bytes [32, 36), which
    nothing has written; fill them first (data_copy, duplicate) or shorten the count
    """
    x = local(F, 64)
    asc.duplicate(x, 1, 8)
    asc.gather(local(F, 64, 256), x, offsets(0, 32), 0, 2)


def more_lanes_than_dst_has() -> None:
    """OutOfBoundsError: dst of gather (tensor z): needs 256 B (64 x float32), the tensor has 32 B (8), UB bytes
    [256, 288)
    """
    z = local(F, 8, 256)
    asc.gather(z, ones(F, 64), local(U, 64, 512), 0, 64)


def two_lanes_to_one_place() -> None:
    """OverlapError: scatter: 2 lanes write byte 4 of dst, in no order; give every lane an offset of its own"""
    asc.scatter(local(F, 64, 256), ones(F, 64), offsets(0, 4, 4), 0, 3)


def a_block_off_its_place() -> None:
    """AlignmentError: gatherb: offset 4 of lane 1 is no multiple of 32 bytes; offsets count bytes, not elements"""
    at = offsets(*range(0, 32, 4))
    asc.gatherb(local(U, 64, 256), ones(U, 64), at, 1, asc.GatherRepeatParams())


def a_pattern_there_is_not() -> None:
    """RangeError: gather_mask: src1_pattern must be a LocalTensor or a built-in pattern, 1 to 7, got 8"""
    asc.gather_mask(local(F, 64, 256), ones(F, 64), 8, False, 0, ONCE)


def a_pattern_that_is_none() -> None:
    """RangeError: gather_mask: src1_pattern must be a LocalTensor or a built-in pattern, 1 to 7, got '1010'"""
    asc.gather_mask(local(F, 64, 256), ones(F, 64), "1010", False, 0, ONCE)


def less_than_no_elements() -> None:
    """RangeError: gather_mask: mask must be 0 to 2^32 - 1 elements of a repeat, got -1"""
    asc.gather_mask(local(F, 64, 256), ones(F, 64), 1, True, -1, ONCE)


def more_elements_than_ub_has() -> None:
    """OutOfBoundsError: src0 of gather_mask (tensor x): needs 200000 B (50000 x float32), the tensor has 256 B
    (64), UB bytes [0, 256)
    """
    x = ones(F, 64)
    asc.gather_mask(local(F, 64, 256), x, 1, True, 50_000, ONCE)


def a_pattern_too_short() -> None:
    """OutOfBoundsError: src1_pattern of gather_mask (tensor bits): needs 8 B (2 x uint32), the tensor has 4 B (1),
    UB bytes [512, 516)
    """
    bits = offsets(1)
    asc.gather_mask(local(F, 64, 256), ones(F, 64), bits, False, 0, ONCE)


def a_pattern_nothing_has_written() -> None:
    """UninitializedError: src1_pattern of gather_mask (tensor bits): reads elements [0, 1) of the tensor, UB bytes
    [512, 516), which nothing has written; fill them first (data_copy, duplicate) or shorten the count
    """
    bits = local(U, 8, 512)
    asc.gather_mask(local(F, 64, 256), ones(F, 64), bits, False, 0, ONCE)


MISTAKES = mistakes(globals())
