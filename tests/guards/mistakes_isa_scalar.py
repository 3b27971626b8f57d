"""The scalar unit: one kernel for each mistake, as short as it can be.

The docstring is the whole text of the error, behind its class; ``@-2`` is the second line above the last one, which
is the line that is refused.
"""

from __future__ import annotations

from typing import Any

import ascendc as asc
from tests.block import local, ones, queue
from tests.guards.mistakes import mistakes

H, F = asc.half, asc.float32


def a_freed_tensor_read() -> None:
    """QueueStateError: tensor of get_value (tensor t) cannot be used: it was freed at @-1; it was taken at @-2"""
    q = queue()
    t = q.alloc_tensor(H)
    q.free_tensor(t)
    t.get_value(0)


def a_freed_tensor_written() -> None:
    """QueueStateError: tensor of set_value (tensor t) cannot be used: it was freed at @-1; it was taken at @-2"""
    q = queue()
    t = q.alloc_tensor(H)
    q.free_tensor(t)
    t.set_value(0, 1)


def an_element_nothing_has_written() -> None:
    """UninitializedError: tensor of get_value (tensor t): reads elements [3, 4) of the tensor, UB bytes [12, 16),
    which nothing has written; fill them first (data_copy, duplicate) or shorten the count
    """
    t = local(F, 64)
    t.get_value(3)


def half_an_offset() -> None:
    """RangeError: get_value: offset must be a whole number, got 0.5"""
    ones(F, 64).get_value(0.5)


def an_element_outside_an_array(x: Any) -> None:
    """OutOfBoundsError: set_value: element 64 lies outside the tensor of 64 (GlobalTensor(x, float32 x64 from byte
    0))
    """
    x.set_value(64, 1)


def a_value_that_is_none() -> None:
    """UsageError: set_value: value must be a number, got '1'"""
    local(F, 64).set_value(0, "1")


def a_value_too_large_for_the_type() -> None:
    """RangeError: set_value: value 128 does not fit int8 (-128 to 127)"""
    local(asc.int8, 64).set_value(0, 128)


def a_cast_to_a_type_it_does_not_have() -> None:
    """DtypeError: scalar_cast: dtype is float32; supported: float16, int32"""
    asc.scalar_cast(1.5, F, asc.RoundMode.CAST_RINT)


def a_cast_of_no_number() -> None:
    """UsageError: scalar_cast: value_in must be a number, got '1.5'"""
    asc.scalar_cast("1.5", H, asc.RoundMode.CAST_RINT)


def a_cast_without_a_round_mode() -> None:
    """UsageError: scalar_cast: round_mode must be a RoundMode, as RoundMode.CAST_NONE, got 1"""
    asc.scalar_cast(1.5, H, 1)


def a_bit_that_is_none() -> None:
    """RangeError: scalar_get_sff_value: count_value must be 0 or 1, got 2"""
    asc.scalar_get_sff_value(1, 2)


def more_than_64_bits() -> None:
    """RangeError: scalar_count_leading_zero: value_in must be a whole number of 0 to 18446744073709551615, got
    18446744073709551616
    """
    asc.scalar_count_leading_zero(1 << 64)


def a_stamp_that_is_no_number() -> None:
    """RangeError: print_time_stamp: desc_id must be a whole number, got 'start'"""
    asc.print_time_stamp("start")


def atomic_stores_of_a_type_without_them() -> None:
    """DtypeError: set_atomic_add: dtype is int64; supported: float32, float16, int16, int32, int8, bfloat16"""
    asc.set_atomic_add(asc.int64)


def an_atomic_type_that_is_none() -> None:
    """UsageError: set_store_atomic_config: atomic_type must be an AtomicDtype, as AtomicDtype.ATOMIC_NONE, got 1"""
    asc.set_store_atomic_config(1, asc.AtomicOp.ATOMIC_SUM)


def an_atomic_operation_that_is_none() -> None:
    """UsageError: set_store_atomic_config: atomic_op must be an AtomicOp, as AtomicOp.ATOMIC_SUM, got 0"""
    asc.set_store_atomic_config(asc.AtomicDtype.ATOMIC_F16, 0)


def a_memory_that_is_none() -> None:
    """UsageError: data_sync_barrier: arg0 must be a MemDsbT, as MemDsbT.ALL, got 0"""
    asc.data_sync_barrier(0)


def cache_lines_that_are_none(x: Any) -> None:
    """UsageError: data_cache_clean_and_invalid: entire_type must be a CacheLine, as CacheLine.SINGLE_CACHE_LINE,
    got 0
    """
    asc.data_cache_clean_and_invalid(0, x)


def a_cache_that_is_none(x: Any) -> None:
    """UsageError: data_cache_clean_and_invalid: dcci_dst must be a DcciDst, as DcciDst.CACHELINE_ALL, got 0"""
    asc.data_cache_clean_and_invalid(asc.CacheLine.SINGLE_CACHE_LINE, 0, x)


def a_cache_of_no_tensor() -> None:
    """UsageError: data_cache_clean_and_invalid: dst must be a LocalTensor or a GlobalTensor, got None"""
    asc.data_cache_clean_and_invalid(asc.CacheLine.SINGLE_CACHE_LINE, None)


def a_cache_of_a_freed_tensor() -> None:
    """QueueStateError: dst of data_cache_clean_and_invalid (tensor t) cannot be used: it was freed at @-1; it was
    taken at @-2
    """
    q = queue()
    t = q.alloc_tensor(H)
    q.free_tensor(t)
    asc.data_cache_clean_and_invalid(asc.CacheLine.SINGLE_CACHE_LINE, t)


def a_preload_of_no_global_tensor() -> None:
    """UsageError: data_cache_preload: src must be a GlobalTensor, got LocalTensor(VECCALC float32 x64 at byte 0)"""
    asc.data_cache_preload(local(F, 64), 0)


def a_preload_beyond_the_array(x: Any) -> None:
    """OutOfBoundsError: data_cache_preload: cache_offset must be a byte of src, 0 to 255, got 256 (GlobalTensor(x,
    float32 x64 from byte 0))
    """
    asc.data_cache_preload(x, 256)


def nothing_to_watch() -> None:
    """UsageError: check_local_memory_ia: nothing would be watched: no access of blocks 2 to 1; end_addr must be
    above start_addr, and one of is_scalar_read … is_mte_write true
    """
    asc.check_local_memory_ia(asc.CheckLocalMemoryIAParam(start_addr=1, end_addr=1, is_enable=True))


def less_than_no_code() -> None:
    """RangeError: icache_preload: pre_fetch_len must be 0 or more units of 2 KB, got -1"""
    asc.icache_preload(-1)


MISTAKES = mistakes(globals())
