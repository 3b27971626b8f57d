"""Calls of vector instructions in the mask form, for property tests: any mask, repeats, strides and places."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

import ascendc as asc
from ascendc.language.isa.elementwise import Elementwise
from tests.block import local
from tests.converted_lanes import CONVERTED, modes
from tests.fused_lanes import FUSED
from tests.scalar_interpreter import LANES, Mask, Operand, Total, chosen, lanes_of

OPS = [op for op in asc.ISA.values() if isinstance(op, Elementwise) and op.name in LANES | FUSED | CONVERTED]
SIGNATURES = {op.name: [k for k in op.dtypes if asc.int4 not in k] for op in OPS}
"""The element types of each; int4, two to a byte, has tests of its own."""

WORD = st.integers(0, 2**64 - 1)
SCALE = 0.75
"""What int32 values are multiplied by on their way to float16."""


@dataclass(frozen=True)
class Call:
    """One call of an instruction in the mask form, with every operand's place.

    Attributes:
        scalar: its number or, of ``cast``, its round mode.
        by_register: whether the mask register says which lanes, and not the call.
    """

    op: Any
    operands: tuple[Operand, ...]
    mask: Mask
    repeats: int
    scalar: Any
    seed: int
    by_register: bool = False

    @property
    def bytes(self) -> int:
        """All of UB that matters."""
        return -(-max(map(self.end, self.operands)) // 32) * 32

    @property
    def lane(self) -> Callable[..., Any]:
        """One lane, from the numbers it reads."""
        return lane_of(self.op.name, [o.kind for o in self.operands], self.scalar)

    @property
    def lanes(self) -> list[tuple[int, int]]:
        """(repeat, lane) of all that take part."""
        return lanes_in(self.mask, self.repeats, lanes_of(self.operands))

    def end(self, operand: Operand) -> int:
        """The byte after the furthest lane."""
        return end(operand, self.mask, self.repeats, lanes_of(self.operands))

    def issue(self, short: int = -1) -> None:
        """Say it in the language; tensors end with their furthest lane, operand ``short`` an element before."""
        sizes = [(self.end(o) - o.start) // o.kind.itemsize - (i == short) for i, o in enumerate(self.operands)]
        tensors = [local(o.kind, 1, o.start) for o in self.operands]
        for made, size in zip(tensors, sizes, strict=True):
            made.set_size(size)
        prepare(self.op.name)
        mask, repeats = self.mask, self.repeats
        if isinstance(mask, Total):
            asc.set_mask_count()
            mask, repeats = mask.count, self.seed % 256  # which then says nothing
        if self.by_register:
            words = (mask,) if isinstance(mask, int) else (mask[1], mask[0])
            mode = asc.MaskMode.COUNTER if isinstance(self.mask, Total) else asc.MaskMode.NORMAL
            kind = asc.half if lanes_of(self.operands) == 128 else asc.float32
            asc.set_vector_mask(*words, dtype=kind, mode=mode)
            mask = 0
        issue(self.op, tensors, self.operands, self.scalar, (mask, repeats), is_set_mask=not self.by_register)


def prepare(name: str) -> None:
    """Set what an instruction reads besides its operands."""
    if name in CONVERTED:
        asc.set_deq_scale(SCALE)


def issue(
    op: Any, tensors: list[Any], operands: Any, scalar: Any, lanes: tuple[Any, ...], *, is_set_mask: bool = True
) -> None:
    """Say a call in the language: ``lanes`` are a mask and repeats, with the strides of ``operands``, or a count."""
    numbers = () if scalar is None else (scalar,)
    blk, rep = [o.blk for o in operands], [o.rep for o in operands]
    strides: tuple[Any, ...] = ()
    if len(lanes) == 2:
        strides = {
            1: lambda: (blk[0], rep[0]),
            2: lambda: (asc.UnaryRepeatParams(*blk, *rep),),
            3: lambda: (asc.BinaryRepeatParams(*blk, *rep),),
        }[len(tensors)]()
    op(*tensors, *numbers, *lanes, *strides, **({} if is_set_mask else {"is_set_mask": False}))


def lane_of(name: str, kinds: list[Any], scalar: Any) -> Callable[..., Any]:
    """What an instruction does to one lane of these types, the destination's first."""
    numbers = () if scalar is None else (scalar,)
    if name in CONVERTED:
        return lambda *values: CONVERTED[name](kinds, SCALE, *values, *numbers)
    if name in FUSED:
        return lambda *values: FUSED[name](kinds, *values, *numbers)
    return lambda *values: LANES[name](*values, *numbers)


def lanes_in(mask: Mask, repeats: int, lanes: int) -> list[tuple[int, int]]:
    """(repeat, lane) of all that take part, where a repeat has ``lanes``."""
    return [(repeat, lane) for repeat in range(repeats) for lane in chosen(mask, lanes, repeat)]


def end(operand: Operand, mask: Mask, repeats: int, lanes: int) -> int:
    """The byte after the furthest lane, or that of the first repeat if there is none."""
    furthest = (operand.address(*lane) for lane in lanes_in(mask, max(repeats, 1), lanes))
    return max(furthest, default=operand.start) + operand.kind.itemsize


@st.composite
def calls(draw: st.DrawFn, *, apart: bool) -> Call:
    """A call; with ``apart`` its operands do not meet."""
    op = draw(st.sampled_from(OPS))
    kinds = [k.numpy for k in draw(st.sampled_from(SIGNATURES[op.name]))]
    lanes = 256 // max(k.itemsize for k in kinds)
    mask: Mask = draw(
        st.one_of(
            st.sampled_from([lanes, 1]),
            st.integers(0, lanes),
            st.tuples(WORD, WORD).map(lambda words: _bits(words, lanes)),
            st.integers(0, 5 * lanes).map(Total),
        )
    )
    repeats = -(-mask.count // lanes) if isinstance(mask, Total) else draw(st.integers(0, 5))
    operands, free = [], 0
    for kind in kinds:
        start = free if apart else 32 * draw(st.integers(0, 20))
        blk = draw(st.sampled_from([0, 1, 1, 2, 3, 8] if operands else [1, 1, 2, 3, 8]))
        operands.append(Operand(start, kind, blk, draw(st.sampled_from([0, 1, 4, 7, 8, 8, 9, 255]))))
        free = -(-end(operands[-1], mask, repeats, lanes) // 32) * 32
    scalar, seed = draw(scalars(op, kinds)), draw(st.integers(0, 2**32))
    return Call(op, tuple(operands), mask, repeats, scalar, seed, draw(st.booleans()))


def _bits(words: tuple[int, int], lanes: int) -> list[int]:
    return [words[0] & (1 << min(lanes, 64)) - 1, words[1] if lanes == 128 else 0]


def scalars(op: Any, kinds: list[Any]) -> st.SearchStrategy[Any]:
    """What comes after the operands: nothing, a number, or a round mode."""
    kind = kinds[-1]
    if op.name == "cast":
        return st.sampled_from(modes(kinds))
    if not op.immediates:
        return st.none()
    if kind.kind in "iu":
        limits = np.iinfo(kind)
        if op.name.startswith("shift"):
            return st.integers(0, 8 * kind.itemsize)
        return st.integers(int(limits.min), int(limits.max))
    return st.sampled_from([0.0, 1.0, -2.5, 0.1, 1e-4, 60000.0, np.inf, np.nan]).map(lambda v: float(kind.type(v)))
