"""Calls of vector instructions in the mask form, for property tests: any mask, repeats, strides and places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

import ascendc as asc
from ascendc.language.isa.elementwise import Elementwise
from tests.block import local
from tests.fused_lanes import FUSED
from tests.scalar_interpreter import LANES, Mask, Operand, chosen, lanes_of

OPS = [op for op in asc.ISA.values() if isinstance(op, Elementwise) and op.name in LANES | FUSED]
WORD = st.integers(0, 2**64 - 1)


@dataclass(frozen=True)
class Call:
    """One call of an instruction in the mask form, with every operand's place."""

    op: Any
    operands: tuple[Operand, ...]
    mask: Mask
    repeats: int
    scalar: Any
    seed: int

    @property
    def bytes(self) -> int:
        """All of UB that matters."""
        return -(-max(map(self.end, self.operands)) // 32) * 32

    def end(self, operand: Operand) -> int:
        """The byte after the furthest lane."""
        return end(operand, self.mask, self.repeats, lanes_of(self.operands))

    def issue(self, short: int = -1) -> None:
        """Say it in the language; tensors end with their furthest lane, operand ``short`` an element before."""
        sizes = [(self.end(o) - o.start) // o.kind.itemsize - (i == short) for i, o in enumerate(self.operands)]
        tensors = [local(o.kind, 1, o.start) for o in self.operands]
        for made, size in zip(tensors, sizes, strict=True):
            made.set_size(size)
        blk, rep = [o.blk for o in self.operands], [o.rep for o in self.operands]
        match len(tensors):
            case 1:
                self.op(tensors[0], self.scalar, self.mask, self.repeats, blk[0], rep[0])
            case 2:
                numbers = () if self.scalar is None else (self.scalar,)
                self.op(*tensors, *numbers, self.mask, self.repeats, asc.UnaryRepeatParams(*blk, *rep))
            case _:
                self.op(*tensors, self.mask, self.repeats, asc.BinaryRepeatParams(*blk, *rep))


def end(operand: Operand, mask: Mask, repeats: int, lanes: int) -> int:
    """The byte after the furthest lane."""
    last = (operand.address(max(repeats - 1, 0), lane) for lane in chosen(mask, lanes))
    return max(last, default=operand.start) + operand.kind.itemsize


@st.composite
def calls(draw: st.DrawFn, *, apart: bool) -> Call:
    """A call; with ``apart`` its operands do not meet."""
    op = draw(st.sampled_from(OPS))
    kinds = [k.numpy for k in draw(st.sampled_from(op.dtypes))]
    lanes = 256 // max(k.itemsize for k in kinds)
    mask: Mask = draw(
        st.one_of(
            st.sampled_from([lanes, 1]),
            st.integers(0, lanes),
            st.tuples(WORD, WORD).map(lambda words: _bits(words, lanes)),
        )
    )
    repeats, operands, free = draw(st.integers(0, 5)), [], 0
    for kind in kinds:
        start = free if apart else 32 * draw(st.integers(0, 20))
        blk = draw(st.sampled_from([0, 1, 1, 2, 3, 8] if operands else [1, 1, 2, 3, 8]))
        operands.append(Operand(start, kind, blk, draw(st.sampled_from([0, 1, 4, 7, 8, 8, 9, 255]))))
        free = -(-end(operands[-1], mask, repeats, lanes) // 32) * 32
    return Call(op, tuple(operands), mask, repeats, _scalar(draw, op, kinds[-1]), draw(st.integers(0, 2**32)))


def _bits(words: tuple[int, int], lanes: int) -> list[int]:
    return [words[0] & (1 << min(lanes, 64)) - 1, words[1] if lanes == 128 else 0]


def _scalar(draw: st.DrawFn, op: Any, kind: Any) -> Any:
    if not op.immediates:
        return None
    if kind.kind in "iu":
        limits = np.iinfo(kind)
        if op.name.startswith("shift"):
            return draw(st.integers(0, 8 * kind.itemsize))
        return draw(st.integers(int(limits.min), int(limits.max)))
    return kind.type(draw(st.sampled_from([0.0, 1.0, -2.5, 0.1, 1e-4, 60000.0, np.inf, np.nan]))).item()
