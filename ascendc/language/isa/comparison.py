"""What vector comparisons share: whole repeats of lanes in, one bit for each lane out.

A repeat is always compared whole, whatever the mask says, and leaves its bits behind those of the repeat
before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ..block import BLOCK
from ..classes import need_class
from ..core import Core
from ..dtypes import int32
from ..enums import CMPMODE
from ..errors import AlignmentError, DtypeError
from ..hardware import HardwareSpec
from ..memory import LocalTensor
from ..program import Footprint, Space, Template
from .banks import read_cycles
from .elementwise import leave_mask
from .forms import CONTIGUOUS, Masked
from .geometry import Layout
from .lanes import Lanes, parse_mask
from .passes import check_count, check_repeat, check_strides
from .vector import Array, Plan, VectorOp, kind_of

if TYPE_CHECKING:
    from types import FrameType

TESTS: dict[CMPMODE, Callable[[Array, Array], Array]] = {
    CMPMODE.LT: np.less,
    CMPMODE.GT: np.greater,
    CMPMODE.EQ: np.equal,
    CMPMODE.LE: np.less_equal,
    CMPMODE.GE: np.greater_equal,
    CMPMODE.NE: np.not_equal,
}
"""The comparisons.  NaN is unlike everything, itself included; both zeros are alike."""
_CONTIGUOUS = (1, 8)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Comparison(VectorOp):
    """Bit i of ``dst`` = ``compute(lane i of the first source, …)``.

    Attributes:
        compute: the comparison on NumPy lanes: two sources and the mode.
    """

    compute: Callable[..., Array]

    def pack(
        self,
        core: Core,
        frame: FrameType,
        tensors: tuple[LocalTensor, ...],
        mode: CMPMODE,
        call: tuple[Any, Masked | None],
        strides: tuple[tuple[Any, Any], ...],
        scalars: tuple[Any, ...] = (),
    ) -> None:
        """Compare whole repeats of the sources, (block, repeat) ``strides`` apart, and write the bits."""
        need_class(core, self.name, "cmp_mode", mode, CMPMODE)
        count, masked = call
        if masked is None:
            leave_mask(core, frame, self.name)
        static = (count,) if masked is None else (masked.mask, masked.repeat_times, strides)
        place = (self, id(frame.f_code), frame.f_lasti, core.stage)
        key = (*place, mode, static, *map(kind_of, tensors))
        made: tuple[Plan, tuple[Layout, ...]] | str | None = core.plans.get(key)
        if made is None:
            made = core.plans[key] = self._plan(core, frame, tensors, mode, call, strides)
        if isinstance(made, str):
            return
        plan, layouts = made
        dst = tensors[0]

        def run() -> None:
            lanes = [layout.load(t.memory, t.dtype, t.address) for layout, t in zip(layouts, tensors[1:], strict=True)]
            bits = np.packbits(self.compute(*lanes, *scalars, mode).reshape(-1), bitorder="little")
            dst.memory.data[dst.address : dst.address + len(bits)] = bits

        self.issue(core, frame, plan, tensors, run, tuple(map(float, scalars)))

    def _plan(
        self,
        core: Core,
        frame: FrameType,
        tensors: tuple[LocalTensor, ...],
        mode: CMPMODE,
        call: tuple[Any, Masked | None],
        strides: tuple[tuple[Any, Any], ...],
    ) -> tuple[Plan, tuple[Layout, ...]] | str:
        self.check(core, frame, tensors)
        check_mode(core, self.name, mode, tensors[1])
        item = tensors[1].dtype.itemsize
        width = core.spec.vector.repeat_bytes // item
        count, masked = call
        if masked is None:
            repeats, strides = whole_repeats(core, self.name, tensors[1], count), (_CONTIGUOUS,) * (len(tensors) - 1)
            params: tuple[tuple[str, Any], ...] = (("count", int(count)), ("mode", mode.name))
        else:
            parse_mask(core, self.name, masked.mask, width)
            repeats = check_repeat(core, self.name, masked.repeat_times)
            strides = (_CONTIGUOUS,) * len(strides) if masked.params is CONTIGUOUS else strides
            params = (("repeat", repeats), ("mode", mode.name))
        checked = [check_strides(core, self.name, r, *s) for r, s in zip(self.roles[1:], strides, strict=True)]
        if not repeats:
            return "nothing to do"
        layouts = tuple(Layout(Lanes.first(width), item, repeats, *s, BLOCK // item) for s in checked)
        reads = [f for i, layout in enumerate(layouts, 1) for f in layout.footprints(i, write=False)]
        write = Footprint(0, Space.UB, True, repeats * width // 8)
        return self.plan(core, frame, tensors, (write, *reads), params, priced=tensors[1].dtype), layouts

    def address_class(self, template: Template, addresses: Sequence[int], spec: HardwareSpec) -> Fraction:
        """Only the sources meet: what is written is a sixteenth of them or less."""
        two = template.operands[-1] == "src1"
        return read_cycles(addresses[-2], addresses[-1], spec) if two else Fraction(0)


def check_mode(core: Core, call: str, mode: CMPMODE, source: LocalTensor) -> None:
    """Check that a source can be compared this way.

    Raises:
        DtypeError: its elements cannot.
    """
    if source.dtype is int32 and mode is not CMPMODE.EQ:
        core.fail(DtypeError, f"{call}: int32 has no {mode.name}; there is: EQ; cast to float32 for the others")


def whole_repeats(core: Core, call: str, source: LocalTensor, count: Any) -> int:
    """The repeats that ``count`` elements are.

    Raises:
        RangeError: it is no number of elements.
        AlignmentError: the last repeat would not be whole.
    """
    elements = check_count(core, call, count)
    width = core.spec.vector.repeat_bytes // source.dtype.itemsize
    if elements % width:
        core.fail(
            AlignmentError,
            f"{call}: count {elements} of {source.dtype} is {elements * source.dtype.itemsize} B, not a multiple of "
            f"{core.spec.vector.repeat_bytes}; compare {-(-elements // width) * width} elements, with room for them",
        )
    return elements // width


__all__ = ["TESTS", "Comparison", "check_mode", "whole_repeats"]
