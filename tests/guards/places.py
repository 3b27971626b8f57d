"""The places in our packages where an error is made, and which of them a run reaches.

A place is a call of an error's class, or of a function that does nothing but fail: its annotation says so.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import click

from ascendc.language import errors

ROOT = Path(__file__).parents[2]
PACKAGES = ("ascendc", "simulator", "profiler", "kernels")
_BASES = (errors.AscendError, click.ClickException)
_CLASSES = {
    name
    for module in (errors, click)
    for name, kind in vars(module).items()
    if isinstance(kind, type) and issubclass(kind, _BASES)
}


class Place(NamedTuple):
    """The lines of one call."""

    file: str
    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.file}:{self.first}"

    def is_reached(self, lines: set[tuple[str, int]]) -> bool:
        return any((self.file, line) in lines for line in range(self.first, self.last + 1))


@cache
def places() -> list[Place]:
    """All of them, file by file."""
    trees = {
        str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8"))
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
    }
    makers = _CLASSES.union(*map(_failing, trees.values()))
    return [place for file, tree in trees.items() for place in _calls(file, tree, makers)]


def _failing(tree: ast.Module) -> set[str]:
    """The functions that never return."""
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and isinstance(node.returns, ast.Name) and node.returns.id == "NoReturn"
    }


def _calls(file: str, tree: ast.Module, makers: set[str]) -> Iterator[Place]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in makers:
            yield Place(file, node.lineno, node.end_lineno or node.lineno)


@contextmanager
def watched() -> Iterator[set[tuple[str, int]]]:
    """The lines of ours that were on the stack whenever an error was made, as they come."""
    lines: set[tuple[str, int]] = set()
    ours = tuple(str(ROOT / package) for package in PACKAGES)

    def noting(init: Any) -> Any:
        def made(self: Any, *args: Any, **kwargs: Any) -> None:
            frame = sys._getframe(1)
            while frame is not None:
                file = frame.f_code.co_filename
                if file.startswith(ours):
                    lines.add((str(Path(file).relative_to(ROOT)), frame.f_lineno))
                frame = frame.f_back
            init(self, *args, **kwargs)

        return made

    first, second = _BASES
    with (
        patch.object(first, "__init__", noting(first.__init__)),
        patch.object(second, "__init__", noting(second.__init__)),
    ):
        yield lines
