"""The hazard pass and the brute force agree about whole kernels, both ways."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import ascendc as asc
from ascendc.language.enums import PipeID
from ascendc.language.hazard.extent import Footprints
from ascendc.language.hazard.hits import Rule
from ascendc.language.hazard.order import check
from ascendc.language.program import Block
from tests.guards.accesses import hazards_of
from tests.guards.scripts import LANES, SLOTS, Call, Script, play
from tests.oracle import Pair
from tests.strategies import scripts

DRAIN = Call("barrier", pipe=PipeID.PIPE_ALL)
_NAMES = {Rule.RAW: "raw", Rule.WAR: "war", Rule.WAW: "waw", Rule.SET_TWICE: "twice"}


def block_of(script: Script, *, auto_sync: bool) -> Block:
    """What the kernel issues, each row with a template of its own: findings are merged by template."""
    x = np.zeros(SLOTS * LANES, np.float16)
    made = play.launch(1, x, x.copy(), script, chip="demo", auto_sync=auto_sync, hazards="off").blocks[0]
    each = [made.templates[row] for row in made.rows]
    return replace(made, templates=each, rows=np.arange(len(each), dtype=np.int32))


def by_the_pass(block: Block) -> set[Pair]:
    hits = check(block, Footprints(block.templates), block.addresses)
    return {(_NAMES[h.rule], h.first, h.second) for h in hits if h.rule is not Rule.LEFT_SET}


def by_brute_force(block: Block, mended: Collection[Pair] = ()) -> set[Pair]:
    """What some schedule breaks, with a flag between the two rows of each of ``mended``."""
    found = hazards_of(block, [(first, second) for kind, first, second in mended if kind != "twice"])
    return {p for p in found if p[0] != "twice" or not block[p[2]].template.queued}


def check_agreement(block: Block) -> None:
    """Every finding is real; mending them all leaves nothing; where the pass is silent, so is brute force."""
    found = by_the_pass(block)
    real = by_brute_force(block)

    assert found <= real
    assert bool(found) == bool(real)
    assert by_brute_force(block, found) == {pair for pair in found if pair[0] == "twice"}


@settings(max_examples=150)
@given(script=scripts(), auto_sync=st.booleans())
def test_both_say_the_same_of_a_random_kernel(script: Script, auto_sync: bool) -> None:
    """Queues, flags, copies, barriers and a TBuf, in any order that runs to its end."""
    check_agreement(block_of(script, auto_sync=auto_sync))


@settings(max_examples=100)
@given(script=scripts(), data=st.data())
def test_both_say_the_same_when_a_call_is_left_out(script: Script, data: st.DataObject) -> None:
    """A call less either is refused on the spot, or both still agree."""
    less = script.without(data.draw(st.integers(0, len(script.calls) - 1)))
    try:
        block = block_of(less, auto_sync=False)
    except asc.AscendError:
        assume(False)
    check_agreement(block)


@settings(max_examples=25)
@given(script=scripts(calls=14))
def test_a_kernel_with_a_full_barrier_behind_each_call_is_never_accused(script: Script) -> None:
    """Nothing to find for either."""
    between = tuple(c for call in script.calls for c in (call, DRAIN))
    block = block_of(Script(between, script.buffers), auto_sync=False)

    assert by_the_pass(block) == by_brute_force(block) == set()
