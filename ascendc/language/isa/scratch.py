"""The end of UB that some instructions work in: legal to use, but they overwrite it."""

from __future__ import annotations

from types import FrameType

from ..core import Core, LocalMemory


def warn_scratch(core: Core, frame: FrameType, call: str, memory: LocalMemory) -> None:
    """Note that an instruction works in bytes that the kernel uses."""
    start = memory.spec.bytes - core.spec.vector.scratch_bytes
    at = memory.shadow.find(1, start)
    if at >= 0:
        core.warn(
            "scratch",
            f"{call}: the vendor library works in UB bytes [{start}, {memory.spec.bytes}) here, and the kernel uses "
            f"byte {at}; keep buffers below {start}",
            frame,
        )
