"""Reductions of repeats, blocks and pairs, in any shape, against one lane at a time."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from ascendc import ReduceOrder
from tests.block import local, tensor
from tests.inventory import looped
from tests.lane_loops import Lane, best, reduce_repeats, tree
from tests.reduced_lanes import content
from tests.scalar_interpreter import Mask, Operand

F16, F32 = np.float16, np.float32
DST = 1 << 13


def after(
    memory: np.ndarray[Any, Any], body: Callable[[], object], *, auto_sync: bool
) -> tuple[np.ndarray[Any, Any], asc.Program]:
    """All of UB that matters, once ``body`` has run on it, and what was recorded."""
    out: list[np.ndarray[Any, Any]] = []

    @asc.kernel
    def block() -> None:
        whole = tensor(memory, 0)
        body()
        out.append(whole.memory.data[: memory.size].copy())

    program = block.launch(1, chip="demo", hazards="off", auto_sync=auto_sync)
    return out[0], program


def touched(program: asc.Program, *, write: bool) -> set[int]:
    """Bytes of UB that the footprints of all rows cover."""
    return {
        row.addresses[f.operand] + run + b
        for row in program.blocks[0]
        for f in row.template.footprints
        if f.write is write
        for run in f.runs()
        for b in range(f.nbytes)
    }


def extreme(better: Any, order: ReduceOrder, kind: Any) -> Callable[[list[Lane]], list[Any]]:
    bits = np.dtype(f"u{kind().itemsize}").type

    def fold(lanes: list[Lane]) -> list[Any]:
        value, at = best(lanes, better)
        return {
            ReduceOrder.ORDER_VALUE_INDEX: [value, bits(at)],
            ReduceOrder.ORDER_INDEX_VALUE: [bits(at), value],
            ReduceOrder.ORDER_ONLY_VALUE: [value],
            ReduceOrder.ORDER_ONLY_INDEX: [np.uint32(at)],
        }[order]

    return fold


def masks(width: int) -> st.SearchStrategy[Mask]:
    words = st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1) if width == 128 else st.just(0))
    return st.one_of(st.integers(0, width), st.just(width), words.map(list))


@st.composite
def shapes(draw: st.DrawFn) -> tuple[Any, Mask, int, int, int, int, int]:
    """Element type, mask, repeats, strides of destination, blocks and repeats, seed."""
    kind = draw(st.sampled_from([F16, F32]))
    return (
        kind,
        draw(masks(256 // kind().itemsize)),
        draw(st.integers(0, 5)),
        draw(st.integers(0, 3)),
        draw(st.sampled_from([0, 1, 1, 1, 2, 3])),
        draw(st.sampled_from([0, 1, 7, 8, 8, 9, 40])),
        draw(st.integers(0, 2**32)),
    )


def assert_same(kind: Any, got: np.ndarray[Any, Any], wanted: np.ndarray[Any, Any]) -> None:
    """The same bytes, but for the bits of NaN."""
    nan = np.repeat(np.isnan(wanted.view(kind)) & np.isnan(got.view(kind)), kind().itemsize)
    assert ((got == wanted) | nan).all()


def check(shape: Any, span: int, fold: Any, call: Callable[..., object]) -> None:
    """Run ``call`` in the language and the loops side by side; every byte of UB and of the footprints must agree."""
    kind, mask, repeats, stride, blk, rep, seed = shape
    memory = content(kind, seed)
    wanted = memory.copy()
    written, read = reduce_repeats(wanted, DST, Operand(0, np.dtype(kind), blk, rep), mask, repeats, stride, span, fold)

    got, program = after(
        memory, lambda: call(local(kind, 2048, DST), local(kind, DST // kind().itemsize)), auto_sync=seed % 2 == 0
    )

    assert_same(kind, got, wanted)
    assert touched(program, write=True) == written
    assert touched(program, write=False) == read


REDUCTIONS: dict[str, tuple[int, Callable[[list[Lane]], list[Any]]]] = {
    "whole_reduce_sum": (256, lambda lanes: [tree(lanes)]),
    "repeat_reduce_sum": (256, lambda lanes: [tree(lanes)]),
    "whole_reduce_max": (256, lambda lanes: [best(lanes, operator.gt)[0]]),
    "whole_reduce_min": (256, lambda lanes: [best(lanes, operator.lt)[0]]),
    "block_reduce_sum": (32, lambda lanes: [tree(lanes)]),
    "block_reduce_max": (32, lambda lanes: [best(lanes, operator.gt)[0]]),
    "block_reduce_min": (32, lambda lanes: [best(lanes, operator.lt)[0]]),
    "pair_reduce_sum": (0, lambda lanes: [tree(lanes)]),
}
"""Bytes that become one number, of two lanes if 0; and how."""


def reduce(name: str, dst: Any, src: Any, mask: Any, repeats: Any, strides: tuple[int, int, int], **flags: Any) -> None:
    """Any of them, each in its own order of arguments; extremes leave the value alone."""
    first = (mask, repeats) if name.startswith("whole") else (repeats, mask)
    stride, blk, rep = strides
    middle = (1, blk, stride, rep) if name.startswith("repeat") else strides
    order = (ReduceOrder.ORDER_ONLY_VALUE,) if name in ("whole_reduce_max", "whole_reduce_min") else ()
    asc.ISA[name](dst, src, *first, *middle, *order, **flags)


@looped(*REDUCTIONS)
@given(name=st.sampled_from(sorted(REDUCTIONS)), shape=shapes(), total=st.integers(0, 700), counts=st.booleans())
@settings(max_examples=120)
def test_lanes_of_the_register_and_counted_ones(name: str, shape: Any, total: int, counts: bool) -> None:
    """With is_set_mask=False the register says which lanes; in counter mode the last repeat may have fewer."""
    kind, mask, repeats, stride, blk, rep, seed = shape
    width, (size, fold), item = 256 // kind().itemsize, REDUCTIONS[name], kind().itemsize
    span, by_register = (size // item or 2), not name.startswith("block") and seed % 2 == 0
    memory, total = content(kind, seed), min(total, 5 * width)
    wanted, source, results = memory.copy(), Operand(0, np.dtype(kind), blk, rep), width // span * item
    todo = [(mask, repeats, 0)] if not counts else [(width, total // width, 0), (total % width, 1, total // width)]
    for lanes, times, row in todo:
        at = replace(source, start=row * rep * 32)
        reduce_repeats(wanted, DST + row * stride * results, at, lanes, times, stride, span, fold)

    def body() -> None:
        dst, src = local(kind, 2048, DST), local(kind, DST // item)
        if counts:
            asc.set_mask_count()
        if by_register and counts:
            asc.set_vector_mask(total, dtype=asc.half, mode=asc.MaskMode.COUNTER)
        elif by_register:
            words = (mask,) if isinstance(mask, int) else (mask[1], mask[0])
            asc.set_vector_mask(*words, dtype=asc.half if width == 128 else asc.float32)
        flags = {"is_set_mask": False} if by_register else {}
        said = 1 if by_register else total if counts else mask
        reduce(name, dst, src, said, 7 if counts else repeats, (stride, blk, rep), **flags)

    assert_same(kind, after(memory, body, auto_sync=True)[0], wanted)


@looped("whole_reduce_sum", "repeat_reduce_sum")
@given(shape=shapes(), old=st.booleans())
@settings(max_examples=60)
def test_sums_of_repeats_are_trees_of_neighbours(shape: Any, old: bool) -> None:
    """One number a repeat, packed; in the older order of arguments dst_blk_stride says nothing."""
    kind, mask, repeats, stride, blk, rep, _ = shape

    def call(dst: Any, src: Any) -> None:
        if old:
            asc.repeat_reduce_sum(dst, src, repeats, mask, 77, blk, stride, rep)
        else:
            asc.whole_reduce_sum(dst, src, mask, repeats, stride, blk, rep)

    check(shape, 256 // kind().itemsize, lambda lanes: [tree(lanes)], call)


@looped("whole_reduce_max", "whole_reduce_min")
@given(shape=shapes(), order=st.sampled_from(ReduceOrder), largest=st.booleans())
@settings(max_examples=100)
def test_extremes_of_repeats_are_the_first_of_equals(shape: Any, order: ReduceOrder, largest: bool) -> None:
    """In all four orders, with the number of the lane in its repeat as raw bits."""
    kind, mask, repeats, stride, blk, rep, _ = shape
    op = asc.whole_reduce_max if largest else asc.whole_reduce_min
    fold = extreme(operator.gt if largest else operator.lt, order, kind)

    check(
        shape,
        256 // kind().itemsize,
        fold,
        lambda dst, src: op(dst, src, mask, repeats, stride, blk, rep, order),
    )


@looped("block_reduce_sum", "block_reduce_max", "block_reduce_min", "pair_reduce_sum")
@given(shape=shapes(), name=st.sampled_from(["sum", "max", "min", "pair"]))
@settings(max_examples=100)
def test_blocks_and_pairs_leave_gaps_where_no_lane_is(shape: Any, name: str) -> None:
    """Eight numbers a repeat for blocks, half its lanes for pairs; a fully masked group keeps the old number."""
    kind, mask, repeats, stride, blk, rep, _ = shape
    folds: dict[str, Any] = {
        "sum": lambda lanes: [tree(lanes)],
        "pair": lambda lanes: [tree(lanes)],
        "max": lambda lanes: [best(lanes, operator.gt)[0]],
        "min": lambda lanes: [best(lanes, operator.lt)[0]],
    }
    op = asc.pair_reduce_sum if name == "pair" else getattr(asc, f"block_reduce_{name}")

    check(
        shape,
        2 if name == "pair" else 32 // kind().itemsize,
        folds[name],
        lambda dst, src: op(dst, src, repeats, mask, stride, blk, rep),
    )
