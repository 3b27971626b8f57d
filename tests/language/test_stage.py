"""Stages: which names instructions carry, and which instructions have no place in them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import local, on_gm
from tests.refusals import refused

H = asc.half


def stages(program: asc.Program) -> list[str]:
    return [row.template.stage for row in program.blocks[0]]


@asc.copy_in
def bring(u: Any, x: Any) -> str:
    """Bring in."""
    asc.data_copy(u, x, 16)
    return "brought"


@asc.compute
def work(u: Any) -> None:
    asc.adds(u, u, 1, 16)


@asc.copy_out
@asc.kernel
def take(x: Any, u: Any) -> None:
    asc.data_copy(x, u, 16)


def test_the_three_classic_stages() -> None:
    """Decorated functions name what they issue, also over ``@asc.kernel``, and keep name, text and result."""
    x, said = np.zeros(16, np.float16), []

    def body(x: Any) -> None:
        u = local(H, 16)
        said.append(bring(u, x))
        work(u)
        take(x, u)
        asc.duplicate(u, 0, 16)

    assert stages(on_gm(body, x)) == ["copy_in", "compute", "copy_out", "", ""]
    assert x.tolist() == [1] * 16
    assert said == ["brought"]
    assert (bring.__name__, bring.__doc__) == ("bring", "Bring in.")


@pytest.mark.parametrize("how", ["with", "decorator"])
def test_any_other_stage(how: str) -> None:
    """A name of one's own, in a ``with`` statement or on a function; everything may stand in it."""

    def everything(x: Any) -> None:
        u = local(H, 16)
        asc.data_copy(u, x, 16)
        asc.adds(u, u, 1, 16)
        asc.data_copy(x, u, 16)

    def body(x: Any) -> None:
        if how == "with":
            with asc.stage("softmax"):
                everything(x)
        else:
            asc.stage("softmax")(everything)(x)

    assert stages(on_gm(body, np.zeros(16, np.float16))) == ["softmax"] * 3


def test_stages_nest_and_end_with_an_exception() -> None:
    """The outer one is back after the inner one, however it ends."""

    def fails() -> None:
        with asc.stage("inner"):
            asc.duplicate(local(H, 16), 0, 16)
            raise KeyError

    def body(x: Any) -> None:
        with asc.stage("outer"):
            try:
                fails()
            except KeyError:
                asc.duplicate(local(H, 16, 32), 0, 16)

    assert stages(on_gm(body, np.zeros(16, np.float16))) == ["inner", "outer"]


@pytest.mark.parametrize(
    ("mark", "call", "text"),
    [
        (asc.copy_in, lambda x, u: asc.adds(u, u, 1, 16), "adds runs on V and cannot be part of the copy_in stage"),
        (asc.copy_in, lambda x, u: asc.data_copy(x, u, 16), "data_copy runs on MTE3 and cannot be part of the copy_in"),
        (asc.compute, lambda x, u: asc.data_copy(u, x, 16), "data_copy runs on MTE2 and cannot be part of the compute"),
        (asc.compute, lambda x, u: asc.data_copy(x, u, 16), "it to a function under @asc.copy_out"),
        (asc.copy_out, lambda x, u: asc.duplicate(u, 1, 16), "it to a function under @asc.compute"),
        (asc.copy_out, lambda x, u: asc.data_copy(u, x, 16), "it to a function under @asc.copy_in"),
        (
            asc.copy_in,
            lambda x, u: asc.adds(u, u, 1, 16, 1, asc.UnaryRepeatParams()),
            "adds runs on V and cannot be part of the copy_in stage",
        ),
        (
            asc.copy_out,
            lambda x, u: asc.data_copy_pad(u, x, asc.DataCopyExtParams(1, 32)),
            "data_copy_pad runs on MTE2 and cannot be part of the copy_out",
        ),
    ],
)
def test_instructions_that_cannot_belong_there(mark: Any, call: Any, text: str) -> None:
    """The message says which stage they belong to."""

    def body(x: Any) -> None:
        u = local(H, 16)
        asc.duplicate(u, 0, 16)
        mark(call)(x, u)

    with refused(asc.UsageError, text):
        on_gm(body, np.zeros(16, np.float16))


def test_a_stage_outside_a_kernel() -> None:
    """There is nothing to mark."""
    with pytest.raises(asc.UsageError, match="needs a running kernel"):
        work(None)
    with pytest.raises(asc.UsageError, match="needs a running kernel"), asc.stage("x"):
        pass
