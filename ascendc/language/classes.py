"""Arguments that must be of one class: parameter structs, and members of an enum."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeVar

from .errors import UsageError

if TYPE_CHECKING:
    from .core import Core


T = TypeVar("T")


def need_class(core: Core, call: str, name: str, value: Any, wanted: type[T], *, maker: str = "") -> T:
    """An argument, if it is a ``wanted``; ``maker`` is the function that authors have theirs from.

    Raises:
        UsageError: it is something else.
    """
    if not isinstance(value, wanted):
        made = f", as {maker} makes it" if maker else ""
        core.fail(UsageError, f"{call}: {name} must be {_one(wanted)}{made}, got {spelled(value)}")
    return value


def spelled(value: Any) -> str:
    """A value as an author would write it: ``RoundMode.CAST_RINT``, not what ``repr`` makes of a member."""
    return f"{type(value).__name__}.{value.name}" if isinstance(value, Enum) else repr(value)


def with_article(name: str) -> str:
    """``a DataCopyParams``, ``an UnPadParams``, ``an int``."""
    return f"an {name}" if re.match("[AEIOaeio]|Un[A-Z]", name) else f"a {name}"


def _one(wanted: type) -> str:
    """``a DataCopyParams``; ``a RoundMode, as RoundMode.CAST_NONE``."""
    example = f", as {spelled(next(iter(wanted)))}" if issubclass(wanted, Enum) else ""
    return with_article(wanted.__name__) + example
