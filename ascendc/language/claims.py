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
        space, bytes: which bytes.
        lease: of the tensor; the bytes are free again when no window on it is left.  None: until the owner says so.
    """

    owner: object
    what: str
    site: Site
    space: Space
    bytes: range
    lease: weakref.ref[Lease] | None = None


class Claims:
    """The claims on the local memories of a core."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._made: list[Claim] = []

    def add(self, mine: Claim, frame: FrameType) -> None:
        """Note a claim of line ``frame``, and say so if another owner has handed out some of its bytes."""
        self._made = [c for c in self._made if c.lease is None or c.lease() is not None]
        for other in self._made:
            low, high = max(mine.bytes.start, other.bytes.start), min(mine.bytes.stop, other.bytes.stop)
            if other.owner is not mine.owner and other.space is mine.space and low < high:
                self._core.warn(
                    "alias",
                    f"{mine.what}: {mine.space.name} bytes [{low}, {high}) are those of {other.what} at {other.site}, "
                    "too; let one of them hand out the memory",
                    frame,
                )
        self._made.append(mine)

    def drop(self, owner: object) -> None:
        """Forget the claims of an owner."""
        self._made = [c for c in self._made if c.owner is not owner]
