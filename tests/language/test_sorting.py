"""Sorting and transposing: any scores, lists, shapes and places against one element at a time."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from tests.block import local, on_ub, tensor
from tests.inventory import looped, worked
from tests.moved_lanes import Record, insertion_sorted, merged
from tests.refusals import refused

F16, F32, U8, U32 = np.float16, np.float32, np.uint8, np.uint32
KINDS = st.sampled_from([F16, F32])
SCORE = st.sampled_from([0.0, -0.0, 1.0, 1.0, 2.0, -3.5, 1e-7, math.inf, -math.inf, math.nan])


def as_records(raw: np.ndarray[Any, Any], kind: Any, count: int) -> list[Record]:
    """Records of 8 bytes as pairs."""
    bytes_ = raw.view(U8)[: 8 * count].reshape(count, 8)
    scores = np.ascontiguousarray(bytes_[:, : np.dtype(kind).itemsize]).view(kind).ravel()
    return list(zip(scores.tolist(), np.ascontiguousarray(bytes_[:, 4:]).view(U32).ravel().tolist(), strict=True))


def from_records(records: list[Record], kind: Any) -> np.ndarray[Any, Any]:
    out = np.zeros((len(records), 8), U8)
    for row, (score, index) in zip(out, records, strict=True):
        row[: np.dtype(kind).itemsize] = np.array([score], kind).view(U8)
        row[4:] = np.array([index], U32).view(U8)
    return out.ravel().view(kind)


def flat(lists: Iterable[list[Record]]) -> list[Record]:
    return list(itertools.chain.from_iterable(lists))


def same(got: list[Record], wanted: list[Record]) -> bool:
    """Equal, NaN to NaN and −0 apart from 0."""
    return str(got) == str(wanted)


@looped("sort32")
@given(kind=KINDS, repeats=st.integers(0, 3), data=st.data())
@settings(max_examples=40)
def test_sort32_is_an_insertion_sort_of_each_run(kind: Any, repeats: int, data: st.DataObject) -> None:
    """Infinities in place, equal scores (0 and −0 too) as they came, NaN last."""
    n = 32 * max(1, repeats)
    score = np.array(data.draw(st.lists(SCORE, min_size=n, max_size=n)), kind)
    index = np.arange(7, 7 + n, dtype=U32)

    (dst, *_) = on_ub(lambda d, s, i: asc.sort32(d, s, i, repeats), np.zeros(8 * n, U8).view(kind), score, index)

    pairs = list(zip(score.tolist(), index.tolist(), strict=True))
    wanted = [insertion_sorted(pairs[i : i + 32]) for i in range(0, 32 * repeats, 32)]
    assert same(as_records(dst, kind, 32 * repeats), flat(wanted))


@looped("mrg_sort", "get_mrg_sort_result")
@given(kind=KINDS, data=st.data(), suspends=st.booleans())
@settings(max_examples=60)
def test_mrg_sort_takes_the_best_head_again_and_again(kind: Any, data: st.DataObject, suspends: bool) -> None:
    """Two to four lists of any lengths; with suspension it stops when one is used up, and says what it took."""
    drawn = data.draw(st.lists(st.lists(SCORE, max_size=12), min_size=2, max_size=4))
    lists = [
        insertion_sorted([(float(kind(s)), 100 * i + k) for k, s in enumerate(each)]) for i, each in enumerate(drawn)
    ]
    wanted, taken = merged(lists, suspends=suspends)
    counts: list[Any] = []

    def body(dst: Any, *sources: Any) -> None:
        info = asc.MrgSort4Info([len(each) for each in lists], suspends, (1 << len(lists)) - 1)
        asc.mrg_sort(dst, asc.MrgSortSrcList(dst.dtype, *sources), info)
        counts.append(asc.get_mrg_sort_result())

    space = np.zeros(64 * 8, U8).view(kind)
    (dst, *_) = on_ub(body, space, *(np.concatenate([from_records(each, kind), space[:4]]) for each in lists))

    if sum(map(len, lists)):
        assert counts == [(*taken, *[0] * (4 - len(taken)))]
    assert same(as_records(dst, kind, len(wanted)), wanted)
    assert not dst.view(U8)[8 * len(wanted) :].any()


@given(repeats=st.integers(1, 5), kind=KINDS, seed=st.integers(0, 99))
@settings(max_examples=20)
def test_repeats_of_mrg_sort_merge_four_lists_after_four_lists(repeats: int, kind: Any, seed: int) -> None:
    """Each repeat takes the next four lists of 8 records."""
    scores = np.random.default_rng(seed).integers(-9, 9, 32 * repeats)
    runs = [
        insertion_sorted([(float(s), i) for i, s in enumerate(scores[start : start + 8], start)])
        for start in range(0, 32 * repeats, 8)
    ]
    all_runs, per = flat(runs), 8 // np.dtype(kind).itemsize
    taken: list[int] = [0] * 4

    def body(dst: Any, src: Any) -> None:
        lists = asc.MrgSortSrcList(dst.dtype, *(src[8 * i * per :] for i in range(4)))
        asc.mrg_sort(dst, lists, [8] * 4, taken, 0b1111, repeats)

    (dst, _) = on_ub(body, np.zeros(256 * repeats, U8).view(kind), from_records(all_runs, kind))

    wanted = [merged(runs[i : i + 4], suspends=False)[0] for i in range(0, len(runs), 4)]
    assert as_records(dst, kind, len(all_runs)) == flat(wanted)
    assert taken == [8 * repeats] * 4


@given(repeats=st.sampled_from([1, 2, 3, 4, 5, 7, 11, 16, 17, 21]), kind=KINDS, full=st.booleans())
@settings(max_examples=20)
def test_sort_of_any_length(repeats: int, kind: Any, full: bool) -> None:
    """All of it, or each 32 for itself; barriers included, so that it needs no automatic ones."""
    n = 32 * repeats
    score, index = np.random.default_rng(n).integers(-20, 20, n).astype(kind), np.arange(n, dtype=U32)
    space = np.zeros(8 * n, U8).view(kind)

    (dst, *_) = on_ub(
        lambda d, s, i, t: asc.sort(d, s, i, t, repeats, full), space, score, index, space, chip="Ascend910B1",
        auto_sync=False, hazards="error",
    )  # fmt: skip

    pairs = list(zip(score.tolist(), index.tolist(), strict=True))
    runs = [pairs] if full else [pairs[i : i + 32] for i in range(0, n, 32)]
    assert as_records(dst, kind, n) == flat(map(insertion_sorted, runs))


@worked("mrg_sort", "get_mrg_sort_result")
def test_two_short_lists() -> None:
    """5, 1 and 4, 3 are 5, 4, 3, 1 in order; with suspension it stops when 4, 3 is used up, and 1 is left."""
    taken: list[tuple[int, ...]] = []

    def body(all_: Any, some: Any, a: Any, b: Any) -> None:
        lists = asc.MrgSortSrcList(asc.float32, a, b)
        for dst, suspends in ((all_, False), (some, True)):
            asc.mrg_sort(dst, lists, asc.MrgSort4Info([2, 2, 0, 0], suspends, 0b11, 1))
            taken.append(asc.get_mrg_sort_result())

    a, b = np.array([5, 0, 1, 0], F32), np.array([4, 0, 3, 0], F32)
    all_, some, *_ = on_ub(body, np.zeros(8, F32), np.full(8, -1, F32), a, b)

    assert all_[::2].tolist() == [5, 4, 3, 1]
    assert some[::2].tolist() == [5, 4, 3, -1]
    assert taken == [(2, 2, 0, 0), (1, 2, 0, 0)]


def test_lengths_of_record_lists() -> None:
    """128 records of half take 512 elements, of float 256; so does an offset."""
    assert (asc.get_sort_len(128, asc.half), asc.get_sort_len(128, asc.float32)) == (512, 256)
    assert (asc.get_sort_offset(3, asc.half), asc.get_sort_offset(3)) == (12, 6)


def _merge(*lengths: int, at: int = 0, valid: int = 3, **more: Any) -> Any:
    """Merge lists of the first tensor into the second."""

    def call(f: Any, g: Any, h: Any) -> None:
        lists = asc.MrgSortSrcList(asc.float32, f[at:], f[64:], f, f)
        asc.mrg_sort(g, lists, asc.MrgSort4Info(list(lengths), valid_bit=valid, **more))

    return call


ROWS = asc.TransDataTo5HDParams()


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (
            lambda f, g, h: asc.sort32(g, h, h, 1),
            asc.DtypeError,
            "sort32: src0 is float16; supported beside dst of float32: float32",
        ),
        (
            lambda f, g, h: asc.sort32(g[32:], f, f, 1),
            asc.DtypeError,
            "sort32: src1 is float32; supported beside dst of float32: uint32",
        ),
        (
            lambda f, g, h: asc.sort32(g[8:], f, f.reinterpret_cast(U32), 1),
            asc.AlignmentError,
            "dst of sort32: byte offset 1056 in UB is not a multiple of 256",
        ),
        (lambda f, g, h: asc.sort32(g, f, f.reinterpret_cast(U32), 256), asc.RangeError, "sort32: repeat 256 > 255"),
        (_merge(4, 4096), asc.RangeError, "mrg_sort: element lengths must be 2 numbers of records, 0 to 4095, got"),
        (_merge(4), asc.RangeError, "mrg_sort: element lengths must be 2 numbers of records, 0 to 4095, got [4]"),
        (_merge(4, 4, at=1), asc.AlignmentError, "src1 of mrg_sort"),
        (_merge(4, 129), asc.OutOfBoundsError, "src2 of mrg_sort"),
        (
            _merge(4, 4, 4, 4, valid=15, repeat_times=2),
            asc.AlignmentError,
            "mrg_sort: repeat 2 needs lists that follow",
        ),
        (
            lambda f, g, h: asc.mrg_sort(g, [f, f], asc.MrgSort4Info([1, 1], valid_bit=3)),
            asc.UsageError,
            "mrg_sort: sort_list must be a MrgSortSrcList, got [",
        ),
        (lambda f, g, h: asc.mrg_sort(g, f, 3), asc.UsageError, "mrg_sort: params must be a MrgSort4Info, got 3"),
        (
            lambda f, g, h: asc.trans_data_to_5hd([f] * 15, [g] * 16, ROWS),
            asc.UsageError,
            "trans_data_to_5hd: dst_list must be a list of 16 tensors or addresses, got 15",
        ),
        (
            lambda f, g, h: asc.trans_data_to_5hd([f] * 16, [h] * 16, ROWS),
            asc.DtypeError,
            "trans_data_to_5hd: all rows must have one element type of",
        ),
        (
            lambda f, g, h: asc.trans_data_to_5hd([0] * 16, [512] * 16, ROWS),
            asc.UsageError,
            "trans_data_to_5hd: addresses have no element type; say dtype=",
        ),
        (
            lambda f, g, h: asc.trans_data_to_5hd([f[250:]] + [f] * 15, [g] * 16, ROWS),
            asc.AlignmentError,
            "trans_data_to_5hd: dst_list[0] is byte 1000, no multiple of 32",
        ),
        (
            lambda f, g, h: asc.trans_data_to_5hd(
                [f[i * 8 :] for i in range(16)], [f[8 + i * 8 :] for i in range(16)], ROWS
            ),
            asc.OverlapError,
            "trans_data_to_5hd: dst UB bytes [0, 512) and src [32, 544) overlap; use separate buffers",
        ),
        (
            lambda f, g, h: asc.trans_data_to_5hd([f] * 16, [g] * 16, asc.TransDataTo5HDParams(True)),
            asc.UsageError,
            "trans_data_to_5hd: halves of a block are for types of one byte, and the rows are float32",
        ),
    ],
)
def test_bad_input(call: Any, error: type[Exception], text: str) -> None:
    """Each with its message."""
    with pytest.raises(error, match="^" + re.escape(text)):
        on_ub(call, np.zeros(256, F32), np.zeros(256, F32), np.zeros(256, F16))


def test_lists_that_are_not_sorted_are_refused() -> None:
    """The message has the record and both scores."""

    def body() -> None:
        unsorted = tensor(from_records([(1.0, 0), (2.0, 1)], F32), 0)
        lists = asc.MrgSortSrcList(asc.float32, unsorted, unsorted)
        asc.mrg_sort(local(asc.float32, 8, 512), lists, asc.MrgSort4Info([2, 2], False, 3))

    with refused(asc.UsageError, "mrg_sort: src1 is not sorted: record 1 has score 2.0, the one before it 1.0; sort32"):
        on_ub(body)


def test_images_need_whole_blocks_and_room() -> None:
    """h · w of 17 halves is 34 B; the scratch of 3 channels is 5 tiles of 512 B."""
    zeros, room = np.zeros(256, F16), np.zeros(64, U8)
    kind = asc.TransposeType.TRANSPOSE_NCHW2NHWC

    with refused(
        asc.AlignmentError, "transpose: h_size x w_size is 17 x float16 = 34 B, which must be a multiple of 32"
    ):
        on_ub(lambda d, s, t: asc.transpose(d, s, t, asc.TransposeParamsExt(1, 3, 1, 17, kind)), zeros, zeros, room)
    with refused(
        asc.WorkspaceError, "transpose: shared_tmp_buffer has 64 B; TRANSPOSE_NCHW2NHWC of float16 needs 2560 B"
    ):
        on_ub(lambda d, s, t: asc.transpose(d, s, t, asc.TransposeParamsExt(1, 3, 1, 16, kind)), zeros, zeros, room)
