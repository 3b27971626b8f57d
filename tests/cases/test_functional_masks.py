"""The catalogue again under counter mode, F09 to F13; F30 in all three flavours; the mask part of R19."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from ascendc.language.program import Kind
from tests.block import on_ub, program_of
from tests.refusals import refused

F16, F32 = np.float16, np.float32
UNARY = asc.UnaryRepeatParams


@contextmanager
def counting(total: int, kind: Any = asc.half) -> Iterator[None]:
    """Counter mode over ``total`` elements, and back, as hardware wants it said."""
    asc.set_mask_count()
    asc.set_vector_mask(total, dtype=kind, mode=asc.MaskMode.COUNTER)
    yield
    asc.set_mask_norm()
    asc.reset_mask()


class TestCountedMasks:
    """What F09 to F13 say, where a mask is a number of elements."""

    def test_f09_elements_after_the_count_are_left_untouched(self) -> None:
        """228 of 256 halves: the last repeat has 100 lanes, and the first all 128."""

        def body(x: Any, z: Any) -> None:
            with counting(228):
                asc.adds(z, x, 1, 0, 1, UNARY(1, 1, 8, 8), is_set_mask=False)

        _, z = on_ub(body, np.arange(256).astype(F16), np.full(256, -7, F16))

        assert z.tolist() == [*range(1, 229), *[-7] * 28]

    def test_f10_a_bit_mask_has_no_meaning(self) -> None:
        """0x5555… is no number of elements."""

        def body(x: Any) -> None:
            asc.set_mask_count()
            asc.adds(x, x, 10, [0x5555555555555555, 0x5555555555555555], 1, UNARY())

        with refused(asc.UsageError, "adds: in counter mode the mask is the number of elements"):
            on_ub(body, np.zeros(128, F16))

    def test_f11_the_unit_repeats_as_often_as_it_must(self) -> None:
        """40000 halves are 313 repeats: repeat_times has no field to overflow."""
        x = (np.arange(40000) % 1000).astype(F16)

        def body(x: Any, z: Any) -> None:
            with counting(40000):
                asc.muls(z, x, 2.0, 128, 1, UNARY(), is_set_mask=False)

        _, z = on_ub(body, x, np.full(40000, -1, F16))

        assert np.array_equal(z, x * F16(2))

    def test_f12_no_elements_are_a_no_op(self) -> None:
        """Whatever repeat_times says."""

        def body(x: Any, z: Any) -> None:
            with counting(0):
                asc.add(z, x, x, 128, 4, asc.BinaryRepeatParams(), is_set_mask=False)

        _, z = on_ub(body, np.arange(16).astype(F16), np.full(16, 3, F16))

        assert z.tolist() == [3] * 16

    def test_f13_a_shift_is_refused_and_in_place_is_fine(self) -> None:
        """The message gives both byte ranges of the repeat."""

        def shifted(x: Any) -> None:
            asc.set_mask_count()
            asc.adds(x[16:], x, 1.0, 128, 1, UNARY())

        def in_place(x: Any) -> None:
            with counting(200):
                asc.adds(x, x, 1.0, 0, 1, UNARY(), is_set_mask=False)

        with refused(asc.OverlapError, "adds", "[32, 288)", "[0, 256)"):
            on_ub(shifted, np.arange(512).astype(F16))
        (x,) = on_ub(in_place, np.arange(256).astype(F16))
        assert x.tolist() == [*range(1, 201), *range(200, 256)]


class TestF30MultiplyAdd:
    """dst 2, src0 3, src1 4: three names, three formulas."""

    @pytest.mark.parametrize(
        ("call", "wanted"),
        [
            (lambda z, x, y: asc.axpy(z, x, 4.0, 64), 14),
            (lambda z, x, y: asc.mul_add_dst(z, x, y, 64), 14),
            (lambda z, x, y: asc.fused_mul_add(z, x, y, 64), 10),
        ],
        ids=["axpy", "mul_add_dst", "fused_mul_add"],
    )
    def test_f30_flavour(self, call: Any, wanted: float) -> None:
        """dst + 4·src0 = 14, dst + src0·src1 = 14, src0·dst + src1 = 10."""
        z, _, _ = on_ub(call, np.full(64, 2, F32), np.full(64, 3, F32), np.full(64, 4, F32))

        assert z.tolist() == [wanted] * 64

    def test_f30_halves_into_floats_have_64_lanes_a_repeat(self) -> None:
        """axpy and mul_add_dst take halves and add to floats."""
        params = asc.BinaryRepeatParams(1, 1, 1, 8, 4, 4)
        z, _, _ = on_ub(
            lambda z, x, y: asc.mul_add_dst(z, x, y, 64, 2, params),
            np.full(128, 2, F32),
            np.full(128, 3, F16),
            np.full(128, 4, F16),
        )

        assert z.tolist() == [14] * 128


class TestR19CounterMode:
    """15000 halves are 117 full repeats and 24 lanes."""

    def test_r19_one_instruction_has_them_all(self) -> None:
        """Exact in every lane, nothing after them touched, one vector row."""
        x, y = (np.arange(15000) % 500).astype(F16), (np.arange(15000) % 300).astype(F16)

        def body(x: Any, y: Any, z: Any) -> None:
            with counting(15000):
                asc.add(z, x, y, 0, 1, asc.BinaryRepeatParams(), is_set_mask=False)

        fresh = np.full(15008, -1, F16)
        _, _, z = on_ub(body, x, y, fresh)
        program = program_of(body, x, y, fresh)

        assert np.array_equal(z[:15000], x + y)
        assert z[15000:].tolist() == [-1] * 8
        (row,) = (r for r in program.blocks[0] if r.template.kind is Kind.COMPUTE)
        assert row.template.label == "add counter=15000 repeat=118"
