"""Reductions of whole tensors, against one lane at a time; their temporary buffers; what they refuse."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from tests.block import on_ub, program_of
from tests.inventory import looped
from tests.lane_loops import best, in_turn, tree
from tests.reduced_lanes import content
from tests.refusals import refused

F16, F32 = np.float16, np.float32


@st.composite
def tensors(draw: st.DrawFn) -> tuple[Any, int, np.ndarray[Any, Any]]:
    kind = draw(st.sampled_from([F16, F32]))
    width = 256 // kind().itemsize
    count = draw(st.one_of(st.integers(1, 3 * width), st.sampled_from([64 * width, 65 * width + 1])))
    x = content(kind, draw(st.integers(0, 2**32))).view(kind)
    if draw(st.booleans()):
        x = np.where(np.abs(x) < 10, x, kind(0.1))  # no NaN that hides the order
    return kind, count, x


@looped("reduce_sum")
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


@looped("reduce_max", "reduce_min")
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


def test_a_result_inside_the_temporary_buffer_is_refused_before_it_is_used() -> None:
    """The last round would read what it writes; at the buffer's start it is fine, and the scalar unit's anywhere."""
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
