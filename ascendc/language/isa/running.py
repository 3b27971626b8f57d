"""Running results: what is left when every repeat goes into the same lanes, each rounded before the next.

The same as an instruction's arithmetic row after row, to the last bit, with as little as possible done for each
row.  Rows are sources, one a repeat; all is plain NumPy.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .multiply_add import multiply_add

Array = NDArray[Any]
Running = Callable[..., Array]
_HALFWAY, _BELOW_FLOAT32 = 1 << 28, (1 << 29) - 1
"""The bits of a float64 that float32 has no room for: midway between two float32, and all."""


def accumulated(step: np.ufunc) -> Running:
    """``step(row, running)`` for each row, for a ``step`` to which it is one which comes first."""
    return lambda running, rows: _in_turn(step, np.concatenate((running[None], rows)))


def differences(running: Array, rows: Array) -> Array:
    """``row − running`` for each row: a sum of alternating signs, but for the sign of zeros."""
    terms = np.concatenate((running[None], rows))
    np.negative(terms[1::2], out=terms[1::2])
    total = _in_turn(np.add, terms)
    out: Array = -total if len(rows) % 2 else total
    if out.dtype.kind == "f" and not out.all():
        if (np.signbit(rows[-1]) & (rows[-1] == 0) & (out == 0)).any():  # -0 - 0 is -0: so which zero was before?
            return functools.reduce(lambda before, row: row - before, rows, running)
        out += 0  # any other zero is +0
    return out


def _in_turn(step: np.ufunc, rows: Array) -> Array:
    """``step`` of all rows, contiguous in memory: NumPy takes them one after another if lanes are the fast axis."""
    out: Array = (
        step.reduce(rows, axis=0, dtype=rows.dtype, initial=None)
        if rows[0].size > 1
        else step.accumulate(rows, axis=0, dtype=rows.dtype)[-1]
    )
    return out


def extreme(step: np.ufunc, exact: Callable[[Array, Array], Array]) -> Running:
    """``exact(row, running)`` for each row; ``step`` is the same in any order, but for the sign of zeros."""

    def running(running: Array, rows: Array) -> Array:
        out: Array = step(step.reduce(rows, axis=0), running)
        if out.dtype.kind == "f" and not out.all():
            out = running
            for row in rows:
                out = exact(row, out)
        return out

    return running


def rectified(step: np.ufunc) -> Running:
    """``step(row, running)`` for each row, and +0 in place of what is not positive."""

    def running(running: Array, rows: Array) -> Array:
        out, zeros = running.copy(), np.zeros_like(running)
        for row in rows:
            step(row, out, out)
            np.maximum(out, zeros, out=out)
        out += zeros  # a zero, whichever sign NumPy gave it, is +0
        return out

    return running


def add_products(dst: Array, a: Array, b: Any) -> Array:
    """``dst + a · b`` for each row, each rounded once."""
    products = np.multiply(a, b, dtype=np.float64)
    out, wide = dst.copy(), dst.astype(np.float64)
    for total in products:
        np.add(total, wide, total)
        out[...] = total
        wide[...] = out
    if _is_sure(products, out.dtype):
        return out
    out = dst
    for row in zip(a, np.broadcast_to(b, a.shape), strict=True):
        out = multiply_add(*row, out, dst.dtype)
    return out


def multiply_running(*, relu: bool) -> Running:
    """``a · dst + b`` for each row, each rounded once and, with ``relu``, +0 if not positive."""

    def exact(out: Array, a: Array, b: Array) -> Array:
        zero = out.dtype.type(0)
        for factor, addend in zip(a, b, strict=True):
            out = multiply_add(factor, out, addend, out.dtype)
            if relu:
                out = np.maximum(out, zero) + zero
        return out

    def running(dst: Array, a: Array, b: Array) -> Array:
        out, zeros = dst.copy(), np.zeros_like(dst)
        factors, addends = a.astype(np.float64), b.astype(np.float64)
        totals, product = np.empty(factors.shape), np.empty(dst.shape)
        for factor, addend, total in zip(factors, addends, totals, strict=True):
            np.multiply(factor, out, product)
            np.add(product, addend, total)
            out[...] = total
            if relu:
                np.maximum(out, zeros, out=out)
        if relu:
            out += zeros
        return out if _is_sure(totals, out.dtype) else exact(dst, a, b)

    return running


def _is_sure(totals: Array, kind: np.dtype[Any]) -> bool:
    """Whether rounding these sums, rounded to float64, a second time did no harm.

    It does none where a float64 is not midway between two numbers of ``kind``, and for float16, as in
    :func:`multiply_add`, never.
    """
    if kind.itemsize == 2:
        return True
    midway = (totals.view(np.int64) & _BELOW_FLOAT32) == _HALFWAY
    tiny = np.abs(totals) < np.finfo(np.float32).tiny
    return not (midway.any() or (tiny & (totals != 0)).any())


__all__ = ["Running", "accumulated", "add_products", "differences", "extreme", "multiply_running", "rectified"]
