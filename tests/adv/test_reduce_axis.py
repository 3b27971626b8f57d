"""Reductions over an axis and running sums, against float64."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from tests.adv.matrices import F16, F32, ULP, Array, Sheet, exact, room, run, sheets
from tests.refusals import refused

adv = asc.adv
AR, RA = adv.ReducePattern.AR, adv.ReducePattern.RA
PATTERNS = st.sampled_from([AR, RA])
BEHIND = 8
"""Elements behind a result, which must stay."""


def reduced(name: str, sheet: Sheet, pattern: Any, **launch: Any) -> Array:
    """``adv.NAME`` over an axis."""
    rows, columns = sheet.values.shape
    count = rows if pattern is AR else columns

    def body(dst: Any, src: Any, temp: Any) -> None:
        getattr(adv, name)(dst, src, (rows, columns), True, pattern, temp)

    result = run(body, np.full(count + BEHIND, 7, sheet.values.dtype), sheet.padded, **launch)[0]

    assert (result[count:] == 7).all()
    return result[:count]


def call(data: st.DataObject, name: str, sheet: Sheet, pattern: Any) -> Array:
    """As :func:`reduced`, in any room and order."""
    sizes = getattr(adv, f"get_{name}_max_min_tmp_size")(sheet.values.shape, sheet.values.dtype, pattern)
    return reduced(name, sheet, pattern, temp=room(data.draw, sizes), auto_sync=data.draw(st.booleans()))


def axis(pattern: Any) -> int:
    return 1 if pattern is AR else 0


@settings(max_examples=50)
@given(data=st.data(), sheet=sheets(), pattern=PATTERNS)
def test_sums_and_means_are_within_their_tolerance(data: st.DataObject, sheet: Sheet, pattern: Any) -> None:
    """2^-21 of the sum of magnitudes; float16 is summed in float32 and rounded once."""
    x, half = exact(sheet.values), ULP[F16] if sheet.values.dtype == F16 else 0
    n = sheet.values.shape[axis(pattern)]
    total, magnitude = x.sum(axis=axis(pattern)), abs(x).sum(axis=axis(pattern))
    allowed = 2.0**-21 * magnitude + half * abs(total)

    assert (abs(call(data, "reduce_sum", sheet, pattern) - total) <= allowed).all()
    assert (abs(call(data, "reduce_mean", sheet, pattern) - total / n) <= (allowed + 2.0**-24) / n + half).all()


@settings(max_examples=50)
@given(data=st.data(), sheet=sheets(), pattern=PATTERNS)
def test_extremes_are_exact(data: st.DataObject, sheet: Sheet, pattern: Any) -> None:
    """Bit for bit."""
    assert (call(data, "reduce_max", sheet, pattern) == sheet.values.max(axis=axis(pattern))).all()
    assert (call(data, "reduce_min", sheet, pattern) == sheet.values.min(axis=axis(pattern))).all()


@settings(max_examples=40)
@given(data=st.data(), sheet=sheets(spread=0.05), pattern=PATTERNS)
def test_products_are_within_their_tolerance(data: st.DataObject, sheet: Sheet, pattern: Any) -> None:
    """One rounding for each of n - 1 products; float16 is rounded once more."""
    values = np.exp(exact(sheet.values)).astype(sheet.values.dtype)
    wanted = exact(values).prod(axis=axis(pattern))
    allowed = values.shape[axis(pattern)] * 2.0**-24 + (ULP[F16] if values.dtype == F16 else 0)

    assert (abs(call(data, "reduce_prod", Sheet(values), pattern) - wanted) <= allowed * wanted).all()


@settings(max_examples=40)
@given(data=st.data(), sheet=sheets(), pattern=PATTERNS, kind=st.sampled_from([F16, F32, np.uint8]))
def test_any_and_all_are_exact(data: st.DataObject, sheet: Sheet, pattern: Any, kind: Any) -> None:
    """1 or 0, also where everything that is not zero is the smallest number there is."""
    small = 1 if kind is np.uint8 else np.nextafter(kind(0), kind(1))
    rare = Sheet(np.where(abs(sheet.values) > 8, small, 0).astype(kind))
    common = Sheet(np.where(abs(sheet.values) > 8, 0, -small if kind is not np.uint8 else small).astype(kind))

    assert (call(data, "reduce_any", rare, pattern) == rare.values.any(axis=axis(pattern))).all()
    assert (call(data, "reduce_all", common, pattern) == common.values.all(axis=axis(pattern))).all()


@pytest.mark.parametrize(
    ("name", "last", "first"),
    [
        ("reduce_sum", [6, 15], [5, 7, 9]),
        ("reduce_mean", [2, 5], [2.5, 3.5, 4.5]),
        ("reduce_max", [3, 6], [4, 5, 6]),
        ("reduce_min", [1, 4], [1, 2, 3]),
        ("reduce_prod", [6, 120], [4, 10, 18]),
        ("reduce_any", [1, 1], [1, 1, 1]),
        ("reduce_all", [1, 1], [1, 1, 1]),
    ],
)
@pytest.mark.parametrize("kind", [F16, F32])
def test_worked_examples(name: str, last: list[float], first: list[float], kind: Any) -> None:
    """1 to 6 in two rows of three."""
    sheet = Sheet(np.arange(1, 7).reshape(2, 3).astype(kind))

    assert reduced(name, sheet, AR).tolist() == last
    assert reduced(name, sheet, RA).tolist() == first


def test_nan_and_infinity() -> None:
    """A row with a NaN gives NaN, also for any and all; infinities add up and are not zero."""
    sheet = Sheet(np.array([[1, np.nan, 0], [np.inf, 1, 2], [np.inf, -np.inf, 1], [-np.inf, -np.inf, -np.inf]], F32))
    results = {n: reduced(f"reduce_{n}", sheet, AR) for n in ("sum", "max", "min", "any", "all", "prod")}

    assert all(np.isnan(r[0]) for r in results.values())
    assert [results[n][1] for n in results] == [np.inf, np.inf, 1, 1, 1, np.inf]
    assert np.isnan(results["sum"][2])
    assert [results[n][3] for n in ("sum", "max", "min")] == [-np.inf] * 3


@pytest.mark.parametrize(("name", "params"), [("sum", adv.SumParams), ("mean", adv.MeanParams)])
def test_older_forms_take_the_first_elements_of_rows(name: str, params: Callable[..., Any]) -> None:
    """Two rows every 8 elements, of which two count: 3 and 9, or 1.5 and 4.5."""
    rows = Sheet(np.array([[1, 2, 3], [4, 5, 6]], F32))

    def body(dst: Any, src: Any, temp: Any) -> None:
        getattr(adv, name)(dst, src, params(2, 8, 2), temp)

    result = run(body, np.full(3, 7, F32), rows.padded)[0]

    assert result.tolist() == [*([3, 9] if name == "sum" else [1.5, 4.5]), 7]


@settings(max_examples=40)
@given(data=st.data(), sheet=sheets(), is_last=st.booleans())
def test_running_sums_are_within_their_tolerance(data: st.DataObject, sheet: Sheet, is_last: bool) -> None:
    """n roundings of the sum of n magnitudes; the last row is what it says."""
    rows, columns = sheet.values.shape
    info = adv.CumSumInfo(rows, columns)
    sizes = adv.get_cumsum_max_min_tmp_size(sheet.values.shape, sheet.values.dtype, is_last)

    def body(dst: Any, last: Any, src: Any, temp: Any) -> None:
        adv.cumsum(dst, last, src, info, temp, is_last, output_last_row=True)

    dst, last, _ = run(
        *(body, sheet.blank, np.full(columns + BEHIND, 7, sheet.values.dtype), sheet.padded),
        temp=room(data.draw, sizes),
        auto_sync=data.draw(st.booleans()),
    )
    result, x, along = sheet.cut(dst), exact(sheet.values), 1 if is_last else 0
    wanted, magnitude = x.cumsum(axis=along), abs(x).cumsum(axis=along)
    half = ULP[F16] if sheet.values.dtype == F16 else 0

    assert (abs(result - wanted) <= x.shape[along] * 2.0**-24 * magnitude + half * abs(wanted)).all()
    assert (last[:columns] == result[-1]).all()
    assert (last[columns:] == 7).all()


def test_running_sums_of_a_row() -> None:
    """1, 2, 3 becomes 1, 3, 6; without output_last_row there may be no last row at all."""

    def body(dst: Any, src: Any, temp: Any) -> None:
        adv.cumsum(dst, None, src, adv.CumSumInfo(1, 3), temp)

    assert run(body, np.full(4, 7, F32), np.array([1, 2, 3], F32))[0].tolist() == [1, 3, 6, 7]


def test_refusals() -> None:
    """Each with what would be right."""
    with refused(asc.DtypeError, "reduce_max: dst is uint8; supported: float16, float32"):
        reduced("reduce_max", Sheet(np.ones((2, 3), np.uint8)), AR)
    with refused(
        asc.AlignmentError, "reduce_sum: rows every 3 elements of 4 B start within a block of 32 B; pad them to 8"
    ):
        run(lambda d, s, t: adv.reduce_sum(d, s, (2, 3), False, AR, t), np.ones(8, F32), np.ones(16, F32))
    with refused(asc.OverlapError, "reduce_sum: dst UB bytes [0, 8) and src UB bytes [0, 44) overlap"):
        run(lambda s, t: adv.reduce_sum(s, s, (2, 3), True, AR, t), np.ones(16, F32))
    with refused(asc.UsageError, "cumsum: cum_sum_info must be a CumSumInfo, got (2, 3)"):
        run(lambda s, t: adv.cumsum(s, s, s, (2, 3), t), np.ones(16, F32))
