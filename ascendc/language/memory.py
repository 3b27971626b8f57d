"""Local memory: typed windows on it.

A window knows its bounds; every access of an instruction goes through them (``access.py``).  Slicing is
Ascend C's ``operator[]``: ``t[off:]`` and ``t[off]`` are the rest of the tensor from element ``off``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from numpy.typing import NDArray

from .core import Core, Lease, LocalMemory, current
from .dtypes import DataType
from .enums import TPosition
from .errors import (
    AlignmentError,
    CapacityError,
    OutOfBoundsError,
    PositionError,
    UsageError,
)
from .numbers import is_whole
from .windows import element_type, in_bytes, window

if TYPE_CHECKING:
    from .buffers import Buffer

Array = NDArray[Any]


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
        count = core.whole("LocalTensor", "tile_size", tile_size)
        self.nbytes = in_bytes(core, "LocalTensor", self.dtype, count) if count else room
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
        kind = self.dtype
        item, share = kind.itemsize, kind.per_item  # as DataType.count and nbytes, but slices are many
        first, last = window(key, self.nbytes // item * share, self)
        made = self.__new__(type(self))
        made.core, made.memory, made.position, made.dtype = self.core, self.memory, self.position, kind
        made.address, made.nbytes = self.address + first // share * item, (last - first) // share * item
        made.lease, made.buffer = self.lease, self.buffer
        return made

    __iter__: ClassVar[None] = None  # a loop over its windows is never meant

    def __len__(self) -> int:
        return self.dtype.count(self.nbytes)

    def get_size(self) -> int:
        """Elements of the window."""
        return self.dtype.count(self.nbytes)

    def set_size(self, size: int) -> None:
        """Narrow or widen the window to ``size`` elements; never beyond its queue's buffer, or the memory."""
        size = self.core.whole("set_size", "size", size)
        nbytes, whole = in_bytes(self.core, "set_size", self.dtype, size), self.buffer
        end = self.memory.spec.bytes if whole is None else whole.address + whole.nbytes
        if not 0 <= nbytes <= end - self.address:
            where = f"{self.memory.space.name}, which has {end} B" if whole is None else f"its buffer, up to byte {end}"
            self.core.fail(
                OutOfBoundsError, f"set_size: {size} x {self.dtype} from byte {self.address} end outside {where}"
            )
        self.nbytes = nbytes

    def get_length(self) -> int:
        """Bytes of the window."""
        return self.nbytes

    def get_position(self) -> TPosition:
        """Its logical position."""
        return self.position

    def get_phy_addr(self, offset: int = 0) -> int:
        """Byte address of element ``offset``."""
        offset = self.core.whole("get_phy_addr", "offset", offset)
        return self.address + in_bytes(self.core, "get_phy_addr", self.dtype, offset)

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
        """A copy of the window as NumPy numbers, as of this line; free of charge, for debugging."""
        end = self.address + self.dtype.nbytes(len(self))
        return self.dtype.numbers(self.memory.data[self.address : end]).copy()

    def print(self, len: int) -> None:
        """Write the first ``len`` elements, as ``dump_tensor`` does with the number 0."""
        from .dump import dump_tensor  # noqa: PLC0415  dumps need this class

        dump_tensor(self, 0, len)

    def to_file(self, name: str) -> None:
        """Write the bytes of the window to the file ``name``, as of this line; ``np.fromfile`` reads it."""
        from .whole_file import whole_file  # noqa: PLC0415  only who writes pays for it

        try:
            with whole_file(Path(name)) as part:
                part.write_bytes(self.values.tobytes())
        except UsageError as error:
            self.core.fail(UsageError, f"to_file: {error}")

    def __repr__(self) -> str:
        return f"LocalTensor({self.position.name} {self.dtype} x{len(self)} at byte {self.address})"

    def __str__(self) -> str:
        return str(self.values)


def _without_position(core: Core, addr: Any, size: Any, tile_size: Any) -> tuple[TPosition, Any, Any]:
    """``pos``, ``addr`` and ``tile_size`` of ``LocalTensor(dtype, addr, tile_size)``."""
    if not is_whole(addr) or (size and tile_size):
        core.fail(PositionError, f"LocalTensor: pos must be a TPosition, as TPosition.VECIN, got {addr!r}")
    return TPosition.VECIN, addr, size or tile_size
