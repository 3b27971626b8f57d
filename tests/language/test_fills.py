"""Blocks from elements, rising numbers and masked copies, against one lane at a time."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from tests.block import local, on_ub, program_of
from tests.inventory import looped, worked
from tests.refusals import refused
from tests.scalar_interpreter import Mask, Operand, chosen

F16, F32, I16, I32 = np.float16, np.float32, np.int16, np.int32
KINDS = [np.int16, np.uint16, np.float16, ml_dtypes.bfloat16, np.int32, np.uint32, np.float32]
WORD = st.integers(0, 2**64 - 1)


def bits(kind: Any) -> Any:
    """Elements of this size as integers: copies are bit for bit."""
    return np.dtype(f"u{np.dtype(kind).itemsize}")


def masks(width: int) -> st.SearchStrategy[Mask]:
    words = st.tuples(WORD, WORD if width == 128 else st.just(0))
    return st.one_of(st.integers(0, width), words.map(list))


@looped("brcb")
@given(
    kind=st.sampled_from(KINDS),
    repeats=st.integers(0, 4),
    blk=st.integers(1, 4),
    rep=st.integers(0, 33),
    seed=st.integers(0, 99),
)
@settings(max_examples=60)
def test_each_element_fills_a_block(kind: Any, repeats: int, blk: int, rep: int, seed: int) -> None:
    """Eight a repeat; where repeats meet, the later one stays."""
    unit = bits(kind)
    width = 32 // unit.itemsize
    random = np.random.default_rng(seed)
    src, dst = (random.integers(0, 1 << 8 * unit.itemsize, n, unit) for n in (64, 132 * width))
    wanted = dst.copy()
    for repeat in range(repeats):
        for block in range(8):
            first = (repeat * rep + block * blk) * width
            wanted[first : first + width] = src[repeat * 8 + block]

    got, _ = on_ub(lambda d, s: asc.brcb(d, s, repeats, asc.BrcbRepeatParams(blk, rep)), dst.view(kind), src.view(kind))

    assert np.array_equal(got.view(unit), wanted)


@looped("copy")
@given(
    kind=st.sampled_from(KINDS),
    repeats=st.integers(0, 4),
    strides=st.tuples(st.integers(1, 3), st.integers(0, 3), st.sampled_from([0, 1, 8, 9]), st.sampled_from([0, 1, 8])),
    seed=st.integers(0, 99),
    data=st.data(),
)
@settings(max_examples=60)
def test_copies_are_bit_for_bit(kind: Any, repeats: int, strides: Any, seed: int, data: st.DataObject) -> None:
    """The lanes of the mask, whatever their bits mean as numbers."""
    unit = bits(kind)
    mask = data.draw(masks(256 // unit.itemsize))
    random = np.random.default_rng(seed)
    src, dst = (random.integers(0, 1 << 8 * unit.itemsize, 4096, unit) for _ in range(2))
    to, back = Operand(0, unit, strides[0], strides[2]), Operand(0, unit, strides[1], strides[3])
    wanted = dst.copy()
    for repeat in range(repeats):
        for lane in chosen(mask, 256 // unit.itemsize):
            read = src[back.address(repeat, lane) // unit.itemsize]
            wanted[to.address(repeat, lane) // unit.itemsize] = read

    got, _ = on_ub(
        lambda d, s: asc.copy(d, s, mask, repeats, asc.CopyRepeatParams(*strides)), dst.view(kind), src.view(kind)
    )

    assert np.array_equal(got.view(unit), wanted)


@looped("create_vec_index")
@given(
    kind=st.sampled_from([I16, F16, I32, F32]),
    first=st.integers(-3000, 32000),
    repeats=st.integers(0, 4),
    blk=st.integers(1, 2),
    rep=st.sampled_from([0, 1, 8, 16]),
    data=st.data(),
)
@settings(max_examples=60)
def test_numbers_rise_through_all_lanes(kind: Any, first: int, repeats: int, blk: int, rep: int, data: Any) -> None:
    """A lane that takes no part uses up its number; each sum is rounded once, integers wrap."""
    item = np.dtype(kind)
    mask = data.draw(masks(256 // item.itemsize))
    dst = np.full(4096, -7, kind)
    wanted, to = dst.copy(), Operand(0, item, blk, rep)
    start = int(kind(first))
    for repeat in range(repeats):
        for lane in chosen(mask, 256 // item.itemsize):
            number = start + repeat * (256 // item.itemsize) + lane
            value = (number + 2**15) % 2**16 - 2**15 if kind is I16 else number
            wanted[to.address(repeat, lane) // item.itemsize] = kind(value)

    (got,) = on_ub(lambda d: asc.create_vec_index(d, first, mask, repeats, blk, rep), dst)

    assert np.array_equal(got, wanted)


@looped("copy", "create_vec_index")
@given(total=st.integers(0, 700), kind=st.sampled_from([I16, F16, I32, F32]), first=st.integers(-3000, 32000))
@settings(max_examples=40)
def test_counted_elements_are_copied_and_numbered(total: int, kind: Any, first: int) -> None:
    """In counter mode: so many of them, one after another, and the same as a count gives; no other is touched."""
    src = np.random.default_rng(total).integers(0, 99, 1024).astype(kind)

    def body(copied: Any, numbered: Any, plain: Any, src: Any) -> None:
        asc.create_vec_index(plain, first, total)
        asc.set_mask_count()
        asc.copy(copied, src, total, 1, asc.CopyRepeatParams(1, 1, 8, 8))
        asc.create_vec_index(numbered, first, total, 1, 1, 8)
        asc.set_mask_norm()

    copied, numbered, plain, _ = on_ub(body, *[np.full(1024, -7, kind)] * 3, src)

    wanted = np.full(1024, -7, kind)
    for i in range(total):
        number = int(kind(first)) + i
        wanted[i] = kind((number + 2**15) % 2**16 - 2**15 if kind is I16 else number)
    assert copied.tolist() == [*src[:total], *[-7] * (1024 - total)]
    assert numbered.tolist() == plain.tolist() == wanted.tolist()


@worked("brcb", "copy", "create_vec_index")
class TestExamples:
    """Literal numbers."""

    def test_the_count_form_of_rising_numbers(self) -> None:
        """From 5 on, and nothing behind them; the newer name is the same instruction."""
        (x,) = on_ub(lambda x: asc.arange(x, 5, 3), np.full(16, -1, I16))

        assert x[:5].tolist() == [5, 6, 7, -1, -1]

    def test_counter_mode_numbers_the_partial_last_repeat(self) -> None:
        """70 numbers in one row, whatever repeat_times says."""

        def body(x: Any) -> None:
            asc.set_mask_count()
            asc.create_vec_index(x, 0, 70, 9, 1, 8)

        (x,) = on_ub(body, np.full(128, -1, I32))

        assert x[:72].tolist() == [*range(70), -1, -1]

    def test_copy_may_repack(self) -> None:
        """16 of every 64 floats, packed."""
        dst, _ = on_ub(
            lambda d, s: asc.copy(d, s, 16, 2, asc.CopyRepeatParams(1, 1, 2, 8)),
            np.zeros(32, F32),
            np.arange(128, dtype=F32),
        )

        assert dst.tolist() == [*range(16), *range(64, 80)]

    def test_blocks_are_written_and_eight_elements_a_repeat_read(self) -> None:
        """Two repeats: 16 halves in, 16 blocks out."""
        program = program_of(
            lambda d, s: asc.brcb(d, s, 2, asc.BrcbRepeatParams()), np.zeros(256, F16), np.zeros(16, F16)
        )
        (row,) = program.blocks[0]

        assert [(f.operand, f.write, f.nbytes) for f in row.template.footprints] == [(0, True, 512), (1, False, 32)]


class TestRefused:
    """What is undefined, before anything is written."""

    def test_elements_nothing_has_written(self) -> None:
        """All eight of them are read."""

        def body(dst: Any) -> None:
            src = local(F32, 8, 4096)
            asc.duplicate(src, 1.0, 7)
            asc.brcb(dst, src, 1, asc.BrcbRepeatParams())

        with refused(asc.UninitializedError, "src0 of brcb (tensor src): reads elements [7, 8)"):
            on_ub(body, np.zeros(64, F32))

    @pytest.mark.parametrize(
        ("call", "text"),
        [
            (lambda x: asc.brcb(x, x, 1, asc.CopyRepeatParams()), "brcb: repeat_params must be a BrcbRepeatParams"),
            (lambda x: asc.copy(x, x, 8, 1, asc.BrcbRepeatParams()), "copy: repeat_params must be a CopyRepeatParams"),
        ],
    )
    def test_strides_of_another_instruction(self, call: Any, text: str) -> None:
        """Their fields mean other things."""
        with refused(asc.UsageError, text):
            on_ub(call, np.zeros(64, F32))

    def test_elements_there_are_no_instructions_for(self) -> None:
        """Bytes are not broadcast, and wide integers not numbered."""
        with refused(asc.DtypeError, "brcb: dst is int8; supported: int16, uint16, float16, bfloat16, int32"):
            on_ub(lambda d, s: asc.brcb(d, s, 1, asc.BrcbRepeatParams()), *[np.zeros(256, np.int8)] * 2)
        with refused(asc.DtypeError, "create_vec_index: dst is uint32; supported: int16, float16, int32, float32"):
            on_ub(lambda x: asc.create_vec_index(x, 0, 8), np.zeros(64, np.uint32))

    def test_a_first_number_that_does_not_fit(self) -> None:
        """Nothing wraps at the start."""
        with refused(asc.RangeError, "create_vec_index: first_value 40000 does not fit int16 (-32768 to 32767)"):
            on_ub(lambda x: asc.create_vec_index(x, 40000, 8), np.zeros(64, I16))

    def test_a_count_that_is_none(self) -> None:
        """A length, say."""
        with refused(asc.RangeError, "create_vec_index: count must be a whole number of elements, 0 or more, got 2.5"):
            on_ub(lambda x: asc.create_vec_index(x, 0, 2.5), np.zeros(64, I16))
