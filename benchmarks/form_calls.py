"""How each family of vector instructions is called, with a count or with any mask and strides."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import ascendc as asc

BLOCK, REPEAT = 32, 256
Strides = tuple[tuple[int, int], ...]


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
        op(*t, how.mask, how.repeats, _params(asc.CopyRepeatParams, how))

    return issue


def select(op: Any, mode: Any) -> Issue:
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


def reduce_tensor(op: Any, *, index: bool = False) -> Issue:
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
        op(*t, how.repeats, asc.GatherRepeatParams(*how.strides[0]))

    return issue


def _brcb(op: Any) -> Issue:
    def issue(t: Any, how: Any) -> None:
        op(*t, how.repeats, asc.BrcbRepeatParams(*how.strides[0]))

    return issue


def _gather_mask(op: Any) -> Issue:
    def issue(t: Any, how: Any) -> None:
        ((blk, rep),) = how.strides
        op(*t, False, 0, asc.GatherMaskParams(blk, how.repeats, rep, 1))

    return issue


def _transpose(op: Any) -> Issue:
    def issue(t: Any, how: Any) -> None:
        rows = [[whole[i * BLOCK // whole.dtype.itemsize :] for i in range(16)] for whole in t]
        op(*rows, asc.TransDataTo5HDParams(False, False, how.repeats, *(rep for _, rep in how.strides)))

    return issue


def move(op: Any, outside: int) -> Issue:
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
    "CopyLanes": _copy,
    "Count": _fill,
    "Dequant": lambda op: _unary(asc.cast_deq),
    "Fill": _fill,
    "Gather": _gather,
    "GatherBlocks": _gatherb,
    "GatherMask": _gather_mask,
    "OldRepeatSum": _fold,
    "PairSum": _fold,
    "ReduceExtreme": reduce_tensor,
    "ReduceSum": reduce_tensor,
    "RepeatExtreme": _fold,
    "RepeatSum": _fold,
    "Scalar": lambda op: _unary(op, 1),
    "Select": lambda op: select(op, asc.SelMode.VSEL_CMPMASK_SPR),
    "Shift": lambda op: _unary(op, 1),
    "TransData": _transpose,
    "Unary": _unary,
}
COUNTLESS = {
    *("BlockFold", "OldRepeatSum", "PairSum", "RepeatExtreme", "RepeatSum"),
    *("Broadcast", "CopyLanes", "GatherBlocks", "GatherMask", "TransData"),
}
"""Families without a count form."""
