"""The operator library: one file per operator or family, each with its tiling, its kernel and its reference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module

from ascendc.language.operator import Operator, find_operators

_MODULES = ("add", "add_ladder", "elementwise")


class _Operators(Mapping[str, Operator]):
    """The operators by name; their modules are imported when the first one is asked for."""

    @cached_property
    def _found(self) -> dict[str, Operator]:
        modules = [import_module(f"{__name__}.{name}") for name in _MODULES]
        return {name: found for module in modules for name, found in find_operators(module).items()}

    def __getitem__(self, name: str) -> Operator:
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


OPERATORS: Mapping[str, Operator] = _Operators()

__all__ = ["OPERATORS"]
