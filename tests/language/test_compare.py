"""compare_stage: what counts as equal, what is refused, what travels with the program."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ascendc as asc
from ascendc.language.compare import Comparison
from tests.block import local, on_gm, on_ub, program_of
from tests.refusals import refused

F32 = np.float32


def _one(got: Any, want: Any, **how: Any) -> Comparison:
    (found,) = program_of(lambda: asc.compare_stage("s", got, want, **how)).comparisons
    return found


@pytest.mark.parametrize(
    ("dtype", "right", "wrong"),
    [
        (np.float16, 1.0009765625, 1.001953125),
        (np.float32, 1.00009, 1.00011),
        (ml_dtypes.bfloat16, 1.0078125, 1.015625),
        (np.int32, 1, 2),
    ],
)
def test_each_element_type_has_its_tolerance(dtype: Any, right: float, wrong: float) -> None:
    """1e-3, 1e-4, 2^-7 and none, around 1."""
    assert _one(np.array([right], dtype), 1).wrong == 0
    assert _one(np.array([wrong], dtype), 1).wrong == 1


def test_a_tolerance_of_ones_own() -> None:
    """It is absolute below 1 and relative above."""
    got, want = np.array([0.6, 150.0], F32), np.array([0.0, 100.0])

    assert _one(got, want, tolerance=0.5).wrong == 1
    assert _one(got, want, tolerance=0.7).wrong == 0


def test_nan_and_infinity_equal_themselves_only() -> None:
    """A NaN where a number should be is infinitely wrong."""
    nan, inf = np.nan, np.inf
    found = _one(np.array([nan, inf, -inf, nan, 1.0], F32), np.array([nan, inf, inf, 0.0, inf]))

    assert (found.wrong, found.max_abs_error, found.max_rel_error) == (3, inf, inf)
    assert [w.lane for w in found.first] == [2, 3, 4]


def test_lanes_nothing_wrote_are_named_as_such() -> None:
    """Local memory is poison until something writes it."""
    found = []

    def body(x: asc.LocalTensor) -> None:
        asc.compare_stage("part", local(asc.float32, 16), np.zeros(16))

    with asc.observe(on_launch=found.append):
        on_ub(body, np.zeros(8, F32))

    (part,) = found[0].comparisons
    assert (part.wrong, part.pattern) == (8, "from lane 8 on, never written")


def test_global_tensors_and_windows_are_compared_as_of_this_line() -> None:
    """Later writes do not change what was seen."""

    def body(x: asc.GlobalTensor) -> None:
        asc.compare_stage("before", x[4:], [4, 5, 6, 7])
        x.set_value(4, 9.0)
        asc.compare_stage("after", x[4:], [4, 5, 6, 7])

    before, after = on_gm(body, np.arange(8, dtype=F32)).comparisons

    assert (before.wrong, after.wrong) == (0, 1)
    assert after.first[0][:4] == (0, 0, 0, 9.0)


def test_it_leaves_no_row() -> None:
    """Timing and hazards know nothing of it."""
    assert len(program_of(lambda x: asc.compare_stage("s", x, 0), np.zeros(8, F32))) == 0


def test_nothing_compared_is_nothing_wrong() -> None:
    """An empty window of an empty share."""
    found = _one(np.zeros(0, F32), np.zeros(0))

    assert (found.tiles, found.lanes, found.wrong) == (1, 0, 0)


def test_refusals() -> None:
    """Sizes that differ, what holds no number, and no kernel at all."""
    with refused(asc.UsageError, "compare_stage: s: got has 8 elements, want has 4; compare a window of equal size"):
        on_ub(lambda x: asc.compare_stage("s", x, np.zeros(4)), np.zeros(8, F32))
    with refused(asc.UsageError, "compare_stage: s: want must be a tensor, an array or a number, got 'zero'"):
        on_ub(lambda x: asc.compare_stage("s", x, "zero"), np.zeros(8, F32))
    with pytest.raises(asc.UsageError, match="this call needs a running kernel"):
        asc.compare_stage("s", 1, 1)


def test_comparisons_are_saved_with_the_program(tmp_path: Path) -> None:
    """Also infinite errors."""
    program = program_of(lambda: asc.compare_stage("s", np.array([np.inf, 1], F32), [0, 1]))
    program.save(tmp_path / "p.npz")

    assert asc.Program.load(tmp_path / "p.npz").comparisons == program.comparisons
    assert program.comparisons[0].max_abs_error == np.inf
