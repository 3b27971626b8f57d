"""An Ascend C-like kernel language in Python: ``import ascendc as asc``.

Kernels run exactly on NumPy data and leave a Program; ``simulator.simulate`` times it on a model of the
chip, ``profiler.profile`` shows what limits it.  Nothing in here knows about time.
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

from .language.allocate import LocalMemAllocator, pop_stack_buffer
from .language.bilinear import bilinear_interpolation
from .language.buffers import TQue, TQueBind
from .language.compare import compare_stage
from .language.dtypes import (
    DataType,
    bfloat16,
    bool_,
    dtype,
    float16,
    float32,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from .language.dump import dump_acc_chk_point, dump_tensor, printf, trap
from .language.enums import (
    CMPMODE,
    AtomicDtype,
    AtomicOp,
    CacheLine,
    CacheMode,
    CacheRwMode,
    DataFormat,
    DcciDst,
    GatherMaskMode,
    HardEvent,
    Hardware,
    KernelType,
    MaskMode,
    MemDsbT,
    PipeID,
    ReduceOrder,
    RoundMode,
    SelMode,
    TPosition,
    TransposeType,
)
from .language.errors import (
    AlignmentError,
    AscendError,
    CapacityError,
    DeadlockError,
    DtypeError,
    EventError,
    HardwareSpecError,
    HazardError,
    OperatorError,
    OutOfBoundsError,
    OverlapError,
    PositionError,
    QueueStateError,
    RangeError,
    UninitializedError,
    UsageError,
    WorkspaceError,
)
from .language.findings import Finding, Severity
from .language.global_memory import GlobalAddress, GlobalTensor
from .language.hardware import HardwareSpec
from .language.hazards import hazards
from .language.isa import ISA
from .language.isa.atomic import (
    get_store_atomic_config,
    set_atomic_add,
    set_atomic_max,
    set_atomic_min,
    set_atomic_none,
    set_atomic_type,
    set_store_atomic_config,
)
from .language.isa.cache import (
    data_cache_clean_and_invalid,
    data_cache_preload,
    data_sync_barrier,
    get_icache_preload_status,
    icache_preload,
)
from .language.isa.clock import (
    get_program_counter,
    get_system_cycle,
    metrics_prof_start,
    metrics_prof_stop,
    print_time_stamp,
)
from .language.isa.deq_scale import set_deq_scale
from .language.isa.dma import data_copy
from .language.isa.dma_pad import data_copy_pad
from .language.isa.mask import reset_mask, set_mask_count, set_mask_norm, set_vector_mask
from .language.isa.scalar import set_pad_value
from .language.isa.scalar_bits import (
    count_bits_cnt_same_as_sign_bit,
    scalar_cast,
    scalar_count_leading_zero,
    scalar_get_count_of_value,
    scalar_get_sff_value,
)
from .language.isa.sync import pipe_barrier, set_flag, wait_flag
from .language.isa.vector_5hd import trans_data_to_5hd
from .language.isa.vector_binary import add, div, max, min, mul, sub
from .language.isa.vector_bits import bitwise_and, bitwise_not, bitwise_or, shift_left, shift_right
from .language.isa.vector_cast import cast
from .language.isa.vector_cmp_mask import get_cmp_mask, set_cmp_mask
from .language.isa.vector_compare import compare, compare_scalar
from .language.isa.vector_copy import brcb, copy
from .language.isa.vector_dequant import add_deq_relu, cast_deq
from .language.isa.vector_fill import create_vec_index, duplicate
from .language.isa.vector_fused import (
    add_relu,
    add_relu_cast,
    fused_mul_add,
    fused_mul_add_relu,
    mul_add_dst,
    mul_cast,
    sub_relu,
    sub_relu_cast,
)
from .language.isa.vector_gather import gather, scatter
from .language.isa.vector_gather_mask import gather_mask, get_gather_mask_remain_count
from .language.isa.vector_gatherb import gatherb
from .language.isa.vector_merge import get_mrg_sort_result, mrg_sort
from .language.isa.vector_reduce import (
    block_reduce_max,
    block_reduce_min,
    block_reduce_sum,
    pair_reduce_sum,
    repeat_reduce_sum,
    whole_reduce_max,
    whole_reduce_min,
    whole_reduce_sum,
)
from .language.isa.vector_reduce_tensor import reduce_max, reduce_min, reduce_sum
from .language.isa.vector_scalar import adds, axpy, leaky_relu, maxs, mins, muls
from .language.isa.vector_select import select
from .language.isa.vector_sort import sort32
from .language.isa.vector_transpose import transpose
from .language.isa.vector_unary import abs, exp, ln, reciprocal, relu, rsqrt, sqrt
from .language.kernel import Kernel, get_block_idx, get_block_num, kernel
from .language.memory import LocalTensor
from .language.operator import Operator, operator
from .language.options import defaults, observe, use_chip
from .language.params import (
    BinaryRepeatParams,
    BrcbRepeatParams,
    CopyRepeatParams,
    DataCopyEnhancedParams,
    DataCopyExtParams,
    DataCopyPadExtParams,
    DataCopyPadParams,
    DataCopyParams,
    GatherMaskParams,
    GatherRepeatParams,
    MrgSort4Info,
    MrgSortSrcList,
    Nd2NzParams,
    Nz2NdParamsFull,
    ShapeInfo,
    SliceInfo,
    TransDataTo5HDParams,
    TransposeParamsExt,
    UnaryRepeatParams,
    VdeqInfo,
)
from .language.pool import TBufPool
from .language.program import Program
from .language.sorting import concat, extract, get_sort_len, get_sort_offset, sort
from .language.stage import compute, copy_in, copy_out, stage
from .language.struct import ConstExpr, Field, Struct, StructField, ceildiv, range, static_assert, static_range
from .language.system import (
    ascend_is_aic,
    ascend_is_aiv,
    get_arch_version,
    get_data_block_size_in_bytes,
    get_sub_block_idx,
    get_sub_block_num,
    get_sys_workspace,
    get_task_ratio,
    init_soc_state,
    set_sys_workspace,
)
from .language.tbuf import TBuf
from .language.tpipe import TPipe, get_tpipe_ptr

if _TYPE_CHECKING:
    from .language import adv

half = float16
jit = kernel

arange = create_vec_index
compares = compare_scalar
disable_dma_atomic = set_atomic_none
reduce_data_block_max, reduce_data_block_min = block_reduce_max, block_reduce_min
reduce_data_block_sum, reduce_pair_elem = block_reduce_sum, pair_reduce_sum
reduce_repeat_max, reduce_repeat_min, reduce_repeat_sum = whole_reduce_max, whole_reduce_min, whole_reduce_sum

__all__ = [
    "CMPMODE",
    "ISA",
    "AlignmentError",
    "AscendError",
    "AtomicDtype",
    "AtomicOp",
    "BinaryRepeatParams",
    "BrcbRepeatParams",
    "CacheLine",
    "CacheMode",
    "CacheRwMode",
    "CapacityError",
    "ConstExpr",
    "CopyRepeatParams",
    "DataCopyEnhancedParams",
    "DataCopyExtParams",
    "DataCopyPadExtParams",
    "DataCopyPadParams",
    "DataCopyParams",
    "DataFormat",
    "DataType",
    "DcciDst",
    "DeadlockError",
    "DtypeError",
    "EventError",
    "Field",
    "Finding",
    "GatherMaskMode",
    "GatherMaskParams",
    "GatherRepeatParams",
    "GlobalAddress",
    "GlobalTensor",
    "HardEvent",
    "Hardware",
    "HardwareSpec",
    "HardwareSpecError",
    "HazardError",
    "Kernel",
    "KernelType",
    "LocalMemAllocator",
    "LocalTensor",
    "MaskMode",
    "MemDsbT",
    "MrgSort4Info",
    "MrgSortSrcList",
    "Nd2NzParams",
    "Nz2NdParamsFull",
    "Operator",
    "OperatorError",
    "OutOfBoundsError",
    "OverlapError",
    "PipeID",
    "PositionError",
    "Program",
    "QueueStateError",
    "RangeError",
    "ReduceOrder",
    "RoundMode",
    "SelMode",
    "Severity",
    "ShapeInfo",
    "SliceInfo",
    "Struct",
    "StructField",
    "TBuf",
    "TBufPool",
    "TPipe",
    "TPosition",
    "TQue",
    "TQueBind",
    "TransDataTo5HDParams",
    "TransposeParamsExt",
    "TransposeType",
    "UnaryRepeatParams",
    "UninitializedError",
    "UsageError",
    "VdeqInfo",
    "WorkspaceError",
    "abs",
    "add",
    "add_deq_relu",
    "add_relu",
    "add_relu_cast",
    "adds",
    "adv",
    "arange",
    "ascend_is_aic",
    "ascend_is_aiv",
    "axpy",
    "bfloat16",
    "bilinear_interpolation",
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "block_reduce_max",
    "block_reduce_min",
    "block_reduce_sum",
    "bool_",
    "brcb",
    "cast",
    "cast_deq",
    "ceildiv",
    "compare",
    "compare_scalar",
    "compare_stage",
    "compares",
    "compute",
    "concat",
    "copy",
    "copy_in",
    "copy_out",
    "count_bits_cnt_same_as_sign_bit",
    "create_vec_index",
    "data_cache_clean_and_invalid",
    "data_cache_preload",
    "data_copy",
    "data_copy_pad",
    "data_sync_barrier",
    "defaults",
    "disable_dma_atomic",
    "div",
    "dtype",
    "dump_acc_chk_point",
    "dump_tensor",
    "duplicate",
    "exp",
    "extract",
    "float16",
    "float32",
    "fused_mul_add",
    "fused_mul_add_relu",
    "gather",
    "gather_mask",
    "gatherb",
    "get_arch_version",
    "get_block_idx",
    "get_block_num",
    "get_cmp_mask",
    "get_data_block_size_in_bytes",
    "get_gather_mask_remain_count",
    "get_icache_preload_status",
    "get_mrg_sort_result",
    "get_program_counter",
    "get_sort_len",
    "get_sort_offset",
    "get_store_atomic_config",
    "get_sub_block_idx",
    "get_sub_block_num",
    "get_sys_workspace",
    "get_system_cycle",
    "get_task_ratio",
    "get_tpipe_ptr",
    "half",
    "hazards",
    "icache_preload",
    "init_soc_state",
    "int8",
    "int16",
    "int32",
    "int64",
    "jit",
    "kernel",
    "leaky_relu",
    "ln",
    "max",
    "maxs",
    "metrics_prof_start",
    "metrics_prof_stop",
    "min",
    "mins",
    "mrg_sort",
    "mul",
    "mul_add_dst",
    "mul_cast",
    "muls",
    "observe",
    "operator",
    "pair_reduce_sum",
    "pipe_barrier",
    "pop_stack_buffer",
    "print_time_stamp",
    "printf",
    "range",
    "reciprocal",
    "reduce_data_block_max",
    "reduce_data_block_min",
    "reduce_data_block_sum",
    "reduce_max",
    "reduce_min",
    "reduce_pair_elem",
    "reduce_repeat_max",
    "reduce_repeat_min",
    "reduce_repeat_sum",
    "reduce_sum",
    "relu",
    "repeat_reduce_sum",
    "reset_mask",
    "rsqrt",
    "scalar_cast",
    "scalar_count_leading_zero",
    "scalar_get_count_of_value",
    "scalar_get_sff_value",
    "scatter",
    "select",
    "set_atomic_add",
    "set_atomic_max",
    "set_atomic_min",
    "set_atomic_none",
    "set_atomic_type",
    "set_cmp_mask",
    "set_deq_scale",
    "set_flag",
    "set_mask_count",
    "set_mask_norm",
    "set_pad_value",
    "set_store_atomic_config",
    "set_sys_workspace",
    "set_vector_mask",
    "shift_left",
    "shift_right",
    "sort",
    "sort32",
    "sqrt",
    "stage",
    "static_assert",
    "static_range",
    "sub",
    "sub_relu",
    "sub_relu_cast",
    "trans_data_to_5hd",
    "transpose",
    "trap",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "use_chip",
    "wait_flag",
    "whole_reduce_max",
    "whole_reduce_min",
    "whole_reduce_sum",
]


def __getattr__(name: str) -> object:
    """``adv``, whose files are many, when a kernel first asks for it."""
    if name != "adv":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return globals().setdefault(name, _import_module(".language.adv", __name__))
