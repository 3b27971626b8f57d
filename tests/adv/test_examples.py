"""The worked example in a high-level function's docstring is run, with its literal numbers, in a kernel."""

from __future__ import annotations

import doctest
from functools import partial
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from ascendc.language.adv.function import Function
from tests.adv.lanes import lanes

NUMBERS: dict[str, Any] = {
    f"{kind[0]}{8 * np.dtype(kind).itemsize}": lambda *values, kind=kind: np.array(values, kind)
    for kind in ("float16", "float32", "int8", "int16", "int32", "uint8")
}
"""``f16(1, 2)``, ``i32(…)``: lanes of that type."""

CALLS: dict[str, Any] = {name: partial(lanes, getattr(asc.adv, name)) for name in asc.adv.FUNCTIONS}
"""``sin(f32(0))``: the function on lanes, without dst."""

EXAMPLES = [f for f in asc.adv.FUNCTIONS.values() if ">>>" in f.doc]


@pytest.mark.parametrize("function", EXAMPLES, ids=lambda f: f.name)
def test_example_gives_what_it_shows(function: Function) -> None:
    """In a kernel of one block, on ``demo``."""
    names = NUMBERS | CALLS | {"DropOutShapeInfo": asc.adv.DropOutShapeInfo}
    example = doctest.DocTestParser().get_doctest(function.doc, names, function.name, None, None)
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False).run(example, out=report.append)

    assert result.attempted
    assert not result.failed, "".join(report)


def test_every_function_is_a_name_of_the_package() -> None:
    """What the table lists can be called; `__all__` holds nothing else than what is there, each once."""
    assert [name for name in asc.adv.FUNCTIONS if name not in asc.adv.__all__] == []
    assert [name for name in asc.adv.__all__ if not hasattr(asc.adv, name)] == []
    assert len(set(asc.adv.__all__)) == len(asc.adv.__all__)


def test_every_public_name_says_what_it_is() -> None:
    """In a docstring of its own; a function of single elements in that of its instructions."""
    silent = [n for n in asc.adv.__all__ if n != "FUNCTIONS" and not getattr(asc.adv, n).__doc__]

    assert silent == []
