"""Byte offsets into a tensor, as the lanes of gathering instructions hold them: checked, and what they reach.

A footprint would differ with every set of offsets.  So the row of such an instruction has the blocks from the
lowest to the highest byte it touches, and the bytes themselves are checked and marked here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..access import describe, need_bytes, refuse_poison
from ..block import BLOCK, whole_blocks
from ..errors import AlignmentError, OutOfBoundsError, RangeError
from ..numbers import is_whole
from ..program import Footprint, Space

if TYPE_CHECKING:
    from ..core import Core
    from ..memory import LocalTensor
    from .geometry import Layout
    from .vector import VectorOp

Array = NDArray[Any]
Offsets = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Shape:
    """Where the lanes of a call lie: of the operand that has its lanes in order, and of the offsets.

    Attributes:
        data, offsets: the two layouts.
        params: what the row shows.
    """

    data: Layout
    offsets: Layout
    params: tuple[tuple[str, Any], ...]


def read_offsets(core: Core, op: VectorOp, tensor: LocalTensor, layout: Layout) -> Offsets:
    """The offsets that the lanes hold, one row a repeat.

    Raises:
        AscendError: the tensor cannot be read, is too short, or nothing wrote these lanes.
    """
    nbytes, role = layout.reach, op.roles[-1]
    need_bytes(core, op.name, role, tensor, nbytes)
    hole = layout.first_hole(tensor.memory.shadow, tensor.address)
    if hole >= 0:
        refuse_poison(core, op.name, role, tensor, hole, hole + layout.item)
    return layout.load(tensor.memory, tensor.dtype, tensor.address).astype(np.int64)


def check_base(core: Core, call: str, name: str, base: Any) -> int:
    """A base address in bytes, as an instruction takes it: a word.

    Raises:
        RangeError: it is no whole number, or does not fit.
    """
    if not is_whole(base) or not 0 <= base < 1 << 32:
        core.fail(RangeError, f"{call}: {name} must be a whole number of bytes, 0 to 2^32 - 1, got {base!r}")
    return int(base)


def window_of(
    core: Core, op: VectorOp, tensor: LocalTensor, role: str, offsets: Offsets, *, grain: int, nbytes: int
) -> tuple[LocalTensor, Offsets]:
    """The blocks of ``tensor`` that accesses of ``nbytes`` at ``offsets`` lie in, and the offsets within them.

    Raises:
        AlignmentError: an offset is no multiple of ``grain`` bytes, or the tensor starts within a block.
        OutOfBoundsError: an access ends outside the tensor.
    """
    need_bytes(core, op.name, role, tensor, 0)
    if int(np.bitwise_or.reduce(offsets, axis=None)) % grain:  # grains are powers of two
        lane = int(np.argmax(offsets % grain != 0))
        core.fail(
            AlignmentError,
            f"{op.name}: offset {offsets.flat[lane]} of lane {lane} is no multiple of {grain} bytes; offsets count "
            f"bytes, not elements{f' ({tensor.dtype} has {grain})' if grain == tensor.dtype.itemsize else ''}",
        )
    low, high = int(offsets.min()), int(offsets.max())
    if high + nbytes > tensor.nbytes:
        lane = int(np.argmax(offsets))
        core.fail(
            OutOfBoundsError,
            f"{describe(op.name, role, tensor)}: offset {high} of lane {lane} plus {nbytes} B ends outside the tensor "
            f"of {tensor.nbytes} B ({len(tensor)} x {tensor.dtype}); offsets count bytes from its start",
        )
    start = low // BLOCK * BLOCK
    stop = min(tensor.nbytes, whole_blocks(high + nbytes))
    item = tensor.dtype.itemsize
    return tensor[start // item : stop // item], offsets - start


def need_written(
    core: Core, op: VectorOp, tensor: LocalTensor, role: str, window: LocalTensor, offsets: Offsets, nbytes: int
) -> None:
    """Check that something wrote every byte that is read.

    Raises:
        UninitializedError: nothing wrote one of them.
    """
    shadow, at = window.memory.shadow, window.address
    if shadow.find(0, at, at + window.nbytes) < 0:
        return
    written = np.frombuffer(shadow, np.uint8)
    starts = (at + offsets).ravel()
    whole = np.logical_and.reduce([written[starts + b] for b in range(nbytes)])
    if not whole.all():
        first = int(starts[int(np.argmin(whole))])
        refuse_poison(core, op.name, role, tensor, first, first + nbytes)


def span(operand: int, window: LocalTensor, *, write: bool) -> Footprint:
    """All of a window."""
    return Footprint(operand, Space.UB, write, window.nbytes)
