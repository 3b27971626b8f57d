"""The catalogue of functional behaviour, F14 to F17: conversions between element types, exactly."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ascendc as asc
from tests.block import on_ub
from tests.inventory import worked
from tests.refusals import refused

F16, F32, BF16 = np.float16, np.float32, ml_dtypes.bfloat16


def _cast(values: list[float], source: Any, target: Any, mode: str) -> list[Any]:
    count = len(values)
    there, here = np.zeros(32 * -(-count // 32), target), np.zeros(32 * -(-count // 32), source)
    here[:count] = values
    return on_ub(lambda z, x: asc.cast(z, x, asc.RoundMode[f"CAST_{mode}"], count), there, here)[0][:count].tolist()


@worked("cast")
class TestCast:
    """F14 to F17."""

    @pytest.mark.parametrize("source", [F16, F32])
    @pytest.mark.parametrize(
        ("mode", "wanted"),
        [
            ("RINT", [1, 2, 2, 2, 2, 3, -2, -2, 0, 0]),
            ("FLOOR", [1, 1, 1, 2, 2, 2, -2, -3, -1, 0]),
            ("CEIL", [2, 2, 2, 3, 3, 3, -1, -2, 0, 1]),
            ("ROUND", [1, 2, 2, 2, 3, 3, -2, -3, -1, 1]),
            ("TRUNC", [1, 1, 1, 2, 2, 2, -1, -2, 0, 0]),
        ],
    )
    def test_f14_round_modes(self, source: Any, mode: str, wanted: list[int]) -> None:
        """RINT breaks ties to even, ROUND away from zero."""
        values = [1.4, 1.5, 1.6, 2.4, 2.5, 2.6, -1.5, -2.5, -0.5, 0.5]

        assert _cast(values, source, np.int32, mode) == wanted

    @pytest.mark.parametrize(
        ("source", "value", "target", "wanted"),
        [
            (F16, 127.5, np.int8, 127),
            (F16, -300, np.int8, -128),
            (F16, 300, np.uint8, 255),
            (F16, -1, np.uint8, 0),
            (F32, 4194304.5, np.int16, 32767),
            (F32, 2.0**31, np.int32, 2147483647),
            (F32, -(2.0**40), np.int32, -2147483648),
            (F32, 2.0**70, np.int64, 2**63 - 1),
            (F32, -np.inf, np.int64, -(2**63)),
            (np.int64, 2**31, np.int32, 2147483647),
            (np.int32, 70000, np.int16, 32767),
            (np.int32, -70000, np.int16, -32768),
        ],
    )
    def test_f15_integers_saturate(self, source: Any, value: float, target: Any, wanted: int) -> None:
        """Beyond the range is its end; NaN is 0."""
        mode = "NONE" if np.dtype(source).kind == "i" else "RINT"

        assert _cast([value], source, target, mode) == [wanted]

    @pytest.mark.parametrize(
        ("source", "target"),
        [
            *[(F16, target) for target in (np.int8, np.uint8, np.int16, np.int32)],
            *[(F32, target) for target in (np.int16, np.int32, np.int64)],
            (BF16, np.int32),
        ],
    )
    def test_f15_infinities_are_the_ends_and_nan_is_zero(self, source: Any, target: Any) -> None:
        """Every pair from a float to an integer."""
        limits = np.iinfo(target)

        assert _cast([np.inf, -np.inf, np.nan], source, target, "RINT") == [limits.max, limits.min, 0]

    @pytest.mark.parametrize(
        ("source", "value", "target", "mode", "wanted"),
        [
            (F32, 259, BF16, "RINT", 260),
            (F32, -259, BF16, "RINT", -260),
            (F32, 33000, BF16, "RINT", 33024),
            (F32, 1.75, BF16, "RINT", 1.75),
            (np.int32, 16777217, F32, "RINT", 16777216),
            *[(np.int32, 33554435, F32, m, 33554436) for m in ("RINT", "CEIL", "ROUND")],
            *[(np.int32, 33554435, F32, m, 33554432) for m in ("FLOOR", "TRUNC")],
            (np.int16, 4098, F16, "RINT", 4096),
            *[(np.int16, 4098, F16, m, 4100) for m in ("CEIL", "ROUND")],
        ],
    )
    def test_f16_floats_round_as_the_mode_says(
        self, source: Any, value: float, target: Any, mode: str, wanted: float
    ) -> None:
        """Also where the type has too few digits for an integer."""
        assert _cast([value], source, target, mode) == [wanted]

    def test_f17_repeats_count_the_wider_type(self) -> None:
        """half to int32 does 64 lanes a repeat: eight blocks out, four in."""
        _, z = on_ub(
            lambda x, z: asc.cast(z, x, asc.RoundMode.CAST_RINT, 64, 4, asc.UnaryRepeatParams(1, 1, 8, 4)),
            np.arange(256).astype(F16),
            np.full(256, -1, np.int32),
        )

        assert z.tolist() == list(range(256))

    def test_f17_a_stride_of_eight_skips_and_needs_more(self) -> None:
        """It reads every other half of the source, up to element 448."""
        params = asc.UnaryRepeatParams(1, 1, 8, 8)
        body: Any = lambda x, z: asc.cast(z, x, asc.RoundMode.CAST_RINT, 64, 4, params)  # noqa: E731
        _, z = on_ub(body, np.arange(448).astype(F16), np.zeros(256, np.int32))

        assert z[64:128].tolist() == list(range(128, 192))
        with refused(asc.OutOfBoundsError, "src of cast", "448 x float16", "(447)"):
            on_ub(body, np.arange(447).astype(F16), np.zeros(256, np.int32))
