"""A progress bar for people who wait at a terminal; for everybody else, nothing."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

PATIENCE_SECONDS = 1.0

Report = Callable[[int, int], None]
"""Called with how much is done and how much there is."""


class Bar:
    """One bar, which appears when the work has taken longer than anyone waits gladly."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._progress: Progress | None = None
        self._tasks: dict[str, TaskID] = {}

    def report(self, what: str) -> Report:
        """A function to call with (done, total) of ``what``."""

        def report(done: int, total: int) -> None:
            if self._progress is None:
                if time.monotonic() - self._since < PATIENCE_SECONDS:
                    return
                self._progress = _started()
            if what not in self._tasks:
                self._tasks[what] = self._progress.add_task(what)
            self._progress.update(self._tasks[what], completed=done, total=total)

        return report

    def close(self) -> None:
        """Take the bar off the screen."""
        if self._progress is not None:
            self._progress.stop()


def _started() -> Progress:
    from rich.console import Console
    from rich.progress import Progress

    progress = Progress(console=Console(stderr=True), transient=True)
    progress.start()
    return progress


@contextmanager
def progress(wanted: bool) -> Iterator[Callable[[str], Report | None]]:
    """Give a function that makes a reporter for each part of the work, or ``None`` if nobody would see it."""
    if not wanted or not sys.stderr.isatty():
        yield lambda _: None
        return
    bar = Bar()
    try:
        yield bar.report
    finally:
        bar.close()
