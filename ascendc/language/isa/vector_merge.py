"""``mrg_sort``: sorted lists of records merged into one, and how many of each list were taken."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from ..access import need_bytes, refuse_poison
from ..classes import need_class
from ..core import Core, current
from ..dtypes import float16, float32
from ..errors import AlignmentError, RangeError, UsageError
from ..hardware import HardwareSpec
from ..memory import LocalTensor
from ..numbers import is_whole
from ..params import MrgSort4Info, MrgSortSrcList
from ..program import Footprint, Space, Template
from ..site import kernel_frame
from .passes import check_repeat
from .records import BYTES, is_descending, order, scores_of
from .scalar import ScalarOp, record_register
from .vector import Array, Plan, VectorOp, kind_of

if TYPE_CHECKING:
    from types import FrameType

_LISTS = {0b11: 2, 0b111: 3, 0b1111: 4}
"""How many lists a valid_bit says there are."""

_MOST = 4095
"""Records of a list."""


@dataclass(frozen=True, slots=True)
class Merge:
    """What one call merges.

    Attributes:
        lengths: records of each list.
        repeats: how often.
        suspends: whether it stops when a list is used up.
    """

    lengths: tuple[int, ...]
    repeats: int
    suspends: bool

    @property
    def total(self) -> int:
        """Records of one repeat."""
        return sum(self.lengths)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MrgSort(VectorOp):
    """Merge two to four sorted lists of records.

    Attributes:
        compute: numbers of the records in order, from the scores of each list; whether it suspends.
    """

    compute: Callable[..., NDArray[np.intp]]

    @overload
    def __call__(
        self,
        dst: LocalTensor,
        sort_list: MrgSortSrcList,
        element_count_list: list[int],
        sorted_num: list[int],
        valid_bit: int,
        repeat_time: int,
        is_exhausted_suspension: bool = False,
    ) -> None: ...

    @overload
    def __call__(self, dst: LocalTensor, sort_list: MrgSortSrcList, params: MrgSort4Info) -> None: ...

    def __call__(self, dst: Any, sort_list: Any, *args: Any, **kwargs: Any) -> None:
        """With one MrgSort4Info, or with its fields and a list that receives how many records were taken."""
        core, frame = current(), kernel_frame()
        info, taken = self._arguments(core, args, kwargs)
        sources = self._sources(core, sort_list, info)
        self.check(core, frame, (dst, *sources))
        merge = self._merge(core, info, sources)
        if merge.repeats and merge.total:
            core.merged = self._run(core, frame, merge, (dst, *sources))
        if taken is not None:
            core.auto.drain_vector(frame)
            record_register(core, frame, get_mrg_sort_result)
            taken[:] = core.merged[: max(len(taken), len(sources))]

    def _arguments(
        self, core: Core, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[MrgSort4Info, list[int] | None]:
        if len(args) + len(kwargs) == 1:
            info = args[0] if args else kwargs.get("params")
            return need_class(core, self.name, "params", info, MrgSort4Info), None
        names = ("element_count_list", "sorted_num", "valid_bit", "repeat_time", "is_exhausted_suspension")
        given = {"is_exhausted_suspension": False, **dict(zip(names, args, strict=False)), **kwargs}
        if len(args) > len(names) or given.keys() != set(names):
            core.fail(UsageError, f"{self.name}: after sort_list comes a MrgSort4Info, or {', '.join(names)}")
        counts, taken, bits, repeats, suspends = (given[n] for n in names)
        if not isinstance(taken, list):
            core.fail(UsageError, f"{self.name}: sorted_num must be a list, which receives the numbers, got {taken!r}")
        return MrgSort4Info(counts, suspends, bits, repeats), taken

    def _sources(self, core: Core, lists: Any, info: MrgSort4Info) -> tuple[LocalTensor, ...]:
        if not is_whole(info.valid_bit) or info.valid_bit not in _LISTS:
            core.fail(
                RangeError,
                f"{self.name}: valid_bit must be 3, 7 or 15 for the first two, three or four lists, "
                f"got {info.valid_bit!r}",
            )
        need_class(core, self.name, "sort_list", lists, MrgSortSrcList)
        if isinstance(lists.dtype, LocalTensor):
            core.fail(
                UsageError,
                f"{self.name}: the first field of sort_list is the element type, as MrgSortSrcList(asc.float32, src1, "
                f"src2), got {lists.dtype!r}",
            )
        return (lists.src1, lists.src2, lists.src3, lists.src4)[: _LISTS[info.valid_bit]]

    def _merge(self, core: Core, info: MrgSort4Info, sources: tuple[LocalTensor, ...]) -> Merge:
        """The numbers of a call, checked."""
        repeats, lengths = check_repeat(core, self.name, info.repeat_times), info.element_lengths
        wanted = list(lengths)[: len(sources)] if isinstance(lengths, Sequence | np.ndarray) else []
        if len(wanted) < len(sources) or not all(map(is_whole, wanted)) or not all(0 <= n <= _MOST for n in wanted):
            core.fail(
                RangeError,
                f"{self.name}: element lengths must be {len(sources)} numbers of records, 0 to {_MOST}, got {lengths}",
            )
        if repeats > 1 and (len(set(wanted)) > 1 or len(wanted) < 4 or info.if_exhausted_suspension):
            core.fail(
                RangeError,
                f"{self.name}: repeat {repeats} needs four lists of one length (valid_bit 15) and no suspension, got "
                f"lengths {lengths}, valid_bit {info.valid_bit}",
            )
        apart = [b.address - a.address for a, b in itertools.pairwise(sources)]
        if repeats > 1 and set(apart) != {wanted[0] * BYTES}:
            core.fail(
                AlignmentError,
                f"{self.name}: repeat {repeats} needs lists that follow each other, {wanted[0] * BYTES} B apart, "
                f"got {apart}",
            )
        return Merge(tuple(map(int, wanted)), repeats, bool(info.if_exhausted_suspension))

    def _run(
        self, core: Core, frame: FrameType, merge: Merge, tensors: tuple[LocalTensor, ...]
    ) -> tuple[int, int, int, int]:
        """Execute and record; give how many records of each list were taken."""
        key = (self, id(frame.f_code), frame.f_lasti, core.stage, merge, *map(kind_of, tensors))
        kind, sources = tensors[0].dtype.numpy, tensors[1:]
        for i, source in enumerate(sources):
            self._need_filled(core, i + 1, source, merge)
        records, taken = [], [0, 0, 0, 0]
        for repeat in range(merge.repeats):
            lists = [_records(t, repeat * merge.total, n) for t, n in zip(sources, merge.lengths, strict=True)]
            scores = [scores_of(each, kind) for each in lists]
            for i, each in enumerate(scores):
                self._check_sorted(core, i + 1, each)
            at = self.compute(scores, suspends=merge.suspends)
            records.append(np.concatenate(lists)[at])
            owner = np.searchsorted(np.cumsum(merge.lengths), at, "right")
            taken = [t + int(np.count_nonzero(owner == i)) for i, t in enumerate(taken)]
        out = np.concatenate(records)
        plan = self._plan(core, frame, (key, out.size), merge, tensors)
        dst = tensors[0]

        def run() -> None:
            dst.memory.data[dst.address : dst.address + out.size] = out.ravel()

        self.issue(core, frame, plan, tensors, run)
        a, b, c, d = taken
        return a, b, c, d

    def _plan(
        self, core: Core, frame: FrameType, key: tuple[Any, int], merge: Merge, tensors: tuple[LocalTensor, ...]
    ) -> Plan:
        found: Plan | None = core.plans.get(key)
        if found is None:
            again = ((merge.repeats, merge.total * BYTES),) if merge.repeats > 1 else ()
            footprints = (
                Footprint(0, Space.UB, True, key[1]),
                *(Footprint(i, Space.UB, False, n * BYTES, 0, again) for i, n in enumerate(merge.lengths, 1) if n),
            )
            params = (("lengths", merge.lengths), ("repeat", merge.repeats), ("records", key[1] // BYTES))
            found = core.plans[key] = self.plan(
                *(core, frame, tensors, footprints, params),
                aligns=(32, *(BYTES,) * (len(tensors) - 1)),
                roles=self.roles[: len(tensors)],
            )
        return found

    def _need_filled(self, core: Core, number: int, source: LocalTensor, merge: Merge) -> None:
        role, nbytes = self.roles[number], merge.lengths[number - 1] * BYTES
        reach = (merge.repeats - 1) * merge.total * BYTES + nbytes
        need_bytes(core, self.name, role, source, reach, BYTES)
        for repeat in range(merge.repeats):
            start = source.address + repeat * merge.total * BYTES
            if source.memory.shadow.find(0, start, start + nbytes) >= 0:
                refuse_poison(core, self.name, role, source, start, start + nbytes)

    def _check_sorted(self, core: Core, number: int, scores: Array) -> None:
        if not is_descending(scores):
            at = int(np.argmax(scores[1:] > scores[:-1])) + 1
            core.fail(
                UsageError,
                f"{self.name}: {self.roles[number]} is not sorted: record {at} has score {scores[at]}, the one before "
                f"it {scores[at - 1]}; sort32 its records first, and give lengths in records",
            )

    def repeats(self, template: Template, spec: HardwareSpec) -> int:
        records = int(dict(template.params)["records"])
        return -(-records * BYTES // spec.vector.repeat_bytes)


def _records(tensor: LocalTensor, first: int, count: int) -> Array:
    """Records of a tensor as bytes, one row each."""
    start = tensor.address + first * BYTES
    return tensor.memory.data[start : start + count * BYTES].reshape(-1, BYTES)


def _mrg_sort(lists: list[Array], *, suspends: bool) -> NDArray[np.intp]:
    """dst = the records of two to four sorted lists in order; of equal ones those of the earlier list first.

    >>> mrg_sort.compute([f32(5, 1), f32(5, 3)], suspends=False).tolist()
    [0, 2, 3, 1]
    >>> mrg_sort.compute([f32(5, 1), f32(5, 3)], suspends=True).tolist()
    [0, 2, 3]
    """
    at = order(np.concatenate(lists))
    if suspends:
        ends = np.cumsum([len(each) for each in lists])
        used_up = [
            int(np.flatnonzero(at == end - 1)[0]) + 1 for each, end in zip(lists, ends, strict=True) if len(each)
        ]
        at = at[: min(used_up) if len(used_up) == len(lists) else 0]
    return at


mrg_sort = MrgSort(
    name="mrg_sort",
    cpp="MrgSort",
    unit="V",
    doc=_mrg_sort.__doc__ or "",
    compute=_mrg_sort,
    dtypes=((float16,) * 5, (float32,) * 5),
    cost="merge",
    roles=("dst", "src1", "src2", "src3", "src4"),
    banked=False,
)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class MrgSortResult(ScalarOp):
    """Read the register that ``mrg_sort`` leaves its counts in."""

    def __call__(self) -> tuple[int, int, int, int]:
        core, frame = current(), kernel_frame()
        if core.auto.enabled:
            core.auto.drain_vector(frame)
        record_register(core, frame, self)
        return core.merged


get_mrg_sort_result = MrgSortResult(
    name="get_mrg_sort_result",
    cpp="GetMrgSortResult",
    unit="S",
    doc="How many records of each list the last ``mrg_sort`` took.",
)

__all__ = ["get_mrg_sort_result", "mrg_sort"]
