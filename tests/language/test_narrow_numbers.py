"""Counts, masks, repeats and strides of any whole kind are the same call; what merely equals one is refused.

Calls are planned once for each line and its numbers, so every call here is one line that comes more than once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import Array, on_gm, on_ub, tensor
from tests.refusals import refused

Number = Callable[[int], Any]

F16, F32, U8, U16, U32 = np.float16, np.float32, np.uint8, np.uint16, np.uint32
A, B = np.arange(512, dtype=F16), np.full(512, 2, F16)
FAR = 60_000 // 256 * 256
"""An address that no int16 holds."""


def unary(w: Number) -> Any:
    return asc.UnaryRepeatParams(w(1), w(1), w(8), w(8))


def binary(w: Number) -> Any:
    return asc.BinaryRepeatParams(*(w(1),) * 3, *(w(8),) * 3)


def far(kind: Any) -> asc.LocalTensor:
    """Somewhere to write to, far up."""
    return tensor(np.zeros(512, kind), FAR)


def near(content: Array) -> asc.LocalTensor:
    return tensor(content, 0)


CALLS: dict[str, Callable[[Number], object]] = {
    "count": lambda w: asc.add(far(F16), near(A), tensor(B, 4096), w(100)),
    "mask": lambda w: asc.add(far(F16), near(A), tensor(B, 4096), w(100), w(2), binary(w)),
    "bits": lambda w: asc.adds(far(F16), near(A), 1, [w(15), w(1)], w(2), unary(w)),
    "named": lambda w: asc.relu(dst=far(F16), src=near(A), count=w(100)),
    "held": lambda w: asc.abs(far(F16), near(A), count=w(100), is_set_mask=False),
    "fill": lambda w: asc.duplicate(far(F16), 3, w(100), w(2), w(1), w(8)),
    "index": lambda w: asc.create_vec_index(far(F16), 0, w(100), w(2), w(1), w(8)),
    "index of a count": lambda w: asc.create_vec_index(far(F16), 0, w(100)),
    "copy": lambda w: asc.copy(
        far(U16), near(A.astype(U16)), w(100), w(2), asc.CopyRepeatParams(*map(w, (1, 1, 8, 8)))
    ),
    "brcb": lambda w: asc.brcb(far(F16), near(A), w(3), asc.BrcbRepeatParams(w(1), w(8))),
    "compare": lambda w: asc.compare(far(U8), near(A), tensor(B, 4096), asc.CMPMODE.LT, w(100), w(2), binary(w)),
    "sum of repeats": lambda w: asc.whole_reduce_sum(far(F16), near(A), w(100), w(2), w(1), w(1), w(8)),
    "sum of blocks": lambda w: asc.block_reduce_sum(far(F16), near(A), w(2), w(100), w(1), w(1), w(8)),
    "sum of all": lambda w: asc.reduce_sum(far(F16), near(A), tensor(B, 4096), w(100), w(2), w(8)),
    "sum of a count": lambda w: asc.reduce_max(far(F16), near(A), tensor(B, 4096), w(100)),
    "gather": lambda w: asc.gather(far(F16), near(A), tensor(np.arange(0, 256, 2, dtype=U32), 4096), w(2), w(100)),
    "gather of a mask": lambda w: asc.gather(
        far(F16), near(A), tensor(np.arange(0, 512, 2, dtype=U32), 4096), w(2), w(100), w(2), w(8)
    ),
    "gathered blocks": lambda w: asc.gatherb(
        far(U32),
        near(np.arange(128, dtype=U32)),
        tensor(np.arange(0, 512, 32, dtype=U32), 4096),
        w(2),
        asc.GatherRepeatParams(w(1), w(8)),
    ),
    "gathered lanes": lambda w: asc.gather_mask(
        far(F16), near(A), w(1), True, w(100), asc.GatherMaskParams(w(1), w(2), w(8), w(0))
    ),
    "sort": lambda w: asc.sort32(
        far(F32), near(np.arange(64, dtype=F32)), tensor(np.arange(64, dtype=U32), 4096), w(2)
    ),
}


def results(name: str, *kinds: Number) -> list[bytes]:
    """What the destination holds after each of some calls from one line."""
    seen: list[bytes] = []

    def body() -> None:
        for w in kinds:
            CALLS[name](w)
            seen.append(asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, FAR, 2048).values.tobytes())

    on_ub(body)
    return seen


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.uint8, np.int64])
@pytest.mark.parametrize("name", CALLS)
def test_a_number_of_any_whole_kind_is_the_same_call(name: str, kind: Number) -> None:
    """First and after the plain one: the bytes of the destination are those of plain numbers."""
    first, second, third, fourth = *results(name, int, kind), *results(name, kind, int)

    assert any(first)
    assert first == second == third == fourth


@pytest.mark.parametrize("kind", [float, np.float16, np.array, lambda n: [n], str], ids=lambda k: k.__name__)
@pytest.mark.parametrize("name", CALLS)
def test_what_merely_equals_a_number_is_refused(name: str, kind: Number) -> None:
    """64.0, a list, an array of no dimension: an error of the language, though the same line worked before."""

    def body() -> None:
        for w in (int, kind):
            try:
                CALLS[name](w)
            except asc.AscendError as error:
                refusals.append(str(error))

    refusals: list[str] = []
    on_ub(body)

    assert len(refusals) == 1
    assert "\n  at test_narrow_numbers.py:" in refusals[0]


class TestDataCopy:
    """Between global memory and UB."""

    @pytest.mark.parametrize("kind", [np.int8, np.int16, np.uint8])
    def test_a_narrow_count_is_that_many(self, kind: Number) -> None:
        """100 float16 are 200 B; an int8 would make −56 B of them."""
        x = np.arange(128, dtype=F16)

        def body(g: Any) -> None:
            for w in (kind, int):
                u = far(F16)
                asc.data_copy(u, g, w(100))
                assert u.values[95] == 95
                assert u.values[96] == 0

        program = on_gm(body, x)

        assert ["100 x float16 = 200 B is rounded down to 192 B" in f.message for f in program.findings] == [True]

    @pytest.mark.parametrize("count", [64.0, np.float32(64), True, -1])
    def test_a_count_is_whole(self, count: Any) -> None:
        """Neither 64.0 after 64, nor a truth value, nor less than nothing."""

        def body(g: Any) -> None:
            for n in (64, count):
                asc.data_copy(far(F16), g, n)

        with refused(asc.RangeError, f"data_copy: count must be a whole number of elements, 0 or more, got {count!r}"):
            on_gm(body, np.ones(64, F16))

    def test_narrow_rows(self) -> None:
        """A block count and length of int8 with a stride that an int8 does not hold in bytes."""
        x = np.arange(512, dtype=F16)

        def body(g: Any) -> None:
            u = far(F16)
            asc.data_copy(u, g, asc.DataCopyParams(*map(np.int8, (2, 1, 10, 0))))
            assert u.values[16] == 176

        on_gm(body, x)

    def test_slices(self) -> None:
        """Fields of a slice are whole, too; a narrow length of a piece counts blocks, not bytes."""
        x = np.arange(512, dtype=F16)

        def body(g: Any) -> None:
            for burst in (16, np.int8(16), 16.0):
                asc.data_copy(
                    far(F16), g, [asc.SliceInfo(0, 255, 0, burst, 256)], [asc.SliceInfo(0, 255, 0, burst, 256)], 1
                )

        with refused(asc.RangeError, "data_copy: burst_len of dst slice 0 must be a whole number, got 16.0"):
            on_gm(body, x)
