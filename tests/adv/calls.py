"""Every high-level function as a call that is made the same way: operands in UB, what they must hold after it.

The bounds are those of the docstrings: ``places`` are units in the last place of float32, which are 2⁻²³ of the exact
value; a result in float16 was rounded once more, by half a unit of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

import ascendc as asc

Array = NDArray[Any]
Bound = Callable[..., Array]
adv = asc.adv
F16, F32, BF16, I32 = np.float16, np.float32, ml_dtypes.bfloat16, np.int32
HALF_PLACE = {F16: 2.0**-11, F32: 0.0, BF16: 2.0**-8}
LEAST = {F16: 2.0**-25, F32: 2.0**-149, BF16: 2.0**-133}
"""Half of a step between the smallest numbers (of float32 a whole one: a bound of several roundings)."""


@dataclass(frozen=True)
class Out:
    """What an operand holds afterwards: ``values`` in rows every ``pitch`` elements, each to ``allowed``.

    Everything else in it is as it was.
    """

    values: Array
    pitch: int
    allowed: Array | float = 0.0

    @property
    def places(self) -> Array:
        """Which elements these are."""
        rows, columns = np.atleast_2d(self.values).shape
        return np.arange(rows)[:, None] * self.pitch + np.arange(columns)

    def check(self, result: Array, before: Array) -> None:
        """Compare with what was there."""
        values, at = np.atleast_2d(self.values), self.places
        kind = result.dtype.type
        with np.errstate(all="ignore"):
            wanted = values.astype(np.float64)
            rounded = wanted.astype(kind).astype(np.float64)
            made = result.reshape(-1)[at].astype(np.float64)
            allowed = np.broadcast_to(self.allowed, wanted.shape) + abs(wanted) * HALF_PLACE.get(kind, 0)
            near = abs(made - wanted) <= allowed + LEAST.get(kind, 0)
        same = (made == rounded) | (np.isnan(made) & np.isnan(rounded))
        wrong = ~(near | same)

        assert not wrong.any(), (np.argwhere(wrong)[:3].tolist(), made[wrong][:3], wanted[wrong][:3])
        outside = np.delete(np.arange(result.size), at.reshape(-1))
        assert result.reshape(-1)[outside].tobytes() == before.reshape(-1)[outside].tobytes(), "wrote beside dst"


@dataclass(frozen=True)
class Call:
    """One call.

    Attributes:
        body: is given the tensors and the temporary buffer.
        arrays: what the tensors hold at first.
        outs: those that are written, by their number.
        sizes: bytes of temporary memory that are of use, and that are needed.
        src: which of them is the source that is like dst, which is the first.
    """

    body: Callable[..., None]
    arrays: Sequence[Array]
    outs: dict[int, Out]
    sizes: tuple[int, int] = (0, 0)
    src: int = 1


Make = Callable[[Array, Array], Call]
"""A call on a matrix, which some functions take as so many elements, and on another one like it."""


def pitch_of(columns: int, kind: Any) -> int:
    """Elements of a row in whole blocks."""
    width = 32 // np.dtype(kind).itemsize
    return -(-columns // width) * width


def padded(x: Array, filler: Any = np.nan) -> Array:
    """Rows in whole blocks; what lies between them is NaN, or 7 where the type has none."""
    out = np.full((len(x), pitch_of(x.shape[1], x.dtype)), filler if x.dtype.kind == "f" else 7).astype(x.dtype)
    out[:, : x.shape[1]] = x
    return out


def blank(count: int, kind: Any) -> Array:
    """Room for a result, and 40 elements more."""
    return np.full(count + 40, 7).astype(kind)


def exact(x: Array) -> Array:
    return np.asarray(x).astype(np.float64)


def places(n: float) -> Bound:
    """So many units in the last place of float32."""
    return lambda y, *_: n * 2.0**-23 * abs(y)


def near(share: float, least: float) -> Bound:
    """A share of the value, or of the ``least`` where it is smaller, times the first source if there are two."""
    return lambda y, *x: share * np.maximum(abs(y), least * (abs(x[0]) if len(x) > 1 else 1))


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def gelu(x: Array) -> Array:
    return x / (1 + np.exp(-1.5957691216057308 * (x + 0.044715 * x**3)))


def relu_gate(x: Array, g: Array) -> Array:
    return x * np.where(np.isnan(g), g, np.maximum(g, 0))


def elements(
    name: str,
    formula: Callable[..., Array],
    bound: Bound,
    *,
    sources: int = 1,
    scalars: tuple[float, ...] = (),
    domain: Callable[[Array], Array] = lambda x: x,
) -> Make:
    """A function of single elements; ``domain`` makes sources of any numbers."""

    def make(x: Array, z: Array) -> Call:
        kind, count = x.dtype, x.size
        given = [domain(v.reshape(-1)).astype(kind) for v in (x, z)[:sources]]
        wide = [exact(v) for v in given] if kind.kind == "f" else given
        with np.errstate(all="ignore"):
            wanted = formula(*wide, *scalars)
            allowed = bound(exact(wanted), *wide)
        tail = (count, *scalars) if name == "swish" else (*scalars, count)

        def body(y: Any, *rest: Any) -> None:
            getattr(adv, name)(y, *rest[:-1], *tail, temp_buffer=rest[-1])

        sizes = getattr(adv, f"get_{name}_max_min_tmp_size")(count, kind)
        return Call(body, [blank(count, kind), *given], {0: Out(wanted, count, allowed)}, sizes)

    return make


def no_error(*_: Any) -> Array:
    """Exact, or correctly rounded."""
    return np.zeros(1)


def power_bound(y: Array, x: Array, p: Array) -> Array:
    return 2.0**-23 * (2 + abs(p * np.log(abs(x)))) * abs(y)


def to_range(low: float, high: float) -> Callable[[Array], Array]:
    """Numbers outside become one of the ends; NaN stays."""
    return lambda x: np.clip(x, x.dtype.type(low), x.dtype.type(high))


def steps(x: Array) -> Array:
    """Numbers whose quotients are below 2²⁴, and none of which is 0."""
    return np.where(x < 0, x.dtype.type(-1), x.dtype.type(1)) + to_range(-60000, 60000)(x) * x.dtype.type(2**-9)


ELEMENTS: dict[str, Make] = {
    "sigmoid": elements("sigmoid", sigmoid, places(4), domain=to_range(-80, 65504)),
    "gelu": elements("gelu", gelu, near(1e-6, 0.2)),
    "faster_gelu": elements("faster_gelu", lambda x: x / (1 + np.exp(-1.702 * x)), near(1e-6, 0.2)),
    "silu": elements("silu", lambda x: x / (1 + np.exp(-x)), near(1e-6, 0.2)),
    "swish": elements("swish", lambda x, s: x / (1 + np.exp(-s * x)), near(1e-6, 0.4), scalars=(0.5,)),
    "swiglu": elements(
        *("swiglu", lambda x, g, s: x * (g / (1 + np.exp(-s * g))), near(1e-6, 0.4)), sources=2, scalars=(0.5,)
    ),
    "geglu": elements("geglu", lambda x, g: x * gelu(g), near(1e-6, 0.2), sources=2),
    "reglu": elements("reglu", relu_gate, places(0.5), sources=2),
    "sin": elements("sin", np.sin, places(3), domain=to_range(-65504, 65504)),
    "cos": elements("cos", np.cos, places(3), domain=to_range(-65504, 65504)),
    "tanh": elements("tanh", np.tanh, places(6)),
    "erf": elements("erf", np.vectorize(math.erf, otypes=[float]), places(7)),
    "log": elements("log", np.log, places(1)),
    "log2": elements("log2", np.log2, places(3)),
    "log10": elements("log10", np.log10, places(3)),
    "power": elements("power", np.power, power_bound, sources=2, domain=lambda x: abs(x) + x.dtype.type(0.5)),
    "ceil": elements("ceil", np.ceil, no_error),
    "floor": elements("floor", np.floor, no_error),
    "round": elements("round", np.rint, no_error),
    "trunc": elements("trunc", np.trunc, no_error),
    "frac": elements("frac", lambda x: x - np.trunc(x), no_error),
    "clamp": elements("clamp", np.clip, no_error, scalars=(-1.5, 2)),
    "clamp_max": elements("clamp_max", np.minimum, no_error, scalars=(0.75,)),
    "clamp_min": elements("clamp_min", np.maximum, no_error, scalars=(-0.75,)),
    "sign": elements("sign", np.sign, no_error),
    "fmod": elements("fmod", np.fmod, no_error, sources=2, domain=steps),
    "xor": elements("xor", np.bitwise_xor, no_error, sources=2),
}
