"""Comparing into bits and selecting by them, against one lane at a time; the register between; what is refused."""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from ascendc import CMPMODE, SelMode
from simulator import simulate
from tests.block import local, on_ub, program_of
from tests.compared_lanes import TESTS, numbers
from tests.inventory import looped
from tests.lane_loops import bit, compare, element
from tests.refusals import refused
from tests.scalar_interpreter import Mask, Operand, chosen

F16, F32, I32, U8 = np.float16, np.float32, np.int32, np.uint8
SPR, SCALAR, TENSOR = SelMode
KINDS = st.sampled_from([F16, F32])
BLK = st.sampled_from([0, 1, 1, 2, 3])
REP = st.sampled_from([0, 1, 7, 8, 8, 9])


@looped("compare", "compare_scalar")
@given(kind=KINDS, repeats=st.integers(0, 4), blk=BLK, rep=REP, mode=st.sampled_from(CMPMODE), seed=st.integers(0, 999))
@settings(max_examples=60)
def test_whole_repeats_are_compared_whatever_the_mask(
    kind: Any, repeats: int, blk: int, rep: int, mode: CMPMODE, seed: int
) -> None:
    """Bits of a repeat lie behind those of the one before; NaN is unlike itself; +0 is −0."""
    width, item = 256 // kind().itemsize, np.dtype(kind)
    x, y = numbers(kind, 4096, seed), numbers(kind, 4096, seed + 1)
    a, b = Operand(0, item, blk, rep), Operand(0, item, 1, 8)
    lanes = [(r, i) for r in range(repeats) for i in range(width)]
    left = [element(x.view(U8), a, *lane) for lane in lanes]
    right = [element(y.view(U8), b, *lane) for lane in lanes]
    one = kind(seed % 3)

    def body(both: Any, single: Any, x: Any, y: Any) -> None:
        strides = asc.BinaryRepeatParams(1, blk, 1, 8, rep, 8)
        asc.compare(both, x, y, mode, seed % (width + 1), repeats, strides)
        asc.compare_scalar(single, x, float(one), mode, width, repeats, asc.UnaryRepeatParams(1, blk, 8, rep))

    both, single, *_ = on_ub(body, np.zeros(96, U8), np.zeros(96, U8), x, y)

    bits = repeats * width // 8
    assert both[:bits].tobytes() == compare(left, right, TESTS[mode])
    assert single[:bits].tobytes() == compare(left, [one] * len(left), TESTS[mode])
    assert not both[bits:].any()


@given(kind=st.sampled_from([F16, F32, I32]), repeats=st.integers(1, 5), seed=st.integers(0, 999))
@settings(max_examples=20)
def test_the_count_form_compares_whole_repeats(kind: Any, repeats: int, seed: int) -> None:
    """Equality, which integers have too."""
    count = repeats * 256 // kind().itemsize
    random = np.random.default_rng(seed)
    x, y = random.integers(0, 3, count).astype(kind), random.integers(0, 3, count).astype(kind)

    both, single, *_ = on_ub(
        lambda d, e, x, y: (asc.compare(d, x, y, CMPMODE.EQ, count), asc.compares(e, x, 2, CMPMODE.EQ, count)),
        *[np.zeros(-(-count // 256) * 32, U8)] * 2,
        x,
        y,
    )

    assert both[: count // 8].tobytes() == compare(list(x), list(y), operator.eq)
    assert single[: count // 8].tobytes() == compare(list(x), [2] * count, operator.eq)


def masks(width: int) -> st.SearchStrategy[Mask]:
    words = st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1) if width == 128 else st.just(0))
    return st.one_of(st.sampled_from([width, width // 2]), st.integers(0, width), words.map(list))


@looped("select")
@given(
    kind=KINDS,
    repeats=st.integers(0, 4),
    mode=st.sampled_from(SelMode),
    strides=st.tuples(st.sampled_from([1, 2]), BLK, BLK, REP, REP, REP),
    seed=st.integers(0, 999),
    how=st.sampled_from(["call", "register", "counter"]),
    data=st.data(),
)
@settings(max_examples=150)
def test_masked_lanes_are_selected_by_their_bits(
    kind: Any, repeats: int, mode: SelMode, strides: Any, seed: int, how: str, data: st.DataObject
) -> None:
    """A repeat uses the next bits, or, in the first mode, the same ones again; other lanes stay."""
    item, width = np.dtype(kind), 256 // kind().itemsize
    mask, total = data.draw(masks(width)), data.draw(st.integers(0, repeats * width))
    x, y, z = numbers(kind, 4096, seed), numbers(kind, 4096, seed + 1), np.arange(4096, dtype=kind)
    image = np.random.default_rng(seed).integers(0, 256, 96, U8)
    dst, a, b = (Operand(0, item, blk, rep) for blk, rep in zip(strides[:3], strides[3:], strict=True))
    wanted = z.copy()
    lanes = [(repeat, lane) for repeat in range(repeats) for lane in chosen(mask, width)]
    if how == "counter":
        lanes = [divmod(i, width) for i in range(min(total, repeats * width))]
    for repeat, lane in lanes:
        first = bit(image, lane if mode is SPR else repeat * width + lane)
        other = kind(5) if mode is SCALAR else element(y.view(U8), b, repeat, lane)
        at = dst.address(repeat, lane) // item.itemsize
        wanted[at] = element(x.view(U8), a, repeat, lane) if first else other

    def body(z: Any, bits: Any, x: Any, y: Any) -> None:
        source, params = 5.0 if mode is SCALAR else y, asc.BinaryRepeatParams(*strides)
        if how == "register":
            words = (mask,) if isinstance(mask, int) else (mask[1], mask[0])
            asc.set_vector_mask(*words, dtype=kind)
            asc.select(z, bits, x, source, mode, 1, repeats, params, is_set_mask=False)
            return
        if how == "counter":
            asc.set_mask_count()
        asc.select(
            z, bits, x, source, mode, total if how == "counter" else mask, 0 if how == "counter" else repeats, params
        )

    got, *_ = on_ub(body, z, image, x, y)

    assert np.array_equal(got, wanted, equal_nan=True)


@given(kind=KINDS, count=st.integers(0, 300), mode=st.sampled_from(SelMode), seed=st.integers(0, 999))
@settings(max_examples=60)
def test_the_count_form_selects_contiguous_lanes(kind: Any, count: int, mode: SelMode, seed: int) -> None:
    """With a tail shorter than a repeat, and nothing behind it touched."""
    width = 256 // kind().itemsize
    x, y, z = numbers(kind, 384, seed), numbers(kind, 384, seed + 1), np.full(384, 7, kind)
    image = np.random.default_rng(seed).integers(0, 256, 64, U8)
    wanted = z.copy()
    for i in range(count):
        wanted[i] = x[i] if bit(image, i % width if mode is SPR else i) else kind(5) if mode is SCALAR else y[i]

    got, *_ = on_ub(
        lambda z, bits, x, y: asc.select(z, bits, x, 5.0 if mode is SCALAR else y, mode, count), z, image, x, y
    )

    assert np.array_equal(got, wanted, equal_nan=True)


class TestForms:
    """Arguments by name, in every form."""

    def test_all_of_them(self) -> None:
        """x < y in even lanes, so z is x there and y elsewhere, in each form of select."""
        x = np.arange(64, dtype=F32)
        y = np.where(np.arange(64) % 2, x - 100, x + 100).astype(F32)
        strides = asc.BinaryRepeatParams()

        def body(x: Any, y: Any, bits: Any, a: Any, b: Any, c: Any) -> None:
            asc.compare(dst=bits, src0=x, src1=y, cmp_mode=CMPMODE.LT, count=64)
            asc.compare(src0=x, src1=y, cmp_mode=CMPMODE.LT, mask=64, repeat_params=strides, is_set_mask=True)
            asc.select(dst=a, sel_mask=bits, src0=x, src1=y, sel_mode=TENSOR, count=64)
            asc.select(b, bits, x, y, sel_mode=TENSOR, mask=64, repeat_times=1, repeat_params=strides)
            asc.select(dst=c, src0=x, src1=y, repeat_times=1, repeat_params=strides, sel_mode=SPR)

        _, _, _, *got = on_ub(body, x, y, np.zeros(32, U8), *[np.zeros(64, F32)] * 3)

        for z in got:
            assert np.array_equal(z, np.where(np.arange(64) % 2, y, x))

    def test_a_mask_of_no_lane_compares_nothing(self) -> None:
        """No row, and the register stays unwritten."""
        with refused(asc.UninitializedError, "get_cmp_mask: nothing has written"):
            on_ub(
                lambda x, image: (
                    asc.compare(x, x, CMPMODE.EQ, 0, asc.BinaryRepeatParams()),
                    asc.get_cmp_mask(image),
                ),
                np.zeros(64, F32),
                np.zeros(32, U8),
            )


@pytest.mark.parametrize(
    ("call", "y", "cycles"),
    [
        (lambda b, x, y: asc.compare(b, x, y, CMPMODE.LT, 256), 1024 + 256, 24.4 + 4),
        (lambda b, x, y: asc.compare(b, x, y, CMPMODE.LT, 256), 1024 + 512, 24.4 + 4 * 2.028125),
        (lambda b, x, y: asc.compare_scalar(b, x, 1, CMPMODE.LT, 256), 2048, 24 + 4),
    ],
)
def test_sources_in_one_bank_group_are_compared_in_turn(call: Any, y: int, cycles: float) -> None:
    """On Ascend910B1: x lies at byte 0, and 512 bytes on the groups are the same again; the bits do not count."""

    def body(x: Any) -> None:
        bits, other = local(U8, 32, 8192), local(F32, 256, y)
        asc.duplicate(other, 1.0, 256)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        call(bits, x, other)

    *_, span = simulate(program_of(body, np.zeros(256, F32), chip="Ascend910B1", auto_sync=False))

    assert span.stop - span.start in (int(cycles), int(cycles) + 1)


def test_a_masked_select_reads_and_fills_its_lanes_alone() -> None:
    """Lanes 0 and 2 of two repeats: what it leaves out was never written, and may not be read."""

    def body(bits: Any, *, mask: list[int]) -> None:
        z, x, y = (local(asc.float32, 128, 1024 * i) for i in (1, 2, 3))
        asc.duplicate(x, 1, [0b101, 0], 2, 1, 8)
        asc.duplicate(y, 2, [0b101, 0], 2, 1, 8)
        asc.select(z, bits, x, y, TENSOR, mask, 2, asc.BinaryRepeatParams())
        asc.adds(z, z, 1, [0b101, 0], 2, asc.UnaryRepeatParams())
        seen.extend(z.memory.view(z.dtype)[256 + lane] for lane in (0, 2, 64, 66))
        asc.adds(z, z, 1, 3, 2, asc.UnaryRepeatParams())

    seen: list[float] = []
    with refused(asc.UninitializedError, "src of adds (tensor z)", "UB bytes [1028, 1032)"):
        on_ub(functools.partial(body, mask=[0b101, 0]), np.full(256, 1, U8))
    assert seen == [2, 3, 2, 3]

    with refused(asc.UninitializedError, "src0 of select (tensor x)", "UB bytes [2052, 2056)"):
        on_ub(functools.partial(body, mask=[0b111, 0]), np.full(256, 1, U8))
