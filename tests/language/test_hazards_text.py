"""Findings as a listing."""

from __future__ import annotations

from ascendc.language.findings import Finding, Severity
from ascendc.language.hazards import describe, hazards
from tests.rows import Rows, program


def test_a_listing_is_numbered_and_wrapped() -> None:
    """Exactly this text for P07."""
    rows = Rows()
    rows.load((0, 256))
    rows.adds((256, 256), (0, 256))

    assert describe(list(hazards(program(rows)))) == (
        "  1. error: adds (V, my.py:2): reads UB bytes [0, 256), which data_copy (MTE2,\n"
        "     my.py:1) writes, and nothing makes it wait for that; put\n"
        "     set_flag(HardEvent.MTE2_V, id) after my.py:1 and\n"
        "     wait_flag(HardEvent.MTE2_V, id) before my.py:2, or enque and deque the\n"
        "     tensor in between"
    )


def test_a_listing_stops_after_twelve() -> None:
    """The rest is a number."""
    findings = [Finding("raw", Severity.WARNING, f"number {n}", (), ()) for n in range(15)]

    lines = describe(findings).splitlines()
    assert lines[11:] == [" 12. warning: number 11", "     and 3 more"]


def test_a_listing_of_nothing_is_empty() -> None:
    """No heading, no line."""
    assert describe([]) == ""
