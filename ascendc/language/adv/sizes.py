"""On the host: how many bytes of temporary memory a function of single elements can use, and how many it needs."""

from __future__ import annotations

from .activation import faster_gelu, geglu, gelu, reglu, sigmoid, silu, swiglu, swish
from .math_curves import cos, erf, sin, tanh
from .math_power import log, log2, log10, power
from .math_rounding import ceil, floor, frac, round, trunc
from .math_simple import clamp, clamp_max, clamp_min, fmod, sign, xor

get_ceil_max_min_tmp_size = ceil.max_min_tmp_size
get_clamp_max_min_tmp_size = clamp.max_min_tmp_size
get_clamp_max_max_min_tmp_size = clamp_max.max_min_tmp_size
get_clamp_min_max_min_tmp_size = clamp_min.max_min_tmp_size
get_cos_max_min_tmp_size = cos.max_min_tmp_size
get_erf_max_min_tmp_size = erf.max_min_tmp_size
get_faster_gelu_max_min_tmp_size = faster_gelu.max_min_tmp_size
get_floor_max_min_tmp_size = floor.max_min_tmp_size
get_fmod_max_min_tmp_size = fmod.max_min_tmp_size
get_frac_max_min_tmp_size = frac.max_min_tmp_size
get_geglu_max_min_tmp_size = geglu.max_min_tmp_size
get_gelu_max_min_tmp_size = gelu.max_min_tmp_size
get_log_max_min_tmp_size = log.max_min_tmp_size
get_log10_max_min_tmp_size = log10.max_min_tmp_size
get_log2_max_min_tmp_size = log2.max_min_tmp_size
get_power_max_min_tmp_size = power.max_min_tmp_size
get_reglu_max_min_tmp_size = reglu.max_min_tmp_size
get_round_max_min_tmp_size = round.max_min_tmp_size
get_sigmoid_max_min_tmp_size = sigmoid.max_min_tmp_size
get_sign_max_min_tmp_size = sign.max_min_tmp_size
get_silu_max_min_tmp_size = silu.max_min_tmp_size
get_sin_max_min_tmp_size = sin.max_min_tmp_size
get_swiglu_max_min_tmp_size = swiglu.max_min_tmp_size
get_swish_max_min_tmp_size = swish.max_min_tmp_size
get_tanh_max_min_tmp_size = tanh.max_min_tmp_size
get_trunc_max_min_tmp_size = trunc.max_min_tmp_size
get_xor_max_min_tmp_size = xor.max_min_tmp_size

__all__ = [
    "get_ceil_max_min_tmp_size",
    "get_clamp_max_max_min_tmp_size",
    "get_clamp_max_min_tmp_size",
    "get_clamp_min_max_min_tmp_size",
    "get_cos_max_min_tmp_size",
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
    "get_xor_max_min_tmp_size",
]
