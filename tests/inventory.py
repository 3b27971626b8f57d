"""Which test works an instruction out in literal numbers, and which compares it with loops over lanes.

A test says so itself: ``@worked("gather")`` and ``@looped("gather", "scatter")`` above it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Test = TypeVar("Test", bound=Callable[..., object])

WORKED: dict[str, list[str]] = {}
LOOPED: dict[str, list[str]] = {}
"""The tests by instruction; filled when their modules are imported."""


def worked(*instructions: str) -> Callable[[Test], Test]:
    """Mark a test that runs these in a kernel and compares with literal numbers."""
    return _mark(WORKED, instructions)


def looped(*instructions: str) -> Callable[[Test], Test]:
    """Mark a property test that compares these with an independent loop, over all they take."""
    return _mark(LOOPED, instructions)


def _mark(where: dict[str, list[str]], instructions: tuple[str, ...]) -> Callable[[Test], Test]:
    def mark(test: Test) -> Test:
        for name in instructions:
            where.setdefault(name, []).append(f"{test.__module__}.{test.__qualname__}")
        return test

    return mark
