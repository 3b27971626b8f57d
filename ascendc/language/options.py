"""How launches run unless they say otherwise: the chip, what hazards are, who is told.

Options are ambient, one ``ContextVar``: a ``with`` statement changes them for what is launched inside.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path

from .errors import UsageError
from .hardware import HardwareSpec
from .program import Program

DEFAULT_CHIP = "Ascend910B1"
HAZARDS = ("error", "warn", "off")
"""What unordered accesses can be: stop, go on, or do not look."""
SoFar = Callable[[], tuple[int, int | None]]
"""Instructions a pass has done, and how many there are to do, as far as it knows: 0 and ``None`` if it does not."""


@dataclass(frozen=True, slots=True)
class Options:
    """How launches run unless they say otherwise.

    Attributes:
        chip: name or TOML path of the chip, or the chip.
        hazards: what unordered accesses are, one of ``HAZARDS``.
        auto_sync: whether barriers between dependent vector instructions are inserted.
        shuffle_atomics: seed of the order in which blocks run, and so in which atomic stores are applied; that of
            their numbers, if not given.
        on_launch: called with every program.
        on_block: called with blocks done and blocks in all.
        on_pass: called as a pass begins, with what it does and how to ask, from any thread, how far it is.
    """

    chip: str | Path | HardwareSpec = DEFAULT_CHIP
    hazards: str = "error"
    auto_sync: bool = True
    shuffle_atomics: int | None = None
    on_launch: tuple[Callable[[Program], None], ...] = ()
    on_block: tuple[Callable[[int, int], None], ...] = ()
    on_pass: tuple[Callable[[str, SoFar], None], ...] = ()

    @property
    def spec(self) -> HardwareSpec:
        """The chip itself."""
        return HardwareSpec.load(self.chip)


_UNLESS_SAID = Options()
_OPTIONS: ContextVar[Options] = ContextVar("ascendc_options", default=_UNLESS_SAID)


class use_chip(contextlib.AbstractContextManager[HardwareSpec]):  # noqa: N801  reads as a function
    """Make a chip the default: for good as a call, for a while in a ``with`` statement.

    Raises:
        HardwareSpecError: there is no such chip.
    """

    def __init__(self, chip: str | Path | HardwareSpec) -> None:
        options = replace(_OPTIONS.get(), chip=chip)
        self._spec = options.spec
        self._token = _OPTIONS.set(options)

    def __enter__(self) -> HardwareSpec:
        return self._spec

    def __exit__(self, *_: object) -> None:
        _OPTIONS.reset(self._token)


@contextlib.contextmanager
def defaults(
    *,
    chip: str | Path | HardwareSpec | None = None,
    hazards: str | None = None,
    auto_sync: bool | None = None,
    shuffle_atomics: int | None = None,
) -> Iterator[None]:
    """Launch defaults for a while; what is not given stays as it is.

    Raises:
        UsageError: ``hazards`` is no such option.
    """
    given = {"chip": chip, "hazards": hazards, "auto_sync": auto_sync, "shuffle_atomics": shuffle_atomics}
    token = _OPTIONS.set(checked(replace(_OPTIONS.get(), **{k: v for k, v in given.items() if v is not None})))  # type: ignore[arg-type]
    try:
        yield
    finally:
        _OPTIONS.reset(token)


@contextlib.contextmanager
def observe(
    *,
    on_launch: Callable[[Program], None] | None = None,
    on_block: Callable[[int, int], None] | None = None,
    on_pass: Callable[[str, SoFar], None] | None = None,
) -> Iterator[None]:
    """Be told of every program launched inside, and of the progress of its blocks and passes."""
    now = _OPTIONS.get()
    more = replace(
        now,
        on_launch=now.on_launch if on_launch is None else (*now.on_launch, on_launch),
        on_block=now.on_block if on_block is None else (*now.on_block, on_block),
        on_pass=now.on_pass if on_pass is None else (*now.on_pass, on_pass),
    )
    token = _OPTIONS.set(more)
    try:
        yield
    finally:
        _OPTIONS.reset(token)


def checked(options: Options) -> Options:
    """The options, if they make sense.

    Raises:
        UsageError: ``hazards`` is no such option.
    """
    if options.hazards not in HAZARDS:
        raise UsageError(f"hazards must be one of {', '.join(HAZARDS)}, got {options.hazards!r}")
    return options


def current_options() -> Options:
    """The launch options in force."""
    return _OPTIONS.get()
