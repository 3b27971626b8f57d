"""Views of a timeline: what bounds it, in numbers, in pictures, as files.  Nothing here changes a result."""

from .advice import Advice
from .bandwidth import Bandwidth, MemoryUse, PathUse
from .metrics import CoreUse, PipeUse
from .report import Report, profile
from .trace import Trace
from .verdict import Bound, Ceiling, Verdict

__all__ = [
    "Advice",
    "Bandwidth",
    "Bound",
    "Ceiling",
    "CoreUse",
    "MemoryUse",
    "PathUse",
    "PipeUse",
    "Report",
    "Trace",
    "Verdict",
    "profile",
]
