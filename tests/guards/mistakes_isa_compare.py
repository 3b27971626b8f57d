"""Comparing and selecting: one kernel for each mistake, as short as it can be.

The docstring is the whole text of the error, behind its class; the last line is the one that is refused.
"""

from __future__ import annotations

import ascendc as asc
from tests.block import local, ones
from tests.guards.mistakes import mistakes

F, B, LT = asc.float32, asc.BinaryRepeatParams(), asc.CMPMODE.LT
SCALAR, TENSOR = asc.SelMode.VSEL_TENSOR_SCALAR_MODE, asc.SelMode.VSEL_TENSOR_TENSOR_MODE


def part_of_a_repeat() -> None:
    """AlignmentError: compare: count 60 of float32 is 240 B, not a multiple of 256; compare 64 elements, with room
    for them
    """
    x = ones(F, 64)
    asc.compare(local(asc.uint8, 32, 256), x, x, LT, 60)


def integers_that_are_less() -> None:
    """DtypeError: compare: int32 has no LT; there is: EQ; cast to float32 for the others"""
    x = ones(asc.int32, 64)
    asc.compare(local(asc.uint8, 32, 256), x, x, LT, 64)


def a_comparison_that_is_none() -> None:
    """UsageError: compare_scalar: cmp_mode must be a CMPMODE, as CMPMODE.LT, got '<'"""
    asc.compare_scalar(local(asc.uint8, 32, 256), ones(F, 64), 0, "<", 64)


def a_number_to_compare_with_that_is_none() -> None:
    """UsageError: compare_scalar: src1_scalar must be a number, got '0'"""
    asc.compare_scalar(local(asc.uint8, 32, 256), ones(F, 64), "0", LT, 64)


def a_register_nobody_has_written() -> None:
    """UninitializedError: get_cmp_mask: nothing has written the compare register; compare without dst or
    set_cmp_mask fills it
    """
    asc.get_cmp_mask(local(asc.uint8, 32))


def a_selection_by_nothing() -> None:
    """UninitializedError: select: nothing has written the compare register; compare without dst or set_cmp_mask
    fills it
    """
    x = ones(F, 64)
    asc.select(local(F, 64, 256), x, x, 1, B, asc.SelMode.VSEL_CMPMASK_SPR)


def a_mode_of_selection_that_is_none() -> None:
    """UsageError: select: sel_mode must be a SelMode, as SelMode.VSEL_CMPMASK_SPR, got 2"""
    x, bits = ones(F, 64), ones(asc.uint8, 32, 256)
    asc.select(x, bits, x, x, sel_mode=2, count=64)


def a_mode_that_needs_bits() -> None:
    """UsageError: select: without sel_mask, sel_mode must be SelMode.VSEL_CMPMASK_SPR, got
    SelMode.VSEL_TENSOR_TENSOR_MODE
    """
    x = ones(F, 64)
    asc.select(local(F, 64, 256), x, x, 1, B, TENSOR)


def a_tensor_instead_of_a_number() -> None:
    """UsageError: select: src1 must be a number in VSEL_TENSOR_SCALAR_MODE; VSEL_TENSOR_TENSOR_MODE takes two
    tensors
    """
    x, bits = ones(F, 64), ones(asc.uint8, 32, 256)
    asc.select(x, bits, x, x, SCALAR, 64)


def a_number_that_is_none() -> None:
    """UsageError: select: src1 must be a number, got None"""
    x, bits = ones(F, 64), ones(asc.uint8, 32, 256)
    asc.select(x, bits, x, None, SCALAR, 64)


def more_lanes_than_dst_has() -> None:
    """OutOfBoundsError: dst of select (tensor z): needs 256 B (64 x float32), the tensor has 32 B (8), UB bytes
    [256, 288)
    """
    z, x = local(F, 8, 256), ones(F, 64)
    asc.select(z, ones(asc.uint8, 32, 512), x, x, TENSOR, 64)


def more_than_the_form_has() -> None:
    """UsageError: select: repeat_params must be the last argument, got 64 after it"""
    x = ones(F, 64)
    asc.select(x, ones(asc.uint8, 32, 256), x, 1, B, 64)


def no_form_of_a_selection() -> None:
    """UsageError: select: repeat_times is missing; this form begins (dst, sel_mask, src0, repeat_times,
    repeat_params)
    """
    x = ones(F, 64)
    asc.select(x, x, x)


MISTAKES = mistakes(globals())
