"""One block while its kernel runs: its local memories, its flags, and the rows it records.

The current core is ambient: a kernel says ``asc.add(…)``, not ``core.add(…)``.  :func:`current` is the one
place that reads it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from types import FrameType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from .atomic import Atomic
from .autosync import AutoSync
from .claims import Claims
from .enums import TPosition
from .errors import AscendError, PositionError, RangeError, UsageError
from .events import Events
from .findings import Remarks
from .mask import FULL, MaskRegister
from .numbers import is_whole
from .program import Recorder, Site, Space, Template
from .site import kernel_frame, site_of

if TYPE_CHECKING:
    from .compare import Tally
    from .dtypes import DataType
    from .global_memory import GlobalAddress
    from .hardware import CoreKind, HardwareSpec, Memory
    from .memory import LocalTensor
    from .tpipe import TPipe

POISON = 0xFF
"""Every byte of fresh local memory: NaN in each float type, -1 in each signed one."""

_ONES = memoryview(b"\1" * (1 << 20))
_ZEROS = memoryview(bytes(1 << 20))


class LocalMemory:
    """One memory of one core: its bytes, and a shadow that knows which of them were ever written.

    Attributes:
        space: which memory.
        spec: its sizes and alignment.
        data: the bytes, as uint8.
        shadow: one byte for each: 1 once written.
    """

    __slots__ = ("_mask", "_views", "data", "shadow", "space", "spec")

    def __init__(self, space: Space, spec: Memory) -> None:
        self.space, self.spec = space, spec
        self.data = np.full(spec.bytes, POISON, np.uint8)
        self.shadow = bytearray(spec.bytes)
        self._mask = memoryview(self.shadow)
        self._views: dict[DataType, NDArray[Any]] = {}

    def view(self, dtype: DataType) -> NDArray[Any]:
        """The whole memory as elements of ``dtype``."""
        found = self._views.get(dtype)
        if found is None:
            found = self._views[dtype] = self.data.view(dtype.numpy)
        return found

    def written(self, start: int, stop: int) -> None:
        """Note that these bytes hold something now."""
        self._mask[start:stop] = _ONES[: stop - start]

    def forget(self, start: int, stop: int) -> None:
        """Fill these bytes with poison, as fresh memory has no content one may rely on."""
        self._mask[start:stop] = _ZEROS[: stop - start]
        self.data[start:stop] = POISON


class Lease:
    """Who may use a buffer, and since when.

    Attributes:
        usable: whether its tensors may be read and written now.
        why: if not, what happened to it.
        site: where it was taken.
    """

    __slots__ = ("__weakref__", "_end", "site", "usable", "why")

    def __init__(self, site: Site | None = None) -> None:
        self.usable, self.why, self.site = True, "", site
        self._end: Site | None = None

    def end(self, why: str, site: Site) -> None:
        """Make its tensors unusable from line ``site`` on."""
        self.usable, self.why, self._end = False, why, site

    @property
    def reason(self) -> str:
        """Why it is not usable, with the line."""
        return f"{self.why} at {self._end}" if self._end else self.why


class Core:
    """One block while its kernel runs.

    Attributes:
        spec: the chip.
        kind: name of its kind of core, ``aiv`` …; ``chip`` is that kind's description.
        kernel: name of the kernel.
        index, count: this block's number, and how many there are.
        rec: what it issued so far.
        plans: checked calls by call site and static arguments, shared by all blocks of the launch.
        stage: the stage the kernel is in, or nothing.
        events: flags and their ids.
        claims: who has which bytes of local memory.
        auto: automatic ordering of vector and scalar accesses.
        lease: of all tensors that no queue owns.
        pipe: the one TPipe, once made.
        pause: gives the turn to the other blocks before an address is read; the launch sets it.
        live: tensors of each position that queues have handed out.
        pad_value: what set_pad_value was last given.
        gathered: how many elements the last gather_mask kept.
        merged: how many records of each list the last mrg_sort took.
        atomic: how stores to global memory combine with what is there, or nothing.
        mask: what the mask register holds.
        counting: the line that last put it into counter mode, or nothing.
        cmp_mask: the bits compare last left for select, or nothing.
        deq_scale: what set_deq_scale was last given: a scale, a word, or the tensor of 16 words.
        workspace: what set_sys_workspace was last given, or nothing.
        comparisons: of stages, by name, shared by all blocks of the launch.
    """

    def __init__(
        self,
        *,
        spec: HardwareSpec,
        kind: str,
        kernel: str,
        index: int,
        count: int,
        rec: Recorder,
        plans: dict[Any, Any],
        auto_sync: bool,
        remarks: Remarks,
        comparisons: dict[str, Tally],
    ) -> None:
        self.spec, self.kind, self.kernel, self.index, self.count = spec, kind, kernel, index, count
        self.chip: CoreKind = spec.core[kind]
        self.rec, self.plans = rec, plans
        self.stage = ""
        self.auto = AutoSync(self, enabled=auto_sync)
        self.events = Events(self)
        self.claims = Claims(self)
        self.lease = Lease()
        self.pipe: TPipe | None = None
        self.pause: Callable[[int], None] = _nobody_else
        self.live: dict[TPosition, int] = {}
        self.pad_value: float | None = None
        self.gathered = 0
        self.merged = (0, 0, 0, 0)
        self.atomic: Atomic | None = None
        self.mask: MaskRegister = FULL
        self.counting: Site | None = None
        self.cmp_mask: int | None = None
        self.deq_scale: np.float16 | int | LocalTensor | None = None
        self.workspace: GlobalAddress | None = None
        self.comparisons = comparisons
        self._remarks = remarks
        self._memories: dict[str, LocalMemory] = {}

    def memory(self, position: TPosition) -> LocalMemory:
        """The memory that ``position`` is on this core.

        Raises:
            PositionError: this kind of core has no such position.
        """
        if not isinstance(position, TPosition):
            self.fail(PositionError, f"a position must be a TPosition, as TPosition.VECIN, got {position!r}")
        name = self.chip.positions.get(position)
        if name is None:
            there = ", ".join(p.name for p in self.chip.positions)
            self.fail(PositionError, f"{position.name} is no position of an {self.kind} core; there are: {there}")
        found = self._memories.get(name)
        if found is None:
            found = self._memories[name] = LocalMemory(Space[name.upper()], self.chip.memory[name])
        return found

    def site(self, frame: FrameType) -> Site:
        """The line ``frame`` is at; keeps its code alive, because plans know it by identity."""
        key = (id(frame.f_code), frame.f_lasti)
        found: tuple[Site, object] | None = self.plans.get(key)
        if found is None:
            found = self.plans[key] = (site_of(frame), frame.f_code)
        return found[0]

    def template(self, key: Any, make: Callable[[], Template]) -> int:
        """Number of the template with this key, made now if it is new."""
        found: int | None = self.plans.get(key)
        if found is None:
            found = self.plans[key] = self.rec.add(make())
        return found

    def whole(self, call: str, name: str, value: Any) -> int:
        """``value`` as a plain whole number.

        Raises:
            RangeError: it is none.
        """
        if not is_whole(value):
            self.fail(RangeError, f"{call}: {name} must be a whole number, got {value!r}")
        return int(value)

    def fail(self, error: type[AscendError], text: str, frame: FrameType | None = None) -> NoReturn:
        """Raise ``error`` with the kernel line and the block behind its text."""
        raise error(f"{text}\n  at {self.where(frame)}")

    def where(self, frame: FrameType | None = None) -> str:
        """``file:line in function, block i of kernel``."""
        site = site_of(frame or kernel_frame())
        return f"{site} in {site.function}, block {self.index} of {self.count} of {self.kernel}"

    def warn(self, kind: str, text: str, frame: FrameType) -> None:
        """Note something legal but surprising, once for each line and kind."""
        self.note(kind, text, (str(self.site(frame)),))

    def note(self, kind: str, text: str, lines: tuple[str, ...]) -> None:
        """As :meth:`warn`, for lines known by name."""
        self._remarks.note(kind, text, lines, self.index)

    def close(self) -> None:
        """End the block: nothing made in it may be used afterwards."""
        self.lease.usable, self.lease.why = False, "its block has ended"
        if self.atomic is not None:
            self.note(
                "atomic",
                f"atomic stores ({self.atomic}) are left on at the end of the kernel, and on the chip the next one "
                "accumulates too; call set_atomic_none() after the last store that should",
                (self.atomic.line,),
            )
        if self.mask.counts:
            self.note(
                "mask",
                "counter mode is left on at the end of the kernel, and on the chip the next one reads its masks as "
                "numbers of elements; call set_mask_norm() after the last instruction that counts",
                (str(self.counting),),
            )
        if self.pipe is not None:
            self.pipe.end()
        for (event, index), site in self.events.unreturned().items():
            self.note("leak", f"{event.name} id {index} was never given back; release_event_id it", (str(site),))


def _nobody_else(address: int) -> None:
    """A block alone has nobody to give the turn to."""


_CURRENT: ContextVar[Core | None] = ContextVar("ascendc_core", default=None)


def current() -> Core:
    """The block that is running.

    Raises:
        UsageError: no kernel is running.
    """
    core = _CURRENT.get()
    if core is None:
        raise UsageError(
            "this call needs a running kernel: put it into a function under @asc.kernel and launch that "
            "with kernel[blocks](…)"
        )
    return core


def fail(error: type[AscendError], text: str) -> NoReturn:
    """Raise ``error``, with the kernel line behind its text if a kernel is running."""
    core = _CURRENT.get()
    if core is not None:
        core.fail(error, text)
    raise error(text)


def running() -> bool:
    """Whether a kernel is running."""
    return _CURRENT.get() is not None


def enter(core: Core | None) -> None:
    """Make ``core`` the current one of this context."""
    _CURRENT.set(core)
