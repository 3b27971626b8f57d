"""Numbers of a whole tensor or of each channel: scales and offsets of quantisation.

Per channel, element i of every row belongs to channel i; only ``anti_quant`` can also give each row its own.
"""

from __future__ import annotations

from typing import Any

from ..core import Core
from ..dtypes import DataType, float32, uint32, uint64
from ..enums import RoundMode
from ..errors import AlignmentError, RangeError
from ..isa.scalar import scalar_of
from ..isa.vector import BLOCK
from ..isa.vector_binary import Binary
from ..isa.vector_cast import cast
from ..isa.vector_gather_mask import gather_mask
from ..isa.vector_scalar import Scalar
from ..memory import LocalTensor
from ..params import GatherMaskParams
from .temp import Scratch, room_for

Channels = LocalTensor | float

_EVEN, _ONE_REPEAT = 1, GatherMaskParams(1, 1, 0, 0)
"""Every second word, from the first on, of as many as are said."""


def apply(by_scalar: Scalar, by_tensor: Binary, y: LocalTensor, x: LocalTensor, channels: Any, n: int) -> None:
    """y = x op channels, for n elements in whole rows."""
    if not isinstance(channels, LocalTensor):
        by_scalar(y, x, channels, n)
        return
    width = len(channels)
    for at in range(0, n, width):
        by_tensor(y[at:], x[at:], channels, width)


def width_of(core: Core, call: str, named: dict[str, Any], count: int, *, by_row: bool = False) -> int:
    """Elements of a row: as many as channels, or as they leave to each of as many rows.

    Without channels any number will do, and this gives a block of the smallest type.

    Raises:
        RangeError: channels differ in number, or rows would not be whole.
        AlignmentError: a row is no multiple of 32 elements, which is a block of int8.
    """
    numbers = {role: len(x) for role, x in named.items() if isinstance(x, LocalTensor)}
    if not numbers or not count:
        return BLOCK
    channels = next(iter(numbers.values()))
    if len(set(numbers.values())) > 1 or not channels or count % channels:
        listed = ", ".join(f"{role} has {n}" for role, n in numbers.items())
        core.fail(RangeError, f"{call}: {listed} channels for {count} elements; all must have the same, rows be whole")
    width = count // channels if by_row else channels
    if width % BLOCK:
        core.fail(AlignmentError, f"{call}: a row has {width} elements, with channels it must be a multiple of {BLOCK}")
    return width


def widened(channels: Any, scratch: Scratch) -> Any:
    """Channels in float32: themselves, or a copy; a number stays.  Of uint64 the low words are float32."""
    if not isinstance(channels, LocalTensor) or channels.dtype is float32:
        return channels
    n = len(channels)
    made = scratch.take(float32, n)
    if channels.dtype is uint64:
        gather_mask(made.reinterpret_cast(uint32), channels.reinterpret_cast(uint32), _EVEN, True, 2 * n, _ONE_REPEAT)
    else:
        cast(made, channels, RoundMode.CAST_NONE, n)
    return made


def widened_bytes(*channels: Any) -> int:
    """Temporary bytes :func:`widened` takes for these."""
    copied = [x for x in channels if isinstance(x, LocalTensor) and x.dtype is not float32]
    return sum(room_for(float32.itemsize * len(x)) for x in copied)


def number_of(core: Core, call: str, role: str, value: Any, kind: DataType) -> Any:
    """A number as an element of ``kind``; a tensor stays."""
    return value if isinstance(value, LocalTensor) else scalar_of(core, f"{call}: {role}", value, kind)
