"""The table of errors leads from every number to every error."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ascendc as asc
from ascendc.language.codes import CODES, FATES, Fate, document

PAGE = Path(__file__).parents[2] / "docs" / "errors.md"


def test_page_is_as_the_table_makes_it() -> None:
    """Whoever adds an error runs `make docs`."""
    assert PAGE.read_text(encoding="utf-8") == document()


def test_every_error_has_a_fate_and_one_row() -> None:
    """All classes of the package, each once."""
    rows = re.findall(r"^\| `(\w+)` \|", document(), re.MULTILINE)

    assert set(FATES) == set(asc.AscendError.__subclasses__())
    assert sorted(rows) == sorted(error.__name__ for error in FATES)


def test_every_code_leads_to_an_error() -> None:
    """And no fate has a number that is not explained."""
    assert {code for fate in Fate for code in fate.codes} == set(CODES)


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (507015, asc.CapacityError),
        (507015, asc.AlignmentError),
        (507035, asc.OutOfBoundsError),
        (507018, asc.DeadlockError),
        (507000, asc.RangeError),
    ],
)
def test_what_people_search_for_is_there(code: int, error: type[asc.AscendError]) -> None:
    """UB overflow, misalignment and out of bounds end in 507015 or 507035, a barrier that nobody joins in 507018."""
    (row,) = re.findall(rf"^\| {code} \| .*$", document(), re.MULTILINE)

    assert f"`{error.__name__}`" in row
    assert re.search(rf"^\| `{error.__name__}` \|.*\b{code}\b", document(), re.MULTILINE)
