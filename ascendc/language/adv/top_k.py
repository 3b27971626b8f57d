"""``top_k``: the largest or smallest elements of each row in order, and their indices."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..block import BLOCK, whole_blocks
from ..classes import need_class
from ..core import current
from ..dtypes import DataType, bool_, float32, int32, uint8, uint32
from ..errors import RangeError, UsageError
from ..isa.records import BYTES
from ..isa.vector_copy import copy
from ..isa.vector_fill import create_vec_index, duplicate
from ..isa.vector_gather_mask import gather_mask
from ..isa.vector_scalar import muls
from ..memory import LocalTensor
from ..params import GatherMaskParams
from ..sorting import sort
from .function import function
from .matrix import Grid, each
from .operands import Operand, check_operands
from .rows import FLOATS
from .workspace import Pieces, check_extents, element_type, parts, sizes, source, span

RUN = 32
"""Rows are multiples of it: what one repeat sorts."""

_MOST = 4096
"""Elements of a row."""

_ALIGN = 256
"""What the records of ``sort32`` are aligned to, in bytes."""

_SCORES = {2: 3, 4: 1}
_INDICES = 2
"""Patterns of ``gather_mask``: the first of four or two elements of a record, the second of two."""


@dataclass(frozen=True, slots=True)
class TopKInfo:
    """Rows to choose from.

    Attributes:
        outter: how many.
        inner: elements from one to the next, a multiple of 32.
        n: elements of each that count; all if 0.
    """

    outter: int = 0
    inner: int = 0
    n: int = 0

    @property
    def columns(self) -> int:
        """Elements that count."""
        return self.n or self.inner


@dataclass(frozen=True, slots=True)
class TopkTiling:
    """What a ``top_k`` is made for.

    Attributes:
        outter: rows.
        inner: elements from one to the next.
        k: how many are chosen.
    """

    outter: int = 0
    inner: int = 0
    k: int = 0


def top_k_tiling_func(inner: int, outter: int, k: int) -> TopkTiling:
    """The tiling for ``k`` elements of each of ``outter`` rows of ``inner``."""
    return TopkTiling(outter, inner, k)


class TopKMode(enum.Enum):
    """How a ``top_k`` is made; the results are the same."""

    TOPK_NORMAL = enum.auto()
    TOPK_NSMALL = enum.auto()


@function(cpp="TopK", dtypes=FLOATS)
def top_k(
    dst_value: LocalTensor,
    dst_index: LocalTensor,
    src: LocalTensor,
    src_index: LocalTensor | None,
    finish: LocalTensor | None,
    k: int,
    tiling: TopkTiling,
    topk_info: TopKInfo,
    is_largest: bool = True,
    temp_buffer: LocalTensor | None = None,
    is_init_index: bool = False,
    is_has_finish: bool = False,
    is_reuse_src: bool = False,
    topk_mode: TopKMode = TopKMode.TOPK_NORMAL,
) -> None:
    """dst_value = the k largest of each row in descending order, or the smallest in ascending; dst_index = where.

    A row 3, 9, 5 with k 2 gives 9, 5 and 1, 2.  Of equal elements the earlier comes first.  NaN comes last: where n
    is less than inner, behind the padding, which has indices from n on.

    Args:
        dst_value: of the type of ``src``: k elements a row, rows at whole blocks of 32 bytes.
        dst_index: int32: likewise.
        src: rows as ``topk_info`` says.
        src_index: with ``is_init_index``, int32: what stands for each element of a row, the same for all rows;
            otherwise not read, and elements are numbered.
        finish: with ``is_has_finish``, bool: rows that are not sorted; their indices become n, values stay.
        k: how many.
        tiling: from ``top_k_tiling_func``.
        topk_info: the shape.
        is_largest: whether the largest are wanted.
        temp_buffer: for each element of one row 20 B and the element, and 224 B.
        is_init_index: whether ``src_index`` counts.
        is_has_finish: whether ``finish`` counts.
        is_reuse_src: without effect.
        topk_mode: likewise; ``TOPK_NSMALL`` is for rows of 32 without ``is_has_finish``, which is not checked.

    Values and indices are exact.
    """
    shape = _shape(src, k, tiling, topk_info)
    operands = _operands(shape, dst_value, dst_index, src)
    operands += [Operand("src_index", src_index, shape.info.columns, (int32,))] if is_init_index else []
    operands += [Operand("finish", finish, shape.info.outter, (bool_,))] if is_has_finish else []
    check_operands("top_k", operands)
    done = finish if is_has_finish else None
    for part in parts(
        "top_k", temp_buffer, topk_info.outter if k else 0, _pieces(topk_info.inner, shape.kind), operands
    ):
        work = _Work(part.tensors[0], shape, src_index if is_init_index else None)
        for row in range(part.rows):
            value, index = dst_value[row * shape.value_pitch :], dst_index[row * shape.index_pitch :]
            if done is not None and done.get_value(row):
                duplicate(index, shape.info.columns, k)
            else:
                work.choose(value, index, src[row * topk_info.inner :], is_largest=is_largest)


@dataclass(frozen=True, slots=True)
class _Shape:
    """What is chosen from what."""

    info: TopKInfo
    k: int
    kind: DataType

    @property
    def value_pitch(self) -> int:
        """Elements from one row of values to the next."""
        return whole_blocks(self.k, self.kind.itemsize)

    @property
    def index_pitch(self) -> int:
        """Elements from one row of indices to the next."""
        return whole_blocks(self.k, 4)


class _Work:
    """Temporary memory for one row: its records twice, its indices and its scores, aligned as sorting needs them."""

    __slots__ = ("_index", "_records", "_scores", "_shape", "_spare")

    def __init__(self, room: LocalTensor, shape: _Shape, names: LocalTensor | None) -> None:
        inner, kind = shape.info.inner, shape.kind
        rest, made = room[-room.address % _ALIGN :], []
        for dtype, nbytes in ((kind, BYTES), (kind, BYTES), (int32, 4), (kind, kind.itemsize)):
            made.append(rest[: nbytes * inner].reinterpret_cast(dtype))
            rest = rest[nbytes * inner :]
        self._shape = shape
        self._records, self._spare, self._index, self._scores = made
        create_vec_index(self._index, 0, inner)
        if names is not None:
            each(copy, 1, shape.info.columns, Grid(self._index, 0), Grid(names, 0))

    def choose(self, value: LocalTensor, index: LocalTensor, src: LocalTensor, *, is_largest: bool) -> None:
        """Sort a row, and take the first records apart; for the smallest, what is sorted are negatives."""
        info, k, item = self._shape.info, self._shape.k, self._shape.kind.itemsize
        if info.columns < info.inner:
            duplicate(self._scores, -math.inf, info.inner)
        if is_largest:
            each(copy, 1, info.columns, Grid(self._scores, 0), Grid(src, 0))
        else:
            muls(self._scores, src, -1, info.columns)
        sort(self._records, self._scores, self._index.reinterpret_cast(uint32), self._spare, info.inner // RUN)
        once = GatherMaskParams(1, 1, 0, 0)
        gather_mask(value, self._records, _SCORES[item], True, k * BYTES // item, once)
        gather_mask(index, self._records.reinterpret_cast(int32), _INDICES, True, k * BYTES // 4, once)
        if not is_largest:
            muls(value, value, -1, k)


def _shape(src: LocalTensor, k: int, tiling: Any, info: Any) -> _Shape:
    """The shape of a call.

    Raises:
        UsageError: it is described by something else.
        RangeError: it makes no sense.
    """
    core = current()
    need_class(core, "top_k", "tiling", tiling, TopkTiling, maker="top_k_tiling_func")
    need_class(core, "top_k", "topk_info", info, TopKInfo)
    check_extents("top_k", outter=info.outter, inner=info.inner, n=info.n, k=k)
    if (tiling.outter, tiling.inner, tiling.k) != (info.outter, info.inner, k):
        core.fail(
            UsageError,
            f"top_k: tiling must have the numbers of topk_info and k, outter {info.outter}, inner {info.inner}, k {k}, "
            f"got {tiling!r}",
        )
    if info.inner % RUN or not 0 < info.inner <= _MOST:
        core.fail(RangeError, f"top_k: inner must be a multiple of {RUN} up to {_MOST}, got {info.inner}; pad the rows")
    if not 0 <= k <= info.columns <= info.inner:
        core.fail(
            RangeError, f"top_k: there must be 0 <= k <= n <= inner, got k {k}, n {info.columns}, inner {info.inner}"
        )
    return _Shape(info, k, src.dtype if isinstance(src, LocalTensor) and src.dtype in FLOATS else float32)


def _operands(shape: _Shape, dst_value: LocalTensor, dst_index: LocalTensor, src: LocalTensor) -> list[Operand]:
    """The tensors that every call has."""
    info, k, rows = shape.info, shape.k, shape.info.outter
    return [
        Operand("dst_value", dst_value, span(rows, k, shape.value_pitch), (shape.kind,), written=True),
        Operand("dst_index", dst_index, span(rows, k, shape.index_pitch), (int32,), written=True),
        source("src", src, (rows, info.columns, info.inner), FLOATS),
    ]


def _pieces(inner: int, kind: DataType) -> Callable[[int], Pieces]:
    nbytes = _ALIGN - BLOCK + inner * (2 * BYTES + 4 + kind.itemsize)
    return lambda _: ((uint8, nbytes),)


def get_top_k_max_min_tmp_size(inner: int, dtype: Any) -> tuple[int, int]:
    """Bytes of temporary memory ``top_k`` can use for rows of ``inner`` elements, and those it needs: the same."""
    return sizes(1, _pieces(inner, element_type("top_k", dtype, FLOATS)))
