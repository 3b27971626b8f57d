"""The instruction set: every :class:`Op` there is, by name.

``vector_*`` and ``dma*`` hold the units' instructions, ``sync``, ``scalar`` and ``queue_calls`` what goes
around them; ``op.py`` says what a declaration is.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from . import (
    atomic,
    cache,
    clock,
    deq_scale,
    dma,
    dma_pad,
    mask,
    queue_calls,
    scalar,
    scalar_bits,
    sync,
    vector_5hd,
    vector_binary,
    vector_bits,
    vector_cast,
    vector_cmp_mask,
    vector_compare,
    vector_copy,
    vector_dequant,
    vector_fill,
    vector_fused,
    vector_gather,
    vector_gather_mask,
    vector_gatherb,
    vector_merge,
    vector_reduce,
    vector_reduce_tensor,
    vector_scalar,
    vector_select,
    vector_sort,
    vector_transpose,
    vector_unary,
)
from .op import Op

_UNITS = (
    vector_binary,
    vector_scalar,
    vector_unary,
    vector_bits,
    vector_fused,
    vector_fill,
    vector_cast,
    vector_dequant,
    vector_compare,
    vector_cmp_mask,
    vector_select,
    vector_gather,
    vector_gatherb,
    vector_gather_mask,
    vector_transpose,
    vector_5hd,
    vector_sort,
    vector_merge,
    vector_reduce,
    vector_reduce_tensor,
    vector_copy,
    dma,
    dma_pad,
    atomic,
    sync,
    mask,
    deq_scale,
    scalar,
    scalar_bits,
    cache,
    clock,
    queue_calls,
)

ISA: Mapping[str, Op] = MappingProxyType({name: getattr(unit, name) for unit in _UNITS for name in unit.__all__})
"""Every instruction by name, unit by unit."""

__all__ = ["ISA", "Op"]
