"""Operators: what the command line can run and check.

An operator is a host function that chooses the tiling and launches a kernel, together with how to make
inputs for it and what the result must be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arguments import places
from .dtypes import dtype as dtype_of
from .errors import DtypeError, OperatorError, UsageError
from .hazard.extent import Extents, Footprints, global_extents
from .numbers import is_whole
from .options import current_options
from .program import Program

Array = NDArray[Any]
_POISON = 0xA5
"""Byte that outputs are filled with, so that what a kernel leaves out is seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A published measurement of an operator, to be shown beside ours.

    Attributes:
        shape, dtype, blocks, chip: what was measured.
        us: microseconds.
        what: in what form.
        source: where it was published.
    """

    shape: tuple[int, ...]
    dtype: str
    blocks: int
    chip: str
    us: float
    what: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one checked run gave.

    Attributes:
        program: of the launch.
        shape, dtype, blocks: what was run.
        correct: whether every element is right, within the operator's tolerance.
        max_abs_error: largest difference to the reference; NaN in place of a number counts as infinite.
        mismatches: how many elements are wrong.
        first_mismatch: index of the first, and the values got and wanted.
        unwritten: bytes of the outputs that the kernel never wrote.
    """

    program: Program
    shape: tuple[int, ...]
    dtype: str
    blocks: int
    correct: bool
    max_abs_error: float
    mismatches: int
    first_mismatch: tuple[tuple[int, ...], Any, Any] | None
    unwritten: int


def random_inputs(count: int) -> Callable[[tuple[int, ...], Any, np.random.Generator], tuple[Array, ...]]:
    """A maker of ``count`` arrays: floats of a normal distribution, small integers."""

    def make(shape: tuple[int, ...], kind: Any, random: np.random.Generator) -> tuple[Array, ...]:
        element = dtype_of(kind)
        if element.is_float:
            return tuple(random.standard_normal(shape, np.float32).astype(element.numpy) for _ in range(count))
        return tuple(random.integers(-100, 100, shape).astype(element.numpy) for _ in range(count))

    return make


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """Something the command line can run.

    Attributes:
        name: what it is called there.
        doc: one line.
        host: ``host(*inputs, *outputs, blocks)``: chooses the tiling, launches, gives the program.
        reference: NumPy result of the inputs: one array, or several.
        inputs: makes the inputs for a shape, an element type and a random generator.
        dtypes: element types it takes.
        shape, dtype, blocks: defaults; ``blocks`` None is all cores.
        tolerance: largest absolute difference that counts as right; 0 is bit for bit.
        published: measurements to compare with.
    """

    name: str
    doc: str
    host: Callable[..., Program]
    reference: Callable[..., Any]
    inputs: Callable[[tuple[int, ...], Any, np.random.Generator], tuple[Array, ...]]
    dtypes: tuple[str, ...] = ("float16", "float32")
    shape: tuple[int, ...] = (1024, 1024)
    dtype: str = "float16"
    blocks: int | None = None
    tolerance: float = 0.0
    published: tuple[Published, ...] = ()

    def run(
        self,
        *,
        shape: tuple[int, ...] | None = None,
        dtype: str | None = None,
        blocks: int | None = None,
        seed: int = 0,
    ) -> Outcome:
        """Make inputs, launch, compare with the reference.

        Raises:
            UsageError: the shape or the element type is not one it takes.
        """
        shape = self.shape if shape is None else shape
        kind = self.dtype if dtype is None else dtype_of(dtype).name
        if kind not in self.dtypes:
            raise DtypeError(f"{self.name}: dtype {kind} is not supported; there are: {', '.join(self.dtypes)}")
        if any(not is_whole(n) or n < 0 for n in shape):
            raise UsageError(f"{self.name}: a shape is whole numbers, 0 or more, got {shape}")
        if blocks is None:
            blocks = self.blocks
        if blocks is None:
            spec = current_options().spec
            blocks = spec.core[spec.vector_kind].count
        inputs = self.inputs(shape, kind, np.random.default_rng(seed))
        with np.errstate(all="ignore"):
            wanted = self.reference(*inputs)
        wanted = wanted if isinstance(wanted, tuple) else (wanted,)
        outputs = tuple(np.empty_like(w) for w in wanted)
        for out in outputs:
            out.reshape(-1).view(np.uint8)[...] = _POISON
        program = self.host(*inputs, *outputs, blocks)
        return self._judge(program, shape, kind, blocks, outputs, wanted)

    def _judge(
        self,
        program: Program,
        shape: tuple[int, ...],
        kind: str,
        blocks: int,
        outputs: tuple[Array, ...],
        wanted: tuple[Array, ...],
    ) -> Outcome:
        if not isinstance(program, Program):
            raise OperatorError(
                f"{self.name}: its host function must return what kernel[blocks](…) gives, got {program!r}"
            )
        wrong, worst, first = 0, 0.0, None
        for got, want in zip(outputs, wanted, strict=True):
            bad, error = _compare(got, want, self.tolerance)
            worst = max(worst, error)
            n = int(bad.sum())
            if n and first is None:
                at = tuple(int(i) for i in np.unravel_index(int(bad.argmax()), got.shape))
                first = (at, got[at].item(), want[at].item())
            wrong += n
        return Outcome(
            program=program,
            shape=shape,
            dtype=kind,
            blocks=blocks,
            correct=not wrong,
            max_abs_error=worst,
            mismatches=wrong,
            first_mismatch=first,
            unwritten=_unwritten(program, outputs),
        )


def _compare(got: Array, want: Array, tolerance: float) -> tuple[NDArray[np.bool_], float]:
    """Which elements are wrong, and the largest difference."""
    bits = np.dtype(f"u{got.itemsize}")
    bad: NDArray[np.bool_] = got.view(bits) != want.view(bits)
    if not bad.any():
        return bad, 0.0
    with np.errstate(all="ignore"):
        a, b = got[bad].astype(np.float64), want[bad].astype(np.float64)
        off = np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0.0, np.abs(a - b))
    off = np.where(np.isnan(off), np.inf, off)
    wrong = off > tolerance
    if not tolerance:  # bit for bit, but any NaN will do for a NaN
        wrong |= ~(np.isnan(a) & np.isnan(b))
    bad[bad] = wrong
    return bad, float(off.max())


def _unwritten(program: Program, outputs: tuple[Array, ...]) -> int:
    """Bytes of ``outputs`` that no instruction writes; outputs the launch was not given count as written."""
    footprints = Footprints(program.templates)
    stores = global_extents(program.blocks, footprints)
    stores = stores.take(stores.write).exact(footprints)
    return sum(_gaps(first, out.nbytes, stores) for out in outputs for first in _addresses(program, out))


def _addresses(program: Program, array: Array) -> set[int]:
    """Where the launch had the first byte of ``array``: in one place, or nowhere."""
    inside = places(array)
    return {a.address - a.offset + inside[a.buffer] for a in program.arrays if a.buffer in inside}


def _gaps(first: int, nbytes: int, stores: Extents) -> int:
    """How many of the bytes from ``first`` on no store covers."""
    low, high = np.clip(stores.low - first, 0, nbytes), np.clip(stores.high - first, 0, nbytes)
    covers = np.bincount(low, minlength=nbytes + 1) - np.bincount(high, minlength=nbytes + 1)
    return int(np.count_nonzero(np.cumsum(covers[:nbytes]) == 0))


def operator(
    *,
    reference: Callable[..., Any],
    inputs: int | Callable[..., tuple[Array, ...]] | None = None,
    name: str | None = None,
    **fields: Any,
) -> Callable[[Callable[..., Program]], Operator]:
    """Make an operator of a host function ``host(*inputs, *outputs, blocks)``.

    Args:
        reference: NumPy result of the inputs.
        inputs: how many random inputs, as many as ``reference`` has parameters if not given; or a maker
            ``(shape, dtype, generator) -> arrays``.
        name: the function's name if not given.
        fields: further fields of :class:`Operator`: ``dtypes``, ``shape``, ``dtype``, ``blocks``, ``tolerance``.
    """

    def declare(host: Callable[..., Program]) -> Operator:
        count = _parameters(reference) if inputs is None else inputs
        return Operator(
            name=name or host.__name__,
            doc=(host.__doc__ or "").strip().split("\n")[0],
            host=host,
            reference=reference,
            inputs=random_inputs(count) if isinstance(count, int) else count,
            **fields,
        )

    return declare


def _parameters(reference: Callable[..., Any]) -> int:
    if isinstance(reference, np.ufunc):
        return reference.nin
    import inspect  # noqa: PLC0415  only who leaves the number out pays for it

    return len(inspect.signature(reference).parameters)


def find_operators(module: ModuleType | Mapping[str, Any]) -> dict[str, Operator]:
    """The operators among a module's names, by their own names, in order."""
    names = vars(module) if isinstance(module, ModuleType) else module
    return {o.name: o for o in names.values() if isinstance(o, Operator)}
