"""Every harmful change of a kernel is told; kernels as they are are never accused."""

from __future__ import annotations

import numpy as np
import pytest

import ascendc as asc
from kernels import OPERATORS
from tests.guards.judge import Launched
from tests.guards.sources import BY_HAND, LIBRARY, SHAPE, Family, bare_launch, operator, parsed, report
from tests.guards.sweep import Launch, summary, verdicts

EVERY = [(family, name) for family in (*LIBRARY, *BY_HAND) for name in family.names]
GUARDS = [(family, name) for family in BY_HAND for name in family.names]


@pytest.mark.parametrize(
    ("name", "mutants", "harmful"),
    [("add", 150, 100), ("passed_on", 140, 110), ("patched", 150, 120), ("one_buffer", 120, 80)],
)
def test_no_harmful_change_goes_unnoticed(name: str, mutants: int, harmful: int) -> None:
    """Of a kernel of queues, two of flags and one of barriers: 560 changes at least, 410 of them harmful."""
    seen = list(verdicts([name]))
    print(summary(seen))

    assert [str(v) for v in seen if v.is_missed] == []
    assert len(seen) >= mutants
    assert sum(bool(v.harm) for v in seen) >= harmful


@pytest.mark.slow
def test_no_harmful_change_of_any_operator_goes_unnoticed() -> None:
    """The sweep of ``make mutants``."""
    seen = list(verdicts())
    print(summary(seen))

    assert [str(v) for v in seen if v.is_missed] == []
    assert sum(bool(v.harm) for v in seen) >= 2000


@pytest.mark.parametrize(("family", "name"), EVERY, ids=lambda v: v if isinstance(v, str) else "")
def test_a_kernel_as_it_is_does_no_harm_and_nothing_is_found(family: Family, name: str) -> None:
    """Neither by playing all orders that matter nor by the checks."""
    trees = {file: parsed(file) for file in family.files}
    launch = bare_launch(trees, name, auto_sync=family.auto_sync)

    assert isinstance(launch, Launch)
    right = Launched(launch)
    assert right.harm(right.result) == ""
    assert report(trees, name, auto_sync=family.auto_sync).kind == ""


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_the_library_is_never_accused(name: str) -> None:
    """Right, and without a finding, at 50 random shapes each, on up to 7 blocks, for every element type."""
    made, random = OPERATORS[name], np.random.default_rng(sum(map(ord, name)))
    found = []
    with asc.use_chip("demo"):
        for _ in range(50):
            shape = tuple(random.integers(1, 90, random.integers(1, 3)).tolist())
            kind = made.dtypes[random.integers(len(made.dtypes))]
            outcome = made.run(
                shape=shape, dtype=kind, blocks=int(random.integers(1, 8)), seed=int(random.integers(99))
            )
            found += [(shape, kind, f.message) for f in outcome.program.findings] + [(shape, kind)] * (
                not outcome.correct
            )

    assert found == []


@pytest.mark.parametrize(("family", "name"), GUARDS, ids=lambda v: v if isinstance(v, str) else "")
def test_kernels_by_hand_are_never_accused(family: Family, name: str) -> None:
    """Nothing is found in kernels with barriers of their own, at 50 random sizes, without automatic ones."""
    made = operator({file: parsed(file) for file in family.files}, name, asc)
    random = np.random.default_rng(7)
    with asc.defaults(chip="demo", auto_sync=False):
        outcomes = [made.run(shape=(int(n),), blocks=2) for n in random.integers(1, SHAPE[0] + 1, 50)]

    assert [o.shape for o in outcomes if not o.correct or o.program.findings] == []
