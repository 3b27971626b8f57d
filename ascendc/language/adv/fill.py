"""``fill``: elements of global memory set to one value, by way of a tile in UB."""

from __future__ import annotations

from typing import Any

from ..access import need_dtype, refuse_global
from ..block import BLOCK, whole_blocks
from ..copy_params import DataCopyExtParams
from ..core import current
from ..dtypes import bfloat16, float16, float32, int16, int32, uint8, uint16, uint32
from ..enums import HardEvent
from ..errors import UsageError
from ..global_memory import GlobalTensor
from ..isa.dma_pad import data_copy_pad
from ..isa.passes import check_count
from ..isa.scalar import scalar_of
from ..isa.vector_fill import duplicate
from ..memory import LocalTensor
from ..site import kernel_frame
from .function import function
from .operands import Operand, check_operands
from .temp import Scratch
from .workspace import element_type

_KINDS = (int16, uint16, float16, bfloat16, int32, uint32, float32)

_TILE_BYTES = 32768
"""More of UB makes stores no faster, and filling it first slower."""


@function(cpp="Fill", dtypes=_KINDS)
def fill(dst: GlobalTensor, size: int, value: float, temp_buffer: LocalTensor | None = None) -> None:
    """dst[i] = value for the first ``size`` elements of global memory.

    The vector unit fills a tile once; stores of it follow, and the vector unit waits for the last of them.

    Args:
        dst: in global memory.
        size: elements.
        value: what they become.
        temp_buffer: the tile, of which a block will do and 32 KB are of use.
    """
    core = current()
    if not isinstance(dst, GlobalTensor):
        core.fail(UsageError, f"fill: dst must be a GlobalTensor, got {dst!r}; UB is filled by duplicate")
    need_dtype(core, "fill", "dst", dst, _KINDS)
    size = check_count(core, "fill", size, "size")
    if size > len(dst):
        refuse_global(core, "fill", "dst", dst, size * dst.dtype.itemsize)
    filler = scalar_of(core, "fill", value, dst.dtype, "value")
    if not size:
        return
    item, frame = dst.dtype.itemsize, kernel_frame()
    scratch = Scratch("fill", temp_buffer, BLOCK)
    check_operands("fill", [Operand("temp_buffer", scratch.memory, scratch.nbytes, (uint8,), written=True)])
    tile = scratch.take(dst.dtype, min(size, min(scratch.nbytes, _TILE_BYTES) // BLOCK * BLOCK // item))
    duplicate(tile, filler, len(tile))
    core.auto.pair(HardEvent.V_MTE3, frame)
    for first in range(0, size, len(tile)):
        nbytes = min(len(tile), size - first) * item
        data_copy_pad(dst[first:], tile, DataCopyExtParams(1, nbytes, 0, 0, 0))
    core.auto.pair(HardEvent.MTE3_V, frame)


def get_fill_max_min_tmp_size(size: int, dtype: Any) -> tuple[int, int]:
    """Bytes of temporary memory ``fill`` can use for ``size`` elements, and those it needs."""
    nbytes = whole_blocks(size * element_type("fill", dtype, _KINDS).itemsize)
    return min(nbytes, _TILE_BYTES), min(nbytes, BLOCK)
