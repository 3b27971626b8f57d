"""The catalogue of functional behaviour, F07, F09 to F13, F18, F30 and F31: what the vector unit does, exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import on_gm, on_ub, tensor
from tests.refusals import refused

F16, F32 = np.float16, np.float32


class TestF07Alignment:
    """A vector operand starts at a multiple of 32 bytes."""

    def test_f07_a_vector_operand_off_its_block_is_refused(self) -> None:
        """Element 5 of a float tensor is byte 20."""

        def body(x: Any, y: Any, z: Any) -> None:
            w = x[5:]
            asc.add(z, w, y, 64)

        with refused(asc.AlignmentError, "src0 of add (tensor w)", "byte offset 20", "not a multiple of 32"):
            on_ub(body, *[np.zeros(256, F32)] * 3)

    def test_f07_a_multiple_of_eight_floats_works(self) -> None:
        """Element 8 is byte 32."""
        x = np.arange(256, dtype=F32)
        _, _, z = on_ub(lambda x, y, z: asc.add(z, x[8:], y, 64), x, np.ones(256, F32), np.zeros(256, F32))

        assert z[:64].tolist() == list(range(9, 73))


class TestMasks:
    """F09 to F12: which lanes an instruction touches."""

    def test_f09_a_number_masks_the_first_lanes_of_each_repeat(self) -> None:
        """mask 100 of 128 halves, twice: the other 28 lanes of each repeat keep −7."""
        _, z = on_ub(
            lambda x, z: asc.adds(z, x, 1, 100, 2, asc.UnaryRepeatParams(1, 1, 8, 8)),
            np.arange(256).astype(F16),
            np.full(256, -7, F16),
        )

        assert z.tolist() == [*range(1, 101), *[-7] * 28, *range(129, 229), *[-7] * 28]

    @pytest.mark.parametrize(("kind", "lanes"), [(F16, 128), (F32, 64)])
    def test_f09_a_mask_beyond_the_lanes_is_refused(self, kind: Any, lanes: int) -> None:
        """A repeat has 128 halves or 64 floats."""
        with refused(asc.RangeError, f"adds: mask {lanes + 1} is beyond the {lanes} lanes of a repeat"):
            on_ub(lambda x: asc.adds(x, x, 1, lanes + 1, 1, asc.UnaryRepeatParams()), np.zeros(256, kind))

    def test_f10_bit_k_is_lane_k_low_word_first(self) -> None:
        """0x5555… chooses the even lanes."""
        even = 0x5555555555555555
        _, z = on_ub(
            lambda x, z: asc.adds(z, x, 10, [even, even], 1, asc.UnaryRepeatParams()),
            np.arange(128).astype(F16),
            np.full(128, -1, F16),
        )

        assert z[::2].tolist() == list(range(10, 138, 2))
        assert z[1::2].tolist() == [-1] * 64

    def test_f10_four_byte_types_have_one_word(self) -> None:
        """[0xF, 0] is the first four floats; a second word that is not 0 is refused."""
        _, z = on_ub(
            lambda x, z: asc.adds(z, x, 10, [0xF, 0], 1, asc.UnaryRepeatParams()),
            np.arange(64, dtype=F32),
            np.full(64, -1, F32),
        )

        assert z.tolist() == [10, 11, 12, 13, *[-1] * 60]
        with refused(asc.RangeError, "mask ['0xf', '0x1']", "64 lanes", "mask[1] must be 0 here"):
            on_ub(lambda x: asc.adds(x, x, 1, [0xF, 1], 1, asc.UnaryRepeatParams()), np.zeros(64, F32))

    def test_f11_repeats_beyond_255_are_refused_and_counts_split_themselves(self) -> None:
        """313 repeats do not fit eight bits; a count of 40000 computes every element."""
        x = (np.arange(40000) % 1000).astype(F16)
        with refused(asc.RangeError, "muls: repeat 313 > 255", "count form"):
            on_ub(lambda x: asc.muls(x, x, 2.0, 128, 313, asc.UnaryRepeatParams()), x)

        _, z = on_ub(lambda x, z: asc.muls(z, x, 2.0, 40000), x, np.full(40000, -1, F16))
        assert np.array_equal(z, x * F16(2))

    def test_f11_whole_tensors_are_reduced_whatever_their_size(self) -> None:
        """40000 halves are 313 repeats, and the last element counts: a sum of 1, a maximum of 1 at 39999."""
        x = np.zeros(40000, F16)
        x[-1] = 1

        def body(total: Any, most: Any, x: Any, tmp: Any) -> None:
            asc.reduce_sum(total, x, tmp, 40000)
            asc.reduce_max(most, x, tmp, 40000, cal_index=True)

        total, most, *_ = on_ub(body, np.zeros(16, F16), np.zeros(16, F16), x, np.zeros(1024, F16))

        assert total[0] == most[0] == 1
        assert most.view(np.uint16)[1] == 39999

    def test_f12_nothing_asked_is_nothing_done(self) -> None:
        """count 0, mask 0, repeat 0, block_count 0 and block_len 0 leave data on both sides, and the program empty."""
        z, u, inside = np.full(16, 3, F16), np.full(32, 3, F16), np.full(32, 5, F16)
        params = asc.BinaryRepeatParams()

        def vector(x: Any, z: Any) -> None:
            asc.add(z, x, x, 0)
            asc.add(z, x, x, 0, 1, params)
            asc.add(z, x, x, [0, 0], 1, params)
            asc.add(z, x, x, 16, 0, params)

        def copies(g: Any) -> None:
            here, pad = tensor(inside, 0), asc.DataCopyPadExtParams()
            asc.data_copy_pad(here, g, asc.DataCopyExtParams(0, 64), pad)
            asc.data_copy_pad(here, g, asc.DataCopyExtParams(1, 0), pad)
            asc.data_copy_pad(g, here, asc.DataCopyExtParams(0, 64))
            asc.data_copy(here, g, 0)
            asc.data_copy(here, g, asc.DataCopyParams(0, 1, 0, 0))
            inside[:] = here.values

        _, after = on_ub(vector, np.arange(16).astype(F16), z)
        program = on_gm(copies, u)

        assert after.tolist() == [3] * 16
        assert u.tolist() == [3] * 32
        assert inside.tolist() == [5] * 32
        assert len(program) == 0
        assert not program.findings


class TestF13Overlap:
    """A destination may be a source, or apart from it; not in between."""

    def test_a_shift_within_a_repeat_is_refused(self) -> None:
        """The message gives both byte ranges."""
        with refused(asc.OverlapError, "adds", "[32, 288)", "[0, 256)"):
            on_ub(lambda x: asc.adds(x[16:], x, 1.0, 128, 1, asc.UnaryRepeatParams()), np.zeros(512, F16))

    def test_a_shift_in_the_count_form_is_refused(self) -> None:
        """The same bytes, the same verdict."""
        with refused(asc.OverlapError, "adds", "[32, 288)", "[0, 256)"):
            on_ub(lambda x: asc.adds(x[16:], x, 1.0, 128), np.zeros(512, F16))

    def test_in_place_is_fine(self) -> None:
        """x = x + 1."""
        (x,) = on_ub(lambda x: asc.adds(x, x, 1.0, 256), np.arange(256).astype(F16))

        assert x.tolist() == list(range(1, 257))


class TestF18SpecialValues:
    """IEEE infinities and NaN come out of every instruction as they should."""

    def test_sums_and_products(self) -> None:
        """Overflow is infinity, and only where rounding leads there."""
        inf = np.inf
        x = np.array([65504, 65504, 65504, inf] + [0] * 12, F16)
        y = np.array([65504, 16, 15, -inf] + [0] * 12, F16)
        _, _, z = on_ub(lambda x, y, z: asc.add(z, x, y, 16), x, y, np.zeros(16, F16))
        _, w = on_ub(lambda x, z: asc.mul(z, x, x, 16), np.full(16, 300, F16), np.zeros(16, F16))

        assert z[:3].tolist() == [inf, inf, 65504]
        assert np.isnan(z[3])
        assert w.tolist() == [inf] * 16

    @pytest.mark.parametrize(
        ("op", "value", "wanted"),
        [
            (asc.exp, 11, 59872),
            (asc.exp, 12, np.inf),
            (asc.ln, 0, -np.inf),
            (asc.ln, -1, np.nan),
            (asc.relu, np.nan, np.nan),
            (asc.reciprocal, 0, np.inf),
            (asc.reciprocal, -0.0, -np.inf),
            (asc.sqrt, -1, np.nan),
            (asc.rsqrt, 0, np.inf),
            (asc.abs, -np.inf, np.inf),
        ],
        ids=lambda v: getattr(v, "name", None),
    )
    def test_functions(self, op: Any, value: float, wanted: float) -> None:
        """The half results, bit for bit."""
        (x,) = on_ub(lambda x: op(x, x, 16), np.full(16, value, F16))

        assert np.array_equal(x, np.full(16, wanted, F16), equal_nan=True)


class TestCombined:
    """F30 and F31."""

    def test_f30_axpy_adds_the_scaled_source(self) -> None:
        """2 + 4 · 3 = 14."""
        z, _ = on_ub(lambda z, x: asc.axpy(z, x, 4.0, 64), np.full(64, 2, F32), np.full(64, 3, F32))

        assert z.tolist() == [14] * 64

    def test_f30_axpy_of_halves_into_floats_has_64_lanes(self) -> None:
        """A repeat is 256 bytes of the wider type: mask 64 is all of it, 65 too many."""
        params = asc.UnaryRepeatParams(1, 1, 8, 4)
        z, _ = on_ub(lambda z, x: asc.axpy(z, x, 4.0, 64, 2, params), np.full(128, 2, F32), np.full(128, 3, F16))

        assert z.tolist() == [14] * 128
        with refused(asc.RangeError, "axpy: mask 65 is beyond the 64 lanes"):
            on_ub(lambda z, x: asc.axpy(z, x, 4.0, 65, 2, params), np.full(128, 2, F32), np.full(128, 3, F16))

    def test_f31_leaky_relu(self) -> None:
        """Negative lanes times the number, rounded to half first."""
        x = np.array([-287, -1, 0, 1, 287] + [0] * 11, F16)
        _, z = on_ub(lambda x, z: asc.leaky_relu(z, x, 0.001, 16), x, np.zeros(16, F16))

        assert z[:5].tolist() == [-0.287109375, -0.0010004043579101562, 0, 1, 287]

    def test_f31_a_count_beyond_the_tensor_is_refused(self) -> None:
        """1024 halves need 2048 B, the tensor has 1024 B."""
        with refused(asc.OutOfBoundsError, "dst of leaky_relu (tensor z)", "needs 2048 B", "the tensor has 1024 B"):
            on_ub(lambda x, z: asc.leaky_relu(z, x, 0.001, 1024), np.zeros(512, F16), np.zeros(512, F16))
