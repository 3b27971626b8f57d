"""int4, of which two share a byte: one kernel for each mistake, as short as it can be.

The docstring is the whole text of the error, behind its class; the last line is the one that is refused.
"""

from __future__ import annotations

from typing import Any

import ascendc as asc
from tests.block import local, ones
from tests.guards.mistakes import mistakes

H, NONE = asc.half, asc.RoundMode.CAST_NONE


def half_a_byte() -> None:
    """AlignmentError: cast: 7 x int4 end within a byte, which 2 of them share; take a multiple of 2"""
    asc.cast(local(asc.int4, 64, 256), ones(H, 64), NONE, 7)


def a_window_within_a_byte() -> None:
    """AlignmentError: LocalTensor(VECCALC int4 x64 at byte 0): window [1, 64) parts elements that share a byte;
    begin and end it at multiples of 2
    """
    t = local(asc.int4, 64)
    asc.cast(ones(H, 64, 256), t[1:], NONE, 8)


def a_lane_without_its_neighbour() -> None:
    """AlignmentError: cast: the mask chooses lane 4 without lane 5; dst is int4, in which lanes 2k and 2k + 1 share
    a byte: choose both, or neither
    """
    asc.cast(local(asc.int4, 64, 256), ones(H, 64), NONE, 5, 1, asc.UnaryRepeatParams())


def a_copy_of_int4(x: Any) -> None:
    """DtypeError: data_copy: dst is int4; supported: bool, int8, int16, int32, int64, uint8, uint16, uint32,
    uint64, float16, bfloat16, float32; copy its bytes: reinterpret_cast(uint8) has half as many elements
    """
    asc.data_copy(local(asc.int4, 64), x, 64)


MISTAKES = mistakes(globals())
