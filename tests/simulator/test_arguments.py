"""What simulate and profile take, and what they say to anything else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ascendc as asc
from profiler import profile
from simulator import simulate


@asc.kernel
def pairs() -> None:
    """Enough to have a program."""
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)


@pytest.fixture
def program() -> asc.Program:
    return pairs.launch(1, chip="Ascend910B1")


def test_a_chip_is_a_name_a_file_or_a_chip(program: asc.Program, tmp_path: Path) -> None:
    """As everywhere else; the timeline carries it."""
    file = tmp_path / "slow.toml"
    file.write_text('extends = "Ascend910B1"\nname = "slow"\n')

    named = simulate(program, "Ascend910B2")
    assert named.spec.name == "Ascend910B2"
    assert named == simulate(program, asc.HardwareSpec.load("Ascend910B2"))
    assert simulate(program, str(file)).spec.name == simulate([program], file)[0].spec.name == "slow"


@pytest.mark.parametrize(
    ("chip", "text"),
    [
        ("Ascend910B9", "no chip named 'Ascend910B9'; there are: Ascend910B1"),
        (3, "a chip is a name, the path of a .toml file or a HardwareSpec, got 3"),
    ],
)
def test_a_chip_that_is_none(program: asc.Program, chip: Any, text: str) -> None:
    """Wherever a chip is named: here, in a launch, for a while."""
    with pytest.raises(asc.HardwareSpecError, match=text):
        simulate(program, chip)
    with pytest.raises(asc.HardwareSpecError, match=text):
        pairs.launch(1, chip=chip)
    with pytest.raises(asc.HardwareSpecError, match=text):
        asc.use_chip(chip)


def test_a_mode_that_is_none(program: asc.Program) -> None:
    """The two there are."""
    with pytest.raises(asc.UsageError, match=r"^simulate: mode must be 'decoupled' or 'steps', got 'x'$"):
        simulate(program, mode="x")  # type: ignore[call-overload]


@pytest.mark.parametrize("wrong", [3, None, object()])
def test_a_program_is_what_a_launch_gives(wrong: Any, program: asc.Program) -> None:
    """Alone, or among others."""
    with pytest.raises(asc.UsageError, match=r"^simulate: program must be a Program, which a launch gives, or several"):
        simulate(wrong)
    with pytest.raises(asc.UsageError, match=r"^simulate: program 1 must be a Program, which a launch gives, got "):
        simulate([program, wrong])


def test_a_report_is_of_one_timeline(program: asc.Program) -> None:
    """Neither of a program nor of a list."""
    timeline = simulate(program)
    for wrong, name in ((program, "Program"), ([timeline], "list")):
        with pytest.raises(asc.UsageError, match=f"^profile: timeline must be the Timeline of one launch, got {name}"):
            profile(wrong)  # type: ignore[arg-type]
