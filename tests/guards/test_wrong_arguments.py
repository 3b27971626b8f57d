"""Whatever stands in the place of an argument: what is said is said by us, and nothing has been written."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import on_gm, ones
from tests.guards.calls import CALLS

WRONG = ("x", None, [1], 1.5, float("nan"), -1, 1 << 70, object())


def wrong(arguments: list[Any]) -> Iterator[list[Any]]:
    """The arguments with one of them, or one field of a struct among them, made wrong."""
    for i, right in enumerate(arguments):
        for value in (*WRONG, ones(asc.int16, 32, 65_536)):
            yield [*arguments[:i], value, *arguments[i + 1 :]]
            for field in dataclasses.fields(right) if dataclasses.is_dataclass(right) else ():
                if not isinstance(right, asc.DataType):
                    changed = dataclasses.replace(right, **{field.name: value})  # type: ignore[type-var]
                    yield [*arguments[:i], changed, *arguments[i + 1 :]]


def contents(x: asc.GlobalTensor) -> list[bytes]:
    """UB, what of it was written, and the array."""
    memory = ones(asc.uint8, 1, 131_072).memory
    return [bytes(memory.data), bytes(memory.shadow), bytes(x.host.bytes)]


def check(x: asc.GlobalTensor, op: Callable[..., Any], arguments: list[Any]) -> None:
    before = contents(x)
    try:
        op(*arguments)
    except asc.AscendError:
        assert contents(x) == before


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_argument_is_refused_by_us_or_works(name: str) -> None:
    """No error of Python comes out of a call, and none of ours after it has begun to write."""
    calls: list[int] = []

    def right(x: asc.GlobalTensor) -> None:
        op, arguments = CALLS[name](x)
        op(*arguments)
        calls[:] = range(sum(1 for _ in wrong(arguments)))

    on_gm(right, np.ones(64, np.float32))
    for number in calls:

        def one(x: asc.GlobalTensor, number: int = number) -> None:
            op, arguments = CALLS[name](x)
            check(x, op, list(wrong(arguments))[number])

        on_gm(one, np.ones(64, np.float32))
