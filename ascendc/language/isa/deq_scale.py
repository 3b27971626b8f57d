"""What the dequantising instructions scale by: one register, set in three forms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from ..access import need_dtype, need_local, refuse
from ..classes import need_class
from ..core import Core, current
from ..dtypes import float16, uint64
from ..errors import RangeError, UsageError
from ..memory import LocalTensor
from ..params import VdeqInfo
from ..site import kernel_frame
from .dequant import OFFSETS, packed
from .operands import one_form
from .scalar import ScalarOp, check_number, record_register, scalar_of
from .vector import UB

SCALES = 16
"""Words that ``set_deq_scale`` puts into a tensor: lane k of a block takes word k."""

_FORMS = (("scale",), ("scale", "offset", "sign_mode"), ("vdeq", "vdeq_info"))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SetDeqScale(ScalarOp):
    """Set what the dequantising instructions scale by."""

    @overload
    def __call__(self, scale: float) -> None: ...

    @overload
    def __call__(self, scale: float, offset: int, sign_mode: bool) -> None: ...

    @overload
    def __call__(self, vdeq: LocalTensor, vdeq_info: VdeqInfo) -> None: ...

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        core, frame = current(), kernel_frame()
        given = one_form(core, self.name, _FORMS, args, kwargs)
        if "vdeq" in given:
            self._fill(core, given["vdeq"], given["vdeq_info"])
            core.deq_scale = given["vdeq"]
        elif "offset" in given:
            core.deq_scale = self._word(core, given["scale"], given["offset"], given["sign_mode"])
        else:
            core.deq_scale = scalar_of(core, self.name, given["scale"], float16, "scale")
        record_register(core, frame, self)

    def _fill(self, core: Core, vdeq: Any, info: Any) -> None:
        """Write a word for each lane of a block into ``vdeq``, through the scalar unit."""
        need_local(core, self.name, "vdeq", vdeq, UB)
        need_dtype(core, self.name, "vdeq", vdeq, (uint64,))
        need_class(core, self.name, "vdeq_info", info, VdeqInfo)
        columns = (info.vdeq_scale, info.vdeq_offset, info.vdeq_sign_mode)
        lengths = [len(c) if isinstance(c, Sequence | np.ndarray) else 1 for c in columns]
        if lengths != [SCALES] * 3:
            told = "{} scales, {} offsets and {} sign modes".format(*lengths)
            core.fail(RangeError, f"{self.name}: vdeq_info must hold {SCALES} of each parameter, got {told}")
        words = [self._word(core, *row) for row in zip(*columns, strict=True)]
        if len(vdeq) < SCALES:
            refuse(core, self.name, "vdeq", vdeq, SCALES * uint64.itemsize)
        for i, word in enumerate(words):
            vdeq.set_value(i, word)

    def _word(self, core: Core, scale: Any, offset: Any, sign_mode: Any) -> int:
        check_number(core, self.name, "scale", scale)
        if (whole := core.whole(self.name, "offset", offset)) not in OFFSETS:
            core.fail(RangeError, f"{self.name}: offset must be {OFFSETS.start} to {OFFSETS.stop - 1}, got {whole}")
        return packed(scale, whole, bool(sign_mode))


def half_scale(core: Core, call: str) -> np.float16:
    """The scale that int32 values are multiplied by.

    Raises:
        UsageError: none was set, or one for other instructions.
    """
    if not isinstance(core.deq_scale, np.float16):
        core.fail(UsageError, f"{call}: int32 values are scaled to float16; call set_deq_scale(scale) before")
    return core.deq_scale


set_deq_scale = SetDeqScale(
    name="set_deq_scale",
    cpp="SetDeqScale",
    unit="S",
    doc="What ``cast_deq``, ``add_deq_relu`` and ``cast`` from int32 to float16 multiply by.",
)

__all__ = ["set_deq_scale"]
