"""The whole command, in a process of its own, on a user's file: what the terminal shows and what is on disk."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

OPERATORS = '''
import numpy as np
import ascendc as asc

@asc.kernel
def negate_kernel(x, y, flags, address):
    xs, ys = asc.GlobalTensor(), asc.GlobalTensor()
    xs.set_global_buffer(x)
    ys.set_global_buffer(y)
    a = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, address, 64)
    b = asc.LocalTensor(x.dtype, asc.TPosition.VECOUT, 1024, 64)
    asc.data_copy(a, xs, 64)
    if flags:
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    asc.muls(b, a, -1.0, 64)
    asc.set_flag(asc.HardEvent.V_MTE3, 0)
    asc.wait_flag(asc.HardEvent.V_MTE3, 0)
    asc.data_copy(ys, b, 64)

@asc.operator(reference=np.negative, shape=(64,), blocks=1)
def negate(x, y, blocks):
    """y = -x."""
    return negate_kernel[blocks](x, y, True, 0)

@asc.operator(reference=np.negative, shape=(64,), blocks=1)
def unordered(x, y, blocks):
    """y = -x, without one of the flags."""
    return negate_kernel[blocks](x, y, False, 0)

@asc.operator(reference=np.negative, shape=(64,), blocks=1)
def misplaced(x, y, blocks):
    """y = -x, from an address that is none."""
    return negate_kernel[blocks](x, y, True, 7)

@asc.operator(reference=np.positive, shape=(64,), blocks=1)
def wrong(x, y, blocks):
    """y = x, it says."""
    return negate_kernel[blocks](x, y, True, 0)

@asc.operator(reference=np.negative, shape=(64,), blocks=1)
def slow(x, y, blocks):
    """y = -x, some day."""
    print("running", flush=True)
    while True:
        negate_kernel[blocks](x, y, True, 0)
'''


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "my_op.py"
    path.write_text(OPERATORS)
    return path


def ascendc(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ascendc", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_right_operator_is_status_0_and_leaves_a_report(file: Path, tmp_path: Path) -> None:
    """The same launch gives the same bytes in every file."""
    reports = [tmp_path / "one", tmp_path / "two"]
    for report in reports:
        done = ascendc("run", f"{file}:negate", "--chip", "demo", "--out", report)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("negate 64 float16 in 1 block, on demo\nright: every bit as in the reference\n")
        assert done.stdout.endswith(f"report in {report}\n")

    first, second = ({p.name: p.read_bytes() for p in report.iterdir()} for report in reports)
    assert "profile.json" in first
    assert first == second


def test_the_seed_changes_the_inputs_and_not_the_cycles(file: Path) -> None:
    """An instruction takes the same time whatever its values are."""
    runs = [
        json.loads(ascendc("run", f"{file}:negate", "--chip", "demo", "--json", "--seed", seed).stdout)
        for seed in ("1", "2")
    ]

    assert runs[0] == runs[1]
    assert runs[0]["correct"]


def test_a_wrong_operator_is_status_1(file: Path) -> None:
    """With the values at the first wrong place."""
    done = ascendc("run", f"{file}:wrong", "--chip", "demo", "--quiet")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("WRONG: 64 elements are not the reference's, off by up to ")


def test_a_missing_flag_stops_the_run_or_is_told(file: Path) -> None:
    """Both lines, the flag that is missing, no traceback; --hazards off does not look."""
    done = ascendc("run", f"{file}:unordered", "--chip", "demo")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("  1. error: muls")
    assert "my_op.py:12" in done.stderr
    assert "my_op.py:16" in done.stderr
    assert "Traceback" not in done.stderr

    done = ascendc("run", f"{file}:unordered", "--chip", "demo", "--hazards", "warn")
    assert (done.returncode, "right: " in done.stdout, "MTE2_V" in done.stderr) == (1, True, True)

    done = ascendc("run", f"{file}:unordered", "--chip", "demo", "--hazards", "off")
    assert (done.returncode, done.stderr) == (0, "")


def test_an_error_in_a_kernel_shows_the_lines_of_the_author(file: Path) -> None:
    """The launch, then the kernel's line, and nothing of ours between or above."""
    done = ascendc("run", f"{file}:misplaced", "--chip", "demo")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("Traceback (most recent call last):\n")
    frames = [line.strip() for line in done.stderr.splitlines() if line.startswith('  File "')]
    assert frames == [f'File "{file}", line 34, in misplaced', f'File "{file}", line 10, in negate_kernel']
    assert "AlignmentError" in done.stderr


def test_an_error_that_ends_in_our_files_keeps_our_frames(tmp_path: Path) -> None:
    """What has no line of a kernel is shown down to where it was raised, or nobody could mend it."""
    file = tmp_path / "fails.py"
    file.write_text("import ascendc as asc\nasc.HardwareSpec.load('nothing')\n")

    done = ascendc("run", str(file))
    frames = [line for line in done.stderr.splitlines() if line.startswith('  File "')]
    assert f'File "{file}", line 2' in frames[0]
    assert "chipfile.py" in frames[-1]


@pytest.mark.parametrize("command", ["run", "prof"])
@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("import nothing_of_this_name\n", "ModuleNotFoundError: No module named 'nothing_of_this_name'\n"),
        ("def f():\n    1 / 0\nf()\n", "ZeroDivisionError: division by zero\n"),
    ],
)
def test_a_file_that_fails_is_shown_from_its_first_line_on(tmp_path: Path, command: str, text: str, shown: str) -> None:
    """As Python shows it: not a frame of the command above the author's."""
    file = tmp_path / "fails.py"
    file.write_text(text)

    done = ascendc(command, str(file))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f'Traceback (most recent call last):\n  File "{file}", line ')
    assert done.stderr.endswith(shown)


@pytest.mark.parametrize("command", ["run", "prof"])
def test_a_file_that_is_no_python_is_shown_alone(tmp_path: Path, command: str) -> None:
    """Its line, and no frame at all."""
    file = tmp_path / "broken.py"
    file.write_text("def broken(:\n")

    done = ascendc(command, str(file))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f'  File "{file}", line 1\n    def broken(:\n')


def test_ctrl_c_leaves_nothing(file: Path, tmp_path: Path) -> None:
    """Status 130, one line, no directory; also where whoever runs the tests ignores the signal, as `nohup` does."""
    out = tmp_path / "report"
    start = (
        "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "runpy.run_module('ascendc', run_name='__main__')"
    )
    command = [sys.executable, "-c", start, "run", f"{file}:slow", "--chip", "demo", "--out", str(out)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        watchdog = threading.Timer(60, process.kill)
        watchdog.start()
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "running\n"
            process.send_signal(signal.SIGINT)
            _, err = process.communicate()
        finally:
            watchdog.cancel()
            process.kill()

    assert (process.returncode, err.strip()) == (130, "interrupted")
    assert not out.exists()


def test_an_operator_of_the_library_needs_only_its_name(tmp_path: Path) -> None:
    """From any directory; five rows of seven elements fill no block and no cache line."""
    command = [sys.executable, "-m", "ascendc", "run", "add", "--shape", "5x7", "--chip", "demo", "--json"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path, env=environment)
    found = json.loads(done.stdout)

    assert (found["operator"], found["shape"], found["dtype"]) == ("add", [5, 7], "float16")
    assert (found["correct"], found["max_abs_error"], found["unwritten"]) == (True, 0.0, 0)
