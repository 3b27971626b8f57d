"""Kernels from source: with the real language or the bare one, as they are or with one thing changed."""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy as np

import ascendc as asc
from tests.guards.bare import Launch, language
from tests.guards.bare_chip import Breach

ROOT = Path(__file__).parents[2]
SHAPE, BLOCKS = (139,), 2
"""What operators run on here: a block of three tiles and a half, and one of less than a tile."""
SHARE, TILE = 112, 32
_SMALL = {8192: 64, 32_768: 128, 32_256: 64}
"""Bytes of the tiles of the ladder, and what stands for them here."""
_NAME = "tests.guards.mutant"


@dataclass(frozen=True, slots=True)
class Family:
    """Operators of one file.

    Attributes:
        files: their sources, the operators' own last, relative to the root.
        names: of the operators.
        auto_sync: whether they leave barriers to the compiler.
    """

    files: tuple[str, ...]
    names: tuple[str, ...]
    auto_sync: bool = False


_UNARY = ("abs", "exp", "ln", "sqrt", "rsqrt", "reciprocal", "relu")
_SCALAR = ("adds", "muls", "maxs", "mins", "leaky_relu")
_HELPERS = ("kernels/tiling.py", "kernels/transfer.py")
LIBRARY = (
    Family((*_HELPERS, "kernels/add.py"), ("add",)),
    Family(
        (*_HELPERS, "kernels/add.py", "kernels/add_ladder.py"),
        ("add_one_core", "add_8k", "add_32k", "add_double", "add_bypass", "add_banks"),
    ),
    Family((*_HELPERS, "kernels/elementwise.py"), (*_UNARY, *_SCALAR)),
    Family((*_HELPERS, "kernels/elementwise.py"), ("axpy",), auto_sync=True),
)
BY_HAND = (
    Family(
        (*_HELPERS, "tests/guards/kernels_flags.py"), ("chain", "passed_on", "scaled_by_first", "patched", "one_buffer")
    ),
    Family((*_HELPERS, "tests/guards/kernels_queues.py"), ("staged", "bound", "two_in_flight", "scratch")),
)

Trees = Mapping[str, ast.Module]


@cache
def parsed(file: str) -> ast.Module:
    """The source of a file, with small tiles."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            node.value = _SMALL.get(node.value, node.value)
    tree.body = [n for n in tree.body if not _is_taken_care_of(n)]
    return tree


def _is_taken_care_of(node: ast.stmt) -> bool:
    """Whether it imports the language or a neighbour: both are put in its place."""
    if isinstance(node, ast.Import):
        return node.names[0].name == "ascendc"
    return isinstance(node, ast.ImportFrom) and (node.level > 0 or (node.module or "").startswith("kernels"))


@lru_cache(maxsize=64)
def _compiled(file: str, tree: ast.Module) -> CodeType:
    return compile(tree, str(ROOT / file), "exec")


def operator(trees: Trees, name: str, spoken: Any) -> Any:
    """The operator ``name`` of the sources ``trees``, in the language ``spoken``."""
    module = ModuleType(_NAME)
    sys.modules[_NAME] = module
    space = vars(module)
    space["asc"] = spoken
    for file, tree in trees.items():
        exec(_compiled(file, tree), space)
    space["equal_share"] = lambda array, blocks: SHARE
    space["split"] = lambda array, blocks, buffers: space["Tiling"](array.size, SHARE, TILE)
    return space[name]


def bare_launch(trees: Trees, name: str, *, auto_sync: bool) -> Launch | Breach | None:
    """What the chip would be given, why it would not get far, or nothing if Python does not either."""
    try:
        made = operator(trees, name, language(auto_sync=auto_sync))
        launch: Launch = made.host(*(np.zeros(SHAPE, np.float16) for _ in range(made.inputs + 1)), BLOCKS)
    except Breach as breach:
        return breach
    except Exception:  # noqa: BLE001  a change may leave names unbound, or numbers no range has
        return None
    return launch


@dataclass(frozen=True, slots=True)
class Report:
    """What the checks said of a run: ``error``, ``warning``, ``unwritten``, ``result`` or nothing, and the words.

    The worst comes first: a result is only looked at where nothing else was found.
    """

    kind: str
    text: str = ""


def report(trees: Trees, name: str, *, auto_sync: bool) -> Report:
    """Run the operator under all checks."""
    try:
        with asc.defaults(chip="demo", auto_sync=auto_sync):
            made: asc.Operator = operator(trees, name, asc)
            outcome = made.run(shape=SHAPE, dtype="float16", blocks=BLOCKS)
    except asc.AscendError as error:
        return Report("error", f"{type(error).__name__}: {error}")
    if outcome.program.findings:
        return Report("warning", str(outcome.program.findings[0]))
    if outcome.unwritten:
        return Report("unwritten", f"{outcome.unwritten} bytes were never written")
    return Report("" if outcome.correct else "result", f"{outcome.mismatches} elements are wrong")
