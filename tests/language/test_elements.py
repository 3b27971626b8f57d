"""Single elements, through the scalar unit."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendc as asc
from ascendc.language.dtypes import DTYPES
from tests.block import on_gm, on_ub
from tests.inventory import looped, worked
from tests.refusals import refused

F16, F32 = np.float16, np.float32
VECCALC = asc.TPosition.VECCALC


def in_kernel(body: Any, *contents: Any) -> Any:
    """What ``body`` returns, run in one block."""
    out: list[Any] = []
    on_ub(lambda *t: out.append(body(*t)), *contents)
    return out[0]


@looped("get_value", "set_value")
@given(
    kind=st.sampled_from([k for k in DTYPES.values() if k.name not in ("bool", "int4")]),
    at=st.integers(0, 63),
    seed=st.integers(0, 999),
    outside=st.booleans(),
)
def test_one_element_is_read_and_another_written(kind: Any, at: int, seed: int, outside: bool) -> None:
    """Any bits, in UB and in global memory; no other byte changes."""
    x = np.random.default_rng(seed).integers(0, 256, 64 * kind.itemsize, np.uint8).view(kind.numpy)
    before, to, seen = x.copy(), (at + 17) % 64, []

    def body(x: Any) -> None:
        seen.append(x.get_value(at))
        if not math.isnan(seen[0]):  # which NaN a NaN becomes is nobody's rule
            x.set_value(to, seen[0])

    after = x if outside else on_ub(body, x)[0]
    if outside:
        on_gm(body, x)

    assert repr(seen) == repr([before[at].item()])
    if not math.isnan(seen[0]):
        before[to] = before[at]
    assert after.tobytes() == before.tobytes()


@worked("get_value", "set_value")
class TestElements:
    """get_value, set_value, values, text."""

    @pytest.mark.parametrize(
        ("kind", "value", "kept"),
        [
            (F16, 0.1, 0.0999755859375),
            (np.int8, -128, -128),
            (np.uint64, 2**64 - 1, 2**64 - 1),
            (ml_dtypes.bfloat16, 259, 260.0),
        ],
    )
    def test_written_and_read(self, kind: Any, value: Any, kept: Any) -> None:
        """Rounded to the type, given back as a Python number; local and global."""
        x = np.zeros(32, kind)
        one = in_kernel(lambda x: (x.set_value(3, value), x.get_value(3))[1], x)
        on_gm(lambda x: x.set_value(3, value), x)

        assert one == x[3].item() == kept
        assert type(one) is type(kept)

    @pytest.mark.parametrize("offset", [32, -1])
    @pytest.mark.parametrize("call", ["get_value", "set_value"])
    def test_elements_there_are_not(self, call: str, offset: int) -> None:
        """The message has the tensor and its size."""
        args = (offset,) if call == "get_value" else (offset, 1)
        text = f"{call}: element {offset} lies outside the tensor of 32"
        with refused(asc.OutOfBoundsError, text):
            on_ub(lambda x: getattr(x, call)(*args), np.zeros(32, F16))
        with refused(asc.OutOfBoundsError, text):
            on_gm(lambda x: getattr(x, call)(*args), np.zeros(32, F16))

    @pytest.mark.parametrize("offset", [1.0, "1", None])
    def test_an_element_has_a_whole_number(self, offset: Any) -> None:
        """1.0 is none."""
        with refused(asc.RangeError, f"get_value: offset must be a whole number, got {offset!r}"):
            on_ub(lambda x: x.get_value(offset), np.zeros(32, F16))

    def test_a_value_is_a_number(self) -> None:
        """A text is none."""
        with refused(asc.UsageError, "set_value: value must be a number, got 'a'"):
            on_gm(lambda x: x.set_value(0, "a"), np.zeros(32, np.int8))

    def test_elements_of_a_freed_tensor(self) -> None:
        """Neither read nor written."""

        def freed() -> asc.LocalTensor:
            pipe, q = asc.TPipe(), asc.TQue(asc.TPosition.VECIN, 1)
            pipe.init_buffer(q, 1, 32)
            tensor = q.alloc_tensor(asc.half)
            q.free_tensor(tensor)
            return tensor

        with refused(asc.QueueStateError, "tensor of get_value cannot be used: it was freed at test_elements.py:"):
            on_ub(lambda: freed().get_value(0))
        with refused(asc.QueueStateError, "tensor of set_value cannot be used: it was freed at test_elements.py:"):
            on_ub(lambda: freed().set_value(0, 1))

    def test_values_and_text(self) -> None:
        """A copy, as of this line; printing shows them, repr says where they are."""
        x = np.arange(4).astype(F32)
        values, text, shown = in_kernel(lambda x: (x.values, str(x), repr(x[2:])), x)

        assert values.tolist() == [0, 1, 2, 3]
        assert text == "[0. 1. 2. 3.]"
        assert shown == "LocalTensor(VECCALC float32 x2 at byte 8)"
        assert in_kernel(lambda x: (x.values.fill(9), x.get_value(0))[1], x) == 0

    def test_reinterpretation(self) -> None:
        """The same bytes in another type; a size that is no whole number of elements is cut."""
        x = np.array([1.0, -2.0, 0.5, 0], F16)
        bits, wide = in_kernel(
            lambda x: (x.reinterpret_cast(asc.uint16).values, x[:3].reinterpret_cast("float32").get_size()), x
        )

        assert [hex(b) for b in bits] == ["0x3c00", "0xc000", "0x3800", "0x0"]
        assert wide == 1
