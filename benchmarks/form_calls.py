"""How every vector instruction is called, with any mask and strides: what ``forms.py`` measures.

An instruction that nothing here fits is an error, so none can hide.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import ascendc as asc
from ascendc.language.isa.op import Op

BLOCK, REPEAT = 32, 256
Strides = tuple[tuple[int, int], ...]
FORMLESS = {"get_cmp_mask", "mrg_sort", "set_cmp_mask", "sort32", "transpose"}
"""Vector instructions without masks and without strides."""


@dataclass(frozen=True)
class How:
    """A call in a mask form.

    Attributes:
        mask: as the instruction takes it.
        repeats: how many.
        strides: (block, repeat) strides of each operand.
        flags: further keyword arguments.
    """

    mask: Any
    repeats: int
    strides: Strides
    flags: dict[str, Any] = field(default_factory=dict)


Issue = Callable[[Any, Any], None]
"""Makes a call of tensors and a count or a :class:`How`."""


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
    meets: int = 0
    outside: int = -1
    prepare: Callable[[Any], None] = lambda tensors: None


def subjects() -> Iterator[Subject]:
    """Every vector instruction, with each of its types."""
    for op in asc.ISA.values():
        if op.unit == "V" and op.name not in FORMLESS:
            for kinds in op.dtypes:  # type: ignore[attr-defined]
                yield from _family(op, kinds)
    yield from _copies()


def _family(op: Any, kinds: tuple[Any, ...]) -> Iterator[Subject]:
    family, item = type(op).__name__, kinds[0].itemsize
    lanes = REPEAT // max(k.itemsize for k in kinds)
    plain = tuple((1, k.itemsize * lanes // BLOCK) for k in kinds)
    whole = Subject(family, op.name, _named(op, kinds), kinds, ISSUES.get(family, _unknown)(op), lanes, plain)
    one = _with(whole, plain=((1, 8),), register=False)
    match family:
        case "Binary" | "BinaryCast" | "BinaryDeq":
            accumulates = op.accumulates and kinds[0].name != "int16"
            yield _with(whole, meets=2 if accumulates else 0, prepare=_scale)
        case "Cast" | "Fill" | "Scalar" | "Shift" | "Unary":
            yield _with(whole, prepare=_scale)
        case "Count" | "Copy":
            yield _with(whole, register=False)
        case "CastDeq" | "Dequant":
            one_scale = _scale if kinds[0] is asc.float16 else _word
            yield _with(whole, prepare=one_scale if len(kinds) == 2 else _scales, plain=plain[:2])
        case "Select":
            for mode in asc.SelMode:
                name, kinds_ = f"{whole.name} {mode.name[5:]}", (*kinds, asc.uint8)
                yield _with(whole, name=name, kinds=kinds_, issue=_select(op, mode))
        case "Compare" | "CompareScalar":
            yield _with(whole, lanes=REPEAT // kinds[1].itemsize, plain=((1, 8),) * (len(kinds) - 1))
        case "BlockFold" | "OldRepeatSum" | "PairSum" | "RepeatExtreme" | "RepeatSum":
            yield _with(whole, plain=((1, 1), (1, 8)), fixed=(0,), register=family != "BlockFold")
        case "ReduceSum" | "ReduceExtreme":
            yield _with(one, fixed=(0,))
            if family == "ReduceExtreme":
                yield _with(one, name=f"{whole.name} index", issue=_tensor(op, index=True), fixed=(0,))
        case "Gather":
            yield _with(one, lanes=REPEAT // item, fixed=(0,), prepare=_offsets(item))
        case "GatherBlocks":
            yield _with(one, masked=False, prepare=_offsets(BLOCK))
        case "Broadcast" | "GatherMask":
            yield _with(one, lanes=REPEAT // item, masked=False)
        case "TransData":
            yield _with(whole, plain=((1, 16), (1, 16)), fixed=(0, 1), masked=False)


def _named(op: Op, kinds: tuple[Any, ...]) -> str:
    return f"{op.name} {'/'.join(dict.fromkeys(k.name for k in kinds))}"


def _with(subject: Subject, **changes: Any) -> Subject:
    return Subject(**{**subject.__dict__, **changes})


def _unknown(op: Op) -> Issue:
    raise TypeError(f"forms.py does not know how {op.name} is called; say it in form_calls.py")


@functools.cache
def _made(kind: Any, strides: Strides) -> Any:
    return kind(*[blk for blk, _ in strides], *[rep for _, rep in strides])


def _params(kind: Any, how: How) -> Any:
    """The struct of strides, made once: what a kernel's author pays for it is not ours."""
    return _made(kind, how.strides)


def _binary(op: Any) -> Issue:
    def issue(t: Any, how: Any) -> None:
        if isinstance(how, int):
            op(*t, how)
        else:
            op(*t, how.mask, how.repeats, _params(asc.BinaryRepeatParams, how), **how.flags)

    return issue


def _unary(op: Any, *numbers: Any, tensors: int = 2, **more: Any) -> Issue:
    def issue(t: Any, how: Any) -> None:
        if isinstance(how, int):
            op(*t[:tensors], *numbers, how, **more)
        else:
            params = _params(asc.UnaryRepeatParams, how)
            op(*t[:tensors], *numbers, how.mask, how.repeats, params, **how.flags, **more)

    return issue


def _cast(op: Any) -> Issue:
    def issue(t: Any, how: Any) -> None:
        modes = _modes(t[0].dtype, t[1].dtype)
        _unary(op, modes[0])(t, how)

    return issue


def _modes(dst: Any, src: Any) -> tuple[Any, ...]:
    from ascendc.language.isa.vector_cast import _MODES  # noqa: PLC0415  nobody else asks which there are

    return _MODES[dst, src]


def _fill(op: Any) -> Issue:
    def issue(t: Any, how: Any) -> None:
        if isinstance(how, int):
            op(t[0], 1, how)
        else:
            flags = how.flags if op.name == "duplicate" else {}
            op(t[0], 1, how.mask, how.repeats, *how.strides[0], **flags)

    return issue


def _copy(op: Any) -> Issue:
    def issue(t: Any, how: Any) -> None:
        if isinstance(how, int):
            how = _whole(t, how, ((1, 8), (1, 8)))
        op(*t, how.mask, how.repeats, _params(asc.CopyRepeatParams, how))

    return issue


def _whole(t: Any, count: int, strides: Strides, kind: int = 0) -> How:
    """Whole contiguous repeats, for instructions that have no count form."""
    lanes = REPEAT // t[kind].dtype.itemsize
    return How(lanes, -(-count // lanes), strides)


def _select(op: Any, mode: Any) -> Issue:
    def issue(t: Any, how: Any) -> None:
        dst, src0, src1, bits = t
        other = 1.0 if mode is asc.SelMode.VSEL_TENSOR_SCALAR_MODE else src1
        if isinstance(how, int):
            op(dst, bits, src0, other, mode, how)
        else:
            op(dst, bits, src0, other, mode, how.mask, how.repeats, _params(asc.BinaryRepeatParams, how), **how.flags)

    return issue


def _compare(op: Any) -> Issue:
    def issue(t: Any, how: Any) -> None:
        two = len(t) == 3
        sources = t[1:] if two else (t[1], 1)
        if isinstance(how, int):
            width = REPEAT // t[1].dtype.itemsize
            op(t[0], *sources, asc.CMPMODE.EQ, -(-how // width) * width)
            return
        params = asc.BinaryRepeatParams if two else asc.UnaryRepeatParams
        made = _made(params, ((1, 1), *how.strides))
        op(t[0], *sources, asc.CMPMODE.EQ, how.mask, how.repeats, made, **how.flags)

    return issue


def _fold(op: Any) -> Issue:
    def issue(t: Any, how: Any) -> None:
        if isinstance(how, int):
            how = _whole(t, how, ((1, 1), (1, 8)), 1)
        (_, to), (blk, rep) = how.strides
        match type(op).__name__:
            case "RepeatSum" | "RepeatExtreme":
                op(t[0], t[1], how.mask, how.repeats, to, blk, rep, **how.flags)
            case "OldRepeatSum":
                op(t[0], t[1], how.repeats, how.mask, 0, blk, to, rep, **how.flags)
            case "BlockFold":
                op(t[0], t[1], how.repeats, how.mask, to, blk, rep)
            case _:
                op(t[0], t[1], how.repeats, how.mask, to, blk, rep, **how.flags)

    return issue


def _tensor(op: Any, *, index: bool = False) -> Issue:
    more = {"cal_index": True} if index else {}

    def issue(t: Any, how: Any) -> None:
        if isinstance(how, int):
            op(*t, how, **more)
        else:
            op(*t, how.mask, how.repeats, how.strides[0][1], **more)

    return issue


def _gather(op: Any) -> Issue:
    def issue(t: Any, how: Any) -> None:
        if isinstance(how, int):
            op(*t, 0, how)
        else:
            op(*t, 0, how.mask, how.repeats, how.strides[0][1])

    return issue


def _gatherb(op: Any) -> Issue:
    def issue(t: Any, how: Any) -> None:
        how = _whole(t, how, ((1, 8),)) if isinstance(how, int) else how
        op(*t, how.repeats, asc.GatherRepeatParams(*how.strides[0]))

    return issue


def _brcb(op: Any) -> Issue:
    def issue(t: Any, how: Any) -> None:
        how = _whole(t, how, ((1, 8),)) if isinstance(how, int) else how
        op(*t, how.repeats, asc.BrcbRepeatParams(*how.strides[0]))

    return issue


def _gather_mask(op: Any) -> Issue:
    def issue(t: Any, how: Any) -> None:
        how = _whole(t, how, ((1, 8),)) if isinstance(how, int) else how
        ((blk, rep),) = how.strides
        op(*t, False, 0, asc.GatherMaskParams(blk, how.repeats, rep, 1))

    return issue


def _transpose(op: Any) -> Issue:
    def issue(t: Any, how: Any) -> None:
        if isinstance(how, int):
            how = How(0, -(-how * t[0].dtype.itemsize // 512), ((1, 16), (1, 16)))
        rows = [[whole[i * BLOCK // whole.dtype.itemsize :] for i in range(16)] for whole in t]
        op(*rows, asc.TransDataTo5HDParams(False, False, how.repeats, *(rep for _, rep in how.strides)))

    return issue


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
                _move(op, outside),
                REPEAT // 2,
                plain,
                (0, 1),
                False,
            ),
            outside=outside,
        )


def _move(op: Any, outside: int) -> Issue:
    def issue(t: Any, how: Any) -> None:
        if isinstance(how, int):
            asc.data_copy(*t, how)
            return
        to, come = (rep - 8 for _, rep in how.strides)
        if op is asc.data_copy:
            op(*t, asc.DataCopyParams(how.repeats, 8, come, to))
            return
        gaps = [gap * (BLOCK if i == outside else 1) for i, gap in enumerate((to, come))]
        op(*t, asc.DataCopyExtParams(how.repeats, REPEAT, gaps[1], gaps[0]))

    return issue


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


ISSUES: dict[str, Callable[[Any], Issue]] = {
    "Binary": _binary,
    "BinaryCast": _binary,
    "BinaryDeq": _binary,
    "BlockFold": _fold,
    "Broadcast": _brcb,
    "Cast": _cast,
    "CastDeq": lambda op: _unary(op, is_vec_deq=False),
    "Compare": _compare,
    "CompareScalar": _compare,
    "Copy": _copy,
    "Count": _fill,
    "Dequant": lambda op: _unary(asc.cast_deq),
    "Fill": _fill,
    "Gather": _gather,
    "GatherBlocks": _gatherb,
    "GatherMask": _gather_mask,
    "OldRepeatSum": _fold,
    "PairSum": _fold,
    "ReduceExtreme": _tensor,
    "ReduceSum": _tensor,
    "RepeatExtreme": _fold,
    "RepeatSum": _fold,
    "Scalar": lambda op: _unary(op, 1),
    "Select": lambda op: _select(op, asc.SelMode.VSEL_CMPMASK_SPR),
    "Shift": lambda op: _unary(op, 1),
    "TransData": _transpose,
    "Unary": _unary,
}
