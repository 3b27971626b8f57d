"""The catalogue of what people ask of tools: U01, U02, U03, U06, U09 and U13."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from profiler import profile
from simulator import simulate
from tests.block import local, on_gm, on_ub
from tests.refusals import refused, refused_at_launch

F32 = np.float32
ROOT = Path(__file__).parents[2]


def _misaligned() -> None:
    on_ub(lambda x, z: asc.add(z, x[5:], x, 64), *[np.zeros(256, F32)] * 2)


def _too_many_repeats() -> None:
    on_ub(lambda x: asc.muls(x, x, 2.0, 64, 313, asc.UnaryRepeatParams()), np.zeros(64, F32))


def _too_large() -> None:
    def body(x: Any) -> None:
        asc.TPipe().init_buffer(asc.TQue(asc.TPosition.VECIN, 1), 2, 100_000)

    on_gm(body, np.zeros(8, F32))


def _out_of_bounds() -> None:
    on_gm(lambda x: asc.data_copy(local(asc.float32, 4096), x, 4096), np.zeros(2048, F32))


class TestU01EveryCauseHasItsOwnMessage:
    """No two mistakes end in the same number."""

    @pytest.mark.parametrize(
        ("mistake", "error", "parts"),
        [
            (_misaligned, asc.AlignmentError, ("src0 of add", "byte offset 20")),
            (_too_many_repeats, asc.RangeError, ("muls", "313", "255")),
            (_too_large, asc.CapacityError, ("init_buffer", "200000 B", "196608 B")),
            (_out_of_bounds, asc.OutOfBoundsError, ("data_copy", "4096", "2048", "argument x")),
        ],
        ids=lambda v: getattr(v, "__name__", None),
    )
    def test_class_values_and_line(self, mistake: Any, error: Any, parts: tuple[str, ...]) -> None:
        """What is wrong, with the numbers, where."""
        with refused(error, *parts):
            mistake()

    def test_the_block_is_in_a_note_and_outputs_keep_what_was_written(self) -> None:
        """The traceback ends with block, kernel and chip."""
        with pytest.raises(asc.OutOfBoundsError) as caught:
            _out_of_bounds()

        (note,) = caught.value.__notes__
        assert note.startswith("in block 0 of 1 of kernel <lambda> on demo")


class TestU02Arguments:
    """A missing argument is named before anything runs."""

    def test_none_is_no_array(self) -> None:
        """``b`` is None."""

        def body(a: Any, b: Any, c: Any) -> None:
            del a, b, c

        with refused_at_launch(asc.UsageError, "body: argument 2 (b) is None; pass an array or a number"):
            asc.kernel(body)[8](np.zeros(8, F32), None, np.zeros(8, F32))

    def test_the_nearest_array_is_named(self) -> None:
        """Out of bounds gives argument, view and range."""
        with refused(asc.OutOfBoundsError, "view of 2048 x float32 on argument x (elements [0, 2048) of 2048)"):
            _out_of_bounds()


class TestU03Hangs:
    """What would hang on the chip ends at once here, and says who waits for what."""

    def test_a_wait_nobody_ends(self) -> None:
        """The message has pipe, event and id."""
        with refused(asc.EventError, "V would wait forever for MTE2_V id 0"):
            on_gm(lambda x: asc.wait_flag(asc.HardEvent.MTE2_V, 0), np.zeros(8, F32))

    def test_polling_that_nobody_ends(self) -> None:
        """Both blocks poll for a value that neither writes."""

        @asc.kernel
        def body(x: Any) -> None:
            g = asc.GlobalTensor()
            g.set_global_buffer(x)
            while g.get_value(0) == 0:
                pass

        with refused(asc.DeadlockError, "get_value", "polls global memory", "no block will write it"):
            body.launch(2, np.zeros(8, F32), chip="demo", hazards="off")

    def test_polling_that_another_block_ends(self) -> None:
        """Block 0 sees what block 1 writes, although it starts first."""
        x = np.zeros(16, F32)

        @asc.kernel
        def body(x: Any) -> None:
            g = asc.GlobalTensor()
            g.set_global_buffer(x)
            if asc.get_block_idx() == 1:
                g.set_value(0, 5)
            else:
                while g.get_value(0) == 0:
                    pass
                g.set_value(8, g.get_value(0) + 1)

        body.launch(2, x, chip="demo", hazards="off")

        assert (x[0], x[8]) == (5, 6)


class TestU06AnyMachine:
    """Nothing but Python packages is needed."""

    def test_an_operator_runs_without_any_environment(self, tmp_path: Path) -> None:
        """An empty environment, another directory, the project's own add, in seconds."""
        script = (
            f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
            "import numpy as np\n"
            "from kernels.add import add\n"
            "outcome = add.run(shape=(8, 2048), blocks=8)\n"
            "print(outcome.correct, len(outcome.program.blocks))\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", script], env={}, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
        )

        assert done.stdout.split() == ["True", "8"]


@asc.kernel
def _half_done(x: Any, y: Any) -> None:
    """y = x, but for the last block, which returns early."""
    block = asc.get_block_idx()
    if block == asc.get_block_num() - 1:
        return
    source, target = asc.GlobalTensor(), asc.GlobalTensor()
    source.set_global_buffer(x + 16 * block, 16)
    target.set_global_buffer(y + 16 * block, 16)
    u = local(asc.half, 16)
    asc.data_copy(u, source, 16)
    asc.set_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.wait_flag(asc.HardEvent.MTE2_MTE3, 0)
    asc.data_copy(target, u, 16)


class TestU09Unwritten:
    """Outputs that a kernel leaves out are seen."""

    @pytest.mark.parametrize(("blocks", "unwritten"), [(4, 32), (1, 128), (5, 0)])
    def test_bytes_nobody_wrote_are_counted(self, blocks: int, unwritten: int) -> None:
        """The last block of four leaves 32 bytes, one alone all 128; four of five do everything."""

        @asc.operator(reference=np.copy, inputs=1)
        def copy(x: Any, y: Any, blocks: int) -> asc.Program:
            return _half_done.launch(blocks, x, y, chip="demo")

        outcome = copy.run(shape=(64,), blocks=blocks)

        assert outcome.unwritten == unwritten
        assert outcome.correct is (not unwritten)
        assert outcome.mismatches == unwritten // 2

    def test_a_launch_returns_when_all_is_written(self) -> None:
        """No stream to wait for."""
        x, y = np.arange(64).astype(np.float16), np.zeros(64, np.float16)
        _half_done[5, "any stream"](x, y)

        assert np.array_equal(x, y)


class TestU13Units:
    """Nobody divides by the wrong clock: cycles of the core and µs stand side by side."""

    def test_a_busy_loop_of_two_microseconds(self) -> None:
        """925 scalar instructions of 4 cycles at 1850 MHz are 3700 cycles, 2 µs, 100 ticks of the 50 MHz counter."""
        passed: list[Any] = []

        @asc.kernel
        def busy() -> None:
            begin = asc.get_system_cycle()
            for _ in range(924):
                asc.reset_mask()
            passed.append(asc.get_system_cycle() - begin)

        timeline = simulate(busy.launch(1, chip="Ascend910B1"))

        first, last = timeline.stamps
        assert last.cycles - first.cycles == 2 * 1850
        assert timeline.stamps.ticks(passed[0]) == last.ticks - first.ticks == 2 * 50

    def test_every_report_has_both(self) -> None:
        """As text, as numbers and in the trace."""

        @asc.kernel
        def busy() -> None:
            for _ in range(925):
                asc.reset_mask()

        report = profile(simulate(busy.launch(1, chip="Ascend910B1")))
        file = io.BytesIO()
        report.trace().write(file)

        assert (report.cycles, report.core_us) == (3698, pytest.approx(3698 / 1850))
        assert "\n3,698 cycles = 2.00 us, + launch " in report.text()
        for said in (report.as_dict(), json.loads(file.getvalue())["otherData"]):
            assert (said["cycles"], said["core_us"]) == (report.cycles, report.core_us)
