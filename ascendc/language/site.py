"""Where in a kernel we are: the innermost frame that is not this package's own."""

from __future__ import annotations

import sys
from pathlib import Path
from types import CodeType, FrameType

from .program import Site

_HERE = str(Path(__file__).parent)


def kernel_frame(depth: int = 1) -> FrameType:
    """The kernel author's frame, starting ``depth`` frames above the caller."""
    frame = sys._getframe(depth + 1)
    while frame.f_code.co_filename.startswith(_HERE) and frame.f_back is not None:
        frame = frame.f_back
    return frame


def site_of(frame: FrameType) -> Site:
    """The line ``frame`` is at."""
    code: CodeType = frame.f_code
    return Site(code.co_filename, frame.f_lineno, code.co_name)


def end_at_kernel(error: BaseException) -> None:
    """Let the traceback of ``error`` end at the kernel's line: what follows is only our way of saying no."""
    last, at = None, error.__traceback__
    while at is not None:
        if not at.tb_frame.f_code.co_filename.startswith(_HERE):
            last = at
        at = at.tb_next
    if last is not None:
        last.tb_next = None


def name_of(thing: object, frame: FrameType | None) -> str:
    """The variable that holds ``thing`` in ``frame`` or the kernel frames above it, or nothing."""
    while frame is not None and not frame.f_code.co_filename.startswith(_HERE):
        for name, value in frame.f_locals.items():
            if value is thing:
                return name
        frame = frame.f_back
    return ""


def argument(thing: object, frame: FrameType) -> str:
    """``argument 3 (ws)``, if ``thing`` is an argument of the kernel that ``frame`` is part of; else nothing."""
    found = ""
    at: FrameType | None = frame
    while at is not None and not at.f_code.co_filename.startswith(_HERE):
        names = [name for name in at.f_code.co_varnames[: at.f_code.co_argcount] if name != "self"]
        values = [at.f_locals.get(name) for name in names]
        found = next((f"argument {i + 1} ({names[i]})" for i, value in enumerate(values) if value is thing), found)
        at = at.f_back
    return found
