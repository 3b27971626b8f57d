"""The instruction table is what the declarations say."""

from __future__ import annotations

import re
from pathlib import Path

import ascendc as asc
from ascendc.language.isa.__main__ import document
from ascendc.language.names import MISSING

PAGE = Path(__file__).parents[2] / "docs" / "instructions.md"


def test_page_is_as_the_declarations_make_it() -> None:
    """Whoever adds an instruction runs `make docs`."""
    assert PAGE.read_text(encoding="utf-8") == document()


def test_every_instruction_has_one_row() -> None:
    """Names in the first column of the sections of instructions are those of the instruction set, each once."""
    sections = document().partition("## Functions beside the instructions")[0]
    rows = re.findall(r"^\| `(\w+)` \|", sections, re.MULTILINE)

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
    """What exists drops out of the list of what does not; every entry says why it is not there."""
    listed = document().partition("## What is not there")[2].strip()

    for entry in listed.split("\n* "):
        reason, _, names = " ".join(entry.split()).removeprefix("* ").rpartition(": ")
        assert re.fullmatch(r"[a-z ]+: .+", reason)
        assert not set(asc.ISA) & set(re.findall(r"`(\w+)`", names))
    assert all(names.split() == sorted(names.split()) for names in MISSING.values())


def test_calls_are_as_they_are_written() -> None:
    """Each member of a family has its own names, arguments by name only follow a star, methods their owner."""
    calls = [line for block in re.findall(r"^```\n(.*?)^```", document(), re.M | re.S) for line in block.splitlines()]

    assert {
        "get_cmp_mask(dst)",
        "set_cmp_mask(src)",
        "gather(dst, src, src_offset, src_base, count)",
        "scatter(dst, src, dst_offset, dst_base, count)",
        "scalar_count_leading_zero(value_in)",
        "scalar_get_sff_value(value_in, count_value)",
        "set_vector_mask(len, *, dtype, mode=MaskMode.NORMAL)",
        "tensor.get_value(offset)",
        "queue.enque(tensor, src_user_pos=None, dst_user_pos=None)",
    } <= set(calls)
    assert not [line for line in calls if "args" in line or "kwargs" in line or len(line) > 120]


def test_newer_names_stand_beside_the_older() -> None:
    """Ascend C's 9.1 renames."""
    section = document().partition("## Other names")[2].partition("\n## ")[0]

    assert "| `reduce_pair_elem` | `pair_reduce_sum` |\n" in section
    assert "| `disable_dma_atomic` | `set_atomic_none` |\n" in section


def test_functions_beside_the_instructions_are_listed() -> None:
    """What is written in instructions, and what costs nothing, with their parameters."""
    section = document().partition("## Functions beside the instructions")[2].partition("\n## ")[0]
    names = re.findall(r"^\| `(\w+)\(", section, re.MULTILINE)

    assert {"bilinear_interpolation", "sort", "printf", "init_soc_state", "get_task_ratio"} <= set(names)
    assert "| `get_sort_len(elem_count, dtype=float32)` | Elements of `dtype` that" in section


def test_structs_say_what_their_fields_count() -> None:
    """Defaults as in code, fields of the docstring behind what the struct is."""
    row = next(line for line in document().splitlines() if line.startswith("| `DataCopyParams("))

    assert row.startswith("| `DataCopyParams(block_count=1, block_len=0, src_stride=0, dst_stride=0, *, src_gap=None")
    assert " `block_len`: blocks of one row, 1 to 65535. `src_stride`, `dst_stride`: blocks from the end" in row


def test_enums_list_their_members() -> None:
    """As they are written."""
    assert "| `CMPMODE` | How `compare` compares its two sources. | `LT`, `GT`, `EQ`, `LE`, `GE`, `NE` |" in document()
