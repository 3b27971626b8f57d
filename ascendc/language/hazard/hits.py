"""What the pass notes down while it runs: which rule, between which rows, how often."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass


class Rule(enum.Enum):
    """What is wrong between two rows, or with one.

    ``RAW``, ``WAR``, ``WAW``: the second row, in order of issue, reads what the first writes, writes what it
    reads, or writes what it writes, and need not wait for it.  ``CORES``: two blocks do so.  The others are
    about flags: set while still set, left set at the end, awaited but never set.  ``PADDING``: the second row stores,
    or adds up, what the first put behind its rows to fill blocks.
    """

    RAW = "raw"
    WAR = "war"
    WAW = "waw"
    CORES = "cores"
    SET_TWICE = "set twice"
    LEFT_SET = "left set"
    NEVER_SET = "never set"
    PADDING = "padding"

    @property
    def kind(self) -> str:
        """The word findings use for it."""
        return "flag" if " " in self.value else self.value


@dataclass(slots=True)
class Hit:
    """Two rows that break a rule, where their two templates do so first; a lone row stands in both places.

    Attributes:
        rule: which.
        first, second: the rows, in order of issue.
        count: how often these two templates do it.
    """

    rule: Rule
    first: int
    second: int
    count: int = 0


class Hits:
    """The broken rules of one block, one per pair of templates and not more than anyone wants to read."""

    LIMIT = 100

    __slots__ = ("_found", "_templates")

    def __init__(self, templates: Sequence[int]) -> None:
        """Start with nothing found in a block whose rows are of these ``templates``."""
        self._templates = templates
        self._found: dict[tuple[Rule, int, int], Hit] = {}

    def add(self, rule: Rule, first: int, second: int) -> None:
        """Note that rows ``first`` and ``second`` break ``rule``."""
        key = (rule, self._templates[first], self._templates[second])
        hit = self._found.get(key)
        if hit is None:
            if len(self._found) == self.LIMIT:
                return
            hit = self._found[key] = Hit(rule, first, second)
        hit.count += 1

    def sorted(self) -> list[Hit]:
        """Everything found, in order of issue of the second row."""
        return sorted(self._found.values(), key=lambda hit: (hit.second, hit.first))
