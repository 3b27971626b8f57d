"""The catalogue of functional behaviour, F39 and F40: stores that combine with what is there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import local
from tests.inventory import worked
from tests.refusals import refused

F16, F32 = np.float16, np.float32


def loaded(x: Any, kind: Any, count: int) -> asc.LocalTensor:
    """``count`` elements of ``x`` in UB, ready to be stored."""
    source, u = asc.GlobalTensor(), local(kind, count)
    source.set_global_buffer(x)
    asc.data_copy(u, source, count)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    return u


def on(y: Any) -> asc.GlobalTensor:
    made = asc.GlobalTensor()
    made.set_global_buffer(y)
    return made


@asc.kernel
def add_then_store(x: asc.GlobalAddress, y: asc.GlobalAddress, y2: asc.GlobalAddress, off: bool) -> None:
    u = loaded(x, asc.half, 256)
    asc.set_atomic_add(asc.half)
    asc.data_copy(on(y), u, 256)
    if off:
        asc.set_atomic_none()
    asc.data_copy(on(y2), u, 256)


class TestF39AtomicAdd:
    """A switch that stays on until it is turned off."""

    X = np.arange(256).astype(F16)

    def run(self, *, off: bool, blocks: int = 3, old: float = 0.0) -> tuple[Any, Any, asc.Program]:
        y, y2 = np.ones(256, F16), np.full(256, old, F16)
        hazards = "warn" if off else "error"  # three blocks store y2 in the ordinary way
        program = add_then_store.launch(blocks, self.X, y, y2, off, chip="demo", hazards=hazards)
        return y, y2, program

    def test_three_blocks_add_up(self) -> None:
        """y = 1 + 3x, and y2, stored after the switch is off, is x."""
        y, y2, _ = self.run(off=True)

        assert y.tolist() == (1 + 3 * self.X).tolist()
        assert y2.tolist() == self.X.tolist()

    def test_the_next_store_adds_too_while_it_is_on(self) -> None:
        """y2 = 5 + 3x; atomic stores of three blocks are no hazard."""
        _, y2, program = self.run(off=False, old=5.0)

        assert y2.tolist() == (5 + 3 * self.X).tolist()
        assert not [f for f in program.findings if f.severity is asc.Severity.ERROR]

    def test_left_on_at_the_end_is_reported(self) -> None:
        """A warning that names the line that turned it on."""
        (finding,) = self.run(off=False)[2].findings

        assert (finding.kind, finding.severity, finding.blocks) == ("atomic", asc.Severity.WARNING, (0, 1, 2))
        assert "atomic stores (add float16) are left on at the end of the kernel" in finding.message
        assert finding.lines[0].startswith("test_atomic.py:")
        assert "set_atomic_none()" in finding.message

    def test_half_overflows_to_infinity(self) -> None:
        """65504 + 65504."""
        y, y2 = np.full(256, 65504, F16), np.zeros(256, F16)
        add_then_store.launch(1, y.copy(), y, y2, True, chip="demo")

        assert np.isposinf(y).all()


@pytest.mark.parametrize(
    ("op", "kind", "old", "new", "wanted"),
    [
        (asc.set_atomic_add, "int8", 100, 50, -106),
        (asc.set_atomic_add, "int16", 32767, 1, -32768),
        (asc.set_atomic_add, "int32", -5, 3, -2),
        (asc.set_atomic_add, "bfloat16", 256.0, 1.0, 256.0),
        (asc.set_atomic_max, "float32", 1.5, -2.0, 1.5),
        (asc.set_atomic_max, "int32", 1, 7, 7),
        (asc.set_atomic_min, "float16", 1.5, -2.0, -2.0),
        (asc.set_atomic_min, "int8", -3, 7, -3),
    ],
)
def test_operation_and_type(op: Any, kind: str, old: float, new: float, wanted: float) -> None:
    """Integers wrap; bfloat16 has 8 digits, so 256 + 1 is 256 (to even)."""
    dtype = asc.dtype(kind)
    x, y = np.full(32, new).astype(dtype.numpy), np.full(32, old).astype(dtype.numpy)

    @asc.kernel
    def combine(x: asc.GlobalAddress, y: asc.GlobalAddress) -> None:
        u = loaded(x, dtype, 32)
        op(dtype)
        asc.data_copy_pad(on(y), u, asc.DataCopyExtParams(1, 32 * dtype.itemsize, 0, 0))
        asc.set_atomic_none()

    combine.launch(1, x, y, chip="demo")

    assert y.tolist() == [wanted] * 32


class TestF40OrderOfSeveralBlocks:
    """Float sums depend on it, so it is fixed."""

    def total(self, **options: Any) -> float:
        parts, y = np.repeat(np.array([1e8, 1, -1e8], F32), 8), np.zeros(8, F32)

        @asc.kernel
        def add(x: asc.GlobalAddress, y: asc.GlobalAddress) -> None:
            u = loaded(x + 8 * asc.get_block_idx(), asc.float32, 8)
            asc.set_atomic_add(asc.float32)
            asc.data_copy(on(y), u, 8)
            asc.set_atomic_none()

        add.launch(3, parts, y, chip="demo", **options)
        return float(y[0])

    def test_blocks_add_in_the_order_of_their_numbers(self) -> None:
        """(1e8 + 1) − 1e8 is 0 in float32, on every run."""
        assert [self.total() for _ in range(3)] == [0.0] * 3

    def test_a_seed_shows_another_order_and_always_the_same(self) -> None:
        """(1e8 − 1e8) + 1 is 1; both are seen within a few seeds."""
        seen = [self.total(shuffle_atomics=seed) for seed in range(6)]

        assert set(seen) == {0.0, 1.0}
        assert [self.total(shuffle_atomics=seed) for seed in range(6)] == seen


def accused(kernel: asc.Kernel[...], blocks: int, *args: Any) -> list[str]:
    """What the hazard pass says about a launch."""
    with pytest.raises(asc.HazardError) as caught:
        kernel.launch(blocks, *args, chip="demo")
    return [finding.message for finding in caught.value.findings]


class TestHazards:
    """Atomic stores of one kind do not mind each other, but everybody else."""

    def test_ordinary_and_atomic_stores_of_one_block_need_a_barrier(self) -> None:
        """Zeroing before adding, on the same pipe; the two adds are not accused."""

        @asc.kernel
        def zero_and_add(x: asc.GlobalAddress, y: asc.GlobalAddress, barrier: bool) -> None:
            u = loaded(x, asc.float32, 8)
            asc.data_copy(on(y), u, 8)
            if barrier:
                asc.pipe_barrier(asc.PipeID.PIPE_MTE3)
            asc.set_atomic_add(asc.float32)
            asc.data_copy(on(y), u, 8)
            asc.data_copy(on(y), u, 8)
            asc.set_atomic_none()

        x, y = np.ones(8, F32), np.zeros(8, F32)
        zero_and_add.launch(1, x, y, True, chip="demo")

        assert y.tolist() == [3] * 8
        (text,) = accused(zero_and_add, 1, x, y, False)
        assert "atomic=add float32 (MTE3, test_atomic.py:" in text
        assert "writes y bytes [0, 32)" in text

    def test_adding_and_taking_the_maximum_do_not_commute(self) -> None:
        """Two blocks, two operations, the same bytes."""

        @asc.kernel
        def mixed(x: asc.GlobalAddress, y: asc.GlobalAddress) -> None:
            u = loaded(x, asc.float32, 8)
            (asc.set_atomic_add, asc.set_atomic_max)[asc.get_block_idx()](asc.float32)
            asc.data_copy(on(y), u, 8)
            asc.set_atomic_none()

        (text,) = accused(mixed, 2, np.ones(8, F32), np.zeros(8, F32))
        assert "block 1 writes y bytes [0, 32), which block 0 writes" in text

    def test_a_block_that_reads_what_others_add_to_is_accused(self) -> None:
        """Nothing orders blocks."""

        @asc.kernel
        def peek(x: asc.GlobalAddress, y: asc.GlobalAddress) -> None:
            if asc.get_block_idx():
                loaded(y, asc.float32, 8)
                return
            u = loaded(x, asc.float32, 8)
            asc.set_atomic_add(asc.float32)
            asc.data_copy(on(y), u, 8)
            asc.set_atomic_none()

        (text,) = accused(peek, 2, np.ones(8, F32), np.zeros(8, F32))
        assert "block 1 reads y bytes [0, 32), which block 0 writes" in text


class TestBadInput:
    """Refused before anything is written."""

    def test_a_store_of_another_type(self) -> None:
        """On the chip the bits would be added as the wrong type."""
        y = np.zeros(8, F32)

        @asc.kernel
        def wrong(x: asc.GlobalAddress, y: asc.GlobalAddress) -> None:
            u = loaded(x, asc.float32, 8)
            asc.set_atomic_add(asc.half)
            asc.data_copy(on(y), u, 8)

        with refused(asc.DtypeError, "data_copy: dst is float32, and atomic stores are on for float16 (since test_"):
            wrong.launch(1, np.ones(8, F32), y, chip="demo")
        assert not y.any()

    def test_a_type_without_atomics(self) -> None:
        """The message has those there are."""

        @asc.kernel
        def wrong() -> None:
            asc.set_atomic_max(asc.uint8)

        text = "set_atomic_max: dtype is uint8; supported: float32, float16, int16, int32, int8, bfloat16"
        with refused(asc.DtypeError, text):
            wrong.launch(1, chip="demo")


@worked("set_store_atomic_config", "get_store_atomic_config")
def test_the_register_can_be_set_and_read_by_number() -> None:
    """As two enums; type 2 is float16, operation 1 the maximum; a new type keeps the operation."""
    seen: list[tuple[int, int]] = []

    @asc.kernel
    def registers() -> None:
        seen.append(asc.get_store_atomic_config())
        asc.set_store_atomic_config(asc.AtomicDtype.ATOMIC_F16, asc.AtomicOp.ATOMIC_MAX)
        seen.append(asc.get_store_atomic_config())
        asc.set_atomic_type(asc.int32)
        seen.append(asc.get_store_atomic_config())
        asc.set_store_atomic_config(asc.AtomicDtype.ATOMIC_NONE, asc.AtomicOp.ATOMIC_SUM)
        seen.append(asc.get_store_atomic_config())

    registers.launch(1, chip="demo")

    assert seen == [(0, 0), (2, 1), (4, 1), (0, 0)]
