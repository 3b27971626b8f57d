"""What a pass has to say about a kernel that still ran: values, never printed here."""

from __future__ import annotations

import enum
from dataclasses import dataclass


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
