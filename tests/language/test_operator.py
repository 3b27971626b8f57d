"""Operators: inputs, launch, comparison."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ascendc as asc
from ascendc.language.operator import find_operators, random_inputs
from tests.refusals import refused_at_launch

INF, NAN = np.inf, np.nan


@asc.kernel
def fill(y: Any, values: Any) -> None:
    """y = values, element by element."""
    g = asc.GlobalTensor()
    g.set_global_buffer(y)
    for i, value in enumerate(values):
        g.set_value(i, value)


def gives(values: list[Any], reference: list[Any], kind: str = "float32", tolerance: float = 0.0) -> Any:
    """Outcome of an operator whose kernel writes ``values`` where ``reference`` is right."""

    @asc.operator(
        reference=lambda x: np.array(reference).astype(x.dtype),
        inputs=1,
        tolerance=tolerance,
        dtypes=(kind,),
        dtype=kind,
    )
    def op(x: Any, y: Any, blocks: int) -> asc.Program:
        """One line.

        Another.
        """
        return fill.launch(1, y, tuple(values), hazards="off")

    return op.run(shape=(len(reference),), blocks=1)


class TestComparison:
    """Right is bit for bit, or within a tolerance."""

    @pytest.mark.parametrize(
        ("got", "want", "kind", "tolerance", "wrong", "error"),
        [
            ([1, 2, 3], [1, 2, 3], "float32", 0, 0, 0),
            ([1, 2.5, 7], [1, 2, 3], "float32", 0, 2, 4),
            ([1, 2.5, 7], [1, 2, 3], "float32", 0.5, 1, 4),
            ([1, 2.5, 3], [1, 2, 3], "float32", 0.5, 0, 0.5),
            ([NAN, INF], [NAN, INF], "float16", 0, 0, 0),
            ([NAN, INF], [NAN, INF], "float16", 0.1, 0, 0),
            ([NAN, 1], [0, 1], "float32", 0.1, 1, INF),
            ([0, 1], [NAN, 1], "float32", 0, 1, INF),
            ([INF, 1], [-INF, 1], "float32", 1e9, 1, INF),
            ([-0.0, 1], [0.0, 1], "float32", 0, 1, 0),
            ([-0.0, 1], [0.0, 1], "float32", 1e-9, 0, 0),
            ([5, -7], [5, 7], "int32", 0, 1, 14),
            ([True, False], [True, True], "bool", 0, 1, 1),
            ([1.5, 260], [1.5, 256], "bfloat16", 0, 1, 4),
        ],
    )
    def test_mismatches_and_the_largest_difference(
        self, got: Any, want: Any, kind: str, tolerance: float, wrong: int, error: float
    ) -> None:
        """NaN is right for NaN, and infinitely wrong for a number; bit for bit tells the zeros apart."""
        outcome = gives(got, want, kind, tolerance)

        assert (outcome.mismatches, outcome.max_abs_error, outcome.correct) == (wrong, error, not wrong)

    def test_the_first_mismatch_is_named(self) -> None:
        """Index, value got and value wanted; nothing if all is right."""
        assert gives([1, 2.5, 7], [1, 2, 3]).first_mismatch == ((1,), 2.5, 2.0)
        assert gives([1, 2], [1, 2]).first_mismatch is None

    def test_what_nobody_writes_is_poison_not_zero(self) -> None:
        """A reference of zeros does not hide a kernel that stores nothing."""
        outcome = gives([], [0, 0])

        assert (outcome.mismatches, outcome.unwritten) == (2, 8)
        assert outcome.first_mismatch[1] != 0

    def test_several_outputs(self) -> None:
        """Each is compared; bytes nobody wrote are counted over all of them."""

        @asc.operator(reference=lambda x: (x, x + 1))
        def both(x: Any, same: Any, more: Any, blocks: int) -> asc.Program:
            """The first output is left out."""
            return two.launch(1, same, more, tuple((x + 1).tolist()), hazards="off")

        outcome = both.run(shape=(4,), dtype="float32", blocks=1)

        assert (outcome.mismatches, outcome.unwritten) == (4, 16)
        assert outcome.first_mismatch[0] == (0,)

    @pytest.mark.parametrize("view", [lambda y: y, lambda y: y.reshape(-1), lambda y: y[:3]])
    def test_outputs_are_found_wherever_the_host_puts_them(self, view: Any) -> None:
        """First among the arguments of the kernel, whole or in part: element 3 of float32 is left out."""

        @asc.operator(reference=lambda x: x, inputs=1)
        def op(x: Any, y: Any, blocks: int) -> asc.Program:
            return first.launch(1, view(y), x, tuple(x[:3].tolist()), hazards="off")

        outcome = op.run(shape=(4,), dtype="float32", blocks=1)

        assert (outcome.mismatches, outcome.unwritten) == (1, 4)

    def test_an_output_the_kernel_was_not_given_is_not_judged_by_its_stores(self) -> None:
        """The host stores into an array of its own and copies that: nobody can say who wrote which byte."""

        @asc.operator(reference=lambda x: x, inputs=1)
        def op(x: Any, y: Any, blocks: int) -> asc.Program:
            own = np.zeros_like(y)
            program = fill.launch(1, own, tuple(x.tolist()), hazards="off")
            y[:] = own
            return program

        outcome = op.run(shape=(4,), dtype="float32", blocks=1)

        assert (outcome.correct, outcome.unwritten) == (True, 0)


@asc.kernel
def first(y: Any, x: Any, values: Any) -> None:
    """y = values; the output comes before the input."""
    fill(y, values)


@asc.kernel
def two(same: Any, more: Any, values: Any) -> None:
    """more = values; same is left out."""
    fill(more, values)


class TestRunning:
    """Shape, type, blocks and seed."""

    def run(self, **options: Any) -> Any:
        seen: list[Any] = []

        @asc.operator(reference=np.negative, shape=(4, 8), blocks=options.pop("default_blocks", None))
        def minus(x: Any, y: Any, blocks: int) -> asc.Program:
            seen.extend((x.copy(), blocks))
            return fill.launch(1, y, tuple((-x).reshape(-1).tolist()), hazards="off")

        return minus.run(**options), *seen

    def test_defaults(self) -> None:
        """The operator's shape and type; all cores of the chip."""
        outcome, x, blocks = self.run()

        assert outcome.correct
        assert (outcome.shape, outcome.dtype, outcome.blocks, x.dtype) == ((4, 8), "float16", 48, np.float16)
        assert blocks == 48
        with asc.use_chip("demo"):
            assert self.run()[2] == 2
        assert self.run(default_blocks=5)[2] == 5
        assert self.run(default_blocks=5, blocks=3)[2] == 3

    def test_inputs_follow_the_seed(self) -> None:
        """The same seed, the same numbers; another, others."""
        first, again, other = (self.run(seed=s)[1] for s in (1, 1, 2))

        assert np.array_equal(first, again)
        assert not np.array_equal(first, other)

    def test_an_empty_shape(self) -> None:
        """Nothing to compute is computed right."""
        outcome, *_ = self.run(shape=(0, 8))

        assert (outcome.correct, outcome.max_abs_error, outcome.unwritten) == (True, 0, 0)

    @pytest.mark.parametrize("shape", [(-1,), (2.0,), (True,), ("3",)])
    def test_shapes_there_are_not(self, shape: Any) -> None:
        """The message has the shape."""
        with refused_at_launch(asc.UsageError, "minus: a shape is whole numbers, 0 or more", str(shape)):
            self.run(shape=shape)

    def test_element_types_it_does_not_take(self) -> None:
        """The message has those it takes; aliases are understood."""
        with refused_at_launch(asc.DtypeError, "minus: dtype int8 is not supported; there are: float16, float32"):
            self.run(dtype="int8")
        assert self.run(dtype="float")[0].dtype == "float32"


class TestDeclaring:
    """From a host function to an operator."""

    def test_name_and_line_come_from_the_function(self) -> None:
        """Unless a name is given; how many inputs comes from the reference."""

        @asc.operator(reference=lambda a, b, c: a, name="three")
        def host(*arrays: Any) -> asc.Program:
            """First line.

            Second.
            """
            raise NotImplementedError

        assert (host.name, host.doc) == ("three", "First line.")
        assert len(host.inputs((2,), "float16", np.random.default_rng(0))) == 3
        assert len(asc.operator(reference=np.add)(host.host).inputs((2,), "int8", np.random.default_rng(0))) == 2

    @pytest.mark.parametrize("kind", ["float16", "bfloat16", "float32", "int8", "int32", "uint8", "bool"])
    def test_random_inputs(self, kind: str) -> None:
        """Floats around 0, integers of at most a hundred, of the type asked for."""
        (x,) = random_inputs(1)((1000,), kind, np.random.default_rng(0))

        assert x.dtype == (ml_dtypes.bfloat16 if kind == "bfloat16" else np.dtype(kind))
        assert len(np.unique(x.astype(np.float64))) > 1
        assert np.abs(x.astype(np.float64)).max() <= (255 if kind == "uint8" else 100)

    def test_operators_of_a_module(self) -> None:
        """By their own names; other names of the module are not asked."""

        @asc.operator(reference=np.negative, name="mine")
        def host(x: Any, y: Any, blocks: int) -> asc.Program:
            raise NotImplementedError

        module = ModuleType("module")
        module.anything, module.value = host, 5  # type: ignore[attr-defined]

        assert find_operators(module) == find_operators({"anything": host, "value": 5}) == {"mine": host}
