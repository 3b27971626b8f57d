"""Files of other people: run, and if they fail, shown as if Python had run them alone."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any


def run_file(run: Callable[..., object], *arguments: Any, **keywords: Any) -> None:
    """Call ``run``, which runs an author's file; what is raised in here is the author's."""
    run(*arguments, **keywords)


def authors_part(traceback: TracebackType | None) -> TracebackType | None:
    """The traceback from the first line of an author's file on; all of it, if none was being run.

    A file that is no Python has no line that was reached: nothing is left, and the error itself says where.
    """
    at = traceback
    while at is not None and at.tb_frame.f_code is not run_file.__code__:
        at = at.tb_next
    if at is None:
        return traceback
    at = at.tb_next
    while at is not None and at.tb_frame.f_code.co_filename.startswith("<frozen "):
        at = at.tb_next
    return at
