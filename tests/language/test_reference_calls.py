"""Every function of the reference is there, with all its forms, under the names its arguments have there."""

from __future__ import annotations

import inspect
from typing import Any, get_overloads

import pytest

import ascendc as asc
from ascendc.language.isa.__main__ import MISSING
from ascendc.language.isa.op import Op
from tests.language.reference_calls import CALLS

UNTYPED = ("trans_data_to_5hd", "dst, src, params")
"""In C++ a template argument says what lies at these addresses; here ``dtype`` does, and it has to be given."""

ABSENT = {name for names in MISSING.values() for name in names.split()}
THERE = sorted(CALLS.keys() - ABSENT)


def forms_of(name: str) -> list[list[inspect.Parameter]]:
    """The parameters of each form of a call, under the names this member of its family has for them."""
    function: Any = getattr(asc, name)
    call, spelled = (type(function).__call__, function.spelled) if isinstance(function, Op) else (function, str)
    made = []
    for form in get_overloads(call) or [call]:
        own = [p for p in inspect.signature(form).parameters.values() if p.name != "self"]
        made.append([p.replace(name=spelled(p.name)) for p in own])
    return made


def fits(form: list[inspect.Parameter], wanted: list[str]) -> bool:
    """Whether a form takes these arguments, by position up to a star, and by name."""
    names = [p.name if p.kind is not p.VAR_POSITIONAL else f"*{p.name}" for p in form]
    positional = wanted[: wanted.index("*")] if "*" in wanted else wanted
    given = [n for n in wanted if n != "*"]
    return (
        names[: len(positional)] == positional
        and set(given) <= set(names)
        and all(p.default is not p.empty for p in form if p.name not in given and p.kind is not p.VAR_POSITIONAL)
    )


def test_what_is_absent_is_said_with_a_reason() -> None:
    """The reference lists 148 functions; those that are not there are those of the page's last section."""
    assert len(CALLS) == 148
    assert {name for name in CALLS if not hasattr(asc, name)} <= ABSENT
    assert CALLS.keys() >= ABSENT


@pytest.mark.parametrize(("name", "form"), [(n, form) for n in THERE for form in CALLS[n] if (n, form) != UNTYPED])
def test_a_call_of_the_reference_has_a_form_here(name: str, form: str) -> None:
    """Its arguments have the same names and the same order; more that we take have defaults."""
    wanted = form.split(", ") if form else []

    assert any(fits(own, wanted) for own in forms_of(name)), [[str(p) for p in own] for own in forms_of(name)]


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("arange", "create_vec_index"),
        ("compares", "compare_scalar"),
        ("disable_dma_atomic", "set_atomic_none"),
        ("reduce_data_block_max", "block_reduce_max"),
        ("reduce_data_block_min", "block_reduce_min"),
        ("reduce_data_block_sum", "block_reduce_sum"),
        ("reduce_pair_elem", "pair_reduce_sum"),
        ("reduce_repeat_max", "whole_reduce_max"),
        ("reduce_repeat_min", "whole_reduce_min"),
        ("reduce_repeat_sum", "whole_reduce_sum"),
    ],
)
def test_renamed_functions_have_both_names(newer: str, older: str) -> None:
    """Section 6 of the reference: the names of version 9.1, and those before."""
    assert getattr(asc, newer) is getattr(asc, older)
