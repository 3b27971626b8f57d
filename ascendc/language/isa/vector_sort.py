"""``sort32``: runs of 32 scores, each with its index, as sorted records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..core import current
from ..dtypes import float16, float32, uint32
from ..memory import LocalTensor
from ..program import Footprint, Space
from ..site import kernel_frame
from .passes import check_repeat, plain_repeat
from .records import BYTES, made, order
from .vector import Array, Plan, VectorOp, kind_of

_RUN = 32
"""Records that ``sort32`` sorts in one repeat."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Sort32(VectorOp):
    """Sort runs of 32 scores, each with its index.

    Attributes:
        compute: the bytes of records, from rows of scores and of indices.
    """

    compute: Callable[[Array, Array], Array]

    def __call__(self, dst: LocalTensor, src0: LocalTensor, src1: LocalTensor, repeat_time: int) -> None:
        """``sort32(dst, scores, indices, repeat_time)``."""
        core, frame, tensors = current(), kernel_frame(), (dst, src0, src1)
        repeat_time = plain_repeat(core, self.name, repeat_time)
        key = (self, id(frame.f_code), frame.f_lasti, core.stage, repeat_time, *map(kind_of, tensors))
        plan: Plan | None = core.plans.get(key)
        if plan is None:
            self.check(core, frame, tensors)
            repeats, item = check_repeat(core, self.name, repeat_time), dst.dtype.itemsize
            sizes = (BYTES * _RUN * repeats, item * _RUN * repeats, 4 * _RUN * repeats)
            footprints = tuple(Footprint(i, Space.UB, i == 0, n) for i, n in enumerate(sizes))
            aligns = (256, item * _RUN, 4 * _RUN)
            plan = core.plans[key] = self.plan(
                *(core, frame, tensors, footprints, (("repeat", repeats),)), aligns=aligns, priced=dst.dtype
            )
        if repeat_time:
            self.issue(core, frame, plan, tensors, lambda: self._execute(tensors, repeat_time))

    def _execute(self, tensors: tuple[LocalTensor, ...], repeats: int) -> None:
        dst, scores, indices = tensors
        rows = [
            t.memory.view(t.dtype)[t.address // t.dtype.itemsize :][: repeats * _RUN].reshape(repeats, _RUN)
            for t in (scores, indices)
        ]
        records = self.compute(*rows)
        dst.memory.data[dst.address :][: records.size] = records.ravel()


def _sort32(scores: Array, indices: Array) -> Array:
    """dst = records of 32 scores and indices a repeat, by descending score; of equal ones the earlier first.

    >>> records = sort32.compute(f32(1, 3, 1)[None], u32(7, 8, 9)[None])
    >>> records.view(np.float32)[0, ::2].tolist(), records.view(np.uint32)[0, 1::2].tolist()
    ([3.0, 1.0, 1.0], [8, 7, 9])
    """
    at = order(scores)
    return made(np.take_along_axis(scores, at, -1), np.take_along_axis(indices, at, -1))


sort32 = Sort32(
    name="sort32",
    cpp="Sort32",
    unit="V",
    doc=_sort32.__doc__ or "",
    compute=_sort32,
    dtypes=((float16, float16, uint32), (float32, float32, uint32)),
    cost="sort",
    roles=("dst", "src0", "src1"),
    banked=False,
)

__all__ = ["sort32"]
