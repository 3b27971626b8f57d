"""Fused, bitwise and shift instructions: one worked example each, rounding, special values, what is refused."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendc as asc
from ascendc.language.isa.multiply_add import multiply_add
from tests.block import on_ub
from tests.fused_lanes import nearest
from tests.inventory import worked
from tests.refusals import refused

F16, F32, I8, U8, I16, U16, I32, U32 = (
    *(np.float16, np.float32, np.int8, np.uint8),
    *(np.int16, np.uint16, np.int32, np.uint32),
)
NAN, INF = math.nan, math.inf

WORKED: list[tuple[str, Any, Any, list[Any], list[Any], list[Any]]] = [
    # instruction, type of dst, of the sources, src0, src1, dst; the multiply-adds start from dst = 2
    ("add_relu", F32, F32, [1, 2, -3], [10, -20, 1], [11, 0, 0]),
    ("add_relu", I16, I16, [32767, 5, -5], [1, 6, 1], [0, 11, 0]),
    ("sub_relu", F16, F16, [1, 2, 0.5], [10, -20, 0.25], [0, 22, 0.25]),
    ("sub_relu", I16, I16, [-32768, 5, 9], [1, 6, 1], [32767, 0, 8]),
    ("mul_add_dst", F32, F32, [3, -1, 0.5], [4, 8, 1], [14, -6, 2.5]),
    ("mul_add_dst", F16, F16, [3, -1, 0.5], [4, 8, 1], [14, -6, 2.5]),
    ("mul_add_dst", F32, F16, [300, -1, 0.5], [300, 8, 1], [90002, -6, 2.5]),
    ("fused_mul_add", F32, F32, [3, -1, 0.5], [4, 8, 1], [10, 6, 2]),
    ("fused_mul_add", F16, F16, [3, -1, 0.5], [4, 8, 1], [10, 6, 2]),
    ("fused_mul_add_relu", F32, F32, [3, -9, 0.5], [4, 8, 1], [10, 0, 2]),
    ("fused_mul_add_relu", F16, F16, [3, -9, 0.5], [4, 8, 1], [10, 0, 2]),
    ("mul_cast", I8, F16, [2.5, 100, -3], [1, 2, 1.5], [2, 127, -4]),
    ("mul_cast", U8, F16, [2.5, 100, -3], [1, 2, 1.5], [2, 200, 0]),
    ("add_relu_cast", F16, F32, [1, 65519, 65520], [1, 0, 0], [2, 65504, INF]),
    ("add_relu_cast", I8, F16, [1.5, 100, -3], [1, 100, 1], [2, 127, 0]),
    ("add_relu_cast", I8, I16, [7, 100, -3], [1, 100, 1], [8, 127, 0]),
    ("sub_relu_cast", F16, F32, [3, 1, -1], [1, 2, -70000], [2, 0, INF]),
    ("sub_relu_cast", I8, F16, [3.5, 1, 300], [1, 2, 1], [2, 0, 127]),
    ("sub_relu_cast", I8, I16, [300, 7, -3], [1, 2, 1], [127, 5, 0]),
    ("bitwise_and", U16, U16, [0b1100, 0xFFFF, 0], [0b1010, 0x0F0F, 7], [0b1000, 0x0F0F, 0]),
    ("bitwise_and", I16, I16, [-1, -2, 3], [5, -3, 1], [5, -4, 1]),
    ("bitwise_or", U16, U16, [0b1100, 0xF000, 0], [0b1010, 0x000F, 7], [0b1110, 0xF00F, 7]),
    ("bitwise_or", I16, I16, [-32768, 1, 0], [1, 2, 0], [-32767, 3, 0]),
]


@worked(*(row[0] for row in WORKED))
@pytest.mark.parametrize(("name", "to", "kind", "src0", "src1", "wanted"), WORKED)
def test_worked_example(name: str, to: Any, kind: Any, src0: Any, src1: Any, wanted: Any) -> None:
    """Three lanes by hand; the lanes after the count keep their 2."""
    op = getattr(asc, name)
    z, *_ = on_ub(
        lambda z, x, y: op(z, x, y, 3), np.full(4, 2, to), np.array([*src0, 0], kind), np.array([*src1, 0], kind)
    )

    assert z.tolist() == [*wanted, 2]


@worked("shift_left", "shift_right")
@pytest.mark.parametrize(
    ("name", "kind", "src", "scalar", "wanted"),
    [
        ("shift_left", I16, [1, -1, 0x4000], 1, [2, -2, -32768]),
        ("shift_left", U16, [1, 0xFFFF, 0x8000], 4, [16, 0xFFF0, 0]),
        ("shift_left", I32, [1, -1, 3], 31, [-(2**31), -(2**31), -(2**31)]),
        ("shift_left", U32, [1, 2**31, 7], 32, [0, 0, 0]),
        ("shift_right", I16, [8, -8, -1], 2, [2, -2, -1]),
        ("shift_right", U16, [8, 0xFFF8, 1], 2, [2, 0x3FFE, 0]),
        ("shift_right", I32, [8, -8, -1], 32, [0, -1, -1]),
        ("shift_right", U32, [8, 2**32 - 8, 1], 2, [2, 2**30 - 2, 0]),
    ],
)
def test_shifts(name: str, kind: Any, src: list[int], scalar: int, wanted: list[int]) -> None:
    """Signed elements keep their sign to the right; a shift by all bits leaves nothing else."""
    _, z = on_ub(lambda x, z: getattr(asc, name)(z, x, scalar, 3), np.array(src, kind), np.zeros(3, kind))

    assert z.tolist() == wanted


@worked("bitwise_not")
@pytest.mark.parametrize(("kind", "src", "wanted"), [(U16, [0, 0xFF00], [0xFFFF, 0xFF]), (I16, [0, -3], [-1, 2])])
def test_bitwise_not(kind: Any, src: list[int], wanted: list[int]) -> None:
    """Every bit turns."""
    _, z = on_ub(lambda x, z: asc.bitwise_not(z, x, 2), np.array(src, kind), np.zeros(2, kind))

    assert z.tolist() == wanted


class TestSpecialValues:
    """Infinity, NaN, −0 and subnormal numbers."""

    @pytest.mark.parametrize("name", ["add_relu", "sub_relu"])
    def test_rectified_sums(self, name: str) -> None:
        """NaN stays NaN, −∞ becomes 0, ∞ stays, −0 becomes +0, the smallest number stays."""
        tiny = 2.0**-149
        x, y = np.array([NAN, -INF, INF, -0.0, tiny], F32), np.zeros(5, F32)
        if name == "add_relu":
            y[3] = -0.0
        _, _, z = on_ub(lambda x, y, z: getattr(asc, name)(z, x, y, 5), x, y, np.ones(5, F32))

        assert math.isnan(z[0])
        assert z[1:].tolist() == [0, INF, 0, tiny]
        assert not np.signbit(z[1:]).any()

    def test_multiply_add(self) -> None:
        """0 · ∞ and ∞ − ∞ are NaN, a product beyond the type is not if the sum comes back, −0 − 0 is −0."""
        z = np.array([1, -INF, -3e38, -0.0, 2.0**-149], F32)
        x = np.array([0, INF, 2e19, -0.0, 2.0**-100], F32)
        y = np.array([INF, 1, 2e19, 1, 2.0**-49], F32)
        z, _, _ = on_ub(lambda z, x, y: asc.mul_add_dst(z, x, y, 5), z, x, y)

        assert np.isnan(z[:2]).all()
        assert z[2] == F32(float(F32(2e19)) ** 2 + float(F32(-3e38)))
        assert z[3] == 0
        assert np.signbit(z[3])
        assert z[4] == 2.0**-148

    def test_casts_of_no_number(self) -> None:
        """NaN is 0, infinities are the ends of the type."""
        x = np.array([NAN, INF, -INF], F16)
        z, _, _ = on_ub(lambda z, x, y: asc.mul_cast(z, x, y, 3), np.ones(3, I8), x, np.ones(3, F16))

        assert z.tolist() == [0, 127, -128]

    def test_sums_round_before_they_are_converted(self) -> None:
        """2048 + 0.5 is 2048 in half, so that 2048.5 never reaches the cast; 1 + 2^-24 is 1 in float."""
        z, _, _ = on_ub(
            lambda z, x, y: asc.add_relu_cast(z, x, y, 2),
            np.zeros(2, F16),
            np.array([1, 1.00048828125], F32),
            np.array([2.0**-24, 2.0**-30], F32),
        )

        assert z.tolist() == [1, 1]  # 1 + 2^-11 is a tie of half, and goes to the even 1


PARTS = st.tuples(st.integers(1, 2**24 - 1), st.integers(-30, 6), st.booleans())


def number(parts: tuple[int, int, bool]) -> float:
    return math.ldexp(-parts[0] if parts[2] else parts[0], parts[1])


@given(a=PARTS, b=PARTS, c=PARTS)
def test_multiply_add_rounds_once(a: Any, b: Any, c: Any) -> None:
    """As the exact sum, for floats of any size to each other."""
    values = [np.array([number(p)], F32) for p in (a, b, c)]
    exact = Fraction(number(a)) * Fraction(number(b)) + Fraction(number(c))

    assert multiply_add(*values, np.dtype(F32))[0] == nearest(exact, np.dtype(F32))


@given(a=st.integers(1, 2**23 - 1), k=st.integers(12, 23), sign=st.sampled_from([1, -1]))
def test_multiply_add_is_right_beside_a_tie(a: int, k: int, sign: int) -> None:
    """A hair from half a step above or below any number of 1 to 2, where float64 alone would see the tie."""
    one, up, down = 1 + a * 2.0**-23, sign * 2.0**-24 * (1 + 2.0**-k), 1 - 2.0**-k
    exact = Fraction(one) + Fraction(up) * Fraction(down)

    got = multiply_add(np.array([up], F32), np.array([down], F32), np.array([one], F32), np.dtype(F32))
    assert got[0] == nearest(exact, np.dtype(F32))


def test_multiply_add_sees_what_float64_drops() -> None:
    """1 + 2^-23 and just less than half a step: by way of float64 it would be a tie, and go to 1 + 2^-22."""
    z, x, y = (np.array([v], F32) for v in (1 + 2.0**-23, 2.0**-24 * (1 + 2.0**-23), 1 - 2.0**-23))
    z, _, _ = on_ub(lambda z, x, y: asc.mul_add_dst(z, x, y, 1), z, x, y)

    assert z[0] == 1 + 2.0**-23


class TestRefusals:
    """Types the chip does not have, and shifts that are none."""

    @pytest.mark.parametrize("name", ["add_relu", "mul_add_dst", "fused_mul_add", "fused_mul_add_relu", "sub_relu"])
    def test_bfloat16_has_no_arithmetic(self, name: str) -> None:
        """The message names the types there are."""
        with pytest.raises(asc.DtypeError, match=rf"^{name}: dst is bfloat16; supported: .*float16, float32"):
            on_ub(lambda x: getattr(asc, name)(x, x, x, 16), np.zeros(16, asc.bfloat16.numpy))

    @pytest.mark.parametrize(
        ("name", "to", "kind", "text"),
        [
            ("mul_cast", I16, F16, "mul_cast: dst is int16; supported: int8, uint8"),
            ("mul_cast", I8, F32, "mul_cast: src0 is float32; supported beside dst of int8: float16"),
            ("add_relu_cast", U8, F16, "add_relu_cast: dst is uint8; supported: float16, int8"),
            ("sub_relu_cast", I8, F32, "sub_relu_cast: src0 is float32; supported beside dst of int8: float16, int16"),
            ("mul_add_dst", F16, F32, "mul_add_dst: src0 is float32; supported beside dst of float16: float16"),
            ("fused_mul_add", F32, F16, "fused_mul_add: src0 is float16; supported beside dst of float32: float32"),
            ("bitwise_and", I32, I32, "bitwise_and: dst is int32; supported: int16, uint16"),
            ("add_relu", I32, I32, "add_relu: dst is int32; supported: int16, float16, float32"),
        ],
    )
    def test_wrong_types_are_refused(self, name: str, to: Any, kind: Any, text: str) -> None:
        """Each by the operand that does not fit, with those that would."""
        with refused(asc.DtypeError, text):
            on_ub(lambda z, x: getattr(asc, name)(z, x, x, 16), np.zeros(16, to), np.zeros(16, kind))

    @pytest.mark.parametrize("scalar", [-1, 17])
    def test_a_shift_beyond_the_element_is_refused(self, scalar: int) -> None:
        """0 to 16 bits of an int16."""
        with refused(asc.RangeError, f"scalar must be 0 to 16, the bits of an element of int16, got {scalar}"):
            on_ub(lambda x: asc.shift_left(x, x, scalar, 16), np.zeros(16, I16))

    def test_int16_sums_may_not_run_into_themselves(self) -> None:
        """Accumulation by a repeat stride of 0 is there for half, float and int32 only."""
        params = asc.BinaryRepeatParams(1, 1, 1, 0, 8, 0)
        total = on_ub(lambda t, x: asc.add_relu(t, x, t, 64, 3, params), np.zeros(64, F32), np.ones(192, F32))[0]

        assert total.tolist() == [3] * 64
        with refused(asc.OverlapError, "add_relu: repeat 0 writes UB bytes [0, 256) of dst and repeat 1 reads"):
            on_ub(lambda t, x: asc.add_relu(t, x, t, 128, 3, params), np.zeros(128, I16), np.ones(384, I16))


@pytest.mark.parametrize("name", ["add_relu", "mul_add_dst", "fused_mul_add_relu", "bitwise_or", "sub_relu_cast"])
def test_nothing_asked_is_nothing_done(name: str) -> None:
    """count 0, mask 0 and repeat 0."""
    to, kind = (I8, I16) if name == "sub_relu_cast" else (I16, I16) if name == "bitwise_or" else (F32, F32)
    params = asc.BinaryRepeatParams()

    def body(z: Any, x: Any) -> None:
        op = getattr(asc, name)
        op(z, x, x, 0)
        op(z, x, x, 0, 3, params)
        op(z, x, x, 64, 0, params)

    z, _ = on_ub(body, np.full(16, 3, to), np.ones(16, kind))

    assert z.tolist() == [3] * 16
