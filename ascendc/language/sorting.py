"""Sorting whole tensors: written in the instructions ``sort32``, ``mrg_sort`` and ``gather_mask``.

Cycles are those of the instructions.  Records are described in ``isa/records.py``.
"""

from __future__ import annotations

from typing import Any

from .access import refuse
from .core import current
from .dtypes import dtype, float32, uint32
from .enums import PipeID
from .errors import UsageError
from .isa.dma import data_copy
from .isa.records import BYTES
from .isa.sync import pipe_barrier
from .isa.vector_gather_mask import gather_mask
from .isa.vector_merge import mrg_sort
from .isa.vector_sort import sort32
from .memory import LocalTensor
from .params import GatherMaskParams, MrgSort4Info, MrgSortSrcList

_RUN = 32
"""Records of a repeat: what ``sort32`` sorts."""

_VALID = {2: 0b11, 3: 0b111, 4: 0b1111}


def get_sort_len(elem_count: int, dtype: Any = float32) -> int:
    """Elements of ``dtype`` that ``elem_count`` records take: 2 each of float32, 4 of float16."""
    return elem_count * _per_record(dtype)


def get_sort_offset(elem_offset: int, dtype: Any = float32) -> int:
    """Elements of ``dtype`` before record ``elem_offset``."""
    return elem_offset * _per_record(dtype)


def _per_record(like: Any) -> int:
    return BYTES // dtype(like).itemsize


def concat(concat: LocalTensor, src: LocalTensor, tmp: LocalTensor, repeat_time: int) -> None:
    """Make ``concat`` the scores that ``sort`` takes; on this architecture they are ``src`` itself."""
    for tensor, role in ((concat, "concat"), (src, "src")):
        if not isinstance(tensor, LocalTensor):
            current().fail(UsageError, f"concat: {role} must be a LocalTensor, got {tensor!r}")
    for name in LocalTensor.__slots__:
        setattr(concat, name, getattr(src, name))


def sort(
    dst: LocalTensor,
    concat: LocalTensor,
    index: LocalTensor,
    tmp: LocalTensor,
    repeat_time: int,
    is_full_sort: bool = True,
) -> None:
    """Sort ``repeat_time`` times 32 scores with their indices into records, by descending score.

    Args:
        dst: the records, 8 bytes each.
        concat: the scores.
        index: their indices, uint32.
        tmp: as large as ``dst``.
        repeat_time: runs of 32.
        is_full_sort: whether the runs are merged; else each is sorted for itself.
    """
    passes = 0
    while is_full_sort and 4**passes < repeat_time:
        passes += 1
    _need_room("sort", repeat_time, BYTES, dst=dst)
    here, there = (tmp, dst) if passes % 2 else (dst, tmp)
    sort32(here, concat, index, repeat_time)
    run = _RUN
    for _ in range(passes):
        pipe_barrier(PipeID.PIPE_V)
        _merge_pass(there, here, run, repeat_time * _RUN)
        here, there, run = there, here, 4 * run


def _merge_pass(dst: LocalTensor, src: LocalTensor, run: int, count: int) -> None:
    """Merge ``count`` records in sorted runs of ``run``, four at a time."""
    each = _per_record(src.dtype)
    groups = count // (4 * run)
    if groups:
        _merge(dst, src, [run] * 4, groups)
    first = groups * 4 * run
    rest = [min(run, count - start) for start in range(first, count, run)]
    if len(rest) > 1:
        _merge(dst[first * each :], src[first * each :], rest, 1)
    elif rest:
        data_copy(dst[first * each :], src[first * each :], rest[0] * each)


def _merge(dst: LocalTensor, src: LocalTensor, lengths: list[int], repeats: int) -> None:
    each = _per_record(src.dtype)
    starts = [sum(lengths[:i]) * each for i in range(len(lengths))]
    lists = [src[start:] for start in starts] + [None] * (4 - len(lengths))
    mrg_sort(dst, MrgSortSrcList(src.dtype, *lists), MrgSort4Info(lengths, False, _VALID[len(lengths)], repeats))


def extract(dst_value: LocalTensor, dst_index: LocalTensor, sorted_local: LocalTensor, repeat_time: int) -> None:
    """Take ``repeat_time`` times 32 records apart: their scores and their indices."""
    params = GatherMaskParams(1, repeat_time, 8, 0)
    first_of_two, second_of_two, first_of_four = 1, 2, 3
    score = first_of_four if sorted_local.dtype.itemsize == 2 else first_of_two
    _need_room("extract", repeat_time, uint32.itemsize, dst_index=dst_index)
    gather_mask(dst_value, sorted_local, score, False, 0, params)
    gather_mask(dst_index, sorted_local.reinterpret_cast(uint32), second_of_two, False, 0, params)


def _need_room(call: str, repeat_time: int, each: int, **tensors: LocalTensor) -> None:
    """Check, before the first instruction, what only a later one would: room for all records, or parts of them."""
    core = current()
    for role, tensor in tensors.items():
        nbytes = core.whole(call, "repeat_time", repeat_time) * _RUN * each
        if isinstance(tensor, LocalTensor) and tensor.nbytes < nbytes:
            refuse(core, call, role, tensor, nbytes)
