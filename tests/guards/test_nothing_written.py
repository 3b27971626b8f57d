"""A call that is refused has changed neither local memory nor an array."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import ascendc as asc
from ascendc.language.core import current, running
from tests.guards.test_texts import MISTAKES, Body, launch

OURS = str(Path(asc.__file__).parent)
Bytes = tuple[Any, bytes]


def contents(kernel: FrameType) -> list[Bytes]:
    """UB, what of it was written, and the arrays of a kernel, each with what it holds now."""
    ub = current().memory(asc.TPosition.VECCALC)
    arrays = [t.host.bytes for t in kernel.f_locals.values() if isinstance(t, asc.GlobalTensor)]
    return [(place, bytes(place)) for place in (ub.data, ub.shadow, *arrays)]


@contextlib.contextmanager
def last_call(body: Body) -> Iterator[list[Bytes]]:
    """What there is at the last call out of ``body`` into the package."""
    found: list[Bytes] = []

    def called(frame: FrameType, event: str, argument: object) -> None:
        caller = frame.f_back
        is_ours = frame.f_code.co_filename.startswith(OURS)
        if is_ours and caller is not None and caller.f_code is body.__code__ and running():
            found[:] = contents(caller)

    before = sys.gettrace()
    sys.settrace(called)
    try:
        yield found
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda f: f.__name__)
def test_what_is_refused_has_changed_nothing(mistake: Body) -> None:
    """All bytes are as they were at the call."""
    with last_call(mistake) as found, contextlib.suppress(asc.AscendError):
        launch(mistake)

    assert found
    assert [i for i, (place, before) in enumerate(found) if bytes(place) != before] == []
