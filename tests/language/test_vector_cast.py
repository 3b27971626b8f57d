"""``cast``: every pair of types and every round mode, against fractions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendc as asc
from tests.block import on_ub
from tests.exact import MODES, exact_cast, numpy_of
from tests.inventory import looped
from tests.refusals import refused

PAIRS = [pytest.param(s, d, id=f"{s}-{d}") for s, d in MODES]


def hard_values(source: str, target: str) -> list[Any]:
    """Ties, ends of the target's range and their neighbours, zeros of both signs, subnormals, infinities, NaN."""
    kind = numpy_of(source)
    spots = [0, 1, 2, 127, 128, 255, 256, 259, 2047, 2048, 2049, 4098, 32767, 65503, 65504, 65519, 65520, 65521, 65535]
    spots += [2**24 - 1, 2**24 + 1, 2**24 + 3, 2**25 + 2, 2**31 - 1, 2**31, 2**31 + 128, 2**53 + 1, 2**62 + 2**38]
    spots += [2**63 - 1, 2**63 - 2**39, 2**63 - 2**38, 2**63 - 2**38 + 1, 2**63 - 2**38 - 1]
    if kind.kind in "iu":
        limits = np.iinfo(kind)
        ends = [int(limits.min), int(limits.min) + 1, int(limits.max), int(limits.max) - 1]
        return [v for s in spots for v in (s, -s) if limits.min <= v <= limits.max] + ends
    halves = [v + d for v in range(-5, 6) for d in (0.25, 0.5, 0.75)]
    ends = [32767.5, -32768.5, 127.5, -128.5, 255.5, -0.4, 2.0**31 - 0.5, 2.0**63, -(2.0**63), 2.0**64, 2.0**40]
    tiny = [2.0**-14, 2.0**-24, 2.0**-25, 1.5 * 2.0**-24, 2.0**-26, 1e-30, 2.0**-126, 2.0**-133, 1.5 * 2.0**-133, 1e-45]
    wide = [65504.0, 65519.999, 65520.0, 65536.0, 3.38953e38, 3.3961775e38, 3.4028235e38, 1 + 2.0**-8, 1 + 3 * 2.0**-8]
    odd = [1 + 2.0**-11, 1 + 2.0**-12, 1 + 3 * 2.0**-11, 2049.5, 4099.0]
    every = [float(s) for s in spots] + halves + ends + tiny + wide + odd
    with np.errstate(over="ignore"):
        signed = np.array([*every, *[-v for v in every], 0.0, -0.0, np.inf, -np.inf, np.nan]).astype(kind)
    return [float(v) for v in signed]


def assert_cast(got: np.ndarray[Any, Any], values: list[Any], source: str, target: str, mode: str) -> None:
    for one, value in zip(got.tolist(), values, strict=True):
        wanted = exact_cast(value, source, target, mode)
        same = one == wanted and math.copysign(1, one) == math.copysign(1, wanted)
        assert same or (math.isnan(one) and math.isnan(wanted)), f"{source} {value!r} to {target} by {mode}: {one!r}"


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_hard_values_in_a_kernel(source: str, target: str) -> None:
    """Every round mode of every pair, bit for bit, the sign of zero included."""
    values = hard_values(source, target)
    count = len(values)
    x = np.zeros(-(-count // 32) * 32, numpy_of(source))
    x[:count] = values
    for mode in MODES[source, target]:
        z, _ = on_ub(
            lambda z, x, m=mode: asc.cast(z, x, asc.RoundMode[f"CAST_{m}"], count),
            np.zeros(x.size, numpy_of(target)),
            x,
        )

        assert_cast(z[:count], values, source, target, mode)


@looped("cast")
@pytest.mark.parametrize(("source", "target"), PAIRS)
@given(data=st.data())
def test_any_bits(source: str, target: str, data: st.DataObject) -> None:
    """All bit patterns of the source are values, and every mode rounds them as fractions do."""
    kind = numpy_of(source)
    bits = data.draw(st.lists(st.integers(0, 2 ** (8 * kind.itemsize) - 1), min_size=1, max_size=20))
    x = np.array(bits, f"u{kind.itemsize}").view(kind)
    values = [v if kind.kind in "iu" else float(v) for v in x.tolist()]
    for mode in MODES[source, target]:
        with np.errstate(all="ignore"):
            z = asc.cast.compute(x, asc.dtype(target), asc.RoundMode[f"CAST_{mode}"])

        assert z.dtype == numpy_of(target)
        assert_cast(z, values, source, target, mode)


def test_there_are_exactly_these_pairs() -> None:
    """The instruction declares the pairs of the reference, one of them with a scale, two of int4, and no others."""
    others = {("int32", "float16"), ("int4", "float16"), ("float16", "int4")}

    assert {(s.name, d.name) for d, s in asc.cast.dtypes} == {*MODES, *others}


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_other_modes_are_refused(source: str, target: str) -> None:
    """The message lists the modes there are."""
    there = MODES[source, target]
    others = [m.name for m in asc.RoundMode if m.name.removeprefix("CAST_") not in there]
    listed = ", ".join(f"CAST_{m}" for m in there)

    tensors = np.zeros(32, numpy_of(target)), np.zeros(32, numpy_of(source))

    for other in others:
        with refused(asc.DtypeError, f"cast: {source} to {target} has no {other}; round modes there are: {listed}"):
            on_ub(lambda z, x, m=other: asc.cast(z, x, asc.RoundMode[m], 8), *tensors)


def test_a_pair_that_does_not_exist_is_refused() -> None:
    """The message lists where the source can go."""
    with refused(asc.DtypeError, "cast: there is no conversion from int8 to float32; from int8 there is: float16"):
        on_ub(lambda z, x: asc.cast(z, x, asc.RoundMode.CAST_NONE, 8), np.zeros(8, np.float32), np.zeros(32, np.int8))
    with refused(asc.DtypeError, "cast: there is no conversion from uint64 to int32; from uint64 there is: nothing"):
        on_ub(lambda z, x: asc.cast(z, x, asc.RoundMode.CAST_NONE, 8), np.zeros(8, np.int32), np.zeros(8, np.uint64))
