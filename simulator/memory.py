"""The memory system all cores share: the arbiter, the L2 and the two bandwidths behind it.

Within one instant things happen in this order, so that nothing depends on the order in which SimPy met the
processes: units run (priority 0 and 1), transfers end and their units run on (``ENDS``), then what was asked
for in that instant is granted, sorted by core and pipe, and the bandwidth is shared anew (``GRANTS``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Final

import simpy

from .alarm import Alarm
from .cache import COMING, HERE, Cache, Extent
from .fluid import Fluid
from .pricing import Ports, Transfer

ENDS: Final = 2
GRANTS: Final = 3
_SETTLE_AT = 256  # transfers remembered as under way before those that arrived are sorted out, at least

Answer = Callable[[int, int], None]
"""Called with two ticks when a transfer has ended: its pipe is free, its data are visible."""

_Wish = tuple[int, int, Transfer | None, int, Callable[..., None]]  # core, lane, and what to begin or whom to call


@dataclass(slots=True)
class Traffic:
    """What went where during a launch, under the names of ``Timeline.traffic``."""

    hbm_read: int = 0
    hbm_write: int = 0
    l2_read: int = 0
    l2_write: int = 0
    l2_hit: int = 0
    l2_miss: int = 0
    l2_writeback: int = 0

    def items(self) -> tuple[tuple[str, int], ...]:
        """Names and numbers."""
        return tuple((f.name, getattr(self, f.name)) for f in fields(self))


class Flight:
    """A transfer under way."""

    __slots__ = ("answer", "fetched", "followers", "free", "latency", "parts", "rows", "visible")

    def __init__(self, now: int, transfer: Transfer, answer: Answer) -> None:
        self.answer = answer
        self.rows = now + transfer.rows
        self.free = max(self.rows, now + transfer.issue)  # not before
        self.visible = 0  # not before; exact once no parts are left
        self.latency = transfer.l2_latency
        self.parts = 0  # flows, and fetches of others, that have not ended
        self.fetched: list[Extent] | None = None  # what it brings into the L2
        self.followers: list[Flight] = []  # transfers of lines it fetches


class Memory:
    """Global memory as the cores of one launch see it."""

    def __init__(self, env: simpy.Environment, ports: Ports, cache: Cache) -> None:
        self.traffic = Traffic()
        self._env, self._ports, self._cache = env, ports, cache
        self._hbm: Fluid[Flight] = Fluid(env, ports.hbm_total, ports.hbm_caps, ENDS, self._ended)
        self._l2: Fluid[Flight] = Fluid(env, ports.l2_total, ports.l2_caps, ENDS, self._ended)
        self._asked: dict[int, list[_Wish]] = {}
        self._coming: list[Flight] = []
        self._settle_at = _SETTLE_AT
        self._fetcher: list[Flight | None] = [None] * cache.lines  # of each line that is on its way

    def move(self, at: int, core: int, lane: int, transfer: Transfer, line: int, answer: Answer) -> None:
        """Start ``transfer``, whose lines count from ``line``, at tick ``at``."""
        self._ask(at, (core, lane, transfer, line, answer))

    def turn(self, at: int, core: int, grant: Callable[[int], None]) -> None:
        """Have ``grant`` called at tick ``at``, in turn with whatever else is asked for in that instant."""
        self._ask(at, (core, 0, None, 0, grant))

    def _ask(self, at: int, wish: _Wish) -> None:
        asked = self._asked.get(at)
        if asked is None:
            self._asked[at] = [wish]
            Alarm(self._env, at, GRANTS, self._grant)
        else:
            asked.append(wish)

    def settle(self) -> None:
        """After a launch: everything that was on its way has arrived, and nobody need look again."""
        for flight in self._coming:
            self._arrive(flight)
        self._coming = []

    def _grant(self, _: simpy.Event) -> None:
        now: int = self._env.now  # type: ignore[assignment]  # integers in, integers out
        asked = self._asked.pop(now)
        asked.sort()  # a lane of a core asks for one thing at a time
        for _core, _lane, transfer, line, answer in asked:
            if transfer is None:
                answer(now)
            else:
                flight = Flight(now, transfer, answer)
                extents = [(line + first, count) for first, count in transfer.extents]
                (self._write if transfer.write else self._read)(now, transfer, extents, flight)
                if not flight.parts:
                    self._finish(flight, now)
        if self._hbm.is_stale:
            self._hbm.plan(now)
        if self._l2.is_stale:
            self._l2.plan(now)

    def _read(self, now: int, transfer: Transfer, extents: list[Extent], flight: Flight) -> None:
        cache, traffic = self._cache, self.traffic
        missing = cache.missing(extents)
        misses = sum([count for _, count in missing])
        hits = transfer.lines - misses
        if hits:
            self._follow(now, extents, flight)
            nbytes = -(-transfer.nbytes * hits // transfer.lines)
            traffic.l2_hit += hits
            traffic.l2_read += nbytes
            flight.parts += 1
            self._l2.start(now, transfer.l2_port, nbytes, flight)
        if misses:
            flight.latency = transfer.hbm_latency
            nbytes = misses * self._ports.line_bytes
            traffic.l2_miss += misses
            traffic.hbm_read += nbytes
            flight.parts += 1
            self._hbm.start(now, transfer.hbm_port, nbytes, flight)
            if transfer.cached:
                self._write_back(now, cache.admit(missing, COMING), flight)
                flight.fetched = missing
                for first, count in missing:
                    self._fetcher[first : first + count] = [flight] * count
                self._coming.append(flight)
                if len(self._coming) > self._settle_at:
                    self._settle(now)

    def _write(self, now: int, transfer: Transfer, extents: list[Extent], flight: Flight) -> None:
        cache, traffic = self._cache, self.traffic
        if not extents:
            return
        flight.parts = 1
        if transfer.cached:
            traffic.l2_write += transfer.nbytes
            self._l2.start(now, transfer.l2_port, transfer.nbytes, flight)
            missing = cache.missing(extents)
            cache.soil(extents)
            if missing:
                self._write_back(now, cache.admit(missing, HERE), flight)
        else:
            flight.latency = transfer.hbm_latency
            traffic.hbm_write += transfer.nbytes
            self._hbm.start(now, transfer.hbm_port, transfer.nbytes, flight)
            cache.clean(extents)

    def _write_back(self, now: int, lines: int, flight: Flight) -> None:
        if lines:
            nbytes = lines * self._ports.line_bytes
            self.traffic.l2_writeback += lines
            self.traffic.hbm_write += nbytes
            flight.parts += 1
            self._hbm.start(now, self._ports.write_back, nbytes, flight)

    def _follow(self, now: int, extents: list[Extent], flight: Flight) -> None:
        """Do not let ``flight`` end before the fetches of lines that are still on their way."""
        if not self._cache.is_coming(extents):
            return
        fetchers = [other for first, count in extents for other in self._fetcher[first : first + count]]
        for other in dict.fromkeys(fetchers):
            if other is None:
                continue
            if other.parts:
                flight.parts += 1
                other.followers.append(flight)
            elif other.visible > now:
                flight.visible = max(flight.visible, other.visible)
            else:
                self._arrive(other)

    def _settle(self, now: int) -> None:
        """Forget the fetches that are over.  Twice as many as are not may gather before the next look."""
        under_way = []
        for flight in self._coming:
            if flight.parts or flight.visible > now:
                under_way.append(flight)
            else:
                self._arrive(flight)
        self._coming = under_way
        self._settle_at = max(_SETTLE_AT, 2 * len(under_way))

    def _arrive(self, flight: Flight) -> None:
        """The lines a transfer fetched are here."""
        fetched = flight.fetched or ()
        flight.fetched = None
        self._cache.arrive(fetched)
        for first, count in fetched:
            self._fetcher[first : first + count] = [None] * count

    def _ended(self, flights: list[Flight], now: int) -> None:
        for flight in flights:
            flight.parts -= 1
            if not flight.parts:
                self._finish(flight, now)
        if (self._hbm.is_stale or self._l2.is_stale) and now not in self._asked:  # share anew, even if nobody asks
            self._asked[now] = []
            Alarm(self._env, now, GRANTS, self._grant)

    def _finish(self, flight: Flight, now: int) -> None:
        data = (now if now > flight.rows else flight.rows) + flight.latency
        flight.visible = max(flight.visible, data)
        flight.answer(now if now > flight.free else flight.free, flight.visible)
        for follower in flight.followers:
            follower.visible = max(follower.visible, flight.visible)
            follower.parts -= 1
            if not follower.parts:
                self._finish(follower, now)
