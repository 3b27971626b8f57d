"""Infinities, NaN, −0 and subnormal numbers: what every instruction on floats makes of them, to the sign of zero."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ascendc as asc
from ascendc import CMPMODE, ReduceOrder
from ascendc.language.isa.vector import VectorOp
from tests.block import on_ub

F16, F32 = np.float16, np.float32
NAN, INF, TINY, MOST = math.nan, math.inf, 2.0**-149, float(np.finfo(F32).max)

ONE = [NAN, INF, -INF, 0.0, -0.0, TINY, -TINY]
"""What the instructions with one source are given."""

UNARY: dict[str, list[float]] = {
    "abs": [NAN, INF, INF, 0.0, 0.0, TINY, TINY],
    "exp": [NAN, INF, 0.0, 1, 1, 1, 1],
    "ln": [NAN, INF, NAN, -INF, -INF, -103.27893, NAN],
    "sqrt": [NAN, INF, NAN, 0.0, -0.0, 2.0**-74.5, NAN],
    "rsqrt": [NAN, 0.0, NAN, INF, -INF, 2.0**74.5, NAN],
    "reciprocal": [NAN, 0.0, -0.0, INF, -INF, INF, -INF],
    "relu": [NAN, INF, 0.0, 0.0, 0.0, TINY, 0.0],
}

SCALAR: dict[str, tuple[float, list[float]]] = {
    "adds": (INF, [NAN, INF, NAN, INF, INF, INF, INF]),
    "muls": (0.0, [NAN, NAN, NAN, 0.0, -0.0, 0.0, -0.0]),
    "maxs": (0.0, [NAN, INF, 0.0, 0.0, 0.0, TINY, 0.0]),
    "mins": (0.0, [NAN, 0.0, -INF, 0.0, -0.0, 0.0, -TINY]),
    "leaky_relu": (2.0, [NAN, INF, -INF, 0.0, -0.0, TINY, -2 * TINY]),
    "axpy": (INF, [NAN, INF, -INF, NAN, NAN, INF, -INF]),  # added to 1
}
"""A number, and what comes out."""

LEFT = [NAN, INF, INF, -0.0, 0.0, TINY, MOST]
RIGHT = [1, -INF, INF, -0.0, -0.0, TINY, MOST]

BINARY: dict[str, list[float]] = {
    "add": [NAN, NAN, INF, -0.0, 0.0, 2 * TINY, INF],
    "sub": [NAN, INF, NAN, 0.0, 0.0, 0.0, 0.0],
    "mul": [NAN, -INF, INF, 0.0, -0.0, 0.0, INF],
    "div": [NAN, NAN, NAN, NAN, NAN, 1, 1],
    "max": [NAN, INF, INF, -0.0, 0.0, TINY, MOST],
    "min": [NAN, -INF, INF, -0.0, -0.0, TINY, MOST],
    "add_relu": [NAN, NAN, INF, 0.0, 0.0, 2 * TINY, INF],
    "sub_relu": [NAN, INF, NAN, 0.0, 0.0, 0.0, 0.0],
    "mul_add_dst": [NAN, -INF, INF, 1, 1, 1, INF],  # the multiply-adds start from dst = 1
    "fused_mul_add": [NAN, NAN, INF, -0.0, 0.0, 2 * TINY, INF],
    "fused_mul_add_relu": [NAN, NAN, INF, 0.0, 0.0, 2 * TINY, INF],
    "add_relu_cast": [NAN, NAN, INF, 0.0, 0.0, 0.0, INF],  # in float16
    "sub_relu_cast": [NAN, INF, NAN, 0.0, 0.0, 0.0, 0.0],
}

MOVED = {
    *("brcb", "copy", "duplicate", "gather", "gather_mask", "get_cmp_mask", "scatter", "select", "set_cmp_mask"),
    *("trans_data_to_5hd", "transpose"),
}
"""What moves elements as they are."""

OTHERS = {
    "mul_cast": "test_products_in_integers",
    "create_vec_index": "test_rising_from_no_number",
    "compare": "test_comparisons",
    "compare_scalar": "test_comparisons",
    "cast": "test_vector_cast.py",
    "cast_deq": "from integers; a NaN as scale is in test_vector_dequant.py",
    "add_deq_relu": "from integers; a product beyond float16 is in test_vector_dequant.py",
    "sort32": "test_scores_that_are_no_number_come_last",
    "mrg_sort": "test_scores_that_are_no_number_come_last",
    **{f"{level}_reduce_{name}": "TestReductions" for level in ("whole", "block") for name in ("sum", "max", "min")},
    **{f"reduce_{name}": "TestReductions" for name in ("sum", "max", "min")},
    **{f"{level}_reduce_sum": "TestReductions" for level in ("pair", "repeat")},
}
"""The rest, and where it is shown."""


def lanes(values: list[float], kind: Any = F32) -> NDArray[Any]:
    out = np.ones(64, kind)
    with np.errstate(over="ignore"):
        out[: len(values)] = values
    return out


def assert_lanes(got: NDArray[Any], wanted: list[float]) -> None:
    """The same numbers, NaN where NaN, zeros of the same sign."""
    there = np.array(wanted, got.dtype)
    assert np.array_equal(got[: len(wanted)], there, equal_nan=True), got[: len(wanted)]
    zero = there == 0
    assert np.array_equal(np.signbit(got[: len(wanted)][zero]), np.signbit(there[zero])), got[: len(wanted)]


def test_every_instruction_on_floats_is_somewhere() -> None:
    """In a table of this file, among those that only move, or named with its place."""
    floats = {
        n for n, op in asc.ISA.items() if isinstance(op, VectorOp) and any(k.is_float for s in op.dtypes for k in s)
    }

    told = [*UNARY, *SCALAR, *BINARY, *MOVED, *OTHERS]
    assert sorted(told) == sorted(floats)


@pytest.mark.parametrize("name", UNARY)
def test_one_source(name: str) -> None:
    """Subnormal numbers are numbers; the root and the inverse of −0 keep its sign."""
    z, _ = on_ub(lambda z, x: asc.ISA[name](z, x, len(ONE)), lanes([]), lanes(ONE))

    assert_lanes(z, UNARY[name])


@pytest.mark.parametrize("name", SCALAR)
def test_a_source_and_a_number(name: str) -> None:
    """∞ − ∞, 0 · ∞ and NaN are NaN; of two zeros −0 is the smaller."""
    number, wanted = SCALAR[name]
    z, _ = on_ub(lambda z, x: asc.ISA[name](z, x, number, len(ONE)), lanes([]), lanes(ONE))

    assert_lanes(z, wanted)


@pytest.mark.parametrize("name", BINARY)
def test_two_sources(name: str) -> None:
    """As IEEE has it; what is rectified has no −0."""
    kind = F16 if name.endswith("cast") else F32
    z, *_ = on_ub(lambda z, x, y: asc.ISA[name](z, x, y, len(LEFT)), lanes([], kind), lanes(LEFT), lanes(RIGHT))

    assert_lanes(z, BINARY[name])


def test_products_in_integers() -> None:
    """NaN is 0, infinities the ends of the type."""
    x = lanes([NAN, INF, -INF, -0.0], F16)
    z, *_ = on_ub(lambda z, x, y: asc.mul_cast(z, x, y, 4), np.ones(64, np.int8), x, lanes([], F16))

    assert z[:4].tolist() == [0, 127, -128, 0]


@pytest.mark.parametrize("first", [NAN, INF, -INF])
def test_rising_from_no_number(first: float) -> None:
    """What is no number does not rise."""
    (z,) = on_ub(lambda z: asc.create_vec_index(z, first, 4), lanes([]))

    assert_lanes(z, [first] * 4)


@pytest.mark.parametrize(
    ("mode", "bits"),
    [("EQ", 0b11110), ("NE", 0b00001), ("LT", 0), ("GT", 0), ("LE", 0b11110), ("GE", 0b11110)],
)
def test_comparisons(mode: str, bits: int) -> None:
    """NaN is unlike everything, itself too; infinities and subnormals are like themselves; +0 is −0."""
    x, y = lanes([NAN, INF, -INF, 0.0, TINY]), lanes([NAN, INF, -INF, -0.0, TINY])
    both, *_ = on_ub(lambda d, x, y: asc.compare(d, x, y, CMPMODE[mode], 64), np.zeros(32, np.uint8), x, y)
    one, _ = on_ub(lambda d, x: asc.compare_scalar(d, x, NAN, CMPMODE[mode], 64), np.zeros(32, np.uint8), x)

    assert both[0] & 0b11111 == bits
    assert one[0] == (255 if mode == "NE" else 0)


class TestReductions:
    """Over lanes of which some are special."""

    def reduced(self, name: str, values: list[float]) -> float:
        """One number, from each instruction's own form."""
        op = asc.ISA[name]

        def body(z: Any, x: Any) -> None:
            if name in ("reduce_sum", "reduce_max", "reduce_min"):
                op(z, x, z[8:], 8)
            elif name.startswith("whole"):
                order = () if name.endswith("sum") else (ReduceOrder.ORDER_ONLY_VALUE,)
                op(z, x, 8, 1, 1, 1, 8, *order)
            elif name.startswith("repeat"):
                op(z, x, 1, 8, 1, 1, 1, 8)
            else:
                op(z, x, 1, 8, 1, 1, 8)

        z, _ = on_ub(body, lanes([]), lanes(values))
        return float(z[0])

    @pytest.mark.parametrize("name", [n for n in OTHERS if n.endswith("reduce_sum")])
    def test_sums(self, name: str) -> None:
        """Of ∞ and −∞ NaN, of −0 alone −0, of subnormals their sum."""
        pair = name.startswith("pair")
        assert math.isnan(self.reduced(name, [INF, -INF, 1, 1, 1, 1, 1, 1]))
        assert math.copysign(1, self.reduced(name, [-0.0] * 8)) == -1
        assert self.reduced(name, [TINY] * 8) == (2 if pair else 8) * TINY

    @pytest.mark.parametrize(
        "name", [n for n in OTHERS if n.endswith(("reduce_max", "reduce_min")) or n == "reduce_max"]
    )
    def test_extremes(self, name: str) -> None:
        """NaN if a lane is; ∞ and −∞ in order; of zeros the first one, wherever the other sign stands."""
        most = name.endswith("max")
        assert math.isnan(self.reduced(name, [1, 2, NAN, INF, -INF, 3, 4, 5]))
        assert self.reduced(name, [1, -INF, TINY, INF, 0, 3, 4, 5]) == (INF if most else -INF)
        for at in range(8):
            zeros = [-0.0 if (i == at) != (at % 2 == 0) else 0.0 for i in range(8)]
            assert math.copysign(1, self.reduced(name, zeros)) == math.copysign(1, zeros[0])


def test_scores_that_are_no_number_come_last() -> None:
    """∞ first, then 1, then −∞, then NaN; the zeros are equal and stay in turn, in one run and in two merged."""
    scores = np.zeros(64, F32)
    scores[:4] = [NAN, -INF, 1, INF]
    scores[4:6] = [-0.0, 0.0]

    def body(merged: Any, runs: Any, score: Any, index: Any) -> None:
        asc.sort32(runs, score, index, 2)
        lists = asc.MrgSortSrcList(asc.float32, runs, runs[64:])
        asc.mrg_sort(merged, lists, asc.MrgSort4Info([32, 32, 0, 0], False, 0b11, 1))

    zeros = np.zeros(128, F32)
    merged, runs, *_ = on_ub(body, zeros, zeros, scores, np.arange(64, dtype=np.uint32))

    assert runs.view(np.uint32)[1:64:2].tolist() == [3, 2, *range(4, 32), 1, 0]
    assert merged.view(np.uint32)[1::2].tolist() == [3, 2, *range(4, 64), 1, 0]


@pytest.mark.parametrize("kind", [F16, F32])
def test_what_moves_elements_keeps_their_bits(kind: Any) -> None:
    """A NaN with a payload, −0, ∞ and a subnormal, through all that only moves."""
    unit = np.dtype(f"u{kind().itemsize}")
    quiet = int(np.array([NAN], kind).view(unit)[0]) | 0x15
    bits = np.resize(np.array([quiet, 1 << 8 * unit.itemsize - 1, *lanes([INF, 0], kind)[:1].view(unit), 1], unit), 256)

    def body(z: Any, x: Any, offset: Any, mask: Any, *made: Any) -> None:
        for out in (z, *made):
            asc.duplicate(out, 0, 256)
        asc.copy(made[0], x, 64, 1, asc.CopyRepeatParams(1, 1, 8, 8))
        asc.gather(made[1], x, offset, 0, 64)
        asc.gather_mask(made[2], x, 7, False, 0, asc.GatherMaskParams())
        asc.select(made[3], mask, x, z, asc.SelMode.VSEL_TENSOR_TENSOR_MODE, 64)
        asc.scatter(made[4], x, offset, 0, 64)

    offset = np.arange(64, dtype=np.uint32) * np.uint32(unit.itemsize)
    _, _, _, _, *made = on_ub(
        body, np.zeros(256, kind), bits.view(kind), offset, np.full(32, 255, np.uint8), *[np.zeros(256, kind)] * 5
    )

    assert [m.view(unit)[:64].tolist() for m in made] == [bits[:64].tolist()] * 5
