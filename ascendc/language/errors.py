"""Everything that can go wrong with a kernel, as exceptions with one base.

Each class is one kind of mistake; the text of an instance says what is wrong, with the values,
the kernel line and the way out.  No other module defines an exception.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .findings import Finding


class AscendError(Exception):
    """Base of every error of this project."""


class UsageError(AscendError):
    """A call that can never be right: wrong argument kinds, a launch outside its rules."""


class OperatorError(UsageError):
    """A host function that does not give what an operator's must."""


class HardwareSpecError(AscendError):
    """A chip that does not exist, or a chip file that does not follow the schema."""


class CapacityError(AscendError):
    """More memory, buffers or tensors than the chip has."""


class QueueStateError(AscendError):
    """A queue call out of turn: nothing free, nothing enqueued, a tensor freed twice."""


class EventError(AscendError):
    """A flag that is set twice, awaited before any set, out of range or illegal for the core."""


class AlignmentError(AscendError):
    """An address or length that is not a multiple of what the instruction needs."""


class RangeError(AscendError):
    """A parameter outside the field the instruction has for it."""


class OutOfBoundsError(AscendError):
    """An access past the end of a tensor, an allocation or a memory."""


class DtypeError(AscendError):
    """An element type the instruction does not have on this chip."""


class PositionError(AscendError):
    """An operand in a memory the instruction cannot reach, or no path between two memories."""


class OverlapError(AscendError):
    """A destination that partly overlaps a source."""


class UninitializedError(AscendError):
    """A read of local memory that nothing has written."""


class WorkspaceError(CapacityError):
    """A temporary buffer smaller than the instruction needs."""


class DeadlockError(AscendError):
    """Everybody waits and nobody can go on."""


class HazardError(AscendError):
    """Accesses that nothing puts in order.

    Attributes:
        findings: the unordered pairs, in order of issue.
    """

    def __init__(self, text: str, findings: Sequence[Finding] = ()) -> None:
        super().__init__(text)
        self.findings = tuple(findings)
