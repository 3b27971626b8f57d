"""The catalogue's reductions, comparisons and selections, F19 to F24, F43, F45 and R18, with its numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ascendc as asc
from ascendc import CMPMODE, SelMode
from simulator import Cause, simulate
from tests.block import on_gm, on_ub, program_of
from tests.inventory import worked
from tests.refusals import refused

Array = NDArray[Any]
F16, F32, U8 = np.float16, np.float32, np.uint8


def zeros(count: int, kind: Any = F16) -> Array:
    return np.zeros(count, kind)


@worked("reduce_sum")
class TestF19SumsOfHalves:
    """The order of additions shows, unless all summands are one."""

    def test_f19_ones_add_up(self) -> None:
        """A running sum of halves would stick at 2048."""
        dst, *_ = on_ub(lambda d, x, t: asc.reduce_sum(d, x, t, 4096), zeros(16), np.ones(4096, F16), zeros(16))

        assert dst[0] == 4096

    def test_f19_repeats_are_added_in_turn_in_the_count_form(self) -> None:
        """Each tree of 128 tenths is 12.796875; 32 of them, one after another, are 408.5."""
        dst, *_ = on_ub(lambda d, x, t: asc.reduce_sum(d, x, t, 4096), zeros(16), np.full(4096, 0.1, F16), zeros(16))

        assert dst[0] == 408.5

    def test_f19_and_as_a_tree_in_the_other(self) -> None:
        """The same 32 sums of 12.796875 as a tree: 409.5; they need two blocks of halves."""
        x = np.full(4096, 0.1, F16)
        one, *_ = on_ub(lambda d, x: asc.whole_reduce_sum(d, x, 128, 1, 1, 1, 8), zeros(16), x)
        dst, *_ = on_ub(lambda d, x, t: asc.reduce_sum(d, x, t, 128, 32, 8), zeros(16), x, zeros(32))

        assert one[0] == 12.796875
        assert dst[0] == 409.5

    @pytest.mark.parametrize(("count", "total"), [(8320, 8320), (65664, np.inf)])
    def test_f19_more_than_a_half_holds_is_infinite(self, count: int, total: float) -> None:
        """65 and 513 repeats."""
        dst, *_ = on_ub(lambda d, x, t: asc.reduce_sum(d, x, t, count), zeros(16), np.ones(count, F16), zeros(16))

        assert dst[0] == total


@worked("reduce_max")
class TestF20IndexIsBits:
    """The number of the element lies behind the value, as an integer in an element's place."""

    @pytest.mark.parametrize("kind", [F16, F32])
    def test_f20_of_equals_the_first(self, kind: Any) -> None:
        """Elements 52 and 100 are 7; 52 read as a half is 3.0994e-06."""
        x = zeros(256, kind)
        x[[52, 100]] = 7
        dst, *_ = on_ub(
            lambda d, x, t: asc.reduce_max(d, x, t, 256, cal_index=True), zeros(16, kind), x, zeros(64, kind)
        )

        assert dst[0] == 7
        assert dst.view(f"u{kind().itemsize}")[1] == 0x34
        assert kind is F32 or float(dst[1]) == 3.0994415283203125e-06


class TestF21Workspace:
    """With the index the pairs of all rounds stay in the temporary buffer."""

    @pytest.mark.parametrize(
        ("kind", "count", "index", "need"),
        [
            (F16, 512, True, 64),
            (F16, 8320, True, 352),
            (F16, 32640, True, 1088),
            (F16, 65408, True, 2112),
            (F32, 8320, True, 1152),
            (F16, 512, False, 32),
            (F16, 8320, False, 288),
            (F16, 32640, False, 1024),
            (F16, 65408, False, 2048),
        ],
    )
    def test_f21_exactly_this_much(self, kind: Any, count: int, index: bool, need: int) -> None:
        """One element less is refused; with it, nothing behind the buffer changes."""
        x = zeros(count, kind)
        x[count - 3] = 1
        room = need // kind().itemsize
        call = asc.reduce_max
        tail = np.full(room + 16, 9, kind)

        with refused(asc.WorkspaceError, "reduce_max: shared_tmp_buffer has", f"need {need} B"):
            on_ub(lambda d, x, t: call(d, x, t, count, index), zeros(16, kind), x, zeros(room - 1, kind))
        dst, _, tmp = on_ub(lambda d, x, t: call(d, x, t, count, index), zeros(16, kind), x, tail)

        assert dst[0] == 1
        assert dst.view(f"u{kind().itemsize}")[1] == (count - 3 if index else 0)
        assert (tmp[room:] == 9).all()

    def test_f21_the_case_itself(self) -> None:
        """160 halves are 320 B."""
        text = "reduce_max: shared_tmp_buffer has 320 B; 65 repeats of float16 with the index need 352 B"
        with refused(asc.WorkspaceError, text):
            on_ub(lambda d, x, t: asc.reduce_max(d, x, t, 8320, cal_index=True), zeros(16), zeros(8320), zeros(160))


@worked("pair_reduce_sum", "block_reduce_sum", "whole_reduce_sum")
class TestF22Units:
    """Three instructions with three pitches."""

    def test_f22_pairs(self) -> None:
        """Two neighbours to one."""
        x = np.array([1, 1, 1, -1, 2, 2, -1, 2], F32)
        dst, _ = on_ub(lambda d, x: asc.pair_reduce_sum(d, x, 1, 8, 1, 1, 8), zeros(64, F32), x)

        assert dst[:5].tolist() == [2, 0, 4, 1, 0]

    def test_f22_blocks(self) -> None:
        """16 halves to one."""
        dst, _ = on_ub(lambda d, x: asc.block_reduce_sum(d, x, 1, 128, 1, 1, 8), zeros(16), np.arange(128, dtype=F16))

        assert dst[:8].tolist() == [120, 376, 632, 888, 1144, 1400, 1656, 1912]

    def test_f22_repeats(self) -> None:
        """Results are packed, and one may start at byte 4: 128 + 128 + 32 ones."""

        def body(dst: Any, x: Any) -> None:
            asc.whole_reduce_sum(dst, x, mask=128, repeat_time=2, dst_rep_stride=1, src_blk_stride=1, src_rep_stride=8)
            asc.whole_reduce_sum(dst[2], x[256], 32, 1, 1, 1, 8)

        dst, _ = on_ub(body, zeros(16), np.ones(288, F16))

        assert dst[:4].tolist() == [128, 128, 32, 0]
        assert dst.sum() == 288

    def test_f22_a_source_off_its_block_is_refused(self) -> None:
        """Only destinations may start at any element."""
        with refused(asc.AlignmentError, "src of whole_reduce_sum", "byte offset", "not a multiple of 32"):
            on_ub(lambda d, x: asc.whole_reduce_sum(d, x[2], 32, 1, 1, 1, 8), zeros(16), np.ones(288, F16))


@worked("compare")
class TestF23PackedBits:
    """One bit for each element, element 0 lowest."""

    @pytest.mark.parametrize(("mode", "byte"), [("LT", 14), ("GT", 240), ("GE", 241), ("LE", 15), ("EQ", 1)])
    def test_f23_every_byte_of_the_result(self, mode: str, byte: int) -> None:
        """Eight primes against eight even numbers, eight times."""
        a = np.tile(np.array([2, 3, 5, 7, 11, 13, 17, 19], F32), 8)
        b = np.tile(np.array([2, 4, 6, 8, 10, 12, 14, 16], F32), 8)
        dst, *_ = on_ub(lambda d, a, b: asc.compare(d, a, b, CMPMODE[mode], 64), np.full(32, 99, U8), a, b)

        assert dst.tolist() == [*[byte] * 8, *[99] * 24]

    def test_f23_a_repeat_in_part_is_refused(self) -> None:
        """60 floats are not whole repeats of 256 bytes."""
        with refused(asc.AlignmentError, "compare: count 60 of float32 is 240 B, not a multiple of 256"):
            on_ub(lambda d, a: asc.compare(d, a, a, CMPMODE.LT, 60), zeros(32, U8), zeros(64, F32))


@worked("select")
class TestF24Select:
    """Each repeat takes the next bits."""

    def test_f24_a_relu_and_a_choice(self) -> None:
        """x is ±i; where it is positive it stays, elsewhere 0, or 1000 + i."""
        i = np.arange(256)
        x = (np.where(i % 2, -1, 1) * i).astype(F32)

        def body(z: Any, z2: Any, m: Any, x: Any, y: Any, zero: Any) -> None:
            asc.compare(m, x, zero, CMPMODE.GT, 256)
            asc.select(z, m, x, 0.0, SelMode.VSEL_TENSOR_SCALAR_MODE, 256)
            asc.select(z2, m, x, y, SelMode.VSEL_TENSOR_TENSOR_MODE, 256)

        z, z2, *_ = on_ub(
            body, zeros(256, F32), zeros(256, F32), zeros(32, U8), x, (1000 + i).astype(F32), zeros(256, F32)
        )

        assert z.tolist() == [n if n % 2 == 0 else 0 for n in range(256)]
        assert z2.tolist() == [n if n % 2 == 0 and n else 1000 + n for n in range(256)]

    def test_f24_integers_are_refused(self) -> None:
        """A2 selects halves and floats."""
        with refused(asc.DtypeError, "select: dst is int32; supported: float16, float32"):
            on_ub(
                lambda m, x: asc.select(x, m, x, 0, SelMode.VSEL_TENSOR_SCALAR_MODE, 64),
                zeros(32, U8),
                zeros(64, np.int32),
            )


@worked("compare_scalar")
class TestF43Booleans:
    """Masks are bits, and combining them is combining words."""

    @pytest.mark.parametrize("b", [-4, 4])
    def test_f43_floor_modulo(self, b: int) -> None:
        """r has a's sign; where that is not b's, and r is not 0, b is added: 1536 of 4096 lanes."""
        a = np.tile(np.arange(-64, 64), 32).astype(F32)

        def body(z: Any, a: Any, r: Any, q: Any, signs: Any, nonzero: Any) -> None:
            asc.muls(q, a, 1 / b, 4096)
            asc.cast(q, q, asc.RoundMode.CAST_TRUNC, 4096)
            asc.muls(q, q, b, 4096)
            asc.sub(r, a, q, 4096)
            asc.compare_scalar(signs, r, 0, CMPMODE.LT if b > 0 else CMPMODE.GE, 4096)
            asc.compare_scalar(nonzero, r, 0, CMPMODE.NE, 4096)
            fix, other = (t.reinterpret_cast(asc.uint16) for t in (signs, nonzero))
            asc.bitwise_and(fix, fix, other, 256)
            asc.adds(q, r, b, 4096)
            asc.select(z, signs, q, r, SelMode.VSEL_TENSOR_TENSOR_MODE, 4096)

        z, _, _, _, fixed, _ = on_ub(body, zeros(4096, F32), a, *[zeros(4096, F32)] * 2, *[zeros(512, U8)] * 2)

        assert np.array_equal(z, np.mod(a, b))
        assert set(z.tolist()) == ({0, -1, -2, -3} if b < 0 else {0, 1, 2, 3})
        assert np.unpackbits(fixed).sum() == 1536


class TestF45FirstAxis:
    """Rows are added as a whole."""

    def test_f45_sum_and_maximum_of_32_rows(self) -> None:
        """Row i holds i: 496 and 31 in all 64 lanes."""

        def body(total: Any, most: Any, x: Any) -> None:
            asc.duplicate(total, 0, 64)
            asc.duplicate(most, 0, 64)
            for row in range(32):
                asc.add(total, total, x[64 * row :], 64)
                asc.max(most, most, x[64 * row :], 64)

        total, most, _ = on_ub(body, zeros(64), zeros(64), np.repeat(np.arange(32), 64).astype(F16))

        assert set(total) == {496}
        assert set(most) == {31}

    def test_f45_a_stride_of_two_bytes_is_refused(self) -> None:
        """Strides count blocks of 32."""
        with refused(asc.RangeError, "src_rep_stride must be a whole number of blocks of 32 bytes", "got 0.0625"):
            on_ub(lambda d, x: asc.whole_reduce_sum(d, x, 32, 1, 1, 1, 2 / 32), zeros(16), zeros(128))


class TestR18ScalarHop:
    """A counted sum ends in the scalar unit."""

    @pytest.mark.parametrize("chip", ["demo", "Ascend910B1"])
    def test_r18_a_loop_of_them_is_five_times_one_instruction_for_all(self, chip: str) -> None:
        """Sums of 64 rows of 64 floats: the same numbers, one in a block against one after another."""
        x = np.arange(64 * 64, dtype=F32)

        def loop(dst: Any, x: Any, tmp: Any) -> None:
            for row in range(64):
                asc.reduce_sum(dst[row * 8], x[row * 64], tmp, 64)

        def whole(dst: Any, x: Any) -> None:
            asc.whole_reduce_sum(dst, x, 64, 64, 1, 1, 8)

        one, *_ = on_ub(loop, zeros(512, F32), x, zeros(8, F32), chip=chip)
        all_, _ = on_ub(whole, zeros(64, F32), x, chip=chip)
        slow = simulate(program_of(loop, zeros(512, F32), x, zeros(8, F32), chip=chip))
        quick = simulate(program_of(whole, zeros(64, F32), x, chip=chip))

        assert np.array_equal(one[::8], all_)
        assert slow.cycles - _empty(chip) >= 5 * (quick.cycles - _empty(chip))

    def test_r18_the_wait_of_the_scalar_unit_is_a_span_with_its_line(self) -> None:
        """Issued at 1, one repeat of 10 + 4 cycles; the scalar unit waits for it, and stores in 10 more."""

        def once(dst: Any, x: Any, tmp: Any) -> None:
            asc.reduce_sum(dst, x, tmp, 64)

        spans = list(simulate(program_of(once, zeros(8, F32), zeros(64, F32), zeros(8, F32))))
        steps = [(s.label.name, s.pipe.short, s.start, s.stop) for s in spans]

        assert steps[0] == ("reduce_sum", "V", 1, 15)
        assert steps[2:4] == [("wait_flag", "S", 15, 15), ("set_value", "S", 16, 26)]
        assert spans[2].cause is Cause.FLAG
        assert len({s.label.line for s in spans}) == 1

    def test_r18_results_may_be_stored_and_used_without_more_flags(self) -> None:
        """The instruction tells the vector pipe and MTE3 itself, also without automatic order."""

        def body(z: asc.GlobalTensor, x: asc.GlobalTensor) -> None:
            src, dst, tmp = (asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, a, 64) for a in (0, 256, 512))
            asc.data_copy(src, x, 64)
            asc.set_flag(asc.HardEvent.MTE2_V, 0)
            asc.wait_flag(asc.HardEvent.MTE2_V, 0)
            asc.reduce_sum(dst, src, tmp, 64)
            asc.data_copy_pad(z, dst, asc.DataCopyExtParams(1, 4, 0, 0))

        z = zeros(1, F32)
        on_gm(body, z, np.ones(64, F32), hazards="error", auto_sync=False)

        assert z[0] == 64

    def test_r18_reading_the_result_waits_for_nothing_more(self) -> None:
        """The scalar unit wrote it: one wait for the vector pipe in all, before the store."""
        program = program_of(lambda d, x, t: (asc.reduce_sum(d, x, t, 64), d.get_value(0)), *[zeros(64, F32)] * 3)

        events = [row.template.event[0].name for row in program.blocks[0] if row.template.event]
        assert events == ["V_S", "V_S", "S_V", "S_V", "S_MTE3", "S_MTE3"]


def _empty(chip: str) -> int:
    return simulate(program_of(lambda: None, chip=chip)).cycles
