"""Tensors: typed windows on global and local memory.

A window knows its bounds; every access of an instruction goes through them (``access.py``).  Slicing is
Ascend C's ``operator[]``: ``t[off:]`` and ``t[off]`` are the rest of the tensor from element ``off``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from .core import Core, Lease, LocalMemory, current
from .dtypes import DataType, dtype
from .enums import CacheMode, CacheRwMode, TPosition
from .errors import (
    AlignmentError,
    CapacityError,
    DtypeError,
    OutOfBoundsError,
    PositionError,
    RangeError,
    UsageError,
)
from .numbers import is_whole

if TYPE_CHECKING:
    from .buffers import Buffer

Array = NDArray[Any]


class HostArray:
    """An array argument as the launch lays it out in global memory.

    Attributes:
        name: the kernel's name for it.
        address: its first byte in global memory.
        nbytes: its size.
        bytes: the array itself, flat, as uint8.
        dtype: its element type.
        writeable: whether the host lets us write it.
    """

    __slots__ = ("_views", "address", "bytes", "dtype", "name", "nbytes", "writeable")

    def __init__(self, name: str, address: int, flat: NDArray[np.uint8], kind: DataType) -> None:
        self.name, self.address, self.bytes, self.dtype = name, address, flat, kind
        self.nbytes, self.writeable = flat.nbytes, bool(flat.flags.writeable)
        self._views: dict[tuple[DataType, int], Array] = {}

    def view(self, kind: DataType, phase: int) -> Array:
        """The array as elements of ``kind``, from byte ``phase`` on."""
        found = self._views.get((kind, phase))
        if found is None:
            whole = (self.nbytes - phase) // kind.itemsize * kind.itemsize
            found = self.bytes[phase : phase + whole].view(kind.numpy)
            self._views[kind, phase] = found
        return found


class GlobalAddress:
    """A pointer into an array argument: what a kernel's array parameter is.  ``x + n`` moves ``n`` elements."""

    __slots__ = ("_host", "_offset", "dtype")

    def __init__(self, host: HostArray, offset: int, kind: DataType) -> None:
        self._host, self._offset, self.dtype = host, offset, kind

    def __add__(self, elements: int) -> GlobalAddress:
        if not is_whole(elements):
            current().fail(
                UsageError,
                f"{self._host.name} + {elements!r}: the offset of an address is a whole number of elements",
            )
        return GlobalAddress(self._host, self._offset + int(elements) * self.dtype.itemsize, self.dtype)

    def __repr__(self) -> str:
        return f"GlobalAddress({self._host.name}, {self.dtype}, byte {self._offset} of {self._host.nbytes})"


class GlobalTensor:
    """A window on global memory.

    Attributes:
        dtype: its element type.
        host: the array argument it lies in.
        start: its first byte within that array.
        nbytes: its size in bytes.
        cached_reads, cached_writes: whether such accesses go through the L2 cache.
    """

    __slots__ = ("cached_reads", "cached_writes", "dtype", "host", "nbytes", "start")

    dtype: DataType
    host: HostArray
    start: int
    nbytes: int

    def __init__(self) -> None:
        self.cached_reads = self.cached_writes = True

    def set_global_buffer(self, buffer: GlobalAddress, buffer_size: int | None = None) -> None:
        """Lay the tensor on ``buffer``.

        Args:
            buffer: an array argument, or an address computed from one.
            buffer_size: elements; up to the end of the array if not given.

        Raises:
            OutOfBoundsError: it would start or end outside the array.
        """
        core = current()
        if not isinstance(buffer, GlobalAddress):
            core.fail(UsageError, f"set_global_buffer: buffer must be an array argument of the kernel, got {buffer!r}")
        host, start, item = buffer._host, buffer._offset, buffer.dtype.itemsize
        left = host.nbytes - start
        if start < 0 or left < 0:
            core.fail(
                OutOfBoundsError,
                f"set_global_buffer: address is element {start // item} of {host.name}, "
                f"which has elements 0 to {host.nbytes // item - 1}",
            )
        nbytes = left if buffer_size is None else core.whole("set_global_buffer", "buffer_size", buffer_size) * item
        if nbytes < 0 or nbytes > left:
            core.fail(
                OutOfBoundsError,
                f"set_global_buffer: {buffer_size} elements from element {start // item} of {host.name} end "
                f"outside it: {host.nbytes // item} elements, {left // item} left",
            )
        self.host, self.start, self.nbytes, self.dtype = host, start, nbytes, buffer.dtype

    def __getattr__(self, name: str) -> NoReturn:
        if name in GlobalTensor.__slots__:
            current().fail(UsageError, f"GlobalTensor: {name} is not known before set_global_buffer(address)")
        raise AttributeError(f"GlobalTensor has no attribute {name!r}")

    def __getitem__(self, key: int | slice) -> GlobalTensor:
        first, last = _window(key, self.nbytes // self.dtype.itemsize, self)
        made = GlobalTensor.__new__(GlobalTensor)
        made.cached_reads, made.cached_writes = self.cached_reads, self.cached_writes
        made.host, made.dtype = self.host, self.dtype
        made.start = self.start + first * self.dtype.itemsize
        made.nbytes = (last - first) * self.dtype.itemsize
        return made

    __iter__: ClassVar[None] = None  # a loop over its windows is never meant

    def __len__(self) -> int:
        return self.nbytes // self.dtype.itemsize

    def get_size(self) -> int:
        """Elements of the window."""
        return self.nbytes // self.dtype.itemsize

    def get_phy_addr(self, offset: int = 0) -> GlobalAddress:
        """The address of element ``offset``."""
        first = current().whole("get_phy_addr", "offset", offset)
        return GlobalAddress(self.host, self.start + first * self.dtype.itemsize, self.dtype)

    def set_l2_cache_hint(self, mode: CacheMode, rw: CacheRwMode = CacheRwMode.RW) -> None:
        """Say whether transfers of this tensor go through the L2 cache.  Results do not depend on it."""
        cached = CacheMode(mode) is not CacheMode.CACHE_MODE_DISABLE
        if CacheRwMode(rw) & CacheRwMode.READ:
            self.cached_reads = cached
        if CacheRwMode(rw) & CacheRwMode.WRITE:
            self.cached_writes = cached

    @property
    def address(self) -> int:
        """First byte, among the addresses of the launch."""
        return self.host.address + self.start

    def elements(self, first: int, count: int) -> Array:
        """``count`` elements from ``first`` on, as a view on the host's array.  Bounds are the caller's."""
        item = self.dtype.itemsize
        phase = self.start % item
        at = self.start // item + first
        return self.host.view(self.dtype, phase)[at : at + count]

    @property
    def values(self) -> Array:
        """A copy of the window as NumPy elements, as of this line; free of charge, for debugging."""
        return self.elements(0, len(self)).copy()

    def get_value(self, offset: int) -> Any:
        """Element ``offset``, read by the scalar unit.

        Other blocks get a turn first, since one of them may be about to write it.
        """
        from .isa.scalar import get_global_value  # noqa: PLC0415  the declarations need this class

        return get_global_value(self, offset)

    def set_value(self, offset: int, value: float) -> None:
        """Write element ``offset`` by the scalar unit."""
        from .isa.scalar import set_global_value  # noqa: PLC0415  the declarations need this class

        set_global_value(self, offset, value)

    def __repr__(self) -> str:
        return f"GlobalTensor({self.host.name}, {self.dtype} x{len(self)} from byte {self.start})"

    def __str__(self) -> str:
        return str(self.values)


class LocalTensor:
    """A window on a local memory, at an explicit place: ``LocalTensor(dtype, pos, addr, tile_size)``.

    Without ``pos`` it lies at ``VECIN``: ``LocalTensor(dtype, addr, tile_size)``.
    Tensors of queues and of :class:`TBuf` come from their ``alloc_tensor``, ``deque`` and ``get``.

    Attributes:
        dtype: its element type.
        position: its logical position.
        address: its first byte in that memory.
        nbytes: its size in bytes.
        memory, core, lease, buffer: for the passes: where it lies, and whether it may be used.
    """

    __slots__ = ("address", "buffer", "core", "dtype", "lease", "memory", "nbytes", "position")

    core: Core
    memory: LocalMemory
    lease: Lease
    buffer: Buffer | None

    def __init__(
        self,
        dtype: Any,
        pos: TPosition | int = TPosition.VECIN,
        addr: int = 0,
        tile_size: int = 0,
    ) -> None:
        core = current()
        if not isinstance(pos, TPosition):
            pos, addr, tile_size = _without_position(core, pos, addr, tile_size)
        self.core, self.position = core, pos
        self.memory = core.memory(pos)
        self.dtype = element_type(core, "LocalTensor", dtype)
        self.lease, self.buffer = core.lease, None
        self.address = core.whole("LocalTensor", "addr", addr)
        room = self.memory.spec.bytes - self.address
        self.nbytes = core.whole("LocalTensor", "tile_size", tile_size) * self.dtype.itemsize if tile_size else room
        name = self.memory.space.name
        if self.address < 0 or self.nbytes < 0 or self.nbytes > room:
            core.fail(
                CapacityError,
                f"LocalTensor: {tile_size} x {self.dtype} at {name} address {addr} needs bytes {self.address} to "
                f"{self.address + self.nbytes}, {name} has {self.memory.spec.bytes} on {core.spec.name}",
            )
        if self.address % self.memory.spec.align_bytes:
            core.fail(
                AlignmentError,
                f"LocalTensor: address {self.address} is no multiple of {self.memory.spec.align_bytes}, "
                f"as {name} needs",
            )

    @classmethod
    def _make(
        cls,
        core: Core,
        memory: LocalMemory,
        position: TPosition,
        address: int,
        nbytes: int,
        kind: DataType,
        lease: Lease,
    ) -> Self:
        made = cls.__new__(cls)
        made.core, made.memory, made.position = core, memory, position
        made.address, made.nbytes, made.dtype, made.lease = address, nbytes, kind, lease
        made.buffer = None
        return made

    def __getitem__(self, key: int | slice) -> Self:
        item = self.dtype.itemsize
        first, last = _window(key, self.nbytes // item, self)
        made = self._make(
            self.core,
            self.memory,
            self.position,
            self.address + first * item,
            (last - first) * item,
            self.dtype,
            self.lease,
        )
        made.buffer = self.buffer
        return made

    __iter__: ClassVar[None] = None  # a loop over its windows is never meant

    def __len__(self) -> int:
        return self.nbytes // self.dtype.itemsize

    def get_size(self) -> int:
        """Elements of the window."""
        return self.nbytes // self.dtype.itemsize

    def set_size(self, size: int) -> None:
        """Narrow or widen the window to ``size`` elements; never beyond the memory."""
        size = self.core.whole("set_size", "size", size)
        if not 0 <= size * self.dtype.itemsize <= self.memory.spec.bytes - self.address:
            self.core.fail(
                OutOfBoundsError, f"set_size: {size} elements from byte {self.address} end outside the memory"
            )
        self.nbytes = size * self.dtype.itemsize

    def get_length(self) -> int:
        """Bytes of the window."""
        return self.nbytes

    def get_position(self) -> TPosition:
        """Its logical position."""
        return self.position

    def get_phy_addr(self, offset: int = 0) -> int:
        """Byte address of element ``offset``."""
        return self.address + self.core.whole("get_phy_addr", "offset", offset) * self.dtype.itemsize

    def reinterpret_cast(self, dtype: Any) -> Self:
        """The same bytes as elements of another type."""
        made = self[:]
        made.dtype = element_type(self.core, "reinterpret_cast", dtype)
        return made

    def get_value(self, offset: int) -> Any:
        """Element ``offset``, read by the scalar unit; with ``auto_sync`` it waits for the pipes that write it."""
        from .isa.scalar import get_local_value  # noqa: PLC0415  the declarations need this class

        return get_local_value(self, offset)

    def set_value(self, offset: int, value: float) -> None:
        """Write element ``offset`` by the scalar unit."""
        from .isa.scalar import set_local_value  # noqa: PLC0415  the declarations need this class

        set_local_value(self, offset, value)

    @property
    def values(self) -> Array:
        """A copy of the window as NumPy elements, as of this line; free of charge, for debugging."""
        raw = self.memory.data[self.address : self.address + len(self) * self.dtype.itemsize]
        out: Array = raw.view(self.dtype.numpy).copy()
        return out

    def __repr__(self) -> str:
        return f"LocalTensor({self.position.name} {self.dtype} x{len(self)} at byte {self.address})"

    def __str__(self) -> str:
        return str(self.values)


def element_type(core: Core, call: str, like: Any) -> DataType:
    """The element type that a call in a kernel names.

    Raises:
        DtypeError: there is no such element type.
    """
    if type(like) is DataType:
        return like
    try:
        return dtype(like)
    except DtypeError as error:
        core.fail(DtypeError, f"{call}: {error}")


def _without_position(core: Core, addr: Any, size: Any, tile_size: Any) -> tuple[TPosition, Any, Any]:
    """``pos``, ``addr`` and ``tile_size`` of ``LocalTensor(dtype, addr, tile_size)``."""
    if not is_whole(addr) or (size and tile_size):
        core.fail(PositionError, f"LocalTensor: pos must be a TPosition, as TPosition.VECIN, got {addr!r}")
    return TPosition.VECIN, addr, size or tile_size


def _window(key: Any, size: int, tensor: object) -> tuple[int, int]:
    """First element and the one after the last that ``key`` selects among ``size``."""
    first, last = key, size
    if type(key) is slice:
        if key.step is not None and key.step != 1:
            current().fail(RangeError, f"{tensor!r}: a tensor window has step 1, got {key.step}")
        first = 0 if key.start is None else key.start
        last = size if key.stop is None else key.stop
    if not (is_whole(first) and is_whole(last)):
        current().fail(
            UsageError, f"{tensor!r}: a tensor is one-dimensional; index it by one element offset, got {key!r}"
        )
    if not 0 <= first <= last <= size:
        current().fail(OutOfBoundsError, f"{tensor!r}: window [{first}, {last}) lies outside its {size} elements")
    return int(first), int(last)
