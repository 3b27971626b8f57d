"""Polynomials in instructions."""

from __future__ import annotations

from ..isa.vector_binary import mul
from ..isa.vector_scalar import adds, muls
from ..memory import LocalTensor


def horner(y: LocalTensor, x: LocalTensor, coefficients: tuple[float, ...], n: int) -> None:
    """y = c[0] · x^k + … + c[k], for two coefficients or more, of the highest power first."""
    highest, *rest, last = coefficients
    muls(y, x, highest, n)
    for c in rest:
        adds(y, y, c, n)
        mul(y, y, x, n)
    adds(y, y, last, n)
