"""Every operator is right, hazard-free, finding-free and free of deadlock, at awkward sizes on both kinds of chip."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendc as asc
from ascendc.language.operator import Outcome
from kernels import OPERATORS
from simulator import simulate

CHIPS = ("demo", "Ascend910B1")
LARGEST_TILE_BYTES = 32_768
AWKWARD = (0, 1, 31, 997, LARGEST_TILE_BYTES // 2 - 1, LARGEST_TILE_BYTES // 2, LARGEST_TILE_BYTES // 2 + 1, 70_001)
"""Nothing, one, less than a block, primes, and one to each side of a float16 tile."""


def is_good(outcome: Outcome) -> bool:
    """Through the timing pass, too: it raises where something waits for ever."""
    cycles = simulate(outcome.program).cycles
    return (
        outcome.correct
        and not outcome.max_abs_error
        and not outcome.unwritten
        and not outcome.program.findings
        and (cycles > 0) is (len(outcome.program) > 0)
    )


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", OPERATORS)
def test_operators_are_right_at_awkward_sizes(name: str, chip: str) -> None:
    """Bit for bit as the reference, in every element type, in one block."""
    operator = OPERATORS[name]
    with asc.use_chip(chip):
        for dtype in operator.dtypes:
            for size in AWKWARD:
                outcome = operator.run(shape=(size,), dtype=dtype, blocks=1)

                assert is_good(outcome), (dtype, size, outcome.first_mismatch, outcome.program.findings)


@given(
    name=st.sampled_from(sorted(OPERATORS)),
    chip=st.sampled_from(CHIPS),
    shape=st.lists(st.integers(0, 150), min_size=1, max_size=2),
    blocks=st.integers(1, 100),
    data=st.data(),
)
def test_operators_are_right_for_any_shape_and_number_of_blocks(
    name: str, chip: str, shape: list[int], blocks: int, data: st.DataObject
) -> None:
    """Also where most blocks have nothing to do, and where there are more than cores."""
    operator = OPERATORS[name]
    dtype = data.draw(st.sampled_from(operator.dtypes))
    with asc.use_chip(chip):
        outcome = operator.run(shape=tuple(shape), dtype=dtype, blocks=blocks)

        assert is_good(outcome)


@pytest.mark.parametrize("chip", CHIPS)
def test_twice_the_elements_take_longer_but_not_twice_as_long(chip: str) -> None:
    """Bringing the first tile in and the last one out is paid once; all of it fits the L2."""
    with asc.use_chip(chip):
        half, whole = (simulate(OPERATORS["add"].run(shape=(n,), blocks=2).program).cycles for n in (2**16, 2**17))

    assert half < whole < 2 * half


def test_a_block_without_elements_issues_nothing() -> None:
    """512 float16 are two cache lines: blocks 2 and 3 of 4 are idle."""
    with asc.use_chip("demo"):
        program = OPERATORS["add"].run(shape=(512,), blocks=4).program

    assert [len(block.rows) > 0 for block in program.blocks] == [True, True, False, False]


def test_operators_are_found_by_their_own_names() -> None:
    """And documented in one line, with the number they use."""
    assert all(operator.name == name for name, operator in OPERATORS.items())
    assert all(operator.doc.strip() and "\n" not in operator.doc for operator in OPERATORS.values())
    assert OPERATORS["adds"].doc == "dst = src + 2"


def test_the_library_is_imported_when_an_operator_is_asked_for() -> None:
    """Who only imports ``kernels`` does not pay for it."""
    script = "import sys, kernels; a = set(sys.modules); kernels.OPERATORS['add']; print(*set(sys.modules) - a)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert {"kernels.add", "kernels.elementwise"} <= set(done.stdout.split())
