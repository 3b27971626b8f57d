"""The instruction set: every :class:`Op` there is, by name.

``vector_*`` and ``dma*`` hold the units' instructions, ``sync``, ``scalar`` and ``queue_calls`` what goes
around them; ``op.py`` says what a declaration is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from types import ModuleType

from .op import Op

_UNITS = (
    "vector_binary",
    "vector_scalar",
    "vector_unary",
    "vector_bits",
    "vector_fused",
    "vector_fill",
    "vector_cast",
    "vector_dequant",
    "vector_compare",
    "vector_cmp_mask",
    "vector_select",
    "vector_gather",
    "vector_gatherb",
    "vector_gather_mask",
    "vector_transpose",
    "vector_5hd",
    "vector_sort",
    "vector_merge",
    "vector_reduce",
    "vector_reduce_tensor",
    "vector_copy",
    "dma",
    "dma_pad",
    "atomic",
    "sync",
    "mask",
    "deq_scale",
    "scalar",
    "scalar_bits",
    "cache",
    "watch",
    "clock",
    "queue_calls",
)


def units() -> list[ModuleType]:
    """The modules that declare instructions, in the order of the instruction table."""
    return [import_module(f"{__name__}.{unit}") for unit in _UNITS]


class _Instructions(Mapping[str, Op]):
    """The instructions by name; their modules are imported when the first one is asked for."""

    @cached_property
    def _found(self) -> dict[str, Op]:
        return {name: getattr(unit, name) for unit in units() for name in unit.__all__}

    def __getitem__(self, name: str) -> Op:
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


ISA: Mapping[str, Op] = _Instructions()
"""Every instruction by name, unit by unit."""

__all__ = ["ISA", "Op", "units"]
