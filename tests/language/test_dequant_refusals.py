"""What the instructions that scale integers refuse: scales that were not set, or are none; operands that do not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import local, on_ub
from tests.refusals import refused

F16, I8, I16, I32 = np.float16, np.int8, np.int16, np.int32


class TestRefusals:
    """Scales that were not set, or are none."""

    @pytest.mark.parametrize(
        ("setting", "call", "text"),
        [
            (None, "add_deq_relu", "add_deq_relu: int32 values are scaled to float16; call set_deq_scale(scale)"),
            ((1.0, 0, True), "cast", "cast: int32 values are scaled to float16; call set_deq_scale(scale)"),
            (None, "cast_deq", "cast_deq: is_vec_deq=True takes 16 scales; call set_deq_scale(vdeq, vdeq_info)"),
            ((1.0,), "cast_deq one", "cast_deq: is_vec_deq=False takes one scale; call set_deq_scale(scale, offset"),
        ],
    )
    def test_the_scale_must_fit_the_instruction(self, setting: Any, call: str, text: str) -> None:
        """Three kinds of scale for three kinds of instruction."""

        def body(narrow: Any, half: Any, short: Any, long: Any) -> None:
            if setting:
                asc.set_deq_scale(*setting)
            match call:
                case "add_deq_relu":
                    asc.add_deq_relu(half, long, long, 16)
                case "cast":
                    asc.cast(half, long, asc.RoundMode.CAST_NONE, 16)
                case _:
                    asc.cast_deq(narrow, short, 16, is_vec_deq=call == "cast_deq")

        with refused(asc.UsageError, text):
            on_ub(body, np.zeros(32, I8), np.zeros(16, F16), np.zeros(16, I16), np.zeros(16, I32))

    def test_the_tensor_must_fit(self) -> None:
        """16 words of uint64, and as many parameters."""
        info = asc.VdeqInfo()
        with refused(asc.DtypeError, "set_deq_scale: vdeq is int16; supported: uint64"):
            on_ub(lambda: asc.set_deq_scale(local(asc.int16, 64), info))
        with refused(asc.OutOfBoundsError, "vdeq of set_deq_scale: needs 128 B (16 x uint64), the tensor has 64 B"):
            on_ub(lambda: asc.set_deq_scale(local(asc.uint64, 8), info))
        with refused(asc.RangeError, "set_deq_scale: vdeq_info must hold 16 of each parameter, got 2 scales, 16 offs"):
            on_ub(lambda: asc.set_deq_scale(local(asc.uint64, 16), asc.VdeqInfo(vdeq_scale=[1.0, 2.0])))

    def test_wrong_types_are_refused(self) -> None:
        """int16 gives 8 bits, int32 gives half."""

        def body(dst: Any, src: Any) -> None:
            asc.set_deq_scale(1.0, 0, True)
            asc.cast_deq(dst, src, 16, is_vec_deq=False)

        with refused(asc.DtypeError, "cast_deq: dst is int16; supported: int8, uint8, float16"):
            on_ub(body, np.zeros(16, I16), np.zeros(16, I16))

    def test_the_destination_may_not_be_the_source(self) -> None:
        """A block of results lies beside a block of sources that other lanes still read."""

        def body(x: Any) -> None:
            asc.set_deq_scale(1.0, 0, True)
            asc.cast_deq(x.reinterpret_cast(asc.int8), x, 32, is_vec_deq=False)

        with refused(asc.OverlapError, "cast_deq: repeat 0 writes UB bytes [16, 64) of dst"):
            on_ub(body, np.zeros(32, I16))
