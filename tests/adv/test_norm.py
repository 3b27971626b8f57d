"""Layernorm and rmsnorm against float64."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from tests.adv.matrices import F16, F32, ULP, Array, Sheet, exact, room, run, sheets
from tests.refusals import refused

adv = asc.adv
EPSILON = 1e-5


def weights(sheet: Sheet, count: int) -> list[Array]:
    """Weights for each column; nothing behind the last one may be read."""
    rng = np.random.default_rng(5)
    return [rng.normal(0, 1, sheet.values.shape[1]).astype(sheet.values.dtype) for _ in range(count)]


def layernorm(sheet: Sheet, gamma: Array, beta: Array, **launch: Any) -> tuple[Array, Array, Array]:
    """Result, means and variances."""
    rows, columns = sheet.values.shape
    tiling = adv.get_layer_norm_nd_tiling_info((1, rows, sheet.pitch), columns)

    def body(out: Any, mean: Any, variance: Any, x: Any, gamma: Any, beta: Any, temp: Any) -> None:
        adv.layernorm(out, mean, variance, x, gamma, beta, EPSILON, tiling, temp)

    some = np.full(rows + 8, 7, sheet.values.dtype)
    out, mean, variance, *_ = run(body, sheet.blank, some, some, sheet.padded, gamma, beta, **launch)

    assert (np.concatenate([mean[rows:], variance[rows:]]) == 7).all()
    return sheet.cut(out), mean[:rows], variance[:rows]


def rmsnorm(sheet: Sheet, gamma: Array, **launch: Any) -> Array:
    rows, columns = sheet.values.shape
    tiling = adv.get_rms_norm_tiling_info((rows, sheet.pitch), columns)

    def body(out: Any, x: Any, gamma: Any, temp: Any) -> None:
        adv.rmsnorm(out, x, gamma, EPSILON, tiling, temp)

    return sheet.cut(run(body, sheet.blank, sheet.padded, gamma, **launch)[0])


def sizes_of(function: str, sheet: Sheet) -> tuple[int, int]:
    size: tuple[int, int] = getattr(adv, f"get_{function}_max_min_tmp_size")(
        (1, len(sheet.values), sheet.pitch), sheet.values.dtype
    )
    return size


@settings(max_examples=40)
@given(data=st.data(), sheet=sheets(), shift=st.sampled_from([0, 1, -20]))
def test_layernorm_is_within_its_tolerance(data: st.DataObject, sheet: Sheet, shift: int) -> None:
    """Any shape, room, order, and distance of the mean from zero."""
    kind = sheet.values.dtype.type
    sheet = Sheet(sheet.values + kind(shift))
    gamma, beta = weights(sheet, 2)
    temp = room(data.draw, sizes_of("layernorm", sheet))
    out, mean, variance = layernorm(sheet, gamma, beta, temp=temp, auto_sync=data.draw(st.booleans()))
    x = exact(sheet.values)
    means, variances = x.mean(axis=1, keepdims=True), x.var(axis=1, keepdims=True)
    root = np.sqrt(variances + EPSILON)
    wanted = (x - means) / root * exact(gamma) + exact(beta)
    half = ULP[F16] if kind is F16 else 0
    allowed = abs(exact(gamma)) * (1 + abs(x - means) / root) * np.maximum(1, abs(means) / root) * 2.0**-20
    single = 2.0**-22 * abs(x).mean(axis=1)

    assert (abs(out - wanted) <= allowed + abs(wanted) * (half + 2.0**-22) + 2.0**-22).all()
    assert (abs(mean - means[:, 0]) <= single + half * abs(means[:, 0])).all()
    assert (abs(variance - variances[:, 0]) <= 2.0**-20 * (variances[:, 0] + single) + half * variances[:, 0]).all()


@settings(max_examples=40)
@given(data=st.data(), sheet=sheets())
def test_rmsnorm_is_within_its_tolerance(data: st.DataObject, sheet: Sheet) -> None:
    """Any shape, room and order."""
    (gamma,) = weights(sheet, 1)
    temp = room(data.draw, sizes_of("rmsnorm", sheet))
    out = rmsnorm(sheet, gamma, temp=temp, auto_sync=data.draw(st.booleans()))
    x = exact(sheet.values)
    wanted = x / np.sqrt((x * x).mean(axis=1, keepdims=True) + EPSILON) * exact(gamma)

    step = 2.0**-21 + (ULP[F16] if sheet.values.dtype == F16 else 0)
    assert (abs(out - wanted) <= step * abs(wanted) + (2.0**-25 if sheet.values.dtype == F16 else 0)).all()


@pytest.mark.parametrize("kind", [F16, F32])
def test_worked_examples(kind: Any) -> None:
    """A row 1, 3 has mean 2 and variance 1; a row 1, 7 has a root mean square of 5. Epsilon is half a step of 1."""
    one = np.ones(2, kind)
    out, mean, variance = layernorm(Sheet(np.array([[1, 3]], kind)), one, 0 * one)

    assert (mean.tolist(), variance.tolist()) == ([2.0], [1.0])
    assert np.allclose(out, [[-1, 1]], rtol=0, atol=1e-5)
    assert np.allclose(rmsnorm(Sheet(np.array([[1, 7]], kind)), one), [[0.2, 1.4]], rtol=1e-3 if kind is F16 else 1e-6)


def test_hard_rows() -> None:
    """Equal elements give beta; a NaN or an infinity makes its row NaN, and no other; zeros stay zeros."""
    rows = Sheet(np.array([[5, 5, 5], [np.nan, 1, 2], [np.inf, 1, 2], [0, 0, 0]], F32))
    gamma, beta = np.ones(3, F32), np.arange(3).astype(F32)

    out, mean, variance = layernorm(rows, gamma, beta)

    assert (out[[0, 3]] == beta).all()
    assert (mean[[0, 3]].tolist(), variance[[0, 3]].tolist()) == ([5, 0], [0, 0])
    assert np.isnan(out[1:3]).all()
    assert (rmsnorm(rows, gamma)[3] == 0).all()


def test_weights_may_be_the_row() -> None:
    """What is only read may be read twice: a row 1, 7 weighted by itself."""
    tiling = adv.get_rms_norm_tiling_info((1, 8), 2)

    out, _ = run(lambda y, x, temp: adv.rmsnorm(y, x, x, 0.0, tiling, temp), np.zeros(8, F32), np.array([1, 7], F32))

    assert np.allclose(out[:2], [0.2, 9.8], rtol=1e-6)


def test_no_columns_and_no_rows_are_a_no_op() -> None:
    """Nothing is read or written, and no memory is needed."""

    def body(out: Any, temp: Any) -> None:
        for shape in ((0, 8), (2, 0)):
            adv.rmsnorm(out, out[8:], out, EPSILON, adv.get_rms_norm_tiling_info(shape), temp)

    assert (run(body, np.full(32, 7, F32), temp=0)[0] == 7).all()


def test_other_tilings_are_refused() -> None:
    """The two have the same fields and are not the same."""

    def body(x: Any, temp: Any) -> None:
        adv.rmsnorm(x, x, x, EPSILON, adv.get_layer_norm_nd_tiling_info((1, 1, 8)), temp)

    text = (
        "rmsnorm: tiling must be a RmsNormTiling, as get_rms_norm_tiling_info makes it, got LayerNormTiling(b_length=1"
    )
    with refused(asc.UsageError, text):
        run(body, np.zeros(8, F32))
