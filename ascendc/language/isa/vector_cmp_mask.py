"""The register of 128 bits that ``compare`` can write and ``select`` reads: to UB and back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..core import Core, current
from ..dtypes import DTYPES
from ..errors import UninitializedError
from ..memory import LocalTensor
from ..program import Footprint, Space
from ..site import kernel_frame
from .vector import Plan, VectorOp, kind_of, same

BYTES = 16
"""Size of the register, and what its image in UB is aligned to."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MoveRegister(VectorOp):
    """One image of the register.

    Attributes:
        writes: whether it goes to UB.
    """

    writes: bool

    def move(self, tensor: LocalTensor) -> None:
        """Copy the register to a tensor, or a tensor to it."""
        core, frame = current(), kernel_frame()
        key = (self, id(frame.f_code), frame.f_lasti, core.stage, kind_of(tensor))
        plan: Plan | None = core.plans.get(key)
        if plan is None:
            self.check(core, frame, (tensor,))
            prints = (Footprint(0, Space.UB, self.writes, BYTES),)
            plan = core.plans[key] = self.plan(core, frame, (tensor,), prints, (("repeat", 1),), aligns=(BYTES,))
        bits = read_cmp_mask(core, self.name) if self.writes else 0

        def run() -> None:
            image = tensor.memory.data[tensor.address : tensor.address + BYTES]
            if self.writes:
                image[:] = np.frombuffer(bits.to_bytes(BYTES, "little"), np.uint8)
            else:
                core.cmp_mask = int.from_bytes(image.tobytes(), "little")

        self.issue(core, frame, plan, (tensor,), run)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GetRegister(MoveRegister):
    """The register to UB."""

    def __call__(self, dst: LocalTensor) -> None:
        self.move(dst)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SetRegister(MoveRegister):
    """The register from UB."""

    def __call__(self, src: LocalTensor) -> None:
        self.move(src)


def read_cmp_mask(core: Core, call: str) -> int:
    """The register's bits.

    Raises:
        UninitializedError: nothing has written it.
    """
    if core.cmp_mask is None:
        core.fail(
            UninitializedError,
            f"{call}: nothing has written the compare register; compare without dst or set_cmp_mask fills it",
        )
    return core.cmp_mask


_KINDS = same(*DTYPES.values(), operands=1)

get_cmp_mask = GetRegister(
    name="get_cmp_mask",
    cpp="GetCmpMask",
    unit="V",
    doc="dst = the 16 bytes of the compare register.",
    dtypes=_KINDS,
    cost="simple",
    roles=("dst",),
    writes=True,
)
set_cmp_mask = SetRegister(
    name="set_cmp_mask",
    cpp="SetCmpMask",
    unit="V",
    doc="The compare register = the first 16 bytes of src.",
    dtypes=_KINDS,
    cost="simple",
    roles=("src",),
    writes=False,
)

__all__ = ["get_cmp_mask", "set_cmp_mask"]
