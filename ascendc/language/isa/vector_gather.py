"""Vector instructions that read, or write, at byte offsets held by another tensor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ..access import refuse
from ..block import BLOCK
from ..core import Core, current
from ..dtypes import bfloat16, float16, float32, int16, int32, uint16, uint32
from ..errors import OverlapError
from ..mask import FULL, MaskRegister
from ..memory import LocalTensor
from ..site import kernel_frame
from .elementwise import leave_mask
from .forms import Masked, form
from .geometry import Layout
from .lanes import Lanes, parse_mask
from .offsets import Offsets, Shape, check_base, need_written, read_offsets, span, window_of
from .operands import bind
from .passes import check_count, check_repeat, check_strides, plain_strides, shown
from .vector import Array, Plan, VectorOp, kind_of

if TYPE_CHECKING:
    from types import FrameType

_KINDS = (int16, uint16, float16, bfloat16, int32, uint32, float32)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Gather(VectorOp):
    """One operand, the table, is accessed at offsets; the other one has its lanes in order.

    Attributes:
        compute: the arithmetic on NumPy lanes: the table, the offsets, and the lanes that go into the table.
        table: index of the table: 1 if the source is gathered, 0 if the destination is scattered to.
        names: what the base and the repeat stride are called.
    """

    compute: Callable[..., Array]
    table: int
    names: tuple[str, str]

    @overload
    def __call__(self, dst: LocalTensor, src: LocalTensor, offset: LocalTensor, base: int, count: int) -> None: ...

    @overload
    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        offset: LocalTensor,
        base: int,
        mask: int | list[int],
        repeat_times: int,
        rep_stride: int,
    ) -> None: ...

    def __call__(self, dst: Any, src: Any, *args: Any, **kwargs: Any) -> None:
        """``op(dst, src, offset, base, count)`` or with ``mask, repeat_times, rep_stride``."""
        frame, core = kernel_frame(), current()
        if len(args) == 3 and not kwargs:
            self._run(core, frame, (dst, src, args[0]), args[1], check_count(core, self.name, args[2]), None)
            return
        names = (*self.roles, self.names[0])
        (*tensors, base), rest = bind(core, self.name, names, (dst, src, *args), kwargs)
        count, masked = form(core, self.name, *rest, ("repeat_times", self.names[1]))
        self._run(core, frame, tuple(tensors), base, count, masked)

    def spelled(self, parameter: str) -> str:
        """The offsets, the base and the stride are those of the source, or of the destination."""
        own = {"offset": self.roles[2], "base": self.names[0], "rep_stride": self.names[1]}
        return own.get(parameter, parameter)

    def _run(
        self,
        core: Core,
        frame: FrameType,
        tensors: tuple[LocalTensor, ...],
        base: Any,
        count: int | None,
        masked: Masked | None,
    ) -> None:
        if masked is None:
            if core.mask is not FULL:
                leave_mask(core, frame, self.name)
            how: tuple[Any, ...] = (count,)
        elif isinstance(masked.mask, MaskRegister) and masked.mask.counts and masked.params in (None, 8):
            how = (masked.mask.low,)  # contiguous lanes, as many as the register counts
        else:
            how = (masked.mask, masked.repeat_times, self._stride(core, masked.params))
        if type(base) is not int:
            base = check_base(core, self.name, self.names[0], base)
        key = (self, id(frame.f_code), frame.f_lasti, core.stage, base, how, *[kind_of(t) for t in tensors])
        shape: Shape | str | None = core.plans.get(key)
        if shape is None:
            shape = core.plans[key] = self._shape(core, frame, tensors, base, how)
        if isinstance(shape, str):
            return
        table, role = tensors[self.table], self.roles[self.table]
        offsets = read_offsets(core, self, tensors[2], shape.offsets) + base
        item = table.dtype.itemsize
        window, within = window_of(core, self, table, role, offsets, grain=item, nbytes=item)
        if self.table:
            need_written(core, self, table, role, window, within, item)
        else:
            self._need_distinct(core, offsets)
        operands = tuple(window if i == self.table else t for i, t in enumerate(tensors))
        plan: Plan | None = core.plans.get((key, window.nbytes))
        if plan is None:
            plan = core.plans[key, window.nbytes] = self._plan(core, frame, operands, shape, window)
        self.issue(core, frame, plan, operands, lambda: self._execute(operands, shape, within))

    def _stride(self, core: Core, given: Any) -> int:
        """Blocks between the repeats of the operand that has its lanes in order."""
        return plain_strides(core, self.name, self.roles[1 - self.table], 1, 8 if given is None else given)[1]

    def _shape(
        self, core: Core, frame: FrameType, tensors: tuple[LocalTensor, ...], base: int, how: tuple[Any, ...]
    ) -> Shape | str:
        """Where the lanes lie, or a word if there is nothing to do."""
        self.check(core, frame, tensors)
        base, item = check_base(core, self.name, self.names[0], base), tensors[0].dtype.itemsize
        if len(how) == 1:
            count, ordered = check_count(core, self.name, how[0]), 1 - self.table
            if count * item > tensors[ordered].nbytes:
                refuse(core, self.name, self.roles[ordered], tensors[ordered], count * item)
            data, offsets = (Layout(Lanes.first(count), n, 1, 1, 0, BLOCK // n) for n in (item, 4))
            said: tuple[tuple[str, Any], ...] = (("count", count),)
        else:
            mask, repeat_times, stride = how
            repeats, most = check_repeat(core, self.name, repeat_times), core.spec.vector.repeat_bytes // item
            lanes = parse_mask(core, self.name, mask, most)
            check_strides(core, self.name, self.roles[1 - self.table], 1, stride)
            data = Layout(lanes, item, repeats, 1, stride, BLOCK // item)
            offsets = Layout(lanes, 4, repeats, 1, most * 4 // BLOCK, BLOCK // 4)
            said = (*shown(mask), ("repeat", repeats))
        if not data.repeats or data.lanes.last < 0:
            return "nothing to do"
        return Shape(data, offsets, (*said, (self.names[0], base)))

    def _plan(
        self, core: Core, frame: FrameType, operands: tuple[LocalTensor, ...], shape: Shape, window: LocalTensor
    ) -> Plan:
        other = 1 - self.table
        footprints = (
            *shape.data.footprints(other, write=other == 0),
            *shape.offsets.footprints(2, write=False),
            span(self.table, window, write=self.table == 0),
        )
        kind = operands[0].dtype
        loose = (0, 1, 2) if self.table else (0, 2)
        return self.plan(core, frame, operands, footprints, shape.params, loose=loose, priced=kind)

    def _execute(self, operands: tuple[LocalTensor, ...], shape: Shape, offsets: Offsets) -> None:
        dst, src, _ = operands
        window = operands[self.table]
        kind, first = window.dtype, window.address // window.dtype.itemsize
        table = window.memory.view(kind)[first : first + len(window)]
        if self.table:
            lanes = self.compute(table, offsets)
            shape.data.put(dst.memory, kind, dst.address, lanes)
            return
        self.compute(table, offsets, shape.data.load(src.memory, kind, src.address))
        starts = (window.address + offsets).ravel()
        for byte in range(kind.itemsize):
            np.frombuffer(window.memory.shadow, np.uint8)[starts + byte] = 1

    def _need_distinct(self, core: Core, offsets: Offsets) -> None:
        places, count = np.unique(offsets, return_counts=True)
        if (count > 1).any():
            core.fail(
                OverlapError,
                f"{self.name}: {count.max()} lanes write byte {places[count.argmax()]} of dst, in no order; "
                "give every lane an offset of its own",
            )


def _indexed(
    *, cpp: str, cost: str, roles: tuple[str, str, str], names: tuple[str, str], table: int
) -> Callable[[Callable[..., Array]], Gather]:
    """Declare an instruction that accesses its operand ``table`` at offsets; the function is its arithmetic."""

    def declare(lanes: Callable[..., Array]) -> Gather:
        return Gather(
            name=lanes.__name__,
            cpp=cpp,
            unit="V",
            doc=lanes.__doc__ or "",
            compute=lanes,
            dtypes=tuple((k, k, uint32) for k in _KINDS),
            cost=cost,
            roles=roles,
            banked=False,
            table=table,
            names=names,
        )

    return declare


@_indexed(
    cpp="Gather", cost="gather", roles=("dst", "src", "src_offset"), names=("src_base", "dst_rep_stride"), table=1
)
def gather(src: Array, src_offset: Array) -> Array:
    """dst[i] = the element of src at byte src_base + src_offset[i].

    >>> gather.compute(f16(0, 10, 20, 30), u32(6, 2, 0)).tolist()
    [30.0, 10.0, 0.0]
    """
    lanes: Array = src[src_offset // src.itemsize]
    return lanes


@_indexed(
    cpp="Scatter", cost="scatter", roles=("dst", "src", "dst_offset"), names=("dst_base", "src_rep_stride"), table=0
)
def scatter(dst: Array, dst_offset: Array, src: Array) -> Array:
    """The element of dst at byte dst_base + dst_offset[i] = src[i]; chips without a price for it lack it.

    >>> scatter.compute(f16(0, 0, 0, 0), u32(6, 2), f16(5, 7)).tolist()
    [0.0, 7.0, 0.0, 5.0]
    """
    dst[dst_offset // dst.itemsize] = src
    return dst


__all__ = ["gather", "scatter"]
