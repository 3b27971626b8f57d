"""Small things kernels written for a compiler use: compile-time values, loops, tiling structs."""

from __future__ import annotations

import builtins
import inspect
from typing import Any, Generic, TypeVar

from .core import fail
from .dtypes import DataType
from .errors import UsageError

T = TypeVar("T")


class ConstExpr(Generic[T]):
    """Annotation of a parameter a compiler would specialise on: ``tile: ConstExpr[int]``.  No effect here."""


class Field:
    """A field of a :class:`Struct`: its element type and default."""

    def __init__(self, dtype: DataType | None = None, default: Any = None) -> None:
        self.dtype, self.default = dtype, default


StructField = Field


class Struct:
    """A tiling struct: fields are annotations or :class:`Field` values of the class; set by name or in order."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        fields = self._fields()
        if len(args) > len(fields):
            fail(UsageError, f"{type(self).__name__}: {len(args)} values for {len(fields)} fields: {', '.join(fields)}")
        for name, value in zip(fields, args, strict=False):
            if name in kwargs:
                fail(UsageError, f"{type(self).__name__}: {name} is given twice: in its place and by its name")
            kwargs[name] = value
        for name in kwargs:
            if name not in fields:
                fail(UsageError, f"{type(self).__name__}: there is no field {name}; fields: {', '.join(fields)}")
        for name, default in fields.items():
            setattr(self, name, kwargs.get(name, default))

    @classmethod
    def _fields(cls) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for base in reversed(cls.__mro__):
            for name in inspect.get_annotations(base):
                out[name] = base.__dict__.get(name)
            for name, value in base.__dict__.items():
                if isinstance(value, Field):
                    out[name] = value.default
        return {n: v.default if isinstance(v, Field) else v for n, v in out.items()}

    def __repr__(self) -> str:
        inside = ", ".join(f"{n}={getattr(self, n)!r}" for n in self._fields())
        return f"{type(self).__name__}({inside})"


def ceildiv(a: int, b: int) -> int:
    """a / b, rounded up."""
    return -(-a // b)


def static_range(*args: int) -> builtins.range:
    """``range``; a compiler would unroll it."""
    return builtins.range(*args)


range = static_range
"""``range``, for kernels written against a compiler's own."""


def static_assert(condition: object, message: str = "") -> None:
    """Check something a compiler would check.

    Raises:
        UsageError: it does not hold.
    """
    if not condition:
        fail(UsageError, f"static_assert: {message or 'the condition does not hold'}")
