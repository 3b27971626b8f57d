"""The page of checks names tests that exist, and leaves no mistake out."""

from __future__ import annotations

import re
from pathlib import Path

from tests.guards import findings, mistakes_flags, mistakes_queues

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/guards.md").read_text(encoding="utf-8")


def test_every_test_it_names_exists() -> None:
    """``file::name``: the file is somewhere in tests/, and defines the name."""
    named = re.findall(r"`(\w+\.py)(?:::(\w+))?`", PAGE)
    sources = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")}

    assert len(named) > 50
    assert [f"{file}::{name}" for file, name in named if not re.search(rf"(def|class) {name}\b", sources[file])] == []


def test_every_finding_is_on_it() -> None:
    """One row at least for each kernel of ``findings.py``."""
    assert [f.__name__ for f in findings.FINDINGS if f.__name__ not in PAGE] == []


def test_every_class_of_error_of_queues_and_flags_is_on_it() -> None:
    """No class is raised there that the page does not know."""
    raised = {(m.__doc__ or "").partition(":")[0] for m in mistakes_queues.MISTAKES + mistakes_flags.MISTAKES}

    assert raised - set(re.findall(r"`(\w+Error)`", PAGE)) == set()
