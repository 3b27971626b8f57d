"""Running results: each instruction that has a shorter way to one, against its own arithmetic row after row."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from ascendc.language.isa.elementwise import Elementwise
from tests.block import Array

SHORTER = [op for op in asc.ISA.values() if isinstance(op, Elementwise) and op.running]
ODD = [0.0, -0.0, 1.0, -1.0, 0.5, -2.0, 1.5, 3.0, 65504.0, -65504.0, 6e-8, 1e-7, np.inf, -np.inf, np.nan]
ABOVE, BELOW = 2.0**-12 * (1 + 2.0**-15), 2.0**-12 * (1 - 2.0**-15)
"""Factors whose product is 2^-24 less 2^-54."""
MIDWAY = [1.0, 1 + 2.0**-23, -1 - 2.0**-23, ABOVE, BELOW, -ABOVE, 2.0**-24, 2.0**-60, 2.0**-100, -(2.0**-149)]
"""Numbers whose sums and products lie midway between two float32, or just beside, or below all but a few of them."""


def one_after_another(op: Any, first: Array, rows: list[Array], params: tuple[Any, ...]) -> Array:
    """What the declaration says, a row at a time."""
    running = first
    for row in zip(*rows, strict=True):
        running = op.compute(*((running, *row) if op.reads_dst else (*row, running)), *params)
    return running


def bits(values: Array) -> Array:
    """What is compared: the bits, with one NaN for all."""
    return np.where(np.isnan(values), np.float64(7), values.astype(np.float64)).view(np.int64)


@given(data=st.data(), op=st.sampled_from(SHORTER), lanes=st.sampled_from([1, 2, 7, 64]), repeats=st.integers(1, 9))
@settings(max_examples=300)
def test_the_shorter_way_to_a_running_result_is_the_arithmetic_row_after_row(
    data: st.DataObject, op: Any, lanes: int, repeats: int
) -> None:
    """Bit for bit, the sign of zeros included, for numbers of every size, infinities and NaN; integers wrap."""
    dst, *sources = (k.numpy for k in data.draw(st.sampled_from(op.dtypes)))
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    pool = data.draw(st.sampled_from([ODD, MIDWAY, [0.0, -0.0], [0.0, -0.0, 1.0, -1.0], None]))

    def draw(kind: Any, *shape: int) -> Array:
        if kind.kind == "i":
            return random.integers(np.iinfo(kind).min, np.iinfo(kind).max, shape, kind, endpoint=True)
        with np.errstate(all="ignore"):
            return (random.standard_normal(shape) if pool is None else random.choice(pool, shape)).astype(kind)

    rows = [draw(kind, repeats, lanes) for kind in sources[: None if op.reads_dst else 1]]
    first, params = draw(dst, lanes), (draw(sources[0])[()],) if op.immediates else ()

    with np.errstate(all="ignore"):
        got, wanted = op.running(first, *rows, *params), one_after_another(op, first, rows, params)

    assert got.dtype == wanted.dtype
    assert np.array_equal(bits(got), bits(wanted))


@pytest.mark.parametrize("op", SHORTER, ids=lambda op: op.name)
def test_the_operands_of_a_running_result_stay_as_they_are(op: Any) -> None:
    """A running result is an array of its own: the first one and the rows are views on UB."""
    kind = op.dtypes[-1]
    first, row = np.full(4, 3, kind[0].numpy), np.full((3, 4), 2, kind[1].numpy)
    rows = [row] * (len(op.roles) - 1 if op.reads_dst else 1)

    op.running(first, *rows, *([kind[1].numpy.type(2)] * op.immediates))

    assert first.tolist() == [3] * 4
    assert row.tolist() == [[2] * 4] * 3


def test_multiply_add_rounds_once_where_two_roundings_would_differ() -> None:
    """1 + 2^-23 + 2^-24 - 2^-54 is nearest to 1 + 2^-23, but as a float64 it lies midway to 1 + 2^-22."""
    odd, a, b = (np.array([[x]], np.float32) for x in (1 + 2.0**-23, ABOVE, BELOW))
    twice = np.float32(np.float64(odd) + np.float64(a) * np.float64(b))

    assert twice.tolist() == [[1 + 2.0**-22]]
    assert asc.mul_add_dst.running(odd[0], a, b).tolist() == [1 + 2.0**-23]
    assert asc.axpy.running(odd[0], a, b[0, 0]).tolist() == [1 + 2.0**-23]
    assert asc.fused_mul_add.running(a[0], b, odd).tolist() == [1 + 2.0**-23]
