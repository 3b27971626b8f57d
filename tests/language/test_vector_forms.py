"""The three call forms of vector instructions: how they are told apart, and what each refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import local, on_gm, on_ub, program_of
from tests.refusals import refused

DEMO = Path(asc.__file__).parent / "chips" / "demo.toml"
F16, F32 = np.float16, np.float32
BINARY, UNARY = asc.BinaryRepeatParams(), asc.UnaryRepeatParams()


def three() -> list[np.ndarray[Any, Any]]:
    return [np.zeros(128, F16), np.arange(128).astype(F16), np.full(128, 2, F16)]


@pytest.mark.parametrize(
    "call",
    [
        lambda z, x, y: asc.add(z, x, y, 128),
        lambda z, x, y: asc.add(z, x, y, count=128),
        lambda z, x, y: asc.add(dst=z, src0=x, src1=y, count=128, is_set_mask=True),
        lambda z, x, y: asc.add(z, x, y, np.int64(128)),
        lambda z, x, y: asc.add(z, x, y, 128, 1, BINARY),
        lambda z, x, y: asc.add(z, x, y, mask=128, repeat_times=1, repeat_params=BINARY),
        lambda z, x, y: asc.add(z, x, y, 128, 1, BINARY, True),
        lambda z, x, y: asc.add(z, x, y, 128, 1),
        lambda z, x, y: asc.add(z, x, y, [2**64 - 1, 2**64 - 1], 1, BINARY),
        lambda z, x, y: asc.add(z, x, y, (2**64 - 1, 2**64 - 1), repeat_times=1, repeat_params=BINARY),
    ],
)
def test_every_spelling_of_the_three_forms(call: Any) -> None:
    """Positional or by name, list or tuple, Python or NumPy numbers: z = x + 2."""
    z, *_ = on_ub(call, *three())

    assert z.tolist() == list(range(2, 130))


def test_families_take_a_count_by_name() -> None:
    """One source, a source and a number, a number alone, a cast."""

    def body(z: Any, x: Any, y: Any) -> None:
        asc.abs(z, x, count=128)
        asc.adds(z, z, 1, count=128)
        asc.duplicate(y, 5, count=64)
        asc.cast(y.reinterpret_cast(asc.int16), y, asc.RoundMode.CAST_RINT, count=8)

    z, _, y = on_ub(body, *three())

    assert z.tolist() == list(range(1, 129))
    assert y[:8].view(np.int16).tolist() == [5] * 8
    assert y[8:65].tolist() == [5] * 56 + [2]


@pytest.mark.parametrize(
    ("call", "parts"),
    [
        (asc.add, ("add: count is missing",)),
        (lambda z, x, y: asc.add(z, x, y, [1, 0]), ("add: repeat_times is missing",)),
        (lambda z, x, y: asc.add(z, x, y, mask=1), ("add: repeat_times is missing",)),
        (lambda z, x, y: asc.add(z, x, y, repeat_times=1), ("add: mask is missing",)),
        (lambda z, x, y: asc.add(z, x, y, 8, count=8), ("add: count is given twice",)),
        (lambda z, x, y: asc.add(z, x, y, 8, number=8), ("add: there is no argument 'number'",)),
        (lambda z, x, y: asc.add(z, x, y, 8, 1, BINARY, True, 5), ("add: too many arguments", "5")),
        (lambda z, x, y: asc.add(z, x, y, 8, 1, UNARY), ("repeat_params must be a BinaryRepeatParams", "UnaryRepeat")),
        (lambda z, x, y: asc.abs(z, x, 8, 1, BINARY), ("abs: repeat_params must be a UnaryRepeatParams", "BinaryRep")),
        (
            lambda z, x, y: asc.add(z, x, y, "8", 1, BINARY),
            ("mask must be a number of lanes or two", "'8'"),
        ),
        (lambda z, x, y: asc.add(z, x, y, True, 1, BINARY), ("mask must be a number of lanes", "True")),
        (lambda z, x, y: asc.add(z, x, y, [1], 1, BINARY), ("a bit mask is a list of two 64-bit words", "[1]")),
        (lambda z, x, y: asc.add(z, x, y, [1.5, 0], 1, BINARY), ("a bit mask is a list of two", "[1.5, 0]")),
        (lambda z, x, y: asc.add(z, x, 3, 8), ("src1 of add must be a LocalTensor", "VECIN, VECCALC, VECOUT", "int")),
        (lambda z, x, y: asc.adds(3, x, 1, 8), ("dst of adds must be a LocalTensor", "int")),
        (lambda z, x, y: asc.adds(z, 3, 1, 8), ("src of adds must be a LocalTensor", "int")),
        (lambda z, x, y: asc.duplicate(None, 1, 8), ("dst of duplicate must be a LocalTensor", "NoneType")),
        (lambda z, x, y: asc.cast(z, 3, asc.RoundMode.CAST_NONE, 8), ("src of cast must be a LocalTensor", "int")),
        (lambda z, x, y: asc.adds(z, x, "1", 8), ("adds: scalar must be a number, got '1'",)),
        (lambda z, x, y: asc.adds(z, x, [1], 8), ("adds: scalar must be a number, got [1]",)),
        (lambda z, x, y: asc.adds(z, x, None, 8), ("adds: scalar must be a number, got None",)),
        (lambda z, x, y: asc.duplicate(z, x, 8), ("duplicate: scalar must be a number, got LocalTensor",)),
    ],
)
def test_what_fits_no_form(call: Any, parts: tuple[str, ...]) -> None:
    """The message says what is missing or too much, and what the forms are."""
    with refused(asc.UsageError, *parts):
        on_ub(call, *three())


@pytest.mark.parametrize(
    ("call", "parts"),
    [
        (lambda z, x, y: asc.add(z, x, y, -1), ("add: count must be", "0 or more, got -1")),
        (lambda z, x, y: asc.add(z, x, y, 8.0), ("add: count must be a whole number", "got 8.0")),
        (lambda z, x, y: asc.add(z, x, y, "8"), ("add: count must be a whole number", "got '8'")),
        (lambda z, x, y: asc.add(z, x, y, True), ("add: count must be a whole number", "got True")),
        (lambda z, x, y: asc.add(z, x, y, -1, 1, BINARY), ("add: mask -1 is beyond the 128 lanes",)),
        (lambda z, x, y: asc.add(z, x, y, 8, -1, BINARY), ("add: repeat_times must be 0 to 255, got -1",)),
        (lambda z, x, y: asc.add(z, x, y, 8, 256, BINARY), ("add: repeat 256 > 255", "split it")),
        (lambda z, x, y: asc.add(z, x, y, 8, 1.0, BINARY), ("add: repeat_times must be a whole number, got 1.0",)),
        (
            lambda z, x, y: asc.add(z, x, y, [2**64, 0], 1, BINARY),
            ("add: each word of a bit mask has 64 bits",),
        ),
        (
            lambda z, x, y: asc.add(z, x, y, 128, 1, asc.BinaryRepeatParams(0)),
            ("add: dst_blk_stride 0 would write all blocks of a repeat to one place",),
        ),
        (
            lambda z, x, y: asc.add(z, x, y, 8, 1, asc.BinaryRepeatParams(1, 65536)),
            ("add: src0_blk_stride must be a whole number of blocks of 32 bytes, 0 to 65535, got 65536",),
        ),
        (
            lambda z, x, y: asc.add(z, x, y, 8, 1, asc.BinaryRepeatParams(1, 1, 1, 8, 8, 256)),
            ("add: src1_rep_stride must be a whole number of blocks of 32 bytes, 0 to 255, got 256",),
        ),
        (
            lambda z, x, y: asc.abs(z, x, 8, 1, asc.UnaryRepeatParams(1, 1, 8, -1)),
            ("abs: src_rep_stride must be", "got -1"),
        ),
        (lambda z, x, y: asc.duplicate(z, 1, 8, 1, 1, 1.5), ("duplicate: dst_rep_stride must be", "got 1.5")),
    ],
)
def test_numbers_an_instruction_has_no_field_for(call: Any, parts: tuple[str, ...]) -> None:
    """Counts, masks, repeats and strides out of range."""
    with refused(asc.RangeError, *parts):
        on_ub(call, *three())


@pytest.mark.parametrize(
    ("kind", "number", "parts"),
    [
        (np.int16, 32768, ("scalar 32768 does not fit int16 (-32768 to 32767)",)),
        (np.int32, 2**70, (f"scalar {2**70} does not fit int32",)),
        (np.uint16, -1, ("scalar -1 does not fit uint16 (0 to 65535)",)),
        (np.int32, 1.5, ("scalar 1.5 is no whole number, and the tensor is int32",)),
        (np.int32, np.nan, ("scalar nan is no whole number",)),
        (np.int32, np.inf, ("scalar inf is no whole number",)),
    ],
)
def test_a_number_must_fit_the_tensors_type(kind: Any, number: Any, parts: tuple[str, ...]) -> None:
    """Nothing wraps or is cut off silently."""
    with refused(asc.RangeError, *parts):
        on_ub(lambda z: asc.duplicate(z, number, 8), np.zeros(16, kind))


def test_a_number_beyond_a_float_type_is_infinite() -> None:
    """65520 is no half, and 10^400 no number of any; −10^400 is no smaller one."""
    for number, wanted in ((65520, np.inf), (10**400, np.inf), (-(10**400), -np.inf)):
        z, *_ = on_ub(lambda z, n=number: asc.duplicate(z, n, 8), np.zeros(16, F16))

        assert z[:8].tolist() == [wanted] * 8


def test_a_call_is_checked_for_each_kind_of_operand_it_meets() -> None:
    """One line of a loop that sees floats first and bytes then is refused at the bytes."""

    def body(x: Any, y: Any) -> None:
        for tensor in (x, y):
            asc.abs(tensor, tensor, 8)

    with refused(asc.DtypeError, "abs: dst is int8"):
        on_ub(body, np.zeros(8, F32), np.zeros(32, np.int8))


def test_the_program_says_what_was_called() -> None:
    """Label, pipe, operands, addresses and the scalar of each row."""
    program = program_of(lambda x, z: asc.adds(z, x, 2.5, 100, 2, UNARY), np.zeros(256, F16), np.zeros(256, F16))

    (row,) = program.blocks[0]
    assert row.template.label == "adds mask=100 repeat=2"
    assert row.template.pipe is asc.PipeID.PIPE_V
    assert row.template.operands == ("dst", "src")
    assert row.addresses == (512, 0)
    assert row.immediates == (2.5,)
    assert row.template.site.file == __file__


def test_the_count_form_allows_a_destination_a_repeat_below_its_source() -> None:
    """What it overwrites has been read; 8 elements less is refused."""
    x = np.arange(256).astype(F32)
    (shifted,) = on_ub(lambda x: asc.adds(x, x[64:], 0, 192), x)

    assert shifted[:192].tolist() == list(range(64, 256))
    with refused(asc.OverlapError, "adds: dst UB bytes [0, 800) and src UB bytes [224, 1024) overlap in part"):
        on_ub(lambda x: asc.adds(x, x[56:], 0, 200), x)


def test_accumulation_over_repeats() -> None:
    """max with the second source as running result and repeat stride 0: one result of four repeats."""
    params = asc.BinaryRepeatParams(1, 1, 1, 0, 8, 0)
    top, _ = on_ub(lambda top, x: asc.max(top, x, top, 64, 4, params), np.full(64, -1, F32), np.arange(256).astype(F32))

    assert top.tolist() == list(range(192, 256))
    with refused(asc.OverlapError, "max: repeat 0 writes", "repeat 1 reads", "src0"):
        on_ub(
            lambda top, x: asc.max(top, top, x, 64, 4, asc.BinaryRepeatParams(1, 1, 1, 0, 0, 8)),
            *[np.zeros(256, F32)] * 2,
        )


def test_accumulation_rounds_after_every_repeat() -> None:
    """float16 has no 2049: adding 1 four times to 2048 leaves 2048, although 2052 exists; subtracting takes turns."""
    params = asc.BinaryRepeatParams(1, 1, 1, 0, 8, 0)
    total, _ = on_ub(
        lambda total, x: asc.add(total, x, total, 128, 4, params), np.full(128, 2048, F16), np.ones(512, F16)
    )
    rest, _ = on_ub(
        lambda rest, x: asc.sub(rest, x, rest, [5, 0], 3, params), np.full(64, 100, F32), np.arange(192).astype(F32)
    )

    assert total.tolist() == [2048] * 128
    assert rest[:4].tolist() == [128 - (64 - (0 - 100)), 100, 130 - (66 - (2 - 100)), 100]


def test_repeats_that_write_the_same_lanes_leave_the_last_one() -> None:
    """Of 64 + 36 elements in counter mode the second repeat overwrites only the lanes that it has."""

    def both(dst: Any, counted: Any, x: Any) -> None:
        asc.adds(dst, x, 1, 64, 4, asc.UnaryRepeatParams(1, 1, 0, 8))
        asc.set_mask_count()
        asc.adds(counted, x, 1, 100, 1, asc.UnaryRepeatParams(1, 1, 0, 8))
        asc.set_mask_norm()

    dst, counted, _ = on_ub(both, np.zeros(64, F32), np.zeros(64, F32), np.arange(256).astype(F32))

    assert dst.tolist() == list(range(193, 257))
    assert counted.tolist() == [*range(65, 101), *range(37, 65)]


def test_a_tensor_of_another_block_is_refused() -> None:
    """Local memory belongs to its core."""
    kept: list[asc.LocalTensor] = []

    @asc.kernel
    def body() -> None:
        kept.append(local(asc.half, 16))
        if asc.get_block_idx():
            other = kept[0]
            asc.duplicate(other, 0, 16)

    with refused(asc.QueueStateError, "dst of duplicate (tensor other) cannot be used: its block has ended"):
        body.launch(2, chip="demo")


def test_a_tensor_of_a_block_that_still_runs_is_refused() -> None:
    """By its number: block 0 meets what block 1 made in between."""
    kept: list[asc.LocalTensor] = []

    @asc.kernel
    def body(x: Any) -> None:
        g = asc.GlobalTensor()
        g.set_global_buffer(x)
        kept.append(local(asc.half, 16))
        g.get_value(0)
        other = kept[-1]
        asc.duplicate(other, 0, 16)

    with refused(asc.UsageError, "dst of duplicate (tensor other) belongs to block 1, not to this one"):
        body.launch(2, np.zeros(8, F32), chip="demo")


def test_a_position_the_vector_unit_cannot_reach(tmp_path: Path) -> None:
    """A local memory it is not wired to: the message lists the positions it reaches."""
    chip = DEMO.read_text().replace('VECCALC = "ub"', 'VECCALC = "ub"\nTSCM = "ub"', 1)
    (tmp_path / "chip.toml").write_text(chip)

    def body(x: Any) -> None:
        far = asc.LocalTensor(asc.half, asc.TPosition.TSCM, 0, 16)
        asc.duplicate(far, 1, 16)

    with refused(asc.PositionError, "dst of duplicate (tensor far) is at TSCM; it can be at: VECIN, VECCALC, VECOUT"):
        on_gm(body, np.zeros(8, F32), chip=tmp_path / "chip.toml")


def test_a_global_address_is_no_tensor() -> None:
    """The message says what to do with it."""
    with refused(asc.UsageError, "data_copy: dst must be a LocalTensor or a GlobalTensor", "lay a GlobalTensor on it"):
        on_gm(lambda x: asc.data_copy(x.get_phy_addr(), x, 16), np.zeros(16, F16))
