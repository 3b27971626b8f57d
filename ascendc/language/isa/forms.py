"""Which of its three forms a vector call is, and what it does to the mask register: once for all families."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import RangeError, UsageError
from ..mask import counted, held
from ..numbers import is_whole
from ..site import kernel_frame
from .passes import check_count, plain_repeat

if TYPE_CHECKING:
    from ..core import Core

_NAMES = ("repeat_times", "repeat_params")
CONTIGUOUS = "contiguous"
"""In place of a parameter struct: the operands of a count form, which are contiguous whatever their types."""


@dataclass(frozen=True, slots=True)
class Masked:
    """The arguments that only the mask forms have.

    Attributes:
        mask: a number of lanes, a tuple of two words, or the mask register, if the call leaves the lanes to it.
        repeat_times: a whole number; counter mode ignores it.
        params: the arguments after it; ``CONTIGUOUS``, if there are none because the call is a count form.
    """

    mask: Any
    repeat_times: Any
    params: Any


def form(
    core: Core, call: str, args: tuple[Any, ...], kwargs: dict[str, Any], names: tuple[str, ...] = _NAMES
) -> tuple[Any, Masked | None]:
    """Take a call's arguments after its operands apart: a count, or a mask with repeats.

    With ``is_set_mask=False`` the mask register says which lanes take part, and the mask argument nothing;
    the count form then is one repeat of contiguous operands, or in counter mode all that the register counts.

    Counts, masks and repeats come out as plain ints, so that plans may be known by them: a float or a narrow
    NumPy number equals an int, but is not to be taken for one.

    Args:
        core: the running block.
        call: the instruction's name, for messages.
        args: positional arguments after the operands.
        kwargs: keyword arguments.
        names: what the mask form's arguments are called after the mask.

    Raises:
        UsageError: they fit neither form, or the mask is none.
        RangeError: a count or a number of repeats is none.
    """
    if not kwargs and len(args) == len(names) + 1:
        repeats = plain_repeat(core, call, args[1])
        return None, Masked(_mask(core, call, args[0]), repeats, args[2] if len(args) == 3 else args[2:])
    given, masked = _named(core, call, args, kwargs, names)
    set_mask = given.pop("is_set_mask", True)
    for name in ("mask", names[0]) if masked else ("count",):
        if name not in given:
            core.fail(UsageError, f"{call}: {name} is missing; {_forms(names)}")
    rest = tuple(given.get(n) for n in names[1:])
    params = rest[0] if len(rest) == 1 else rest
    if masked:
        repeats = plain_repeat(core, call, given[names[0]])
        return None, Masked(_mask(core, call, given["mask"]) if set_mask else core.mask, repeats, params)
    count = check_count(core, call, given["count"])
    if set_mask:
        return count, None
    _note_count(core, call, count)
    return None, Masked(core.mask, 1, CONTIGUOUS if names is _NAMES else params)


def _named(
    core: Core, call: str, args: tuple[Any, ...], kwargs: dict[str, Any], names: tuple[str, ...]
) -> tuple[dict[str, Any], bool]:
    """All arguments by name, and whether they are those of a mask form."""
    given = dict(kwargs)
    masked = len(args) > 1 and not isinstance(args[1], bool)
    masked = masked or "mask" in given or names[0] in given or (bool(args) and isinstance(args[0], list | tuple))
    wanted = ("mask", *names, "is_set_mask") if masked else ("count", "is_set_mask")
    if len(args) > len(wanted):
        core.fail(UsageError, f"{call}: too many arguments after the operands: {args!r}; {_forms(names)}")
    for name, value in zip(wanted, args, strict=False):
        if name in given:
            core.fail(UsageError, f"{call}: {name} is given twice; {_forms(names)}")
        given[name] = value
    for name in given:
        if name not in wanted:
            core.fail(UsageError, f"{call}: there is no argument {name!r} here; {_forms(names)}")
    return given, masked


def _mask(core: Core, call: str, mask: Any) -> Any:
    """The mask of a call that sets it; in counter mode it counts the elements of the whole instruction."""
    if core.mask.counts:
        core.mask = counted(_count_of(core, call, mask))
        return core.mask
    if type(mask) is not int:
        mask = _plain_mask(core, call, mask)
    core.mask = held(mask)
    return mask


def _plain_mask(core: Core, call: str, mask: Any) -> int | tuple[int, ...]:
    """A mask of whatever numbers as plain ones."""
    if isinstance(mask, list | tuple):
        if len(mask) != 2 or not all(map(is_whole, mask)):
            core.fail(UsageError, f"{call}: a bit mask is a list of two 64-bit words, got {list(mask)!r}")
        return int(mask[0]), int(mask[1])
    if not is_whole(mask):
        core.fail(UsageError, f"{call}: mask must be a number of lanes or two 64-bit words, got {mask!r}")
    return int(mask)


def _count_of(core: Core, call: str, mask: Any) -> int:
    if isinstance(mask, list | tuple):
        core.fail(
            UsageError,
            f"{call}: in counter mode the mask is the number of elements of the whole instruction, got the bit mask "
            f"{list(mask)!r}; set_mask_norm() leaves counter mode",
        )
    if not is_whole(mask):
        core.fail(UsageError, f"{call}: in counter mode the mask is a number of elements, got {mask!r}")
    if not 0 <= mask < 1 << 32:
        core.fail(RangeError, f"{call}: in counter mode the mask is a number of elements, 0 to 2^32 - 1, got {mask}")
    return int(mask)


def _note_count(core: Core, call: str, count: int) -> None:
    """Note a count that the register overrules, as far as the register alone can tell."""
    register = core.mask
    bits = (register.low | register.high << 64).bit_count()
    if (count != register.low) if register.counts else (count > bits):
        core.warn(
            "mask",
            f"{call}: count {count} has no effect with is_set_mask=False; the mask register says {register}",
            kernel_frame(),
        )


def _forms(names: tuple[str, ...]) -> str:
    return f"the forms are (…, count) and (…, mask, {', '.join(names)})"
