"""What it means to declare a high-level function: it is written in instructions, and costs what they cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import ParamSpec, TypeVar

from ..core import current
from ..dtypes import DataType
from ..enums import PipeID
from ..isa.sync import pipe_barrier

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Function:
    """A declared function, and its row of the table of high-level functions.

    Attributes:
        name: as the kernel author writes it.
        cpp: as Ascend C spells it.
        doc: its docstring; the first line says what it does.
        dtypes: element types of what it works on.
    """

    name: str
    cpp: str
    doc: str
    dtypes: tuple[DataType, ...]

    @property
    def temporary(self) -> str:
        """Bytes of temporary memory of one element, by element type, where it is as simple as that."""
        return ""

    def __post_init__(self) -> None:
        FUNCTIONS.setdefault(self.name, self)


FUNCTIONS: dict[str, Function] = {}
"""Every high-level function by name; declarations enter themselves, the first form of a function for all of them."""


def ordered(body: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """Run a function with its vector instructions ordered among each other, and after what came before it.

    With ``auto_sync`` that happens anyway.  Without, the author orders calls, and cannot see into this one:
    so a barrier goes ahead of it, and inside the same barriers are inserted that ``auto_sync`` would.
    """
    auto = current().auto
    if auto.enabled:
        return body(*args, **kwargs)
    pipe_barrier(PipeID.PIPE_V)
    auto.enabled = True
    try:
        return body(*args, **kwargs)
    finally:
        auto.enabled = False


def function(*, cpp: str, dtypes: tuple[DataType, ...]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Declare a high-level function that runs in a kernel."""

    def declare(body: Callable[P, R]) -> Callable[P, R]:
        Function(name=body.__name__, cpp=cpp, doc=body.__doc__ or "", dtypes=dtypes)

        @wraps(body)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            return ordered(body, *args, **kwargs)

        return call

    return declare
