"""What windows on global and local memory share: how they are sliced, and what their elements may be."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from .core import Core, current
from .dtypes import DataType, dtype
from .errors import (
    AlignmentError,
    DtypeError,
    OutOfBoundsError,
    RangeError,
    UsageError,
)
from .numbers import is_whole


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


def one_of(core: Core, call: str, like: Any, allowed: Collection[DataType]) -> DataType:
    """As :func:`element_type`, if it is one the call has.

    Raises:
        DtypeError: there is no such element type, or it is none of ``allowed``.
    """
    kind = element_type(core, call, like)
    if kind not in allowed:
        core.fail(DtypeError, f"{call}: dtype is {kind}; supported: {', '.join(k.name for k in allowed)}")
    return kind


def in_bytes(core: Core, call: str, kind: DataType, count: int) -> int:
    """Bytes of ``count`` elements.

    Raises:
        AlignmentError: they end within a byte, as an odd number of int4 does.
    """
    if count % kind.per_item:
        core.fail(
            AlignmentError,
            f"{call}: {count} x {kind} end within a byte, which {kind.per_item} of them share; "
            f"take a multiple of {kind.per_item}",
        )
    return kind.nbytes(count)


def window(key: Any, size: int, tensor: Any) -> tuple[int, int]:
    """First element and the one after the last that ``key`` selects among the ``size`` of a tensor.

    Raises:
        AlignmentError: elements that share a byte are parted.
        OutOfBoundsError: there are not so many.
        RangeError: it has a step.
        UsageError: it is more than one number.
    """
    first, last = key, size
    if type(key) is slice:
        if key.step is not None and key.step != 1:
            current().fail(RangeError, f"{tensor!r}: a tensor window has step 1, got {key.step}")
        first = 0 if key.start is None else key.start
        last = size if key.stop is None else key.stop
    if type(first) is not int or type(last) is not int:
        if not (is_whole(first) and is_whole(last)):
            current().fail(
                UsageError, f"{tensor!r}: a tensor is one-dimensional; index it by one element offset, got {key!r}"
            )
        first, last = int(first), int(last)
    if not 0 <= first <= last <= size:
        current().fail(OutOfBoundsError, f"{tensor!r}: window [{first}, {last}) lies outside its {size} elements")
    share = tensor.dtype.per_item
    if share > 1 and (first % share or last % share):
        current().fail(
            AlignmentError,
            f"{tensor!r}: window [{first}, {last}) parts elements that share a byte; "
            f"begin and end it at multiples of {share}",
        )
    return first, last
