"""The catalogue's P19, P26, P28, U10 and U11: what the host gets wrong, and what is checked by default."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from kernels import OPERATORS
from tests.block import local, on_gm, on_ub
from tests.refusals import refused, refused_at_launch

SLOT, TILE = 4096, 1024
"""Bytes of workspace a block has, and of one tile it puts there."""


@asc.kernel
def fill(workspace: asc.GlobalAddress, tiles: int, declared: bool) -> None:
    """Put tiles into this block's slot of a workspace, whose size is told to the tensor or not."""
    ws, u, start = asc.GlobalTensor(), local(asc.uint8, TILE), asc.get_block_idx() * SLOT
    ws.set_global_buffer(workspace + start, SLOT if declared else None)
    asc.duplicate(u.reinterpret_cast(asc.int16), 1, TILE // 2)
    asc.set_flag(asc.HardEvent.V_MTE3)
    asc.wait_flag(asc.HardEvent.V_MTE3)
    for tile in range(tiles):
        asc.data_copy(ws[tile * TILE :], u, TILE)


class TestP19Workspace:
    """Offsets that leave a slot."""

    @pytest.mark.parametrize("declared", [True, False])
    def test_small_shapes_fit(self, declared: bool) -> None:
        """Three tiles of four."""
        assert not fill.launch(8, np.zeros(8 * SLOT, np.uint8), 3, declared, chip="demo").findings

    def test_a_declared_slot_is_left_in_the_first_block(self) -> None:
        """The fifth tile starts at the end of the slot: the window is empty."""
        with pytest.raises(asc.OutOfBoundsError) as caught:
            fill.launch(8, np.zeros(8 * SLOT, np.uint8), 5, True, chip="demo")

        assert str(caught.value).startswith(
            "dst of data_copy: accesses elements [0, 1024) of a view of 0 x uint8 on argument workspace "
            "(elements [4096, 4096) of 32768)\n  at test_programming_host.py:"
        )
        assert str(caught.value).endswith("block 0 of 8 of fill")

    def test_an_undeclared_one_is_left_in_the_last_block(self) -> None:
        """Only there the array ends."""
        with pytest.raises(asc.OutOfBoundsError, match="block 7 of 8 of fill"):
            fill.launch(8, np.zeros(8 * SLOT, np.uint8), 5, False, chip="demo")

    def test_a_block_that_writes_into_its_neighbours_slot_is_found(self) -> None:
        """With room behind the last slot nothing is out of bounds, but seven slots are written by two blocks."""
        with pytest.raises(asc.HazardError, match=r"block 1 writes workspace bytes \[4096, 5120\)") as caught:
            fill.launch(8, np.zeros(9 * SLOT, np.uint8), 5, False, chip="demo")

        (finding,) = caught.value.findings
        assert (finding.kind, finding.blocks) == ("cores", tuple(range(8)))


@dataclass
class Plan:
    """Arguments of the host's making."""

    tiles: int


@asc.kernel
def tiled(x: asc.GlobalAddress, y: asc.GlobalAddress, plan: Plan) -> None:
    """y = x, tile by tile."""
    source, target, u = asc.GlobalTensor(), asc.GlobalTensor(), local(asc.float32, 8)
    source.set_global_buffer(x)
    target.set_global_buffer(y)
    for tile in range(plan.tiles):
        asc.data_copy(u, source[tile * 8 :], 8)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.data_copy(target[tile * 8 :], u, 8)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)


class TestP26Arguments:
    """Tiling that arrives as something else."""

    def test_swapped_arguments_are_refused_at_launch(self) -> None:
        """By type, position and name, before the kernel runs: what is annotated is the signature."""
        x = np.zeros(64, np.float32)
        with refused_at_launch(asc.UsageError, "tiled: argument 2 (y) must be an array", "it fits argument 3 (plan)"):
            tiled.launch(1, x, Plan(8), x.copy(), chip="demo")

    def test_without_annotations_the_line_that_uses_one_is_refused(self) -> None:
        """A struct that is to be an address; what the struct's own parameter got is named by its first use."""

        def body(x: Any, y: Any, ws: Any, tiling: Any) -> None:
            if tiling.tiles:
                asc.GlobalTensor().set_global_buffer(ws)

        x, k = np.zeros(64, np.float32), asc.kernel(body)
        with refused(asc.UsageError, "argument 4 (tiling) is an array", "has no tiles; pass a struct there"):
            k.launch(1, x, x, Plan(8), x, chip="demo")
        with refused(
            asc.UsageError, "set_global_buffer: buffer must be", "got argument 3 (ws), which is Plan(tiles=8); pass an "
        ):
            k.launch(1, x, x, Plan(8), Plan(8), chip="demo")

    @pytest.mark.parametrize(("tiles", "unwritten"), [(8, 0), (7, 32), (0, 256)])
    def test_loops_that_run_too_few_times_leave_bytes_that_are_counted(self, tiles: int, unwritten: int) -> None:
        """Of 256."""

        @asc.operator(reference=np.copy, inputs=1, dtypes=("float32",))
        def copy(x: Any, y: Any, blocks: int) -> asc.Program:
            return tiled.launch(blocks, x, y, Plan(tiles), chip="demo")

        outcome = copy.run(shape=(64,), dtype="float32", blocks=1)
        assert (outcome.unwritten, outcome.correct) == (unwritten, not unwritten)


@pytest.mark.parametrize("side", [96, 128, 160])
@pytest.mark.parametrize("kind", [asc.half, asc.float32])
def test_p28_every_tile_fits_or_is_refused_with_its_size(side: int, kind: Any) -> None:
    """Three square tiles and 8 KB of scratch: 3 x 128² float32 alone fill UB."""
    nbytes = side * side * kind.sizeof()

    def body() -> None:
        pipe = asc.TPipe()
        for _ in range(3):
            pipe.init_buffer(asc.TBuf(), nbytes)
        pipe.init_buffer(asc.TBuf(), 8192)

    if 3 * nbytes + 8192 <= 196_608:
        on_ub(body)
    else:
        stop = 3 * nbytes + 8192 if 3 * nbytes <= 196_608 else next(n * nbytes for n in (2, 3) if n * nbytes > 196_608)
        with refused(asc.CapacityError, f"init_buffer: UB overflow: requested {stop} B, capacity 196608 B on demo"):
            on_ub(body)


def test_u10_rules_are_on_unless_turned_off() -> None:
    """Alignment, overlap, positions and bounds have no switch; order has one."""
    ones = np.ones(64, np.float32)
    with refused(asc.AlignmentError, "byte offset 4"):
        on_ub(lambda a: asc.adds(a[1:], a[8:], 1, 8), ones)
    with refused(asc.OverlapError, "overlap in part"):
        on_ub(lambda a: asc.adds(a[8:], a, 1, 32), ones)
    with refused(asc.PositionError, "got a GlobalTensor"):
        on_gm(lambda g: asc.adds(g, g, 1, 8), ones)
    with refused(asc.OutOfBoundsError, "accesses elements [0, 72) of a view of 64"):
        on_gm(lambda g: asc.data_copy(local(asc.float32, 72), g, 72), ones)


@pytest.mark.parametrize("hazards", ["error", "warn", "off"])
def test_u11_looking_for_races_changes_no_result(hazards: str) -> None:
    """The same bits whether races are errors, findings or nothing."""
    x, y = np.arange(1000, dtype=np.float16), np.ones(1000, np.float16)
    z = np.zeros_like(x)
    with asc.defaults(chip="demo", hazards=hazards):
        program = OPERATORS["add"].host(x, y, z, 3)

    assert not program.findings
    assert np.array_equal(z, x + y)
