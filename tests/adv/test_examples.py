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
