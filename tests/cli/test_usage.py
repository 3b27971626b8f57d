"""A mistake on the command line is one line on stderr, exit status 2, and never a traceback."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from ascendc.cli import main

Capture = pytest.CaptureFixture[str]


def complaint(capsys: Capture, *arguments: str) -> str:
    """What ``ascendc arguments`` answers to a mistake."""
    status = main(arguments)
    out, err = capsys.readouterr()

    assert (status, out, err.count("\n")) == (2, "", 1)
    return err.removesuffix("\n")


CHIPS = "Ascend910B1, Ascend910B2, Ascend910B3, Ascend910B4, demo"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("rnu", "ascendc: No such command 'rnu'."),
        ("run --shap 8", "ascendc run: No such option '--shap'."),
        (
            "run --shape 8by8",
            "ascendc run: Invalid value for '--shape': '8by8' is no shape; "
            "write the extents with an x between them, as 8192x8192",
        ),
        ("run --shape -4", "ascendc run: Invalid value for '--shape': '-4' is no shape; "),
        ("run --shape 8x", "ascendc run: Invalid value for '--shape': '8x' is no shape; "),
        (
            "run --shape 0x8",
            "ascendc run: Invalid value for '--shape': 0x8 holds no element; every extent must be 1 or more",
        ),
        (
            "run --dtype flaot16",
            "ascendc run: Invalid value for '--dtype': no element type named 'flaot16'; "
            "did you mean float16 or bfloat16?",
        ),
        (
            "run --dtype quad",
            "ascendc run: Invalid value for '--dtype': no element type named 'quad'; there are: bool, int8, int16, "
            "int32, int64, uint8, uint16, uint32, uint64, float16, bfloat16, float32",
        ),
        ("run --blocks 0", "ascendc run: Invalid value for '--blocks': 0 is not in the range x>=1."),
        ("run --blocks many", "ascendc run: Invalid value for '--blocks': 'many' is not a valid integer range."),
        ("run --seed -1", "ascendc run: Invalid value for '--seed': -1 is not in the range x>=0."),
        (
            "run --chip Ascend910C1",
            f"ascendc run: Invalid value for '--chip': no chip named 'Ascend910C1'; there are: {CHIPS}, "
            "or the path of a .toml file; did you mean Ascend910B1?",
        ),
        (
            "chips deom",
            f"ascendc chips: Invalid value for '[NAME|FILE]': no chip named 'deom'; there are: {CHIPS}, "
            "or the path of a .toml file; did you mean demo?",
        ),
        ("chips none.toml", "ascendc chips: Invalid value for '[NAME|FILE]': none.toml: cannot be read: "),
        ("run --hazards maybe", "ascendc run: Invalid value for '--hazards': 'maybe' is not one of "),
        ("prof", "ascendc prof: Missing argument 'SCRIPT'."),
        ("prof none.py", "ascendc prof: Invalid value for 'SCRIPT': File 'none.py' does not exist."),
    ],
)
def test_a_mistake_is_answered_in_one_line(capsys: Capture, arguments: str, expected: str) -> None:
    """Command, option, what was given, what is possible."""
    assert complaint(capsys, *arguments.split()).startswith(expected)


def test_a_directory_that_is_a_file_is_refused_before_anything_runs(tmp_path: Path, capsys: Capture) -> None:
    """Also as the parent of the one to be made."""
    file = tmp_path / "file"
    file.touch()

    for out in (file, file / "below"):
        answer = complaint(capsys, "run", "add", "--out", str(out))
        assert answer == f"ascendc run: Invalid value for '--out': {file} is a file, not a directory"


def test_a_directory_that_cannot_be_written_is_refused(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first directory that exists decides, before anything runs."""
    monkeypatch.setattr("os.access", lambda path, mode: False)

    answer = complaint(capsys, "run", "add", "--out", "nowhere/deep")
    assert answer == (
        f"ascendc run: Invalid value for '--out': {Path.cwd()} cannot be written to; choose another directory"
    )


@pytest.mark.parametrize("command", ["run add", "prof"])
def test_a_directory_that_cannot_be_one_is_refused(tmp_path: Path, capsys: Capture, command: str) -> None:
    """No name at all, or one longer than any file system takes."""
    script = tmp_path / "script.py"
    script.write_text("print('never run')")
    name, *operator = command.split()

    for out, text in (("", "it is empty; say . for the current directory"), ("x" * 300, "File name too long")):
        answer = complaint(capsys, name, "--out", out, *(operator or [str(script)]))
        assert answer.startswith(f"ascendc {name}: Invalid value for '--out': ")
        assert answer.endswith(text)


def test_the_exit_status_is_explained(capsys: Capture) -> None:
    """Warnings are findings, and no failure."""
    main(["--help"])
    rule = "0 right, warnings or not; 1 a wrong result, or a finding that is an error; 2 a mistake"
    assert rule in " ".join(capsys.readouterr().out.split())
    main(["run", "--help"])
    assert "warnings do not count" in " ".join(capsys.readouterr().out.split())


def test_a_broken_chip_file_is_named_with_its_key(tmp_path: Path, capsys: Capture) -> None:
    """The path of a file works wherever a chip's name does, and is checked as strictly."""
    file = tmp_path / "mine.toml"
    file.write_text('extends = "demo"\nname = "mine"\n[l2]\nsize = 1\nsource = "x"\nstatus = "assumed"\n')

    assert complaint(capsys, "chips", str(file)) == (
        "ascendc chips: Invalid value for '[NAME|FILE]': mine.toml: unknown key l2.size; known: bytes, line_bytes, "
        "achievable_gbps, source, status"
    )


# ---- what is only looked up ----


def test_help_teaches_with_examples(capsys: Capture) -> None:
    """Alone, with --help, and for each command."""
    for arguments in ([], ["--help"], ["run", "--help"], ["prof", "--help"], ["chips", "--help"], ["ops", "--help"]):
        assert main(arguments) == 0
        out = capsys.readouterr().out
        assert out.startswith("Usage: ascendc")
        assert "Examples:\n" in out


def test_help_loads_nothing_heavy() -> None:
    """Neither the chart library nor the simulator nor the operators: help must be there at once."""
    code = "import sys, ascendc.cli as c; c.main(['--help']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert not {"matplotlib", "simpy", "simulator", "profiler", "kernels", "rich"} & set(done.stderr.split())


def test_chips_are_listed_with_cores_clock_and_memory(capsys: Capture) -> None:
    """One line each."""
    assert main(["chips"]) == 0
    lines = capsys.readouterr().out.splitlines()

    assert lines[0].split() == ["chip", "cores", "MHz", "L2", "MiB", "memory", "GiB", "GB/s"]
    assert lines[4].split() == ["Ascend910B4", "40", "aiv", "+", "20", "aic", "1500", "96", "32", "800"]
    assert len(lines) == 6


def test_a_chip_is_shown_with_the_source_of_every_group(capsys: Capture) -> None:
    """Within 80 columns; a source nobody reads is as good as none."""
    assert main(["chips", "Ascend910B1"]) == 0
    out = capsys.readouterr().out

    assert max(map(len, out.splitlines())) <= 80
    groups = files("ascendc.chips").joinpath("Ascend910B1.toml").read_text(encoding="utf-8").count("\nstatus = ")
    assert groups > 20
    assert out.count("\n  documented ") + out.count("\n  measured ") + out.count("\n  assumed ") == groups
    assert "\nroute.gm_to_ub\n  issue_cycles         20.6 " in out
    assert "\n  read_read_cycles   1.028125 " in out


def test_limits_name_what_is_missing_and_what_is_assumed(capsys: Capture) -> None:
    """The second part follows from the chip file: on ``demo`` everything is made up."""
    assert main(["run", "--limits"]) == 0
    out = capsys.readouterr().out

    assert "instruction fetch" in out
    assert "on-chip network" in out
    assert "same lines" in out
    assert "Assumed numbers of Ascend910B1" in out
    assert "launch, route.gm_to_l0a" in out
    assert "vector.cost.binary" not in out
    assert main(["run", "--limits", "--chip", "demo"]) == 0
    assert "vector.cost.binary" in capsys.readouterr().out
