"""What a kernel may ask about the chip it runs on; known when it is compiled, so it costs nothing."""

from __future__ import annotations

from .core import current


def get_data_block_size_in_bytes() -> int:
    """Bytes of a block: the unit of strides and alignment."""
    return current().spec.vector.block_bytes


def get_arch_version(core_version: int = 0) -> int:
    """The number in the name of the architecture: 2201 for dav-2201; ``core_version`` if it has none.

    C++ returns the number through its argument; here it is the result.
    """
    digits = "".join(c for c in current().spec.architecture if c.isdigit())
    return int(digits) if digits else core_version
