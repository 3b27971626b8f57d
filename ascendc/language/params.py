"""The parameter structs of instructions, with Ascend C's fields in snake case.

All strides of vector instructions count blocks of 32 bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .enums import DataFormat, TransposeType


@dataclass(slots=True)
class DataCopyParams:
    """Rows of a strided ``data_copy``, everything in blocks of 32 bytes.

    Attributes:
        block_count: rows, 1 to 4095; 0 copies nothing.
        block_len: blocks of one row, 1 to 65535.
        src_stride, dst_stride: blocks from the end of a row to the start of the next, 0 to 65535.
    """

    block_count: int = 1
    block_len: int = 0
    src_stride: int = 0
    dst_stride: int = 0

    @property
    def src_gap(self) -> int:
        """The newer name of ``src_stride``."""
        return self.src_stride

    @property
    def dst_gap(self) -> int:
        """The newer name of ``dst_stride``."""
        return self.dst_stride


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


@dataclass(slots=True)
class VdeqInfo:
    """What ``set_deq_scale`` puts into a tensor, for each of the 16 lanes of a block.

    Attributes:
        vdeq_scale: what the lane is multiplied by.
        vdeq_offset: what is added then, -256 to 255.
        vdeq_sign_mode: whether the result is int8; uint8 otherwise.
    """

    vdeq_scale: Sequence[float] = (0.0,) * 16
    vdeq_offset: Sequence[int] = (0,) * 16
    vdeq_sign_mode: Sequence[bool] = (False,) * 16


@dataclass(slots=True)
class BinaryRepeatParams:
    """Strides of an instruction with two sources, in blocks of 32 bytes.

    ``*_blk_stride`` lie between the eight blocks of one repeat, ``*_rep_stride`` between repeats.
    """

    dst_blk_stride: int = 1
    src0_blk_stride: int = 1
    src1_blk_stride: int = 1
    dst_rep_stride: int = 8
    src0_rep_stride: int = 8
    src1_rep_stride: int = 8


@dataclass(slots=True)
class UnaryRepeatParams:
    """Strides of an instruction with one source, in blocks of 32 bytes; see :class:`BinaryRepeatParams`."""

    dst_blk_stride: int = 1
    src_blk_stride: int = 1
    dst_rep_stride: int = 8
    src_rep_stride: int = 8


@dataclass(slots=True)
class BrcbRepeatParams:
    """Strides of ``brcb`` in blocks of 32 bytes: between the eight of a repeat, and between repeats."""

    dst_blk_stride: int = 1
    dst_rep_stride: int = 8


@dataclass(slots=True)
class CopyRepeatParams:
    """Strides of ``copy`` in blocks of 32 bytes: between the blocks of a repeat, and between repeats."""

    dst_stride: int = 0
    src_stride: int = 0
    dst_repeat_size: int = 0
    src_repeat_size: int = 0


@dataclass(slots=True)
class GatherRepeatParams:
    """Strides of the destination of ``gatherb``, in blocks of 32 bytes."""

    dst_blk_stride: int = 1
    dst_rep_stride: int = 8


@dataclass(slots=True)
class GatherMaskParams:
    """Repeats of ``gather_mask``; strides in blocks of 32 bytes.

    Attributes:
        src0_block_stride: between the blocks of a repeat of the source.
        repeat_times: repeats, 0 to 255.
        src0_repeat_stride, src1_repeat_stride: between the repeats of the source and of the pattern.
    """

    src0_block_stride: int = 1
    repeat_times: int = 1
    src0_repeat_stride: int = 0
    src1_repeat_stride: int = 0


@dataclass(slots=True)
class MrgSortSrcList:
    """The sorted lists that ``mrg_sort`` merges: two to four tensors of records.

    Attributes:
        dtype: the element type of all of them.
        src1, src2, src3, src4: the lists; those that ``valid_bit`` leaves out may be missing.
    """

    dtype: Any = None
    src1: Any = None
    src2: Any = None
    src3: Any = None
    src4: Any = None


@dataclass(slots=True)
class MrgSort4Info:
    """How ``mrg_sort`` merges.

    Attributes:
        element_lengths: records of each list, 0 to 4095.
        if_exhausted_suspension: whether to stop as soon as one list is used up.
        valid_bit: which lists there are: 0b11, 0b111 or 0b1111.
        repeat_times: how often; more than once only for four lists of one length that follow each other.
    """

    element_lengths: Any = ()
    if_exhausted_suspension: bool = False
    valid_bit: int = 15
    repeat_times: int = 1


@dataclass(slots=True)
class TransposeParamsExt:
    """Shape of a ``transpose`` with parameters.

    Attributes:
        n_size, c_size, h_size, w_size: the four dimensions; C at most 4095.
        transpose_type: from which order to which.
    """

    n_size: int = 0
    c_size: int = 0
    h_size: int = 0
    w_size: int = 0
    transpose_type: TransposeType = TransposeType.TRANSPOSE_ND2ND_B16


@dataclass(slots=True)
class TransDataTo5HDParams:
    """Repeats of ``trans_data_to_5hd``.

    Attributes:
        dst_high_half, src_high_half: for types of one byte, whether the upper 16 bytes of each row are used.
        repeat_times: repeats, 0 to 255.
        dst_rep_stride, src_rep_stride: blocks of 32 bytes between repeats; a single repeat starts that far behind
            the addresses given, so it wants 0.
    """

    dst_high_half: bool = False
    src_high_half: bool = False
    repeat_times: int = 1
    dst_rep_stride: int = 0
    src_rep_stride: int = 0


@dataclass(slots=True)
class ShapeInfo:
    """The shape of a tensor, for ``dump_tensor`` and the high-level functions.

    Attributes:
        shape_dim, shape: number of dimensions and their sizes, the innermost last.
        original_shape_dim, original_shape: the same before padding.
        data_format: order of the dimensions.
    """

    shape_dim: int = 0
    shape: Any = ()
    original_shape_dim: int = 0
    original_shape: Any = ()
    data_format: DataFormat = DataFormat.ND
