"""The instruction table is what the declarations say."""

from __future__ import annotations

import re
from pathlib import Path

import ascendc as asc
from ascendc.language.isa.__main__ import MISSING, document

PAGE = Path(__file__).parents[2] / "docs" / "instructions.md"


def test_page_is_as_the_declarations_make_it() -> None:
    """Whoever adds an instruction runs `make docs`."""
    assert PAGE.read_text(encoding="utf-8") == document()


def test_every_instruction_has_one_row() -> None:
    """Names in the first column are those of the instruction set, each once."""
    rows = re.findall(r"^\| `(\w+)` \|", document(), re.MULTILINE)

    assert sorted(rows) == sorted(asc.ISA)


def test_row_of_axpy() -> None:
    """Types that mix are shown as destination and sources: float32 accumulates float32 or float16."""
    (row,) = (line for line in document().splitlines() if line.startswith("| `axpy`"))

    assert row.split(" | ")[1:5] == ["`Axpy`", "V", "float16; float32 ← float32, float16", "`binary`"]


def test_calls_are_shown_once_a_family() -> None:
    """Six instructions with two sources share two forms, and the section of their like says so once more."""
    section = document().partition("## Vector instructions with two sources")[2].partition("\n## ")[0]

    assert section.count("op(dst, src0, src1, count, is_set_mask=True)\n") == 1


def test_defaults_that_are_enums_read_as_code() -> None:
    """Not as Python's <TPosition.MAX: 16>."""
    assert "set_pad_value(padding_value, pos=TPosition.MAX)\n" in document()


def test_missing_instructions_are_not_also_there() -> None:
    """What exists drops out of the list of what does not; the cube's multiply and int4 are still in it."""
    listed = document().partition("## Not there yet")[2]

    assert "`mmad`" in listed
    assert "* element types: `int4`\n" in listed
    assert not set(asc.ISA) & set(re.findall(r"`(\w+)`", listed))
    assert all(names.split() == sorted(names.split()) for names in MISSING.values())


def test_functions_beside_the_instructions_are_listed() -> None:
    """What is written in instructions, and what costs nothing, with their parameters."""
    section = document().partition("## Functions beside the instructions")[2].partition("\n## ")[0]
    names = re.findall(r"^\| `(\w+)\(", section, re.MULTILINE)

    assert {"bilinear_interpolation", "sort", "printf", "init_soc_state", "get_task_ratio"} <= set(names)
    assert "| `get_sort_len(elem_count, dtype=float32)` | Elements of `dtype` that" in section
