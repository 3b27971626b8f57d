"""``sum`` and ``mean`` of the first elements of rows: the older forms of ``reduce_sum`` and ``reduce_mean``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..classes import need_class
from ..core import current
from ..memory import LocalTensor
from .function import function
from .reduce import ReducePattern, Reduction, Shape, reduce_mean, reduce_sum
from .rows import FLOATS


@dataclass(frozen=True, slots=True)
class SumParams:
    """Rows to sum.

    Attributes:
        outter: how many.
        inner: elements from one to the next.
        n: elements of each that count.
    """

    outter: int = 0
    inner: int = 0
    n: int = 0


class MeanParams(SumParams):
    """Rows to take the mean of."""

    __slots__ = ()


@function(cpp="Sum", dtypes=FLOATS)
def sum(
    dst: LocalTensor,
    src: LocalTensor,
    sum_params: SumParams,
    temp_buffer: LocalTensor | None = None,
    reuse_source: bool = False,
) -> None:
    """dst[i] = sum of the first n elements of row i.

    Rows 1, 2, 3 and 4, 5, 6 with n 2 give 3, 9.  float16 is summed in float32 and rounded once.

    Tolerance: 2⁻²¹ of the sum of magnitudes in float32, and one rounding more in float16.
    """
    _run(reduce_sum, "sum", dst, src, sum_params, SumParams, temp_buffer)


@function(cpp="Mean", dtypes=FLOATS)
def mean(
    dst: LocalTensor,
    src: LocalTensor,
    mean_params: MeanParams,
    temp_buffer: LocalTensor | None = None,
    reuse_source: bool = False,
) -> None:
    """dst[i] = mean of the first n elements of row i.

    Rows 1, 2, 3 and 4, 5, 6 with n 2 give 1.5, 4.5.  float16 is summed in float32 and rounded once.

    Tolerance: 2⁻²¹ of the mean magnitude in float32, if the sum does not overflow, and one rounding more in float16.
    """
    _run(reduce_mean, "mean", dst, src, mean_params, MeanParams, temp_buffer)


def _run(
    how: Reduction,
    call: str,
    dst: LocalTensor,
    src: LocalTensor,
    params: Any,
    wanted: type[SumParams],
    temp_buffer: LocalTensor | None,
) -> None:
    need_class(current(), call, f"{call}_params", params, wanted)
    how.run(call, dst, src, Shape(params.outter, params.n, params.inner, ReducePattern.AR), temp_buffer)


def get_sum_max_min_tmp_size(shape: Sequence[int], dtype: Any) -> tuple[int, int]:
    """Bytes of temporary memory ``sum`` can use for a matrix, and those it needs."""
    return reduce_sum.max_min_tmp_size(shape, dtype)


def get_mean_max_min_tmp_size(shape: Sequence[int], dtype: Any) -> tuple[int, int]:
    """Bytes of temporary memory ``mean`` can use for a matrix, and those it needs."""
    return reduce_mean.max_min_tmp_size(shape, dtype)
