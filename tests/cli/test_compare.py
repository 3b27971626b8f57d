"""``ascendc run --compare`` says which stage differs first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ascendc.cli import main

Capture = pytest.CaptureFixture[str]

OPERATOR = """
import numpy as np
import ascendc as asc

@asc.kernel
def body(x, y, n):
    source, target = asc.GlobalTensor(), asc.GlobalTensor()
    source.set_global_buffer(x)
    target.set_global_buffer(y)
    u = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, n)
    asc.data_copy(u, source, n)
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.muls(u, u, 2.0, n)
    COMPARE
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.data_copy(target, u, n)

@asc.operator(reference=lambda x: x + x, shape=(64,), dtypes=("float32",), dtype="float32", blocks=1)
def double(x, y, blocks):
    return body[1](x, y, x.size)
"""
TWO = """asc.compare_stage("input", source, source.values)
    asc.compare_stage("tripled", u, 3 * source.values)
"""


def _run(tmp_path: Path, compare: str, *options: str) -> int:
    file = tmp_path / "op.py"
    file.write_text(OPERATOR.replace("COMPARE", compare))
    return main(["run", str(file), "--chip", "demo", *options])


def test_the_first_stage_that_differs_is_told_in_full(tmp_path: Path, capsys: Capture) -> None:
    """All stages in order, then how that one differs; a finding, so status 1, although the result is right."""
    assert _run(tmp_path, TWO, "--compare") == 1

    out, err = capsys.readouterr()
    head, _, tail = out.partition("\nStages compared:\n")
    assert "right: every bit as in the reference" in head
    assert tail.startswith(
        "  input    as wanted in 64 lanes\n  tripled  64 of 64 lanes differ\n"
        "first to differ, at op.py:15: stage tripled: "
    )
    assert "whole tiles, 0.667 times what is wanted" in " ".join(tail.split())
    assert "error: op.py:15: stage tripled: 64 of 64 lanes differ" in err


def test_no_stage_differs(tmp_path: Path, capsys: Capture) -> None:
    """Then that is said."""
    assert _run(tmp_path, TWO.partition("\n")[0], "--compare") == 0
    assert capsys.readouterr().out.endswith("\nStages compared:\n  input  as wanted in 64 lanes\nno stage differs\n")


def test_no_stage_was_compared(tmp_path: Path, capsys: Capture) -> None:
    """Then how to."""
    assert _run(tmp_path, "pass", "--compare") == 0
    assert capsys.readouterr().out.endswith(
        "\nno stage was compared: put asc.compare_stage(name, got, want) into the kernel\n"
    )


def test_json_has_the_stages(tmp_path: Path, capsys: Capture) -> None:
    """With numbers, not sentences."""
    assert _run(tmp_path, 'asc.compare_stage("one", [1.0, float("inf")], [1.5, 2])', "--json") == 1

    (stage,) = json.loads(capsys.readouterr().out)["stages"]
    assert stage == {
        "name": "one",
        "line": "op.py:14",
        "tiles": 1,
        "lanes": 2,
        "wrong": 2,
        "max_abs_error": None,
        "max_rel_error": None,
        "first": [[0, 0, 0, 1.0, 1.5], [0, 0, 1, None, 2.0]],
        "pattern": "whole tiles",
        "blocks": [0],
        "since": [0, 0],
    }
