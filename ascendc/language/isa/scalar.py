"""What the scalar unit does itself: reading and writing single elements, and registers of other units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..access import is_instruction, need_bytes, refuse_poison, refuse_read_only
from ..core import Core, current
from ..declared import rounded
from ..dtypes import DataType, bfloat16
from ..enums import PipeID, TPosition
from ..errors import OutOfBoundsError, RangeError, UsageError
from ..global_memory import GlobalTensor
from ..hardware import HardwareSpec
from ..memory import LocalTensor
from ..numbers import is_number
from ..program import Footprint, Kind, Space, Template
from ..site import kernel_frame
from .op import Busy, Op

if TYPE_CHECKING:
    from types import FrameType


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ScalarOp(Op):
    """A scalar instruction: it runs while nothing later is issued."""

    def demand(self, template: Template, addresses: Sequence[int], spec: HardwareSpec) -> Busy:
        if not template.footprints:
            return Busy(spec.scalar.issue_cycles, spec.scalar.issue_cycles)
        in_gm = template.footprints[0].space is Space.GM
        cycles = spec.scalar.global_access_cycles if in_gm else spec.scalar.access_cycles
        return Busy(cycles, cycles)


def check_number(core: Core, call: str, name: str, value: Any) -> None:
    """Check that an argument is one real number.

    Raises:
        UsageError: it is none.
    """
    if not is_number(value):
        hint = f"; {call[:-1]} takes a tensor" if isinstance(value, LocalTensor) and is_instruction(call[:-1]) else ""
        core.fail(UsageError, f"{call}: {name} must be a number, got {value!r}{hint}")


def scalar_of(core: Core, call: str, value: Any, kind: DataType, name: str = "scalar") -> Any:
    """``value`` as one element of ``kind``, rounded to nearest even; ``name`` is what the author calls it.

    Raises:
        UsageError: it is no number.
        RangeError: an integer type cannot hold it.
    """
    check_number(core, call, name, value)
    if kind.is_float:
        try:
            with np.errstate(over="ignore"):
                return kind.numpy.type(rounded(float(value), kind) if kind is bfloat16 else value)
        except OverflowError:  # an integer that no double holds
            return kind.numpy.type(np.inf if value > 0 else -np.inf)
    if kind.name == "bool":
        return np.bool_(value)
    low, high = kind.limits
    if not isinstance(value, int) and not float(value).is_integer():
        core.fail(RangeError, f"{call}: {name} {value!r} is no whole number, and the tensor is {kind}")
    if not low <= value <= high:
        core.fail(RangeError, f"{call}: {name} {value} does not fit {kind} ({low} to {high})")
    return kind.number.type(int(value))


def scalar_like(core: Core, call: str, value: Any, tensor: Any, name: str = "scalar") -> Any:
    """As :func:`scalar_of`, of a tensor's type; as it is beside what is no tensor, which another check will say."""
    return scalar_of(core, call, value, tensor.dtype, name) if hasattr(tensor, "dtype") else value


def _issue(op: ScalarOp, core: Core, space: Space, address: int, nbytes: int, *, write: bool) -> None:
    frame = kernel_frame(2)
    core.rec.issue(
        core.template(
            (op, id(frame.f_code), frame.f_lasti, space, nbytes, core.stage),
            lambda: Template(
                op,
                Kind.SCALAR,
                PipeID.PIPE_S,
                core.site(frame),
                core.stage,
                operands=("dst" if write else "src",),
                footprints=(Footprint(0, space, write, nbytes),),
            ),
        ),
        (address,),
    )


def _element(core: Core, op: Op, tensor: LocalTensor | GlobalTensor, offset: int) -> int:
    size, offset = len(tensor), core.whole(op.name, "offset", offset)
    if not 0 <= offset < size:
        core.fail(OutOfBoundsError, f"{op.name}: element {offset} lies outside the tensor of {size} ({tensor!r})")
    return offset


def read_element(core: Core, tensor: LocalTensor, offset: int) -> Any:
    """Element ``offset`` of a local tensor as a NumPy scalar, as a recorded row; the caller has put it in order."""
    kind = tensor.dtype
    start = tensor.address + kind.nbytes(offset)
    _issue(get_value, core, tensor.memory.space, start, kind.itemsize, write=False)
    return kind.numbers(tensor.memory.data[start : start + kind.itemsize])[offset % kind.per_item]


def write_element(core: Core, tensor: LocalTensor, offset: int, element: Any) -> None:
    """Write element ``offset`` of a local tensor, as a recorded row; the caller has put it in order.

    The scalar unit writes bytes: of two int4 in one it keeps the other, and both count as written.
    """
    kind = tensor.dtype
    start = tensor.address + kind.nbytes(offset)
    cell = tensor.memory.data[start : start + kind.itemsize].view(kind.numpy)
    numbers = kind.numbers(cell)
    numbers[offset % kind.per_item] = element
    cell[...] = kind.items(numbers)
    tensor.memory.written(start, start + kind.itemsize)
    _issue(set_value, core, tensor.memory.space, start, kind.itemsize, write=True)


def get_local_value(tensor: LocalTensor, offset: int) -> Any:
    """Element ``offset`` of a local tensor, through the scalar unit."""
    core, frame = current(), kernel_frame()
    item = tensor.dtype.itemsize
    offset = _element(core, get_value, tensor, offset)
    need_bytes(core, get_value.name, "tensor", tensor, item, 1)
    start = tensor.address + tensor.dtype.nbytes(offset)
    core.auto.before_scalar(frame, start, item, write=False)
    if tensor.memory.shadow.find(0, start, start + item) >= 0:
        refuse_poison(core, get_value.name, "tensor", tensor, start, start + item)
    return read_element(core, tensor, offset).item()


def set_local_value(tensor: LocalTensor, offset: int, value: Any) -> None:
    """Write element ``offset`` of a local tensor through the scalar unit."""
    core, frame = current(), kernel_frame()
    item = tensor.dtype.itemsize
    offset = _element(core, set_value, tensor, offset)
    need_bytes(core, set_value.name, "tensor", tensor, item, 1)
    start = tensor.address + tensor.dtype.nbytes(offset)
    element = scalar_of(core, set_value.name, value, tensor.dtype, "value")
    core.auto.before_scalar(frame, start, item, write=True)
    write_element(core, tensor, offset, element)
    core.auto.after_scalar_write(start, item)


def get_global_value(tensor: GlobalTensor, offset: int) -> Any:
    """Element ``offset`` of a global tensor, through the scalar unit; other blocks run first."""
    core = current()
    offset = _element(core, get_value, tensor, offset)
    item = tensor.dtype.itemsize
    core.pause(tensor.address + offset * item)
    _issue(get_value, core, Space.GM, tensor.address + offset * item, item, write=False)
    return tensor.elements(offset, 1)[0].item()


def set_global_value(tensor: GlobalTensor, offset: int, value: Any) -> None:
    """Write element ``offset`` of a global tensor through the scalar unit."""
    core = current()
    offset = _element(core, set_value, tensor, offset)
    if not tensor.host.writeable:
        refuse_read_only(core, set_value.name, tensor)
    item = tensor.dtype.itemsize
    number = scalar_of(core, set_value.name, value, tensor.dtype, "value")
    _issue(set_value, core, Space.GM, tensor.address + offset * item, item, write=True)
    tensor.elements(offset, 1)[0] = number


def record_register(core: Core, frame: FrameType, op: ScalarOp, params: tuple[tuple[str, Any], ...] = ()) -> None:
    """Append the row of an instruction that only reads or writes registers, or computes in them."""
    core.rec.rows.append(
        core.template(
            (op, id(frame.f_code), frame.f_lasti, params, core.stage),
            lambda: Template(op, Kind.SCALAR, PipeID.PIPE_S, core.site(frame), core.stage, params=params),
        )
    )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SetPadValue(ScalarOp):
    """Set the register ``data_copy_pad`` pads from."""

    def __call__(self, padding_value: float, pos: TPosition = TPosition.MAX) -> None:
        core, frame = current(), kernel_frame()
        check_number(core, self.name, "padding_value", padding_value)
        core.pad_value = padding_value
        record_register(core, frame, self)


get_value = ScalarOp(
    name="get_value",
    cpp="GetValue",
    unit="S",
    doc="One element of a tensor, as a Python number.",
)
set_value = ScalarOp(name="set_value", cpp="SetValue", unit="S", doc="Write one element of a tensor.")
set_pad_value = SetPadValue(
    name="set_pad_value",
    cpp="SetPadValue",
    unit="S",
    doc="Value that ``data_copy_pad`` pads with where ``is_pad`` is false.",
)

__all__ = ["get_value", "set_pad_value", "set_value"]
