"""The ladder's source with some lines taken out, as a module of its own."""

from __future__ import annotations

import inspect
import linecache
import sys
from collections.abc import Collection
from types import ModuleType

from kernels import add_ladder

FILE = "mutant.py"
LINES = inspect.getsource(add_ladder).splitlines()


def mutant(gone: Collection[int]) -> ModuleType:
    """The module without the statements in these lines; the others keep their numbers, counted from 1."""
    text = "".join(
        f"{line[: len(line) - len(line.lstrip())]}pass\n" if number in gone else f"{line}\n"
        for number, line in enumerate(LINES, 1)
    )
    module = ModuleType("kernels.mutant")
    module.__package__ = "kernels"  # for its relative imports
    sys.modules[module.__name__] = module
    linecache.cache[FILE] = (len(text), None, text.splitlines(keepends=True), FILE)
    exec(compile(text, FILE, "exec"), vars(module))
    return module


def lines_with(text: str) -> list[int]:
    """Numbers of the source lines that contain ``text``."""
    return [number for number, line in enumerate(LINES, 1) if text in line]


def line_with(text: str) -> int:
    """Number of the one source line that contains ``text``."""
    (number,) = lines_with(text)
    return number
