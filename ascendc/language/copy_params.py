"""The parameter structs of copies, with Ascend C's fields in snake case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(slots=True, init=False)
class DataCopyParams:
    """Rows of a strided ``data_copy``, everything in blocks of 32 bytes.

    Attributes:
        block_count: rows, 1 to 4095; 0 copies nothing.
        block_len: blocks of one row, 1 to 65535.
        src_stride, dst_stride: blocks from the end of a row to the start of the next, 0 to 65535; ``src_gap`` and
            ``dst_gap`` are their newer names.
    """

    block_count: int
    block_len: int
    src_stride: int
    dst_stride: int

    def __init__(
        self,
        block_count: int = 1,
        block_len: int = 0,
        src_stride: int = 0,
        dst_stride: int = 0,
        *,
        src_gap: int | None = None,
        dst_gap: int | None = None,
    ) -> None:
        self.block_count, self.block_len = block_count, block_len
        self.src_stride = src_stride if src_gap is None else src_gap
        self.dst_stride = dst_stride if dst_gap is None else dst_gap

    @property
    def src_gap(self) -> int:
        """The newer name of ``src_stride``."""
        return self.src_stride

    @src_gap.setter
    def src_gap(self, blocks: int) -> None:
        self.src_stride = blocks

    @property
    def dst_gap(self) -> int:
        """The newer name of ``dst_stride``."""
        return self.dst_stride

    @dst_gap.setter
    def dst_gap(self, blocks: int) -> None:
        self.dst_stride = blocks


@dataclass(slots=True)
class DataCopyExtParams:
    """Rows of a ``data_copy_pad``.

    Attributes:
        block_count: rows, 1 to 4095; 0 copies nothing.
        block_len: bytes of one row, 1 to 2097151.
        src_stride, dst_stride: from the end of a row to the start of the next: bytes on the side of global
            memory, blocks of 32 bytes on the local side.
    """

    block_count: int = 1
    block_len: int = 0
    src_stride: int = 0
    dst_stride: int = 0
    rsv: int = 0


@dataclass(slots=True)
class DataCopyPadExtParams:
    """What ``data_copy_pad`` puts around each row on its way into local memory.

    Attributes:
        dtype: the element type; any of ours, or nothing to take the tensor's.
        is_pad: whether ``padding_value`` is used; else the value last given to ``set_pad_value``.
        left_padding, right_padding: elements, at most 32 bytes each.
        padding_value: the value.
    """

    dtype: Any = None
    is_pad: bool = False
    left_padding: int = 0
    right_padding: int = 0
    padding_value: float = 0


@dataclass(slots=True)
class DataCopyEnhancedParams:
    """What a copy does besides, on its way out of L0C; nothing between global memory and UB.

    Attributes:
        block_mode, deq_scale, deq_value, sid_store_mode, is_relu, pad_mode, pad_value: as in Ascend C.
    """

    block_mode: int = 0
    deq_scale: int = 0
    deq_value: int = 0
    sid_store_mode: int = 0
    is_relu: bool = False
    pad_mode: int = 0
    pad_value: int = 0


@dataclass(slots=True)
class SliceInfo:
    """What a ``data_copy`` with slices takes of one dimension.

    Attributes:
        start_index, end_index: first and last element.
        stride: elements between the end of a piece and the start of the next.
        burst_len: length of a piece: blocks of 32 bytes in dimension 0, elements (1) in the others.
        shape_value: elements of the whole dimension.
    """

    start_index: int = 0
    end_index: int = 0
    stride: int = 0
    burst_len: int = 0
    shape_value: int = 0


@dataclass(slots=True)
class Nd2NzParams:
    """A load that turns ND into NZ on its way into L1; rows are N, columns D, a block of columns C0."""

    nd_num: int = 0
    n_value: int = 0
    d_value: int = 0
    src_nd_matrix_stride: int = 0
    src_d_value: int = 0
    dst_nz_c0_stride: int = 0
    dst_nz_n_stride: int = 0
    dst_nz_matrix_stride: int = 0


@dataclass(slots=True)
class Nz2NdParamsFull:
    """A store that turns NZ into ND.

    Attributes:
        nd_num: matrices, 0 to 4095.
        n_value, d_value: rows and columns, 0 to 8192.
        src_nd_matrix_stride: between matrices in UB, in units of 16 × 16 elements, 0 to 512.
        src_n_stride: between strips of 16 columns in UB, in units of 16 elements, 0 to 4096.
        dst_d_stride: elements of a row in global memory, 1 to 65535.
        dst_nd_matrix_stride: elements between matrices in global memory, 0 to 65535.
    """

    nd_num: int = 0
    n_value: int = 0
    d_value: int = 0
    src_nd_matrix_stride: int = 0
    src_n_stride: int = 0
    dst_d_stride: int = 0
    dst_nd_matrix_stride: int = 0


@dataclass(slots=True)
class DataCopyPadParams:
    """The older form of :class:`DataCopyPadExtParams`, without an element type."""

    is_pad: bool = False
    left_padding: int = 0
    right_padding: int = 0
    padding_value: float = 0
