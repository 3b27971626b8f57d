"""Conditions as bits, which is what ``select`` takes, one for each element."""

from __future__ import annotations

from ..enums import CMPMODE, RoundMode
from ..isa.vector_cast import cast
from ..isa.vector_compare import compare_scalar
from ..isa.vector_fill import duplicate
from ..memory import LocalTensor

_REPEAT = 256
"""Bytes of a repeat: a comparison takes whole ones."""


def bits_of(bits: LocalTensor, x: LocalTensor, mode: CMPMODE, n: int) -> None:
    """bit i = x[i] compared with 0; all of the last repeat of ``x`` must hold something."""
    width = _REPEAT // x.dtype.itemsize
    compare_scalar(bits, x, 0.0, mode, -(-n // width) * width)


def bits_of_bytes(bits: LocalTensor, wide: LocalTensor, condition: LocalTensor, n: int) -> None:
    """bit i = condition[i] ≠ 0, of 8-bit elements, by way of float16 in ``wide``."""
    clear_tail(wide, n)
    cast(wide, condition, RoundMode.CAST_NONE, n)
    bits_of(bits, wide, CMPMODE.NE, n)


def clear_tail(x: LocalTensor, n: int) -> None:
    """Fill the last repeat of n elements, if it is not whole, for a comparison of more than will be written."""
    width = _REPEAT // x.dtype.itemsize
    if n % width:
        duplicate(x[n // width * width :], 0.0, width)
