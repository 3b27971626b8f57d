"""Numbers of a whole tensor or of each channel: scales and offsets of quantisation.

Per channel, element i of every row belongs to channel i.
"""

from __future__ import annotations

from typing import Any

from ..core import Core
from ..dtypes import DataType, float32
from ..enums import RoundMode
from ..errors import AlignmentError, RangeError
from ..isa.scalar import scalar_of
from ..isa.vector import BLOCK
from ..isa.vector_binary import Binary
from ..isa.vector_cast import cast
from ..isa.vector_scalar import Scalar
from ..memory import LocalTensor
from .temp import Scratch

Channels = LocalTensor | float


def apply(by_scalar: Scalar, by_tensor: Binary, y: LocalTensor, x: LocalTensor, channels: Any, n: int) -> None:
    """y = x op channels, for n elements in whole rows."""
    if not isinstance(channels, LocalTensor):
        by_scalar(y, x, channels, n)
        return
    width = len(channels)
    for at in range(0, n, width):
        by_tensor(y[at:], x[at:], channels, width)


def width_of(core: Core, call: str, named: dict[str, Any], count: int) -> int:
    """Elements of a row: those of the channels, or a block of the smallest type if there are only numbers.

    Raises:
        RangeError: rows would differ, or the last one would not be whole.
        AlignmentError: a row is no multiple of 32 elements, which is a block of int8.
    """
    widths = {role: len(x) for role, x in named.items() if isinstance(x, LocalTensor)}
    if not widths or not count:
        return BLOCK
    width = next(iter(widths.values()))
    if len(set(widths.values())) > 1 or not width or count % width:
        listed = ", ".join(f"{role} has {n}" for role, n in widths.items())
        core.fail(
            RangeError, f"{call}: {listed} channels for {count} elements; all must be as long as a row, rows be whole"
        )
    if width % BLOCK:
        core.fail(AlignmentError, f"{call}: a row has {width} elements, with channels it must be a multiple of {BLOCK}")
    return width


def widened(channels: Any, scratch: Scratch) -> Any:
    """Channels in float32: themselves, or a copy; a number stays."""
    if not isinstance(channels, LocalTensor) or channels.dtype is float32:
        return channels
    made = scratch.take(float32, len(channels))
    cast(made, channels, RoundMode.CAST_NONE, len(channels))
    return made


def widened_bytes(*channels: Any) -> int:
    """Temporary bytes :func:`widened` takes for these."""
    copied = [x for x in channels if isinstance(x, LocalTensor) and x.dtype is not float32]
    return sum(-(-4 * len(x) // BLOCK) * BLOCK for x in copied)


def number_of(core: Core, call: str, role: str, value: Any, kind: DataType) -> Any:
    """A number as an element of ``kind``; a tensor stays."""
    return value if isinstance(value, LocalTensor) else scalar_of(core, f"{call}: {role}", value, kind)
