"""Functions that move, make and choose elements: exact, any shape, nothing written beside the result."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from tests.adv.matrices import F16, F32, Array, Sheet, run
from tests.block import local, on_gm
from tests.refusals import refused

adv = asc.adv
I32 = np.int32
BEHIND = 16
"""Elements behind a result, which must stay."""

MOVED = st.sampled_from([F32, F16, I32, np.int16, np.uint16, np.uint32])


def some(kind: Any, *shape: int) -> Array:
    """Whole numbers that every type has."""
    return np.random.default_rng(sum(shape)).integers(0, 100, shape).astype(kind)


def result(body: Any, kind: Any, count: int, *sources: Array, **launch: Any) -> Array:
    """``count`` elements that ``body(dst, *sources, temp)`` writes."""
    dst = run(body, np.full(count + BEHIND, 7, kind), *sources, **launch)[0]

    assert (dst[count:] == 7).all()
    return dst[:count]


class TestBroadcast:
    """Dimensions of size 1 are repeated."""

    @settings(max_examples=60)
    @given(
        kind=st.one_of(MOVED, st.sampled_from([np.int8, np.uint8])),
        rows=st.sampled_from([1, 3, 8, 21, 260]),
        blocks=st.integers(1, 3),
        repeats=st.sampled_from([(True, False), (False, True), (True, True), (False, False)]),
        pitch=st.integers(1, 20),
        least=st.booleans(),
        auto_sync=st.booleans(),
    )
    def test_as_numpy(
        self, kind: Any, rows: int, blocks: int, repeats: tuple[bool, bool], pitch: int, least: bool, auto_sync: bool
    ) -> None:
        """A row, a column with any pitch, an element, or all; whole blocks a row."""
        columns = blocks * 32 // np.dtype(kind).itemsize
        shape = tuple(1 if r else n for r, n in zip(repeats, (rows, columns), strict=True))
        values, is_column = some(kind, *shape), shape[1] == 1 and shape[0] > 1
        pitch = pitch if is_column and np.dtype(kind).itemsize > 1 else 1
        src = np.full((values.size, pitch), 99, kind)
        src[:, 0] = values.ravel()
        temp = adv.get_broadcast_max_min_tmp_size((rows, columns), shape, kind, pitch)[least]

        def body(dst: Any, src: Any, temp_buffer: Any) -> None:
            adv.broadcast(dst, src, (rows, columns), shape, temp_buffer, src_pitch=pitch)

        made = result(body, kind, rows * columns, src, temp=temp, auto_sync=auto_sync)

        assert (made.reshape(rows, columns) == values).all()

    def test_one_dimension(self) -> None:
        """One element everywhere, any count."""
        made = result(lambda d, s, t: adv.broadcast(d, s, (5,), (1,), t), F32, 5, np.array([2.5], F32))

        assert made.tolist() == [2.5] * 5

    def test_refusals(self) -> None:
        """Shapes that do not fit, rows within a block."""
        with refused(asc.UsageError, "broadcast: src of (2, 3) does not fit dst of (4, 3); both must have one or two"):
            run(lambda x, t: adv.broadcast(x, x, (4, 3), (2, 3), t), np.ones(8, F32))
        with refused(asc.AlignmentError, "rows every 5 elements of 4 B start within a block of 32 B; pad them to 8"):
            run(lambda x, t: adv.broadcast(x, x, (2, 5), (2, 1), t, src_pitch=1), np.ones(16, F32))


class TestPad:
    """Rows made wider, and narrower again."""

    @settings(max_examples=60)
    @given(
        kind=MOVED,
        rows=st.integers(1, 5),
        width=st.integers(1, 200),
        left=st.integers(0, 9),
        rest=st.integers(0, 9),
        auto_sync=st.booleans(),
    )
    def test_pad_puts_its_value_around_each_row(
        self, kind: Any, rows: int, width: int, left: int, rest: int, auto_sync: bool
    ) -> None:
        """Sources without gaps or with some; results of whole blocks."""
        pitch, blk = width + rest, 32 // np.dtype(kind).itemsize
        right = -(left + width) % blk
        params, src = adv.PadParams(left, right, 9), some(kind, rows, pitch)
        tiling = adv.pad_tiling_func((rows, pitch), width)
        temp = adv.get_pad_max_min_tmp_size((rows, width), kind, params)[1]

        def body(dst: Any, src: Any, temp_buffer: Any) -> None:
            adv.pad(dst, src, params, tiling, temp_buffer)

        total = left + width + right
        made = result(body, kind, rows * total, src, temp=temp, auto_sync=auto_sync).reshape(rows, total)

        assert (made == np.pad(src[:, :width], ((0, 0), (left, right)), constant_values=9)).all()

    @settings(max_examples=60)
    @given(
        kind=MOVED,
        rows=st.sampled_from([1, 2, 7, 260]),
        blocks=st.integers(1, 9),
        sides=st.tuples(st.integers(0, 20), st.integers(0, 20)),
        auto_sync=st.booleans(),
    )
    def test_unpad_leaves_rows_without_gaps(
        self, kind: Any, rows: int, blocks: int, sides: tuple[int, int], auto_sync: bool
    ) -> None:
        """Whatever is taken from each side; all of it leaves nothing."""
        width = blocks * 32 // np.dtype(kind).itemsize
        left, right = sides
        src = some(kind, rows, width)
        kept = src[:, left : max(left, width - right)]
        tiling, temp = adv.unpad_tiling_func(src.shape), adv.get_unpad_max_min_tmp_size(src.shape, kind)[1]

        def body(dst: Any, src: Any, temp_buffer: Any) -> None:
            adv.unpad(dst, src, adv.UnPadParams(left, right), tiling, temp_buffer)

        assert (result(body, kind, kept.size, src, temp=temp, auto_sync=auto_sync) == kept.ravel()).all()

    def test_worked_examples(self) -> None:
        """Two rows of three, with five zeros behind each, and back."""
        narrow = np.arange(1, 7).astype(F32)
        wide = np.array([[1, 2, 3, 0, 0, 0, 0, 0], [4, 5, 6, 0, 0, 0, 0, 0]], F32)

        def pad(dst: Any, src: Any, temp: Any) -> None:
            adv.pad(dst, src, adv.PadParams(0, 5, 0), adv.pad_tiling_func((2, 3)), temp)

        def unpad(dst: Any, src: Any, temp: Any) -> None:
            adv.unpad(dst, src, adv.UnPadParams(0, 5), adv.unpad_tiling_func((2, 8)), temp)

        assert (result(pad, F32, 16, narrow) == wide.ravel()).all()
        assert (result(unpad, F32, 6, wide) == narrow).all()

    def test_refusals(self) -> None:
        """Rows within a block, other structs."""
        with refused(
            asc.AlignmentError, "pad: rows every 4 elements of 4 B start within a block of 32 B; pad them to 8"
        ):
            run(lambda x, t: adv.pad(x, x, adv.PadParams(0, 1), adv.PadTiling(2, 3), t), np.ones(8, F32))
        with refused(asc.UsageError, "unpad: unpad_params must be an UnPadParams, got (0, 1)"):
            run(lambda x, t: adv.unpad(x, x, (0, 1), adv.UnPadTiling(1, 8), t), np.ones(8, F32))


class TestFill:
    """Elements of global memory, through a tile."""

    @pytest.mark.parametrize("temp", [32, 100, 4096])
    @pytest.mark.parametrize("kind", [F16, F32, I32])
    def test_any_size_in_any_room(self, temp: int, kind: Any) -> None:
        """999 elements of 1001 from the second on, then five of them once more; nothing is left unordered."""
        x = np.zeros(1001, kind)

        def body(x: Any) -> None:
            room = local(np.uint8, 4096)[:temp]
            adv.fill(x[1:], 999, 3, room)
            asc.pipe_barrier(asc.PipeID.PIPE_ALL)
            adv.fill(x[3:], 5, 1, room)

        on_gm(body, x, hazards="error", auto_sync=False)

        assert x.tolist() == [0, 3, 3, 1, 1, 1, 1, 1, *[3] * 992, 0]

    def test_refusals(self) -> None:
        """More than there is."""
        with refused(asc.OutOfBoundsError, "dst of fill", "accesses elements [0, 9) of a view of 8 x float32"):
            on_gm(lambda x: adv.fill(x, 9, 0.0), np.zeros(8, F32))


class TestArange:
    """Arithmetic progressions."""

    @settings(max_examples=40)
    @given(
        kind=st.sampled_from([np.int16, I32, F16, F32]),
        first=st.integers(-50, 50),
        step=st.integers(-3, 3),
        count=st.sampled_from([0, 1, 7, 300, 5000]),
    )
    def test_each_element_is_rounded_at_most_three_times(self, kind: Any, first: int, step: int, count: int) -> None:
        """Integers are exact; float16 to three halves of a step of the largest number in the sum."""
        made = result(lambda d, t: adv.arange(d, first, step, count), kind, count).astype(np.float64)
        wanted = first + step * np.arange(count)
        size = abs(first) + abs(step) * np.arange(count)

        assert (abs(made - wanted) <= (1.5 * 2.0**-10 * size if kind is F16 else 0)).all()

    def test_worked_example(self) -> None:
        """From 5 in steps of -2."""
        assert result(lambda d, t: adv.arange(d, 5, -2, 3), F32, 3).tolist() == [5, 3, 1]


def top_k(values: Array, n: int, k: int, *, is_largest: bool = True, **launch: Any) -> tuple[Array, Array]:
    """Values and indices, (rows, k) each; what is beside them must stay."""
    rows, inner = values.shape
    wide, eight = Sheet(np.zeros((rows, k), values.dtype)), Sheet(np.zeros((rows, k), I32))
    tiling, info = adv.top_k_tiling_func(inner, rows, k), adv.TopKInfo(rows, inner, n)

    def body(value: Any, index: Any, src: Any, temp: Any) -> None:
        adv.top_k(value, index, src, None, None, k, tiling, info, is_largest, temp)

    temp = adv.get_top_k_max_min_tmp_size(inner, values.dtype)[1]
    value, index, _ = run(body, wide.blank, eight.blank, values, temp=temp, **launch)
    return wide.cut(value), eight.cut(index)


class TestTopK:
    """The first of each row in order."""

    @settings(max_examples=40)
    @given(
        kind=st.sampled_from([F16, F32]),
        rows=st.integers(1, 3),
        size=st.sampled_from([(32, 32), (32, 5), (64, 33), (160, 130), (1024, 1000)]),
        seed=st.integers(0, 999),
        is_largest=st.booleans(),
        auto_sync=st.booleans(),
        data=st.data(),
    )
    def test_as_a_stable_sort(
        self,
        kind: Any,
        rows: int,
        size: tuple[int, int],
        seed: int,
        is_largest: bool,
        auto_sync: bool,
        data: st.DataObject,
    ) -> None:
        """Exact values, many of them equal, and of equal ones the earlier index."""
        inner, n = size
        k = data.draw(st.integers(1, n))
        values = np.random.default_rng(seed).integers(-20, 20, (rows, inner)).astype(kind)
        order = np.argsort(-values[:, :n] if is_largest else values[:, :n], axis=1, kind="stable")[:, :k]

        value, index = top_k(values, n, k, is_largest=is_largest, auto_sync=auto_sync)

        assert (index == order).all()
        assert (value == np.take_along_axis(values, order, axis=1)).all()

    def test_worked_example_and_infinities(self) -> None:
        """3, 9, 5 gives 9, 5 and 1, 2; -inf is an element like others, though padding has that value too."""
        row = np.full((1, 32), 77, F32)
        row[0, :5] = [3, 9, 5, -np.inf, np.inf]

        assert [x.tolist() for x in top_k(row, 3, 2)] == [[[9, 5]], [[1, 2]]]
        assert [x.tolist() for x in top_k(row, 5, 5)] == [[[np.inf, 9, 5, 3, -np.inf]], [[4, 1, 2, 0, 3]]]

    def test_names_of_elements_and_finished_rows(self) -> None:
        """src_index stands for the numbers; a finished row has indices n, and its values stay."""
        src, names = np.arange(64).astype(F32), np.arange(100, 132).astype(I32)

        def body(value: Any, index: Any, src: Any, names: Any, finish: Any, temp: Any) -> None:
            tiling, info = adv.top_k_tiling_func(32, 2, 2), adv.TopKInfo(2, 32)
            adv.top_k(*(value, index, src, names, finish, 2, tiling, info, True, temp), True, True)

        finish = np.array([1, 0], bool)
        value, index, *_ = run(body, np.full(16, 7, F32), np.full(16, 7, I32), src, names, finish)

        assert (value[:2].tolist(), value[8:10].tolist()) == ([7, 7], [63, 62])
        assert (index[:2].tolist(), index[8:10].tolist()) == ([32, 32], [131, 130])

    def test_refusals(self) -> None:
        """More than there is, a tiling of another call."""
        with refused(asc.RangeError, "top_k: there must be 0 <= k <= n <= inner, got k 9, n 8, inner 32"):
            top_k(np.zeros((1, 32), F32), 8, 9)
        with refused(
            asc.UsageError, "top_k: tiling must have the numbers of topk_info and k, outter 1, inner 32, k 2, got TopkT"
        ):
            tiling, info = adv.top_k_tiling_func(32, 1, 3), adv.TopKInfo(1, 32)
            run(lambda x, t: adv.top_k(x, x, x, None, None, 2, tiling, info, True, t), np.zeros(32, F32))
