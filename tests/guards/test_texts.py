"""Every error and every finding, word for word."""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import io
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from ascendc.language.findings import Finding
from tests.guards import findings
from tests.guards.places import places, watched

Body = Callable[..., None]
MODULES = [
    importlib.import_module(f"tests.guards.{p.stem}") for p in sorted(Path(__file__).parent.glob("mistakes_*.py"))
]
MISTAKES: list[Body] = [f for module in MODULES for f in getattr(module, "MISTAKES", ())]
"""Kernels: the last line is refused."""
MISUSES: list[Body] = [f for module in MODULES for f in getattr(module, "MISUSES", ())]
"""What the host does, in an empty directory."""
COMMANDS: list[Callable[[], int]] = [f for module in MODULES for f in getattr(module, "COMMANDS", ())]
"""Command lines, in an empty directory; they give the exit status."""


def launch(body: Body, blocks: int = 1, **options: Any) -> asc.Program:
    """Run ``body`` on two arrays of 64, or as many as it takes."""
    count = body.__code__.co_argcount
    kind = np.float16 if "padded" in body.__name__ else np.float32
    arrays = [np.ones(64, kind) for _ in range(count)]

    @functools.wraps(body)
    def kernel(*addresses: asc.GlobalAddress) -> None:
        tensors = [asc.GlobalTensor() for _ in addresses]
        for tensor, address in zip(tensors, addresses, strict=True):
            tensor.set_global_buffer(address)
        body(*tensors)

    return asc.kernel(kernel).launch(blocks, *arrays, **{"chip": "demo", **options})


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty directory, and the tests are in it; what is imported from it does not stay."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path[:])


def wanted(body: Callable[..., Any]) -> str:
    """Its docstring on one line, with the lines it means."""
    file, last = Path(inspect.getsourcefile(body) or "").name, _last(body)
    return re.sub(r"@-?(\d+)", lambda m: f"{file}:{last - int(m[1])}", " ".join((body.__doc__ or "").split()))


def _last(body: Callable[..., Any]) -> int:
    source, first = inspect.getsourcelines(body)
    return first + len(source) - 1


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda f: f.__name__)
def test_a_mistake_is_refused_in_these_words_at_its_line(mistake: Body) -> None:
    """The class and the whole text, as the kernel's docstring has them; the line is the kernel's last."""
    with pytest.raises(asc.AscendError) as caught:
        launch(mistake)

    text, _, where = str(caught.value).rpartition("\n  at ")
    assert f"{type(caught.value).__name__}: {text}" == wanted(mistake)
    file, name = Path(mistake.__code__.co_filename).name, mistake.__name__
    assert where == f"{file}:{_last(mistake)} in {name}, block 0 of 1 of {name}"


@pytest.mark.parametrize("misuse", MISUSES, ids=lambda f: f.__name__)
@pytest.mark.usefixtures("empty")
def test_the_host_is_refused_in_these_words(misuse: Body) -> None:
    """The class and the whole text, as the function's docstring has them."""
    with pytest.raises(asc.AscendError) as caught:
        misuse()

    assert " ".join(f"{type(caught.value).__name__}: {caught.value}".split()) == wanted(misuse)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda f: f.__name__)
@pytest.mark.usefixtures("empty")
def test_the_command_line_is_refused_in_these_words(command: Callable[[], int]) -> None:
    """All it says, as the function's docstring has it; and the status of a mistake on the command line."""
    with contextlib.redirect_stderr(io.StringIO()) as said:
        status = command()

    assert (status, " ".join(said.getvalue().split())) == (2, wanted(command))


@pytest.mark.usefixtures("empty")
def test_every_error_is_among_them() -> None:
    """Wherever an error is made, one of the mistakes above makes it."""
    with watched() as lines, contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for mistake in MISTAKES:
            with contextlib.suppress(asc.AscendError):
                launch(mistake)
        for misuse in MISUSES:
            with contextlib.suppress(asc.AscendError):
                misuse()
        for command in COMMANDS:
            command()

    missed = [str(p) for p in places() if not p.is_reached(lines)]
    assert not missed, "\n".join(["no mistake is made at", *missed])


def test_a_place_is_reached_when_its_error_is_made() -> None:
    """One of several hundred, here."""
    with watched() as lines, contextlib.suppress(asc.DtypeError):
        asc.dtype("float99")

    every = places()
    assert len(every) > 200
    assert [p.file for p in every if p.is_reached(lines)] == ["ascendc/language/dtypes.py"]


@pytest.mark.parametrize("body", findings.FINDINGS, ids=lambda f: f.__name__)
def test_a_finding_has_these_words(body: Body) -> None:
    """Severity, kind and text of everything that is found, as the kernel's docstring has them."""
    program = launch(body, **{"hazards": "warn", **findings.OPTIONS.get(body.__name__, {})})

    assert " ".join(map(said, program.findings)) == wanted(body)


def said(finding: Finding) -> str:
    return f"{finding.severity.value} ({finding.kind}): {finding.message}"


def test_an_error_finding_stops_the_launch_and_a_warning_does_not() -> None:
    """A race raises with its findings; a flag left set only stays in the program."""
    with pytest.raises(asc.HazardError) as caught:
        launch(findings.a_load_used_at_once)

    (finding,) = caught.value.findings
    assert finding.kind == "raw"
    (warning,) = launch(findings.a_flag_left_set).findings
    assert warning.severity is asc.Severity.WARNING
