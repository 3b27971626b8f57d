"""``ascendc run`` tells what came out, as text, as JSON and as exit status.

The passes are stood in for: their outcomes are written here, so that wrong ones can be shown too.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ascendc.cli import main
from ascendc.language.errors import HazardError, OperatorError
from ascendc.language.findings import Finding, Severity
from ascendc.language.operator import Outcome, Published
from ascendc.language.options import current_options
from tests.cli import passes

Capture = pytest.CaptureFixture[str]
RACE = Finding("raw", Severity.ERROR, "add reads what data_copy may not have written", ("k.py:3", "k.py:4"), (0,))
ROUNDED = Finding("rounding", Severity.WARNING, "data_copy moves 32 B of 40 B", ("k.py:3",), (0,))


def published(blocks: int = 2, chip: str = "demo") -> Published:
    return Published(
        shape=(8, 16), dtype="float16", blocks=blocks, chip=chip, us=2.0, what="the static form", source="a book"
    )


class FakeOperator:
    """An operator whose outcome the test decides."""

    name, doc = "fake", "z = x."
    shape, dtype, blocks = (8, 16), "float16", 2
    dtypes = ("float16", "float32")
    published = (published(), published(chip="Ascend910B1"), published(blocks=1))

    def __init__(self) -> None:
        self.asked: dict[str, Any] = {}
        self.shuffle: int | None = -1
        self.changes: dict[str, Any] = {}
        self.findings: tuple[Finding, ...] = ()
        self.error: BaseException | None = None

    def run(self, **asked: Any) -> Outcome:
        self.asked, self.shuffle = asked, current_options().shuffle_atomics
        if self.error:
            raise self.error
        program = passes.program(asked["blocks"], self.findings)
        right = Outcome(
            program=program,
            shape=asked["shape"],
            dtype=asked["dtype"],
            blocks=asked["blocks"],
            correct=True,
            max_abs_error=0.0,
            mismatches=0,
            first_mismatch=None,
            unwritten=0,
        )
        return replace(right, **self.changes)


@pytest.fixture
def operator(monkeypatch: pytest.MonkeyPatch) -> FakeOperator:
    """The only operator there is; the timing pass finds one microsecond of nothing."""
    fake = FakeOperator()
    monkeypatch.setattr("kernels.OPERATORS", {"fake": fake})
    monkeypatch.setattr("simulator.simulate", passes.timeline)
    return fake


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(operator: FakeOperator, capsys: Capture) -> Run:
    """Run ``ascendc run fake --chip demo`` with more arguments: status, stdout, stderr."""

    def run(*arguments: str) -> tuple[int, str, str]:
        status = main(["run", "fake", "--chip", "demo", *arguments])
        return status, *capsys.readouterr()

    return run


# ---- right ----


def test_a_right_result_is_said_with_cycles_and_what_is_published(run: Run) -> None:
    """1000 cycles at 1000 MHz and 1 us of launch are 2 us, as the book has it; other chips and blocks are not shown."""
    status, out, err = run()

    assert (status, err) == (0, "")
    assert out.startswith("fake 8x16 float16 in 2 blocks, on demo\nright: every bit as in the reference\n\n")
    assert "1,000 cycles" in out
    assert out.endswith("\npublished 2.0 us for the static form (a book); simulated +0.0%\n")


def test_options_reach_the_operator(run: Run, operator: FakeOperator) -> None:
    """What is not given comes from its declaration."""
    run("--shape", "3x5", "--dtype", "float", "--blocks", "7", "--seed", "9", "--hazards", "off")
    assert operator.asked == {
        "shape": (3, 5),
        "dtype": "float32",
        "blocks": 7,
        "seed": 9,
    }

    run()
    assert (operator.asked["shape"], operator.asked["blocks"], operator.asked["seed"]) == ((8, 16), 2, 0)


def test_the_order_of_atomic_stores_is_an_option_of_the_launch(run: Run, operator: FakeOperator) -> None:
    """A seed, or that of block numbers."""
    run("--shuffle-atomics", "5")
    assert operator.shuffle == 5

    run()
    assert operator.shuffle is None


def test_a_result_near_enough_is_said_with_its_distance(run: Run, operator: FakeOperator) -> None:
    """Where the operator allows a tolerance."""
    operator.changes = {"max_abs_error": 0.000976}

    assert "\nright: within 0.000976 of the reference\n" in run()[1]


def test_a_warning_is_said_and_is_no_failure(run: Run, operator: FakeOperator) -> None:
    """On stderr; --quiet leaves it out."""
    operator.findings = (ROUNDED,)

    status, _, err = run()
    assert (status, err) == (0, "  1. warning: data_copy moves 32 B of 40 B\n")
    assert run("--quiet") == (0, "", "")


def test_quiet_says_nothing_when_all_is_right(run: Run) -> None:
    """Only the exit status speaks."""
    assert run("--quiet") == (0, "", "")


# ---- wrong ----


def test_a_wrong_result_is_status_1_and_says_where(run: Run, operator: FakeOperator) -> None:
    """How many, the first, the worst, and how many nobody wrote; once, also under --quiet."""
    operator.changes = {
        "correct": False,
        "max_abs_error": 1.5,
        "mismatches": 3,
        "first_mismatch": ((0, 4), 2.5, 1.0),
        "unwritten": 2,
    }
    text = (
        "WRONG: 3 elements are not the reference's, off by up to 1.5; first at (0, 4):\n"
        "  2.5 instead of 1.0; 2 bytes were never written\n"
    )

    status, out, err = run()
    assert (status, err) == (1, "")
    assert f"\n{text}\n" in out
    assert run("--quiet") == (1, "", text)
    assert run("--json")[2] == text


def test_an_error_finding_is_status_1(run: Run, operator: FakeOperator) -> None:
    """A right result that another schedule could break is not right."""
    operator.findings = (RACE, ROUNDED)

    status, _, err = run("--hazards", "warn")
    assert status == 1
    assert err.startswith("  1. error: add reads what data_copy may not have written\n  2. warning: ")
    assert run("--hazards", "warn", "--quiet")[2].count("\n") == 1


def test_unordered_accesses_stop_the_run(run: Run, operator: FakeOperator) -> None:
    """The finding, the way on, no traceback: the hazard pass is no part of the kernel."""
    operator.error = HazardError("1 hazard in fake", [RACE])

    assert run() == (
        1,
        "",
        "  1. error: add reads what data_copy may not have written\n"
        "stopped; --hazards warn goes on to the result and the cycles\n",
    )


@pytest.mark.parametrize("error", [ZeroDivisionError("in the kernel"), KeyError("x")])
def test_what_a_kernel_raises_passes_through(run: Run, operator: FakeOperator, error: Exception) -> None:
    """Python prints its traceback; nothing wraps or shortens it."""
    operator.error = error

    with pytest.raises(type(error)) as caught:
        run()
    assert caught.value is error


def test_a_host_that_gives_no_program_is_one_line(run: Run, operator: FakeOperator) -> None:
    """No kernel is to blame, and no line of one to be shown."""
    operator.error = OperatorError("fake: its host function must return what kernel[blocks](…) gives, got None")

    assert run() == (2, "", f"ascendc run: {operator.error}\n")


def test_ctrl_c_is_status_130_and_leaves_nothing(run: Run, operator: FakeOperator, tmp_path: Path) -> None:
    """The directory is not even made."""
    operator.error = KeyboardInterrupt()
    out = tmp_path / "out"

    assert run("--out", str(out))[0::2] == (130, "\ninterrupted\n")
    assert not out.exists()


# ---- JSON ----


def test_json_is_one_object(run: Run) -> None:
    """With the same numbers, and nothing else on stdout."""
    status, out, err = run("--json")
    found = json.loads(out)

    assert (status, err) == (0, "")
    assert found["pipes"].pop("S") == {"busy_cycles": 1000.0, "ratio": 1.0}
    assert {k: v for k, v in found.items() if k not in ("verdict", "pipes")} == {
        "operator": "fake",
        "chip": "demo",
        "shape": [8, 16],
        "dtype": "float16",
        "blocks": 2,
        "correct": True,
        "max_abs_error": 0.0,
        "mismatches": 0,
        "unwritten": 0,
        "cycles": 1000,
        "core_us": 1.0,
        "task_us": 2.0,
        "hazards": [],
        "trace_left_out": [],
        "stages": [],
        "published": [
            {
                "shape": [8, 16],
                "dtype": "float16",
                "blocks": 2,
                "chip": "demo",
                "us": 2.0,
                "what": "the static form",
                "source": "a book",
            }
        ],
    }


def test_json_has_findings_and_no_infinity(run: Run, operator: FakeOperator) -> None:
    """An infinite error has no number in JSON."""
    operator.findings, operator.changes = (RACE,), {"correct": False, "max_abs_error": float("inf")}
    status, out, _ = run("--json", "--hazards", "warn")
    found = json.loads(out)

    assert (status, found["correct"], found["max_abs_error"]) == (1, False, None)
    assert found["hazards"] == [
        {
            "kind": "raw",
            "severity": "error",
            "message": RACE.message,
            "lines": ["k.py:3", "k.py:4"],
            "blocks": [0],
        }
    ]


def test_json_of_a_stopped_run_has_the_findings_and_nulls(run: Run, operator: FakeOperator) -> None:
    """What nobody knows is null, not 0."""
    operator.error = HazardError("1 hazard in fake", [RACE])
    status, out, _ = run("--json")
    found = json.loads(out)

    assert (status, found["correct"], found["cycles"], found["pipes"]) == (1, None, None, {})
    assert [f["kind"] for f in found["hazards"]] == ["raw"]


# ---- which operator ----


def test_without_a_name_the_operators_are_listed(operator: FakeOperator, capsys: Capture) -> None:
    """Name and what it is."""
    assert main(["run"]) == 0
    assert capsys.readouterr().out == "Operators, to run with `ascendc run NAME`:\n\n  fake  z = x.\n"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["fakee"], "no operator named 'fakee'; did you mean fake? (a file of yours ends in .py)"),
        (["softmax"], "no operator named 'softmax'; there are: fake (a file of yours ends in .py)"),
        (["none.py"], "there is no file none.py"),
        (["fake", "--dtype", "int8"], "fake has no int8; it has: float16, float32"),
        (["fake", "--blocks", "65536"], "65536 blocks; one launch has at most 65535"),
        (
            ["fake", "--shape", "1000000x100000"],
            "one input of 1000000x100000 float16 is 200,000,000,000 B; Ascend910B1 has 68,719,476,736 B of memory",
        ),
    ],
)
def test_what_cannot_run_is_refused_in_one_line(
    operator: FakeOperator, capsys: Capture, arguments: list[str], expected: str
) -> None:
    """Before anything runs."""
    assert main(["run", *arguments]) == 2
    assert capsys.readouterr() == ("", f"ascendc run: {expected}\n")
    assert operator.asked == {}
