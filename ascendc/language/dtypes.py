"""Element types: Ascend C's names over NumPy's dtypes."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .errors import DtypeError


class DataType:
    """An element type.  One object per type: compare with ``is`` or ``==``.

    Attributes:
        name: ``float16``, ``int32`` …
        itemsize: bytes of one element.
    """

    __slots__ = ("itemsize", "name")

    def __init__(self, name: str, itemsize: int) -> None:
        self.name, self.itemsize = name, itemsize

    def sizeof(self) -> int:
        """Bytes of one element."""
        return self.itemsize

    @property
    def numpy(self) -> np.dtype[Any]:
        """The NumPy dtype with the same bits."""
        return _numpy(self.name)

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

DTYPES = {
    t.name: t
    for t in (
        *(bool_, int8, int16, int32, int64, uint8, uint16, uint32, uint64),
        *(float16, bfloat16, float32),
    )
}
"""Every element type by name."""

_ALIASES = {"half": float16, "float": float32, "bool_": bool_}


def dtype(like: Any) -> DataType:
    """The element type meant by ``like``: one of ours, a NumPy dtype, or a name.

    Raises:
        DtypeError: there is no such element type.
    """
    if isinstance(like, DataType):
        return like
    name = like if isinstance(like, str) else _name(like)
    found = DTYPES.get(name) or _ALIASES.get(name)
    if found is None:
        raise DtypeError(f"{like!r} is no element type here; there are: {', '.join(DTYPES)}")
    return found


def _name(like: Any) -> str:
    try:
        return str(np.dtype(like).name)
    except TypeError:
        return str(like)


@cache
def _numpy(name: str) -> np.dtype[Any]:
    if name == "bfloat16":
        import ml_dtypes  # noqa: PLC0415  costs start-up time, and few kernels need it

        found: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
        return found
    return np.dtype(name)
