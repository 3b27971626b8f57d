"""``check_local_memory_ia``: accesses to a range of UB that should not happen, told with their lines.

On the chip a watched access stops the core.  Here the kernel goes on, and the hazard pass tells of each such line:
in order of the program, from the call on, until the same register is set again.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..block import BLOCK
from ..core import Core, current
from ..errors import UsageError
from ..params import CheckLocalMemoryIAParam
from ..site import kernel_frame
from .copies import check_fields
from .scalar import ScalarOp, record_register

WATCHED = ("scalar read", "scalar write", "vector read", "vector write", "mte read", "mte write")
"""What can be watched: fields of the parameters, without their ``is_``."""

_LIMITS = {"enable_bit": (0, 3), "start_addr": (0, 65535), "end_addr": (0, 65535)}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CheckLocalMemory(ScalarOp):
    """Watch a range of UB, or no longer."""

    def __call__(self, check_params: CheckLocalMemoryIAParam) -> None:
        core, frame = current(), kernel_frame()
        register, start, end = check_fields(core, self.name, check_params, CheckLocalMemoryIAParam, _LIMITS)
        watches = _watches(core, self.name, check_params)
        first, stop = (start + 1) * BLOCK, (end + 1) * BLOCK
        params = (("register", register), ("first", first), ("stop", stop), ("watches", watches))
        record_register(core, frame, self, params)


def _watches(core: Core, call: str, params: CheckLocalMemoryIAParam) -> tuple[str, ...]:
    """What is watched from now on: nothing, if the register is not enabled."""
    if not params.is_enable:
        return ()
    chosen = tuple(what for what in WATCHED if getattr(params, f"is_{what.replace(' ', '_')}"))
    if not (chosen and params.start_addr < params.end_addr):
        core.fail(
            UsageError,
            f"{call}: nothing would be watched: {', '.join(chosen) or 'no access'} of blocks "
            f"{params.start_addr + 1} to {params.end_addr}; end_addr must be above start_addr, and one of "
            "is_scalar_read … is_mte_write true",
        )
    return chosen


check_local_memory_ia = CheckLocalMemory(
    name="check_local_memory_ia",
    cpp="CheckLocalMemoryIA",
    unit="S",
    doc="Watch a range of UB: accesses of the chosen kinds become findings, until the register is set again.",
)

__all__ = ["check_local_memory_ia"]
