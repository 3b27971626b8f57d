"""One thing wrong at a time: a synchronisation, a queue call or a length of a kernel removed, moved or changed."""

from __future__ import annotations

import ast
import itertools
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

_FLAGS = ("set_flag", "wait_flag")
_ORDER = (*_FLAGS, "pipe_barrier", "alloc_tensor", "enque", "deque", "free_tensor", "init_buffer")
_LENGTHS = {
    "data_copy": (2,),
    "DataCopyExtParams": (1,),
    "LocalTensor": (2, 3),
    "init_buffer": (1, 2),
    "TQue": (1,),
    "TQueBind": (2,),
    "window": (1, 2),
    "set_global_buffer": (1,),
    "get_with_offset": (1,),
    "copy_in": (2,),
    "copy_out": (2,),
    "min": (0, 1),
    "range": (0, 1, 2),
    "get_value": (0,),
    "set_value": (0,),
    **dict.fromkeys(("abs", "adds", "muls", "maxs", "mins", "compute"), (-1,)),
    **dict.fromkeys(("add", "mul", "axpy"), (-1,)),
}
"""Which arguments of which calls are numbers of elements, bytes, buffers or places."""
_OTHER_EVENT = {
    "MTE2_V": "V_MTE3",
    "V_MTE2": "MTE3_V",
    "V_MTE3": "MTE2_V",
    "MTE3_V": "V_MTE2",
    "MTE3_MTE2": "MTE3_V",
    "MTE2_MTE3": "V_MTE3",
    "MTE2_S": "V_S",
    "S_V": "S_MTE2",
    "S_MTE3": "S_V",
}
"""Another direction for each."""

_OTHER_CALL = {
    "alloc_tensor": "deque",
    "deque": "alloc_tensor",
    "enque": "free_tensor",
    "free_tensor": "enque",
    "set_flag": "wait_flag",
    "wait_flag": "set_flag",
}
"""The call one may take for each."""
_NUMBERS = ("({}) + 16", "({}) - 16", "({}) // 2", "({}) + 1", "({}) - 1")
"""What becomes of a length."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A source with one change.

    Attributes:
        what: the change, in words.
        line: where.
        is_order: whether it concerns the order of things, and not a number.
        tree: the whole.
    """

    what: str
    line: int
    is_order: bool
    tree: ast.Module


def mutants(tree: ast.Module) -> Iterator[Mutant]:
    """All changes of one source."""
    for number, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.FunctionDef | ast.For | ast.If):
            yield from _moved(tree, number, node.body)
        if isinstance(node, ast.Call):
            yield from _renumbered(tree, number, node)
            if _callee(node) in _FLAGS:
                yield from _redirected(tree, number, node)
            if _callee(node) in _OTHER_CALL:
                other = _OTHER_CALL[_callee(node)]
                yield _mutant(tree, number, node, f"is {other}", _call, other)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) and node.slice.lower is not None:
            for form in _NUMBERS:
                text = form.format(ast.unparse(node.slice.lower))
                yield _mutant(tree, number, node, f"starts at {text}", _start_at, text)


def _moved(tree: ast.Module, number: int, body: list[ast.stmt]) -> Iterator[Mutant]:
    """Each ordering statement removed, done twice, moved by up to two places, or taken out of its loop."""
    for i, statement in enumerate(body):
        if isinstance(statement, ast.For):
            for j, inner in enumerate(statement.body):
                if _is_ordering(inner):
                    yield _mutant(tree, number, inner, "before the loop", _take_out, i, j, i)
                    yield _mutant(tree, number, inner, "behind the loop", _take_out, i, j, i + 1)
        if _is_ordering(statement):
            if isinstance(statement, ast.Expr):
                yield _mutant(tree, number, statement, "removed", _remove, i)
            yield _mutant(tree, number, statement, "twice", _repeat, i)
            for by in (-2, -1, 1, 2):
                if 0 <= i + by < len(body):
                    yield _mutant(tree, number, statement, f"moved by {by}", _move, i, by)


def _renumbered(tree: ast.Module, number: int, call: ast.Call) -> Iterator[Mutant]:
    """Each length among the arguments a little different."""
    for place in _LENGTHS.get(_callee(call), ()):
        if place < len(call.args) and call.args:
            for form in _NUMBERS:
                text = form.format(ast.unparse(call.args[place]))
                yield _mutant(tree, number, call, f"argument {place} is {text}", _put, place, text)


def _redirected(tree: ast.Module, number: int, call: ast.Call) -> Iterator[Mutant]:
    """A flag with another id, or of another direction."""
    event, index = map(ast.unparse, call.args)
    lead = "_E." if event.startswith("_E.") else "_"
    other = lead + _OTHER_EVENT[event.removeprefix(lead)]
    for place, text in ((1, f"({index}) + 1"), (1, "7"), (0, other)):
        yield _mutant(tree, number, call, f"argument {place} is {text}", _put, place, text)


def _mutant(
    tree: ast.Module, number: int, about: ast.expr | ast.stmt, what: str, edit: Callable[..., None], *how: object
) -> Mutant:
    """A copy of ``tree`` with its node ``number`` edited."""
    fresh = pickle.loads(_pickled(tree))  # half the time of a deep copy
    edit(next(itertools.islice(ast.walk(fresh), number, None)), *how)
    is_order = isinstance(about, ast.stmt) or (isinstance(about, ast.Call) and _callee(about) in _OTHER_CALL)
    return Mutant(f"{ast.unparse(about)}: {what}", about.lineno, is_order, ast.fix_missing_locations(fresh))


@cache
def _pickled(tree: ast.Module) -> bytes:
    return pickle.dumps(tree)


def _remove(node: ast.For, index: int) -> None:
    node.body[index] = ast.Pass()


def _repeat(node: ast.For, index: int) -> None:
    node.body.insert(index, node.body[index])


def _move(node: ast.For, index: int, by: int) -> None:
    node.body.insert(index + by, node.body.pop(index))


def _take_out(node: ast.For, loop: int, index: int, to: int) -> None:
    inner: Any = node.body[loop]
    node.body.insert(to, inner.body.pop(index))


def _put(node: ast.Call, place: int, text: str) -> None:
    node.args[place] = _expression(text)


def _call(node: Any, name: str) -> None:
    node.func.attr = name


def _start_at(node: Any, text: str) -> None:
    node.slice.lower = _expression(text)


def _expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _is_ordering(statement: ast.stmt) -> bool:
    """Whether a statement is made of calls that order something."""
    if not isinstance(statement, ast.Expr | ast.Assign):
        return False
    calls = statement.value.elts if isinstance(statement.value, ast.Tuple) else [statement.value]
    return all(isinstance(call, ast.Call) and _callee(call) in _ORDER for call in calls)


def _callee(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
