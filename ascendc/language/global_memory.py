"""Global memory: array arguments, addresses in them, and typed windows on them.

A window knows its bounds; every access of an instruction goes through them (``access.py``).  Slicing is
Ascend C's ``operator[]``: ``t[off:]`` and ``t[off]`` are the rest of the tensor from element ``off``.
"""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn

import numpy as np
from numpy.typing import NDArray

from .core import Core, current
from .dtypes import DataType
from .enums import CacheMode, CacheRwMode
from .errors import (
    OutOfBoundsError,
    UsageError,
)
from .numbers import is_whole
from .site import argument, kernel_frame
from .windows import window

Array = NDArray[Any]


class HostArray:
    """An array argument as the launch lays it out in global memory.

    Attributes:
        name: the kernel's name for it.
        address: its first byte in global memory, while the launch lasts.
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

    def end(self) -> None:
        """It has no place any more: whoever kept a tensor on it and uses it in another launch is told."""
        del self.address

    def __getattr__(self, name: str) -> NoReturn:
        if name == "address":
            current().fail(
                UsageError,
                f"array {self.name} is an argument of a launch that has ended; pass it to this one, too, and "
                "set_global_buffer on what this one gets",
            )
        raise AttributeError(f"HostArray has no attribute {name!r}")

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

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):  # what Python and its tools ask of everything
            raise AttributeError(f"GlobalAddress has no attribute {name!r}")
        current().fail(
            UsageError,
            f"{argument(self, kernel_frame()) or self._host.name} is an array, of which a kernel gets the address: "
            f"that has no {name}; pass a struct there if it should have, and sizes as numbers",
        )

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
            refuse_buffer(core, "set_global_buffer: buffer", buffer)
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
        first, last = window(key, self.nbytes // self.dtype.itemsize, self)
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


def refuse_buffer(core: Core, role: str, given: object) -> NoReturn:
    """Say that what stands where a call takes an array argument is none.

    Raises:
        UsageError: always.
    """
    found = argument(given, kernel_frame())
    order = "; pass an array there, in the order of the kernel's parameters"
    core.fail(
        UsageError,
        f"{role} must be an array argument of the kernel, got "
        + (f"{found}, which is {given!r}{order}" if found else repr(given)),
    )
