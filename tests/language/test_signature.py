"""Annotations of a kernel's parameters: which arguments they take, in all the forms people write."""

from __future__ import annotations

import enum
import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ForwardRef, NewType, Optional, Protocol, TypedDict, Union

import numpy as np
import pytest
from numpy.typing import NDArray

import ascendc as asc
from ascendc.language.dtypes import DataType
from ascendc.language.signature import declared
from tests.refusals import refused_at_launch

if TYPE_CHECKING:
    from elsewhere import Hidden  # type: ignore[import-not-found]


@dataclass
class Plan:
    """A tiling of the host's making."""

    tiles: int = 8


class Tiling(asc.Struct):
    """One of ours."""

    tile: int = 64


class Mode(enum.IntEnum):
    """A number with a name."""

    FAST = 1


class Named(TypedDict):
    """A dictionary of which a type checker knows the keys."""

    tiles: int


class HasTiles(Protocol):
    """Anything with tiles."""

    tiles: int


Scale = NewType("Scale", float)
GM_ADDR = asc.GlobalAddress
ARRAY = np.zeros(8, np.float32)
GIVEN: dict[str, Any] = {
    "array": ARRAY,
    "int": 3,
    "int16": np.int16(3),
    "float": 0.5,
    "half": np.float16(0.5),
    "bool": True,
    "plan": Plan(),
    "tiling": Tiling(),
    "mode": Mode.FAST,
    "text": "fast",
    "named": Named(tiles=8),
}
WHOLE = {"int", "int16", "bool", "mode"}
NUMBERS = WHOLE | {"float", "half"}


def kernel_with(hint: Any) -> asc.Kernel[...]:
    """A kernel whose one parameter is annotated with ``hint``."""

    def body(v: Any) -> None:
        del v

    body.__annotations__["v"] = hint
    return asc.kernel(body)


def taken(hint: Any) -> set[str]:
    """The names of what ``hint`` takes, of all there is."""
    kind = declared(kernel_with(hint).body).kinds.get("v")
    return {name for name, value in GIVEN.items() if kind is None or kind.takes(value)}


@pytest.mark.parametrize(
    ("hint", "wanted"),
    [
        (asc.GlobalAddress, {"array"}),
        ("asc.GlobalAddress", {"array"}),
        ("GM_ADDR", {"array"}),
        (asc.GlobalTensor, {"array"}),
        (np.ndarray, {"array"}),
        (NDArray[np.float32], {"array"}),
        (int, WHOLE),
        ("int", WHOLE),
        (np.int32, WHOLE),
        (asc.ConstExpr[int], WHOLE),
        (Annotated[int, "tiles"], WHOLE),
        (Mode, WHOLE),
        (float, NUMBERS),
        (np.float16, NUMBERS),
        (asc.float16, NUMBERS | {"array"}),
        (bool, {"bool", "mode"}),
        (Plan, {"plan"}),
        ("Plan", {"plan"}),
        (Tiling, {"tiling"}),
        (asc.Struct, {"tiling"}),
        (str, {"text"}),
        (Named, {"named"}),
        (Plan | None, {"plan"}),
        ("Plan | Tiling", {"plan", "tiling"}),
        (Optional["Plan"], {"plan"}),
        (Union[int, Plan], WHOLE | {"plan"}),  # noqa: UP007  the older form is written, too
        (Annotated[ForwardRef("Plan") | None, "tiling"], {"plan"}),
        (tuple[int, ...], set()),
    ],
    ids=lambda value: "" if isinstance(value, set) else str(value),
)
def test_an_annotation_takes_what_it_says(hint: Any, wanted: set[str]) -> None:
    """Numbers of Python and NumPy alike; a class takes its objects."""
    assert taken(hint) == wanted


@pytest.mark.parametrize(
    "hint",
    [
        Any,
        "Any",
        object,
        "Hidden",
        "Plan | Hidden",
        Optional["Hidden"],
        asc.ConstExpr,
        HasTiles,
        Scale,
        DataType,
        3,
        "not even",
    ],
    ids=str,
)
def test_what_says_nothing_is_not_checked(hint: Any) -> None:
    """Or what cannot be known while the program runs."""
    assert taken(hint) == set(GIVEN)


@pytest.mark.parametrize("hint", [asc.ConstExpr[asc.int8], Annotated[asc.int8, "tiles"], "asc.ConstExpr[asc.int8]"])  # type: ignore[type-arg]
def test_an_element_type_is_one_whatever_is_around_it(hint: Any) -> None:
    """The argument is held to what the type holds."""
    assert declared(kernel_with(hint).body).types == {"v": asc.int8}


def test_the_parameters_are_those_a_decorator_shows() -> None:
    """Not those of the function under it, one of which the decorator fills in."""

    def halved(function: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(function)
        def body(x: Any) -> None:
            function(x, 0.5)

        body.__signature__ = inspect.signature(body, follow_wrapped=False)  # type: ignore[attr-defined]
        return body

    @halved
    def scale(x: Any, v: asc.float16) -> None:  # type: ignore[valid-type]
        seen.append(v)

    seen: list[Any] = []
    asc.kernel(scale)[1](ARRAY)

    assert seen == [0.5]


def test_a_class_that_was_defined_again_is_the_same_class() -> None:
    """As in a notebook, when the cell of the struct runs once more, and that of the kernel does not."""
    before, after = (type("Tiling", (), {"__module__": "notebook"}) for _ in range(2))

    kernel_with(before)[1](after())


def test_none_is_taken_where_the_annotation_or_the_default_says_so() -> None:
    """Nowhere else."""

    @asc.kernel
    def body(x: Any, bias: asc.GlobalAddress | None, scale: float = None) -> None:  # type: ignore[assignment]  # noqa: RUF013
        seen.append((bias, scale))

    seen: list[Any] = []
    body[1](ARRAY, None, None)

    assert seen == [(None, None)]
    with refused_at_launch(asc.UsageError, "body: argument 1 (x) is None; pass an array or a number"):
        body[1](None, None)


@pytest.mark.parametrize("call", [lambda k, *a: k[1](*a), lambda k, x, n: k[1](n=n, x=x)])
def test_arguments_are_numbered_as_the_kernel_has_them(call: Callable[..., Any]) -> None:
    """By place or by name; two that are swapped are told from one that is wrong."""

    @asc.kernel
    def body(x: asc.GlobalAddress, n: int) -> None:
        del x, n

    with refused_at_launch(asc.UsageError, "body: argument 1 (x) must be an array", "fits argument 2 (n)", "swap them"):
        call(body, 8, ARRAY)
    with refused_at_launch(
        asc.UsageError,
        "body: argument 2 (n) must be a whole number, as it is annotated, got 0.5; the parameters are x, n",
    ):
        call(body, ARRAY, 0.5)


def test_an_argument_that_was_left_out_is_not_swapped() -> None:
    """Though its default fits, and the wrong argument fits where it would be."""

    @asc.kernel
    def body(n: int | None, scale: float | None = None) -> None:
        del n, scale

    with refused_at_launch(asc.UsageError, "got 0.5; the parameters are n, scale"):
        body[1](0.5)


def test_methods_and_gathered_arguments() -> None:
    """``self`` is no argument; what ``*`` and ``**`` gather is not checked."""

    class Op:
        @asc.kernel
        def body(self, x: asc.GlobalAddress, *rest: int, **more: int) -> None:
            del x, rest, more

    Op().body[1](ARRAY, "a", b="c")

    with refused_at_launch(asc.UsageError, "body: argument 1 (x) must be an array, as it is annotated, got 3"):
        Op().body[1](3)
