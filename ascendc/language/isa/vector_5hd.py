"""``trans_data_to_5hd``: 16 rows of a block each, anywhere in UB, transposed into 16 others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from ..access import need_bytes, need_dtype, need_local, refuse_poison
from ..block import BLOCK
from ..core import Core, current
from ..dtypes import DataType, float16, float32, int8, int16, int32, uint8, uint16, uint32, uint64
from ..enums import TPosition
from ..errors import AlignmentError, DtypeError, UsageError
from ..memory import LocalTensor
from ..numbers import is_whole
from ..params import TransDataTo5HDParams
from ..program import Footprint, Space
from ..site import kernel_frame
from ..windows import element_type
from .copies import check_fields
from .operands import one_form
from .vector import UB, Array, Plan, VectorOp

if TYPE_CHECKING:
    from types import FrameType

_ROWS = 16
_FORMS = (("dst_list", "src_list", "params"), ("dst_list", "src_list", "params", "dtype"))
"""Arguments; addresses have no type, so with them comes ``dtype``."""

_KINDS = (int8, uint8, int16, uint16, float16, int32, uint32, float32)
_LIMITS = {
    "repeat_times": (0, 255),
    "dst_rep_stride": (0, 65535),
    "src_rep_stride": (0, 65535),
}


@dataclass(frozen=True, slots=True)
class RowList:
    """The 16 rows of one operand.

    Attributes:
        addresses: their first bytes, in order.
        nbytes: of each.
        repeats: how often.
        pitch: bytes from one repeat to the next.
    """

    addresses: tuple[int, ...]
    nbytes: int
    repeats: int
    pitch: int

    @property
    def base(self) -> int:
        """The lowest address."""
        return min(self.addresses)

    @property
    def starts(self) -> tuple[int, ...]:
        """Bytes from the lowest address to each row."""
        base = self.base
        return tuple([a - base for a in self.addresses])

    def footprints(self, operand: int, *, write: bool) -> tuple[Footprint, ...]:
        """Exactly the rows; one footprint if they are evenly spaced."""
        again = ((self.repeats, self.pitch),) if self.repeats > 1 and self.pitch else ()
        starts = self.starts
        step = starts[1] - starts[0]
        if step > 0 and starts == tuple(range(0, _ROWS * step, step)):
            return (Footprint(operand, Space.UB, write, self.nbytes, 0, (*again, (_ROWS, step))),)
        return tuple(Footprint(operand, Space.UB, write, self.nbytes, start, again) for start in starts)

    def index(self) -> NDArray[np.intp]:
        """Every byte: (repeats, rows, bytes)."""
        starts = np.array(self.addresses)[:, None] + np.arange(self.nbytes)
        return np.arange(self.repeats)[:, None, None] * self.pitch + starts


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TransData(VectorOp):
    """Transpose 16 rows; lists are of tensors, of addresses, or tensors that hold addresses.

    Attributes:
        compute: the rows of dst from those of src: (repeats, rows, elements).
    """

    compute: Callable[[Array], Array]

    @overload
    def __call__(
        self, dst_list: Sequence[LocalTensor], src_list: Sequence[LocalTensor], params: TransDataTo5HDParams
    ) -> None: ...

    @overload
    def __call__(
        self, dst_list: Sequence[int], src_list: Sequence[int], params: TransDataTo5HDParams, dtype: Any
    ) -> None: ...

    @overload
    def __call__(self, dst: LocalTensor, src: LocalTensor, params: TransDataTo5HDParams, dtype: Any) -> None: ...

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        """``op(dst_list, src_list, params)``; addresses have no type, so with them comes ``dtype``."""
        core, frame = current(), kernel_frame()
        renamed = {{"dst": "dst_list", "src": "src_list"}.get(k, k): v for k, v in kwargs.items()}
        given = one_form(core, self.name, _FORMS, args, renamed)
        dst, src, params = (given[name] for name in _FORMS[0])
        numbers = check_fields(core, self.name, params, TransDataTo5HDParams, _LIMITS)
        values = (int(bool(params.dst_high_half)), int(bool(params.src_high_half)), *numbers)
        lists = [self._rows(core, role, rows) for role, rows in (("dst", dst), ("src", src))]
        kind = self._kind(core, lists, given.get("dtype"))
        rows = self._places(core, frame, [addresses for addresses, _ in lists], kind, values)
        holders = tuple(t for t in (dst, src) if isinstance(t, LocalTensor))
        self._check_tensors(core, lists, rows)
        if not values[2]:
            return
        tensors = (*(_window(core, r, kind) for r in rows), *holders)
        starts = tuple([r.starts for r in rows])
        key = (self, id(frame.f_code), frame.f_lasti, core.stage, values, kind, starts, len(holders))
        plan: Plan | None = core.plans.get(key)
        if plan is None:
            self.check(core, frame, tensors[:2])
            plan = core.plans[key] = self._plan(core, frame, tensors, rows, values)
        self.issue(core, frame, plan, tensors, lambda: self._execute(tensors[0], kind, *rows))

    def _rows(self, core: Core, role: str, given: Any) -> tuple[tuple[int, ...], tuple[LocalTensor, ...]]:
        """The addresses of a list, and its tensors if it is one of tensors."""
        if isinstance(given, LocalTensor):
            return self._held(core, role, given), ()
        if not isinstance(given, list | tuple) or len(given) != _ROWS:
            size = len(given) if isinstance(given, list | tuple) else given
            core.fail(
                UsageError, f"{self.name}: {role}_list must be a list of {_ROWS} tensors or addresses, got {size!r}"
            )
        if all(map(is_whole, given)):
            return tuple(map(int, given)), ()
        for i, tensor in enumerate(given):
            need_local(core, self.name, f"{role}_list[{i}]", tensor, UB)
        return tuple(t.address for t in given), tuple(given)

    def _held(self, core: Core, role: str, tensor: LocalTensor) -> tuple[int, ...]:
        """The addresses that a tensor holds."""
        need_local(core, self.name, role, tensor, UB)
        need_dtype(core, self.name, role, tensor, (uint64,))
        nbytes, at = _ROWS * 8, tensor.address
        need_bytes(core, self.name, role, tensor, nbytes)
        if tensor.memory.shadow.find(0, at, at + nbytes) >= 0:
            refuse_poison(core, self.name, role, tensor, at, at + nbytes)
        return tuple(tensor.memory.view(uint64)[at // 8 :][:_ROWS].tolist())

    def _kind(self, core: Core, lists: list[tuple[tuple[int, ...], tuple[LocalTensor, ...]]], like: Any) -> DataType:
        said = set() if like is None else {element_type(core, self.name, like)}
        kinds = {t.dtype for _, tensors in lists for t in tensors} | said
        if not kinds:
            core.fail(UsageError, f"{self.name}: addresses have no element type; say dtype=…")
        if len(kinds) > 1 or not kinds <= set(_KINDS):
            names = ", ".join(sorted(k.name for k in kinds))
            core.fail(
                DtypeError,
                f"{self.name}: all rows must have one element type of {', '.join(map(str, _KINDS))}; got {names}",
            )
        return kinds.pop()

    def _places(
        self,
        core: Core,
        frame: FrameType,
        lists: list[tuple[int, ...]],
        kind: DataType,
        values: tuple[int, ...],
    ) -> tuple[RowList, RowList]:
        """Where the rows really start: the half of a block, and the shift of a single repeat."""
        highs, repeats, strides = values[:2], values[2], values[3:]
        if kind.itemsize > 1 and any(highs):
            core.fail(UsageError, f"{self.name}: halves of a block are for types of one byte, and the rows are {kind}")
        if repeats == 1 and any(strides):
            core.warn(
                "stride",
                f"{self.name}: a single repeat starts a repeat stride behind its addresses ({strides[0]} blocks of "
                f"dst, {strides[1]} of src); pass strides of 0 with repeat_times 1",
                frame,
            )
        made = []
        for addresses, high, stride, role in zip(lists, highs, strides, ("dst", "src"), strict=True):
            for i, address in enumerate(addresses):
                if address % BLOCK:
                    core.fail(
                        AlignmentError, f"{self.name}: {role}_list[{i}] is byte {address}, no multiple of {BLOCK}"
                    )
            shift = 16 * high + (stride * BLOCK if repeats == 1 else 0)
            shifted = tuple(a + shift for a in addresses)
            made.append(RowList(shifted, 16 if kind.itemsize == 1 else BLOCK, repeats, stride * BLOCK))
        return made[0], made[1]

    def _check_tensors(
        self,
        core: Core,
        lists: list[tuple[tuple[int, ...], tuple[LocalTensor, ...]]],
        rows: tuple[RowList, RowList],
    ) -> None:
        """Check that each row lies in its tensor."""
        for role, (given, tensors), placed in zip(("dst", "src"), lists, rows, strict=True):
            for i, tensor in enumerate(tensors):
                reach = placed.addresses[i] - given[i] + (placed.repeats - 1) * placed.pitch + placed.nbytes
                need_bytes(core, self.name, f"{role}_list[{i}]", tensor, reach, 1)

    def _plan(
        self,
        core: Core,
        frame: FrameType,
        tensors: tuple[LocalTensor, ...],
        rows: tuple[RowList, RowList],
        values: tuple[int, ...],
    ) -> Plan:
        holders = range(2, len(tensors))
        footprints = (
            *rows[0].footprints(0, write=True),
            *rows[1].footprints(1, write=False),
            *(Footprint(i, Space.UB, False, _ROWS * 8) for i in holders),
        )
        roles = (*self.roles, "dst_list", "src_list")[: len(tensors)]
        aligns = (1, 1, *(BLOCK for _ in holders))
        same = rows[0].addresses == rows[1].addresses and rows[0].pitch == rows[1].pitch
        params = (("repeat", values[2]), ("dst_rep_stride", values[3]), ("src_rep_stride", values[4]))
        return self.plan(
            *(core, frame, tensors, footprints, params),
            aligns=aligns,
            in_place=same,
            roles=roles,
            priced=tensors[0].dtype,
        )

    def _execute(self, dst: LocalTensor, kind: DataType, to: RowList, come: RowList) -> None:
        data, at = dst.memory.data, to.index()
        again = to.addresses == come.addresses and not to.pitch  # in place over and over: one after another
        for target, source in [(at[:1], at[:1])] * to.repeats if again else [(at, come.index())]:
            data[target] = self.compute(data[source].view(kind.numpy)).view(np.uint8)


def _window(core: Core, rows: RowList, kind: DataType) -> LocalTensor:
    """All of UB from the lowest row on."""
    memory = core.memory(TPosition.VECCALC)
    room = memory.spec.bytes - rows.base
    return LocalTensor._make(core, memory, TPosition.VECCALC, rows.base, room, kind, core.lease)


def _trans_data_to_5hd(rows: Array) -> Array:
    """The rows of dst = the columns of src: 16 rows of 32 bytes, 16 of one-byte types, each anywhere in UB.

    With 8 elements a row, two rows hold a column.

    >>> trans_data_to_5hd.compute(np.arange(128, dtype=np.float32).reshape(1, 16, 8))[0, 1].tolist()
    [64.0, 72.0, 80.0, 88.0, 96.0, 104.0, 112.0, 120.0]
    """
    return np.ascontiguousarray(rows.swapaxes(-1, -2)).reshape(rows.shape)


trans_data_to_5hd = TransData(
    name="trans_data_to_5hd",
    cpp="TransDataTo5HD",
    unit="V",
    doc=_trans_data_to_5hd.__doc__ or "",
    compute=_trans_data_to_5hd,
    dtypes=tuple((k, k) for k in _KINDS),
    cost="transpose",
    roles=("dst", "src"),
    banked=False,
)

__all__ = ["trans_data_to_5hd"]
