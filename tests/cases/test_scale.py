"""The catalogue of what people ask of tools: U07 and U08, long launches and what they leave behind."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from ascendc.language.hazards import hazards
from kernels.add import add_kernel
from kernels.tiling import Tiling
from kernels.transfer import copy_in, copy_out, window
from profiler import Report, Trace, profile
from simulator import simulate
from tests.profiler.test_trace import bound, slices

SILU_SECONDS = 2
MILLION_SECONDS = 180


def seconds(work: Callable[[], Any]) -> tuple[float, Any]:
    """Of this process, whatever else the machine does; and what came of it."""
    begin = time.process_time()
    result = work()
    return time.process_time() - begin, result


def add_tiles(blocks: int, tiles: int, **options: Any) -> asc.Program:
    """Add so many tiles of 64 halves in every block."""
    x = np.ones(blocks * tiles * 64, np.float16)
    return add_kernel.launch(blocks, x, x, np.empty_like(x), Tiling(len(x), tiles * 64, 64), **options)


@asc.kernel
def silu_kernel(x: asc.GlobalAddress, y: asc.GlobalAddress, rows: int, columns: int) -> None:
    """y = x / (1 + e^−x), a row at a time."""
    source, target = window(x, 0, rows * columns), window(y, 0, rows * columns)
    pipe = asc.TPipe()
    inputs, outputs = asc.TQue(asc.TPosition.VECIN, 1), asc.TQue(asc.TPosition.VECOUT, 1)
    for queue in (inputs, outputs):
        pipe.init_buffer(queue, 2, columns * x.dtype.sizeof())
    for row in range(rows):
        copy_in(inputs, source[row * columns :], columns)
        tile, result = inputs.deque(x.dtype), outputs.alloc_tensor(x.dtype)
        asc.muls(result, tile, -1, columns)
        asc.exp(result, result, columns)
        asc.adds(result, result, 1, columns)
        asc.div(result, tile, result, columns)
        outputs.enque(result)
        inputs.free_tensor(tile)
        copy_out(target[row * columns :], outputs, columns)


class TestU07Slow:
    """Values, hazards and cycles of a kernel while one waits."""

    def test_silu_of_128_rows_takes_less_than_two_seconds(self, capfd: pytest.CaptureFixture[str]) -> None:
        """(128, 4096) halves, right to a few of the last bits that four roundings cost; nothing is printed."""
        x = np.random.default_rng(7).standard_normal((128, 4096)).astype(np.float16)
        y = np.empty_like(x)

        took, timeline = seconds(lambda: simulate(silu_kernel[1](x, y, 128, 4096)))

        wide = x.astype(np.float64)
        np.testing.assert_allclose(y, wide / (1 + np.exp(-wide)), rtol=4 * 2**-11, atol=2**-24)
        assert timeline.cycles > 128 * 4 * 4096 // 128
        assert took < SILU_SECONDS
        assert capfd.readouterr() == ("", "")

    @pytest.mark.slow
    def test_a_million_instructions_take_minutes_at_most(self, capfd: pytest.CaptureFixture[str]) -> None:
        """A loop in one block: functional, hazard and timing pass together, in silence."""
        running, program = seconds(lambda: add_tiles(1, 61_000, hazards="off"))
        looking, found = seconds(lambda: list(hazards(program)))
        counting, timeline = seconds(lambda: simulate(program))

        assert len(timeline) == len(program) > 10**6
        assert found == []
        assert running + looking + counting < MILLION_SECONDS
        assert capfd.readouterr() == ("", "")

    def test_a_script_may_ask_how_far_the_passes_are(self) -> None:
        """The way to a progress line of one's own; at the end, all is done."""
        passes: list[tuple[str, Callable[[], tuple[int, int | None]]]] = []
        counted: list[tuple[int, int]] = []

        with asc.observe(on_pass=lambda *begun: passes.append(begun)):
            program = add_tiles(2, 10)
        simulate(program, progress=lambda *n: counted.append(n))

        assert [what for what, _ in passes] == ["running blocks", "looking for hazards"]
        assert passes[0][1]() == (len(program), len(program))
        assert counted[-1] == (len(program), len(program))


class TestU08LargeTraces:
    """A file that a viewer opens, whatever the launch; what it lacks it says."""

    def check(self, report: Report, trace: Trace, limit_bytes: float) -> dict[str, Any]:
        """The rules of viewers, and that every span is in the file or said not to be; what the file says of itself."""
        file = io.BytesIO()
        trace.write(file)
        assert len(file.getvalue()) <= limit_bytes
        whole = json.loads(file.getvalue())
        about: dict[str, Any] = whole["otherData"]
        assert about["slices"] + about["left_out"] == len(report.timeline)
        assert len(slices(whole["traceEvents"])) == about["slices"] + len(trace.left_out)
        reach: dict[tuple[int, int], int] = {}
        for pid, tid, start, stop, _ in sorted(slices(whole["traceEvents"])):
            if pid <= len(report.timeline.core_kinds):
                assert reach.get((pid, tid), 0) <= start <= stop
                reach[pid, tid] = stop
        assert all(
            flag.split(" ")[0] in {"enque", "free_tensor"} and wait.split(" ")[0] in {"deque", "alloc_tensor"}
            for flag, wait in bound(whole["traceEvents"])
        )
        return about

    @pytest.mark.slow
    def test_48_cores_of_1000_tiles_are_at_most_50_megabytes(self) -> None:
        """By default; two cores of them are two out of 48, whole."""
        report = profile(simulate(add_tiles(48, 1000)))

        about = self.check(report, report.trace(), 50e6)
        assert [phrase.partition(" spans of ")[2].split(" ")[0] for phrase in about["left_out_why"]] == [
            "flags,",
            "cores",
        ]
        assert about["slices"] > len(report.timeline) / 3
        two = self.check(report, report.trace(cores=[0, 47]), 5e6)
        assert two["slices"] == len(report.timeline) // 24

    @pytest.mark.parametrize("limit_mb", [0.05, 0.2, 0.35, 50])
    def test_a_smaller_launch_with_a_smaller_limit(self, limit_mb: float) -> None:
        """The same rules; from all of it down to a part of one core."""
        report = profile(simulate(add_tiles(8, 30)))

        about = self.check(report, report.trace(limit_mb=limit_mb), limit_mb * 1e6)

        assert bool(about["left_out"]) is (limit_mb < 50)

    def test_cores_and_a_window(self) -> None:
        """Filters; the numbers of what was not asked for add up."""
        report = profile(simulate(add_tiles(4, 20)))
        timeline = report.timeline

        about = self.check(report, report.trace(cores=[1], window=(0, 1000)), 50e6)

        inside = (timeline.core == 1) & (np.minimum(timeline.ready, timeline.start) < 1000)
        assert 0 < about["slices"] <= inside.sum() < len(timeline)
