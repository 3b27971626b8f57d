"""Caches of the scalar unit: its data cache, its instruction cache, and waiting for its own accesses.

None of them is modelled.  A scalar access goes to memory at once and is over before the next instruction is
issued, so these instructions cost their issue and change nothing; on the chip a kernel is wrong without them.  Only
the hazard pass asks for one: what the scalar unit writes to local memory is there for others once it has waited.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, overload

from ..access import need_bytes, need_tensor
from ..classes import need_class
from ..core import current
from ..enums import CacheLine, DcciDst, MemDsbT
from ..errors import OutOfBoundsError, RangeError
from ..global_memory import GlobalTensor
from ..memory import LocalTensor
from ..site import kernel_frame
from .scalar import ScalarOp, record_register


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DataSyncBarrier(ScalarOp):
    """Wait for the scalar unit's own accesses to a memory."""

    def __call__(self, arg0: MemDsbT) -> None:
        core, frame = current(), kernel_frame()
        need_class(core, self.name, "arg0", arg0, MemDsbT)
        record_register(core, frame, self, (("memory", arg0.name),))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CleanAndInvalidate(ScalarOp):
    """Make the data cache agree with a memory."""

    @overload
    def __call__(self, entire_type: CacheLine, dcci_dst: DcciDst, dst: GlobalTensor | LocalTensor) -> None: ...

    @overload
    def __call__(self, entire_type: CacheLine, dst: GlobalTensor | LocalTensor) -> None: ...

    def __call__(  # type: ignore[misc]  # the second form skips a parameter
        self, entire_type: CacheLine, dcci_dst: Any = None, dst: Any = None
    ) -> None:
        core, frame = current(), kernel_frame()
        if isinstance(dcci_dst, GlobalTensor | LocalTensor):
            dcci_dst, dst = None, dcci_dst
        need_class(core, self.name, "entire_type", entire_type, CacheLine)
        params = [("lines", entire_type.name)]
        if dcci_dst is not None:
            need_class(core, self.name, "dcci_dst", dcci_dst, DcciDst)
            params.append(("memory", dcci_dst.name))
        need_tensor(core, self.name, "dst", dst)
        if isinstance(dst, LocalTensor):
            need_bytes(core, self.name, "dst", dst, 0, 1)
        record_register(core, frame, self, tuple(params))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DataPreload(ScalarOp):
    """Load a line into the data cache."""

    def __call__(self, src: GlobalTensor, cache_offset: int) -> None:
        core, frame = current(), kernel_frame()
        need_class(core, self.name, "src", src, GlobalTensor)
        offset = core.whole(self.name, "cache_offset", cache_offset)
        if not 0 <= offset < max(src.nbytes, 1):
            core.fail(
                OutOfBoundsError,
                f"{self.name}: cache_offset must be a byte of src, 0 to {src.nbytes - 1}, got {offset} ({src!r})",
            )
        record_register(core, frame, self, (("offset", offset),))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CodePreload(ScalarOp):
    """Load code into the instruction cache."""

    def __call__(self, pre_fetch_len: int) -> None:
        core, frame = current(), kernel_frame()
        length = core.whole(self.name, "pre_fetch_len", pre_fetch_len)
        if length < 0:
            core.fail(RangeError, f"{self.name}: pre_fetch_len must be 0 or more units of 2 KB, got {length}")
        record_register(core, frame, self, (("length", length),))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PreloadStatus(ScalarOp):
    """Ask whether code is still being loaded."""

    def __call__(self) -> int:
        record_register(current(), kernel_frame(), self)
        return 0


data_cache_clean_and_invalid = CleanAndInvalidate(
    name="data_cache_clean_and_invalid",
    cpp="DataCacheCleanAndInvalid",
    unit="S",
    doc="Write back and forget the cache line at ``dst``, or all; scalar accesses are not cached here.",
)
data_cache_preload = DataPreload(
    name="data_cache_preload",
    cpp="DataCachePreload",
    unit="S",
    doc="Load the cache line ``cache_offset`` bytes into ``src``; scalar accesses are not cached here.",
)
data_sync_barrier = DataSyncBarrier(
    name="data_sync_barrier",
    cpp="DataSyncBarrier",
    unit="S",
    doc="Wait for the scalar unit's own accesses to a memory; here each is over before the next instruction.",
)
get_icache_preload_status = PreloadStatus(
    name="get_icache_preload_status",
    cpp="GetICachePreloadStatus",
    unit="S",
    doc="Whether code is still being loaded: always 0, there is no instruction cache here.",
)
icache_preload = CodePreload(
    name="icache_preload",
    cpp="ICachePreLoad",
    unit="S",
    doc="Load code of the next lines ahead of time; there is no instruction cache here.",
)

__all__ = [
    "data_cache_clean_and_invalid",
    "data_cache_preload",
    "data_sync_barrier",
    "get_icache_preload_status",
    "icache_preload",
]
