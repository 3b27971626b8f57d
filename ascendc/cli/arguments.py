"""What may be written on the command line, turned into values, or refused in one line.

The functions are click callbacks: ``None`` stands for an option that was not given, and stays.  Options that
several commands have are declared here.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

import click

from ascendc.language import dtypes
from ascendc.language.errors import DtypeError, HardwareSpecError
from ascendc.language.hardware import HardwareSpec
from ascendc.language.options import DEFAULT_CHIP, HAZARDS

Command = TypeVar("Command", bound=Callable[..., object])


def job_options(command: Command) -> Command:
    """``--shape``, ``--dtype``, ``--blocks`` and ``--chip``: what an operator is run with."""
    for option in reversed(_JOB):
        command = option(command)
    return command


def hazards_option(meaning: str) -> Callable[[Command], Command]:
    """``--hazards``; ``meaning`` says what the three choices do."""
    return click.option(
        "--hazards",
        type=click.Choice(HAZARDS),
        default="error",
        show_default=True,
        help=f"Unordered accesses: {meaning}.",
    )


def shape(context: click.Context, parameter: click.Parameter, value: str | None) -> tuple[int, ...] | None:
    """Extents joined by ``x``, each 1 or more."""
    if value is None:
        return None
    if not re.fullmatch(r"[0-9]{1,18}(x[0-9]{1,18})*", value):
        raise click.BadParameter(f"{value!r} is no shape; write the extents with an x between them, as 8192x8192")
    extents = tuple(map(int, value.split("x")))
    if 0 in extents:
        raise click.BadParameter(f"{value} holds no element; every extent must be 1 or more")
    return extents


def dtype(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """The name of an element type as NumPy writes it: ``float16`` for ``half``."""
    if value is None:
        return None
    try:
        return dtypes.dtype(value).name
    except DtypeError:
        raise click.BadParameter(unknown("element type", value, dtypes.DTYPES)) from None


def chip(context: click.Context, parameter: click.Parameter, value: str | None) -> HardwareSpec | None:
    """The chip with this name, or the one in this file."""
    if value is None:
        return None
    try:
        return HardwareSpec.load(value)
    except HardwareSpecError as error:
        raise click.BadParameter(str(error)) from error


def folder(context: click.Context, parameter: click.Parameter, value: str | None) -> Path | None:
    """A directory that can be written to, or made.  It is not made yet: the work may still fail."""
    if value is None:
        return None
    if not value:
        raise click.BadParameter("it is empty; say . for the current directory")
    path = Path(value)
    try:
        there = next(p for p in (path, *path.absolute().parents) if p.exists())
    except OSError as error:
        raise click.BadParameter(f"{value}: {error.strerror or error}") from error
    if not there.is_dir():
        raise click.BadParameter(f"{there} is a file, not a directory")
    if not os.access(there, os.W_OK | os.X_OK):
        raise click.BadParameter(f"{there} cannot be written to; choose another directory")
    return path


def unknown(kind: str, name: str, known: Iterable[str], listing: str = "") -> str:
    """The answer to a name that is none: the nearest ones, or all; or the command that lists them, if they are many."""
    known = list(known)
    close = difflib.get_close_matches(name, known, 3, 0.6)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are: {', '.join(known)}"
    if listing and not close:
        hint = f"`{listing}` lists them all"
    return f"no {kind} named {name!r}; {hint}"


_JOB: tuple[Callable[[Command], Command], ...] = (
    click.option("--shape", callback=shape, metavar="AxB", help="Extents of the inputs, as 8192x8192."),
    click.option("--dtype", callback=dtype, metavar="DTYPE", help="Element type, as float16."),
    click.option("--blocks", type=click.IntRange(min=1), metavar="N", help="How many blocks to launch."),
    click.option(
        "--chip",
        callback=chip,
        metavar="CHIP",
        default=DEFAULT_CHIP,
        show_default=True,
        help="A chip's name, or a .toml file.",
    ),
)
