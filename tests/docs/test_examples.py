"""Documents show what the examples are and print, and their words fit the numbers."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
RUN: dict[str, Any] = runpy.run_path(str(ROOT / "docs" / "examples" / "run.py"))
DOCUMENTS: list[Path] = RUN["DOCUMENTS"]

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
README = ROOT / "README.md"


def _tutorial() -> str:
    return (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")


def _number(shown: str) -> int:
    return int(shown.replace(",", ""))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_document_shows_what_the_examples_are_and_print(document: Path) -> None:
    """Excerpts and consoles, filled again by running every command, give the same text; `make docs` mends it."""
    text = document.read_text(encoding="utf-8")

    with RUN["desk"]() as directory:
        assert RUN["filled"](text, directory) == text


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_every_python_block_runs(document: Path) -> None:
    """It is an example or a doctest; nobody can paste what was never run."""
    text = document.read_text(encoding="utf-8")
    blocks = [body for language, body in FENCE.findall(text) if language == "python"]

    assert len(blocks) == len(RUN["EXCERPT"].findall(text)) + sum(body.startswith(">>>") for body in blocks)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.stem)
def test_links_lead_somewhere(document: Path) -> None:
    """Relative links and pictures are files of the repository."""
    prose = re.sub(r"`[^`\n]+`", "", FENCE.sub("", document.read_text(encoding="utf-8")))
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", prose)

    assert [link for link in links if not (document.parent / link).exists()] == []


def test_every_example_is_in_a_document() -> None:
    """An example nobody shows is nobody's."""
    shown = "".join(path.read_text(encoding="utf-8") for path in DOCUMENTS)
    examples = {path.name for path in (ROOT / "docs" / "examples").glob("*.py")} - {"run.py"}

    assert {name for name in examples if f"<!-- {name} -->" not in shown} == set()


def test_first_example_of_the_readme_is_an_operator_under_40_lines() -> None:
    """It is my_op.py, to be pasted and run as it is."""
    first = next(body for language, body in FENCE.findall(README.read_text(encoding="utf-8")) if language == "python")

    assert first == (ROOT / "docs" / "examples" / "my_op.py").read_text(encoding="utf-8")
    assert first.count("\n") < 40


def test_excerpt_may_be_some_functions() -> None:
    """With their decorators, in the order asked for."""
    text = RUN["excerpt"]("tails.py", ["copy_out", "copy_in"])

    assert re.findall(r"^@?\w.*$", text, re.MULTILINE) == [
        "@asc.copy_out",
        "def copy_out(queue, target, count):",
        "@asc.copy_in",
        "def copy_in(queue, source, count):",
    ]


def test_answer_holds_command_output_and_errors() -> None:
    """As a terminal shows them: both streams, and a newline at the end if the command forgot it."""
    assert RUN["answer"]("echo one; echo two >&2; printf three; exit 1", ROOT) == (
        "$ echo one; echo two >&2; printf three; exit 1\none\ntwo\nthree\n"
    )


def test_what_the_tutorial_says_of_two_buffers_is_so() -> None:
    """One buffer: no overlap.  Two: more than half of computing lies under copies, and fewer cycles."""
    one, two = re.findall(r"^([\d,]+) cycles = .*\ncopies in and computing overlap (\d+)%", _tutorial(), re.MULTILINE)[
        -2:
    ]

    assert _number(two[0]) < 0.75 * _number(one[0])
    assert _number(one[1]) == 0
    assert _number(two[1]) > 50


def test_what_the_tutorial_says_of_tiles_is_so() -> None:
    """Small tiles are bound by S, large ones by MTE2; the second buffer gains most before the largest tile."""
    rows = re.findall(r"^ *[\d,]+ +([\d,]+) +([\d,]+)  latency bound: .*, (\w+)$", _tutorial(), re.MULTILINE)
    gains = [_number(one) / _number(two) for one, two, _ in rows]

    assert len(rows) == 6
    assert (rows[0][2], rows[-1][2]) == ("S", "MTE2")
    assert gains[0] < 1.05
    assert max(gains) > 1.5
    assert gains[-1] < max(gains)


def test_tutorial_finds_the_missing_flag_at_its_two_lines() -> None:
    """The finding names the add that overwrites and the store that reads, and the flag to put between them."""
    text = " ".join(_tutorial().split())
    lines = (ROOT / "docs" / "examples" / "flags.py").read_text(encoding="utf-8").splitlines()
    left = [line.strip() for line in lines if "MTE3_V" not in line]
    add, store = (left.index(line) + 1 for line in ("asc.add(c, a, b, TILE)", "asc.data_copy(zs[at:], c, TILE)"))

    assert f"put set_flag(HardEvent.MTE3_V, id) after missing_flag.py:{store} and" in text
    assert f"wait_flag(HardEvent.MTE3_V, id) before missing_flag.py:{add}," in text
