"""Row-wise functions on plain arrays: what they must not read is NaN, what they must not write is checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.block import local, on_ub

Array = NDArray[Any]
F16, F32 = np.float16, np.float32
ULP = {F16: 2.0**-11, F32: 2.0**-24}
"""Half of the distance between numbers near 1."""

SHAPES = [(1, 1), (1, 3), (5, 1), (3, 8), (2, 64), (9, 65), (17, 31), (2, 130), (1, 700), (260, 5)]
"""One row, one column, tails of blocks and repeats, more rows than a repeat field holds."""


def run(body: Callable[..., Any], *arrays: Array, temp: int = 1 << 15, **launch: Any) -> tuple[Array, ...]:
    """What the tensors hold after ``body(*tensors, temp_buffer)``; nothing has written the buffer before."""

    def inside(*tensors: Any) -> None:
        memory = tensors[-1].memory
        free = -(-(tensors[-1].address + tensors[-1].nbytes) // 256) * 256
        body(*tensors, local("uint8", temp, free)[:temp])

        assert memory.shadow.find(1, free + temp) < 0, "something behind the temporary buffer was written"

    return on_ub(inside, *arrays, **launch)


@dataclass(frozen=True)
class Sheet:
    """A matrix whose rows are padded to whole blocks with NaN, or with 7 where the type has none."""

    values: Array

    @property
    def pitch(self) -> int:
        """Elements from row to row."""
        width = 32 // self.values.itemsize
        return -(-self.values.shape[1] // width) * width

    @property
    def padded(self) -> Array:
        """The rows as they lie in UB."""
        filler = np.nan if self.values.dtype.kind == "f" else 7
        out = np.full((len(self.values), self.pitch), filler, self.values.dtype)
        out[:, : self.values.shape[1]] = self.values
        return out

    @property
    def blank(self) -> Array:
        """As many elements of 7."""
        return np.full((len(self.values), self.pitch), 7, self.values.dtype)

    def cut(self, result: Array) -> Array:
        """The rows of a result, whose padding must be as :attr:`blank` left it."""
        rows, columns = self.values.shape
        result = result[: rows * self.pitch].reshape(rows, self.pitch)

        assert (result[:, columns:] == 7).all(), "padding was written"
        return result[:, :columns]


@st.composite
def sheets(draw: st.DrawFn, *, kinds: tuple[Any, ...] = (F16, F32), spread: float = 3) -> Sheet:
    """Rows of normally distributed numbers, of any of the awkward shapes."""
    kind, shape = draw(st.sampled_from(kinds)), draw(st.sampled_from(SHAPES))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return Sheet(rng.normal(0, spread, shape).astype(kind))


def room(draw: Callable[[Any], Any], sizes: tuple[int, int]) -> int:
    """Temporary bytes between what is of use and what is needed."""
    most, least = sizes
    return int(draw(st.sampled_from([most, least, (most + least) // 2])))


def exact(values: Array) -> Array:
    """The same numbers in float64."""
    return values.astype(np.float64)
