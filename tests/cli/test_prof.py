"""``ascendc prof`` runs a script as Python would and profiles every launch in it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ascendc.cli import main
from ascendc.language.errors import HazardError
from ascendc.language.findings import Finding, Severity

Capture = pytest.CaptureFixture[str]
LAUNCH = """
from ascendc.language.kernel import kernel
def {kernel}(): pass
print(kernel({kernel})[3]().spec.name)
"""
Prof = Callable[..., tuple[int, str, str]]


@pytest.fixture
def prof(tmp_path: Path, capsys: Capture) -> Prof:
    """Profile a script with this text into ``tmp_path/out``: status, stdout, stderr."""

    def prof(text: str, *arguments: str, options: tuple[str, ...] = ()) -> tuple[int, str, str]:
        script = tmp_path / "script.py"
        script.write_text(text)
        status = main(["prof", "--out", str(tmp_path / "out"), *options, str(script), *arguments])
        return status, *capsys.readouterr()

    return prof


def test_every_launch_gets_a_directory_and_a_line(prof: Prof, tmp_path: Path) -> None:
    """Numbered in order of launch; on three cores of a 910B1 a launch takes 0.345 + 3 * 0.118 us."""
    status, out, err = prof(LAUNCH.format(kernel="add") + LAUNCH.format(kernel="mul"))

    assert (status, out) == (0, "Ascend910B1\nAscend910B1\n")
    assert err == (
        f"{tmp_path}/out/1-add: 0 cycles, 0.70 us, nothing ran\n{tmp_path}/out/2-mul: 0 cycles, 0.70 us, nothing ran\n"
    )
    assert json.loads((tmp_path / "out/1-add/profile.json").read_text())["kernel"] == "add"


def test_a_kernel_with_a_strange_name_gets_a_plain_directory(prof: Prof, tmp_path: Path) -> None:
    """A lambda's name, say, is no name for a directory."""
    prof("from ascendc.language.kernel import kernel\nkernel(lambda: None)[1]()")

    assert (tmp_path / "out/1-_lambda_/profile.json").exists()


def test_the_script_sees_what_python_would_show_it(prof: Prof, tmp_path: Path) -> None:
    """Its name, its arguments, options included, and modules beside it."""
    (tmp_path / "beside.py").write_text("value = 7")
    text = "import sys, beside; print(__name__, sys.argv[1:], beside.value)"
    before = sys.argv[:], sys.path[:]

    assert prof(text, "--size", "4", "--out", "x")[:2] == (0, "__main__ ['--size', '4', '--out', 'x'] 7\n")
    assert (sys.argv, sys.path) == before


@pytest.mark.parametrize(("leave", "status"), [("", 0), ("None", 0), ("3", 3), ("'no data'", 1)])
def test_the_scripts_exit_status_is_ours(prof: Prof, leave: str, status: int) -> None:
    """As Python takes the argument of sys.exit."""
    assert prof(f"import sys; sys.exit({leave})", options=("--quiet",))[0] == status


def test_a_script_without_launches_is_told_so(prof: Prof, tmp_path: Path) -> None:
    """Nothing is written."""
    assert prof("print('hello')") == (0, "hello\n", f"{tmp_path}/script.py launched no kernel\n")
    assert not (tmp_path / "out").exists()


def test_quiet_leaves_the_terminal_to_the_script(prof: Prof) -> None:
    """The reports are written all the same."""
    assert prof(LAUNCH.format(kernel="add"), options=("--quiet",)) == (0, "Ascend910B1\n", "")


def test_an_error_finding_is_status_1(prof: Prof, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when the script goes on, and leaves with 0."""
    race = Finding("raw", Severity.ERROR, "add reads too early", ("k.py:3",), (0,))
    monkeypatch.setattr("ascendc.language.hazards.hazards", lambda program: [race])

    launch = LAUNCH.format(kernel="add").replace("kernel(add)[3]()", "kernel(add).launch(3, hazards='warn')")
    status, _, err = prof(launch)
    assert status == 1
    assert err.startswith("  1. error: add reads too early\n")


def test_what_a_script_raises_passes_through(prof: Prof) -> None:
    """With its own traceback."""
    with pytest.raises(ZeroDivisionError) as caught:
        prof("1 / 0")
    assert caught.traceback[-1].path.name == "script.py"


def test_a_report_that_cannot_be_written_is_one_line(prof: Prof, tmp_path: Path) -> None:
    """As in ascendc run: where and why, status 2."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out/1-add").touch()

    status, out, err = prof(LAUNCH.format(kernel="add"))
    assert (status, out) == (2, "")
    assert err.startswith(f"ascendc prof: {tmp_path}/out/1-add: cannot write the report: ")
    assert err.count("\n") == 1


def test_reports_of_a_longer_run_before_are_removed(prof: Prof, tmp_path: Path) -> None:
    """Whoever lists the directory sees the launches of the last run, and whatever else is there."""
    out = tmp_path / "out"
    prof(LAUNCH.format(kernel="add") * 3)
    (out / "3-add/notes.txt").write_text("mine")
    (out / "9-mine").mkdir()
    (out / "profile.json").touch()

    prof(LAUNCH.format(kernel="mul"))
    assert sorted(path.name for path in out.iterdir()) == ["1-mul", "3-add", "9-mine", "profile.json"]
    assert (out / "3-add/notes.txt").read_text() == "mine"


def test_the_chip_is_the_default_of_launches(prof: Prof) -> None:
    """For those that name none."""
    assert prof(LAUNCH.format(kernel="add"), options=("--chip", "demo"))[1] == "demo\n"


@pytest.mark.parametrize(("hazards", "status"), [("error", None), ("warn", 1), ("off", 0)])
def test_hazards_is_the_option_of_all_commands(
    prof: Prof, monkeypatch: pytest.MonkeyPatch, hazards: str, status: int | None
) -> None:
    """Stop the script, go on and exit 1, or do not look."""
    race = Finding("raw", Severity.ERROR, "add reads too early", ("k.py:3",), (0,))
    monkeypatch.setattr("ascendc.language.hazards.hazards", lambda program: [race])
    launch = LAUNCH.format(kernel="add")

    if status is None:
        with pytest.raises(HazardError):
            prof(launch, options=("--hazards", hazards))
    else:
        assert prof(launch, options=("--hazards", hazards))[0] == status
