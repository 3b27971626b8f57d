"""Kernels are ordinary Python: breakpoints, stepping and print work in every block."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import on_gm, on_ub

ROOT = Path(__file__).parents[2]

SCRIPT = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import numpy as np
import ascendc as asc

@asc.kernel
def body(x):
    g = asc.GlobalTensor()
    g.set_global_buffer(x)
    block = asc.get_block_idx()
    breakpoint()
    g.set_value(8 * block, 10 + block)
    while g.get_value(8 * (1 - block)) == 0:
        pass

x = np.zeros(16, np.float32)
body.launch(2, x, chip="demo", hazards="off")
print(x[0], x[8])
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    """Two blocks with a breakpoint, which then wait for each other."""
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return path


def _python(stdin: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], input=stdin, capture_output=True, text=True, timeout=60, check=False
    )


def test_breakpoint_stops_in_each_block(script: Path) -> None:
    """The names of the kernel are there, and going on gives the right result."""
    done = _python("p ('in', block)\nc\np ('in', block)\nc\n", str(script))

    assert done.returncode == 0, done.stderr
    assert "('in', 0)" in done.stdout
    assert "('in', 1)" in done.stdout
    assert done.stdout.endswith("10.0 11.0\n")


def test_next_steps_over_an_instruction(script: Path) -> None:
    """Also over one that gives the turn to the other block, which stops at its own breakpoint."""
    done = _python("n\nn\np g.values[:2]\nc\nc\n", str(script))

    assert done.returncode == 0, done.stderr
    assert "-> while g.get_value" in done.stdout
    assert "array([10.,  0.], dtype=float32)" in done.stdout


def test_post_mortem_starts_at_the_kernel_line(tmp_path: Path) -> None:
    """``python -m pdb`` shows the mistake, not where it was refused."""
    path = tmp_path / "script.py"
    path.write_text(SCRIPT.replace("breakpoint()", "wrong = 7; asc.set_flag(asc.HardEvent.MTE2_V, 50 + wrong)"))
    done = _python("c\np ('wrong is', wrong)\nq\n", "-m", "pdb", str(path))

    assert "('wrong is', 7)" in done.stdout


def test_print_shows_the_values_of_tensors(capsys: pytest.CaptureFixture[str]) -> None:
    """As of the line, in local and in global memory; repr says what the tensor is."""

    def body(x: Any) -> None:
        print(x[:4])
        asc.adds(x, x, 1.0, 8)
        print(x[:4])

    on_ub(body, np.arange(8, dtype=np.float32))
    on_gm(lambda x: print(x[5:], repr(x)), np.arange(8, dtype=np.int32))

    assert capsys.readouterr().out == ("[0. 1. 2. 3.]\n[1. 2. 3. 4.]\n[5 6 7] GlobalTensor(x, int32 x8 from byte 0)\n")
