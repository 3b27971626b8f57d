"""The options that say what goes into a trace, and what the terminal hears of the rest."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ascendc.cli import main
from profiler.excerpt import LIMIT_MB

Capture = pytest.CaptureFixture[str]
SCRIPT = """
import numpy as np
from kernels import OPERATORS
x = np.ones(4096, np.float16)
OPERATORS['add'].host(x, x, np.empty_like(x), 4)
"""


def run_add(out: Path, *options: str) -> int:
    return main(["run", "add", "--shape", "4096", "--blocks", "4", "--out", str(out), *options])


def about(file: Path) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(file.read_text())["otherData"]
    return said


def test_cores_and_a_window_of_an_operator(tmp_path: Path, capsys: Capture) -> None:
    """What was not asked for is counted on the terminal, as in the file."""
    assert run_add(tmp_path, "--trace-cores", "0,2-3", "--trace-window", "0:500") == 0

    out = capsys.readouterr().out
    why = about(tmp_path / "trace.json")["left_out_why"]
    assert [re.sub(r"^\d+", "n", phrase) for phrase in why] == [
        "n spans of core 1, not asked for",
        "n spans outside of cycles 0 to 500, not asked for",
    ]
    assert "\ntrace.json leaves out\n" in out
    assert all(f"\n  {phrase}\n" in out for phrase in why)
    assert out.endswith("\n  others with --trace-cores, --trace-window, --trace-limit-mb\n")


def test_a_limit_is_kept_and_told(tmp_path: Path, capsys: Capture) -> None:
    """Two hundredths of a megabyte have no room for four cores; as JSON, it is a list."""
    assert run_add(tmp_path, "--trace-limit-mb", "0.02", "--json") == 0

    out, err = capsys.readouterr()
    assert err == ""
    assert json.loads(out)["trace_left_out"] == about(tmp_path / "trace.json")["left_out_why"] != []
    assert (tmp_path / "trace.json").stat().st_size <= 20_000


def test_nothing_is_said_where_nothing_is_left_out(tmp_path: Path, capsys: Capture) -> None:
    """No limit, for one, leaves nothing out."""
    assert run_add(tmp_path, "--trace-limit-mb", "inf") == 0

    assert "leaves out" not in capsys.readouterr().out
    assert about(tmp_path / "trace.json")["left_out"] == 0


def test_all_launches_of_a_script(tmp_path: Path, capsys: Capture) -> None:
    """On stderr, where what ascendc prof says goes; nothing if it is to be quiet."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)

    assert main(["prof", "--out", str(tmp_path / "out"), "--trace-cores", "1", str(script)]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert re.search(r"\ntrace.json leaves out\n  \d+ spans of cores 0, 2-3, not asked for\n", err)
    assert about(tmp_path / "out/1-add_kernel/trace.json")["left_out"] > 0

    assert main(["prof", "--out", str(tmp_path / "out"), "--quiet", "--trace-cores", "1", str(script)]) == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("option", "value", "text"),
    [
        ("--trace-cores", "", "''; write numbers and ranges of cores, as 0,3-5"),
        ("--trace-cores", "0,x", "'0,x'; write numbers and ranges of cores, as 0,3-5"),
        ("--trace-cores", "5-3", "'5-3'; write numbers and ranges of cores, as 0,3-5"),
        ("--trace-cores", "1-999999999", "'1-999999999'; write numbers and ranges of cores, as 0,3-5"),
        ("--trace-window", "9", "'9'; write two cycles, the first less, as 0:10000"),
        ("--trace-window", "9:9", "'9:9'; write two cycles, the first less, as 0:10000"),
        ("--trace-limit-mb", "0", "0 is not more than 0"),
        ("--trace-limit-mb", "nan", "nan is not more than 0"),
    ],
)
def test_what_makes_no_sense_is_one_line(tmp_path: Path, capsys: Capture, option: str, value: str, text: str) -> None:
    """Before anything runs."""
    assert run_add(tmp_path, option, value) == 2

    assert capsys.readouterr() == ("", f"ascendc run: Invalid value for '{option}': {text}\n")
    assert list(tmp_path.iterdir()) == []


def test_without_a_report_there_is_no_trace_to_choose(capsys: Capture) -> None:
    """Rather than to be ignored."""
    assert main(["run", "add", "--trace-cores", "0"]) == 2

    text = "--trace-cores, --trace-window and --trace-limit-mb are about a report; add --out DIR"
    assert capsys.readouterr().err == f"ascendc run: {text}\n"


def test_the_help_names_the_limit(capsys: Capture) -> None:
    """The profiler's own: the help is written without importing it."""
    main(["run", "--help"])

    assert f"may have, {LIMIT_MB:g} if not given" in " ".join(capsys.readouterr().out.split())
