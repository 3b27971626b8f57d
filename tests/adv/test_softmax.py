"""Softmax and its relatives against float64, and what they do with rows that are hard."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from tests.adv.matrices import F16, F32, ULP, Array, Sheet, exact, room, run, sheets
from tests.block import local
from tests.refusals import refused

adv = asc.adv
INF = np.inf


def shape_of(sheet: Sheet) -> tuple[Any, Any]:
    """The tiling of a sheet, and which of it counts."""
    rows, columns = sheet.values.shape
    return adv.soft_max_tiling_func((rows, sheet.pitch)), adv.SoftMaxShapeInfo(rows, sheet.pitch, rows, columns)


def sizes_of(function: str, sheet: Sheet) -> tuple[int, int]:
    size: tuple[int, int] = getattr(adv, f"get_{function}_max_min_tmp_size")(
        (len(sheet.values), sheet.pitch), sheet.values.dtype
    )
    return size


def blocks(sheet: Sheet, kind: Any = None) -> Array:
    """One block of 7 for each row."""
    kind = kind or sheet.values.dtype
    return np.full((len(sheet.values), 32 // np.dtype(kind).itemsize), 7, kind)


def numbers(result: Array, rows: int) -> Array:
    """The number of each row, all elements of whose block must be the same."""
    result = result.reshape(rows, -1)

    assert all(len({row.tobytes()[i : i + row.itemsize] for i in range(0, 32, row.itemsize)}) == 1 for row in result)
    return result[:, 0]


def softmax(sheet: Sheet, name: str = "softmax", temp: int = 1 << 15, **launch: Any) -> tuple[Array, Array, Array]:
    """Result, sums and maxima."""
    tiling, info = shape_of(sheet)

    def body(dst: Any, total: Any, top: Any, src: Any, temp_buffer: Any) -> None:
        getattr(adv, name)(dst, total, top, src, tiling, temp_buffer, shape_info=info)

    dst, total, top, _ = run(body, sheet.blank, blocks(sheet), blocks(sheet), sheet.padded, temp=temp, **launch)
    rows = len(sheet.values)
    return sheet.cut(dst), numbers(total, rows), numbers(top, rows)


def reference(values: Array) -> tuple[Array, Array, Array]:
    """Exponentials, their sums and maxima in float64."""
    x = exact(values)
    top = x.max(axis=1, keepdims=True)
    powers = np.exp(x - top)
    return powers, powers.sum(axis=1, keepdims=True), top


@settings(max_examples=40)
@given(data=st.data(), sheet=sheets())
def test_softmax_is_within_its_tolerance(data: st.DataObject, sheet: Sheet) -> None:
    """Any shape, room and order; float16 is rounded once more, with 2^-24 as its smallest step."""
    dst, total, top = softmax(
        sheet, temp=room(data.draw, sizes_of("softmax", sheet)), auto_sync=data.draw(st.booleans())
    )
    powers, sums, tops = reference(sheet.values)
    x, kind = exact(sheet.values), sheet.values.dtype.type
    allowed = (4 + tops - x) * 2.0**-23 + (ULP[F16] if kind is F16 else 0)

    assert (abs(dst - powers / sums) <= allowed * (powers / sums) + (2.0**-25 if kind is F16 else 0)).all()
    assert (top == tops[:, 0]).all()
    assert (abs(total - sums[:, 0]) <= (2.0**-20 + ULP[kind]) * sums[:, 0]).all()


@settings(max_examples=25)
@given(data=st.data(), sheet=sheets())
def test_log_softmax_is_within_its_tolerance(data: st.DataObject, sheet: Sheet) -> None:
    """The result is x - max - ln(sum); the sum is that of the exponentials, as softmax has it."""
    dst, total, top = softmax(
        sheet,
        "log_softmax",
        temp=room(data.draw, sizes_of("log_softmax", sheet)),
        auto_sync=data.draw(st.booleans()),
    )
    _, sums, tops = reference(sheet.values)
    wanted, kind = exact(sheet.values) - tops - np.log(sums), sheet.values.dtype.type
    allowed = np.maximum(1, abs(wanted)) * (2.0**-22 + (ULP[F16] if kind is F16 else 0))

    assert (abs(dst - wanted) <= allowed).all()
    assert (top == tops[:, 0]).all()
    assert (abs(total - sums[:, 0]) <= (2.0**-20 + ULP[kind]) * sums[:, 0]).all()


@settings(max_examples=25)
@given(data=st.data(), sheet=sheets())
def test_simple_softmax_of_known_sums_is_softmax(data: st.DataObject, sheet: Sheet) -> None:
    """With float32 sums the bits are the same; with float16 ones the sum was rounded in between."""
    tiling, info = shape_of(sheet)
    whole, total, top = softmax(sheet)
    given_blocks = [np.repeat(n[:, None], 32 // n.itemsize, axis=1) for n in (total, top)]

    def body(dst: Any, in_sum: Any, in_max: Any, src: Any, temp_buffer: Any) -> None:
        adv.simple_softmax(dst, in_sum, in_max, src, tiling, temp_buffer, shape_info=info)

    temp = room(data.draw, sizes_of("simple_softmax", sheet))
    dst, *_ = run(body, sheet.blank, *given_blocks, sheet.padded, temp=temp, auto_sync=data.draw(st.booleans()))
    result = sheet.cut(dst)

    if sheet.values.dtype == F32:
        assert (result == whole).all()
    assert (abs(exact(result) - exact(whole)) <= 2.0**-10 * exact(whole) + 2.0**-24).all()


@settings(max_examples=30)
@given(data=st.data(), first=sheets())
def test_flash_in_two_parts_is_the_whole(data: st.DataObject, first: Sheet) -> None:
    """exp(x - max) of both parts, the first scaled by exp_max; the numbers are updated in place, in float32."""
    second = Sheet(np.roll(first.values, 1) + first.values.dtype.type(data.draw(st.sampled_from([-4, 0, 4]))))
    tiling, info = shape_of(first)

    def body(one: Any, two: Any, total: Any, top: Any, scale: Any, a: Any, b: Any, temp_buffer: Any) -> None:
        call = (total, top)
        adv.softmax_flash_v2(one, *call, a, scale, *call, tiling, temp_buffer, shape_info=info)
        asc.pipe_barrier(asc.PipeID.PIPE_V)
        adv.softmax_flash_v2(two, *call, b, scale, *call, tiling, temp_buffer, is_update=True, shape_info=info)

    one, two, total, top, scale, *_ = run(
        *(body, first.blank, second.blank, *(blocks(first, F32) for _ in range(3)), first.padded, second.padded),
        temp=room(data.draw, sizes_of("softmax_flash_v2", first)),
        auto_sync=data.draw(st.booleans()),
    )
    rows, columns = first.values.shape
    powers, sums, tops = reference(np.concatenate([first.values, second.values], axis=1))
    step = 2.0**-20 + (ULP[F16] if first.values.dtype == F16 else 0)

    assert (numbers(top, rows) == tops[:, 0]).all()
    assert (abs(numbers(total, rows) - sums[:, 0]) <= 2.0**-20 * sums[:, 0]).all()
    assert (abs(first.cut(one) * exact(numbers(scale, rows))[:, None] - powers[:, :columns]) <= step).all()
    assert (abs(second.cut(two) - powers[:, columns:]) <= step).all()


def test_flash_with_one_part_leaves_the_others_alone() -> None:
    """Without is_update, exp_max and what came before are neither read nor written: here they are not even tensors."""
    tiling = adv.soft_max_tiling_func((1, 8))

    def body(dst: Any, total: Any, top: Any, src: Any, temp: Any) -> None:
        adv.softmax_flash_v2(dst, total, top, src, None, None, None, tiling, temp)

    dst, total, top, _ = run(body, *(np.zeros(8, F32) for _ in range(3)), np.zeros(8, F32))

    assert (dst.tolist(), total.tolist(), top.tolist()) == ([1.0] * 8, [8.0] * 8, [0.0] * 8)


@pytest.mark.parametrize("kind", [F16, F32])
def test_hard_rows(kind: Any) -> None:
    """Only -inf, or a NaN: NaN, and no other row is. Huge numbers, which overflow nothing. -inf among numbers: 0."""
    big = 60000 if kind is F16 else 3e38
    rows = np.array([[-INF] * 3, [np.nan, 1, 2], [big, big, -big], [-INF, 5, 5], [INF, 1, 1]], kind)

    dst, total, top = softmax(Sheet(rows))

    assert np.isnan(dst[[0, 1, 4]]).any(axis=1).all()
    assert dst[2:4].tolist() == [[0.5, 0.5, 0], [0, 0.5, 0.5]]
    assert (total[2:4].tolist(), top[2:4].tolist()) == ([2, 2], [kind(big), 5])


def test_result_in_place_is_the_same() -> None:
    """``dst`` may be ``src``."""
    sheet = Sheet(np.random.default_rng(1).normal(size=(5, 70)).astype(F32))
    tiling, info = shape_of(sheet)

    def body(x: Any, total: Any, top: Any, temp: Any) -> None:
        adv.softmax(x, total, top, x, tiling, temp, shape_info=info)

    x, *_ = run(body, np.where(np.isnan(sheet.padded), F32(7), sheet.padded), blocks(sheet), blocks(sheet))

    assert (sheet.cut(x) == softmax(sheet)[0]).all()


class TestRefusals:
    """Nothing is written before the whole call has been checked."""

    def call(self, **changes: Any) -> None:
        """A softmax of (2, 8) in float32 with some arguments changed."""
        tiling = changes.pop("tiling", adv.soft_max_tiling_func((2, 8)))
        numbers_of = changes.pop("numbers", F32)
        temp = changes.pop("temp", 1 << 12)

        def body(dst: Any, total: Any, top: Any, src: Any, temp_buffer: Any) -> None:
            adv.softmax(dst, total, top, src, tiling, temp_buffer, **changes)

        kind = changes.pop("kind", F32)
        run(body, *(np.zeros(16, k) for k in (kind, numbers_of, F32, kind)), temp=temp)

    def test_size(self) -> None:
        """The operand that is too short is named."""
        with refused(asc.OutOfBoundsError, "dst of softmax", "needs 96 B (24 x float32), the tensor has 64 B (16)"):
            self.call(tiling=adv.soft_max_tiling_func((3, 8)))

    def test_types(self) -> None:
        """Matrices are alike, numbers are of that type or float32, and alike."""
        with refused(asc.DtypeError, "dst is int32; supported: float16, float32"):
            self.call(kind=np.int32)
        with refused(asc.DtypeError, "softmax: operands must have one element type, got sum (float16), max (float32)"):
            self.call(numbers=F16)

    def test_room(self) -> None:
        """32 B for the number of a row, 256 B for the blocks of 8; the message says what is missing."""
        with refused(asc.WorkspaceError, "softmax: temp_buffer has 280 B, at least 288 B are needed, 8 B are missing"):
            self.call(temp=280)

    def test_overlap(self) -> None:
        """The temporary buffer lies on an operand."""

        def body(x: Any, total: Any, top: Any, temp: Any) -> None:
            adv.softmax(x, total, top, x, adv.soft_max_tiling_func((1, 8)), local("uint8", 4096, 0))

        with refused(asc.OverlapError, "softmax: temp_buffer UB bytes [0, 4096) and dst UB bytes [0, 32) overlap"):
            run(body, *(np.zeros(8, F32) for _ in range(3)))

    def test_one_tensor_in_two_roles(self) -> None:
        """Only dst may be src: numbers that start where others do would overwrite them."""
        tiling = adv.soft_max_tiling_func((1, 8))

        with refused(asc.OverlapError, "softmax: sum UB bytes [256, 288) and max UB bytes [256, 288) overlap"):
            run(lambda x, both, temp: adv.softmax(x, both, both, x, tiling, temp), np.zeros(8, F32), np.zeros(8, F32))
        with refused(asc.OverlapError, "softmax: dst UB bytes [0, 32) and max UB bytes [0, 32) overlap"):
            run(lambda x, total, temp: adv.softmax(x, total, x, x, tiling, temp), np.zeros(8, F32), np.zeros(8, F32))
