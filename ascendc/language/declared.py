"""Numbers a kernel declares with an element type: the launch rounds them to it, as passing them on the chip does.

``def scale(x, v: asc.float16)`` gets 0.0999755859375 from ``scale[8](x, 0.1)``.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

from .dtypes import DataType, bfloat16, bool_, float16, float32
from .errors import RangeError
from .findings import Finding, Severity
from .numbers import is_number, is_whole_or_truth
from .program import Site

_FLOATS = {float16: (10, -14), bfloat16: (7, -126), float32: (23, -126)}
"""Digits of the fraction, and the exponent of the least normal number."""


def round_declared(
    body: Callable[..., Any], types: dict[str, DataType], bound: inspect.BoundArguments
) -> tuple[Finding, ...]:
    """Replace the numbers in ``bound`` by what their parameters hold; what becomes infinite is a finding.

    Raises:
        RangeError: a number is none that the parameter's integer type has.
    """
    findings = []
    for name, kind in types.items():
        value = bound.arguments.get(name, bound.signature.parameters[name].default)
        if not is_number(value):
            continue
        held = bound.arguments[name] = _held(body, name, kind, value)
        if math.isinf(held) and held != value:
            findings.append(_overflow(body, f"argument {name} is {value}, and {held} as {kind}"))
    return tuple(findings)


def rounded(value: float, kind: DataType) -> float:
    """``value`` rounded to the nearest number of the floating point type ``kind``, halves to even, in one step."""
    if not math.isfinite(value) or not value:
        return value
    digits, least = _FLOATS[kind]
    step = math.ldexp(1.0, max(math.frexp(value)[1] - 1, least) - digits)
    size = abs(round(value / step)) * step
    return math.copysign(size if size < math.ldexp(1.0, 2 - least) else math.inf, value)


def _held(body: Callable[..., Any], name: str, kind: DataType, value: Any) -> float:
    if kind is bool_:
        return bool(value)
    if kind.is_float:
        try:
            return rounded(float(value), kind)
        except OverflowError:  # an integer that no double holds
            return math.inf if value > 0 else -math.inf
    low, high = kind.limits
    if not is_whole_or_truth(value) or not low <= value <= high:
        raise RangeError(
            f"{body.__name__}: argument {name} is declared {kind} and must be a whole number from {low} to {high}, "
            f"got {value!r}; pass one, or declare another type"
        )
    return int(value)


def _overflow(body: Callable[..., Any], text: str) -> Finding:
    code = inspect.unwrap(body).__code__
    line = str(Site(code.co_filename, code.co_firstlineno, code.co_name))
    return Finding("rounding", Severity.WARNING, f"{line}: {text}; declare a wider type", (line,), ())
