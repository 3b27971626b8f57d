"""A line appears for people who wait, and for nobody else."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from ascendc.cli import main
from ascendc.cli import progress as module
from ascendc.cli.progress import Line, describe, progress

Capture = pytest.CaptureFixture[str]
LONG_SECONDS = 60
"""No test waits that long unless it fails."""


def sit_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody looks at stderr, and wants to know at once."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")


def test_long_work_is_asked_how_far_it_is(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """On stderr, with what is being done; stdout stays clean for pipes."""
    sit_at_a_terminal(monkeypatch)
    asked = threading.Event()

    def so_far() -> tuple[int, int | None]:
        asked.set()
        return 1000, 4000

    with progress(wanted=True) as line:
        assert line is not None
        line.begin("running blocks", so_far)
        assert asked.wait(LONG_SECONDS)

    out, err = capsys.readouterr()
    assert out == ""
    assert "running blocks: 1,000 of 4,000 instructions, 25%" in err


def test_the_line_goes_and_comes_with_the_work(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Resting, it asks nobody; the next pass has it again, under its own name."""
    sit_at_a_terminal(monkeypatch)
    with progress(wanted=True) as line:
        assert line is not None
        for what in ("running blocks", "looking for hazards"):
            asked = threading.Event()
            line.begin(what, lambda asked=asked: asked.set() or (0, None))  # type: ignore[misc]
            assert asked.wait(LONG_SECONDS)
            line.rest()
            assert what in capsys.readouterr().err
        line.rest()
    assert capsys.readouterr() == ("", "")


def test_short_work_shows_none(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that flashes is noise."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 3600.0)

    with progress(wanted=True) as line:
        assert line is not None
        line.counter("counting cycles")(4, 4)
    assert capsys.readouterr() == ("", "")


def test_work_that_ended_while_the_line_was_coming_shows_none(capsys: Capture) -> None:
    """The timer may ring just after the last pass is done."""
    line = Line()
    line.begin("counting cycles", lambda: (1, 2))
    line.rest()

    line._show()
    assert capsys.readouterr() == ("", "")


def test_what_a_pass_tells_is_what_the_line_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last number it gave."""
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 3600.0)
    line = Line()
    report = line.counter("counting cycles")
    begins = line._text()
    report(10, 40)
    goes_on = line._text()
    line.rest()

    assert begins == "counting cycles, 0 s so far"
    assert goes_on == "counting cycles: 10 of 40 instructions, 25%, 0 s left"
    assert line._text() == ""


@pytest.mark.parametrize(
    ("done", "total", "seconds", "text"),
    [
        (0, None, 3.4, "running, 3 s so far"),
        (1500, None, 75, "running: 1,500 instructions, 1 min 15 s so far"),
        (250_000, 1_000_000, 30, "running: 250,000 of 1,000,000 instructions, 25%, 1 min 30 s left"),
        (4, 4, 30, "running: 4 of 4 instructions, 100%, 0 s left"),
    ],
)
def test_the_line_says_how_far_and_how_long(done: int, total: int | None, seconds: float, text: str) -> None:
    """Time left where there is an end in sight, else the time so far."""
    assert describe("running", done, total, seconds) == text


@pytest.mark.parametrize(("wanted", "is_terminal"), [(True, False), (False, True)])
def test_no_terminal_or_no_wish_is_no_line(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, wanted: bool, is_terminal: bool
) -> None:
    """The passes get nobody to talk to."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.0)

    with progress(wanted) as line:
        assert line is None
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("command", ["run", "prof"])
def test_every_pass_is_on_the_line(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Running, looking for hazards, counting cycles: of an operator and of a script."""
    sit_at_a_terminal(monkeypatch)
    begun: list[str] = []
    counting: list[tuple[int, int]] = []
    monkeypatch.setattr(Line, "begin", lambda self, what, so_far: begun.append(what))
    counter = Line.counter
    monkeypatch.setattr(Line, "counter", lambda self, what: [counter(self, what), lambda *n: counting.append(n)][1])
    script = tmp_path / "script.py"
    script.write_text(
        "import numpy as np\nfrom kernels import OPERATORS\nx = np.ones(64, np.float16)\n"
        "OPERATORS['add'].host(x, x, np.empty_like(x), 1)\n"
    )

    if command == "run":
        assert main(["run", "add", "--shape", "64", "--blocks", "1"]) == 0
    else:
        assert main(["prof", "--out", str(tmp_path / "out"), str(script)]) == 0

    assert begun == ["running blocks", "looking for hazards", "counting cycles"]
    assert counting[-1][0] == counting[-1][1] > 0
