"""What vector instructions read and write: one kernel for each mistake, as short as it can be.

The docstring is the whole text of the error, behind its class; the last line is the one that is refused.
"""

from __future__ import annotations

import ascendc as asc
from tests.block import local, ones
from tests.guards.mistakes import mistakes

F, P = asc.float32, asc.UnaryRepeatParams


def lanes_nothing_has_written() -> None:
    """UninitializedError: src of adds (tensor x): reads elements [8, 9) of the tensor, UB bytes [32, 36), which
    nothing has written; fill them first (data_copy, duplicate) or shorten the count
    """
    x = local(F, 64)
    asc.duplicate(x, 1, 8)
    asc.adds(local(F, 64, 256), x, 1, 16, 1, P())


def elements_nothing_has_written() -> None:
    """UninitializedError: src0 of brcb (tensor x): reads elements [0, 8) of the tensor, UB bytes [0, 32), which
    nothing has written; fill them first (data_copy, duplicate) or shorten the count
    """
    x = local(F, 8)
    asc.brcb(local(F, 64, 256), x, 1, asc.BrcbRepeatParams())


def repeats_beyond_the_tensor() -> None:
    """OutOfBoundsError: src of adds (tensor x): needs 512 B (128 x float32), the tensor has 256 B (64), UB bytes
    [0, 256)
    """
    x = ones(F, 64)
    asc.adds(local(F, 128, 256), x, 1, 64, 2, P())


def a_repeat_over_part_of_itself() -> None:
    """OverlapError: adds: repeat 0 writes UB bytes [32, 288) of dst and repeat 0 reads [0, 256) of src, which
    overlap; use separate buffers
    """
    x = ones(F, 72)
    asc.adds(x[8:], x, 1, 64, 1, P())


def a_repeat_over_part_of_the_next() -> None:
    """OverlapError: adds: repeat 0 writes UB bytes [256, 512) of dst and repeat 1 reads [256, 512) of src, which
    overlap; use separate buffers
    """
    x = ones(F, 192)
    asc.adds(x[64:], x, 1, 64, 2, P())


def blocks_over_their_elements() -> None:
    """OverlapError: brcb: dst UB bytes [0, 256) and src0 [0, 32) overlap; use separate buffers"""
    x = ones(F, 64)
    asc.brcb(x, x, 1, asc.BrcbRepeatParams())


def a_scalar_that_is_none() -> None:
    """UsageError: adds: scalar must be a number, got '1'"""
    asc.adds(local(F, 64, 256), ones(F, 64), "1", 64)


def a_tensor_in_place_of_a_scalar() -> None:
    """UsageError: muls: scalar must be a number, got LocalTensor(VECCALC float32 x64 at byte 0); mul takes a tensor"""
    asc.muls(local(F, 64, 256), ones(F, 64), ones(F, 64), 64)


def a_scalar_in_place_of_a_tensor() -> None:
    """UsageError: src1 of mul must be a LocalTensor at VECIN, VECCALC, VECOUT, got a float; muls takes a number"""
    asc.mul(local(F, 64, 256), ones(F, 64), 2.0, 64)


def a_fraction_among_integers() -> None:
    """RangeError: adds: scalar 1.5 is no whole number, and the tensor is int16"""
    asc.adds(local(asc.int16, 64, 256), ones(asc.int16, 64), 1.5, 64)


def a_number_too_large_for_the_type() -> None:
    """RangeError: duplicate: scalar 70000 does not fit int16 (-32768 to 32767)"""
    asc.duplicate(local(asc.int16, 64), 70_000, 64)


def a_first_number_too_large_for_the_type() -> None:
    """RangeError: create_vec_index: first_value 70000 does not fit int16 (-32768 to 32767)"""
    asc.create_vec_index(local(asc.int16, 64), 70_000, 64)


def a_shift_by_more_than_there_are_bits() -> None:
    """RangeError: shift_left: scalar must be 0 to 16, the bits of an element of int16, got 17"""
    asc.shift_left(local(asc.int16, 64, 256), ones(asc.int16, 64), 17, 64)


MISTAKES = mistakes(globals())
