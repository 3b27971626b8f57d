"""The arguments of a call whose forms differ in more than a count and a mask."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from ..classes import spelled
from ..errors import UsageError

if TYPE_CHECKING:
    from ..core import Core

Rest = tuple[tuple[Any, ...], dict[str, Any]]


def nothing_after(core: Core, call: str, last: str, rest: Rest) -> None:
    """Check that the argument called ``last`` was the last one.

    Raises:
        UsageError: there are more.
    """
    if rest[0] or rest[1]:
        core.fail(UsageError, f"{call}: {last} must be the last argument, got {listed(*rest)} after it")


def listed(args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """Arguments as an author writes them: ``64, is_set_mask=False``."""
    return ", ".join([*map(spelled, args), *(f"{name}={spelled(value)}" for name, value in kwargs.items())])


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


def one_form(
    core: Core,
    call: str,
    forms: Sequence[tuple[str, ...]],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    behind: tuple[str, ...] = (),
) -> dict[str, Any]:
    """The arguments by name, of the one among ``forms`` that has just these; all have those ``behind``, too.

    Raises:
        UsageError: there is none.
    """
    for names in forms:
        given = dict(zip(names, args, strict=False))
        if len(args) <= len(names) and not given.keys() & kwargs and given.keys() | kwargs == set(names):
            return given | kwargs
    return _no_form(core, call, [(*names, *behind) for names in forms])


def _no_form(core: Core, call: str, forms: Sequence[tuple[str, ...]]) -> NoReturn:
    *most, last = (f"({', '.join(names)})" for names in forms)
    core.fail(UsageError, f"{call}: the arguments fit no form; the forms are {', '.join(most)} and {last}")
