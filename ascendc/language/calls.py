"""How things are called, as text: the forms of an instruction, the parameters of a function, the fields of a struct."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterator
from typing import get_overloads

from .buffers import TQueBind
from .classes import spelled as as_written
from .isa import ISA
from .isa.op import Op
from .memory import LocalTensor

METHODS = {"tensor": LocalTensor, "queue": TQueBind}
"""Whose methods the instructions are that are no functions."""

_FEW = 4
"""Equal elements of a tuple that are written out."""


def forms(op: Op) -> Iterator[str]:
    """The parameters of each form of an instruction; of one that is a method, those of the method."""
    whose = owner(op.name).rstrip(".")
    if not whose and not callable(op):
        return
    call = getattr(METHODS[whose], op.name) if whose else type(op).__call__
    for form in get_overloads(call) or [call]:
        yield parameters(form, op.spelled)


def owner(name: str) -> str:
    """``tensor.`` or ``queue.`` before an instruction that is a method."""
    if name not in ISA or callable(ISA[name]):
        return ""
    return next((f"{whose}." for whose, kind in METHODS.items() if name in vars(kind)), "")


def parameters(function: Callable[..., object], spelled: Callable[[str], str] = str) -> str:
    """What stands between the parentheses of a call."""
    shown, star = [], False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.name == "self":
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not star:
            shown.append("*")
        star = star or parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        name = "*" * (parameter.kind is parameter.VAR_POSITIONAL) + spelled(parameter.name)
        shown.append(name if parameter.default is parameter.empty else f"{name}={_bare(parameter.default)}")
    return ", ".join(shown)


def call(name: str, arguments: str, width: int) -> str:
    """A call on lines no longer than ``width``."""
    return textwrap.fill(f"{name}({arguments})", width, subsequent_indent="    ", break_on_hyphens=False)


def _bare(value: object) -> str:
    """A default as an author would write it."""
    if isinstance(value, tuple) and len(value) > _FEW and len(set(value)) == 1:
        return f"({value[0]!r},) * {len(value)}"
    return as_written(value)
