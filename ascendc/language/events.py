"""Flags of one core: which are set, and which ids are taken."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from .enums import HardEvent
from .errors import EventError
from .numbers import is_whole
from .program import Site

if TYPE_CHECKING:
    from types import FrameType

    from .core import Core


class Events:
    """The flags of one core while its block runs.

    Flags are counted in issue order: a wait takes the oldest set.  Whether a second set may come before the
    wait that takes the first is the hazard pass's question.
    """

    __slots__ = ("_core", "_free", "_held", "_lent", "_set")

    def __init__(self, core: Core) -> None:
        self._core = core
        every = (1 << core.chip.event_ids) - 1
        self._free = dict.fromkeys(core.chip.events, every)
        self._set: dict[tuple[HardEvent, int], Site] = {}
        self._held: dict[tuple[HardEvent, int], Site] = {}
        self._lent: set[tuple[HardEvent, int]] = set()

    def lend(self, event: HardEvent, frame: FrameType) -> int:
        """Take an id for the author, who may set its flag.

        Raises:
            EventError: as :meth:`take`.
        """
        index = self.take(event, frame)
        self._lent.add((event, index))
        return index

    def take(self, event: HardEvent, frame: FrameType) -> int:
        """Take the lowest free id of a direction.

        Raises:
            EventError: all are taken, the author has set its flag, or this core has no such direction.
        """
        free = self._free.get(event)
        if free is None:
            self.refuse(event)
        if not free:
            self._refuse_more(event)
        lowest = free & -free
        index = lowest.bit_length() - 1
        if self._set and (event, index) in self._set:
            self._core.fail(
                EventError,
                f"{event.name} id {index} is free to take, but set_flag at {self._set[event, index]} has set it, and "
                "nothing has waited for it: the next wait would pass too early; wait_flag before this call; ids for "
                "flags of your own come from alloc_event_id",
                frame,
            )
        self._free[event] = free ^ lowest
        self._held[event, index] = self._core.site(frame)
        return index

    def give(self, event: HardEvent, index: int) -> None:
        """Give an id back."""
        self._free[event] |= 1 << index
        self._held.pop((event, index), None)
        self._lent.discard((event, index))

    def peek(self, event: HardEvent) -> int:
        """The id :meth:`take` would take, without taking it.

        Raises:
            EventError: there is none.
        """
        free = self._free[event]
        if not free:
            self._refuse_more(event)
        return (free & -free).bit_length() - 1

    def unreturned(self) -> dict[tuple[HardEvent, int], Site]:
        """The ids the author took and never gave back, and where."""
        return {flag: self._held[flag] for flag in sorted(self._lent)}

    def is_taken(self, event: HardEvent, index: int) -> bool:
        """Whether the author has taken this id."""
        return (event, index) in self._lent

    def set(self, event: HardEvent, index: int, frame: FrameType) -> None:
        """Set a flag; an id the chip reserves, and nobody lent, is worth a warning.

        Raises:
            EventError: it is set already, or a queue uses this id now.
        """
        before = self._set.get((event, index))
        if before is not None:
            self._core.fail(
                EventError,
                f"set_flag: {event.name} id {index} is already set, at {before}, and nothing has waited for it; "
                "wait_flag first, or use another id",
                frame,
            )
        self._refuse_queues("set_flag", event, index, frame)
        if index in self._core.chip.reserved_event_ids and (event, index) not in self._lent:
            self._core.warn(
                "reserved-id",
                f"set_flag: {event.name} id {index} is one the system keeps for itself, and may set on the chip; "
                "get an id from alloc_event_id",
                frame,
            )
        self._set[event, index] = self._core.site(frame)

    def wait(self, event: HardEvent, index: int, frame: FrameType) -> None:
        """Take a flag back.

        Raises:
            EventError: nothing has set it, or a queue has.
        """
        if self._set.pop((event, index), None) is None:
            self._refuse_queues("wait_flag", event, index, frame)
            others = sorted(i for e, i in self._set if e is event)
            hint = f"; set now: id {', '.join(map(str, others))}" if others else ""
            self._core.fail(
                EventError,
                f"wait_flag: {event.target.short} would wait forever for {event.name} id {index}: "
                f"no set_flag was issued before{hint}; set it once before the loop, or after the work it stands for",
                frame,
            )

    def _refuse_queues(self, call: str, event: HardEvent, index: int, frame: FrameType) -> None:
        """Say so if a queue uses this id now."""
        if (event, index) in self._held and (event, index) not in self._lent:
            self._core.fail(
                EventError,
                f"{call}: {event.name} id {index} is in use by a queue since {self._held[event, index]}, which sets "
                "and awaits its flag itself; get an id from alloc_event_id or fetch_event_id",
                frame,
            )

    def check(self, call: str, event: HardEvent, index: int) -> int:
        """Refuse directions and ids this core does not have; give the id.

        Raises:
            EventError: see above.
        """
        if not isinstance(event, HardEvent) or event not in self._free:
            self.refuse(event)
        ids = self._core.chip.event_ids
        if not is_whole(index) or not 0 <= index < ids:
            self._core.fail(EventError, f"{call}: event id must be 0 to {ids - 1}, got {index!r}")
        return int(index)

    def _refuse_more(self, event: HardEvent) -> NoReturn:
        held = ", ".join(f"{i} ({site})" for (e, i), site in self._held.items() if e is event)
        self._core.fail(
            EventError,
            f"{event.name}: all {self._core.chip.event_ids} event ids are taken: {held}; give one back first",
        )

    def refuse(self, event: HardEvent) -> NoReturn:
        """Say that this core has no such direction."""
        if not isinstance(event, HardEvent):
            self._core.fail(EventError, f"an event must be a HardEvent, as HardEvent.MTE2_V, got {event!r}")
        there = ", ".join(e.name for e in self._core.chip.events)
        self._core.fail(EventError, f"{event.name} is no event of an {self._core.kind} core; there are: {there}")
