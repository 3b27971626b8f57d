"""One option, ``hazards``, says everywhere what unordered accesses are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import local
from tests.refusals import refused_at_launch

F16 = np.float16


@asc.kernel
def racing(x: Any, z: Any) -> None:
    """z = x, and nothing makes the store wait for the load."""
    source, target = asc.GlobalTensor(), asc.GlobalTensor()
    source.set_global_buffer(x)
    target.set_global_buffer(z)
    u = local(asc.half, 16)
    asc.data_copy(u, source, 16)
    asc.data_copy(target, u, 16)


def _arrays() -> tuple[Any, Any]:
    return np.arange(16).astype(F16), np.zeros(16, F16)


def _kinds(program: asc.Program) -> list[str]:
    return [f.kind for f in program.findings]


def test_unordered_accesses_are_errors_unless_said_otherwise() -> None:
    """The findings come with the exception; what was written stays."""
    x, z = _arrays()
    with pytest.raises(asc.HazardError, match=r"^racing:   1\. error: ") as caught:
        racing[1](x, z)

    assert [f.kind for f in caught.value.findings] == ["raw"]
    assert np.array_equal(z, x)


def test_a_launch_may_warn_or_not_look() -> None:
    """Neither changes the result."""
    for hazards, kinds in (("warn", ["raw"]), ("off", [])):
        x, z = _arrays()

        assert _kinds(racing.launch(1, x, z, hazards=hazards)) == kinds
        assert np.array_equal(z, x)


def test_defaults_hold_for_a_while_and_a_launch_overrides_them() -> None:
    """Inside and after the with statement."""
    with asc.defaults(hazards="off"):
        assert _kinds(racing[1](*_arrays())) == []
        assert _kinds(racing.launch(1, *_arrays(), hazards="warn")) == ["raw"]
        with asc.defaults(hazards="warn"):
            assert _kinds(racing[1](*_arrays())) == ["raw"]
        assert _kinds(racing[1](*_arrays())) == []
    with pytest.raises(asc.HazardError):
        racing[1](*_arrays())


def test_other_words_are_refused_with_the_choices() -> None:
    """By a launch and by defaults alike."""
    with refused_at_launch(asc.UsageError, "hazards must be one of error, warn, off, got 'ignore'"):
        racing.launch(1, *_arrays(), hazards="ignore")
    with (
        refused_at_launch(asc.UsageError, "hazards must be one of error, warn, off, got 'none'"),
        asc.defaults(hazards="none"),
    ):
        pass
