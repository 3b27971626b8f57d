"""The mask register: who sets it, who reads it, what is refused and what is noted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ascendc as asc
from ascendc.language.isa.op import Busy
from ascendc.language.program import Kind
from tests.block import on_ub, program_of, tensor
from tests.refusals import refused

F16, F32 = np.float16, np.float32
COUNTER = asc.MaskMode.COUNTER
UNARY = asc.UnaryRepeatParams


def plus_one(fill: Any, count: int = 256, kind: Any = F16) -> NDArray[Any]:
    """z after ``fill(z, x)`` with x = 0, 1, 2 … and z = −1 everywhere."""
    _, z = on_ub(lambda x, z: fill(z, x), np.arange(count).astype(kind), np.full(count, -1, kind))
    return z


def lanes_touched(z: NDArray[Any]) -> list[int]:
    """Lanes that are not −1."""
    return np.flatnonzero(z != -1).tolist()


class TestNormalMode:
    """Without counter mode the register is a bit for each lane of every repeat."""

    def test_a_block_starts_with_all_lanes(self) -> None:
        """is_set_mask=False before anything has set the register; the mask argument says nothing."""
        z = plus_one(lambda z, x: asc.adds(z, x, 1, 0, 1, UNARY(), is_set_mask=False))

        assert lanes_touched(z) == list(range(128))

    def test_a_number_is_the_first_lanes(self) -> None:
        """100 of 128 halves, in both repeats."""

        def fill(z: Any, x: Any) -> None:
            asc.set_vector_mask(100, dtype=asc.half, mode=asc.MaskMode.NORMAL)
            asc.adds(z, x, 1, 1, 2, UNARY(), is_set_mask=False)

        assert lanes_touched(plus_one(fill)) == [*range(100), *range(128, 228)]

    def test_two_words_are_high_then_low(self) -> None:
        """Bit 0 of the high word is lane 64."""

        def fill(z: Any, x: Any) -> None:
            asc.set_vector_mask(1, 6, dtype=asc.half)
            asc.adds(z, x, 1, 1, 1, UNARY(), is_set_mask=False)

        assert lanes_touched(plus_one(fill)) == [1, 2, 64]

    def test_words_have_names(self) -> None:
        """As in other calls."""

        def fill(z: Any, x: Any) -> None:
            asc.set_vector_mask(mask_high=0, mask_low=8, dtype=asc.half)
            asc.adds(z, x, 1, 1, 1, UNARY(), is_set_mask=False)

        assert lanes_touched(plus_one(fill)) == [3]

    def test_four_byte_types_read_the_low_word(self) -> None:
        """All bits set are 64 lanes of floats."""
        z = plus_one(lambda z, x: asc.adds(z, x, 1, 0, 1, UNARY(), is_set_mask=False), 128, F32)

        assert lanes_touched(z) == list(range(64))

    def test_a_mask_form_leaves_its_mask(self) -> None:
        """Lanes 0 to 4 by the first call, the same by the second."""

        def fill(z: Any, x: Any) -> None:
            asc.adds(z, x, 1, 5, 1, UNARY())
            asc.adds(z[128:], x, 1, 99, 1, UNARY(), is_set_mask=False)

        assert lanes_touched(plus_one(fill)) == [*range(5), *range(128, 133)]

    def test_a_bit_mask_stays_too(self) -> None:
        """Lanes 1 and 3."""

        def fill(z: Any, x: Any) -> None:
            asc.adds(z, x, 1, [0b1010, 0], 1, UNARY())
            asc.adds(z[128:], x, 1, 99, 1, UNARY(), is_set_mask=False)

        assert lanes_touched(plus_one(fill)) == [1, 3, 129, 131]

    def test_the_count_form_leaves_all_lanes(self) -> None:
        """As on hardware: it sets the register itself, and then sets it to all."""

        def fill(z: Any, x: Any) -> None:
            asc.set_vector_mask(5, dtype=asc.half)
            asc.adds(z, x, 1, 16)
            asc.adds(z[128:], x, 1, 0, 1, UNARY(), is_set_mask=False)

        assert lanes_touched(plus_one(fill)) == [*range(16), *range(128, 256)]

    def test_reset_mask_is_all_lanes(self) -> None:
        """After 5 lanes."""

        def fill(z: Any, x: Any) -> None:
            asc.set_vector_mask(5, dtype=asc.half)
            asc.reset_mask()
            asc.adds(z, x, 1, 0, 1, UNARY(), is_set_mask=False)

        assert lanes_touched(plus_one(fill)) == list(range(128))

    def test_the_count_form_without_setting_the_mask_is_one_repeat(self) -> None:
        """The register's lanes of one repeat of contiguous operands; a larger count is noted."""

        def fill(z: Any, x: Any) -> None:
            asc.set_vector_mask(3, dtype=asc.half)
            asc.adds(z, x, 1, 200, is_set_mask=False)

        program = program_of(lambda x, z: fill(z, x), np.zeros(256, F16), np.zeros(256, F16))

        assert lanes_touched(plus_one(fill)) == [0, 1, 2]
        (finding,) = program.findings
        assert (
            "adds: count 200 has no effect with is_set_mask=False; the mask register says [0x7, 0x0]" in finding.message
        )

    def test_no_lane_is_nothing_done(self) -> None:
        """A register of zeros is mask 0."""

        def fill(z: Any, x: Any) -> None:
            asc.set_vector_mask(0, dtype=asc.half)
            asc.adds(z, x, 1, 1, 2, UNARY(), is_set_mask=False)

        assert lanes_touched(plus_one(fill)) == []

    def test_every_block_has_its_own(self) -> None:
        """What block 0 sets does not reach block 1, and plans are shared only where the register is the same."""
        touched: list[int] = []

        @asc.kernel
        def block() -> None:
            x, z = tensor(np.zeros(128, F16), 0), tensor(np.full(128, -1, F16), 256)
            if asc.get_block_idx() == 0:
                asc.set_vector_mask(7, dtype=asc.half)
            asc.adds(z, x, 1, 0, 1, UNARY(), is_set_mask=False)
            touched.append(int((z.values != -1).sum()))

        block.launch(2, chip="demo", hazards="off")

        assert touched == [7, 128]


class TestRefusals:
    """What has no meaning is an error before anything changes."""

    @pytest.mark.parametrize("mask", [-1, 1 << 32])
    def test_a_count_has_its_range(self, mask: int) -> None:
        """The register counts to 2^32 − 1."""

        def body(x: Any) -> None:
            asc.set_mask_count()
            asc.adds(x, x, 1, mask, 1, UNARY())

        with refused(asc.RangeError, "adds: in counter mode", f"got {mask}"):
            on_ub(body, np.zeros(128, F16))

    def test_elements_beyond_the_tensor_are_refused(self) -> None:
        """129 halves need 258 B."""

        def body(x: Any) -> None:
            asc.set_mask_count()
            asc.adds(x, x, 1, 129, 1, UNARY())

        with refused(asc.OutOfBoundsError, "dst of adds (tensor x): needs 258 B"):
            on_ub(body, np.zeros(128, F16))

    @pytest.mark.parametrize(
        ("error", "part", "call"),
        [
            (asc.RangeError, "len 129 is beyond the 128 lanes", lambda: asc.set_vector_mask(129, dtype=asc.half)),
            (asc.RangeError, "len 65 is beyond the 64 lanes", lambda: asc.set_vector_mask(65, dtype=asc.float32)),
            (asc.RangeError, "mask_high must be 0", lambda: asc.set_vector_mask(1, 0, dtype=asc.float32)),
            (asc.RangeError, "mask_high must be 0", lambda: asc.set_vector_mask(1, 0, dtype=asc.half, mode=COUNTER)),
            (asc.RangeError, "len must be 0 to 2^64 - 1, got -1", lambda: asc.set_vector_mask(-1, dtype=asc.half)),
            (asc.RangeError, "len must be a whole number, got 1.5", lambda: asc.set_vector_mask(1.5, dtype=asc.half)),
            (asc.UsageError, "the forms are", lambda: asc.set_vector_mask(1, 2, 3, dtype=asc.half)),
            (asc.UsageError, "the forms are", lambda: asc.set_vector_mask(dtype=asc.half)),
            (asc.DtypeError, "'quad' is no element type here", lambda: asc.set_vector_mask(1, dtype="quad")),
            (
                asc.UsageError,
                "mode must be a MaskMode, as MaskMode",
                lambda: asc.set_vector_mask(1, dtype=asc.half, mode=1),
            ),
        ],
    )
    def test_set_vector_mask_refuses(self, error: Any, part: str, call: Any) -> None:
        """Each rule by its message."""
        with pytest.raises(error, match=r"^set_vector_mask: ") as caught:
            on_ub(call)

        assert part in str(caught.value)


class TestSurprises:
    """Legal, done as on hardware, and reported."""

    def test_words_read_in_another_mode_are_noted(self) -> None:
        """A count of 5 read as bits is lanes 0 and 2."""

        def fill(z: Any, x: Any) -> None:
            asc.set_vector_mask(5, dtype=asc.half, mode=COUNTER)
            asc.adds(z, x, 1, 0, 1, UNARY(), is_set_mask=False)

        program = program_of(lambda x, z: fill(z, x), np.zeros(256, F16), np.zeros(256, F16))

        assert lanes_touched(plus_one(fill)) == [0, 2]
        (finding,) = program.findings
        assert "set for COUNTER mode and is read in NORMAL mode, as [0x5, 0x0] (normal mode)" in finding.message

    def test_a_count_form_in_counter_mode_is_noted(self) -> None:
        """It leaves normal mode behind."""

        def fill(z: Any, x: Any) -> None:
            asc.set_mask_count()
            asc.adds(z, x, 1, 16)
            asc.adds(z[128:], x, 1, 2, 1, UNARY())

        program = program_of(lambda x, z: fill(z, x), np.zeros(256, F16), np.zeros(256, F16))

        assert lanes_touched(plus_one(fill)) == [*range(16), 128, 129]
        (finding,) = program.findings
        assert "the count form leaves counter mode and a full mask behind" in finding.message


def test_each_call_is_a_scalar_row_with_a_cost() -> None:
    """On demo the scalar unit issues one a cycle."""

    def body(x: Any) -> None:
        asc.set_mask_count()
        asc.set_vector_mask(200, dtype=asc.half, mode=COUNTER)
        asc.set_mask_norm()
        asc.set_vector_mask(3, dtype=asc.half)
        asc.reset_mask()

    program = program_of(body, np.zeros(128, F16))

    rows = list(program.blocks[0])
    assert [row.template.label for row in rows] == [
        "set_mask_count",
        "set_vector_mask elements=200",
        "set_mask_norm",
        "set_vector_mask mask=0x7",
        "reset_mask",
    ]
    assert {row.template.kind for row in rows} == {Kind.SCALAR}
    assert {row.template.op.demand(row.template, (), program.spec) for row in rows} == {Busy(1, 1)}


class TestTheEndOfTheKernel:
    """The register outlives the kernel, so its mode should be as the next kernel expects it."""

    def test_counter_mode_left_on_is_reported(self) -> None:
        """A warning that names the line that turned it on, not one that only changed the number."""

        def body(x: Any) -> None:
            asc.set_mask_count()
            asc.set_vector_mask(100, dtype=asc.float32, mode=COUNTER)
            asc.reset_mask()

        (finding,) = program_of(body, np.zeros(128, F32)).findings

        assert (finding.kind, finding.severity) == ("mask", asc.Severity.WARNING)
        assert "counter mode is left on at the end of the kernel" in finding.message
        assert "set_mask_norm()" in finding.message
        (line,) = finding.lines
        assert line.endswith(f":{body.__code__.co_firstlineno + 1}")

    def test_normal_mode_is_fine_whatever_the_lanes(self) -> None:
        """What lanes the register holds is no matter: who needs all of them sets it."""

        def body(x: Any) -> None:
            asc.set_mask_count()
            asc.set_mask_norm()
            asc.set_vector_mask(3, dtype=asc.float32)

        assert program_of(body, np.zeros(128, F32)).findings == ()

    def test_a_count_form_leaves_it_too(self) -> None:
        """Its own remark is the only one."""

        def body(x: Any) -> None:
            asc.set_mask_count()
            asc.adds(x, x, 1, 128)

        (finding,) = program_of(body, np.zeros(128, F32)).findings

        assert "adds: the count form leaves counter mode" in finding.message
