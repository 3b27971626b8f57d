"""What a kernel's annotations say of its arguments, and the refusal of those that do not fit.

Annotations are read once for each kernel, at its first launch.  One that says nothing, or that only a type
checker can resolve, is not checked.
"""

from __future__ import annotations

import inspect
import types
import weakref
from collections.abc import Callable
from typing import Annotated, Any, ForwardRef, NamedTuple, Union, get_args, get_origin, is_typeddict

import numpy as np

from .classes import with_article
from .dtypes import DataType
from .errors import UsageError
from .global_memory import GlobalAddress, GlobalTensor
from .numbers import is_number, is_whole_or_truth
from .struct import ConstExpr


class Kind(NamedTuple):
    """The arguments that a parameter takes: in words, and as a test."""

    said: str
    takes: Callable[[Any], bool]


class Declared(NamedTuple):
    """The annotated parameters of a kernel.

    Attributes:
        types: those with an element type, and which.
        kinds: those whose arguments can be told from others.
    """

    types: dict[str, DataType]
    kinds: dict[str, Kind]


_GATHERED = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)

_ANYTHING = (Any, object, ConstExpr, DataType)
"""Annotations that say nothing; an element type may be given in NumPy's words, too."""

_DOUBTFUL = (types.NoneType, list)
"""What no parameter gets that does not say so."""

_known: weakref.WeakKeyDictionary[Callable[..., Any], Declared] = weakref.WeakKeyDictionary()


def declared(body: Callable[..., Any]) -> Declared:
    """What ``body`` says of its parameters."""
    function: Callable[..., Any] = getattr(body, "__func__", body)
    found = _known.get(function)
    if found is None:
        names = inspect.unwrap(function).__globals__
        hints = {p.name: _resolved(p.annotation, names) for p in inspect.signature(function).parameters.values()}
        kinds = {name: _kind(hint, names) for name, hint in hints.items()}
        found = _known[function] = Declared(
            {name: hint for name, hint in hints.items() if isinstance(hint, DataType)},
            {name: kind for name, kind in kinds.items() if kind is not None},
        )
    return found


def check(kernel: str, kinds: dict[str, Kind], bound: inspect.BoundArguments) -> None:
    """Refuse the first argument of ``kernel`` that its parameter does not take.

    Raises:
        UsageError: there is one.
    """
    for name, value in bound.arguments.items():
        kind = kinds.get(name)
        if type(value) not in _DOUBTFUL if kind is None else kind.takes(value):
            continue
        parameter = bound.signature.parameters[name]
        if parameter.kind in _GATHERED or (value is None and parameter.default is None):
            continue
        if kind is None:
            what = "None; pass an array or a number" if value is None else "a list; pass a NumPy array"
            raise UsageError(f"{kernel}: {_argument(bound, name)} is {what}")
        raise UsageError(
            f"{kernel}: {_argument(bound, name)} must be {kind.said}, as it is annotated, got {_shown(value)}; "
            f"{_way_out(bound, kinds, name)}"
        )


def parameters(signature: inspect.Signature) -> str:
    """What a kernel takes, in words."""
    names = ", ".join(signature.parameters)
    return f"the parameters are {names}" if names else "it has no parameters"


def is_array(value: Any) -> bool:
    """Whether ``value`` is an array of the host, of whatever library."""
    return isinstance(value, np.ndarray) or (
        not isinstance(value, np.generic) and (hasattr(value, "__dlpack__") or hasattr(value, "__array_interface__"))
    )


def _resolved(hint: Any, names: dict[str, Any]) -> Any:
    """An annotation as the value it means, without what wraps that; anything, if it says nothing."""
    hint = hint.__forward_arg__ if isinstance(hint, ForwardRef) else hint
    if isinstance(hint, str):
        try:
            hint = eval(hint, names)
        except Exception:  # noqa: BLE001  an annotation of names that only a type checker knows says nothing
            return Any
    if hint is inspect.Parameter.empty:
        return Any
    return _resolved(get_args(hint)[0], names) if get_origin(hint) in (Annotated, ConstExpr) else hint


def _kind(hint: Any, names: dict[str, Any]) -> Kind | None:
    """What an annotation that is resolved admits, or nothing if that could be anything."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return _any_of([_kind(_resolved(each, names), names) for each in get_args(hint)])
    if isinstance(hint, DataType):
        return _ELEMENT
    return _of_class(types.NoneType if hint is None else origin or hint)


def _any_of(kinds: list[Kind | None]) -> Kind | None:
    known = [kind for kind in kinds if kind is not None]
    if len(known) < len(kinds):
        return None
    return Kind(" or ".join(kind.said for kind in known), lambda value: any(kind.takes(value) for kind in known))


def _of_class(hint: Any) -> Kind | None:
    if not isinstance(hint, type) or hint in _ANYTHING or getattr(hint, "_is_protocol", False):
        return None
    if is_typeddict(hint):
        return _of_class(dict)
    if is_array(hint) and not issubclass(hint, np.generic):
        return _ARRAY
    for bases, kind in _PLAIN:
        if issubclass(hint, bases):
            return kind
    return Kind(with_article(hint.__name__), lambda value: isinstance(value, hint) or _is_named_alike(value, hint))


_ARRAY = Kind("an array", is_array)
_TRUTH = Kind("True or False", lambda value: is_number(value) and value in (0, 1))
_WHOLE = Kind("a whole number", is_whole_or_truth)
_NUMBER = Kind("a number", is_number)
_ELEMENT = Kind("a number or an array", lambda value: is_number(value) or is_array(value))
_NONE = Kind("None", lambda value: value is None)
_PLAIN: tuple[tuple[tuple[type, ...], Kind], ...] = (
    ((GlobalAddress, GlobalTensor), _ARRAY),
    ((bool, np.bool_), _TRUTH),
    ((int, np.integer), _WHOLE),
    ((float, np.floating), _NUMBER),
    ((types.NoneType,), _NONE),
)


def _is_named_alike(value: Any, hint: type) -> bool:
    """Whether the class of ``value`` is another edition of ``hint``, as a notebook makes that runs a cell again."""
    names = {(kind.__module__, kind.__qualname__) for kind in type(value).__mro__}
    return (hint.__module__, hint.__qualname__) in names


def _argument(bound: inspect.BoundArguments, name: str) -> str:
    """``argument 3 (ws)``."""
    return f"argument {list(bound.signature.parameters).index(name) + 1} ({name})"


def _shown(value: Any) -> str:
    return f"an array of {value.dtype}" if isinstance(value, np.ndarray) else repr(value)


def _way_out(bound: inspect.BoundArguments, kinds: dict[str, Kind], name: str) -> str:
    """Which argument belongs here, if two are swapped; else what there is."""
    value = bound.arguments[name]
    for other, kind in kinds.items():
        if other == name or other not in bound.arguments:
            continue
        if kind.takes(value) and kinds[name].takes(bound.arguments[other]):
            return f"it fits {_argument(bound, other)}, and that one here: swap them"
    return parameters(bound.signature)
