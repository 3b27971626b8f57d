"""Finding the operator a person means: one of ours by name, or one in a file of theirs."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .arguments import unknown
from .scripts import run_file

if TYPE_CHECKING:
    from ascendc.language.operator import Operator


def find(target: str) -> Operator:
    """The operator meant by ``NAME``, ``FILE`` or ``FILE:NAME``.

    Raises:
        click.UsageError: there is no such operator or file, or the file has several.
    """
    file, _, name = target.partition(":")
    if file.endswith(".py"):
        return _choose(_operators(Path(file)), Path(file), name)
    from kernels import OPERATORS

    if target not in OPERATORS:
        raise click.UsageError(f"{unknown('operator', target, OPERATORS)} (a file of yours ends in .py)")
    return OPERATORS[target]


def _choose(found: Mapping[str, Operator], file: Path, name: str) -> Operator:
    if not found:
        raise click.UsageError(f"{file} has no operator; make one with @asc.operator(...) at the top level of the file")
    if name:
        if name not in found:
            raise click.UsageError(f"{file}: {unknown('operator', name, found)}")
        return found[name]
    if len(found) > 1:
        raise click.UsageError(f"{file} has {len(found)} operators; say which: {file}:{f', {file}:'.join(found)}")
    return next(iter(found.values()))


def _operators(file: Path) -> dict[str, Operator]:
    """Run the file as a module and collect its operators.  What it raises is the author's to see, traceback and all."""
    if not file.is_file():
        raise click.UsageError(f"there is no file {file}")
    from ascendc.language.operator import find_operators

    sys.path.append(str(file.parent.absolute()))
    name = f"_{file.stem}"  # a file called queue.py must not stand in for the library's queue
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None, "a name that ends in .py has a loader"
    assert spec.loader is not None, "a file has one"
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    run_file(spec.loader.exec_module, module)
    return dict(find_operators(module))
