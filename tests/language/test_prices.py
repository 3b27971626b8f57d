"""Every chip prices every instruction, or says that it has none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from ascendc.language.chipfile import names
from ascendc.language.hardware import HardwareSpec
from ascendc.language.isa.copies import Copy
from ascendc.language.isa.op import Op
from ascendc.language.isa.scalar import ScalarOp
from ascendc.language.isa.vector import VectorOp
from tests.block import on_ub

VECTOR = {name: op for name, op in asc.ISA.items() if isinstance(op, VectorOp)}
A2 = [name for name in names() if name.startswith("Ascend910B")]

ABSENT = {chip: {"scatter"} for chip in A2}
"""Instructions that a chip lacks."""

ENGINES = {
    *("pipe_barrier", "set_flag", "wait_flag"),
    *("alloc_tensor", "deque", "enque", "free_all_event", "free_tensor"),
}
"""Flags, barriers and queue calls: the engine's own rules are their price."""


@pytest.mark.parametrize("chip", names())
@pytest.mark.parametrize("name", VECTOR)
def test_vector_instructions(name: str, chip: str) -> None:
    """The cost class has a head and a rate for every element type; or the instruction is one that the chip lacks."""
    op, costs = VECTOR[name], HardwareSpec.load(chip).vector.cost
    if name in ABSENT.get(chip, ()):
        assert op.cost not in costs
        return

    cost = costs[op.cost]
    assert cost.head_cycles > 0
    assert all(cost.per_repeat(kind.name) > 0 for kinds in op.dtypes for kind in kinds)
    assert cost.source
    assert cost.status


@pytest.mark.parametrize("chip", names())
def test_no_class_is_left_over(chip: str) -> None:
    """A rate that no instruction asks for would be a slip of a name."""
    assert set(HardwareSpec.load(chip).vector.cost) == {
        op.cost for name, op in VECTOR.items() if name not in ABSENT.get(chip, ())
    }


@pytest.mark.parametrize("chip", A2)
@pytest.mark.parametrize("name", sorted({name for absent in ABSENT.values() for name in absent}))
def test_what_a_chip_lacks_it_says(name: str, chip: str) -> None:
    """Called, it is refused by the chip's name, before anything is written."""
    z = np.full(16, 7, np.float32)

    def body(z: Any, x: Any, at: Any) -> None:
        with pytest.raises(
            asc.DtypeError, match=rf"^{name}: {chip} has no such instruction, its file no vector\.cost\.{name}"
        ):
            asc.ISA[name](z, x, at, 0, 8)

    after, *_ = on_ub(body, z, np.ones(16, np.float32), np.arange(0, 64, 4, dtype=np.uint32), chip=chip)
    assert after.tolist() == z.tolist()


@pytest.mark.parametrize("chip", names())
def test_scalar_instructions_and_copies(chip: str) -> None:
    """A scalar instruction is issued, or reaches a memory; a copy has a route whose rates are in the file."""
    spec = HardwareSpec.load(chip)

    assert min(spec.scalar.issue_cycles, spec.scalar.access_cycles, spec.scalar.global_access_cycles) > 0
    assert {"gm_to_ub", "ub_to_gm"} <= set(spec.route)
    assert all(
        min(route.issue_cycles, route.l2_bytes_per_cycle, route.hbm_bytes_per_cycle) > 0
        for route in spec.route.values()
    )


def test_there_is_no_other_kind_of_instruction() -> None:
    """Vector, scalar, copies, and what the engine times itself."""
    kinds: dict[str, Op] = {n: op for n, op in asc.ISA.items() if not isinstance(op, VectorOp | ScalarOp | Copy)}

    assert set(kinds) == ENGINES
