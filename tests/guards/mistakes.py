"""Which functions of a module are mistakes: those whose docstring is what is said of them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

_SAID = re.compile(r"\w+Error: |ascendc \w+: ")


def mistakes(names: dict[str, Any]) -> list[Callable[..., Any]]:
    """Those among the names of a module, in order."""
    return [
        thing
        for thing in names.values()
        if inspect.isfunction(thing) and thing.__module__ == names["__name__"] and _SAID.match(thing.__doc__ or "")
    ]
