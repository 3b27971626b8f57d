"""What gathering, packing and scattering refuse."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import on_ub

U32, F16, F32 = np.uint32, np.float16, np.float32


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (
            lambda f, h, o: asc.gather(f, h, o, 0, 8),
            asc.DtypeError,
            "gather: src is float16; supported beside dst of float32: float32",
        ),
        (
            lambda f, h, o: asc.gather(f, f, f, 0, 8),
            asc.DtypeError,
            "gather: src_offset is float32; supported beside dst of float32: uint32",
        ),
        (lambda f, h, o: asc.gather(f, h, src_offset=o), asc.UsageError, "gather: src_base is missing"),
        (lambda f, h, o: asc.gather(f[64:], f, o, -4, 8), asc.RangeError, "gather: src_base must be a whole number of"),
        (lambda f, h, o: asc.gather(f[64:], f, o, 2, 8), asc.AlignmentError, "gather: offset 2 of lane 0 is no"),
        (
            lambda f, h, o: asc.gather(f[64:], f, o, 0, 65, 1, 8),
            asc.RangeError,
            "gather: mask 65 is beyond the 64 lanes",
        ),
        (lambda f, h, o: asc.gather(f[64:], f, o, 0, 64, 256, 8), asc.RangeError, "gather: repeat 256 > 255"),
        (
            lambda f, h, o: asc.gather(f[64:], f, o, 0, 65),
            asc.OutOfBoundsError,
            "dst of gather: needs 260 B (65 x float",
        ),
        (lambda f, h, o: asc.gather(f, f, o[64:], 0, 65), asc.OutOfBoundsError, "src_offset of gather: needs 260 B"),
        (lambda f, h, o: asc.gather(f[64:], f, o[1:], 0, 8), asc.AlignmentError, "src_offset of gather"),
        (lambda f, h, o: asc.gather(f, f, o, 0, 8), asc.OverlapError, "gather: dst UB bytes [0, 32) and src [0, 32)"),
        (
            lambda f, h, o: asc.gatherb(o, o, o, 1, 8),
            asc.UsageError,
            "gatherb: repeat_params must be a GatherRepeatPara",
        ),
        (
            lambda f, h, o: asc.gather_mask(f[64:], f, 8, False, 0, asc.GatherMaskParams()),
            asc.RangeError,
            "gather_mask: src1_pattern must be a LocalTensor or a built-in pattern, 1 to 7, got 8",
        ),
        (
            lambda f, h, o: asc.gather_mask(h[64:], h, o, False, 0, asc.GatherMaskParams()),
            asc.DtypeError,
            "gather_mask: src1_pattern is uint32; supported beside dst of float16: uint16",
        ),
        (
            lambda f, h, o: asc.gather_mask(f[64:], f, 1, False, 0, asc.GatherMaskParams(1, 256)),
            asc.RangeError,
            "gather_mask: repeat_times must be 0 to 255, got 256",
        ),
        (
            lambda f, h, o: asc.gather_mask(f[64:], f, 1, True, -1, asc.GatherMaskParams()),
            asc.RangeError,
            "gather_mask: mask must be 0 to 2^32 - 1 elements of a repeat, got -1",
        ),
        (
            lambda f, h, o: asc.gather_mask(f, f, 7, False, 0, asc.GatherMaskParams()),
            asc.OverlapError,
            "gather_mask: dst UB bytes [0, 256) and src0 [0, 256) overlap",
        ),
    ],
)
def test_bad_input(call: Any, error: type[Exception], text: str) -> None:
    """Each with its message, before anything is written."""
    numbers = np.zeros(128, F32)
    with pytest.raises(error, match="^" + re.escape(text)):
        on_ub(call, numbers, np.zeros(128, F16), np.zeros(128, U32))
