"""The leading arguments of a call whose forms differ in their operands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import UsageError

if TYPE_CHECKING:
    from ..core import Core

Rest = tuple[tuple[Any, ...], dict[str, Any]]


def bind(
    core: Core, call: str, names: tuple[str, ...], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], Rest]:
    """The arguments called ``names``, by position or by name, and those after them.

    Raises:
        UsageError: one is missing, or given twice.
    """
    given, rest = dict(zip(names, args, strict=False)), dict(kwargs)
    for name in names:
        if name in given and name in rest:
            core.fail(UsageError, f"{call}: {name} is given twice")
        if name not in given:
            if name not in rest:
                core.fail(UsageError, f"{call}: {name} is missing; this form begins ({', '.join(names)})")
            given[name] = rest.pop(name)
    return tuple(given[name] for name in names), (args[len(names) :], rest)
