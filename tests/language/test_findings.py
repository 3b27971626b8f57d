"""Warnings of a launch while it runs."""

from __future__ import annotations

from ascendc.language.findings import Finding, Remarks, Severity


def test_one_finding_for_each_kind_and_line_with_all_its_blocks() -> None:
    """Blocks in any order and as often as they like; the first text for a line stays."""
    remarks = Remarks()
    for block in (5, 2, 5, 0):
        remarks.note("leak", f"told by {block}", ("my.py:3",), block)
    remarks.note("leak", "elsewhere", ("my.py:4",), 1)
    remarks.note("mask", "of another kind", ("my.py:3",), 1)

    assert remarks.findings() == (
        Finding("leak", Severity.WARNING, "my.py:3: told by 5", ("my.py:3",), (0, 2, 5)),
        Finding("leak", Severity.WARNING, "my.py:4: elsewhere", ("my.py:4",), (1,)),
        Finding("mask", Severity.WARNING, "my.py:3: of another kind", ("my.py:3",), (1,)),
    )


def test_a_warning_of_every_block_costs_one_note_each() -> None:
    """65,535 blocks, the most of a launch: quadratic work would take a minute."""
    remarks = Remarks()
    for block in reversed(range(65_535)):
        remarks.note("leak", "never given back", ("my.py:3",), block)

    (finding,) = remarks.findings()
    assert finding.blocks == tuple(range(65_535))
