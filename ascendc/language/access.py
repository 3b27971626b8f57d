"""The one checked way from an operand to its bytes.

Instructions test the common case inline and come here to say what is wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from .block import BLOCK
from .classes import with_article
from .enums import TPosition
from .errors import (
    AlignmentError,
    DtypeError,
    OutOfBoundsError,
    PositionError,
    QueueStateError,
    UninitializedError,
    UsageError,
)
from .global_memory import GlobalAddress, GlobalTensor
from .memory import LocalTensor
from .site import kernel_frame, name_of

if TYPE_CHECKING:
    from .core import Core
    from .dtypes import DataType


def describe(op: str, role: str, tensor: Any) -> str:
    """``src0 of add (tensor x)``."""
    name = name_of(tensor, kernel_frame(2))
    return f"{role} of {op}" + (f" (tensor {name})" if name else "")


def need_local(core: Core, op: str, role: str, tensor: Any, positions: tuple[TPosition, ...]) -> None:
    """Check that an operand is a local tensor at one of these positions.

    Raises:
        UsageError: it is no local tensor at all.
        PositionError: it lies elsewhere.
    """
    if not isinstance(tensor, LocalTensor):
        what = with_article(type(tensor).__name__)
        allowed = ", ".join(p.name for p in positions)
        hint = f"; {op}s takes a number" if isinstance(tensor, int | float) and is_instruction(f"{op}s") else ""
        core.fail(
            PositionError if isinstance(tensor, GlobalTensor) else UsageError,
            f"{describe(op, role, tensor)} must be a LocalTensor at {allowed}, got {what}{hint}",
        )
    if tensor.position not in positions:
        allowed = ", ".join(p.name for p in positions)
        core.fail(PositionError, f"{describe(op, role, tensor)} is at {tensor.position.name}; it can be at: {allowed}")


def is_instruction(name: str) -> bool:
    """Whether there is one of this name; for messages, since it has to look it up."""
    from .isa import ISA  # noqa: PLC0415  its members import this module

    return name in ISA


def need_tensor(core: Core, op: str, role: str, tensor: Any) -> None:
    """Check that an operand is a tensor, wherever it lies.

    Raises:
        UsageError: it is none.
    """
    if not isinstance(tensor, LocalTensor | GlobalTensor):
        hint = "; lay a GlobalTensor on it first" if isinstance(tensor, GlobalAddress) else ""
        core.fail(UsageError, f"{op}: {role} must be a LocalTensor or a GlobalTensor, got {tensor!r}{hint}")


def need_dtype(
    core: Core, op: str, role: str, tensor: Any, allowed: tuple[DataType, ...], beside: tuple[DataType, ...] = ()
) -> None:
    """Check the element type of an operand; ``beside`` are those of the operands before it.

    Raises:
        DtypeError: it is none of ``allowed``.
    """
    if tensor.dtype not in allowed:
        names = ", ".join(t.name for t in allowed)
        given = f" beside dst of {beside[0]}" if beside else ""
        core.fail(DtypeError, f"{op}: {role} is {tensor.dtype}; supported{given}: {names}")


def need_bytes(core: Core, op: str, role: str, tensor: LocalTensor, nbytes: int, align: int = BLOCK) -> None:
    """Check that the first ``nbytes`` of a local tensor may be used, and start at a multiple of ``align``.

    Raises:
        AscendError: as :func:`refuse` says.
    """
    if tensor.core is not core or not tensor.lease.usable or nbytes > tensor.nbytes or tensor.address % align:
        refuse(core, op, role, tensor, nbytes, align)


def refuse(
    core: Core, op: str, role: str, tensor: LocalTensor, nbytes: int, align: int = BLOCK, note: str = ""
) -> NoReturn:
    """Say why these bytes of a local tensor cannot be used; if they are too many, with ``note`` behind.

    Raises:
        QueueStateError: its buffer was freed, or is in its queue.
        UsageError: it belongs to another block.
        OutOfBoundsError: it is shorter than ``nbytes``.
        AlignmentError: its address is no multiple of ``align``.
    """
    what = describe(op, role, tensor)
    if not tensor.lease.usable:
        taken = f"; it was taken at {tensor.lease.site}" if tensor.lease.site else ""
        core.fail(QueueStateError, f"{what} cannot be used: {tensor.lease.reason}{taken}")
    if tensor.core is not core:
        whose = f"block {tensor.core.index}, not to this one" if tensor.core.lease.usable else "a block that has ended"
        core.fail(UsageError, f"{what} belongs to {whose}")
    space = tensor.memory.space.name
    if nbytes > tensor.nbytes:
        core.fail(
            OutOfBoundsError,
            f"{what}: needs {nbytes} B ({tensor.dtype.count(nbytes)} x {tensor.dtype}), the tensor has "
            f"{tensor.nbytes} B ({len(tensor)}), {space} bytes [{tensor.address}, {tensor.address + tensor.nbytes})"
            f"{note}",
        )
    core.fail(
        AlignmentError,
        f"{what}: byte offset {tensor.address} in {space} is not a multiple of {align}; "
        f"start the window at a multiple of {max(1, tensor.dtype.count(align))} elements",
    )


def refuse_global(core: Core, op: str, role: str, tensor: GlobalTensor, nbytes: int, note: str = "") -> NoReturn:
    """Say that a global tensor is shorter than an access of ``nbytes``, with ``note`` behind.

    Raises:
        OutOfBoundsError: always.
    """
    item = tensor.dtype.itemsize
    first = tensor.start // item
    core.fail(
        OutOfBoundsError,
        f"{describe(op, role, tensor)}: accesses elements [0, {-(-nbytes // item)}) of a view of {len(tensor)} x "
        f"{tensor.dtype} on argument {tensor.host.name} (elements [{first}, {first + len(tensor)}) of "
        f"{tensor.host.nbytes // item}){note}",
    )


def refuse_poison(core: Core, op: str, role: str, tensor: LocalTensor, start: int, stop: int) -> NoReturn:
    """Say that bytes [start, stop) of a tensor's memory are read but never written.

    Raises:
        UninitializedError: always.
    """
    first = tensor.memory.shadow.find(0, start, stop)
    after = tensor.memory.shadow.find(1, first, stop)
    after = stop if after < 0 else after
    kind, before, upto = tensor.dtype, first - tensor.address, after - tensor.address
    core.fail(
        UninitializedError,
        f"{describe(op, role, tensor)}: reads elements [{kind.count(before)}, "
        f"{kind.count(upto + kind.itemsize - 1)}) of the tensor, {tensor.memory.space.name} bytes [{first}, {after}), "
        "which nothing has written; fill them first (data_copy, duplicate) or shorten the count",
    )


def refuse_read_only(core: Core, op: str, tensor: GlobalTensor) -> NoReturn:
    """Say that the host does not let us write an array.

    Raises:
        UsageError: always.
    """
    core.fail(
        UsageError,
        f"{op}: argument {tensor.host.name} is a read-only array, and the kernel writes it; pass a writable copy "
        f"({tensor.host.name}.copy())",
    )
