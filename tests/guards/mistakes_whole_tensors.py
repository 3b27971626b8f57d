"""Functions of several instructions: one kernel for each mistake, as short as it can be.

The docstring is the whole text of the error, behind its class; ``@-2`` is the second line above the last one, which
is the line that is refused.
"""

from __future__ import annotations

from typing import Any

import ascendc as asc
from tests.block import local
from tests.guards.mistakes import mistakes

H, F = asc.half, asc.float32


def right(**others: Any) -> dict[str, Any]:
    """The arguments of bilinear_interpolation, but for the ``others``."""
    return {
        "dst": local(H, 256),
        "src0": local(H, 256, 1024),
        "src0_offset": local(asc.uint32, 16, 2048),
        "src1": local(H, 16, 3072),
        "mask": 128,
        "h_repeat": 2,
        "repeat_mode": False,
        "dst_blk_stride": 1,
        "v_r_offset": 128,
        "v_repeat": 1,
        "shared_tmp_buffer": local(asc.uint8, 4096, 4096),
        **others,
    }


def interpolation_into_no_tensor() -> None:
    """UsageError: bilinear_interpolation: dst must be a LocalTensor, got 0"""
    asc.bilinear_interpolation(**right(dst=0))


def interpolation_of_float32() -> None:
    """DtypeError: bilinear_interpolation: src1 is float32; supported: float16"""
    asc.bilinear_interpolation(**right(src1=local(F, 16, 3072)))


def interpolation_of_too_many_repeats() -> None:
    """RangeError: bilinear_interpolation: h_repeat x v_repeat must be 0 to 255 in all, got 16 x 16"""
    asc.bilinear_interpolation(**right(h_repeat=16, v_repeat=16))


def interpolation_to_a_row_off_its_block() -> None:
    """RangeError: bilinear_interpolation: v_r_offset must be a multiple of 16 elements, a block, got 100"""
    asc.bilinear_interpolation(**right(v_r_offset=100))


def interpolation_without_memory() -> None:
    """UsageError: bilinear_interpolation: shared_tmp_buffer must be a LocalTensor, got None"""
    asc.bilinear_interpolation(**right(shared_tmp_buffer=None))


def interpolation_in_too_little_memory() -> None:
    """CapacityError: bilinear_interpolation: shared_tmp_buffer needs 768 B, it has 512 B (LocalTensor(VECCALC uint8
    x512 at byte 4096))
    """
    asc.bilinear_interpolation(**right(shared_tmp_buffer=local(asc.uint8, 512, 4096)))


def concat_of_no_tensor() -> None:
    """UsageError: concat: src must be a LocalTensor, got 0"""
    asc.concat(local(H, 64), 0, local(H, 64), 2)


MISTAKES = mistakes(globals())
