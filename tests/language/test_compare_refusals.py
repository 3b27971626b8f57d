"""What comparing and selecting refuse, and what their rows say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from ascendc import CMPMODE, SelMode
from tests.block import local, on_ub, program_of
from tests.refusals import refused

F16, F32, I32, U8 = np.float16, np.float32, np.int32, np.uint8
SPR, SCALAR, TENSOR = SelMode


class TestRecorded:
    """What the row says."""

    def test_footprints_are_bits_and_lanes(self) -> None:
        """70 halves need 9 bytes of bits."""
        program = program_of(
            lambda z, bits, x: asc.select(z, bits, x, 1.5, SCALAR, 70),
            np.zeros(128, F16),
            np.zeros(32, U8),
            np.zeros(128, F16),
        )
        (row,) = program.blocks[0]

        assert row.template.operands == ("dst", "src0", "sel_mask")
        assert [(f.operand, f.write, f.nbytes) for f in row.template.footprints] == [
            (0, True, 140),
            (1, False, 140),
            (2, False, 9),
        ]
        assert row.immediates == (1.5,)

    def test_an_operand_in_place(self) -> None:
        """The destination may be either source, lane for lane."""
        x, *_ = on_ub(
            lambda x, bits, y: asc.select(x, bits, x, y, TENSOR, 64),
            np.arange(64, dtype=F32),
            np.full(32, 0b10, U8),
            np.full(64, -1, F32),
        )

        assert x[:10].tolist() == [-1, 1, *[-1] * 7, 9]

    def test_scratch_that_the_kernel_uses_is_a_warning(self) -> None:
        """The last 8 KB of UB belong to the library in these modes."""

        def body(bits: Any, x: Any) -> None:
            asc.duplicate(local(F32, 64, 188416), 0.0, 64)
            asc.select(x, bits, x, 0.0, SCALAR, 64)

        (finding,) = program_of(body, np.zeros(32, U8), np.zeros(64, F32)).findings

        assert finding.kind == "scratch"
        assert "select: the vendor library works in UB bytes [188416, 196608) here" in finding.message
        assert not program_of(
            lambda bits, x: asc.select(x, bits, x, 0.0, SCALAR, 64), np.zeros(32, U8), np.zeros(64, F32)
        ).findings


class TestRefused:
    """What is undefined, before anything is written."""

    def test_a_count_that_leaves_part_of_a_repeat(self) -> None:
        """60 floats are 240 B."""
        text = "compare: count 60 of float32 is 240 B, not a multiple of 256; compare 64 elements, with room for them"
        with refused(asc.AlignmentError, text):
            on_ub(lambda d, x: asc.compare(d, x, x, CMPMODE.LT, 60), np.zeros(32, U8), np.zeros(64, F32))

    @pytest.mark.parametrize("mode", [m for m in CMPMODE if m is not CMPMODE.EQ])
    def test_integers_other_than_for_equality(self, mode: CMPMODE) -> None:
        """A2 has nothing else for them."""
        with refused(asc.DtypeError, f"compare_scalar: int32 has no {mode.name}; there is: EQ"):
            on_ub(lambda d, x: asc.compare_scalar(d, x, 1, mode, 64), np.zeros(32, U8), np.zeros(64, I32))

    def test_integers_selected(self) -> None:
        """Only floats are."""
        with refused(asc.DtypeError, "select: dst is int32; supported: float16, float32"):
            on_ub(lambda b, x: asc.select(x, b, x, x, TENSOR, 64), np.zeros(32, U8), np.zeros(64, I32))

    def test_bits_that_are_floats(self) -> None:
        """A tensor of flags is no tensor of bits."""
        with refused(asc.DtypeError, "select: sel_mask is float32; supported: uint8, int8, uint16, uint32, uint64"):
            on_ub(lambda x: asc.select(x, x, x, x, TENSOR, 64), np.zeros(64, F32))

    def test_a_number_where_the_mode_wants_a_tensor(self) -> None:
        """It is one that wants a tensor."""
        with refused(asc.UsageError, "src1 of select must be a LocalTensor"):
            on_ub(lambda b, x: asc.select(x, b, x, 1.0, TENSOR, 64), np.zeros(32, U8), np.zeros(64, F32))

    def test_a_mode_that_is_none(self) -> None:
        """Numbers could be anything."""
        with refused(asc.UsageError, "compare: cmp_mode must be a CMPMODE, as CMPMODE.LT, got 3"):
            on_ub(lambda d, x: asc.compare(d, x, x, 3, 64), np.zeros(32, U8), np.zeros(64, F32))

    def test_too_few_bits(self) -> None:
        """256 halves need 32 bytes of them."""
        with refused(asc.OutOfBoundsError, "sel_mask of select", "needs 32 B"):
            on_ub(lambda b, x: asc.select(x, b, x, x, TENSOR, 256), np.zeros(16, U8), np.zeros(256, F16))

    def test_bits_on_top_of_what_is_compared(self) -> None:
        """Nothing may overlap them."""
        with refused(asc.OverlapError, "compare: dst UB bytes [0, 8) and src0 [0, 256) overlap"):
            on_ub(
                lambda x, y: asc.compare(x.reinterpret_cast(asc.uint8), x, y, CMPMODE.LT, 64),
                *[np.zeros(64, F32)] * 2,
            )

    def test_bits_nothing_has_written(self) -> None:
        """The message names them."""

        def body(x: Any) -> None:
            bits = local(U8, 32, 4096)
            asc.select(x, bits, x, 0.0, SCALAR, 64)

        with refused(asc.UninitializedError, "sel_mask of select (tensor bits)"):
            on_ub(body, np.zeros(64, F32))

    def test_an_argument_that_is_missing(self) -> None:
        """The message shows how this form begins."""
        with refused(asc.UsageError, "compare: cmp_mode is missing; this form begins (dst, src0, src1, cmp_mode)"):
            on_ub(lambda d, x: asc.compare(d, x, x), np.zeros(32, U8), np.zeros(64, F32))

    def test_a_repeat_beyond_its_field(self) -> None:
        """Eight bits."""
        with refused(asc.RangeError, "compare: repeat 256 > 255"):
            on_ub(
                lambda d, x: asc.compare(d, x, x, CMPMODE.LT, 64, 256, asc.BinaryRepeatParams()),
                np.zeros(32, U8),
                np.zeros(64, F32),
            )

    def test_arguments_that_no_form_has(self) -> None:
        """Nothing is swallowed."""
        with refused(asc.UsageError, "select: sel_mode must be the last argument, got 7"):
            on_ub(lambda x: asc.select(x, x, x, 1, asc.BinaryRepeatParams(), SPR, 7), np.zeros(64, F32))
        with refused(asc.UsageError, "compare: src0 is given twice"):
            on_ub(lambda d, x: asc.compare(d, x, x, CMPMODE.LT, 64, src0=x), np.zeros(32, U8), np.zeros(64, F32))

    def test_integers_into_the_register(self) -> None:
        """Only floats reach it."""
        with refused(asc.DtypeError, "compare: src0 is int32; supported: float16, float32"):
            on_ub(lambda x: asc.compare(x, x, CMPMODE.EQ, 64, asc.BinaryRepeatParams()), np.zeros(64, I32))
