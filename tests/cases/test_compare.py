"""The catalogue's U12: a layer normalisation with one stage wrong on purpose, and the stage named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from ascendc.language.compare import first_difference
from tests.block import local

ROWS, LANES, BLOCKS = 4, 128, 2
F32 = np.float32


def _total(u: asc.LocalTensor, spare: asc.LocalTensor) -> float:
    """The sum of u: halves onto each other down to one block, the rest by the scalar unit."""
    asc.adds(spare, u, 0.0, LANES)
    width = LANES // 2
    while width >= 8:
        asc.add(spare, spare, spare[width:], width)
        width //= 2
    return float(sum(spare.get_value(i) for i in range(8)))


@asc.kernel
def layer_norm(x: Any, y: Any, golden: dict[str, Any], mistake: str) -> None:
    """y = (x − mean) / √var of each row, every stage compared."""
    source, target = asc.GlobalTensor(), asc.GlobalTensor()
    source.set_global_buffer(x)
    target.set_global_buffer(y)
    u, c, s, spare = (local(asc.float32, LANES, 512 * i) for i in range(4))
    share = ROWS // asc.get_block_num()
    for row in range(asc.get_block_idx() * share, (asc.get_block_idx() + 1) * share):
        asc.data_copy(u, source[row * LANES :], LANES)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        mean = _total(u, spare) / LANES
        asc.compare_stage("mean", mean, golden["mean"][row])
        asc.adds(c, u, 0.0, LANES)
        asc.adds(c, u, -mean, LANES - 24 if mistake == "tail" else LANES)
        asc.compare_stage("centred", c, golden["centred"][row])
        asc.mul(s, c, c, LANES)
        var = _total(s, spare) / (LANES / 2 if mistake == "count" and row % share else LANES)
        asc.compare_stage("var", var, golden["var"][row])
        asc.muls(c, c, float(1 / np.sqrt(var)), LANES)
        asc.compare_stage("y", c, golden["y"][row])
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.data_copy(target[row * LANES :], c, LANES)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)


def _run(mistake: str) -> asc.Program:
    x = np.random.default_rng(1).normal(3, 2, (ROWS, LANES)).astype(F32)
    mean, var = x.mean(1, np.float64), x.var(1, np.float64)
    centred = x - mean[:, None]
    golden = {"mean": mean, "centred": centred, "var": var, "y": centred / np.sqrt(var)[:, None]}
    return layer_norm.launch(BLOCKS, x, np.zeros_like(x), golden, mistake, chip="demo")


def test_u12_a_right_kernel_has_no_stage_that_differs() -> None:
    """Four stages of two tiles in each of two blocks, within float32's tolerance."""
    program = _run("")

    assert program.findings == ()
    assert first_difference(program.comparisons) is None
    assert [(c.name, c.tiles, c.lanes, c.wrong) for c in program.comparisons] == [
        ("mean", 4, 4, 0),
        ("centred", 4, 512, 0),
        ("var", 4, 4, 0),
        ("y", 4, 512, 0),
    ]


def test_u12_the_first_stage_that_differs_is_the_one_with_the_mistake() -> None:
    """The last 24 lanes keep their mean: var and y are wrong too, but later."""
    program = _run("tail")
    first = first_difference(program.comparisons)

    assert first is not None
    assert (first.name, first.wrong, first.lanes, first.since) == ("centred", 4 * 24, 512, (1, 0))
    assert first.pattern == "from lane 104 on"
    assert [(w.block, w.tile, w.lane) for w in first.first] == [(0, 0, lane) for lane in range(104, 109)]
    assert {(f.kind, f.blocks) for f in program.findings} == {("compare", (0, 1))}
    assert [f.message.split(":")[2] for f in program.findings] == [" stage centred", " stage var", " stage y"]


def test_u12_a_stage_wrong_in_the_second_tile_comes_after_all_of_the_first() -> None:
    """Twice the variance in every block's second row: a 0.71th of y."""
    program = _run("count")
    first = first_difference(program.comparisons)

    assert first is not None
    assert (first.name, first.wrong, first.since) == ("var", 2, (6, 0))
    assert first.max_rel_error == pytest.approx(1, abs=1e-4)
    assert first.pattern == "whole tiles, only the last tile of a block"
    assert program.comparisons[-1].pattern == ("whole tiles, only the last tile of a block, 0.707 times what is wanted")


def test_u12_the_message_has_count_errors_pattern_and_lanes() -> None:
    """In full: what is wrong, by how much, what it has in common, where."""

    def compared() -> None:
        got = np.arange(1, 257, dtype=F32)
        got[248:] *= 2
        asc.compare_stage("scaled", got, np.arange(1, 257))

    (finding,) = _launched(compared).findings

    assert (finding.kind, finding.severity, finding.blocks) == ("compare", asc.Severity.ERROR, (0,))
    assert finding.message == (
        f"{finding.lines[0]}: stage scaled: 8 of 256 lanes differ, off by up to 256 (relative 1); from lane 248 on, "
        "2 times what is wanted; first: (block 0, tile 0, lane 248) 498 instead of 249, "
        "(block 0, tile 0, lane 249) 500 instead of 250, (block 0, tile 0, lane 250) 502 instead of 251, "
        "(block 0, tile 0, lane 251) 504 instead of 252, (block 0, tile 0, lane 252) 506 instead of 253"
    )


def _launched(body: Callable[[], object], blocks: int = 1) -> asc.Program:
    @asc.kernel
    def kernel() -> None:
        body()

    return kernel.launch(blocks, chip="demo")
