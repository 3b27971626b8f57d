"""The hazard pass against everything that can happen to small blocks."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from ascendc.language.hazard.extent import Footprints
from ascendc.language.hazard.hits import Rule
from ascendc.language.hazard.order import check
from ascendc.language.program import Block
from tests.oracle import Pair, hazards_of
from tests.strategies import blocks
from tests.rows import Rows

_NAMES = {Rule.RAW: "raw", Rule.WAR: "war", Rule.WAW: "waw", Rule.SET_TWICE: "twice"}


def found_by_the_pass(block: Block) -> set[Pair]:
    hits = check(block, Footprints(block.templates), block.addresses)
    return {(_NAMES[h.rule], h.first, h.second) for h in hits if h.rule is not Rule.LEFT_SET}


def latest(pairs: set[Pair], block: Block) -> set[tuple[str, int, object]]:
    """Pairs with the first row known by its pipe only: the pass names the latest row of each pipe."""
    return {(kind, second, block[first].template.pipe) for kind, first, second in pairs}


@settings(max_examples=300)
@given(rows=blocks())
def test_the_pass_finds_what_some_schedule_breaks_and_nothing_else(rows: Rows) -> None:
    """Every finding is real, and every real one is found up to the row of the pipe it names."""
    block = rows.block()
    real, found = hazards_of(block), found_by_the_pass(block)

    assert found <= real
    assert latest(found, block) == latest(real, block)
