"""The parameter structs of all instructions but copies, with Ascend C's fields in snake case.

All strides of vector instructions count blocks of 32 bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .enums import DataFormat, TransposeType


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


@dataclass(slots=True)
class CheckLocalMemoryIAParam:
    """Which accesses to UB ``check_local_memory_ia`` watches for.

    Attributes:
        enable_bit: which of the four registers is set, 0 to 3.
        start_addr, end_addr: numbers of blocks of 32 bytes: of the last before the watched ones, and of the last of
            them; ``LocalTensor.get_phy_addr() // 32`` is that of a tensor.
        is_scalar_read, is_scalar_write, is_vector_read, is_vector_write, is_mte_read, is_mte_write: what is watched.
        is_enable: whether the register watches from now on; without it, it no longer does.
        reserved: nothing yet.
    """

    enable_bit: int = 0
    start_addr: int = 0
    end_addr: int = 0
    is_scalar_read: bool = False
    is_scalar_write: bool = False
    is_vector_read: bool = False
    is_vector_write: bool = False
    is_mte_read: bool = False
    is_mte_write: bool = False
    is_enable: bool = False
    reserved: int = 0
