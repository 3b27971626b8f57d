"""Layernorm and rmsnorm: every row divided by how far its elements are from their mean, or from zero.

Both work in float32: float16 is converted, and the result rounded once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from math import prod
from typing import Any

from ..block import whole_blocks
from ..classes import need_class
from ..core import current
from ..dtypes import DataType, float32
from ..enums import RoundMode
from ..isa.scalar import check_number
from ..isa.vector_binary import add, div, mul, sub
from ..isa.vector_cast import cast
from ..isa.vector_fill import duplicate
from ..isa.vector_scalar import adds, muls
from ..isa.vector_unary import sqrt
from ..memory import LocalTensor
from .fold import SUM, packed_room
from .function import function
from .given import Given, given
from .matrix import Grid, for_all
from .rows import FLOATS, Rows, row_pieces
from .tiling import LayerNormTiling, NormTiling, RmsNormTiling
from .workspace import Part, Pieces, check_extents, element_type, sizes


@function(cpp="LayerNorm", dtypes=FLOATS)
def layernorm(
    output: LocalTensor,
    mean: LocalTensor,
    variance: LocalTensor,
    x: LocalTensor,
    gamma: LocalTensor,
    beta: LocalTensor,
    epsilon: float,
    tiling: LayerNormTiling,
    temp_buffer: LocalTensor | None = None,
    reuse_source: bool = False,
) -> None:
    """output = (x − mean) / sqrt(variance + epsilon) · gamma + beta, with mean and variance of each row.

    A row 1, 3 with gamma 1, beta 0, epsilon 0: mean 2, variance 1, output −1, 1.

    Args:
        output: of the type of ``x``; may be ``x``.
        mean: one element for each row, of that type or float32.
        variance: likewise; the mean of the squares of what the columns are from their mean.
        x: rows as ``tiling`` says; if there are several, whole blocks apart.
        gamma: one element for each column, of the type of ``x``.
        beta: likewise.
        epsilon: what keeps rows of equal elements from a division by zero.
        tiling: from ``get_layer_norm_nd_tiling_info``.
        temp_buffer: for each row that of ``softmax``, 4 B and the row in float32; in float16 also gamma and beta in
            float32.
        reuse_source: without effect.

    Tolerance, with z = (x − mean) / d and d = sqrt(variance + epsilon): 2⁻²⁰ · |gamma| · (1 + |z|) · max(1, |mean| / d)
    + 2⁻²² · (1 + |output|) in float32, and one rounding more in float16; squares must not overflow float32.
    """
    shape = given(
        "layernorm",
        _shape("layernorm", tiling, LayerNormTiling, "get_layer_norm_nd_tiling_info", epsilon),
        {"output": output, "x": x},
        numbers={"mean": mean, "variance": variance},
        columns={"gamma": gamma, "beta": beta},
    )
    for part in shape.parts(temp_buffer, _pieces(2)):
        rows, to = _Normal(part, shape, (gamma, beta)), shape.at(output, part.first)
        source = rows.load(shape.at(x, part.first))
        y = rows.room(to)
        rows.fold(SUM, source)
        muls(rows.packed, rows.packed, 1 / shape.columns, rows.count)
        rows.put_packed(mean[part.first :], rows.packed)
        rows.each(sub, y, source, rows.spread(rows.packed))
        rows.mean_square(y)
        rows.put_packed(variance[part.first :], rows.packed)
        rows.divide(y, y, epsilon)
        rows.each(mul, y, y, rows.weights[0])
        rows.each(add, y, y, rows.weights[1])
        rows.store(to, y)


@function(cpp="RmsNorm", dtypes=FLOATS)
def rmsnorm(
    dst: LocalTensor,
    src: LocalTensor,
    gamma: LocalTensor,
    epsilon: float,
    tiling: RmsNormTiling,
    temp_buffer: LocalTensor | None = None,
    basic_block: bool = False,
) -> None:
    """dst = src / sqrt(mean of src² + epsilon) · gamma in each row.

    A row 1, 7 with gamma 1, epsilon 0 becomes 0.2, 1.4.

    Args:
        dst: of the type of ``src``; may be ``src``.
        src: rows as ``tiling`` says; if there are several, whole blocks apart.
        gamma: one element for each column, of the type of ``src``.
        epsilon: what keeps rows of zeros from a division by zero.
        tiling: from ``get_rms_norm_tiling_info``.
        temp_buffer: for each row that of ``softmax``, 4 B and the row in float32; in float16 also gamma in float32.
        basic_block: without effect.

    Tolerance: 2⁻²¹ of the result in float32, and one rounding more in float16; squares must not overflow float32.
    """
    shape = given(
        "rmsnorm",
        _shape("rmsnorm", tiling, RmsNormTiling, "get_rms_norm_tiling_info", epsilon),
        {"dst": dst, "src": src},
        columns={"gamma": gamma},
    )
    for part in shape.parts(temp_buffer, _pieces(1)):
        rows, to = _Normal(part, shape, (gamma,)), shape.at(dst, part.first)
        source, y = rows.load(shape.at(src, part.first)), rows.room(to)
        rows.mean_square(source)
        rows.divide(y, source, epsilon)
        rows.each(mul, y, y, rows.weights[0])
        rows.store(to, y)


class _Normal(Rows):
    """Rows that are normalised.

    Attributes:
        weights: what every row is multiplied by, and what is added to it, in float32.
    """

    __slots__ = ("_ones", "_squares", "weights")

    def __init__(self, part: Part, shape: Given, weights: tuple[LocalTensor, ...]) -> None:
        self._ones, self._squares = part.tensors[-1], Grid(part.tensors[-2], whole_blocks(shape.pitch, 4))
        copies = part.tensors[: len(weights)] if shape.kind is not float32 else weights
        self.weights = [for_all(t) for t in copies]
        if shape.kind is not float32:
            if not part.first:
                for copy, weight in zip(copies, weights, strict=True):
                    cast(copy, weight, RoundMode.CAST_NONE, shape.columns)
            part = Part(part.first, part.rows, part.tensors[len(weights) :])
        Rows.__init__(self, part, shape.columns, shape.pitch)

    def mean_square(self, rows: Grid) -> None:
        """Make ``packed`` the mean of the squares of each row."""
        self.each(mul, self._squares, rows, rows)
        self.fold(SUM, self._squares)
        muls(self.packed, self.packed, 1 / self.columns, self.count)

    def divide(self, dst: Grid, src: Grid, epsilon: float) -> None:
        """Divide each row by the root of its number: a division a row, and one product an element."""
        adds(self.packed, self.packed, epsilon, self.count)
        sqrt(self.packed, self.packed, self.count)
        duplicate(self._ones, 1, self.count)
        div(self.packed, self._ones, self.packed, self.count)
        self.each(mul, dst, src, self.spread(self.packed))


def _pieces(weights: int) -> Callable[[int, int, DataType], Callable[[int], Pieces]]:
    """As for softmax; before them ``weights`` in float32 if they are float16, behind them squares and ones."""

    def of(columns: int, pitch: int, kind: DataType) -> Callable[[int], Pieces]:
        shared, row = row_pieces(columns, pitch, kind), whole_blocks(pitch, 4)
        copies = ((float32, row),) * (weights if kind is not float32 else 0)
        return lambda rows: (*copies, *shared(rows), (float32, rows * row), (float32, packed_room(rows, 4)))

    return of


def _shape(call: str, tiling: Any, wanted: type[NormTiling], maker: str, epsilon: Any) -> tuple[int, int, int]:
    """Rows, columns and pitch of a tiling that ``maker`` makes, beside which there is a number.

    Raises:
        UsageError: one of the two is something else.
        RangeError: a length is none.
    """
    need_class(current(), call, "tiling", tiling, wanted, maker=maker)
    check_extents(call, **{f.name: getattr(tiling, f.name) for f in fields(NormTiling)})
    check_number(current(), call, "epsilon", epsilon)
    rows, pitch = tiling.b_length * tiling.s_length, tiling.h_length
    return rows, tiling.original_h_length or pitch, pitch


def get_layernorm_max_min_tmp_size(shape: Sequence[int], dtype: Any) -> tuple[int, int]:
    """Bytes of temporary memory ``layernorm`` can use for a tensor (b, s, h), and those it needs."""
    return sizes(prod(shape[:-1]), _pieces(2)(shape[-1], shape[-1], element_type("layernorm", dtype, FLOATS)))


def get_rmsnorm_max_min_tmp_size(shape: Sequence[int], dtype: Any) -> tuple[int, int]:
    """Bytes of temporary memory ``rmsnorm`` can use for a tensor (b, s, h), and those it needs."""
    return sizes(prod(shape[:-1]), _pieces(1)(shape[-1], shape[-1], element_type("rmsnorm", dtype, FLOATS)))
