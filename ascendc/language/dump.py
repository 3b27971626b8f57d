"""Looking into a running kernel: ``printf``, dumps of tensors, and ``trap``.

They cost nothing and leave no row: on the chip they are for debugging, and would drown the kernel's own time.
All text goes through :func:`tell`, each line with the block and the kernel line it comes from.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any, NoReturn

from .core import Core, current
from .enums import PipeID
from .errors import OutOfBoundsError, RangeError, UsageError
from .global_memory import GlobalTensor
from .memory import LocalTensor
from .numbers import is_whole
from .params import ShapeInfo
from .program import Kind, Space
from .site import kernel_frame, name_of

if TYPE_CHECKING:
    from types import FrameType

_SIZES = re.compile(r"%([-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?)(?:hh|h|ll|l|j|z|t|L)*([a-zA-Z%])")
"""A conversion of C's printf; Python's has no sizes."""

_PER_ROW = 8
"""Elements of a row of a dump without a shape."""


def tell(core: Core, frame: FrameType, text: str) -> None:
    """Write ``text`` to the standard output, every line with its block and kernel line in front."""
    head = f"[block {core.index} of {core.count}, {core.site(frame)}] "
    for line in text.split("\n"):
        sys.stdout.write(f"{head}{line}".rstrip() + "\n")


def printf(desc: str, *params: Any) -> None:
    """Write ``desc`` with ``params`` as C's printf does.

    Raises:
        UsageError: they do not fit together.
    """
    core, frame = current(), kernel_frame()
    if not isinstance(desc, str):
        core.fail(UsageError, f"printf: the first argument is the format, a text; got {desc!r}")
    form = _SIZES.sub(lambda m: f"%{m[1]}{'#x' if m[2] == 'p' else m[2]}", desc)
    try:
        text = form % params
    except (TypeError, ValueError) as error:
        core.fail(UsageError, f"printf: {desc!r} does not fit its arguments {params!r}: {error}")
    tell(core, frame, text.removesuffix("\n"))


def trap() -> NoReturn:
    """End the kernel with an error.

    Raises:
        UsageError: always.
    """
    current().fail(UsageError, "trap: the kernel stopped itself")


def dump_tensor(
    tensor: LocalTensor | GlobalTensor, desc: int, dump_size: int, shape_info: ShapeInfo | None = None
) -> None:
    """Write the first ``dump_size`` elements, in rows of the innermost dimension of ``shape_info``.

    Elements that nothing has written are shown as ``?``.  A tensor that a pipe may still be writing, as far as
    the kernel has waited, says so: on the chip the dump could show what was there before.

    Args:
        tensor: what to show.
        desc: a number of the author's to find the dump by.
        dump_size: elements.
        shape_info: their shape; rows of 8 without one.

    Raises:
        UsageError: ``tensor`` is none.
        RangeError: ``dump_size`` is negative.
        OutOfBoundsError: the tensor is shorter.
    """
    core, frame = current(), kernel_frame()
    if not isinstance(tensor, LocalTensor | GlobalTensor):
        core.fail(UsageError, f"dump_tensor: tensor must be a LocalTensor or a GlobalTensor, got {tensor!r}")
    if not is_whole(dump_size) or dump_size < 0:
        core.fail(RangeError, f"dump_tensor: dump_size must be a number of elements, 0 or more, got {dump_size!r}")
    if dump_size > len(tensor):
        core.fail(OutOfBoundsError, f"dump_tensor: {dump_size} elements of a tensor of {len(tensor)} ({tensor!r})")
    _show(core, frame, f"dump_tensor {desc}", tensor, 0, int(dump_size), _width(core, shape_info))


def dump_acc_chk_point(tensor: LocalTensor | GlobalTensor, index: int, count_off: int, dump_size: int) -> None:
    """Write ``dump_size`` elements from ``count_off`` on, as checkpoint ``index``; else as ``dump_tensor``.

    Raises:
        UsageError: ``tensor`` is none.
        RangeError: ``count_off`` or ``dump_size`` is negative.
        OutOfBoundsError: the tensor is shorter.
    """
    core, frame, call = current(), kernel_frame(), "dump_acc_chk_point"
    if not isinstance(tensor, LocalTensor | GlobalTensor):
        core.fail(UsageError, f"{call}: tensor must be a LocalTensor or a GlobalTensor, got {tensor!r}")
    first, count = (core.whole(call, *given) for given in (("count_off", count_off), ("dump_size", dump_size)))
    if min(first, count) < 0:
        core.fail(RangeError, f"{call}: count_off and dump_size must be 0 or more, got {first} and {count}")
    if first + count > len(tensor):
        core.fail(OutOfBoundsError, f"{call}: elements {first} to {first + count - 1} of {len(tensor)} ({tensor!r})")
    _show(core, frame, f"{call} {index}", tensor, first, count, _PER_ROW)


def _show(
    core: Core, frame: FrameType, title: str, tensor: LocalTensor | GlobalTensor, first: int, count: int, width: int
) -> None:
    """Write ``count`` elements from ``first`` on, in rows of ``width``, under a title."""
    name = name_of(tensor, frame) or "tensor"
    part = tensor[first:]
    busy = _written_by(core, part, tensor.dtype.nbytes(count + tensor.dtype.per_item - 1))
    mark = f"; not yet synchronised: {busy.short} may still be writing it" if busy is not None else ""
    since = f" from {first}" if first else ""
    head = f"{title}: {count}{since} of {name}, {tensor!r}{mark}"
    tell(core, frame, "\n".join([head, *_rows(_texts(part, count), width)]))


def _width(core: Core, shape: ShapeInfo | None) -> int:
    """Elements of a row."""
    if shape is None or not len(shape.shape):
        return _PER_ROW
    width = shape.shape[(shape.shape_dim or len(shape.shape)) - 1]
    if width < 1:
        core.fail(RangeError, f"dump_tensor: the innermost dimension must be 1 or more, got {list(shape.shape)}")
    return int(width)


def _rows(texts: list[str], width: int) -> list[str]:
    """One line a row; one empty line if there is nothing."""
    return [" ".join(texts[i : i + width]) for i in range(0, len(texts), width)] or [""]


def _texts(tensor: LocalTensor | GlobalTensor, count: int) -> list[str]:
    if isinstance(tensor, GlobalTensor):
        return [str(v) for v in tensor.elements(0, count)]
    kind, shadow = tensor.dtype, tensor.memory.shadow
    starts = (tensor.address + kind.nbytes(i) for i in range(count))
    known = (0 not in shadow[start : start + kind.itemsize] for start in starts)
    return [str(v) if k else "?" for v, k in zip(tensor.values[:count], known, strict=True)]


def _written_by(core: Core, tensor: LocalTensor | GlobalTensor, nbytes: int) -> PipeID | None:
    """A pipe that writes these bytes in a row nothing has waited for since."""
    rec = core.rec
    space = tensor.memory.space if isinstance(tensor, LocalTensor) else Space.GM
    start, stop = tensor.address, tensor.address + nbytes
    at, waited, done = len(rec.addresses), set(), {PipeID.PIPE_S}
    for row in range(len(rec.rows) - 1, -1, -1):
        template = rec.templates[rec.rows[row]]
        at -= len(template.operands)
        if template.kind is Kind.BARRIER and template.pipe is PipeID.PIPE_ALL:
            return None
        if template.kind is Kind.WAIT:
            waited.add(template.event)
        elif template.kind is Kind.SET and template.event in waited:
            done.add(template.pipe)
        if template.pipe in done:
            continue
        for f in template.footprints:
            low, high = (rec.addresses[at + f.operand] + edge for edge in f.span)
            if f.write and f.space is space and low < stop and start < high:
                return template.pipe
    return None
