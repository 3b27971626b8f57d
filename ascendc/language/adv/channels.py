"""Numbers of a whole tensor or of each channel: scales and offsets of quantisation.

Per channel, element i of every row belongs to channel i; only ``anti_quant`` can also give each row its own.
"""

from __future__ import annotations

from typing import Any

from ..block import BLOCK
from ..core import Core
from ..dtypes import DataType, int8, uint32, uint64
from ..enums import RoundMode
from ..errors import AlignmentError, RangeError
from ..isa.scalar import scalar_of
from ..isa.vector_binary import Binary
from ..isa.vector_cast import cast
from ..isa.vector_gather_mask import gather_mask
from ..isa.vector_scalar import Scalar
from ..memory import LocalTensor
from ..params import GatherMaskParams
from .matrix import Grid, each, for_all
from .workspace import Part, Pieces

Channels = LocalTensor | float

_EVEN, _ONE_REPEAT = 1, GatherMaskParams(1, 1, 0, 0)
"""Every second word, from the first on, of as many as are said."""


def apply(by_scalar: Scalar, by_tensor: Binary, rows: int, columns: int, y: Grid, x: Grid, channels: Any) -> None:
    """y = x op channels for every element of a matrix: a number, or a grid."""
    if isinstance(channels, Grid):
        each(by_tensor, rows, columns, y, x, channels)
    else:
        each(by_scalar, rows, columns, y, x, using=(channels,))


def width_of(
    core: Core, call: str, named: dict[str, Any], count: int, *, by_row: bool = False, narrow: DataType = int8
) -> int:
    """Elements of a row: as many as channels, or as they leave to each of as many rows.

    Without channels any number will do, and this gives a block of ``narrow``, the smallest type.

    Raises:
        RangeError: channels differ in number, or rows would not be whole.
        AlignmentError: a row is no multiple of such a block.
    """
    block = narrow.count(BLOCK)
    numbers = {role: len(x) for role, x in named.items() if isinstance(x, LocalTensor)}
    if not numbers or not count:
        return block
    channels = next(iter(numbers.values()))
    if len(set(numbers.values())) > 1 or not channels or count % channels:
        listed = " and ".join(f"{role} has {n} channels" for role, n in numbers.items())
        core.fail(
            RangeError,
            f"{call}: {listed} for {count} elements; all must have as many channels, and the elements be whole rows of "
            "them",
        )
    width = count // channels if by_row else channels
    if width % block:
        core.fail(AlignmentError, f"{call}: with channels a row must be a multiple of {block} elements, got {width}")
    return width


def copies(kind: DataType, *channels: Any) -> Pieces:
    """The temporary tensors in which :func:`widened` makes these ``kind``."""
    return tuple((kind, len(x) if isinstance(x, LocalTensor) and x.dtype is not kind else 0) for x in channels)


def widened(channels: Any, made: LocalTensor, part: Part) -> Any:
    """Channels in the type of ``made``, the same for all rows: themselves, or a copy that the first part makes.

    A number stays.  Of uint64 the low words are float32.
    """
    if not isinstance(channels, LocalTensor):
        return channels
    if channels.dtype is made.dtype:
        return for_all(channels)
    n = len(channels)
    if part.first:
        return for_all(made)
    if channels.dtype is uint64:
        gather_mask(made.reinterpret_cast(uint32), channels.reinterpret_cast(uint32), _EVEN, True, 2 * n, _ONE_REPEAT)
    else:
        cast(made, channels, RoundMode.CAST_NONE, n)
    return for_all(made)


def number_of(core: Core, call: str, role: str, value: Any, kind: DataType) -> Any:
    """A number as an element of ``kind``; a tensor stays."""
    return value if isinstance(value, LocalTensor) else scalar_of(core, call, value, kind, role)
