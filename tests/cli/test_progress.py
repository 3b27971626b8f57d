"""A bar appears for people who wait, and for nobody else."""

from __future__ import annotations

import sys

import pytest

from ascendc.cli import progress as module
from ascendc.cli.progress import progress

Capture = pytest.CaptureFixture[str]


def work(wanted: bool) -> None:
    with progress(wanted) as reporter:
        report = reporter("counting cycles")
        if report is not None:
            report(1, 4)
            report(4, 4)


def test_work_longer_than_patience_shows_a_bar(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """On stderr, with what is being done; stdout stays clean for pipes."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.0)
    monkeypatch.setenv("TERM", "xterm")

    work(wanted=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert "counting cycles" in err


def test_short_work_shows_none(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bar that flashes is noise."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 3600.0)

    work(wanted=True)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("wanted", "is_terminal"), [(True, False), (False, True)])
def test_no_terminal_or_no_wish_is_no_bar(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, wanted: bool, is_terminal: bool
) -> None:
    """The passes get no function to call at all."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    monkeypatch.setattr(module, "PATIENCE_SECONDS", 0.0)

    with progress(wanted) as reporter:
        assert reporter("x") is None
    assert capsys.readouterr() == ("", "")
