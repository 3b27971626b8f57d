"""The form of ``data_copy`` with slices: parts of a tensor of several dimensions, dimension 0 the innermost.

A slice is a list of pieces of equal length with equal gaps.  Each combination of pieces of the outer
dimensions is a strided copy, and a row, of its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..block import BLOCK
from ..classes import need_class
from ..copy_params import SliceInfo
from ..errors import AlignmentError, RangeError, UsageError
from ..memory import LocalTensor
from ..numbers import is_whole
from .copies import Copy, CopyPlan, Tensor, check_pair, kind_of, move_rows
from .copy_rows import Rows

if TYPE_CHECKING:
    from types import FrameType

    from ..core import Core

_FIELDS = ("start_index", "end_index", "stride", "burst_len", "shape_value")


def copy_slices(
    op: Copy, core: Core, frame: FrameType, tensors: tuple[Tensor, Tensor], lists: tuple[Any, Any], dims: Any
) -> None:
    """Copy what the slices of ``src`` choose to where those of ``dst`` say.

    Raises:
        UsageError: a list has fewer slices than dimensions, or is none.
        RangeError: a slice does not fit its dimension, or the two do not choose as much.
        AlignmentError: a piece would start within a block of local memory.
    """
    check_pair(core, op.name, *tensors)
    dst, src = tensors
    places = []
    for role, tensor, slices in zip(("dst", "src"), tensors, lists, strict=True):
        if not isinstance(slices, tuple):
            need_class(core, op.name, f"the slices of {role}", slices, list)
        starts = _starts(op, core, role, slices, dims, tensor)
        if isinstance(tensor, LocalTensor):
            _check_aligned(op, core, role, starts, tensor)
        places.append(starts)
    burst, other = (int(slices[0].burst_len) * BLOCK for slices in lists)
    counts = [tuple(map(len, starts)) for starts in places]
    if counts[0] != counts[1] or burst != other:
        core.fail(
            RangeError,
            f"{op.name}: dst slices have {_product(counts[0])} pieces of {burst} B and src slices "
            f"{_product(counts[1])} pieces of {other} B; they must be as many and as long",
        )
    rows = tuple(_rows(starts[0], burst, dst.dtype.itemsize) for starts in places)
    key = (op, id(frame.f_code), frame.f_lasti, core.stage, rows, kind_of(dst), kind_of(src), core.atomic)
    plan: CopyPlan[Rows] | None = core.plans.get(key)
    if plan is None:
        shown = (("block_count", rows[0].count), ("block_bytes", burst))
        plan = core.plans[key] = op.plan(core, frame, dst, src, (rows[0], rows[1]), shown)
    outer = [[sum(at) + starts[0][0] for at in itertools.product(*reversed(starts[1:]))] for starts in places]
    pieces = [(dst[to:], src[come:]) for to, come in zip(*outer, strict=True)]
    for target, source in pieces:
        op.check(core, plan, target, source)
    for target, source in pieces:
        op.ready(core, frame, plan, target, source)
        move_rows(core, target, plan.dst, source, plan.src)


def _product(counts: Sequence[int]) -> str:
    """``2 x 3``, the innermost last."""
    return " x ".join(map(str, reversed(counts)))


def _rows(starts: list[int], nbytes: int, item: int) -> Rows:
    pitch = (starts[1] - starts[0]) * item if len(starts) > 1 else nbytes
    return Rows(len(starts), nbytes, pitch)


def _starts(op: Copy, core: Core, role: str, slices: Sequence[Any], dims: Any, tensor: Tensor) -> list[list[int]]:
    """Where the pieces of each dimension start, in elements of the whole."""
    if not is_whole(dims) or dims < 1 or len(slices) < dims:
        core.fail(
            UsageError, f"{op.name}: dim_value must be 1 to {len(slices)}, the number of {role} slices, got {dims!r}"
        )
    out, pitch = [], 1
    for d, info in enumerate(slices[: int(dims)]):
        need_class(core, op.name, f"{role} slice {d}", info, SliceInfo)
        first, last, gap, burst, whole = (
            core.whole(op.name, f"{name} of {role} slice {d}", getattr(info, name)) for name in _FIELDS
        )
        length = burst if d else burst * BLOCK // tensor.dtype.itemsize
        if not 0 <= first <= last < whole or length < 1 or gap < 0 or (last - first + 1 + gap) % (length + gap):
            core.fail(
                RangeError,
                f"{op.name}: {role} slice {d} from {first} to {last} of {whole} is not made of pieces of {length} "
                f"with gaps of {gap} elements",
            )
        steps = (last - first + 1 + gap) // (length + gap)
        if d:  # an outer piece of several elements is as many pieces
            at = [first + i * (length + gap) + k for i in range(steps) for k in range(length)]
        else:
            at = [first + i * (length + gap) for i in range(steps)]
        out.append([a * pitch for a in at])
        pitch *= whole
    return out


def _check_aligned(op: Copy, core: Core, role: str, starts: list[list[int]], tensor: LocalTensor) -> None:
    item = tensor.dtype.itemsize
    for d, at in enumerate(starts):
        for start in at:
            if start * item % BLOCK:
                core.fail(
                    AlignmentError,
                    f"{op.name}: {role} slice {d} has a piece at element {start} of {tensor.dtype}, which is no "
                    f"multiple of {BLOCK} B in UB",
                )
