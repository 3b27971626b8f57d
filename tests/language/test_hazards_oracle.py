"""The hazard pass against everything that can happen to small blocks."""

from __future__ import annotations

from hypothesis import given, settings

from ascendc.language.hazard.extent import Footprints
from ascendc.language.hazard.hits import Rule
from ascendc.language.hazard.order import check
from ascendc.language.program import Block
from tests.oracle import Pair, hazards_of
from tests.rows import Rows
from tests.strategies import blocks

_NAMES = {Rule.RAW: "raw", Rule.WAR: "war", Rule.WAW: "waw", Rule.SET_TWICE: "twice"}


def found_by_the_pass(block: Block) -> set[Pair]:
    hits = check(block, Footprints(block.templates), block.addresses)
    return {(_NAMES[h.rule], h.first, h.second) for h in hits if h.rule is not Rule.LEFT_SET}


def mended(pairs: set[Pair]) -> set[tuple[int, int]]:
    """Where the author would put flags."""
    return {(first, second) for kind, first, second in pairs if kind != "twice"}


@settings(max_examples=150)
@given(rows=blocks())
def test_every_finding_is_real_and_following_them_all_leaves_nothing(rows: Rows) -> None:
    """With a flag between the two rows of each finding no schedule breaks anything but flags already named."""
    block = rows.block()
    found = found_by_the_pass(block)

    assert found <= hazards_of(block)
    assert hazards_of(block, mended(found)) == {pair for pair in found if pair[0] == "twice"}


@settings(max_examples=100)
@given(rows=blocks(rows=8))
def test_no_finding_is_a_consequence_of_the_others(rows: Rows) -> None:
    """With a flag for each finding but one, that one can still happen."""
    block = rows.block()
    found = found_by_the_pass(block)

    for pair in found:
        assert pair in hazards_of(block, mended(found - {pair}))
