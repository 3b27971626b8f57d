"""Every vector instruction with each of its types, and what there is to choose when it is called.

An instruction that nothing here fits is an error, so none can hide.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import ascendc as asc
from benchmarks.form_calls import BLOCK, COUNTLESS, ISSUES, REPEAT, Issue, Strides, move, reduce_tensor, select

FORMLESS = {"get_cmp_mask", "mrg_sort", "set_cmp_mask", "sort32", "transpose"}
"""Vector instructions without masks and without strides."""
ABSENT = {"scatter"}
"""Those the default chip does not have."""


@dataclass(frozen=True)
class Subject:
    """An instruction with its types, ready to be called.

    Attributes:
        family: class of its declaration.
        op: its name.
        name: with its types.
        kinds: element types of its tensors, destination first.
        issue: makes a call.
        lanes: of a repeat.
        plain: contiguous strides of the operands that have strides.
        fixed: operands whose block stride cannot be chosen.
        masked: whether it has a mask, and so a counter mode.
        register: whether the mask register may choose its lanes.
        counted: whether it has a count form.
        whole: whether it works on whole repeats, whatever the mask.
        meets: destination and source that may be one place when their repeat stride is 0; nothing if none may.
        outside: the operand in global memory, or −1.
        prepare: runs once before the calls.
    """

    family: str
    op: str
    name: str
    kinds: tuple[Any, ...]
    issue: Issue
    lanes: int
    plain: Strides
    fixed: tuple[int, ...] = ()
    masked: bool = True
    register: bool = True
    counted: bool = True
    whole: bool = False
    meets: int = 0
    outside: int = -1
    prepare: Callable[[Any], None] = lambda tensors: None


def subjects() -> Iterator[Subject]:
    """Every vector instruction, with each of its types."""
    for op in asc.ISA.values():
        if op.unit == "V" and op.name not in FORMLESS | ABSENT:
            for kinds in op.dtypes:  # type: ignore[attr-defined]
                yield from _family(op, kinds)
    yield from _copies()


def _family(op: Any, kinds: tuple[Any, ...]) -> Iterator[Subject]:
    family = type(op).__name__
    if family not in ISSUES:
        raise TypeError(f"forms.py does not know how {op.name} is called; say it in form_calls.py")
    lanes = REPEAT // max(k.itemsize for k in kinds)
    plain = tuple((1, k.nbytes(lanes) // BLOCK) for k in kinds)
    name = f"{op.name} {'/'.join(dict.fromkeys(k.name for k in kinds))}"
    whole = Subject(family, op.name, name, kinds, ISSUES[family](op), lanes, plain, prepare=_scale)
    if family in COUNTLESS:
        whole = _with(whole, counted=False, whole=True)
    special = _SPECIAL.get(family)
    yield from special(op, whole) if special else (whole,)


_with = dataclasses.replace


def _binary(op: Any, whole: Subject) -> Iterator[Subject]:
    accumulates = op.accumulates and whole.kinds[0] is not asc.int16
    yield _with(whole, meets=2 if accumulates else 0)


def _without_register(op: Any, whole: Subject) -> Iterator[Subject]:
    yield _with(whole, register=False)


def _dequant(op: Any, whole: Subject) -> Iterator[Subject]:
    one_scale = _scale if whole.kinds[0] is asc.float16 else _word
    yield _with(whole, prepare=one_scale if len(whole.kinds) == 2 else _scales, plain=whole.plain[:2])


def _select(op: Any, whole: Subject) -> Iterator[Subject]:
    for mode in asc.SelMode:
        name, kinds = f"{whole.name} {mode.name[5:]}", (*whole.kinds, asc.uint8)
        yield _with(whole, name=name, kinds=kinds, issue=select(op, mode))


def _compare(op: Any, whole: Subject) -> Iterator[Subject]:
    sources = whole.kinds[1:]
    yield _with(whole, lanes=REPEAT // sources[0].itemsize, plain=((1, 8),) * len(sources))


def _fold(op: Any, whole: Subject) -> Iterator[Subject]:
    yield _with(whole, plain=((1, 1), (1, 8)), fixed=(0,), register=whole.family != "BlockFold")


def _reduce_tensor(op: Any, whole: Subject) -> Iterator[Subject]:
    made = _with(whole, plain=((1, 8),), fixed=(0,), register=False, whole=True)
    yield made
    if whole.family == "ReduceExtreme":
        yield _with(made, name=f"{whole.name} index", issue=reduce_tensor(op, index=True))


def _gather(op: Any, whole: Subject) -> Iterator[Subject]:
    item = whole.kinds[0].itemsize
    yield _with(whole, plain=((1, 8),), lanes=REPEAT // item, fixed=(0,), register=False, prepare=_offsets(item))


def _blocks(op: Any, whole: Subject) -> Iterator[Subject]:
    prepare = _offsets(BLOCK) if whole.family == "GatherBlocks" else whole.prepare
    lanes = REPEAT // whole.kinds[0].itemsize
    yield _with(whole, plain=((1, 8),), lanes=lanes, masked=False, prepare=prepare)


def _transpose(op: Any, whole: Subject) -> Iterator[Subject]:
    yield _with(whole, plain=((1, 16), (1, 16)), fixed=(0, 1), masked=False)


_SPECIAL: dict[str, Callable[[Any, Subject], Iterator[Subject]]] = {
    **dict.fromkeys(("Binary", "BinaryCast", "BinaryDeq"), _binary),
    **dict.fromkeys(("CopyLanes", "Count"), _without_register),
    **dict.fromkeys(("CastDeq", "Dequant"), _dequant),
    "Select": _select,
    **dict.fromkeys(("Compare", "CompareScalar"), _compare),
    **dict.fromkeys(("BlockFold", "OldRepeatSum", "PairSum", "RepeatExtreme", "RepeatSum"), _fold),
    **dict.fromkeys(("ReduceExtreme", "ReduceSum"), _reduce_tensor),
    "Gather": _gather,
    **dict.fromkeys(("Broadcast", "GatherBlocks", "GatherMask"), _blocks),
    "TransData": _transpose,
}
"""What is not the same for all families: which operands have strides, and which of these can be chosen."""


def _copies() -> Iterator[Subject]:
    """Copies of rows, with gaps between them or without."""
    kinds, plain = (asc.float16, asc.float16), ((1, 8), (1, 8))
    for op, name, outside in (
        (asc.data_copy, "in", 1),
        (asc.data_copy, "out", 0),
        (asc.data_copy, "within", -1),
        (asc.data_copy_pad, "in", 1),
        (asc.data_copy_pad, "out", 0),
    ):
        yield Subject(
            *(
                type(op).__name__,
                op.name,
                f"{op.name} {name}",
                kinds,
                move(op, outside),
                REPEAT // 2,
                plain,
                (0, 1),
                False,
            ),
            outside=outside,
        )


def _scale(tensors: Any) -> None:
    """What those instructions multiply by that scale."""
    asc.set_deq_scale(1.0)


def _word(tensors: Any) -> None:
    asc.set_deq_scale(1.0, 0, tensors[0].dtype is asc.int8)


def _scales(tensors: Any) -> None:
    asc.set_deq_scale(tensors[-1], asc.VdeqInfo((1.0,) * 16, (0,) * 16, (True,) * 16))


def _offsets(step: int) -> Callable[[Any], None]:
    def prepare(tensors: Any) -> None:
        offsets = tensors[2]
        view = offsets.memory.view(offsets.dtype)[offsets.address // 4 :][: len(offsets)]
        source = tensors[1].nbytes // 2
        view[...] = np.arange(len(view)) * step % source

    return prepare
