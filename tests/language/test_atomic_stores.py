"""Atomic stores in every form, operation and element type, one element at a time."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from tests.block import tensor
from tests.exact import FORMATS, exact_cast
from tests.inventory import looped, worked

KINDS = ["float32", "float16", "int16", "int32", "int8", "bfloat16"]
ADD, MAX, MIN = "set_atomic_add", "set_atomic_max", "set_atomic_min"
COUNT = 256
"""Elements of the array that is stored to."""


def combined(how: str, kind: str, old: Any, new: Any) -> Any:
    """One element: sums round once or wrap, −0 is smaller than +0, NaN if either is."""
    if how != ADD:
        if math.isnan(old) or math.isnan(new):
            return math.nan
        order = lambda v: (v, -1 if str(v) == "-0.0" else 0)  # noqa: E731
        return (max if how == MAX else min)(old, new, key=order)
    if kind not in FORMATS:
        bits = 8 * np.dtype(kind).itemsize
        return (old + new + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)
    if not np.isfinite([old, new]).all() or not old + new:
        return old + new
    return exact_cast(Fraction(old) + Fraction(new), "fraction", kind, "RINT")


def numbers(kind: str, seed: int) -> np.ndarray[Any, Any]:
    """Few different ones, with those that wrap, overflow or vanish among them."""
    random, dtype = np.random.default_rng(seed), asc.dtype(kind).numpy
    if kind in FORMATS:
        pool = [0.0, -0.0, 1.0, -1.0, 0.1, 3e-5, 60000.0, np.inf, -np.inf, np.nan]
    else:
        limits = np.iinfo(dtype)
        pool = [0, 1, -1, limits.max, limits.min, 77]
    return random.choice(np.array(pool), COUNT).astype(dtype)


def stored(form: str, item: int) -> tuple[Any, list[tuple[int, int]]]:
    """A store, and (element of the array, element of the tensor) of all that it writes."""
    block = 32 // item
    if form == "count":
        return (lambda g, u: asc.data_copy(g, u, 2 * block)), [(i, i) for i in range(2 * block)]
    if form == "rows of blocks":
        rows = [(2 * block * r + i, block * r + i) for r in range(3) for i in range(block)]
        return (lambda g, u: asc.data_copy(g, u, asc.DataCopyParams(3, 1, 0, 1))), rows
    if form == "rows of bytes":
        rows = [(5 * r + i, block * r + i) for r in range(3) for i in range(3)]
        return (lambda g, u: asc.data_copy_pad(g, u, asc.DataCopyExtParams(3, 3 * item, 0, 2 * item))), rows
    if form == "slices":
        slices = [asc.SliceInfo(0, block - 1, 0, 1, block), asc.SliceInfo(0, 2, 1, 1, 3)]
        packed = [asc.SliceInfo(0, block - 1, 0, 1, block), asc.SliceInfo(0, 1, 0, 1, 2)]
        pieces = [(2 * block * r + i, block * r + i) for r in range(2) for i in range(block)]
        return (lambda g, u: asc.data_copy(g, u, slices, packed, 2)), pieces
    cells = [(20 * n + d, 16 * n + d) for n in range(3) for d in range(16)]
    return (lambda g, u: asc.data_copy(g, u, asc.Nz2NdParamsFull(1, 3, 16, 1, 3, 20))), cells


@looped(ADD, MAX, MIN, "set_atomic_none", "set_atomic_type", "set_store_atomic_config", "get_store_atomic_config")
@given(
    how=st.sampled_from([ADD, MAX, MIN]),
    kind=st.sampled_from(KINDS),
    form=st.sampled_from(["count", "rows of blocks", "rows of bytes", "slices", "NZ to ND"]),
    by_number=st.booleans(),
    seed=st.integers(0, 999),
)
@settings(max_examples=100)
def test_each_element_is_combined_once(how: str, kind: str, form: str, by_number: bool, seed: int) -> None:
    """With what is there, and nothing beside it; after set_atomic_none a store replaces."""
    form = "count" if form == "NZ to ND" and kind not in ("float16", "bfloat16", "int16") else form
    dtype = asc.dtype(kind)
    store, pairs = stored(form, dtype.itemsize)
    y, x = numbers(kind, seed), numbers(kind, seed + 1)
    wanted, plain, before = y.tolist(), y.copy(), y.copy()
    for to, of in pairs:
        wanted[to] = combined(how, kind, y.tolist()[to], x.tolist()[of])

    @asc.kernel
    def block(y: Any, plain: Any) -> None:
        g, other, u = asc.GlobalTensor(), asc.GlobalTensor(), tensor(x, 0)
        g.set_global_buffer(y)
        other.set_global_buffer(plain)
        if by_number:
            op = {ADD: asc.AtomicOp.ATOMIC_SUM, MAX: asc.AtomicOp.ATOMIC_MAX, MIN: asc.AtomicOp.ATOMIC_MIN}[how]
            asc.set_store_atomic_config(asc.AtomicDtype.ATOMIC_S8, op)
            asc.set_atomic_type(dtype)
            assert asc.get_store_atomic_config()[1] == int(op)
        else:
            asc.ISA[how](dtype)
        store(g, u)
        asc.set_atomic_none()
        store(other, u)

    block.launch(1, y, plain, chip="demo", hazards="off")

    assert list(map(repr, y.tolist())) == list(map(repr, wanted))
    for to, of in pairs:
        before[to] = x[of]
    assert plain.tobytes() == before.tobytes()


@worked(ADD, MAX, MIN, "set_atomic_none", "set_atomic_type")
def test_three_stores_in_turn() -> None:
    """5 + 3 is 8; the larger of 8 and 3 stays 8; the smaller is 3; and then 3 replaces −1."""
    seen: list[float] = []

    @asc.kernel
    def block(y: Any) -> None:
        g, u = asc.GlobalTensor(), tensor(np.full(8, 3, np.int32), 0)
        g.set_global_buffer(y)
        for turn in (asc.set_atomic_add, asc.set_atomic_max, asc.set_atomic_min):
            turn(asc.float16)
            asc.set_atomic_type(asc.int32)
            asc.data_copy(g, u, 8)
            seen.append(g.get_value(0))
        asc.set_atomic_none()
        g.set_value(0, -1)
        asc.data_copy(g, u, 8)
        seen.append(g.get_value(0))

    block.launch(1, np.full(8, 5, np.int32), chip="demo", hazards="off")

    assert seen == [8, 8, 3, 3]
