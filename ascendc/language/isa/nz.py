"""The form of ``data_copy`` that stores NZ matrices as ND: column strips of 16 in UB, rows in global memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ..access import need_dtype
from ..block import BLOCK
from ..copy_params import Nz2NdParamsFull
from ..dtypes import bfloat16, float16, int16, uint16
from ..errors import PositionError
from ..global_memory import GlobalTensor
from ..memory import LocalTensor
from ..program import Footprint, Space
from .copies import Copy, CopyPlan, check_fields, check_pair, kind_of

if TYPE_CHECKING:
    from types import FrameType

    from ..core import Core

_KINDS = (int16, uint16, float16, bfloat16)
_WIDTH = 16
"""Columns of a strip."""

_FRACTAL = 256
"""Elements of 16 × 16, the unit of the distance between matrices."""

_LIMITS = {
    "nd_num": (0, 4095),
    "n_value": (0, 8192),
    "d_value": (0, 8192),
    "src_nd_matrix_stride": (0, 512),
    "src_n_stride": (0, 4096),
    "dst_d_stride": (1, 65535),
    "dst_nd_matrix_stride": (0, 65535),
}


@dataclass(frozen=True, slots=True)
class Matrices:
    """Bytes of matrices on one side: (bytes of a run, offset, levels) of each of their footprints."""

    parts: tuple[tuple[int, int, tuple[tuple[int, int], ...]], ...]

    @property
    def reach(self) -> int:
        """Bytes from the first to the end of the last."""
        return max(offset + n + sum((c - 1) * p for c, p in levels) for n, offset, levels in self.parts)

    def footprints(self, operand: int, space: Space, *, write: bool) -> tuple[Footprint, ...]:
        """Exactly these bytes."""
        return tuple(Footprint(operand, space, write, n, offset, levels) for n, offset, levels in self.parts)


def refuse_nz(core: Core, call: str, dst: Any) -> NoReturn:
    """Say that nothing becomes NZ on the way to ``dst``.

    Raises:
        PositionError: always.
    """
    core.fail(PositionError, f"{call}: ND becomes NZ only on the way into L1 (A1, B1) of a cube core; dst is {dst!r}")


def store_nd(op: Copy, core: Core, frame: FrameType, dst: Any, src: Any, params: Nz2NdParamsFull) -> None:
    """Store ``nd_num`` matrices of ``n_value`` rows and ``d_value`` columns.

    Raises:
        PositionError: this is no store from UB to global memory.
        DtypeError: elements are not of two bytes.
        RangeError: a parameter does not fit its field.
    """
    check_pair(core, op.name, dst, src)
    if not isinstance(dst, GlobalTensor) or not isinstance(src, LocalTensor):
        core.fail(
            PositionError, f"{op.name}: NZ becomes ND on the way from UB to global memory, got dst {dst!r}, src {src!r}"
        )
    need_dtype(core, f"{op.name} from NZ to ND", "dst", dst, _KINDS)
    values = check_fields(core, op.name, params, Nz2NdParamsFull, _LIMITS)
    if not all(values[:3]):
        return
    key = (op, id(frame.f_code), frame.f_lasti, core.stage, values, kind_of(dst), kind_of(src), core.atomic)
    plan: CopyPlan[Matrices] | None = core.plans.get(key)
    if plan is None:
        shown = tuple(zip(_LIMITS, values, strict=True))
        plan = core.plans[key] = op.plan(core, frame, dst, src, _places(values, dst.dtype.itemsize), shown)
    op.ready(core, frame, plan, dst, src)
    at_dst, at_src = _index(values)
    whole = src.memory.view(src.dtype)[src.address // src.dtype.itemsize :]
    target = dst.elements(0, len(dst))
    if core.atomic is None:
        target[at_dst] = whole[at_src]
    else:
        combined = target[at_dst]
        core.atomic.store(combined, whole[at_src])
        target[at_dst] = combined


def _places(values: tuple[int, ...], item: int) -> tuple[Matrices, Matrices]:
    """What is written and what is read."""
    matrices, n, d, src_matrix, src_strip, dst_row, dst_matrix = values
    strips, rest = divmod(d, _WIDTH)
    again_dst, again_src = (matrices, dst_matrix * item), (matrices, src_matrix * _FRACTAL * item)
    pitch = src_strip * _WIDTH * item
    full = ((n * BLOCK, 0, (again_src, (strips, pitch))),) if strips else ()
    tail = ((rest * item, strips * pitch, (again_src, (n, BLOCK))),) if rest else ()
    return Matrices(((d * item, 0, (again_dst, (n, dst_row * item))),)), Matrices((*full, *tail))


def _index(values: tuple[int, ...]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Elements of dst and of src, one for each of (matrix, row, column)."""
    matrices, n, d, src_matrix, src_strip, dst_row, dst_matrix = values
    m, row, column = np.ix_(np.arange(matrices), np.arange(n), np.arange(d))
    at_src = m * src_matrix * _FRACTAL + column // _WIDTH * src_strip * _WIDTH + row * _WIDTH + column % _WIDTH
    return m * dst_matrix + row * dst_row + column, at_src
