"""Reductions of repeats, blocks and pairs, against one lane at a time; their packed results; what they refuse."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from ascendc import ReduceOrder
from simulator import simulate
from tests.block import local, on_ub, program_of, tensor
from tests.lane_loops import Lane, best, in_turn, reduce_repeats, tree
from tests.refusals import refused
from tests.scalar_interpreter import Mask, Operand

F16, F32 = np.float16, np.float32
SIZE = 1 << 14
DST = 1 << 13
SPECIAL = [0.0, -0.0, 1.0, 1.0, -1.0, 0.1, 6e-8, 65504.0, np.inf, -np.inf, np.nan]


def content(kind: Any, seed: int) -> np.ndarray[Any, Any]:
    """Bytes that are numbers of ``kind``: all ordinary, or a tenth special, or a thousandth."""
    random = np.random.default_rng(seed)
    values = random.standard_normal(SIZE // kind().itemsize).astype(kind)
    some = random.random(values.size) < (0, 0.1, 0.001)[seed % 3]
    values[some] = random.choice(SPECIAL, int(some.sum())).astype(kind)
    return values.view(np.uint8)


def after(
    memory: np.ndarray[Any, Any], body: Callable[[], object], *, auto_sync: bool
) -> tuple[np.ndarray[Any, Any], asc.Program]:
    """All of UB that matters, once ``body`` has run on it, and what was recorded."""
    out: list[np.ndarray[Any, Any]] = []

    @asc.kernel
    def block() -> None:
        whole = tensor(memory, 0)
        body()
        out.append(whole.memory.data[: memory.size].copy())

    program = block.launch(1, chip="demo", hazards="off", auto_sync=auto_sync)
    return out[0], program


def touched(program: asc.Program, *, write: bool) -> set[int]:
    """Bytes of UB that the footprints of all rows cover."""
    return {
        row.addresses[f.operand] + run + b
        for row in program.blocks[0]
        for f in row.template.footprints
        if f.write is write
        for run in f.runs()
        for b in range(f.nbytes)
    }


def extreme(better: Any, order: ReduceOrder, kind: Any) -> Callable[[list[Lane]], list[Any]]:
    bits = np.dtype(f"u{kind().itemsize}").type

    def fold(lanes: list[Lane]) -> list[Any]:
        value, at = best(lanes, better)
        return {
            ReduceOrder.ORDER_VALUE_INDEX: [value, bits(at)],
            ReduceOrder.ORDER_INDEX_VALUE: [bits(at), value],
            ReduceOrder.ORDER_ONLY_VALUE: [value],
            ReduceOrder.ORDER_ONLY_INDEX: [np.uint32(at)],
        }[order]

    return fold


def masks(width: int) -> st.SearchStrategy[Mask]:
    words = st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1) if width == 128 else st.just(0))
    return st.one_of(st.integers(0, width), st.just(width), words.map(list))


@st.composite
def shapes(draw: st.DrawFn) -> tuple[Any, Mask, int, int, int, int, int]:
    """Element type, mask, repeats, strides of destination, blocks and repeats, seed."""
    kind = draw(st.sampled_from([F16, F32]))
    return (
        kind,
        draw(masks(256 // kind().itemsize)),
        draw(st.integers(0, 5)),
        draw(st.integers(0, 3)),
        draw(st.sampled_from([0, 1, 1, 1, 2, 3])),
        draw(st.sampled_from([0, 1, 7, 8, 8, 9, 40])),
        draw(st.integers(0, 2**32)),
    )


def check(shape: Any, span: int, fold: Any, call: Callable[..., object]) -> None:
    """Run ``call`` in the language and the loops side by side; every byte of UB and of the footprints must agree."""
    kind, mask, repeats, stride, blk, rep, seed = shape
    memory = content(kind, seed)
    wanted = memory.copy()
    written, read = reduce_repeats(wanted, DST, Operand(0, np.dtype(kind), blk, rep), mask, repeats, stride, span, fold)

    got, program = after(
        memory, lambda: call(local(kind, 2048, DST), local(kind, DST // kind().itemsize)), auto_sync=seed % 2 == 0
    )

    same = (got == wanted) | np.repeat(np.isnan(wanted.view(kind)) & np.isnan(got.view(kind)), kind().itemsize)
    zero = np.repeat((wanted.view(kind) == 0) & (got.view(kind) == 0), kind().itemsize)
    assert (same | zero).all()
    assert touched(program, write=True) == written
    assert touched(program, write=False) == read


@given(shape=shapes(), old=st.booleans())
@settings(max_examples=60)
def test_sums_of_repeats_are_trees_of_neighbours(shape: Any, old: bool) -> None:
    """One number a repeat, packed; in the older order of arguments dst_blk_stride says nothing."""
    kind, mask, repeats, stride, blk, rep, _ = shape

    def call(dst: Any, src: Any) -> None:
        if old:
            asc.repeat_reduce_sum(dst, src, repeats, mask, 77, blk, stride, rep)
        else:
            asc.whole_reduce_sum(dst, src, mask, repeats, stride, blk, rep)

    check(shape, 256 // kind().itemsize, lambda lanes: [tree(lanes)], call)


@given(shape=shapes(), order=st.sampled_from(ReduceOrder), largest=st.booleans())
@settings(max_examples=100)
def test_extremes_of_repeats_are_the_first_of_equals(shape: Any, order: ReduceOrder, largest: bool) -> None:
    """In all four orders, with the number of the lane in its repeat as raw bits."""
    kind, mask, repeats, stride, blk, rep, _ = shape
    op = asc.whole_reduce_max if largest else asc.whole_reduce_min
    fold = extreme(operator.gt if largest else operator.lt, order, kind)

    check(
        shape,
        256 // kind().itemsize,
        fold,
        lambda dst, src: op(dst, src, mask, repeats, stride, blk, rep, order),
    )


@given(shape=shapes(), name=st.sampled_from(["sum", "max", "min", "pair"]))
@settings(max_examples=100)
def test_blocks_and_pairs_leave_gaps_where_no_lane_is(shape: Any, name: str) -> None:
    """Eight numbers a repeat for blocks, half its lanes for pairs; a fully masked group keeps the old number."""
    kind, mask, repeats, stride, blk, rep, _ = shape
    folds: dict[str, Any] = {
        "sum": lambda lanes: [tree(lanes)],
        "pair": lambda lanes: [tree(lanes)],
        "max": lambda lanes: [best(lanes, operator.gt)[0]],
        "min": lambda lanes: [best(lanes, operator.lt)[0]],
    }
    op = asc.pair_reduce_sum if name == "pair" else getattr(asc, f"block_reduce_{name}")

    check(
        shape,
        2 if name == "pair" else 32 // kind().itemsize,
        folds[name],
        lambda dst, src: op(dst, src, repeats, mask, stride, blk, rep),
    )


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

    def test_an_order_that_is_none(self) -> None:
        """A bare number could be anything."""
        with refused(asc.UsageError, "whole_reduce_max: order must be a ReduceOrder"):
            on_ub(lambda x: asc.whole_reduce_max(x, x, 64, 1, 1, 1, 8, 7), np.zeros(64, F32))

    def test_lanes_nothing_has_written(self) -> None:
        """Only those the mask chooses are looked at."""

        def body(dst: Any) -> None:
            src = local(F32, 64, 4096)
            asc.duplicate(src, 1.0, 3)
            asc.whole_reduce_sum(dst, src, 3, 1, 1, 1, 8)
            asc.whole_reduce_sum(dst, src, 4, 1, 1, 1, 8)

        with refused(asc.UninitializedError, "src of whole_reduce_sum", "reads elements [3, 4)"):
            on_ub(body, np.zeros(64, F32))


@st.composite
def tensors(draw: st.DrawFn) -> tuple[Any, int, np.ndarray[Any, Any]]:
    kind = draw(st.sampled_from([F16, F32]))
    width = 256 // kind().itemsize
    count = draw(st.one_of(st.integers(1, 3 * width), st.sampled_from([64 * width, 65 * width + 1])))
    x = content(kind, draw(st.integers(0, 2**32))).view(kind)
    if draw(st.booleans()):
        x = np.where(np.abs(x) < 10, x, kind(0.1))  # no NaN that hides the order
    return kind, count, x


@given(case=tensors())
@settings(max_examples=40)
def test_a_counted_sum_adds_the_repeats_in_turn(case: Any) -> None:
    """A tree in each repeat, one repeat after another."""
    kind, count, x = case
    x = np.resize(x, count)
    width = 256 // kind().itemsize
    lanes = [*x, *[None] * (-count % width)]
    wanted = in_turn([tree(lanes[i : i + width]) for i in range(0, count, width)])

    dst, *_ = on_ub(lambda d, s, t: asc.reduce_sum(d, s, t, count), np.zeros(16, kind), x, np.zeros(16, kind))

    assert np.array_equal(dst[0], wanted, equal_nan=True)


@given(case=tensors(), largest=st.booleans(), index=st.booleans(), auto_sync=st.booleans())
@settings(max_examples=60)
def test_counted_extremes_are_the_first_of_equals(case: Any, largest: bool, index: bool, auto_sync: bool) -> None:
    """The value, and with cal_index the number of the element as raw bits."""
    kind, count, x = case
    x = np.resize(x, count)
    value, at = best(list(x), operator.gt if largest else operator.lt)
    op = asc.reduce_max if largest else asc.reduce_min

    dst, *_ = on_ub(
        lambda d, s, t: op(d, s, t, count, index), np.zeros(16, kind), x, np.zeros(2048, kind), auto_sync=auto_sync
    )

    assert np.array_equal(dst[0], value, equal_nan=True)
    assert dst.view(f"u{kind().itemsize}")[1] == (at if index else 0)


@given(
    kind=st.sampled_from([F16, F32]),
    repeats=st.integers(1, 200),
    rep=st.sampled_from([0, 1, 8]),
    seed=st.integers(0, 99),
    data=st.data(),
)
@settings(max_examples=40)
def test_masked_forms_of_tensor_reductions(kind: Any, repeats: int, rep: int, seed: int, data: Any) -> None:
    """Sums are a tree over the repeats too; an index counts elements from the start of the source."""
    width = 256 // kind().itemsize
    mask = data.draw(st.integers(1, width))
    x = np.random.default_rng(seed).standard_normal(200 * width).astype(kind)
    step = rep * 32 // kind().itemsize
    rows = [[x[r * step + i] if i < mask else None for i in range(width)] for r in range(repeats)]
    sums = [tree(row) for row in rows]
    while len(sums) > 1:
        sums = [tree([*sums[i : i + width], *[None] * (i + width - len(sums))]) for i in range(0, len(sums), width)]
    winners = [best(row, operator.gt) for row in rows]
    value, row = best([w[0] for w in winners], operator.gt)

    def body(total: Any, most: Any, src: Any, tmp: Any) -> None:
        asc.reduce_sum(total, src, tmp, mask, repeats, rep)
        asc.reduce_max(most, src, tmp, mask, repeats, rep, cal_index=True)

    total, most, *_ = on_ub(body, np.zeros(16, kind), np.zeros(16, kind), x, np.zeros(1024, kind))

    assert total[0] == sums[0]
    assert most[0] == value
    assert most.view(f"u{kind().itemsize}")[1] == row * step + winners[row][1]


class TestTensorsRefused:
    """Whole tensors."""

    def test_an_index_that_does_not_fit_an_element(self) -> None:
        """A half has 16 bits, so the last element that has a number is 65535."""
        x = np.zeros(65537, F16)
        with refused(asc.RangeError, "reduce_max: the index is an element of 2 B", "element 65536"):
            on_ub(lambda d, s, t: asc.reduce_max(d, s, t, 65537, True), np.zeros(16, F16), x, np.zeros(2048, F16))

    def test_a_temporary_buffer_too_small_for_a_tree(self) -> None:
        """17 halves take two blocks."""
        with refused(asc.WorkspaceError, "reduce_sum: shared_tmp_buffer has 32 B", "need 64 B"):
            on_ub(
                lambda d, s, t: asc.reduce_sum(d, s, t, 128, 17, 8),
                np.zeros(16, F16),
                np.zeros(17 * 128, F16),
                np.zeros(16, F16),
            )

    def test_a_destination_off_its_unit(self) -> None:
        """Value and index of floats are 8 B."""
        with refused(asc.AlignmentError, "dst of reduce_max", "byte offset 4", "not a multiple of 8"):
            on_ub(lambda d, s, t: asc.reduce_max(d[1:], s, t, 64, True), *[np.zeros(64, F32)] * 3)

    def test_a_count_that_is_none(self) -> None:
        """Before anything is recorded."""
        with refused(asc.RangeError, "reduce_sum: count must be a whole number of elements, 0 or more, got -1"):
            on_ub(lambda d, s, t: asc.reduce_sum(d, s, t, -1), *[np.zeros(64, F32)] * 3)

    def test_nothing_to_do(self) -> None:
        """No element, no row, and the destination stays."""
        program = program_of(
            lambda d, s, t: (asc.reduce_sum(d, s, t, 0), asc.reduce_max(d, s, t, 64, 0, 8)), *[np.zeros(64, F32)] * 3
        )

        assert len(program) == 0


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


def test_a_result_inside_the_temporary_buffer_is_refused_before_it_is_used() -> None:
    """The last round would read what it writes; at the buffer's start it is fine, and a scalar unit's result anywhere."""
    tmp = np.full(64, 7, F32)

    def body(src: Any, tmp: Any) -> None:
        for call in (lambda d: asc.reduce_max(d, src, tmp, 512), lambda d: asc.reduce_sum(d, src, tmp, 64, 8, 8)):
            with pytest.raises(asc.OverlapError, match=r"dst UB bytes \[2056, 2060\) lie within .* \[2048, 2\d+\)"):
                call(tmp[2:])
        assert tmp.values.tolist() == [7] * 64
        asc.reduce_max(tmp, src, tmp, 512)
        assert tmp.get_value(0) == 511
        asc.reduce_max(tmp[2:], src, tmp, 512, cal_index=True)
        assert tmp.get_value(2) == 511

    on_ub(body, np.arange(512, dtype=F32), tmp)
