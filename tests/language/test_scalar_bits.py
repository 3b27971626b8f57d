"""The scalar unit's own arithmetic, against Python's text of the bits."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendc as asc
from tests.block import on_ub, program_of
from tests.exact import exact_cast
from tests.inventory import looped, worked


def of(call: Any) -> Any:
    """What ``call`` gives inside a kernel."""
    seen: list[Any] = []
    on_ub(lambda: seen.append(call()))
    return seen[0]


@looped("scalar_get_count_of_value", "scalar_get_sff_value", "scalar_count_leading_zero")
@given(value=st.one_of(st.integers(0, 2**64 - 1), st.sampled_from([0, 1, 2**63, 2**64 - 1])), bit=st.integers(0, 1))
def test_counts_of_unsigned_numbers(value: int, bit: int) -> None:
    """Places are counted from the lowest bit, leading zeros from the highest."""
    text = f"{value:064b}"

    assert of(lambda: asc.scalar_get_count_of_value(value, bit)) == text.count(str(bit))
    assert of(lambda: asc.scalar_get_sff_value(value, bit)) == text[::-1].find(str(bit))
    assert of(lambda: asc.scalar_count_leading_zero(value)) == len(text) - len(text.lstrip("0"))


@looped("count_bits_cnt_same_as_sign_bit")
@given(value=st.one_of(st.integers(-(2**63), 2**63 - 1), st.sampled_from([0, -1, 1, -(2**63)])))
def test_bits_like_the_sign(value: int) -> None:
    """Those behind the sign bit, up to the first other one; −1 if there is no other one."""
    sign, *rest = f"{value % 2**64:064b}"
    wanted = next((i for i, bit in enumerate(rest) if bit != sign), -1)

    assert of(lambda: asc.count_bits_cnt_same_as_sign_bit(value)) == wanted


@worked("scalar_cast")
@pytest.mark.parametrize(
    ("value", "kind", "mode", "wanted"),
    [
        (2.5, asc.int32, "CAST_RINT", 2),
        (2.5, asc.int32, "CAST_ROUND", 3),
        (-2.5, asc.int32, "CAST_FLOOR", -3),
        (-2.5, asc.int32, "CAST_TRUNC", -2),
        (2.1, asc.int32, "CAST_CEIL", 3),
        (1e20, asc.int32, "CAST_RINT", 2**31 - 1),
        (0.1, asc.half, "CAST_RINT", 0.0999755859375),
        (65520.0, asc.half, "CAST_RINT", np.inf),
    ],
)
def test_scalar_cast(value: float, kind: Any, mode: str, wanted: float) -> None:
    """As ``cast`` does it: integers saturate, halves overflow."""
    assert of(lambda: asc.scalar_cast(value, kind, asc.RoundMode[mode])) == wanted


@looped("scalar_cast")
@given(
    value=st.floats(width=32),
    to=st.sampled_from(["float16", "int32"]),
    mode=st.sampled_from(["RINT", "FLOOR", "CEIL", "ROUND", "TRUNC"]),
)
def test_scalar_cast_is_exact(value: float, to: str, mode: str) -> None:
    """Any float32, as fractions are rounded."""
    wanted = exact_cast(value, "float32", to, mode)
    got = of(lambda: asc.scalar_cast(value, asc.dtype(to), asc.RoundMode[f"CAST_{mode}"]))

    assert got == wanted or (np.isnan(got) and np.isnan(wanted))


@worked(
    "count_bits_cnt_same_as_sign_bit", "scalar_count_leading_zero", "scalar_get_count_of_value", "scalar_get_sff_value"
)
def test_bits_of_twelve() -> None:
    """12 is 0b1100: two ones, the lowest at 2, 60 zeros above, 59 of them below the sign and like it."""
    assert of(lambda: asc.scalar_get_count_of_value(12, 1)) == 2
    assert of(lambda: asc.scalar_get_sff_value(12, 1)) == 2
    assert of(lambda: asc.scalar_count_leading_zero(12)) == 60
    assert of(lambda: asc.count_bits_cnt_same_as_sign_bit(12)) == 59


def test_each_is_one_scalar_row() -> None:
    """One cycle on the demo chip."""
    (row,) = program_of(lambda: asc.scalar_count_leading_zero(1)).blocks[0]

    assert row.template.op.demand(row.template, (), asc.HardwareSpec.load("demo")).occupancy == 1


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (
            lambda: asc.scalar_get_sff_value(1, 2),
            asc.RangeError,
            "scalar_get_sff_value: count_value must be 0 or 1, got",
        ),
        (
            lambda: asc.scalar_count_leading_zero(-1),
            asc.RangeError,
            "scalar_count_leading_zero: value_in must be a whole number of 0 to 18446744073709551615, got -1",
        ),
        (
            lambda: asc.scalar_cast(1.0, asc.int8, asc.RoundMode.CAST_RINT),
            asc.DtypeError,
            "scalar_cast: dtype is int8; supported: float16, int32",
        ),
        (
            lambda: asc.scalar_cast(1.0, asc.half, 1),
            asc.UsageError,
            "scalar_cast: round_mode must be a RoundMode, as RoundMode.CAST_NONE, got 1",
        ),
    ],
)
def test_bad_input(call: Any, error: type[Exception], text: str) -> None:
    """Each with its message."""
    with pytest.raises(error, match="^" + re.escape(text)):
        on_ub(call)


def test_what_a_kernel_may_ask_about_the_chip() -> None:
    """Blocks of 32 bytes; architecture 2201; the demo chip's has no number."""
    seen: list[Any] = []
    for chip in ("Ascend910B1", "demo"):
        on_ub(lambda: seen.append((asc.get_data_block_size_in_bytes(), asc.get_arch_version(7))), chip=chip)

    assert seen == [(32, 2201), (32, 7)]
