"""Local clocks change nothing: the fast engine agrees with one event per step, whatever the program."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
import simpy
from hypothesis import given, settings
from hypothesis import strategies as st

from ascendc.language.hardware import HardwareSpec
from simulator import Cause, Timeline, simulate
from simulator.core import Decoupled, Process
from simulator.engine import _simulate
from simulator.memory import Memory
from simulator.prepare import Plan
from tests.simulator.programs import random_program, tqueue_add

TIGHT = {
    "core.aiv.count": 3,
    "core.aiv.queue_depth": 3,
    "l2.bytes": 40 * 512,
    "l2.achievable_gbps": 100,
    "hbm.achievable_gbps": 90,
    "route.gm_to_ub.hbm_latency_cycles": 140,
    "route.gm_to_ub.l2_latency_cycles": 33.3,
    "route.ub_to_gm.l2_bytes_per_cycle": 30.7,
}
CHANGES = st.sampled_from([{}, TIGHT, {**TIGHT, "route.gm_to_ub.issue_cycles": 0, "route.gm_to_ub.row_cycles": 0}])
SEEDS = st.integers(0, 2**32)


class Backwards(Decoupled):
    """Starts the first blocks from the last core to the first."""

    def __init__(self, env: simpy.Environment, memory: Memory, plan: Plan, cores: int) -> None:
        super().__init__(env, memory, plan, cores)
        self.first: list[tuple[Any, ...]] | None = []
        env.process(self.begin())

    def start(self, *what: Any) -> None:
        if self.first is None:
            super().start(*what)
        else:
            self.first.append(what)

    def begin(self) -> Process:
        first, self.first = self.first or [], None
        for what in reversed(first):
            super().start(*what)
        yield self.env.timeout(0)


def check(timeline: Timeline) -> None:
    """What is true of every timeline."""
    assert (timeline.stop >= timeline.start).all()
    assert (timeline.start >= timeline.ready).all()
    assert ((timeline.start > timeline.ready) == (timeline.cause != Cause.NONE)).all()
    ended = timeline.by >= 0
    assert (timeline.block[timeline.by[ended]] == timeline.block[ended]).all()
    assert (timeline.by[ended] < np.flatnonzero(ended)).all()


@settings(max_examples=200)
@given(SEEDS, st.integers(1, 7), CHANGES)
def test_an_event_per_step_gives_the_same_timeline(seed: int, blocks: int, changes: dict[str, Any]) -> None:
    """Every column, cause and byte, on programs of all kinds of rows, with waves of blocks and a tiny L2."""
    chip = HardwareSpec.load("demo").replace(changes)
    program = random_program(random.Random(seed), chip, blocks, 60)

    fast = simulate(program)

    check(fast)
    assert fast == simulate(program, mode="steps")


@settings(max_examples=40)
@given(SEEDS, CHANGES)
def test_the_order_in_which_cores_are_made_does_not_matter(seed: int, changes: dict[str, Any]) -> None:
    """Ties within an instant are broken by core, pipe and order of issue, not by who came first."""
    chip = HardwareSpec.load("demo").replace({"core.aiv.count": 4, **changes})
    program = random_program(random.Random(seed), chip, 7, 40)

    assert _simulate([program], chip, Backwards, None) == [simulate(program)]


@pytest.mark.parametrize("nbytes", [128, 8192])
def test_an_add_through_queues_is_the_same_too(demo: HardwareSpec, nbytes: int) -> None:
    """The pattern that matters most, on two cores with twelve tiles each."""
    program = tqueue_add(demo, 3, 12, nbytes)

    assert simulate(program) == simulate(program, mode="steps")
