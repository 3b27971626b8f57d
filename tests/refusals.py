"""What every error out of a kernel owes its reader: the class, the values, and the very line."""

from __future__ import annotations

import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_TESTS = str(Path(__file__).parent)
_WHERE = re.compile(r"\n  at (\S+):(\d+) in (\S+), block \d+ of \d+ of \S+$")


@contextmanager
def refused(error: type[Exception], *parts: str) -> Iterator[None]:
    """Expect ``error`` out of a kernel: with all of ``parts`` in its text, and the line that caused it."""
    with pytest.raises(error) as caught:
        yield

    text = str(caught.value)
    assert caught.type is error
    assert [part for part in parts if part not in text] == [], text
    where = _WHERE.search(text)
    assert where, text
    mine = [f for f in traceback.extract_tb(caught.tb) if f.filename.startswith(_TESTS)][-1]
    assert where.groups() == (Path(mine.filename).name, str(mine.lineno), mine.name), text


@contextmanager
def refused_at_launch(error: type[Exception], *parts: str) -> Iterator[None]:
    """Expect ``error`` before the kernel runs: no kernel line, but all of ``parts``."""
    with pytest.raises(error) as caught:
        yield

    assert caught.type is error
    assert [part for part in parts if part not in str(caught.value)] == [], str(caught.value)
