"""Element types: Ascend C's names over NumPy's dtypes."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import DtypeError
from .nibbles import NUMBER, PAIR, packed, unpacked

Array = NDArray[Any]


class DataType:
    """An element type.  One object per type: compare with ``is`` or ``==``.

    Attributes:
        name: ``float16``, ``int32`` …
        itemsize: bytes of an item, which is what has an address: an element, or the two of int4 that share a byte.
        per_item: elements of an item: 2 of int4, 1 of all others.
    """

    __slots__ = ("itemsize", "name", "per_item")

    def __init__(self, name: str, itemsize: int, per_item: int = 1) -> None:
        self.name, self.itemsize, self.per_item = name, itemsize, per_item

    def sizeof(self) -> int:
        """Bytes of an item, as in C++."""
        return self.itemsize

    def nbytes(self, count: int) -> int:
        """Bytes of ``count`` elements, of whole items."""
        return count // self.per_item * self.itemsize

    def count(self, nbytes: int) -> int:
        """Elements in ``nbytes``."""
        return nbytes // self.itemsize * self.per_item

    @property
    def numpy(self) -> np.dtype[Any]:
        """The NumPy dtype of an item, with the same bits."""
        return _numpy(self.name)

    @property
    def number(self) -> np.dtype[Any]:
        """The NumPy dtype of an element as a number: that of an item, but int8 of int4."""
        return self.numpy if self.per_item == 1 else NUMBER

    def numbers(self, items: Array) -> Array:
        """The elements of an array of bytes as numbers: a view on it, but a copy of int4."""
        found = items.view(self.numpy)
        return found if self.per_item == 1 else unpacked(found)

    def items(self, numbers: Array) -> Array:
        """Numbers of this type as they lie in memory."""
        return numbers if self.per_item == 1 else packed(numbers)

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the largest number of an integer type."""
        bits = 8 * self.itemsize // self.per_item
        return (0, 2**bits - 1) if self.name.startswith("u") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)

    @property
    def is_float(self) -> bool:
        """Whether it is a floating point type."""
        return "float" in self.name

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        return (dtype, (self.name,))


bool_ = DataType("bool", 1)
int8, int16, int32, int64 = (DataType(f"int{8 * n}", n) for n in (1, 2, 4, 8))
uint8, uint16, uint32, uint64 = (DataType(f"uint{8 * n}", n) for n in (1, 2, 4, 8))
float16, float32 = DataType("float16", 2), DataType("float32", 4)
bfloat16 = DataType("bfloat16", 2)
int4 = DataType("int4", 1, per_item=2)

DTYPES = {
    t.name: t
    for t in (
        *(bool_, int8, int16, int32, int64, uint8, uint16, uint32, uint64),
        *(float16, bfloat16, float32),
    )
}
"""Every element type that arrays and instructions have, by name; int4 is one of tensors in UB alone."""

_NAMED = {**DTYPES, "half": float16, "float": float32, "bool_": bool_, "int4": int4, "int4b_t": int4}


def dtype(like: Any) -> DataType:
    """The element type meant by ``like``: one of ours, a NumPy dtype, or a name.

    Raises:
        DtypeError: there is no such element type.
    """
    if isinstance(like, DataType):
        return like
    found = _NAMED.get(like) if isinstance(like, str) else DTYPES.get(_name(like))
    if found is None:
        shown = repr(like) if isinstance(like, str) else _name(like)
        raise DtypeError(f"{shown} is no element type here; there are: {', '.join(DTYPES)}, int4")
    return found


def _name(like: Any) -> str:
    try:
        return str(np.dtype(like).name)
    except (TypeError, ValueError):
        return str(like)


@cache
def _numpy(name: str) -> np.dtype[Any]:
    if name == "int4":
        return PAIR
    if name == "bfloat16":
        import ml_dtypes  # noqa: PLC0415  costs start-up time, and few kernels need it

        found: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
        return found
    return np.dtype(name)
