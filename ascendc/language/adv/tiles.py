"""Functions of single elements, written for one tile and run tile by tile, as far as temporary memory reaches.

A member is one decorated function: the instructions for ``n`` elements.  Its parameters are the result
``y``, the sources, the temporary tensors ``t``, ``n``, and scalars if there are any.  ``y`` may be
written at any time, so it never is a source.  Temporaries reach to the end of their last repeat.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ..core import current
from ..dtypes import DataType, dtype, float16, float32
from ..enums import RoundMode
from ..isa.scalar import scalar_of
from ..isa.vector_cast import cast
from ..memory import LocalTensor
from .function import Function, ordered
from .operands import Operand, check_operands, check_scratch, count_of
from .temp import Scratch, elements_of

GRAIN = 128
"""Elements a tile is a multiple of: whole repeats, of 16-bit and of 32-bit elements."""

F = TypeVar("F", bound="Tiled")
Scalars = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Tiled(Function):
    """``dst[i]`` from ``src[i]`` …

    Attributes:
        body: the instructions for one tile.
        roles: of the operands, destination first.
        work: temporary tensors of a tile.
        wide: whether float16 is computed in float32.
    """

    body: Callable[..., None]
    roles: tuple[str, ...]
    work: int = 0
    wide: bool = True

    def max_min_tmp_size(
        self, shape: int | Sequence[int], dtype: Any = float32, is_reuse_source: bool = False
    ) -> tuple[int, int]:
        """Bytes of temporary memory: the most that is of use for this shape or count, and the least that will do."""
        grains, each = -(-elements_of(shape) // GRAIN), GRAIN * self._bytes_each(dtype)
        return grains * each, min(grains, 1) * each

    @property
    def temporary(self) -> str:
        """As declared by ``work`` and ``wide``; tiles are multiples of 128 elements."""
        return ", ".join(str(self._bytes_each(kind)) for kind in self.dtypes)

    def run(
        self, dst: Any, sources: tuple[Any, ...], count: int | None, temp_buffer: Any, scalars: Scalars = ()
    ) -> None:
        """Check the call, then run all tiles; ``scalars`` are (name, number)."""
        core = current()
        elements = count_of(core, self.name, count, sources[0])
        kind, operands = self.dtypes, [Operand(self.roles[0], dst, elements, self.dtypes, written=True)]
        if isinstance(dst, LocalTensor) and dst.dtype in self.dtypes:
            kind = (dst.dtype,)
        operands += [Operand(r, s, elements, kind) for r, s in zip(self.roles[1:], sources, strict=True)]
        check_operands(self.name, operands)
        if not elements:
            return
        numbers = [scalar_of(core, self.name, value, self._inner(dst.dtype), name) for name, value in scalars]
        least = GRAIN * self._bytes_each(dst.dtype)
        scratch = Scratch(self.name, temp_buffer if least else None, least)
        check_scratch(self.name, scratch.memory, operands)
        step = scratch.nbytes // least * GRAIN if least else elements
        ordered(self._tiles, dst, sources, elements, step, scratch, numbers)

    def _tiles(
        self, dst: LocalTensor, sources: tuple[LocalTensor, ...], count: int, step: int, scratch: Scratch, numbers: Any
    ) -> None:
        kind, inner = dst.dtype, self._inner(dst.dtype)
        for at in range(0, count, step):
            scratch.rewind()
            n = min(step, count - at)
            whole = -(-n // GRAIN) * GRAIN
            y, *xs = (t[at : at + n] for t in (dst, *sources))
            t = [scratch.take(inner, whole) for _ in range(self.work)]
            if inner is kind:
                self.body(y, *xs, t, n, *numbers)
                continue
            wide, *wides = (scratch.take(inner, whole) for _ in self.roles)
            for to, x in zip(wides, xs, strict=True):
                cast(to, x, RoundMode.CAST_NONE, n)
            self.body(wide, *wides, t, n, *numbers)
            cast(y, wide, RoundMode.CAST_NONE, n)

    def _inner(self, kind: DataType) -> DataType:
        """The type it computes in."""
        return float32 if self.wide and kind is float16 else kind

    def _bytes_each(self, like: Any) -> int:
        """Temporary bytes of one element: work tensors, and operands in another type."""
        kind = dtype(like)
        inner = self._inner(kind)
        return (self.work + (len(self.roles) if inner is not kind else 0)) * inner.itemsize


class Unary(Tiled):
    """``dst[i] = f(src[i])``."""

    __slots__ = ()

    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        count: int | None = None,
        temp_buffer: LocalTensor | None = None,
        is_reuse_source: bool = False,
    ) -> None:
        """Of the first ``count`` elements; all of ``src`` if not given."""
        self.run(dst, (src,), count, temp_buffer)


class Binary(Tiled):
    """``dst[i] = f(src0[i], src1[i])``."""

    __slots__ = ()

    def __call__(
        self,
        dst: LocalTensor,
        src0: LocalTensor,
        src1: LocalTensor,
        count: int | None = None,
        temp_buffer: LocalTensor | None = None,
        is_reuse_source: bool = False,
    ) -> None:
        """Of the first ``count`` elements; all of ``src0`` if not given."""
        self.run(dst, (src0, src1), count, temp_buffer)


class Limit(Tiled):
    """``dst[i] = f(src[i], scalar)``."""

    __slots__ = ()

    def __call__(
        self,
        dst: LocalTensor,
        src: LocalTensor,
        scalar: float,
        count: int | None = None,
        temp_buffer: LocalTensor | None = None,
        is_reuse_source: bool = False,
    ) -> None:
        """Of the first ``count`` elements; all of ``src`` if not given."""
        self.run(dst, (src,), count, temp_buffer, (("scalar", scalar),))


def tiled(
    family: type[F],
    *,
    cpp: str,
    name: str = "",
    dtypes: tuple[DataType, ...] = (float16, float32),
    roles: tuple[str, ...] = ("dst", "src"),
    work: int = 0,
    wide: bool = True,
) -> Callable[[Callable[..., None]], F]:
    """Declare a member of ``family``, named as the function, which is its instructions for one tile, or by ``name``."""

    def declare(body: Callable[..., None]) -> F:
        return family(
            name=name or body.__name__,
            cpp=cpp,
            doc=body.__doc__ or "",
            dtypes=dtypes,
            body=body,
            roles=roles,
            work=work,
            wide=wide,
        )

    return declare
