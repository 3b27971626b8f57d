"""Programs come back from a file as they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from ascendc.language import dtypes
from ascendc.language.enums import HardEvent, PipeID, RoundMode
from ascendc.language.errors import UsageError
from ascendc.language.findings import Finding, Severity
from ascendc.language.hardware import HardwareSpec
from ascendc.language.program import (
    Block,
    Footprint,
    GlobalArray,
    Kind,
    Program,
    Recorder,
    Site,
    Space,
    Template,
)
from tests.rows import ADDS, DATA_COPY, SET_FLAG

SITE = Site("/somewhere/my.py", 7, "kernel")
STRIDED = Footprint(1, Space.GM, False, 64, 32, ((4, 1024), (2, -128)))


@pytest.fixture(autouse=True)
def isa(monkeypatch: pytest.MonkeyPatch) -> None:
    """The instructions these programs are made of."""
    known = {op.name: op for op in (ADDS, DATA_COPY, SET_FLAG)}
    monkeypatch.setattr("ascendc.language.isa.ISA", known, raising=False)


def a_program() -> Program:
    """Two blocks, with everything a template, an array and a finding can hold."""
    copy = Template(
        DATA_COPY,
        Kind.MOVE,
        PipeID.PIPE_MTE2,
        SITE,
        stage="copy_in",
        dtype="float16",
        params=(("count", 32), ("mode", RoundMode.CAST_RINT), ("mask", (1, ("0x3", 2))), ("of", dtypes.bfloat16)),
        operands=("dst", "src"),
        footprints=(Footprint(0, Space.UB, True, 64), STRIDED),
    )
    adds = Template(ADDS, Kind.COMPUTE, PipeID.PIPE_V, SITE, immediates=2, auto=True)
    flag = Template(SET_FLAG, Kind.SET, PipeID.PIPE_MTE2, SITE, event=(HardEvent.MTE2_V, 3), queued=True)
    blocks: list[Block] = []
    templates: list[Template] = []
    for number in range(2):
        recorder = Recorder("aiv", templates)
        recorder.issue(0, (64, 1 << 40))
        recorder.issue(2)
        for _ in range(number):
            recorder.issue(1, (), (0.1, float("inf")))
        blocks.append(recorder.freeze())
    templates += [copy, adds, flag]
    return Program(
        "kernel",
        HardwareSpec.load("demo"),
        tuple(templates),
        tuple(blocks),
        (GlobalArray("x", 1 << 40, 8192, "float16", (64, 64), 0, 16),),
        (Finding("raw", Severity.ERROR, "text", ("a.py:1", "a.py:2"), (0, 1)),),
        auto_sync=False,
    )


def test_a_loaded_program_equals_the_saved_one(tmp_path: Path) -> None:
    """Every column, template, array and finding, with the types parameters had."""
    program = a_program()
    program.save(tmp_path / "p.npz")
    loaded = Program.load(tmp_path / "p.npz")

    assert loaded == program
    assert loaded.templates[0].footprints[1] == STRIDED
    assert dict(loaded.templates[0].params)["mode"] is RoundMode.CAST_RINT
    assert loaded.blocks[1][2] == program.blocks[1][2]
    assert loaded.findings[0].severity is Severity.ERROR
    assert not loaded.blocks[0].rows.flags.writeable


def test_a_program_without_blocks_can_be_saved(tmp_path: Path) -> None:
    """Nothing is a program, too."""
    program = Program("kernel", HardwareSpec.load("demo"), (), ())
    program.save(tmp_path / "p.npz")

    assert Program.load(tmp_path / "p.npz") == program


def test_the_same_program_gives_the_same_bytes(tmp_path: Path) -> None:
    """No time of day, no addresses of objects."""
    a_program().save(tmp_path / "a.npz")
    a_program().save(tmp_path / "b.npz")

    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_an_instruction_this_version_lacks_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says which instruction and what to do."""
    path = tmp_path / "p.npz"
    a_program().save(path)
    monkeypatch.setattr("ascendc.language.isa.ISA", {"adds": ADDS}, raising=False)

    with pytest.raises(UsageError, match=r"p\.npz: has the instruction 'data_copy', which this version lacks; launch"):
        Program.load(path)
