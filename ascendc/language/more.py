"""What few kernels need: imported when one of them first asks for any of it.

``ascendc`` has all of these names, too; importing them with it would cost every short script its start.
"""

from __future__ import annotations

from .allocate import LocalMemAllocator, pop_stack_buffer
from .bilinear import bilinear_interpolation
from .dump import dump_acc_chk_point, dump_tensor, printf, trap
from .isa.atomic import (
    get_store_atomic_config,
    set_atomic_add,
    set_atomic_max,
    set_atomic_min,
    set_atomic_none,
    set_atomic_type,
    set_store_atomic_config,
)
from .isa.cache import (
    data_cache_clean_and_invalid,
    data_cache_preload,
    data_sync_barrier,
    get_icache_preload_status,
    icache_preload,
)
from .isa.clock import (
    get_program_counter,
    get_system_cycle,
    metrics_prof_start,
    metrics_prof_stop,
    print_time_stamp,
)
from .isa.deq_scale import set_deq_scale
from .isa.scalar_bits import (
    count_bits_cnt_same_as_sign_bit,
    scalar_cast,
    scalar_count_leading_zero,
    scalar_get_count_of_value,
    scalar_get_sff_value,
)
from .isa.vector_5hd import trans_data_to_5hd
from .isa.vector_bits import bitwise_and, bitwise_not, bitwise_or, shift_left, shift_right
from .isa.vector_cmp_mask import get_cmp_mask, set_cmp_mask
from .isa.vector_compare import compare, compare_scalar
from .isa.vector_copy import brcb, copy
from .isa.vector_dequant import add_deq_relu, cast_deq
from .isa.vector_fill import create_vec_index
from .isa.vector_fused import (
    add_relu,
    add_relu_cast,
    fused_mul_add,
    fused_mul_add_relu,
    mul_add_dst,
    mul_cast,
    sub_relu,
    sub_relu_cast,
)
from .isa.vector_gather import gather, scatter
from .isa.vector_gather_mask import gather_mask, get_gather_mask_remain_count
from .isa.vector_gatherb import gatherb
from .isa.vector_merge import get_mrg_sort_result, mrg_sort
from .isa.vector_reduce import (
    block_reduce_max,
    block_reduce_min,
    block_reduce_sum,
    pair_reduce_sum,
    repeat_reduce_sum,
    whole_reduce_max,
    whole_reduce_min,
    whole_reduce_sum,
)
from .isa.vector_reduce_tensor import reduce_max, reduce_min, reduce_sum
from .isa.vector_select import select
from .isa.vector_sort import sort32
from .isa.vector_transpose import transpose
from .isa.watch import check_local_memory_ia
from .sorting import concat, extract, get_sort_len, get_sort_offset, sort
from .system import (
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

arange = create_vec_index
compares = compare_scalar
disable_dma_atomic = set_atomic_none
reduce_data_block_max, reduce_data_block_min = block_reduce_max, block_reduce_min
reduce_data_block_sum, reduce_pair_elem = block_reduce_sum, pair_reduce_sum
reduce_repeat_max, reduce_repeat_min, reduce_repeat_sum = whole_reduce_max, whole_reduce_min, whole_reduce_sum

__all__ = [
    "LocalMemAllocator",
    "add_deq_relu",
    "add_relu",
    "add_relu_cast",
    "arange",
    "ascend_is_aic",
    "ascend_is_aiv",
    "bilinear_interpolation",
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "block_reduce_max",
    "block_reduce_min",
    "block_reduce_sum",
    "brcb",
    "cast_deq",
    "check_local_memory_ia",
    "compare",
    "compare_scalar",
    "compares",
    "concat",
    "copy",
    "count_bits_cnt_same_as_sign_bit",
    "data_cache_clean_and_invalid",
    "data_cache_preload",
    "data_sync_barrier",
    "disable_dma_atomic",
    "dump_acc_chk_point",
    "dump_tensor",
    "extract",
    "fused_mul_add",
    "fused_mul_add_relu",
    "gather",
    "gather_mask",
    "gatherb",
    "get_arch_version",
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
    "icache_preload",
    "init_soc_state",
    "metrics_prof_start",
    "metrics_prof_stop",
    "mrg_sort",
    "mul_add_dst",
    "mul_cast",
    "pair_reduce_sum",
    "pop_stack_buffer",
    "print_time_stamp",
    "printf",
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
    "repeat_reduce_sum",
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
    "set_store_atomic_config",
    "set_sys_workspace",
    "shift_left",
    "shift_right",
    "sort",
    "sort32",
    "sub_relu",
    "sub_relu_cast",
    "trans_data_to_5hd",
    "transpose",
    "trap",
    "whole_reduce_max",
    "whole_reduce_min",
    "whole_reduce_sum",
]
