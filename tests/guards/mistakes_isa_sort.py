"""Merging sorted lists: one kernel for each mistake, as short as it can be.

The docstring is the whole text of the error, behind its class; the last line is the one that is refused.
"""

from __future__ import annotations

import numpy as np

import ascendc as asc
from tests.block import local, ones, tensor
from tests.guards.mistakes import mistakes

F, Info = asc.float32, asc.MrgSort4Info


def lists(*scores: tuple[float, ...]) -> asc.MrgSortSrcList:
    """Lists of records with these scores, 256 bytes apart; their indices are 0."""
    made = [np.array([(s, 0) for s in each], np.float32) for each in scores]
    return asc.MrgSortSrcList(F, *(tensor(records, 256 * i) for i, records in enumerate(made)))


def no_info() -> None:
    """UsageError: mrg_sort: params must be a MrgSort4Info, got 2"""
    asc.mrg_sort(local(F, 64, 2048), lists((2, 1), (3, 1)), 2)


def half_an_info() -> None:
    """UsageError: mrg_sort: after sort_list comes a MrgSort4Info, or element_count_list, sorted_num, valid_bit,
    repeat_time, is_exhausted_suspension
    """
    asc.mrg_sort(local(F, 64, 2048), lists((2, 1), (3, 1)), [2, 2], [0, 0])


def nowhere_to_put_the_numbers() -> None:
    """UsageError: mrg_sort: sorted_num must be a list, which receives the numbers, got (0, 0)"""
    asc.mrg_sort(local(F, 64, 2048), lists((2, 1), (3, 1)), [2, 2], (0, 0), 3, 1)


def one_list() -> None:
    """RangeError: mrg_sort: valid_bit must be 3, 7 or 15 for the first two, three or four lists, got 1"""
    asc.mrg_sort(local(F, 64, 2048), lists((2, 1)), Info([2], False, 1))


def lists_that_are_none() -> None:
    """UsageError: mrg_sort: sort_list must be a MrgSortSrcList, got [LocalTensor(VECCALC float32 x4 at byte 0),
    LocalTensor(VECCALC float32 x4 at byte 0)]
    """
    asc.mrg_sort(local(F, 64, 2048), [ones(F, 4), ones(F, 4)], Info([2, 2], False, 3))


def lists_without_their_type() -> None:
    """UsageError: mrg_sort: the first field of sort_list is the element type, as MrgSortSrcList(asc.float32, src1,
    src2), got LocalTensor(VECCALC float32 x4 at byte 0)
    """
    asc.mrg_sort(local(F, 64, 2048), asc.MrgSortSrcList(ones(F, 4), ones(F, 4)), Info([2, 2], False, 3))


def lists_too_long() -> None:
    """RangeError: mrg_sort: element lengths must be 2 numbers of records, 0 to 4095, got [4096, 2]"""
    asc.mrg_sort(local(F, 64, 2048), lists((2, 1), (3, 1)), Info([4096, 2], False, 3))


def repeats_of_two_lists() -> None:
    """RangeError: mrg_sort: repeat 2 needs four lists of one length (valid_bit 15) and no suspension, got lengths
    [2, 2], valid_bit 3
    """
    asc.mrg_sort(local(F, 64, 2048), lists((2, 1), (3, 1)), Info([2, 2], False, 3, 2))


def repeats_of_lists_with_gaps() -> None:
    """AlignmentError: mrg_sort: repeat 2 needs lists that follow each other, 16 B apart, got [256, 256, 256]"""
    asc.mrg_sort(local(F, 64, 2048), lists((2, 1), (3, 1), (4, 1), (5, 1)), Info([2, 2, 2, 2], False, 15, 2))


def more_records_than_the_list_has() -> None:
    """OutOfBoundsError: src2 of mrg_sort: needs 24 B (6 x float32), the tensor has 16 B (4), UB bytes [256, 272)"""
    asc.mrg_sort(local(F, 64, 2048), lists((2, 1), (3, 1)), Info([2, 3], False, 3))


def records_nothing_has_written() -> None:
    """UninitializedError: src2 of mrg_sort: reads elements [0, 4) of the tensor, UB bytes [256, 272), which nothing
    has written; fill them first (data_copy, duplicate) or shorten the count
    """
    asc.mrg_sort(local(F, 64, 2048), asc.MrgSortSrcList(F, ones(F, 4), local(F, 4, 256)), Info([2, 2], False, 3))


def a_list_that_is_not_sorted() -> None:
    """UsageError: mrg_sort: src2 is not sorted: record 1 has score 3.0, the one before it 1.0; sort32 its records
    first, and give lengths in records
    """
    asc.mrg_sort(local(F, 64, 2048), lists((2, 1), (1, 3)), Info([2, 2], False, 3))


def records_that_do_not_fit() -> None:
    """OutOfBoundsError: dst of sort (tensor short): needs 512 B (128 x float32), the tensor has 508 B (127), UB bytes
    [2048, 2556)
    """
    short = local(F, 127, 2048)
    asc.sort(short, ones(F, 64), local(asc.uint32, 64, 512), local(F, 128, 1024), 2)


MISTAKES = mistakes(globals())
