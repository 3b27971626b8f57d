"""set_deq_scale and what multiplies by it: cast_deq, cast from int32 to half, add_deq_relu."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import ascendc as asc
from ascendc.language.program import Kind
from tests.block import local, on_ub, program_of
from tests.inventory import looped, worked
from tests.scalar_interpreter import chosen

F16, I8, U8, I16, I32, U64 = np.float16, np.int8, np.uint8, np.int16, np.int32, np.uint64


def one_scale(src: NDArray[Any], *config: Any, to: Any = I8, fill: int = 99, **flags: Any) -> NDArray[Any]:
    """dst, 32 bytes for each 16 of src, after set_deq_scale(*config) and cast_deq with one scale."""

    def body(dst: Any, src: Any) -> None:
        asc.set_deq_scale(*config)
        asc.cast_deq(dst, src, len(src), is_vec_deq=False, **flags)

    return on_ub(body, np.full(-(-len(src) // 16) * 32, fill, to), src)[0]


@worked("cast_deq", "set_deq_scale")
class TestOneScale:
    """cast_deq with is_vec_deq=False."""

    def test_results_fill_the_high_half_of_each_block(self) -> None:
        """20 halves of 0, 1, 2 …, plus 1: 16 bytes from byte 16 on, 4 from byte 48 on; the rest stays."""
        dst = one_scale(np.arange(20).astype(I16), 0.5, 1, True)

        halves = [1, 2, 2, 2, 3, 4, 4, 4, 5, 6, 6, 6, 7, 8, 8, 8]  # i / 2 + 1, ties to even
        assert dst[16:32].tolist() == halves
        assert dst[48:52].tolist() == [9, 10, 10, 10]
        assert dst[:16].tolist() == [99] * 16
        assert dst[32:48].tolist() == [99] * 16
        assert dst[52:].tolist() == [99] * 12

    def test_half_block_false_fills_the_low_half(self) -> None:
        """From byte 0 on."""
        dst = one_scale(np.arange(16).astype(I16), 1.0, 0, True, half_block=False)

        assert dst.tolist() == [*range(16), *[99] * 16]

    @pytest.mark.parametrize(("to", "signed", "wanted"), [(I8, True, [-128, -1, 127]), (U8, False, [0, 0, 255])])
    def test_results_saturate_as_the_sign_mode_says(self, to: Any, signed: bool, wanted: list[int]) -> None:
        """int8 or uint8."""
        dst = one_scale(np.array([-300, -1, 300], I16), 1.0, 0, signed, to=to)

        assert dst[16:19].tolist() == wanted

    def test_an_offset_has_nine_bits(self) -> None:
        """−256 and 255 fit."""
        assert one_scale(np.array([300], I16), 1.0, -256, True)[16] == 44
        assert one_scale(np.array([-200], I16), 1.0, 255, True)[16] == 55

    def test_a_scale_that_is_no_number_gives_zero(self) -> None:
        """NaN becomes 0."""
        assert one_scale(np.array([5], I16), math.nan, 3, True)[16] == 0

    def test_the_mask_form_has_strides_and_lanes(self) -> None:
        """17 lanes twice, destination blocks 2 apart: block 0 and one lane of block 2, then from block 20."""

        def body(dst: Any, src: Any) -> None:
            asc.set_deq_scale(1.0, 0, True)
            asc.cast_deq(dst, src, 17, 2, asc.UnaryRepeatParams(2, 1, 20, 8), True, False, False)

        dst, _ = on_ub(body, np.full(1024, -1, I8), (np.arange(256) % 100).astype(I16))

        assert np.flatnonzero(dst != -1).tolist() == [*range(16), 64, *range(640, 656), 704]
        assert dst[[15, 64, 640, 704]].tolist() == [15, 16, 28, 44]

    def test_flags_may_be_positional(self) -> None:
        """cast_deq(dst, src, count, is_vec_deq, half_block)."""

        def body(dst: Any, src: Any) -> None:
            asc.set_deq_scale(2.0, 0, True)
            asc.cast_deq(dst, src, 1, False, False)

        assert on_ub(body, np.zeros(32, I8), np.array([4], I16))[0][0] == 8

    def test_another_sign_than_the_destination_is_noted(self) -> None:
        """The bits are stored as they are: 200 of uint8 is −56 of int8."""

        def body(dst: Any, src: Any) -> None:
            asc.set_deq_scale(1.0, 0, False)
            asc.cast_deq(dst, src, 1, is_vec_deq=False)

        (finding,) = program_of(body, np.zeros(32, I8), np.array([200], I16)).findings

        assert on_ub(body, np.zeros(32, I8), np.array([200], I16))[0][16] == -56
        assert "cast_deq: dst is int8, and sign_mode=False of set_deq_scale gives uint8 results" in finding.message


@worked("cast_vdeq")
class TestSixteenScales:
    """cast_deq with a scale for each lane of a block."""

    @staticmethod
    def body(dst: Any, src: Any, vdeq: Any) -> None:
        scales, offsets = [0.5 * i for i in range(16)], list(range(16))
        asc.set_deq_scale(vdeq, asc.VdeqInfo(scales, offsets, [True] * 16))
        asc.cast_deq(dst, src, 32)

    def test_lane_k_of_a_block_takes_scale_k(self) -> None:
        """4 · k / 2 + k = 3 k, in both blocks."""
        dst, _, _ = on_ub(self.body, np.full(64, -1, I8), np.full(32, 4, I16), np.zeros(16, U64))

        assert dst[16:32].tolist() == [3 * k for k in range(16)]
        assert dst[48:].tolist() == [3 * k for k in range(16)]

    def test_the_tensor_holds_scale_offset_and_sign(self) -> None:
        """Bits 0 to 31, 37 to 45 and 46."""

        def body(vdeq: Any) -> None:
            asc.set_deq_scale(vdeq, asc.VdeqInfo([1.0] * 16, [-1] * 16, [True] * 16))

        (words,) = on_ub(body, np.zeros(16, U64))

        assert words.tolist() == [0x3F800000 | 0x1FF << 37 | 1 << 46] * 16

    def test_the_instruction_reads_the_tensor(self) -> None:
        """16 scalar writes, a flag to the vector pipe, one row whose third operand is the tensor."""
        program = program_of(self.body, np.full(64, -1, I8), np.full(32, 4, I16), np.zeros(16, U64))

        names = [row.template.op.name for row in program.blocks[0]]
        assert names == [*["set_value"] * 16, "set_deq_scale", "set_flag", "wait_flag", "cast_vdeq"]
        *_, row = program.blocks[0]
        assert row.template.kind is Kind.COMPUTE
        read = [f for f in row.template.footprints if f.operand == 2]
        assert [(f.write, f.runs(), f.nbytes) for f in read] == [(False, (0,), 128)]


@looped("cast_vdeq", "set_deq_scale")
@given(src=st.lists(st.integers(-(2**15), 2**15 - 1), min_size=1, max_size=300), data=st.data())
def test_any_count_and_scales_against_one_lane_at_a_time(src: list[int], data: st.DataObject) -> None:
    """Sixteen scales, offsets and signs: each lane of each block, nothing else."""
    scales = data.draw(st.lists(st.integers(-64, 64).map(lambda n: n / 32), min_size=16, max_size=16))
    offsets = data.draw(st.lists(st.integers(-256, 255), min_size=16, max_size=16))
    high = data.draw(st.booleans())

    def body(dst: Any, src: Any, vdeq: Any) -> None:
        asc.set_deq_scale(vdeq, asc.VdeqInfo(scales, offsets, [False] * 16))
        asc.cast_deq(dst, src, len(src), half_block=high)

    fresh = np.full(-(-len(src) // 16) * 32, 77, U8)
    dst, _, _ = on_ub(body, fresh, np.array(src, I16), np.zeros(16, U64))

    wanted = fresh.tolist()
    for i, value in enumerate(src):
        exact = value * scales[i % 16] + offsets[i % 16]
        wanted[i // 16 * 32 + 16 * high + i % 16] = min(max(round(exact), 0), 255)
    assert dst.tolist() == wanted


@looped("cast_deq", "cast_vdeq", "set_deq_scale")
@given(
    mask=st.integers(0, 128) | st.tuples(*[st.integers(0, 2**64 - 1)] * 2).map(list),
    repeats=st.integers(0, 3),
    strides=st.tuples(st.integers(1, 2), st.integers(0, 2), st.sampled_from([8, 16, 17]), st.integers(0, 9)),
    how=st.sampled_from(["call", "register", "counter"]),
    each=st.booleans(),
    data=st.data(),
)
@settings(max_examples=80)
def test_any_mask_and_strides_against_one_lane_at_a_time(
    mask: Any, repeats: int, strides: Any, how: str, each: bool, data: st.DataObject
) -> None:
    """16 lanes to one half of a block, one scale or one for each lane of a block, to either type; nothing else."""
    signed, high, seed = data.draw(st.booleans()), data.draw(st.booleans()), data.draw(st.integers(0, 99))
    random = np.random.default_rng(seed)
    src, to = random.integers(-400, 400, 4096).astype(I16), I8 if signed else U8
    scales = (random.integers(-64, 64, 16) / 32).tolist() if each else [0.75] * 16
    offsets = random.integers(-99, 99, 16).tolist() if each else [-3] * 16
    fresh, total = np.full(32 * 100, 77, to), data.draw(st.integers(0, 128 * repeats))
    lanes = [(repeat, lane) for repeat in range(repeats) for lane in chosen(mask, 128)]
    lanes = [divmod(i, 128) for i in range(total)] if how == "counter" else lanes
    wanted, low, most = fresh.tolist(), (-128 if signed else 0), (127 if signed else 255)
    for repeat, lane in lanes:
        block, k = divmod(lane, 16)
        value = int(src[(repeat * strides[3] + block * strides[1]) * 16 + k]) * scales[k] + offsets[k]
        at = (repeat * strides[2] + block * strides[0]) * 32 + 16 * high + k
        wanted[at] = min(max(round(value), low), most)

    def body(dst: Any, src: Any, vdeq: Any) -> None:
        form = (vdeq, asc.VdeqInfo(scales, offsets, [signed] * 16)) if each else (0.75, -3, signed)
        asc.set_deq_scale(*form)
        if how == "counter":
            asc.set_mask_count()
        if how == "register":
            asc.set_vector_mask(*((mask,) if isinstance(mask, int) else mask[::-1]), dtype=asc.half)
        said = {"call": (mask, repeats), "register": (1, repeats), "counter": (total, 0)}[how]
        asc.cast_deq(dst, src, *said, asc.UnaryRepeatParams(*strides), how != "register", each, high)

    dst, *_ = on_ub(body, fresh, src, np.zeros(16, U64))

    assert dst.tolist() == wanted


@worked("add_deq_relu")
class TestHalfScale:
    """int32 to half: the value and its product are rounded to float32, then to half."""

    def test_cast_multiplies(self) -> None:
        """3 · 0.5, −7 · 0.5, and 2^20 · 0.5 is beyond a half."""

        def body(dst: Any, src: Any) -> None:
            asc.set_deq_scale(0.5)
            asc.cast(dst, src, asc.RoundMode.CAST_NONE, 3)

        assert on_ub(body, np.zeros(3, F16), np.array([3, -7, 1 << 20], I32))[0].tolist() == [1.5, -3.5, math.inf]

    def test_cast_deq_does_the_same(self) -> None:
        """With half_block and is_vec_deq as they are: they are for int16."""

        def body(dst: Any, src: Any) -> None:
            asc.set_deq_scale(scale=0.5)
            asc.cast_deq(dst, src, 3)

        assert on_ub(body, np.zeros(3, F16), np.array([3, -7, 9], I32))[0].tolist() == [1.5, -3.5, 4.5]

    def test_add_deq_relu(self) -> None:
        """(3 + 4) / 2, (5 − 9) / 2 rectified, and a sum that wraps to −2^31."""

        def body(dst: Any, a: Any, b: Any) -> None:
            asc.set_deq_scale(0.5)
            asc.add_deq_relu(dst, a, b, 3)

        a, b = np.array([3, 5, 2**31 - 1], I32), np.array([4, -9, 1], I32)
        assert on_ub(body, np.ones(3, F16), a, b)[0].tolist() == [3.5, 0, 0]

    def test_add_deq_relu_has_64_lanes_a_repeat(self) -> None:
        """Two repeats of 64, the destination 4 blocks each."""

        def body(dst: Any, a: Any) -> None:
            asc.set_deq_scale(1.0)
            asc.add_deq_relu(dst, a, a, 64, 2, asc.BinaryRepeatParams(1, 1, 1, 4, 8, 8))

        assert on_ub(body, np.zeros(128, F16), np.arange(128, dtype=I32))[0].tolist() == list(range(0, 256, 2))

    def test_add_deq_relu_overwrites_the_end_of_ub(self) -> None:
        """The library's 8 KB scratch: legal, and noted if the kernel keeps something there."""

        def body(dst: Any, a: Any) -> None:
            asc.set_deq_scale(1.0)
            asc.add_deq_relu(dst, a, a, 3)
            asc.duplicate(local(asc.half, 16, 188_416), 1, 16)
            asc.add_deq_relu(dst, a, a, 3)

        (finding,) = program_of(body, np.zeros(3, F16), np.zeros(3, I32), chip="Ascend910B1").findings

        assert "add_deq_relu: the vendor library works in UB bytes [188416, 196608) here" in finding.message
