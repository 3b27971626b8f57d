"""Instructions that make stores to global memory atomic: they combine with what is there, until turned off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..atomic import KINDS, Atomic
from ..classes import need_class
from ..core import Core, current
from ..enums import AtomicDtype, AtomicOp
from ..site import kernel_frame
from ..windows import one_of
from .scalar import ScalarOp, record_register

if TYPE_CHECKING:
    from types import FrameType


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SetAtomic(ScalarOp):
    """Turn atomic stores on.

    Attributes:
        combine: what they do; what they did before, or add, if not given.
    """

    combine: AtomicOp | None

    def __call__(self, dtype: Any) -> None:
        core, frame = current(), kernel_frame()
        before = core.atomic.op if core.atomic else AtomicOp.ATOMIC_SUM
        _turn_on(self, core, frame, before if self.combine is None else self.combine, dtype)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SetAtomicNone(ScalarOp):
    """Turn atomic stores off."""

    def __call__(self) -> None:
        core, frame = current(), kernel_frame()
        core.atomic = None
        record_register(core, frame, self)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SetStoreAtomicConfig(ScalarOp):
    """Turn atomic stores on or off by the numbers of the register."""

    def __call__(self, atomic_type: AtomicDtype, atomic_op: AtomicOp) -> None:
        core, frame = current(), kernel_frame()
        need_class(core, self.name, "atomic_type", atomic_type, AtomicDtype)
        need_class(core, self.name, "atomic_op", atomic_op, AtomicOp)
        if atomic_type is AtomicDtype.ATOMIC_NONE:
            core.atomic = None
            record_register(core, frame, self)
        else:
            _turn_on(self, core, frame, atomic_op, KINDS[atomic_type])


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GetStoreAtomicConfig(ScalarOp):
    """Read the register."""

    def __call__(self) -> tuple[int, int]:
        core, frame = current(), kernel_frame()
        record_register(core, frame, self)
        if core.atomic is None:
            return int(AtomicDtype.ATOMIC_NONE), int(AtomicOp.ATOMIC_SUM)
        kind = next(name for name, kind in KINDS.items() if kind is core.atomic.kind)
        return int(kind), int(core.atomic.op)


def _turn_on(op: ScalarOp, core: Core, frame: FrameType, combine: AtomicOp, like: Any) -> None:
    kind = one_of(core, op.name, like, KINDS.values())
    core.atomic = Atomic(combine, kind, str(core.site(frame)))
    record_register(core, frame, op, (("atomic", str(core.atomic)),))


def _declared(name: str, cpp: str, combine: AtomicOp | None, doc: str) -> SetAtomic:
    return SetAtomic(name=name, cpp=cpp, unit="S", doc=doc, combine=combine)


set_atomic_add = _declared(
    "set_atomic_add", "SetAtomicAdd", AtomicOp.ATOMIC_SUM, "Stores to global memory add to what is there."
)
set_atomic_max = _declared(
    "set_atomic_max", "SetAtomicMax", AtomicOp.ATOMIC_MAX, "Stores to global memory keep the larger."
)
set_atomic_min = _declared(
    "set_atomic_min", "SetAtomicMin", AtomicOp.ATOMIC_MIN, "Stores to global memory keep the smaller."
)
set_atomic_type = _declared("set_atomic_type", "SetAtomicType", None, "The element type of atomic stores.")
set_atomic_none = SetAtomicNone(
    name="set_atomic_none",
    cpp="SetAtomicNone",
    unit="S",
    doc="Stores to global memory replace what is there again.",
)
set_store_atomic_config = SetStoreAtomicConfig(
    name="set_store_atomic_config",
    cpp="SetStoreAtomicConfig",
    unit="S",
    doc="Element type and operation of atomic stores; ``ATOMIC_NONE`` turns them off.",
)
get_store_atomic_config = GetStoreAtomicConfig(
    name="get_store_atomic_config",
    cpp="GetStoreAtomicConfig",
    unit="S",
    doc="Element type and operation of atomic stores, as numbers of AtomicDtype and AtomicOp.",
)

__all__ = [
    "get_store_atomic_config",
    "set_atomic_add",
    "set_atomic_max",
    "set_atomic_min",
    "set_atomic_none",
    "set_atomic_type",
    "set_store_atomic_config",
]
