"""The worked example in an instruction's docstring is run, with its literal numbers."""

from __future__ import annotations

import doctest
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from ascendc.language import dtypes, enums, mask
from ascendc.language.isa import dequant

NUMBERS = {
    f"{kind[0]}{8 * np.dtype(kind).itemsize}": lambda *values, kind=kind: np.array(values, kind)
    for kind in ("float16", "float32", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
}
"""``f16(1, 2)``, ``i32(…)``, ``u64(…)``: lanes of that type."""

NAMES: dict[str, Any] = {
    **{name: value for unit in (dtypes, enums, mask, dequant) for name, value in vars(unit).items() if name[0] != "_"},
    **NUMBERS,
    "np": np,
}

EXAMPLES = [op for op in asc.ISA.values() if ">>>" in op.doc]


@pytest.mark.parametrize("op", EXAMPLES, ids=lambda op: op.name)
def test_example_gives_what_it_shows(op: Any) -> None:
    """The arithmetic alone, on plain lanes, outside any kernel."""
    example = doctest.DocTestParser().get_doctest(op.doc, NAMES | dict(asc.ISA), op.name, None, None)
    report: list[str] = []
    with np.errstate(all="ignore"):
        result = doctest.DocTestRunner(verbose=False).run(example, out=report.append)

    assert result.attempted
    assert not result.failed, "".join(report)


def test_every_arithmetic_instruction_has_an_example() -> None:
    """Whoever declares one works it out with numbers."""
    without = [name for name, op in asc.ISA.items() if hasattr(op, "compute") and ">>>" not in op.doc]

    assert without == []
