"""How ``asc.adv`` is reached, and what it shows."""

from __future__ import annotations

import subprocess
import sys

import pytest

import ascendc as asc


def test_it_is_imported_when_first_asked_for() -> None:
    """A kernel without high-level functions does not wait for their files."""
    code = "import sys, ascendc as asc; n = 'ascendc.language.adv'; print(n in sys.modules, asc.adv.__name__ == n)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["False", "True"]


def test_other_names_are_missing_as_usual() -> None:
    """The message names the module and the name."""
    with pytest.raises(AttributeError, match=r"^module 'ascendc' has no attribute 'advanced'$"):
        asc.advanced  # noqa: B018  the access is what is tested
