"""Kernels written for the other Python spelling of Ascend C run as they are, through all passes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from profiler import profile
from simulator import simulate
from tests.compat import fixed_addresses, framework

CHIPS = ("demo", "Ascend910B1")
Add = Callable[[Any, Any], tuple[Any, asc.Program]]


@pytest.fixture(params=[fixed_addresses.vadd_launch, framework.vadd_custom], ids=["addresses", "queues"])
def add(request: pytest.FixtureRequest) -> Add:
    """A host function of each kind."""
    function: Add = request.param
    return function


@pytest.mark.parametrize("chip", CHIPS)
def test_the_addition_is_right_and_nothing_is_found(add: Add, chip: str) -> None:
    """float32 [8, 2048] on 8 cores: 16 tiles of 128 elements for each."""
    random = np.random.default_rng(1)
    x, y = (random.standard_normal((8, 2048), np.float32) for _ in "xy")
    with asc.use_chip(chip):
        z, program = add(x, y)

    assert np.array_equal(z, x + y)
    assert not program.findings
    assert len(program.blocks) == 8


def test_it_is_timed_and_profiled(add: Add) -> None:
    """32 loads, 16 additions and 16 stores for each of 8 cores."""
    x = np.ones((8, 2048), np.float32)
    with asc.use_chip("Ascend910B1"):
        report = profile(simulate(add(x, x)[1]))

    assert {name: use.instructions for name, use in report.pipes.items() if name != "S"} == {
        "MTE2": 256,
        "V": 128,
        "MTE3": 128,
    }


def test_a_stream_changes_nothing() -> None:
    """``kernel[8]`` and ``kernel[8, stream]`` give the same rows."""
    x = np.ones((8, 2048), np.float32)
    (_, plain), (_, streamed) = framework.vadd_custom(x, x), framework.vadd_custom(x, x, stream=object())

    assert [b.rows.tolist() for b in plain.blocks] == [b.rows.tolist() for b in streamed.blocks]


def test_keywords_of_the_compiler_are_accepted() -> None:
    """They have no meaning here, except ``auto_sync``."""

    @asc.jit(kernel_type=asc.KernelType.AIV_ONLY, opt_level=3, always_compile=True, auto_sync=False)
    def kernel(x: asc.GlobalAddress, tile: asc.ConstExpr[int]) -> None:
        asc.static_assert(tile % 8 == 0, "whole blocks of 32 bytes")
        source = asc.GlobalTensor()
        source.set_global_buffer(x + asc.get_block_idx() * tile)
        local = asc.LocalTensor(x.dtype, asc.TPosition.VECIN, 0, tile)
        asc.data_copy(local, source, count=asc.ceildiv(tile, 8) * 8)

    program = kernel[2](np.zeros(64, np.float32), tile=32)

    assert not program.auto_sync
    assert [len(block.rows) for block in program.blocks] == [1, 1]
