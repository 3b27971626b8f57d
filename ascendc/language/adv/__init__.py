"""High-level vector functions, ``asc.adv``: written in the instructions of ``asc``, whose cycles they take.

All work on tensors in UB and on any number of elements.  ``temp_buffer`` is memory to work in; without it a
function takes what the TPipe's buffers leave of UB.  ``get_NAME_max_min_tmp_size`` says on the host how many
bytes it can make use of, and how many it needs.
"""

from __future__ import annotations

from .activation import faster_gelu, geglu, gelu, reglu, sigmoid, silu, swiglu, swish
from .anti_quant import anti_quant, get_anti_quant_max_min_tmp_size
from .dequant import DequantParams, dequant, get_dequant_max_min_tmp_size
from .dropout import DropOutShapeInfo, dropout, get_dropout_max_min_tmp_size
from .function import FUNCTIONS
from .math_curves import cos, erf, sin, tanh
from .math_power import log, log2, log10, power
from .math_rounding import ceil, floor, frac, round, trunc
from .math_simple import clamp, clamp_max, clamp_min, fmod, sign, xor
from .quant import get_quant_max_min_tmp_size, quant
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
from .where import get_where_max_min_tmp_size, where

ascend_anti_quant, ascend_dequant, ascend_quant = anti_quant, dequant, quant
get_ascend_anti_quant_max_min_tmp_size = get_anti_quant_max_min_tmp_size
get_ascend_dequant_max_min_tmp_size = get_dequant_max_min_tmp_size
get_ascend_quant_max_min_tmp_size = get_quant_max_min_tmp_size

__all__ = [
    "FUNCTIONS",
    "DequantParams",
    "DropOutShapeInfo",
    "anti_quant",
    "ascend_anti_quant",
    "ascend_dequant",
    "ascend_quant",
    "ceil",
    "clamp",
    "clamp_max",
    "clamp_min",
    "cos",
    "dequant",
    "dropout",
    "erf",
    "faster_gelu",
    "floor",
    "fmod",
    "frac",
    "geglu",
    "gelu",
    "get_anti_quant_max_min_tmp_size",
    "get_ascend_anti_quant_max_min_tmp_size",
    "get_ascend_dequant_max_min_tmp_size",
    "get_ascend_quant_max_min_tmp_size",
    "get_ceil_max_min_tmp_size",
    "get_clamp_max_max_min_tmp_size",
    "get_clamp_max_min_tmp_size",
    "get_clamp_min_max_min_tmp_size",
    "get_cos_max_min_tmp_size",
    "get_dequant_max_min_tmp_size",
    "get_dropout_max_min_tmp_size",
    "get_erf_max_min_tmp_size",
    "get_faster_gelu_max_min_tmp_size",
    "get_floor_max_min_tmp_size",
    "get_fmod_max_min_tmp_size",
    "get_frac_max_min_tmp_size",
    "get_geglu_max_min_tmp_size",
    "get_gelu_max_min_tmp_size",
    "get_log2_max_min_tmp_size",
    "get_log10_max_min_tmp_size",
    "get_log_max_min_tmp_size",
    "get_power_max_min_tmp_size",
    "get_quant_max_min_tmp_size",
    "get_reglu_max_min_tmp_size",
    "get_round_max_min_tmp_size",
    "get_sigmoid_max_min_tmp_size",
    "get_sign_max_min_tmp_size",
    "get_silu_max_min_tmp_size",
    "get_sin_max_min_tmp_size",
    "get_swiglu_max_min_tmp_size",
    "get_swish_max_min_tmp_size",
    "get_tanh_max_min_tmp_size",
    "get_trunc_max_min_tmp_size",
    "get_where_max_min_tmp_size",
    "get_xor_max_min_tmp_size",
    "log",
    "log2",
    "log10",
    "power",
    "quant",
    "reglu",
    "round",
    "sigmoid",
    "sign",
    "silu",
    "sin",
    "swiglu",
    "swish",
    "tanh",
    "trunc",
    "where",
    "xor",
]
