"""The catalogue of performance cases that element-wise kernels can show: R02, R03, R04, R08, R12, R15, R16."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from kernels import OPERATORS
from kernels.elementwise import elementwise_kernel
from kernels.tiling import split
from profiler import Report, profile
from simulator import simulate
from simulator.timeline import Timeline

VECIN, VECOUT = asc.TPosition.VECIN, asc.TPosition.VECOUT
F16 = np.float16


class TestR02OneCoreAgainstAll:
    """8192 x 8192 float16. Published: 6909.6 us on one core in 8 KB tiles, 268.5 us on 48 in 32 KB tiles: 25.7 to 1."""

    @staticmethod
    @cache
    def reports() -> list[Report]:
        x, y = (np.zeros((8192, 8192), F16) for _ in "xy")
        with asc.defaults(chip="Ascend910B1"):
            steps = (("add_one_core", 1), ("add_32k", 48))
            return [profile(simulate(OPERATORS[name].host(x, y, np.empty_like(x), n))) for name, n in steps]

    def test_48_cores_are_18_to_40_times_as_fast(self) -> None:
        """And not 48 times, because they share the memory."""
        one, all_of_them = self.reports()

        assert 18 <= one.task_us / all_of_them.task_us <= 40

    def test_the_bottleneck_moves_from_the_core_to_the_memory(self) -> None:
        """One core waits for its own transfers; 48 fill the HBM."""
        one, all_of_them = self.reports()

        assert str(one.verdict).startswith("latency bound")
        assert str(all_of_them.verdict).startswith("memory bound: MTE2 fills HBM")


class TestR03SmallTransfers:
    """A sixteenth of the 12288 x 12288 float16 matrix, only read."""

    @staticmethod
    def read(rows: int, columns: int) -> Timeline:
        height, pitch = 768, 12_288

        @asc.kernel
        def kernel(matrix: asc.GlobalAddress) -> None:
            source = asc.GlobalTensor()
            source.set_global_buffer(matrix)
            tile = asc.LocalTensor(matrix.dtype, VECIN, 0, rows * columns)
            strip = asc.DataCopyExtParams(rows, columns * 2, (pitch - columns) * 2, 0)
            across = pitch // columns
            each = height // rows * across // asc.get_block_num()
            for number in range(asc.get_block_idx() * each, (asc.get_block_idx() + 1) * each):
                row, column = divmod(number, across)
                asc.data_copy_pad(tile, source[row * rows * pitch + column * columns :], strip)

        with asc.defaults(chip="Ascend910B1", hazards="off"):  # nobody reads the tile: it is overwritten at once
            return simulate(kernel[48](np.zeros((height, pitch), F16)))

    def test_time_falls_with_the_bytes_of_a_transfer(self) -> None:
        """128 B, 8 KB and 128 KB: monotone, and the smallest is 1.8 to 4 times as slow as the largest."""
        tiny, small, large = (profile(self.read(*tile)) for tile in ((1, 64), (64, 64), (64, 1024)))

        assert tiny.task_us > small.task_us > large.task_us
        assert 1.8 <= tiny.task_us / large.task_us <= 4
        assert [r.pipes["MTE2"].instructions for r in (tiny, small, large)] == [147_456, 2304, 144]


class TestR04DoubleBuffer:
    """Copy in, compute and copy out take 612 cycles each for a tile of 32 KB on the demo chip.

    A copy: 100 cycles of latency, and 32,768 B at 64 B a cycle.  Computing: one ``div`` of 128 repeats, 10 + 4·128
    cycles, and one ``adds`` of 80 repeats, 10 + 80.
    """

    TILE = 16_384

    def cycles(self, tiles: int, *, buffers: int, divisions: int = 1, in_turn: bool = False) -> int:
        @asc.kernel
        def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress) -> None:
            xs, zs = asc.GlobalTensor(), asc.GlobalTensor()
            xs.set_global_buffer(x)
            zs.set_global_buffer(z)
            pipe, queue_in, queue_out = asc.TPipe(), asc.TQue(VECIN, 1), asc.TQue(VECOUT, 1)
            for queue in (queue_in, queue_out):
                pipe.init_buffer(queue, buffers, self.TILE * 2)
            for at in range(0, tiles * self.TILE, self.TILE):
                a = queue_in.alloc_tensor(x.dtype)
                asc.data_copy(a, xs[at:], self.TILE)
                queue_in.enque(a)
                a, b = queue_in.deque(x.dtype), queue_out.alloc_tensor(x.dtype)
                for _ in range(divisions):
                    asc.div(b, a, a, self.TILE)
                asc.adds(b, a, 1, 80 * 128)
                queue_out.enque(b)
                queue_in.free_tensor(a)
                b = queue_out.deque(x.dtype)
                asc.data_copy(zs[at:], b, self.TILE)
                queue_out.free_tensor(b)
                if in_turn:
                    asc.pipe_barrier(asc.PipeID.PIPE_ALL)

        x = np.ones(tiles * self.TILE, F16)
        return simulate(kernel.launch(1, x, np.empty_like(x), chip="demo")).cycles

    def test_one_stage_after_another_takes_three_times_eight(self) -> None:
        """24 · 612 = 14,688 cycles, and a few for queue calls."""
        assert self.cycles(8, buffers=1, in_turn=True) == pytest.approx(14_688, rel=0.02)

    def test_two_buffers_make_a_pipeline_2_4_times_as_fast(self) -> None:
        """(8 + 2) · 612 cycles in place of 24 · 612."""
        ratio = self.cycles(8, buffers=1, in_turn=True) / self.cycles(8, buffers=2)

        assert ratio == pytest.approx(2.4, rel=0.05)

    def test_one_buffer_per_queue_still_stores_while_it_loads(self) -> None:
        """The next load only waits for the computing: (1 + 2 · 8) · 612 cycles."""
        assert self.cycles(8, buffers=1) == pytest.approx(17 * 612, rel=0.03)

    def test_one_tile_gains_nothing(self) -> None:
        """There is nothing to overlap with."""
        assert self.cycles(1, buffers=2) == self.cycles(1, buffers=1)

    def test_where_computing_takes_ten_times_as_long_little_is_gained(self) -> None:
        """12 divisions and the addition are 10.4 stages: 8 · 12.4 against 2 + 8 · 10.4."""
        ratio = self.cycles(8, buffers=1, divisions=12, in_turn=True) / self.cycles(8, buffers=2, divisions=12)

        assert ratio == pytest.approx(1.17, rel=0.02)


class TestR08OneStridedCopy:
    """The first 2 KB of 16 rows of 16 KB, float32."""

    @staticmethod
    def gather(copy: Callable[[asc.LocalTensor, asc.GlobalTensor], None]) -> tuple[Any, Timeline]:
        @asc.kernel
        def kernel(g: asc.GlobalAddress, z: asc.GlobalAddress) -> None:
            source, target = asc.GlobalTensor(), asc.GlobalTensor()
            source.set_global_buffer(g)
            target.set_global_buffer(z)
            tile = asc.LocalTensor(g.dtype, VECIN, 0, 8192)
            copy(tile, source)
            asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
            asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
            asc.data_copy(target, tile, 8192)

        g, z = np.arange(16 * 4096, dtype=np.float32).reshape(16, 4096), np.empty((16, 512), np.float32)
        program = kernel.launch(1, g, z, chip="Ascend910B1")
        assert np.array_equal(z, g[:, :512])
        return z, simulate(program)

    def test_one_copy_of_sixteen_rows_is_never_slower_than_sixteen(self) -> None:
        """Same data; MTE2 gets one instruction in place of sixteen."""

        def rows(tile: asc.LocalTensor, source: asc.GlobalTensor) -> None:
            for i in range(16):
                asc.data_copy(tile[i * 512 :], source[i * 4096 :], 512)

        def strided(tile: asc.LocalTensor, source: asc.GlobalTensor) -> None:
            asc.data_copy(tile, source, asc.DataCopyParams(16, 64, 448, 0))

        (many, slow), (one, fast) = self.gather(rows), self.gather(strided)

        assert np.array_equal(many, one)
        assert [profile(t).pipes["MTE2"].instructions for t in (slow, fast)] == [16, 1]
        assert fast.cycles <= slow.cycles


class TestR12Imbalance:
    """25 equal tasks on 20 cores."""

    @staticmethod
    def work(tasks: int) -> Report:
        @asc.kernel
        def kernel() -> None:
            tile = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 8192)
            for _ in range(asc.get_block_idx(), tasks, asc.get_block_num()):
                for _ in range(40):
                    asc.duplicate(tile, 1.0, 8192)

        return profile(simulate(kernel.launch(20, chip="Ascend910B1")))

    def test_five_tasks_too_many_take_a_second_round(self) -> None:
        """Twice the time of 20 tasks; cores are busy for 62.5 % of it; the slowest works 1.6 times the mean."""
        even, uneven = self.work(20), self.work(25)
        use = uneven.cores["aiv"]

        assert uneven.cycles / even.cycles == pytest.approx(2, rel=0.02)
        assert use.mean_cycles / uneven.cycles == pytest.approx(0.625, rel=0.02)
        assert use.max_cycles / use.mean_cycles == pytest.approx(1.6, rel=0.02)
        assert uneven.advice.id in {"ASC-GRID-002", "ASC-GRID-003"}


class TestR15ManyBlocks:
    """10,000,000 float16 in blocks of 4096: 2442 of them, on 40 vector cores."""

    BLOCK = 4096

    def add_one(self, blocks: int) -> tuple[Any, Timeline]:
        @asc.kernel
        def kernel(x: asc.GlobalAddress) -> None:
            target = asc.GlobalTensor()
            target.set_global_buffer(x)
            tile = asc.LocalTensor(x.dtype, VECIN, 0, self.BLOCK)
            for number in range(asc.get_block_idx(), asc.ceildiv(len(target), self.BLOCK), asc.get_block_num()):
                start = number * self.BLOCK
                row = asc.DataCopyExtParams(1, min(self.BLOCK, len(target) - start) * 2)
                asc.data_copy_pad(tile, target[start:], row, asc.DataCopyPadExtParams())
                asc.set_flag(asc.HardEvent.MTE2_V, 0)
                asc.wait_flag(asc.HardEvent.MTE2_V, 0)
                asc.adds(tile, tile, 1, row.block_len // 2)
                asc.set_flag(asc.HardEvent.V_MTE3, 0)
                asc.wait_flag(asc.HardEvent.V_MTE3, 0)
                asc.data_copy_pad(target[start:], tile, row)
                asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
                asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)

        x = np.zeros(10_000_000, F16)
        return x, simulate(kernel.launch(blocks, x, chip="Ascend910B3"))

    def test_every_block_runs_once_and_each_wave_costs_a_start(self) -> None:
        """Each element is 1, not 2; between two blocks of a core lies at least the price of starting one."""
        x, timeline = self.add_one(2442)
        mine = timeline.core == 0
        blocks = np.unique(timeline.block[mine])
        ends = [int(timeline.stop[mine & (timeline.block == b)].max()) for b in blocks]
        starts = [int(timeline.start[mine & (timeline.block == b)].min()) for b in blocks]

        assert np.array_equal(x, np.ones_like(x))
        assert len(np.unique(timeline.block)) == 2442
        assert len(blocks) in (61, 62)
        assert all(b - a >= timeline.spec.launch.block_cycles for a, b in zip(ends, starts[1:], strict=False))

    def test_a_loop_over_the_blocks_is_faster_than_launching_them(self) -> None:
        """40 blocks that loop do the same without 2402 starts."""
        launched, looped = self.add_one(2442), self.add_one(40)

        assert np.array_equal(launched[0], looped[0])
        assert looped[1].cycles < launched[1].cycles


class TestR16Fusion:
    """exp, then abs, of 48 x 65536 float16."""

    def test_two_instructions_in_one_kernel_move_half_the_bytes(self) -> None:
        """2·N bytes in place of 4·N, the same result, and half the time, unless the L2 kept what lay between."""

        def exp_abs(dst: asc.LocalTensor, src: asc.LocalTensor, count: int) -> None:
            asc.exp(dst, src, count)
            asc.abs(dst, dst, count)

        x = np.random.default_rng(0).standard_normal((48, 65_536), np.float32).astype(F16)
        between, apart, fused = (np.empty_like(x) for _ in range(3))
        with asc.defaults(chip="Ascend910B1"):
            two = [OPERATORS["exp"].host(x, between, 48), OPERATORS["abs"].host(between, apart, 48)]
            one = elementwise_kernel[48](exp_abs, split(x, 48, buffers=4), x, z=fused)
        apart_cycles, warm_cycles = (sum(t.cycles for t in each) for each in (map(simulate, two), simulate(two)))
        timeline = simulate(one)

        assert np.array_equal(apart, fused)
        assert moved(timeline) == 2 * x.nbytes
        assert sum(moved(t) for t in simulate(two)) == 4 * x.nbytes
        assert apart_cycles / timeline.cycles == pytest.approx(2, rel=0.1)
        assert 1.2 < warm_cycles / timeline.cycles < apart_cycles / timeline.cycles


def moved(timeline: Timeline) -> int:
    """Bytes that went from or to global memory."""
    return int(np.array([label.nbytes for label in timeline.labels])[timeline.label].sum())
