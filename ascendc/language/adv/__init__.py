"""High-level vector functions, ``asc.adv``: written in the instructions of ``asc``, whose cycles they take.

All work on tensors in UB and on any number of elements.  ``temp_buffer`` is memory to work in; without it a
function takes what the TPipe's buffers leave of UB.  ``get_NAME_max_min_tmp_size`` says on the host how many
bytes it can make use of, and how many it needs.
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING as _TYPE_CHECKING

from ..sorting import concat, extract, sort
from .activation import faster_gelu, geglu, gelu, reglu, sigmoid, silu, swiglu, swish
from .anti_quant import anti_quant, get_anti_quant_max_min_tmp_size
from .arange import arange
from .broadcast import broadcast, get_broadcast_max_min_tmp_size
from .cumsum import CumSumInfo, cumsum, get_cumsum_max_min_tmp_size
from .dequant import DequantParams, dequant, get_dequant_max_min_tmp_size
from .dropout import DropOutShapeInfo, dropout, get_dropout_max_min_tmp_size
from .fill import fill, get_fill_max_min_tmp_size
from .function import FUNCTIONS
from .math_curves import cos, erf, sin, tanh
from .math_power import log, log2, log10, power
from .math_rounding import ceil, floor, frac, round, trunc
from .math_simple import clamp, clamp_max, clamp_min, fmod, sign, xor
from .norm import get_layernorm_max_min_tmp_size, get_rmsnorm_max_min_tmp_size, layernorm, rmsnorm
from .pad import (
    PadParams,
    PadTiling,
    UnPadParams,
    UnPadTiling,
    get_pad_max_min_tmp_size,
    get_unpad_max_min_tmp_size,
    pad,
    pad_tiling_func,
    unpad,
    unpad_tiling_func,
)
from .quant import get_quant_max_min_tmp_size, quant
from .reduce import (
    ReducePattern,
    get_reduce_all_max_min_tmp_size,
    get_reduce_any_max_min_tmp_size,
    get_reduce_max_max_min_tmp_size,
    get_reduce_mean_max_min_tmp_size,
    get_reduce_min_max_min_tmp_size,
    get_reduce_prod_max_min_tmp_size,
    get_reduce_sum_max_min_tmp_size,
    reduce_all,
    reduce_any,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
)
from .sizes import (
    get_ceil_max_min_tmp_size,
    get_clamp_max_max_min_tmp_size,
    get_clamp_max_min_tmp_size,
    get_clamp_min_max_min_tmp_size,
    get_cos_max_min_tmp_size,
    get_erf_max_min_tmp_size,
    get_faster_gelu_max_min_tmp_size,
    get_floor_max_min_tmp_size,
    get_fmod_max_min_tmp_size,
    get_frac_max_min_tmp_size,
    get_geglu_max_min_tmp_size,
    get_gelu_max_min_tmp_size,
    get_log2_max_min_tmp_size,
    get_log10_max_min_tmp_size,
    get_log_max_min_tmp_size,
    get_power_max_min_tmp_size,
    get_reglu_max_min_tmp_size,
    get_round_max_min_tmp_size,
    get_sigmoid_max_min_tmp_size,
    get_sign_max_min_tmp_size,
    get_silu_max_min_tmp_size,
    get_sin_max_min_tmp_size,
    get_swiglu_max_min_tmp_size,
    get_swish_max_min_tmp_size,
    get_tanh_max_min_tmp_size,
    get_trunc_max_min_tmp_size,
    get_xor_max_min_tmp_size,
)
from .softmax import (
    get_log_softmax_max_min_tmp_size,
    get_simple_softmax_max_min_tmp_size,
    get_softmax_max_min_tmp_size,
    log_softmax,
    simple_softmax,
    softmax,
)
from .softmax_flash import get_softmax_flash_v2_max_min_tmp_size, softmax_flash_v2
from .tiling import (
    LayerNormTiling,
    RmsNormTiling,
    SoftMaxShapeInfo,
    SoftMaxTiling,
    get_layer_norm_nd_tiling_info,
    get_rms_norm_tiling_info,
    soft_max_tiling_func,
)
from .top_k import TopKInfo, TopKMode, TopkTiling, get_top_k_max_min_tmp_size, top_k, top_k_tiling_func
from .totals import MeanParams, SumParams, get_mean_max_min_tmp_size, get_sum_max_min_tmp_size, mean, sum
from .where import get_where_max_min_tmp_size, where

ascend_anti_quant, ascend_dequant, ascend_quant = anti_quant, dequant, quant
get_ascend_anti_quant_max_min_tmp_size = get_anti_quant_max_min_tmp_size
get_ascend_dequant_max_min_tmp_size = get_dequant_max_min_tmp_size
get_ascend_quant_max_min_tmp_size = get_quant_max_min_tmp_size

__all__ = [
    "FUNCTIONS",
    "CumSumInfo",
    "DequantParams",
    "DropOutShapeInfo",
    "LayerNormTiling",
    "MeanParams",
    "PadParams",
    "PadTiling",
    "ReducePattern",
    "RmsNormTiling",
    "SoftMaxShapeInfo",
    "SoftMaxTiling",
    "SumParams",
    "TopKInfo",
    "TopKMode",
    "TopkTiling",
    "UnPadParams",
    "UnPadTiling",
    "anti_quant",
    "arange",
    "ascend_anti_quant",
    "ascend_dequant",
    "ascend_quant",
    "broadcast",
    "ceil",
    "clamp",
    "clamp_max",
    "clamp_min",
    "concat",
    "cos",
    "cumsum",
    "dequant",
    "dropout",
    "erf",
    "extract",
    "faster_gelu",
    "fill",
    "floor",
    "fmod",
    "frac",
    "geglu",
    "gelu",
    "get_anti_quant_max_min_tmp_size",
    "get_ascend_anti_quant_max_min_tmp_size",
    "get_ascend_dequant_max_min_tmp_size",
    "get_ascend_quant_max_min_tmp_size",
    "get_broadcast_max_min_tmp_size",
    "get_ceil_max_min_tmp_size",
    "get_clamp_max_max_min_tmp_size",
    "get_clamp_max_min_tmp_size",
    "get_clamp_min_max_min_tmp_size",
    "get_cos_max_min_tmp_size",
    "get_cumsum_max_min_tmp_size",
    "get_dequant_max_min_tmp_size",
    "get_dropout_max_min_tmp_size",
    "get_erf_max_min_tmp_size",
    "get_faster_gelu_max_min_tmp_size",
    "get_fill_max_min_tmp_size",
    "get_floor_max_min_tmp_size",
    "get_fmod_max_min_tmp_size",
    "get_frac_max_min_tmp_size",
    "get_geglu_max_min_tmp_size",
    "get_gelu_max_min_tmp_size",
    "get_layer_norm_nd_tiling_info",
    "get_layernorm_max_min_tmp_size",
    "get_log2_max_min_tmp_size",
    "get_log10_max_min_tmp_size",
    "get_log_max_min_tmp_size",
    "get_log_softmax_max_min_tmp_size",
    "get_mean_max_min_tmp_size",
    "get_pad_max_min_tmp_size",
    "get_power_max_min_tmp_size",
    "get_quant_max_min_tmp_size",
    "get_reduce_all_max_min_tmp_size",
    "get_reduce_any_max_min_tmp_size",
    "get_reduce_max_max_min_tmp_size",
    "get_reduce_mean_max_min_tmp_size",
    "get_reduce_min_max_min_tmp_size",
    "get_reduce_prod_max_min_tmp_size",
    "get_reduce_sum_max_min_tmp_size",
    "get_reglu_max_min_tmp_size",
    "get_rms_norm_tiling_info",
    "get_rmsnorm_max_min_tmp_size",
    "get_round_max_min_tmp_size",
    "get_sigmoid_max_min_tmp_size",
    "get_sign_max_min_tmp_size",
    "get_silu_max_min_tmp_size",
    "get_simple_softmax_max_min_tmp_size",
    "get_sin_max_min_tmp_size",
    "get_softmax_flash_v2_max_min_tmp_size",
    "get_softmax_max_min_tmp_size",
    "get_sum_max_min_tmp_size",
    "get_swiglu_max_min_tmp_size",
    "get_swish_max_min_tmp_size",
    "get_tanh_max_min_tmp_size",
    "get_top_k_max_min_tmp_size",
    "get_trunc_max_min_tmp_size",
    "get_unpad_max_min_tmp_size",
    "get_where_max_min_tmp_size",
    "get_xor_max_min_tmp_size",
    "layernorm",
    "log",
    "log2",
    "log10",
    "log_softmax",
    "mean",
    "pad",
    "pad_tiling_func",
    "power",
    "quant",
    "reduce_all",
    "reduce_any",
    "reduce_max",
    "reduce_mean",
    "reduce_min",
    "reduce_prod",
    "reduce_sum",
    "reglu",
    "rmsnorm",
    "round",
    "sigmoid",
    "sign",
    "silu",
    "simple_softmax",
    "sin",
    "soft_max_tiling_func",
    "softmax",
    "softmax_flash_v2",
    "sort",
    "sum",
    "swiglu",
    "swish",
    "tanh",
    "top_k",
    "top_k_tiling_func",
    "trunc",
    "unpad",
    "unpad_tiling_func",
    "where",
    "xor",
]


if not _TYPE_CHECKING:  # who checks types is told anyway

    def __getattr__(name: str) -> object:
        """For what is not there: say what was meant."""
        raise _import_module("..names", __name__).no_attribute(name, "ascendc.adv")
