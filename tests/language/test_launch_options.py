"""Options of a launch: of one, for a while, of a kernel."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from ascendc.language.options import SoFar, current_options
from tests.block import local
from tests.refusals import refused_at_launch

H = asc.half


@asc.kernel
def nothing() -> None:
    """No instruction at all."""


def test_the_chip() -> None:
    """Of the launch, of a with statement, of a call; the default otherwise."""
    assert nothing[1]().spec.name == "Ascend910B1"
    with asc.use_chip("demo") as spec:
        assert nothing[1]().spec is spec
        assert nothing.launch(1, chip="Ascend910B2").spec.name == "Ascend910B2"
        with asc.defaults(chip="Ascend910B3"):
            assert nothing[1]().spec.name == "Ascend910B3"
        assert nothing[1]().spec.name == "demo"
    assert nothing[1]().spec.name == "Ascend910B1"


def test_a_chip_that_is_not_there() -> None:
    """Nothing changes, and the message lists those there are."""
    with pytest.raises(asc.HardwareSpecError, match="demo"):
        asc.use_chip("Ascend310")

    assert nothing[1]().spec.name == "Ascend910B1"


@pytest.mark.parametrize("hazards", ["raise", None.__class__, 1])
def test_hazards_is_one_of_three(hazards: Any) -> None:
    """error, warn, off."""
    with refused_at_launch(asc.UsageError, "hazards must be one of error, warn, off, got "):
        nothing.launch(1, hazards=hazards)


def test_what_hazards_decides() -> None:
    """An error, a finding, or nothing."""

    @asc.kernel
    def racy(x: Any) -> None:
        g, u = asc.GlobalTensor(), local(H, 16)
        g.set_global_buffer(x)
        asc.data_copy(u, g, 16)
        asc.adds(u, u, 1, 16)

    x = np.zeros(16, np.float16)
    with pytest.raises(asc.HazardError, match="racy"):
        racy[1](x)

    assert {f.severity for f in racy.launch(1, x, hazards="warn").findings} == {asc.Severity.ERROR}
    assert not racy.launch(1, x, hazards="off").findings
    with asc.defaults(hazards="off"):
        assert not racy[1](x).findings
    assert list(asc.hazards(racy.launch(1, x, hazards="off")))


@pytest.mark.parametrize(
    ("of_kernel", "of_launch", "inserted"),
    [(None, None, 1), (False, None, 0), (False, True, 1), (None, False, 0)],
)
def test_auto_sync(of_kernel: bool | None, of_launch: bool | None, inserted: int) -> None:
    """The launch decides, then the kernel, then the default."""

    @asc.kernel(auto_sync=of_kernel)
    def body() -> None:
        u = local(H, 16)
        asc.duplicate(u, 1, 16)
        asc.adds(u, u, 1, 16)

    program = body.launch(1, auto_sync=of_launch, hazards="off")

    assert len(program) == 2 + inserted
    assert program.auto_sync is bool(inserted)


def test_observers() -> None:
    """Told of every program and of every block that has ended; nested ones all are."""
    programs: list[asc.Program] = []
    told: list[tuple[int, int]] = []
    with asc.observe(on_launch=programs.append), asc.observe(on_block=lambda *n: told.append(n)):
        first, second = nothing[2](), nothing.launch(1, chip="demo")
    nothing[1]()

    assert programs == [first, second]
    assert told == [(1, 2), (2, 2), (1, 1)]
    assert not current_options().on_launch


def test_passes_are_announced_and_can_be_asked_how_far_they_are() -> None:
    """Six instructions a block; once a block has ended, that many are expected of each."""
    told: list[tuple[str, SoFar]] = []
    seen: list[tuple[int, int | None]] = []

    @asc.kernel
    def body() -> None:
        u = local(H, 16)
        for _ in range(3):
            asc.duplicate(u, 1, 16)
            asc.pipe_barrier(asc.PipeID.PIPE_V)
            seen.append(told[0][1]())

    with asc.observe(on_pass=lambda *announced: told.append(announced)):
        body.launch(2, chip="demo", auto_sync=False)
        body.launch(1, chip="demo", hazards="off")

    assert [what for what, _ in told] == ["running blocks", "looking for hazards", "running blocks"]
    assert seen[:6] == [(2, None), (4, None), (6, None), (8, 12), (10, 12), (12, 12)]
    assert told[0][1]() == (12, 12)
    assert told[1][1]() == (0, None)


def test_options_are_not_arguments() -> None:
    """A keyword that is neither is the kernel's, and it has none."""
    with refused_at_launch(
        asc.UsageError, "nothing: got an unexpected keyword argument 'chips'", "it has no parameters"
    ):
        nothing.launch(1, chips="demo")
