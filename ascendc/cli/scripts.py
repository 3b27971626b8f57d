"""Files of other people: run, and if they fail, shown as if Python had run them alone."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

R = TypeVar("R")

_PACKAGE = f"{Path(__file__).parents[1]}{os.sep}"
"""Where the files of this package are."""


def run_file(run: Callable[..., R], *arguments: Any, **keywords: Any) -> R:
    """Call ``run``, which runs an author's file, or an operator in it; what is raised in here is the author's."""
    return run(*arguments, **keywords)


def authors_part(traceback: TracebackType | None) -> TracebackType | None:
    """The traceback from the first line of an author's file on; all of it, if none was being run.

    Our own frames between the author's are left out, unless the error comes from one of them.
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
    frames = list(_frames(at))
    if not frames or _is_ours(frames[-1]):
        return at
    kept: TracebackType | None = None
    for each in reversed([each for each in frames if not _is_ours(each)]):
        kept = TracebackType(kept, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return kept


def _frames(traceback: TracebackType | None) -> Iterator[TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _is_ours(traceback: TracebackType) -> bool:
    return traceback.tb_frame.f_code.co_filename.startswith(_PACKAGE)
