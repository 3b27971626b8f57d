"""The block of local memory: what operands are aligned to, and what strides and copies count in."""

from __future__ import annotations

BLOCK = 32
"""Bytes of a block: Ascend C API, data alignment; the same on every chip, since instructions encode strides in it."""


def whole_blocks(count: int, item: int = 1) -> int:
    """Elements of ``item`` bytes, or bytes, of the blocks that ``count`` of them need."""
    return -(-count * item // BLOCK) * BLOCK // item


__all__ = ["BLOCK", "whole_blocks"]
