"""Who has which bytes of local memory: two owners of one place, both in use, are worth a warning.

A TPipe, a LocalMemAllocator and the stack each hand memory out without looking at the others; on the chip, too.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from types import FrameType
from typing import TYPE_CHECKING

from .program import Site, Space

if TYPE_CHECKING:
    from .core import Core, Lease


@dataclass(frozen=True, slots=True)
class Claim:
    """Bytes that an owner handed out.

    Attributes:
        owner: who; nobody stands in its own way.
        what: in words.
        site: where.
        space, start, stop: the bytes.
        lease: of the tensor; the bytes are free again when no window on it is left.  None: until the owner says so.
    """

    owner: object
    what: str
    site: Site
    space: Space
    start: int
    stop: int
    lease: weakref.ref[Lease] | None = None


class Claims:
    """The claims on the local memories of a core."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._made: list[Claim] = []

    def add(
        self,
        owner: object,
        what: str,
        space: Space,
        start: int,
        stop: int,
        frame: FrameType,
        lease: Lease | None = None,
    ) -> None:
        """Note a claim, and say so if another owner has handed out some of its bytes."""
        self._made = [c for c in self._made if c.lease is None or c.lease() is not None]
        for other in self._made:
            if other.owner is not owner and other.space is space and other.start < stop and start < other.stop:
                self._core.warn(
                    "alias",
                    f"{what}: {space.name} bytes [{max(start, other.start)}, {min(stop, other.stop)}) are those of "
                    f"{other.what} at {other.site}, too; let one of them hand out the memory",
                    frame,
                )
        mine = None if lease is None else weakref.ref(lease)
        self._made.append(Claim(owner, what, self._core.site(frame), space, start, stop, mine))

    def drop(self, owner: object) -> None:
        """Forget the claims of an owner."""
        self._made = [c for c in self._made if c.owner is not owner]
