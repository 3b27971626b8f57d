"""Reductions of repeats, blocks and pairs: examples, what they refuse, what they cost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from ascendc import ReduceOrder
from simulator import simulate
from tests.block import local, on_ub, program_of
from tests.inventory import worked
from tests.refusals import refused

F16, F32 = np.float16, np.float32


@worked(
    *(f"{level}_reduce_{name}" for level in ("whole", "block") for name in ("sum", "max", "min")),
    *("reduce_sum", "reduce_max", "reduce_min", "repeat_reduce_sum", "pair_reduce_sum"),
)
@pytest.mark.parametrize(
    ("call", "wanted"),
    [
        (lambda d, s, t: asc.whole_reduce_sum(d, s, 64, 1, 1, 1, 8), [2016]),
        (lambda d, s, t: asc.repeat_reduce_sum(d, s, 1, 64, 1, 1, 1, 8), [2016]),
        (lambda d, s, t: asc.whole_reduce_max(d, s, 40, 1, 1, 1, 8, ReduceOrder.ORDER_ONLY_VALUE), [39]),
        (lambda d, s, t: asc.whole_reduce_min(d, s, [0xF0, 0], 1, 1, 1, 8, ReduceOrder.ORDER_ONLY_VALUE), [4]),
        (lambda d, s, t: asc.block_reduce_sum(d, s, 1, 64, 1, 1, 8), [28, 92, 156, 220, 284, 348, 412, 476]),
        (lambda d, s, t: asc.block_reduce_max(d, s, 1, 64, 1, 1, 8), [7, 15, 23, 31, 39, 47, 55, 63]),
        (lambda d, s, t: asc.block_reduce_min(d, s, 1, 64, 1, 1, 8), [0, 8, 16, 24, 32, 40, 48, 56]),
        (lambda d, s, t: asc.pair_reduce_sum(d, s, 1, 8, 1, 1, 8), [1, 5, 9, 13]),
        (lambda d, s, t: asc.reduce_sum(d, s, t, 10), [45]),
        (lambda d, s, t: asc.reduce_max(d, s, t, 10), [9]),
        (lambda d, s, t: asc.reduce_min(d, s[8:], t, 10), [8]),
    ],
)
def test_the_numbers_to_63(call: Any, wanted: list[float]) -> None:
    """Each instruction on 0, 1, 2 … 63; what lies behind its results stays."""
    dst, *_ = on_ub(call, np.full(64, -1, F32), np.arange(64, dtype=F32), np.zeros(64, F32))

    assert dst[: len(wanted) + 1].tolist() == [*wanted, -1]


class TestExamples:
    """Literal numbers."""

    def test_a_tree_is_not_a_running_sum(self) -> None:
        """1e8 + 1 is 1e8 in float32, so the neighbours' order shows: (1e8 + 1) + (−1e8 + 1) = 0."""
        x = np.array([1e8, 1, -1e8, 1], F32)
        dst, _ = on_ub(lambda d, s: asc.whole_reduce_sum(d, s, 4, 1, 1, 1, 8), np.zeros(8, F32), x)

        assert dst[0] == 0

    def test_newer_names_are_the_same_instructions(self) -> None:
        """Either spelling."""
        assert asc.reduce_repeat_sum is asc.whole_reduce_sum
        assert asc.reduce_data_block_max is asc.block_reduce_max
        assert asc.reduce_pair_elem is asc.pair_reduce_sum

    def test_lanes_are_numbered_with_those_the_mask_leaves_out(self) -> None:
        """Lanes 2 and 5 take part; 5 is the larger one, and its number stays 5."""
        x = np.arange(64, dtype=F32)
        dst, _ = on_ub(lambda d, s: asc.whole_reduce_max(d, s, [0b100100, 0], 1, 1, 1, 8), np.zeros(8, F32), x)

        assert dst[0] == 5
        assert dst.view(np.uint32)[1] == 5

    def test_minus_infinity_everywhere_is_still_found_among_the_lanes_there_are(self) -> None:
        """Lanes 0 and 1 do not take part, so the first is 2."""
        dst, _ = on_ub(
            lambda d, s: asc.whole_reduce_max(d, s, [0b1100, 0], 1, 1, 1, 8, ReduceOrder.ORDER_ONLY_INDEX),
            np.zeros(8, F32),
            np.full(64, -np.inf, F32),
        )

        assert dst.view(np.uint32)[0] == 2

    def test_a_sum_of_negative_zeros_is_one(self) -> None:
        """Lanes that take no part do not make it +0."""
        dst, _ = on_ub(lambda d, s: asc.whole_reduce_sum(d, s, 3, 1, 1, 1, 8), np.ones(8, F32), np.full(64, -0.0, F32))

        assert np.signbit(dst[0])

    def test_subnormals_are_added(self) -> None:
        """Two of the smallest halves are the next one."""
        x = np.full(128, 6e-8, F16)
        dst, _ = on_ub(lambda d, s: asc.pair_reduce_sum(d, s, 1, 128, 1, 1, 8), np.zeros(64, F16), x)

        assert set(dst.view(np.uint16)) == {2}

    def test_in_place_works(self) -> None:
        """Every repeat is read before anything lands on it."""
        (x,) = on_ub(lambda x: asc.block_reduce_sum(x, x, 2, 64, 1, 1, 8), np.arange(128, dtype=F32))

        assert x[:16].tolist() == [28 + 64 * i for i in range(16)]

    def test_counter_mode_reduces_a_partial_last_repeat(self) -> None:
        """100 floats are a repeat of 64 and one of 36, whatever repeat_time says."""

        def body(dst: Any, src: Any) -> None:
            asc.set_mask_count()
            asc.block_reduce_max(dst, src, 77, 100, 1, 1, 8)

        dst, _ = on_ub(body, np.full(16, -1, F32), np.arange(128, dtype=F32))

        assert dst.tolist() == [7, 15, 23, 31, 39, 47, 55, 63, 71, 79, 87, 95, 99, -1, -1, -1]

    def test_the_register_says_which_lanes(self) -> None:
        """Without is_set_mask the mask argument says nothing."""

        def body(dst: Any, src: Any) -> None:
            asc.set_vector_mask(3, dtype=asc.float32, mode=asc.MaskMode.NORMAL)
            asc.whole_reduce_sum(dst, src, 64, 1, 1, 1, 8, is_set_mask=False)

        dst, _ = on_ub(body, np.zeros(8, F32), np.ones(64, F32))

        assert dst[0] == 3

    def test_footprints_are_the_results_and_the_lanes(self) -> None:
        """Two repeats of 5 floats: 20 B each are read; two numbers are written, 4 B apart."""
        program = program_of(
            lambda d, s: asc.whole_reduce_sum(d, s, 5, 2, 1, 1, 8), np.zeros(8, F32), np.ones(128, F32)
        )
        (row,) = program.blocks[0]
        touched = {(f.operand, f.write, f.offset, f.nbytes, f.levels) for f in row.template.footprints}

        assert touched == {(0, True, 0, 8, ()), (1, False, 0, 20, ((2, 256),))}


class TestRefused:
    """What is undefined, before anything is written."""

    @pytest.mark.parametrize(
        ("order", "first", "unit"),
        [
            (ReduceOrder.ORDER_VALUE_INDEX, 1, 4),
            (ReduceOrder.ORDER_INDEX_VALUE, 1, 4),
            (ReduceOrder.ORDER_ONLY_INDEX, 1, 4),
        ],
    )
    def test_a_destination_off_its_unit(self, order: ReduceOrder, first: int, unit: int) -> None:
        """A value with its index is 4 B of halves, and an index alone 4 B too."""
        with refused(asc.AlignmentError, f"byte offset {2 * first}", f"not a multiple of {unit}"):
            on_ub(
                lambda d, s: asc.whole_reduce_max(d[first:], s, 128, 1, 1, 1, 8, order),
                np.zeros(16, F16),
                np.zeros(128, F16),
            )

    def test_results_of_blocks_off_their_unit(self) -> None:
        """Eight floats are 32 B; eight halves 16 B."""
        on_ub(lambda d, s: asc.block_reduce_sum(d[8:], s, 1, 128, 1, 1, 8), np.zeros(32, F16), np.zeros(128, F16))
        with refused(asc.AlignmentError, "byte offset 16", "not a multiple of 32"):
            on_ub(lambda d, s: asc.block_reduce_sum(d[4:], s, 1, 64, 1, 1, 8), np.zeros(32, F32), np.zeros(64, F32))

    def test_a_result_on_what_is_read_later(self) -> None:
        """Results 16 blocks on would land on the third repeat while the first is reduced."""
        with refused(asc.OverlapError, "repeat 0 writes UB bytes [512, 544)", "which repeat 2 reads"):
            on_ub(lambda x: asc.block_reduce_sum(x[128:], x, 3, 64, 1, 1, 8), np.zeros(256, F32))

    def test_a_result_inside_its_own_repeat(self) -> None:
        """Neither apart nor at the same byte."""
        with refused(asc.OverlapError, "repeat 0 writes UB bytes [32, 36)", "which repeat 0 reads"):
            on_ub(lambda x: asc.whole_reduce_sum(x[8:], x, 64, 1, 1, 1, 8), np.zeros(64, F32))

    @pytest.mark.parametrize(
        ("arguments", "text"),
        [
            ((64, 256, 1, 1, 8), "whole_reduce_sum: repeat 256 > 255"),
            ((65, 1, 1, 1, 8), "whole_reduce_sum: mask 65 is beyond the 64 lanes of a repeat"),
            ((64, 1, -1, 1, 8), "whole_reduce_sum: dst_rep_stride must be a whole number of results of one repeat"),
            ((64, 1, 1, 1, 2.5), "whole_reduce_sum: src_rep_stride must be a whole number of blocks of 32 bytes"),
            ((64, 1, 1, 70000, 8), "whole_reduce_sum: src_blk_stride must be a whole number of blocks of 32 bytes"),
        ],
    )
    def test_numbers_out_of_range(self, arguments: Any, text: str) -> None:
        """Each names its field and range."""
        with refused(asc.RangeError, text):
            on_ub(lambda d, s: asc.whole_reduce_sum(d, s, *arguments), np.zeros(64, F32), np.zeros(64, F32))

    def test_integers_are_not_reduced(self) -> None:
        """The message names the types there are."""
        with refused(asc.DtypeError, "whole_reduce_sum: dst is int32; supported: float16, float32"):
            on_ub(lambda x: asc.whole_reduce_sum(x, x, 64, 1, 1, 1, 8), np.zeros(64, np.int32))

    def test_lanes_nothing_has_written(self) -> None:
        """Only those the mask chooses are looked at."""

        def body(dst: Any) -> None:
            src = local(F32, 64, 4096)
            asc.duplicate(src, 1.0, 3)
            asc.whole_reduce_sum(dst, src, 3, 1, 1, 1, 8)
            asc.whole_reduce_sum(dst, src, 4, 1, 1, 1, 8)

        with refused(asc.UninitializedError, "src of whole_reduce_sum", "reads elements [3, 4)"):
            on_ub(body, np.zeros(64, F32))


@pytest.mark.parametrize(
    ("call", "cycles"),
    [
        (lambda d, s: asc.whole_reduce_sum(d, s, 64, 3, 1, 1, 8), 10 + 3 * 4),
        (lambda d, s: asc.whole_reduce_max(d, s, 64, 3, 1, 1, 8), 10 + 3 * 8),
        (lambda d, s: asc.block_reduce_min(d, s, 3, 64, 1, 1, 8), 10 + 3 * 2),
        (lambda d, s: asc.pair_reduce_sum(d, s, 3, 64, 1, 1, 8), 10 + 3 * 1),
        (lambda d, s: asc.reduce_max(d, s, d[16:], 64), 10 + 8),
    ],
)
def test_cycles_on_the_demo_chip(call: Any, cycles: int) -> None:
    """A head of 10, and per repeat 4 for sums, 8 for extremes, 2 for blocks, 1 for pairs."""
    (span,) = simulate(program_of(call, np.zeros(192, F32), np.zeros(192, F32)))

    assert span.stop - span.start == cycles


@pytest.mark.parametrize(("kind", "cycles"), [(F16, 24 + 7), (F32, 24 + 3)])
def test_a_repeat_of_halves_takes_longer_to_sum(kind: Any, cycles: int) -> None:
    """On Ascend910B1: 7 cycles for 128 halves, 3 for 64 floats, behind a head of 24."""
    program = program_of(
        lambda d, s: asc.whole_reduce_sum(d, s, 64, 1, 1, 1, 8),
        np.zeros(128, kind),
        np.zeros(128, kind),
        chip="Ascend910B1",
    )
    (span,) = simulate(program)

    assert span.stop - span.start == cycles
