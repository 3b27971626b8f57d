"""The catalogue of functional behaviour, F44: a number of the launch arrives as its parameter's type holds it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendc as asc
from ascendc.language.declared import rounded


def arriving(kind: Any, value: Any) -> tuple[Any, tuple[asc.Finding, ...]]:
    """What a parameter annotated with ``kind`` is in the kernel, and what the launch says."""
    seen: list[Any] = []

    def body(v: Any) -> None:
        seen.append(v)

    body.__annotations__["v"] = kind
    program = asc.kernel(body).launch(1, value, chip="demo")
    return seen[0], program.findings


@pytest.mark.parametrize(
    ("kind", "value", "wanted"),
    [
        (asc.float16, 1.5, 1.5),
        (asc.float16, 0.1, 0.0999755859375),
        ("asc.float16", 0.1, 0.0999755859375),
        ("asc.half", np.float64(0.1), 0.0999755859375),
        (asc.float16, 65519, 65504.0),
        (asc.float16, -(2**-25), -0.0),
        (asc.bfloat16, 1 + 2**-8, 1.0),
        (asc.bfloat16, 1 + 2**-8 + 2**-40, 1 + 2**-7),
        (asc.float32, 2**24 + 1, 2.0**24),
        (asc.float32, np.inf, np.inf),
        (asc.int8, -128, -128),
        (asc.uint64, 2**64 - 1, 2**64 - 1),
        (asc.bool_, 2, True),
        (asc.int32, np.True_, 1),
        ("nowhere.Unknown", 0.1, 0.1),
        (float, 0.1, 0.1),
    ],
)
def test_f44_a_number_is_rounded_once_to_its_type(kind: Any, value: Any, wanted: float) -> None:
    """As a Python number, halves to even; an annotation that is no element type, or unknown, changes nothing."""
    found, findings = arriving(kind, value)

    assert (repr(found), findings) == (repr(wanted), ())


@pytest.mark.parametrize(
    ("kind", "value", "wanted"),
    [
        (asc.float16, 65520, np.inf),
        (asc.bfloat16, -3.4e38, -np.inf),
        (asc.float32, 10**400, np.inf),
    ],
    ids=["half", "bfloat16", "more than a double"],
)
def test_f44_a_number_that_becomes_infinite_is_warned_of(kind: Any, value: Any, wanted: float) -> None:
    """65504 is the largest half; from 65520 on the nearest number is infinity."""
    found, (finding,) = arriving(kind, value)

    assert found == wanted
    assert (finding.kind, finding.severity) == ("rounding", asc.Severity.WARNING)
    assert f"argument v is {value}, and {wanted} as {kind}" in finding.message


@pytest.mark.parametrize(("kind", "value"), [(asc.int8, 128), (asc.uint16, -1), (asc.int32, 2.5), (asc.int32, np.nan)])
def test_f44_an_integer_the_type_does_not_have_is_refused(kind: Any, value: Any) -> None:
    """At launch, before any block runs."""
    with pytest.raises(asc.RangeError, match=r"body: argument v is declared u?int.* got "):
        arriving(kind, value)


def test_f44_defaults_and_methods_are_rounded_and_arrays_are_not() -> None:
    """Whatever way a number comes; an array is memory, whatever its parameter is annotated with."""
    seen: list[Any] = []

    class Scaling:
        def body(self, x: Any, v: Any = 0.1) -> None:
            seen.extend((type(x), v))

    Scaling.body.__annotations__.update(dict.fromkeys(("x", "v", "return"), asc.float16))

    asc.kernel(Scaling().body).launch(1, np.zeros(16, np.float16), chip="demo")

    assert seen == [asc.GlobalAddress, 0.0999755859375]


@given(st.floats(allow_nan=False))
def test_f44_rounding_is_that_of_numpy(value: float) -> None:
    """For the types that NumPy rounds to in one step."""
    with np.errstate(over="ignore"):
        wanted = float(np.float16(value)), float(np.float32(value))

    assert repr((rounded(value, asc.float16), rounded(value, asc.float32))) == repr(wanted)
