"""``ascendc ops`` is the instruction table, read from the declarations."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from ascendc.cli import lookup, main
from ascendc.language.dtypes import float16, float32, int8
from ascendc.language.isa.op import Op

Capture = pytest.CaptureFixture[str]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Typed(Op):
    dtypes: tuple[tuple[object, ...], ...]


@pytest.fixture(autouse=True)
def _isa(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four instructions: one type for all operands, two types, none."""
    isa = [
        Typed(name="add", cpp="Add", unit="V", doc="dst = src0 + src1.\n\n    >>> 1 + 1\n    2\n", source="a table",
              dtypes=((float16,) * 3, (float32,) * 3)),
        Typed(name="cast", cpp="Cast", unit="V", doc="dst = src.", source="", dtypes=((int8, float16),) * 13),
        Op(name="get_value", cpp="GetValue", unit="S", doc="Read.", source=""),
        Op(name="data_copy", cpp="DataCopy", unit="MTE2/MTE3", doc="dst = src.", source=""),
    ]  # fmt: skip
    monkeypatch.setattr("ascendc.language.isa.ISA", {op.name: op for op in isa})


def names(capsys: Capture, *arguments: str) -> list[str]:
    assert main(["ops", *arguments]) == 0
    return [line.split()[0] for line in capsys.readouterr().out.splitlines()]


def test_the_table_has_one_row_an_instruction(capsys: Capture) -> None:
    """Name, pipe, C++ name, element types; many combinations are only counted."""
    assert main(["ops"]) == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["name", "pipe", "C++", "element", "types"],
        ["add", "V", "Add", "float16", "float32"],
        ["cast", "V", "Cast", "13", "combinations:", "ascendc", "ops", "cast"],
        ["data_copy", "MTE2/MTE3", "DataCopy"],
        ["get_value", "S", "GetValue"],
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MTE3", ["data_copy"]),
        ("mte3", ["data_copy"]),
        ("v", ["add", "cast"]),
        ("s", ["get_value"]),
        ("dat", ["data_copy"]),
        ("ca", ["cast"]),
        ("Copy", ["data_copy"]),
    ],
)
def test_a_filter_is_a_part_of_a_name_or_a_pipe(capsys: Capture, text: str, expected: list[str]) -> None:
    """In Python's spelling or C++'s; what is a pipe's name is no part of one, or ``s`` would be in most."""
    assert names(capsys, text) == ["name", *expected]


def test_a_full_name_shows_everything_about_it(capsys: Capture) -> None:
    """With its worked example."""
    assert main(["ops", "add"]) == 0
    assert capsys.readouterr().out == (
        "add\n  C++     Add\n  pipe    V\n  dtypes  float16 float32\n  source  a table\n\n"
        "dst = src0 + src1.\n\n>>> 1 + 1\n2\n"
    )


def test_two_types_are_shown_with_their_direction(capsys: Capture) -> None:
    """Destination first, as in the call."""
    assert main(["ops", "cast"]) == 0
    assert "int8←float16 int8←float16" in capsys.readouterr().out


def test_no_match_suggests(capsys: Capture) -> None:
    """Status 2, one line."""
    assert main(["ops", "datacpy"]) == 2
    assert capsys.readouterr().err == "ascendc ops: no instruction named 'datacpy'; did you mean data_copy?\n"


class TestNames:
    """What a whole name shows, of the real instruction set."""

    @pytest.fixture(autouse=True)
    def _isa(self) -> None:
        """No other one."""

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("Adds", "asc.adds(dst, src, scalar, count, is_set_mask=True)"),
            ("enque", "queue.enque(tensor, src_user_pos=None, dst_user_pos=None)"),
            ("reduce_repeat_sum", "whole_reduce_sum\n  C++     WholeReduceSum"),
            ("SoftMax", "asc.adv.softmax(dst, sum, max, src, tiling, temp_buffer=None,\n    reuse_source=False"),
            ("DataCopyParams", "block_len: blocks of one row, 1 to 65535."),
            ("SoftMaxTiling", "asc.adv.SoftMaxTiling(src_m=0, src_k=0)"),
            ("VdeqInfo", "vdeq_offset=(0,) * 16"),
            ("RoundMode", "asc.RoundMode.CAST_RINT\n"),
            ("softm", "adv.log_softmax "),
        ],
    )
    def test_calls_and_fields(self, capsys: Capture, name: str, expected: str) -> None:
        """Instructions in either spelling or by their newer name, functions, structs, enums; a part lists functions."""
        assert main(["ops", name]) == 0
        assert expected in capsys.readouterr().out

    def test_one_name_of_two(self, capsys: Capture) -> None:
        """The instruction first, then the function."""
        assert main(["ops", "reduce_max"]) == 0
        out = capsys.readouterr().out
        assert [line for line in out.splitlines() if line.endswith("reduce_max")] == ["reduce_max", "adv.reduce_max"]

    def test_every_page_fits_a_terminal(self) -> None:
        """No line is longer than 80 columns, but for those of examples, which stay as they are."""
        for name in lookup.names():
            lines, is_example = lookup.everything(name).splitlines(), False
            for line in lines:
                is_example = line.startswith(">>>") or (is_example and bool(line))
                assert is_example or len(line) <= 80, (name, line)
