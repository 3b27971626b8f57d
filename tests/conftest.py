"""What every test may use: golden files, and property tests that are the same on every run in CI."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

GOLDEN = Path(__file__).parent / "golden"

settings.register_profile("local", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "local")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite tests/golden from this run")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Compare text with ``tests/golden/<test name>.txt``, or rewrite that file under ``--update-golden``."""
    path = GOLDEN / f"{request.node.name}.txt"

    def check(text: str) -> None:
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text + "\n", encoding="utf-8")
        if not path.exists():
            pytest.fail(f"tests/golden/{path.name} is missing; make it with `make golden`, and read it")

        assert text == path.read_text(encoding="utf-8").removesuffix("\n"), (
            f"not as in tests/golden/{path.name}; if that is meant, run `make golden` and read the diff"
        )

    return check
