"""What the instructions share that reduce a whole tensor: one call, its temporary buffer, its rounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..access import need_bytes
from ..core import Core
from ..enums import HardEvent, ReduceOrder
from ..errors import OverlapError, WorkspaceError
from ..memory import LocalTensor
from .forms import Masked
from .passes import check_count
from .reduction import Reduction
from .reduction_rows import Rows, counted_rows, masked_rows, plain_stride
from .vector import kind_of

if TYPE_CHECKING:
    from types import FrameType

Operands = tuple[LocalTensor, LocalTensor, LocalTensor]
TMP = "shared_tmp_buffer"
"""What the temporary buffer is called."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """What a call reduces, checked.

    Attributes:
        rows: the repeats.
        static: what they depend on.
        need: bytes of the temporary buffer.
    """

    rows: Rows
    static: tuple[Any, ...]
    need: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TensorReduction(Reduction):
    """``dst[0] = compute(all lanes)``."""

    def accept(
        self,
        core: Core,
        frame: FrameType,
        tensors: Operands,
        call: tuple[Any, Masked | None],
        need: Callable[[Rows], int],
        results: int,
    ) -> Accepted:
        """The repeats of a call that leaves ``results`` elements, with a temporary buffer that is large enough.

        Raises:
            AlignmentError: dst is not aligned to what it gets.
            OverlapError: dst lies within the temporary buffer, which the last round reads.
            RangeError: a number is out of range.
            WorkspaceError: the temporary buffer is too small.
        """
        count, masked = call
        static: tuple[Any, ...] = (count,)
        if masked is not None:
            stride = plain_stride(core, self.name, "src_rep_stride", masked.params)
            static = (masked.mask, masked.repeat_times, 1, stride)
        key = (self, "accept", id(frame.f_code), frame.f_lasti, core.stage, static, results, *map(kind_of, tensors))
        made: Accepted | None = core.plans.get(key)
        if made is None:
            self.check(core, frame, tensors)
            rows = self._rows(core, frame, tensors[1], static)
            made = core.plans[key] = Accepted(rows, static, need(rows))
        dst, src, tmp = tensors
        if tmp.nbytes < made.need:
            core.fail(
                WorkspaceError,
                f"{self.name}: {TMP} has {tmp.nbytes} B; {made.rows.count} repeats of {src.dtype}"
                f"{' with the index' if results > 1 else ''} need {made.need} B",
            )
        nbytes = dst.dtype.itemsize * results
        need_bytes(core, self.name, "dst", dst, nbytes, nbytes)
        if results == 1 and 0 < dst.address - tmp.address < made.need and dst.memory is tmp.memory:
            core.fail(
                OverlapError,
                f"{self.name}: dst UB bytes [{dst.address}, {dst.address + nbytes}) lie within those of {TMP} that are "
                f"used, [{tmp.address}, {tmp.address + made.need}); start both at one byte, or use separate buffers",
            )
        return made

    def _rows(self, core: Core, frame: FrameType, src: LocalTensor, static: tuple[Any, ...]) -> Rows:
        if len(static) > 1:
            return masked_rows(core, frame, self.name, src.dtype.itemsize, *static)
        (count,) = static
        return counted_rows(core, src.dtype.itemsize, check_count(core, self.name, count))

    def round(
        self,
        core: Core,
        frame: FrameType,
        dst: LocalTensor,
        src: LocalTensor,
        static: tuple[Any, ...],
        rows: Callable[[], Rows],
        roles: tuple[str, str],
        order: ReduceOrder = ReduceOrder.ORDER_ONLY_VALUE,
    ) -> None:
        """Fold each repeat once; rounds over the temporary buffer wait for the one before."""
        if roles[1] == TMP:
            core.auto.barrier(frame)
        self.fold(core, frame, dst, src, static, rows, order=order, roles=roles)


def tell(core: Core, frame: FrameType) -> None:
    """Let the pipes that may use a result of the scalar unit wait for it."""
    core.auto.pair(HardEvent.S_V, frame)
    core.auto.pair(HardEvent.S_MTE3, frame)


__all__ = ["TMP", "Accepted", "TensorReduction", "tell"]
