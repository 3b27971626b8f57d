"""Files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .errors import UsageError


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Where to write what shall be at ``path``, which it replaces at the end, if nothing fails.

    Raises:
        UsageError: the file cannot be written.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield part
        part.replace(path)
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        with suppress(OSError):  # gone already, or never made
            part.unlink()
