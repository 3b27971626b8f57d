"""The door of the language: its names exist, are documented, and agree with the instruction set."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from typing import Any

import pytest

import ascendc as asc
from ascendc import cpp_names
from ascendc.language import isa, more


def test_all_is_sorted_and_complete() -> None:
    """Every public name of the package is listed once, in the order ruff sorts it: constants, classes, the rest."""
    listed = asc.__all__
    modules = {name for name, value in vars(asc).items() if type(value) is type(asc)}
    public = {name for name in vars(asc) if not name.startswith("_")} - modules - {"annotations"} | {"adv"}
    public |= set(more.__all__)

    assert set(listed) == public
    assert len(set(listed)) == len(listed)
    kinds = [0 if n.isupper() else 1 if n[0].isupper() else 2 for n in listed]
    assert kinds == sorted(kinds)
    assert all(listed[kinds.index(k) : len(kinds) - kinds[::-1].index(k)] for k in set(kinds))


@pytest.mark.parametrize("name", [n for n in asc.__all__ if not n.isupper()])
def test_every_name_is_documented(name: str) -> None:
    """By a docstring of its own; instructions by their ``doc``, plain values by what they are."""
    value: Any = getattr(asc, name)
    doc = value.doc if hasattr(value, "cpp") else getattr(value, "__doc__", None)

    assert doc
    assert doc.strip()[0].isprintable()


@pytest.mark.parametrize("name", isa.ISA)
def test_instructions_are_flat_names(name: str) -> None:
    """What is called as a method (queue calls, get_value …) is no flat name; everything else is."""
    op = isa.ISA[name]

    assert op.name == name
    assert (getattr(asc, name, None) is op) == callable(op)
    assert op.cpp[0].isupper()
    assert op.doc.strip()
    assert op.source


def test_every_unit_lists_its_instructions() -> None:
    """``__all__`` of a unit's module is literal and sorted, and the instruction set is all of them together."""
    units = [importlib.import_module(f"ascendc.language.isa.{m.name}") for m in pkgutil.iter_modules(isa.__path__)]
    listed = [u.__all__ for u in units if any(isinstance(getattr(u, n), isa.Op) for n in getattr(u, "__all__", ()))]

    assert {name for names in listed for name in names} == set(isa.ISA)
    assert all(names == sorted(names) for names in listed)


def test_aliases() -> None:
    """Other spellings of the same things."""
    assert asc.half is asc.float16
    assert asc.jit is asc.kernel
    assert asc.StructField is asc.Field


def test_errors_have_one_base() -> None:
    """``except asc.AscendError`` catches them all."""
    errors = [v for n in asc.__all__ if isinstance(v := getattr(asc, n), type) and issubclass(v, Exception)]

    assert len(errors) == 17
    assert all(issubclass(e, asc.AscendError) for e in errors)


def test_importing_the_language_is_cheap() -> None:
    """No clock, no charts, no bfloat16 and no table before somebody needs them."""
    heavy = [
        "simpy",
        "matplotlib",
        "rich",
        "click",
        "jinja2",
        "ml_dtypes",
        "simulator",
        "profiler",
        "kernels",
        "doctest",
    ]
    script = f"import sys, ascendc; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


def test_cpp_names_are_the_instructions() -> None:
    """Every instruction that is a function, under the name its declaration has for C++; and no others."""
    wanted = {op.cpp: op for op in isa.ISA.values() if callable(op)}

    assert wanted == cpp_names.NAMES
    assert cpp_names.DataCopy is asc.data_copy
    assert len(wanted) == len([op for op in isa.ISA.values() if callable(op)])
    assert dir(cpp_names) == sorted(wanted)
    with pytest.raises(AttributeError, match="has no instruction 'EnQue'; queue calls are methods of the queue"):
        _ = cpp_names.EnQue
