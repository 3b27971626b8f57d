"""Small things: tiling structs, compile-time names, element types."""

from __future__ import annotations

import pickle
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ascendc as asc
from ascendc.language.dtypes import DTYPES
from ascendc.language.enums import HardEvent, PipeID
from tests.refusals import refused_at_launch


class Tiling(asc.Struct):
    """Annotations, fields, defaults."""

    total: int
    tile: int = 64
    scale = asc.Field(asc.float32, default=0.5)
    count: asc.ConstExpr[int] = asc.StructField(asc.int32, 3)  # type: ignore[assignment]


class Wider(Tiling):
    """A field more than its base."""

    blocks: int = 8


class TestStruct:
    """Fields by name or in order."""

    def test_by_name_in_order_and_by_default(self) -> None:
        """Those of the base come first; one without a default is None."""
        made = Wider(100, 32, blocks=4)

        assert repr(made) == "Wider(total=100, tile=32, count=3, scale=0.5, blocks=4)"
        assert Tiling().total is None

    @pytest.mark.parametrize(
        ("make", "text"),
        [
            (lambda: Tiling(1, 2, 3, 4, 5), "Tiling: 5 values for 4 fields"),
            (lambda: Tiling(1, total=2), "Tiling: total is given twice"),
            (lambda: Tiling(tiles=2), "Tiling: there is no field tiles; fields: total, tile, count, scale"),
        ],
    )
    def test_values_that_do_not_fit(self, make: Any, text: str) -> None:
        """The message lists the fields."""
        with refused_at_launch(asc.UsageError, text):
            make()


class TestCompileTime:
    """Names that compilers unroll or check."""

    @pytest.mark.parametrize(("a", "b", "wanted"), [(7, 2, 4), (8, 2, 4), (0, 2, 0), (-7, 2, -3)])
    def test_ceildiv(self, a: int, b: int, wanted: int) -> None:
        """Rounded up."""
        assert asc.ceildiv(a, b) == wanted

    def test_ranges_are_pythons(self) -> None:
        """One, two or three numbers."""
        assert list(asc.range(3)) == list(asc.static_range(0, 3)) == [0, 1, 2]
        assert list(asc.range(5, 0, -2)) == [5, 3, 1]

    def test_static_assert(self) -> None:
        """Silent if it holds; else the text given."""
        asc.static_assert([0], "no")
        with refused_at_launch(asc.UsageError, "static_assert: tile must be even"):
            asc.static_assert(False, "tile must be even")

    def test_newer_names_of_gaps(self) -> None:
        """``src_gap`` and ``dst_gap`` are the strides of DataCopyParams."""
        params = asc.DataCopyParams(1, 2, 3, 4)

        assert (params.src_gap, params.dst_gap) == (3, 4)
        assert asc.DataCopyParams(1, 2, src_gap=3, dst_gap=4) == params
        params.src_gap, params.dst_gap = 5, 6
        assert (params.src_stride, params.dst_stride) == (5, 6)


class TestElementTypes:
    """One object a type, whatever it is called."""

    @pytest.mark.parametrize("kind", DTYPES.values(), ids=str)
    def test_every_spelling_is_the_same_object(self, kind: asc.DataType) -> None:
        """Ours, its name, NumPy's dtype and scalar type; also through a pickle."""
        assert asc.dtype(kind) is asc.dtype(kind.name) is asc.dtype(kind.numpy) is asc.dtype(kind.numpy.type) is kind
        assert pickle.loads(pickle.dumps(kind)) is kind
        assert (kind.sizeof(), kind.is_float) == (kind.numpy.itemsize, "float" in kind.name)
        assert repr(kind) == kind.name

    @pytest.mark.parametrize(
        ("like", "kind"),
        [
            ("half", asc.half),
            ("float", asc.float32),
            ("bool_", asc.bool_),
            ("int4b_t", asc.int4),
            (bool, asc.bool_),
            (ml_dtypes.bfloat16, asc.bfloat16),
        ],
    )
    def test_aliases(self, like: Any, kind: asc.DataType) -> None:
        """Ascend C's names, and Python's where there is no doubt."""
        assert asc.dtype(like) is kind

    @pytest.mark.parametrize("like", ["float64", np.complex64, object(), 5, None, "int3", ml_dtypes.int4])
    def test_types_there_are_not(self, like: Any) -> None:
        """The message lists those there are."""
        with refused_at_launch(asc.DtypeError, "is no element type here; there are: bool, int8, int16"):
            asc.dtype(like)


def test_events_and_pipes_know_each_other() -> None:
    """35 events, Ascend C's numbers; each names its two pipes."""
    assert [e.value for e in HardEvent] == list(range(35))
    assert all(f"{e.source.short}_{e.target.short}" == e.name for e in HardEvent)
    assert PipeID.of("MTE2") is PipeID.PIPE_MTE2
