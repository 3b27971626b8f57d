"""Reports as directories: written, or refused in one line; those of an earlier run taken away."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ascendc.language.errors import UsageError

if TYPE_CHECKING:
    from profiler import Report, Trace

_LAUNCH = re.compile(r"[1-9][0-9]*-[A-Za-z0-9_]+")


def save(report: Report, out: Path, trace: Trace) -> list[Path]:
    """Write a report with this trace.

    Raises:
        click.UsageError: it cannot be written there.
    """
    try:
        return report.save(out, trace)
    except UsageError as error:
        raise click.UsageError(str(error)) from error


def launch_folder(out: Path, number: int, kernel: str) -> Path:
    """Where the report of launch ``number`` goes."""
    return out / f"{number}-{re.sub(r'[^A-Za-z0-9_]+', '_', kernel)}"


def remove_others(out: Path, kept: Collection[Path], files: Collection[str]) -> None:
    """Remove the reports of launches besides ``kept``, which a longer run left; ``files`` are what a report is.

    A directory that holds anything else is somebody's own, and stays.
    """
    for folder in out.iterdir():
        if folder not in kept and _LAUNCH.fullmatch(folder.name) and folder.is_dir() and not folder.is_symlink():
            inside = list(folder.iterdir())
            if {each.name for each in inside} == set(files):
                for each in inside:
                    each.unlink()
                folder.rmdir()
