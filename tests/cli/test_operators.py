"""An operator in a user's file is found by the file, or by file and name."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import pytest

from ascendc.cli.operators import find

ONE = """
import ascendc as asc
import numpy as np

@asc.operator(reference=np.negative)
def one(x, y, blocks):
    '''y = -x.'''
"""
TWO = ONE + ONE.replace("one", "two")


@pytest.fixture(autouse=True)
def _path(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is added to the search path is gone after the test."""
    monkeypatch.setattr(sys, "path", sys.path[:])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "my_op.py"


def refusal(target: str) -> str:
    with pytest.raises(click.UsageError) as caught:
        find(target)
    return str(caught.value)


def test_the_only_operator_needs_no_name(file: Path) -> None:
    """With or without it."""
    file.write_text(ONE)

    assert find(str(file)).name == "one"
    assert find(f"{file}:one").name == "one"


def test_of_several_one_must_be_named(file: Path) -> None:
    """The answer is what to type."""
    file.write_text(TWO)

    assert find(f"{file}:two").name == "two"
    assert refusal(str(file)) == f"{file} has 2 operators; say which: {file}:one, {file}:two"


def test_a_name_that_is_not_there_gets_a_suggestion(file: Path) -> None:
    """From the names in that file."""
    file.write_text(TWO)

    assert refusal(f"{file}:onee") == f"{file}: no operator named 'onee'; did you mean one?"


def test_a_file_without_operators_is_told_how_to_make_one(file: Path) -> None:
    """An empty file is the extreme case."""
    file.write_text("")

    assert refusal(str(file)).startswith(f"{file} has no operator; make one with ")


def test_modules_beside_the_file_can_be_imported(file: Path, tmp_path: Path) -> None:
    """The file's directory is searched last, so that nothing in it stands in for a library."""
    (tmp_path / "beside_my_op.py").write_text(ONE)
    file.write_text("from beside_my_op import one\n")

    assert find(str(file)).name == "one"


def test_a_file_named_like_a_library_module_does_not_replace_it(tmp_path: Path) -> None:
    """``queue.py`` is a likely name for a file about queues."""
    import queue

    file = tmp_path / "queue.py"
    file.write_text(ONE)
    find(str(file))

    assert sys.modules["queue"] is queue


def test_what_the_file_raises_is_its_authors_to_see(file: Path) -> None:
    """Also when it is no Python at all."""
    file.write_text("1 / 0")
    with pytest.raises(ZeroDivisionError) as caught:
        find(str(file))
    assert caught.traceback[-1].path == file

    file.write_text("def broken(:\n")
    with pytest.raises(SyntaxError):
        find(str(file))
