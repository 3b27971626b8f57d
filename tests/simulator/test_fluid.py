"""The shared bandwidth against a calculation with fractions."""

from __future__ import annotations

from fractions import Fraction

import simpy
from hypothesis import given
from hypothesis import strategies as st

from simulator.alarm import Alarm
from simulator.fluid import Fluid
from simulator.ticks import TICKS, grains_per_tick

CAPS = [Fraction(5), Fraction(16), Fraction(46)]
Flow = tuple[int, int, int]  # start in cycles, class, bytes


def fair_rates(total: Fraction, caps: list[Fraction]) -> list[Fraction]:
    """What each flow gets: nobody takes more than its cap, and what is left is shared by the others."""
    rates = [Fraction(0)] * len(caps)
    left = total
    todo = sorted(range(len(caps)), key=lambda i: caps[i])
    while todo:
        rates[todo[0]] = min(caps[todo[0]], left / len(todo))
        left -= rates[todo[0]]
        todo.pop(0)
    return rates


def exact_ends(total: Fraction, flows: list[Flow]) -> list[Fraction]:
    """When each flow ends, in cycles, with exact arithmetic and a loop over everything."""
    left = {i: Fraction(nbytes) for i, (_, _, nbytes) in enumerate(flows)}
    ends = [Fraction(0)] * len(flows)
    now = Fraction(0)
    while left:
        active = [i for i in left if flows[i][0] <= now]
        rates = dict(zip(active, fair_rates(total, [CAPS[flows[i][1]] for i in active]), strict=True))
        steps = [left[i] / rates[i] for i in active] + [flows[i][0] - now for i in left if flows[i][0] > now]
        step = min(steps)
        now += step
        for i in active:
            left[i] -= rates[i] * step
            if not left[i]:
                ends[i] = now
                del left[i]
    return ends


def served_ends(total: Fraction, flows: list[Flow]) -> list[int]:
    """The same from the server, in ticks."""
    env = simpy.Environment()
    ends = [0] * len(flows)

    def ended(owners: list[int], now: int) -> None:
        for owner in owners:
            ends[owner] = now
        Alarm(env, now, 3, lambda _: server.plan(now))

    server: Fluid[int] = Fluid(env, grains_per_tick(total), [grains_per_tick(c) for c in CAPS], 2, ended)
    for at in sorted({flow[0] for flow in flows}):
        Alarm(env, at * TICKS, 3, lambda _: start(int(env.now)))

    def start(now: int) -> None:
        for i, (at, port, nbytes) in enumerate(flows):
            if at * TICKS == now:
                server.start(now, port, nbytes, i)
        server.plan(now)

    env.run()
    return ends


@given(
    st.sampled_from([Fraction(40), Fraction(100), Fraction(4027, 5)]),
    st.lists(st.tuples(st.integers(0, 300), st.integers(0, 2), st.integers(1, 10_000)), min_size=1, max_size=12),
)
def test_flows_end_when_exact_arithmetic_says(total: Fraction, flows: list[Flow]) -> None:
    """Each end is rounded up to a tick, and hardly more than a tick per flow before it is lost to that."""
    for exact, served in zip(exact_ends(total, flows), served_ends(total, flows), strict=True):
        assert -1 <= served - exact * TICKS <= 2 * len(flows)


def test_a_third_each_ends_on_the_exact_tick() -> None:
    """Three flows of 8192 bytes through 128 bytes a cycle: 192 cycles, not a tick more."""
    flows = [(0, 2, 8192)] * 3

    assert served_ends(Fraction(128), flows) == [192 * TICKS] * 3
