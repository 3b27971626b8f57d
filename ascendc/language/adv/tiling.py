"""Shapes that a host hands to row-wise functions, as Ascend C's tiling structs: plain values without state.

How many rows are worked on at a time follows from the temporary memory, in the kernel; a tiling is a shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod


@dataclass(frozen=True, slots=True)
class SoftMaxShapeInfo:
    """What of a matrix softmax works on.

    Attributes:
        src_m, src_k: rows, and elements from one to the next.
        ori_src_m, ori_src_k: those that count; all if 0.
    """

    src_m: int = 0
    src_k: int = 0
    ori_src_m: int = 0
    ori_src_k: int = 0


@dataclass(frozen=True, slots=True)
class SoftMaxTiling:
    """The matrix of a softmax.

    Attributes:
        src_m, src_k: rows, and elements of each.
    """

    src_m: int = 0
    src_k: int = 0


def soft_max_tiling_func(src_shape: Sequence[int]) -> SoftMaxTiling:
    """The tiling of a matrix: all dimensions but the last are rows."""
    return SoftMaxTiling(prod(src_shape[:-1]), src_shape[-1])


@dataclass(frozen=True, slots=True)
class NormTiling:
    """The tensor of a normalisation: ``b_length`` times ``s_length`` rows.

    Attributes:
        b_length, s_length: rows of the outer dimensions.
        h_length: elements from one row to the next.
        original_h_length: elements of a row that count; all if 0.
    """

    b_length: int = 0
    s_length: int = 0
    h_length: int = 0
    original_h_length: int = 0


class LayerNormTiling(NormTiling):
    """The tensor of a layernorm."""

    __slots__ = ()


class RmsNormTiling(NormTiling):
    """The tensor of an rmsnorm."""

    __slots__ = ()


def get_layer_norm_nd_tiling_info(src_shape: Sequence[int], original_h_length: int = 0) -> LayerNormTiling:
    """The tiling of a tensor (b, s, h) with rows padded to h elements."""
    return LayerNormTiling(*_three(src_shape), original_h_length)


def get_rms_norm_tiling_info(src_shape: Sequence[int], original_h_length: int = 0) -> RmsNormTiling:
    """The tiling of a tensor (b, s, h) with rows padded to h elements."""
    return RmsNormTiling(*_three(src_shape), original_h_length)


def _three(shape: Sequence[int]) -> tuple[int, int, int]:
    """Two outer dimensions and the last one."""
    *outer, last = shape
    return prod(outer[:-1]), outer[-1] if outer else 1, last
