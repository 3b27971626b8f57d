"""A line of progress for people who wait at a terminal; for everybody else, nothing."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from ascendc.language.options import SoFar

if TYPE_CHECKING:
    from rich.live import Live

PATIENCE_SECONDS = 1.0
FRAMES_PER_SECOND = 4

Report = Callable[[int, int], None]
"""Called with how many instructions are done and how many there are."""


class _Pass(NamedTuple):
    """What is being done, how to ask how far it is, and since when."""

    what: str
    so_far: SoFar
    since: float


class Line:
    """One line, which appears when the work has taken longer than anyone waits gladly.

    A thread asks how far the work is, a few times a second: the work itself has nothing to tell.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pass: _Pass | None = None
        self._timer: threading.Timer | None = None
        self._live: Live | None = None

    def begin(self, what: str, so_far: SoFar) -> None:
        """A pass begins; see :func:`ascendc.observe`."""
        with self._lock:
            self._pass = _Pass(what, so_far, time.monotonic())
            if self._timer is None:
                self._timer = threading.Timer(PATIENCE_SECONDS, self._show)
                self._timer.daemon = True
                self._timer.start()

    def counter(self, what: str) -> Report:
        """A pass begins that tells by itself how far it is, through the function this gives."""
        told: list[tuple[int, int | None]] = [(0, None)]

        def report(done: int, total: int) -> None:
            told[0] = done, total

        self.begin(what, lambda: told[0])
        return report

    def rest(self) -> None:
        """Take the line off the screen, until the next pass begins."""
        with self._lock:
            timer, live = self._timer, self._live
            self._pass = self._timer = self._live = None
        if timer is not None:
            timer.cancel()
        if live is not None:
            live.stop()

    def _show(self) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        with self._lock:
            if self._pass is None:
                return  # it was done just now
            self._live = Live(
                get_renderable=lambda: Text(self._text()),
                console=Console(stderr=True),
                refresh_per_second=FRAMES_PER_SECOND,
                transient=True,
                redirect_stdout=sys.stdout.isatty(),  # what the script prints into a file or pipe stays its own
            )
            self._live.start(refresh=True)

    def _text(self) -> str:
        now = self._pass
        return describe(now.what, *now.so_far(), time.monotonic() - now.since) if now is not None else ""


def describe(what: str, done: int, total: int | None, seconds: float) -> str:
    """``counting cycles: 250,000 of 1,000,000 instructions, 25 %, 9 s left``."""
    if not done:
        return f"{what}, {_time(seconds)} so far"
    if not total:
        return f"{what}: {done:,} instructions, {_time(seconds)} so far"
    left = _time(seconds * (total - done) / done)
    return f"{what}: {done:,} of {total:,} instructions, {done / total:.0%}, {left} left"


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


@contextmanager
def progress(wanted: bool) -> Iterator[Line | None]:
    """Give a line to show progress on, or ``None`` if nobody would see it."""
    if not wanted or not sys.stderr.isatty():
        yield None
        return
    line = Line()
    try:
        yield line
    finally:
        line.rest()
