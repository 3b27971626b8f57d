"""A bandwidth many transfers share at once, max-min fair, each held back by its own port.

Flows of one port class all move at the same rate, so a class needs one virtual clock (grains moved per
flow) and a heap of the readings at which its flows end: a start or an end costs O(log n + classes), not
O(n).  All integers.  What a flow belongs to and what its end means is the memory's business.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import simpy

from .alarm import Alarm
from .ticks import GRAINS

Owner = TypeVar("Owner")


class Fluid(Generic[Owner]):
    """One shared server.

    ``start`` flows and, once all flows of an instant have started, ``plan``.  When flows end, ``ended`` is
    called with their owners; if that leaves the plan stale, ``plan`` must follow in the same instant.

    Attributes:
        is_stale: whether there are flows, and the bandwidth is not shared among them yet.
    """

    def __init__(
        self,
        env: simpy.Environment,
        total: int,
        caps: Sequence[int],
        priority: int,
        ended: Callable[[list[Owner], int], None],
    ) -> None:
        """A server that moves ``total`` grains a tick, and at most ``caps[k]`` for a flow of class k, ascending."""
        self._env, self._total, self._priority, self._ended = env, total, priority, ended
        self._classes = tuple((k, min(cap, total)) for k, cap in enumerate(caps))
        self._flows = [0] * len(caps)
        self._clock = [0] * len(caps)
        self._rate = [0] * len(caps)
        self._ends: list[list[tuple[int, int, Owner]]] = [[] for _ in caps]
        self._now = 0
        self._serial = 0
        self._alarm: int | None = None  # when the next alarm rings, if one is set
        self.is_stale = False

    def start(self, now: int, port: int, nbytes: int, owner: Owner) -> None:
        """Begin to move ``nbytes`` through a port of class ``port``."""
        if now != self._now:
            self._advance(now)
        self._serial += 1
        heapq.heappush(self._ends[port], (self._clock[port] + nbytes * GRAINS, self._serial, owner))
        self._flows[port] += 1
        self.is_stale = True

    def plan(self, now: int) -> None:
        """Share the bandwidth anew among the flows that are there, and set an alarm for the first end."""
        self.is_stale = False
        left, waiting = self._total, sum(self._flows)
        first = None
        for k, cap in self._classes:
            flows = self._flows[k]
            if flows:
                share = -(-left // waiting)  # rounded up, as rates are
                rate = cap if cap < share else share
                self._rate[k] = rate
                left -= rate * flows
                waiting -= flows
                end = now - (self._clock[k] - self._ends[k][0][0]) // rate
                if first is None or end < first:
                    first = end
        # An alarm that rings too early looks again; only an earlier end needs a new one.
        if first is not None and (self._alarm is None or first < self._alarm):
            self._alarm = first
            Alarm(self._env, first, self._priority, self._ring)

    def _ring(self, alarm: simpy.Event) -> None:
        now: int = self._env.now  # type: ignore[assignment]  # integers in, integers out
        if now != self._alarm:
            return  # an earlier one took its place
        self._alarm = None
        self._advance(now)
        ended: list[Owner] = []
        for k, ends in enumerate(self._ends):
            clock = self._clock[k]
            while ends and ends[0][0] <= clock:
                ended.append(heapq.heappop(ends)[2])
                self._flows[k] -= 1
        if ended:
            self.is_stale = any(self._flows)
            self._ended(ended, now)
        else:
            self.plan(now)

    def _advance(self, now: int) -> None:
        elapsed = now - self._now
        self._now = now
        for k, flows in enumerate(self._flows):
            if flows:
                self._clock[k] += self._rate[k] * elapsed
