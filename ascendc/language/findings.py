"""What a pass has to say about a kernel that still ran: values, never printed here."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field


class Severity(enum.Enum):
    """How bad a finding is.

    An ``ERROR`` is wrong on the chip, a ``WARNING`` is legal but surprising; ``ADVICE`` is about speed only.
    """

    ERROR = "error"
    WARNING = "warning"
    ADVICE = "advice"


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark about a kernel.

    Attributes:
        kind: a stable word for the rule: ``raw``, ``war``, ``waw``, ``cores``, ``rounding`` …
        severity: see :class:`Severity`.
        message: what is wrong, with the values, and the way out.
        lines: the kernel lines involved as ``file:line``, in order of issue.
        blocks: the blocks it was found in, ascending.
    """

    kind: str
    severity: Severity
    message: str
    lines: tuple[str, ...]
    blocks: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.severity.value}: {self.message}"


@dataclass(slots=True)
class Remarks:
    """The warnings of a launch while it runs: one for each kind and lines, with the blocks that gave it."""

    _noted: dict[tuple[str, tuple[str, ...]], tuple[str, set[int]]] = field(default_factory=dict)

    def note(self, kind: str, text: str, lines: tuple[str, ...], block: int) -> None:
        """Note that ``block`` does something legal but surprising; the first text for these lines stays."""
        found = self._noted.get((kind, lines))
        if found is None:
            found = self._noted[kind, lines] = text, set()
        found[1].add(block)

    def findings(self) -> tuple[Finding, ...]:
        """All of them, in order of the first block that gave each."""
        return tuple(
            Finding(kind, Severity.WARNING, f"{lines[0]}: {text}", lines, tuple(sorted(blocks)))
            for (kind, lines), (text, blocks) in self._noted.items()
        )
