"""``transpose``: one tile of 16 × 16 elements of two bytes, or an image between NCHW and NHWC."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

from ..access import need_dtype
from ..block import BLOCK
from ..classes import spelled
from ..core import Core, current
from ..dtypes import DTYPES, DataType, float16, float32, int8, int16, int32, uint8, uint16, uint32
from ..enums import TransposeType
from ..errors import AlignmentError, RangeError, UsageError, WorkspaceError
from ..hardware import HardwareSpec
from ..memory import LocalTensor
from ..params import TransposeParamsExt
from ..program import Footprint, Space, Template
from ..site import kernel_frame
from .copies import check_fields
from .vector import Array, Plan, VectorOp, kind_of

if TYPE_CHECKING:
    from types import FrameType

_SIDE = 16
"""Rows and columns of a tile."""

_TILE = (int16, uint16, float16)
_IMAGE = (int8, uint8, int16, uint16, float16, int32, uint32, float32)
_LIMITS = {"n_size": (0, 65535), "c_size": (0, 4095), "h_size": (0, 65535), "w_size": (0, 65535)}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Transpose(VectorOp):
    """Exchange the axes of a tile or of an image.

    Attributes:
        compute: the matrices of an array transposed.
    """

    compute: Callable[[Array], Array]

    @overload
    def __call__(self, dst: LocalTensor, src: LocalTensor) -> None: ...

    @overload
    def __call__(
        self, dst: LocalTensor, src: LocalTensor, shared_tmp_buffer: LocalTensor, params: TransposeParamsExt
    ) -> None: ...

    def __call__(self, dst: Any, src: Any, shared_tmp_buffer: Any = None, params: Any = None) -> None:
        """``transpose(dst, src)`` or ``transpose(dst, src, shared_tmp_buffer, params)``."""
        core, frame = current(), kernel_frame()
        if params is None and shared_tmp_buffer is None:
            self._tile(core, frame, (dst, src))
            return
        n, c, h, w = check_fields(core, self.name, params, TransposeParamsExt, _LIMITS)
        kind = params.transpose_type
        if kind is TransposeType.TRANSPOSE_ND2ND_B16:
            self._tile(core, frame, (dst, src))
        elif kind is TransposeType.TRANSPOSE_NCHW2NHWC:
            self._image(core, frame, (dst, src, shared_tmp_buffer), (n, c, h * w), kind)
        elif kind is TransposeType.TRANSPOSE_NHWC2NCHW:
            self._image(core, frame, (dst, src, shared_tmp_buffer), (n, h * w, c), kind)
        else:
            core.fail(
                UsageError,
                f"{self.name}: transpose_type must be TRANSPOSE_ND2ND_B16, TRANSPOSE_NCHW2NHWC or "
                f"TRANSPOSE_NHWC2NCHW, got {spelled(kind)}",
            )

    def _tile(self, core: Core, frame: FrameType, tensors: tuple[LocalTensor, LocalTensor]) -> None:
        key = (self, id(frame.f_code), frame.f_lasti, core.stage, *map(kind_of, tensors))
        plan: Plan | None = core.plans.get(key)
        if plan is None:
            self.check(core, frame, tensors)
            need_dtype(core, self.name, "dst", tensors[0], _TILE)
            nbytes = _SIDE * _SIDE * tensors[0].dtype.itemsize
            footprints = tuple(Footprint(i, Space.UB, i == 0, nbytes) for i in (0, 1))
            shape = (("shape", (1, _SIDE, _SIDE)),)
            plan = core.plans[key] = self.plan(
                *(core, frame, tensors, footprints, shape), in_place=True, roles=self.roles[:2]
            )
        if len(tensors[1]) > _SIDE * _SIDE:
            core.fail(
                RangeError,
                f"{self.name}: src has {len(tensors[1])} elements, and a tile is 16 x 16 = 256; transpose tile by tile "
                "(src[i : i + 256]), or use trans_data_to_5hd",
            )
        self.issue(core, frame, plan, tensors, lambda: self._exchange(*tensors, (1, _SIDE, _SIDE)))

    def _image(
        self,
        core: Core,
        frame: FrameType,
        tensors: tuple[LocalTensor, LocalTensor, LocalTensor],
        shape: tuple[int, int, int],
        kind: TransposeType,
    ) -> None:
        key = (self, id(frame.f_code), frame.f_lasti, core.stage, shape, kind, *map(kind_of, tensors))
        plan: Plan | None = core.plans.get(key)
        if plan is None:
            self.check(core, frame, tensors)
            plan = core.plans[key] = self._plan_image(core, frame, tensors, shape, kind)
        scratch = plan.nbytes[2]
        if tensors[2].nbytes < scratch:
            core.fail(
                WorkspaceError,
                f"{self.name}: shared_tmp_buffer has {tensors[2].nbytes} B; {kind.name} of {tensors[0].dtype} needs "
                f"{scratch} B",
            )
        if plan.nbytes[0]:
            self.issue(core, frame, plan, tensors, lambda: self._exchange(tensors[0], tensors[1], shape))

    def _plan_image(
        self,
        core: Core,
        frame: FrameType,
        tensors: Sequence[LocalTensor],
        shape: tuple[int, int, int],
        kind: TransposeType,
    ) -> Plan:
        item, (n, rows, columns) = tensors[0].dtype.itemsize, shape
        to_nhwc = kind is TransposeType.TRANSPOSE_NCHW2NHWC
        c, area = (rows, columns) if to_nhwc else (columns, rows)
        if area * item % BLOCK:
            core.fail(
                AlignmentError,
                f"{self.name}: h_size x w_size is {area} x {tensors[0].dtype} = {area * item} B, which must be a "
                f"multiple of {BLOCK} B",
            )
        nbytes = n * rows * columns * item
        scratch = _scratch_bytes(c, tensors[0].dtype, to_nhwc=to_nhwc)
        footprints = (
            Footprint(0, Space.UB, True, nbytes),
            Footprint(1, Space.UB, False, nbytes),
            *(Footprint(2, Space.UB, write, scratch) for write in (False, True)),
        )
        params = (("type", kind), ("shape", shape))
        return self.plan(core, frame, tensors, footprints, params, loose=(2,), priced=tensors[0].dtype)

    def _exchange(self, dst: LocalTensor, src: LocalTensor, shape: tuple[int, int, int]) -> None:
        count = shape[0] * shape[1] * shape[2]
        content, target = (t.memory.view(t.dtype)[t.address // t.dtype.itemsize :][:count] for t in (src, dst))
        target[:] = self.compute(content.reshape(shape)).ravel()

    def repeats(self, template: Template, spec: HardwareSpec) -> int:
        """Tiles of 16 rows of a block."""
        n, rows, columns = map(int, dict(template.params)["shape"])
        width = BLOCK // DTYPES[template.dtype].itemsize
        return n * -(-rows // _SIDE) * -(-columns // width)


def _scratch_bytes(c: int, kind: DataType, *, to_nhwc: bool) -> int:
    """What an image's transpose keeps besides: so many tiles of 16 blocks, 32 for types of one byte."""
    tile = (32 if kind.itemsize == 1 else _SIDE) * BLOCK
    return (c + 2 if to_nhwc else 2 * c + 1) * tile


def _transpose(tiles: Array) -> Array:
    """dst[j, i] = src[i, j] of 16 × 16 elements of two bytes; with parameters, NCHW to NHWC or back.

    >>> transpose.compute(f16(1, 2, 3, 4, 5, 6).reshape(1, 2, 3)).tolist()
    [[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]]
    """
    return tiles.swapaxes(-1, -2)


transpose = Transpose(
    name="transpose",
    cpp="Transpose",
    unit="V",
    doc=_transpose.__doc__ or "",
    compute=_transpose,
    dtypes=tuple((k, k, uint8) for k in _IMAGE),
    cost="transpose",
    roles=("dst", "src", "shared_tmp_buffer"),
    banked=False,
)

__all__ = ["transpose"]
