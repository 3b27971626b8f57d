"""What no copy takes, in whichever form: refused with the operand, and not a byte is written on either side."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import tensor

F16 = asc.float16
BASE = 1024
"""Where the local operand lies."""


@dataclass(frozen=True)
class Form:
    """A form of a copy.

    Attributes:
        loads: whether it goes from global to local memory.
        local, outside: elements of the two operands: as many as it takes, no more.
        call: dst and src.
    """

    name: str
    loads: bool
    local: int
    outside: int
    call: Callable[[Any, Any], object]

    def __str__(self) -> str:
        return f"{self.name} {'in' if self.loads else 'out'}"


ROWS = asc.DataCopyParams(2, 1, 1, 1)
BYTES_IN, BYTES_OUT = asc.DataCopyExtParams(2, 32, 32, 0), asc.DataCopyExtParams(2, 32, 0, 32)
NZ = asc.Nz2NdParamsFull(1, 2, 16, 1, 2, 16)
SLICES = [asc.SliceInfo(0, 31, 0, 2, 32)]
FORMS = [
    Form("data_copy", True, 32, 32, lambda dst, src: asc.data_copy(dst, src, 32)),
    Form("data_copy", False, 32, 32, lambda dst, src: asc.data_copy(dst, src, 32)),
    Form("data_copy", True, 48, 48, lambda dst, src: asc.data_copy(dst, src, ROWS)),
    Form("data_copy", False, 48, 48, lambda dst, src: asc.data_copy(dst, src, ROWS)),
    Form("data_copy", True, 48, 48, lambda dst, src: asc.data_copy(dst, src, ROWS, asc.DataCopyEnhancedParams())),
    Form("data_copy", True, 32, 32, lambda dst, src: asc.data_copy(dst, src, SLICES, SLICES, 1)),
    Form("data_copy", False, 32, 32, lambda dst, src: asc.data_copy(dst, src, SLICES, SLICES, 1)),
    Form("data_copy", False, 32, 32, lambda dst, src: asc.data_copy(dst, src, NZ)),
    Form("data_copy_pad", True, 32, 48, lambda dst, src: asc.data_copy_pad(dst, src, BYTES_IN)),
    Form(
        "data_copy_pad",
        False,
        32,
        48,
        lambda dst, src: asc.data_copy_pad(dst, src, BYTES_OUT),
    ),
]
each = pytest.mark.parametrize("form", FORMS, ids=str)


def window(first: int, count: int, kind: Any = F16) -> asc.LocalTensor:
    """``count`` elements of UB from ``BASE`` plus ``first`` of them on."""
    made = asc.LocalTensor(kind, asc.TPosition.VECCALC, BASE, 1024)[first:]
    made.set_size(count)
    return made


def run(form: Form, local: Callable[[], Any], count: int, check: Callable[[Callable[[], object], Any], None]) -> None:
    """Hand the call to ``check``, on a local operand and ``count`` elements outside; all of UB is written before."""
    x = np.arange(1024).astype(np.float16)

    @asc.kernel
    def block(x: Any) -> None:
        g = asc.GlobalTensor()
        g.set_global_buffer(x, count)
        memory = tensor(np.arange(4096, dtype=np.uint16), 0).memory
        operands = (local(), g) if form.loads else (g, local())
        check(lambda: form.call(*operands), memory)

    block.launch(1, x, chip="demo", hazards="off")
    if not form.loads and count < form.outside:
        assert x.tolist() == np.arange(1024).astype(np.float16).tolist()


def refuse(form: Form, local: Callable[[], Any], count: int, error: type[Exception], *parts: str) -> None:
    """The call is refused, and UB and what is known of it are as before."""

    def check(call: Callable[[], object], memory: Any) -> None:
        before, known = memory.data.copy(), bytes(memory.shadow)
        with pytest.raises(error) as caught:
            call()

        assert caught.type is error, str(caught.value)
        assert [part for part in parts if not re.search(part, str(caught.value))] == [], str(caught.value)
        assert np.array_equal(memory.data, before)
        assert bytes(memory.shadow) == known

    run(form, local, count, check)


@each
def test_the_forms_are_legal(form: Form) -> None:
    """What the tests below change is what is wrong."""
    run(form, lambda: window(0, form.local), form.outside, lambda call, _: call())


@each
def test_a_local_operand_off_its_block(form: Form) -> None:
    """One half on."""
    role = "dst" if form.loads else "src"
    refuse(
        form, lambda: window(1, form.local), form.outside, asc.AlignmentError, f"{role} of {form.name}", "1026", "32"
    )


@each
def test_operands_one_element_short(form: Form) -> None:
    """On either side: the operand, or of slices the window."""
    inside, outside = (f"{role} of {form.name}|window" for role in (("dst", "src") if form.loads else ("src", "dst")))
    refuse(form, lambda: window(0, form.local - 1), form.outside, asc.OutOfBoundsError, inside)
    refuse(form, lambda: window(0, form.local), form.outside - 1, asc.OutOfBoundsError, outside)


@each
def test_operands_of_two_types(form: Form) -> None:
    """A copy changes none."""
    refuse(form, lambda: window(0, form.local, asc.int16), form.outside, asc.DtypeError, "int16", "float16")


@pytest.mark.parametrize("form", [f for f in FORMS if not f.loads], ids=str)
def test_a_source_that_nothing_has_written(form: Form) -> None:
    """One byte is enough, of a row; and nothing goes out."""

    def local() -> Any:
        made = window(0, form.local)
        made.memory.shadow[BASE + 1] = 0
        return made

    refuse(form, local, form.outside, asc.UninitializedError, rf"src of {form.name}", "which nothing has written")


@pytest.mark.parametrize("in_register", [False, True])
def test_a_padding_value_that_is_none(in_register: bool) -> None:
    """Said before the rows arrive, not when their edges are filled: 300 is no int8."""
    x = np.arange(1, 49).astype(np.int8)

    @asc.kernel
    def block(x: Any) -> None:
        g, u = asc.GlobalTensor(), tensor(np.full(64, 7, np.int8), 0)
        g.set_global_buffer(x)
        asc.set_pad_value(300)
        pad = asc.DataCopyPadExtParams(asc.int8, not in_register, 0, 16, 300)
        with pytest.raises(asc.RangeError, match=r"^data_copy_pad: .* 300 does not fit int8"):
            asc.data_copy_pad(u, g, asc.DataCopyExtParams(1, 48), pad)
        assert u.values.tolist() == [7] * 64

    assert [row.template.op.name for row in block.launch(1, x, chip="demo").blocks[0]] == ["set_pad_value"]


def test_slices_whose_second_piece_is_too_far() -> None:
    """Two rows of a block, and a tensor that holds one: the first one is not copied either."""
    slices = [asc.SliceInfo(0, 15, 0, 1, 16), asc.SliceInfo(0, 1, 0, 1, 2)]
    form = Form("data_copy", True, 16, 32, lambda dst, src: asc.data_copy(dst, src, slices, slices, 2))

    refuse(form, lambda: window(0, 17), 32, asc.OutOfBoundsError, "dst of data_copy|window")
    refuse(form, lambda: window(0, 32), 17, asc.OutOfBoundsError, "src of data_copy|window")
