"""Masks and the mask register: one kernel for each mistake, as short as it can be.

The docstring is the whole text of the error, behind its class; the last line is the one that is refused.
"""

from __future__ import annotations

import ascendc as asc
from tests.block import local, ones
from tests.guards.mistakes import mistakes

F, P, COUNTER = asc.float32, asc.UnaryRepeatParams(), asc.MaskMode.COUNTER


def a_lane_too_many() -> None:
    """RangeError: adds: mask 65 is beyond the 64 lanes of a repeat; take more repeats, or the form with a count if
    there is one
    """
    asc.adds(local(F, 64, 256), ones(F, 64), 1, 65, 1, P)


def a_word_of_65_bits() -> None:
    """RangeError: adds: each word of a bit mask has 64 bits, got ['0x10000000000000000', '0x0']"""
    asc.adds(local(F, 64, 256), ones(F, 64), 1, [1 << 64, 0], 1, P)


def bits_of_lanes_there_are_not() -> None:
    """RangeError: adds: mask ['0x1', '0x1'] chooses lanes from 64 on; a repeat has 64 lanes; mask[1] must be 0 here"""
    asc.adds(local(F, 64, 256), ones(F, 64), 1, [1, 1], 1, P)


def three_words() -> None:
    """UsageError: adds: a bit mask is a list of two 64-bit words, got [1, 1, 1]"""
    asc.adds(local(F, 64, 256), ones(F, 64), 1, [1, 1, 1], 1, P)


def a_mask_that_is_none() -> None:
    """UsageError: adds: mask must be a number of lanes or two 64-bit words, got '64'"""
    asc.adds(local(F, 64, 256), ones(F, 64), 1, "64", 1, P)


def bits_in_counter_mode() -> None:
    """UsageError: adds: in counter mode the mask is the number of elements of the whole instruction, got the bit
    mask [1, 0]; set_mask_norm() leaves counter mode
    """
    asc.set_mask_count()
    asc.adds(local(F, 64, 256), ones(F, 64), 1, [1, 0], 1, P)


def half_an_element_in_counter_mode() -> None:
    """UsageError: adds: in counter mode the mask is a number of elements, got 0.5"""
    asc.set_mask_count()
    asc.adds(local(F, 64, 256), ones(F, 64), 1, 0.5, 1, P)


def too_many_elements_in_counter_mode() -> None:
    """RangeError: adds: in counter mode the mask is a number of elements, 0 to 2^32 - 1, got 4294967296"""
    asc.set_mask_count()
    asc.adds(local(F, 64, 256), ones(F, 64), 1, 1 << 32, 1, P)


def counter_mode_without_a_number() -> None:
    """UsageError: adds: counter mode is on, and nothing has said how many elements; call set_vector_mask(total,
    dtype=…, mode=MaskMode.COUNTER) after set_mask_count()
    """
    asc.set_mask_count()
    asc.adds(local(F, 64, 256), ones(F, 64), 1, 64, 1, P, False)


def a_comparison_in_counter_mode() -> None:
    """UsageError: compare: it does not work in counter mode; leave that with set_mask_norm()"""
    asc.set_mask_count()
    x, bits = ones(F, 64), local(asc.uint8, 32, 256)
    asc.compare(bits, x, x, asc.CMPMODE.LT, 64, 1, asc.BinaryRepeatParams())


def a_register_of_three_words() -> None:
    """UsageError: set_vector_mask: the arguments fit no form; the forms are (len, dtype, mode) and (mask_high,
    mask_low, dtype, mode)
    """
    asc.set_vector_mask(1, 2, 3, dtype=F)


def half_a_length() -> None:
    """RangeError: set_vector_mask: len must be a whole number, got 0.5"""
    asc.set_vector_mask(0.5, dtype=F)


def a_length_below_0() -> None:
    """RangeError: set_vector_mask: len must be 0 to 2^64 - 1, got -1"""
    asc.set_vector_mask(-1, dtype=F)


def a_length_beyond_the_lanes() -> None:
    """RangeError: set_vector_mask: len 65 is beyond the 64 lanes of a repeat; mode=MaskMode.COUNTER counts the
    elements of the whole instruction
    """
    asc.set_vector_mask(65, dtype=F)


def a_high_word_without_lanes() -> None:
    """RangeError: set_vector_mask: a repeat has 64 lanes here, so mask_high must be 0, got 0x1"""
    asc.set_vector_mask(1, 1, dtype=F)


def more_elements_than_the_register_counts() -> None:
    """RangeError: set_vector_mask: counter mode counts up to 2^32 - 1 elements in the low word, got (1, 64);
    mask_high must be 0
    """
    asc.set_vector_mask(1, 64, dtype=F, mode=COUNTER)


def a_mode_that_is_none() -> None:
    """UsageError: set_vector_mask: mode must be a MaskMode, as MaskMode.NORMAL, got 1"""
    asc.set_vector_mask(64, dtype=F, mode=1)


MISTAKES = mistakes(globals())
