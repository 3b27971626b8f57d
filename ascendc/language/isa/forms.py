"""Which of its three forms a vector call is: told apart by its arguments, once for all families."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import UsageError

if TYPE_CHECKING:
    from ..core import Core


@dataclass(frozen=True, slots=True)
class Masked:
    """The arguments that only the mask forms have."""

    mask: int | list[int]
    repeat_times: int
    params: Any


def form(
    core: Core, call: str, args: tuple[Any, ...], kwargs: dict[str, Any], names: tuple[str, ...] = ()
) -> tuple[int | None, Masked | None]:
    """Take a call's arguments after its operands apart: a count, or a mask with repeats.

    Args:
        core: the running block.
        call: the instruction's name, for messages.
        args: positional arguments after the operands.
        kwargs: keyword arguments.
        names: what the mask form's arguments are called after the mask, ``repeat_times`` and
            ``repeat_params`` if not given.

    Raises:
        UsageError: they fit neither form.
    """
    names = names or ("repeat_times", "repeat_params")
    given = dict(kwargs)
    set_mask = given.pop("is_set_mask", True)
    masked = len(args) > 1 and not isinstance(args[1], bool)
    masked = masked or "mask" in given or names[0] in given or (bool(args) and isinstance(args[0], list | tuple))
    wanted = ("mask", *names, "is_set_mask") if masked else ("count", "is_set_mask")
    if len(args) > len(wanted):
        core.fail(UsageError, f"{call}: too many arguments after the operands: {args!r}; {_forms(names)}")
    for name, value in zip(wanted, args, strict=False):
        if name in given:
            core.fail(UsageError, f"{call}: {name} is given twice; {_forms(names)}")
        given[name] = value
    set_mask = given.pop("is_set_mask", set_mask)
    for name in given:
        if name not in wanted:
            core.fail(UsageError, f"{call}: there is no argument {name!r} here; {_forms(names)}")
    if not set_mask:
        core.fail(UsageError, f"{call}: is_set_mask=False needs a mask register, and nothing has set one")
    for name in wanted[:1] if not masked else wanted[:2]:
        if name not in given:
            core.fail(UsageError, f"{call}: {name} is missing; {_forms(names)}")
    if not masked:
        return given["count"], None
    rest = tuple(given.get(n) for n in names[1:])
    return None, Masked(given["mask"], given[names[0]], rest[0] if len(rest) == 1 else rest)


def _forms(names: tuple[str, ...]) -> str:
    return f"the forms are (…, count) and (…, mask, {', '.join(names)})"
