"""Files that appear whole or not at all."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from ascendc.language.errors import UsageError

Writer = Callable[[BinaryIO], None]
"""Writes one file's content."""


def write_all(directory: Path, writers: dict[str, Writer]) -> list[Path]:
    """Write files into ``directory``, which is made if need be.

    All are written under other names first; only when the last is complete do they take their own.

    Args:
        directory: where.
        writers: what, by file name.

    Raises:
        UsageError: the directory or a file cannot be written; nothing was changed.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".writing-", dir=directory) as unfinished:
            for name, write in writers.items():
                with (Path(unfinished) / name).open("wb") as file:
                    write(file)
            return [(Path(unfinished) / name).replace(directory / name) for name in writers]
    except OSError as error:
        raise UsageError(
            f"{directory}: cannot write the report: {error.strerror or error}; choose another directory"
        ) from error
