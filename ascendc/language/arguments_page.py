"""The structs and enums that calls take, as tables: fields with their defaults, and what each is."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import is_dataclass
from enum import Enum
from types import ModuleType

import ascendc

from .calls import parameters

STRUCTS_HEAD = """\
## Parameter structs

Fields are given by place or by name. `ascendc ops NAME` shows one struct with its fields.

| struct | is |
|---|---|
"""

ENUMS_HEAD = """\
## Enums

| enum | is | members |
|---|---|---|
"""

_FIELDS = re.compile(r"^    (\w.*?): ", re.MULTILINE)
"""The names that begin the text of some fields in a docstring."""


def structs() -> dict[str, type]:
    """The parameter structs, by the name they have under ``asc``."""
    modules = ("params", "copy_params")
    plain = {n: k for n, k in _classes(ascendc).items() if k.__module__.rpartition(".")[2] in modules}
    return {n: k for n, k in {**plain, **_classes(ascendc.adv, "adv.")}.items() if is_dataclass(k)}


def enums() -> dict[str, type[Enum]]:
    """The enums, by the name they have under ``asc``."""
    found = {**_classes(ascendc), **_classes(ascendc.adv, "adv.")}
    return {n: k for n, k in found.items() if issubclass(k, Enum) and n != "Severity"}


def page() -> str:
    """Both tables."""
    return f"{STRUCTS_HEAD}{''.join(_structs())}\n{ENUMS_HEAD}{''.join(_enums())}"


def _classes(module: ModuleType, prefix: str = "") -> dict[str, type]:
    names = sorted(module.__all__, key=str.lower)
    return {prefix + n: kind for n in names if inspect.isclass(kind := getattr(module, n))}


def _structs() -> Iterator[str]:
    for name, kind in structs().items():
        about, _, fields = inspect.cleandoc(kind.__doc__ or "").partition("\n\nAttributes:\n")
        text = " ".join(f"{about}\n{_FIELDS.sub(_quoted, fields)}".split())
        yield f"| `{name}({parameters(kind)})` | {_markdown(text)} |\n"


def _quoted(names: re.Match[str]) -> str:
    return f"{', '.join(f'`{n}`' for n in names[1].split(', '))}: "


def _enums() -> Iterator[str]:
    for name, kind in enums().items():
        about = (kind.__doc__ or "").partition("\n")[0]
        yield f"| `{name}` | {_markdown(about)} | {', '.join(f'`{member}`' for member in kind.__members__)} |\n"


def _markdown(doc: str) -> str:
    return re.sub(r":class:`(\w+)`", r"`\1`", doc).replace("``", "`").replace("|", r"\|")
