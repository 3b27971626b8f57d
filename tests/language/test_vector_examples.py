"""Worked examples of the plain elementwise instructions, through a kernel, with literal numbers."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ascendc as asc
from ascendc.language.isa import vector_binary, vector_scalar, vector_unary
from tests.block import on_ub
from tests.inventory import worked
from tests.refusals import refused

_FAMILIES = (vector_binary, vector_scalar, vector_unary)
VECTOR: dict[str, Any] = {name: asc.ISA[name] for unit in _FAMILIES for name in unit.__all__}
F16, F32, I16, I32, BF16 = np.float16, np.float32, np.int16, np.int32, ml_dtypes.bfloat16
INF, NAN = np.inf, np.nan

BINARY = [
    ("add", F32, [1, 2, INF, -0.5], [10, 20, -INF, 0.25], [11, 22, NAN, -0.25]),
    ("add", F16, [2048, 2048, 65504], [1, 3, 16], [2048, 2052, INF]),
    ("add", I16, [32767, -32768, 5], [1, -1, -7], [-32768, 32767, -2]),
    ("add", I32, [2**31 - 1, 7], [1, 8], [-(2**31), 15]),
    ("sub", F32, [1, 2, INF], [10, 20, INF], [-9, -18, NAN]),
    ("sub", I16, [-32768, 5], [1, 7], [32767, -2]),
    ("mul", F16, [300, 3, -0.5], [300, 0.5, 0.5], [INF, 1.5, -0.25]),
    ("mul", I16, [256, 300, -3], [256, 300, 7], [0, 24464, -21]),
    ("mul", I32, [65536, 46341], [65536, 46341], [0, -2147479015]),
    ("div", F32, [1, 9, 1, 0, -1], [2, 3, 0, 0, 0], [0.5, 3, INF, NAN, -INF]),
    ("div", F16, [1, 2], [3, 3], [0.333251953125, 0.66650390625]),
    ("max", F32, [1, -2, NAN, 3], [0, -1, 5, NAN], [1, -1, NAN, NAN]),
    ("max", I16, [-32768, 7], [3, -7], [3, 7]),
    ("min", F32, [1, -2, NAN, 3], [0, -1, 5, NAN], [0, -2, NAN, NAN]),
    ("min", I32, [-(2**31), 7], [3, -7], [-(2**31), -7]),
]

SCALAR = [
    ("adds", F32, [1, 2], 10, [11, 12]),
    ("adds", I16, [32767, 0], 1, [-32768, 1]),
    ("adds", F16, [0, 1], 0.1, [0.0999755859375, 1.099609375]),
    ("muls", F32, [1, -2, INF], 0, [0, 0, NAN]),
    ("muls", I32, [2**30, 3], 4, [0, 12]),
    ("maxs", F32, [1, 20, NAN], 10, [10, 20, NAN]),
    ("maxs", I16, [-5, 5], -1, [-1, 5]),
    ("mins", F32, [1, 20, NAN], 10, [1, 10, NAN]),
    ("mins", F16, [1, 2], NAN, [NAN, NAN]),
    ("leaky_relu", F32, [-4, 2, -INF, NAN], 0.5, [-2, 2, -INF, NAN]),
    ("leaky_relu", F16, [-1, 0, 1], 0.001, [-0.0010004043579101562, 0, 1]),
]

UNARY = [
    ("abs", F32, [-1.5, 2, -INF, NAN], [1.5, 2, INF, NAN]),
    ("exp", F16, [11, 12, 0, -INF, 1], [59872, INF, 1, 0, 2.71875]),
    ("exp", F32, [1, -1], [2.7182817459106445, 0.3678794503211975]),
    ("ln", F32, [1, 0, -1, INF], [0, -INF, NAN, INF]),
    ("ln", F16, [10], [2.302734375]),
    ("sqrt", F32, [9, 2.25, -1, 2], [3, 1.5, NAN, 1.4142135381698608]),
    ("rsqrt", F32, [4, 0.25, 0, -1], [0.5, 2, INF, NAN]),
    ("rsqrt", F16, [3], [0.5771484375]),
    ("reciprocal", F32, [4, 0, INF, 3], [0.25, INF, 0, 0.3333333432674408]),
    ("relu", F32, [-1, 2, NAN, -INF], [0, 2, NAN, 0]),
    ("relu", I32, [-7, 7], [0, 7]),
]

FILL = [
    (F16, 0.1, 0.0999755859375),
    (F32, -INF, -INF),
    (BF16, 259, 260),
    (BF16, 1 + 2**-8, 1),
    (BF16, 1 + 2**-8 + 2**-40, 1 + 2**-7),
    (I16, -32768, -32768),
    (np.uint16, 65535, 65535),
    (I32, 7.0, 7),
    (np.uint32, 2**32 - 1, 2**32 - 1),
]


def block_of(kind: Any, values: list[Any]) -> np.ndarray[Any, Any]:
    """At least 32 bytes that begin with ``values``."""
    out = np.zeros(16, kind)
    out[: len(values)] = values
    return out


def assert_lanes(got: np.ndarray[Any, Any], wanted: list[Any]) -> None:
    assert np.array_equal(got[: len(wanted)].astype(np.float64), np.array(wanted, np.float64), equal_nan=True)


@worked(*(row[0] for row in BINARY))
@pytest.mark.parametrize(("name", "kind", "a", "b", "wanted"), BINARY)
def test_two_sources(name: str, kind: Any, a: list[Any], b: list[Any], wanted: list[Any]) -> None:
    """``dst[i]`` from ``src0[i]`` and ``src1[i]``."""
    z, *_ = on_ub(lambda *t: VECTOR[name](*t, len(a)), block_of(kind, []), block_of(kind, a), block_of(kind, b))

    assert_lanes(z, wanted)


@worked(*(row[0] for row in SCALAR))
@pytest.mark.parametrize(("name", "kind", "a", "number", "wanted"), SCALAR)
def test_a_source_and_a_number(name: str, kind: Any, a: list[Any], number: Any, wanted: list[Any]) -> None:
    """The number is rounded to the source's type first."""
    z, _ = on_ub(lambda z, x: VECTOR[name](z, x, number, len(a)), block_of(kind, []), block_of(kind, a))

    assert_lanes(z, wanted)


@worked("axpy")
@pytest.mark.parametrize(
    ("to", "of", "small", "wanted"),
    [(F32, F32, 2**-25, 1 + 2**-23), (F16, F16, 2**-24, 1), (F32, F16, 2**-24, 1 + 2**-22)],
)
def test_axpy(to: Any, of: Any, small: float, wanted: float) -> None:
    """dst + src · 4, rounded at the end only; halves into floats, too."""
    z, _ = on_ub(lambda z, x: asc.axpy(z, x, 4.0, 2), block_of(to, [2, 1]), block_of(of, [3, small]))

    assert_lanes(z, [14, wanted])


@worked(*(row[0] for row in UNARY))
@pytest.mark.parametrize(("name", "kind", "a", "wanted"), UNARY)
def test_one_source(name: str, kind: Any, a: list[Any], wanted: list[Any]) -> None:
    """``dst[i]`` from ``src[i]``."""
    z, _ = on_ub(lambda z, x: VECTOR[name](z, x, len(a)), block_of(kind, []), block_of(kind, a))

    assert_lanes(z, wanted)


@worked("duplicate")
@pytest.mark.parametrize(("kind", "number", "wanted"), FILL)
def test_duplicate(kind: Any, number: Any, wanted: Any) -> None:
    """The number in every lane, in the tensor's type; lanes behind the count stay."""
    (z,) = on_ub(lambda z: asc.duplicate(z, number, 5), block_of(kind, []))

    assert_lanes(z, [wanted] * 5 + [0] * 11)


@pytest.mark.parametrize("name", sorted(VECTOR))
def test_a_wrong_element_type_names_the_operand_and_the_choices(name: str) -> None:
    """The message is enough to fix the call."""
    op = VECTOR[name]
    number = () if not op.immediates else (1,)
    tensors = [np.zeros(32, np.int8)] * len(op.roles)
    choices = ", ".join(dict.fromkeys(signature[0].name for signature in op.dtypes))

    with refused(asc.DtypeError, f"{name}: dst is int8; supported: {choices}"):
        on_ub(lambda *t: op(*t, *number, 32), *tensors)


@pytest.mark.parametrize(("dst", "src"), [(F16, F32), (F32, F16)])
def test_mixed_element_types_are_refused(dst: Any, src: Any) -> None:
    """Only cast and axpy change types."""
    with refused(asc.DtypeError, "abs", "src", "float"):
        on_ub(lambda z, x: asc.abs(z, x, 8), np.zeros(16, dst), np.zeros(16, src))


@pytest.mark.parametrize("kind", [F16, F32])
@pytest.mark.parametrize(
    ("call", "negative"),
    [
        (lambda z, x, y: asc.max(z, x, y, 4), [False, False, False, True]),
        (lambda z, x, y: asc.min(z, x, y, 4), [False, True, True, True]),
        (lambda z, x, y: asc.maxs(z, y, 0.0, 4), [False, False, False, False]),
        (lambda z, x, y: asc.maxs(z, y, -0.0, 4), [False, False, True, True]),
        (lambda z, x, y: asc.mins(z, y, 0.0, 4), [False, False, True, True]),
        (lambda z, x, y: asc.relu(z, y, 4), [False, False, False, False]),
        (lambda z, x, y: asc.add_relu(z, y, y, 4), [False, False, False, False]),
    ],
)
def test_the_sign_of_a_zero(kind: Any, call: Any, negative: list[bool]) -> None:
    """−0 is smaller than +0 for every instruction that chooses, in every type."""
    x, y = block_of(kind, [0.0, -0.0, 0.0, -0.0]), block_of(kind, [0.0, 0.0, -0.0, -0.0])
    z, *_ = on_ub(call, block_of(kind, [7, 7, 7, 7]), x, y)

    assert np.signbit(z[:4]).tolist() == negative
    assert not z[:4].any()
