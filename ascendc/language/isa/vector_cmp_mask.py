"""The register of 128 bits that ``compare`` can write and ``select`` reads: to UB and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core import Core, current
from ..dtypes import DTYPES
from ..errors import UninitializedError, UsageError
from ..memory import LocalTensor
from ..program import Footprint, Space
from ..site import kernel_frame
from .operands import bind
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

    def __call__(self, *args: LocalTensor, **kwargs: LocalTensor) -> None:
        """``get_cmp_mask(dst)``, ``set_cmp_mask(src)``."""
        core, frame = current(), kernel_frame()
        (tensor,), rest = bind(core, self.name, self.roles, args, kwargs)
        if more := len(rest[0]) + len(rest[1]):
            core.fail(UsageError, f"{self.name}: takes {self.roles[0]} alone, got {more} more")
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


def _move(name: str, cpp: str, role: str, doc: str) -> Any:
    kinds = same(*DTYPES.values(), operands=1)
    writes = role == "dst"
    return MoveRegister(
        name=name, cpp=cpp, unit="V", doc=doc, dtypes=kinds, cost="simple", roles=(role,), writes=writes
    )


get_cmp_mask = _move("get_cmp_mask", "GetCmpMask", "dst", "dst = the 16 bytes of the compare register.")
set_cmp_mask = _move("set_cmp_mask", "SetCmpMask", "src", "The compare register = the first 16 bytes of src.")

__all__ = ["get_cmp_mask", "set_cmp_mask"]
