"""What people hand to @asc.kernel and to launches by mistake, or do while one runs."""

from __future__ import annotations

import linecache
import threading
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from kernels.add import add
from tests.block import local
from tests.refusals import refused_at_launch

F32 = np.float32


class TestKernelsThatRaiseMidway:
    """Nothing half-written goes unreported."""

    @pytest.mark.parametrize("error", [ZeroDivisionError, asc.UsageError])
    def test_a_note_says_that_outputs_are_partial(self, error: type[Exception]) -> None:
        """Block 0 has written, block 1 raises: whatever it raises passes through, with the note."""
        x = np.zeros(16, F32)

        @asc.kernel
        def halfway(x: Any) -> None:
            g = asc.GlobalTensor()
            g.set_global_buffer(x)
            if asc.get_block_idx() == 1:
                raise error
            g.set_value(0, 5)

        with pytest.raises(error) as caught:
            halfway.launch(2, x, chip="demo")

        assert x[0] == 5
        assert caught.value.__notes__ == [
            "in block 1 of 2 of kernel halfway on demo; "
            "its output arrays are partial: they hold what was written before"
        ]

    def test_the_next_launch_knows_nothing_of_it(self) -> None:
        """No state is left behind: there is no current core, and the same kernel runs."""

        @asc.kernel
        def sometimes(fails: int) -> None:
            local(asc.float32, 8)
            assert not fails

        with pytest.raises(AssertionError):
            sometimes.launch(3, 1, chip="demo")
        with pytest.raises(asc.UsageError, match="needs a running kernel"):
            asc.get_block_idx()
        assert len(sometimes.launch(3, 0, chip="demo").blocks) == 3


class TestTracebacks:
    """The kernel's line comes last."""

    def test_an_error_of_ours_ends_at_the_kernel_line(self) -> None:
        """Not at the line of ours that refuses."""

        def body() -> None:
            asc.add(1, 2, 3, 4)  # type: ignore[call-overload]

        with pytest.raises(asc.UsageError) as caught:
            asc.kernel(body)[1]()

        last = traceback.extract_tb(caught.tb)[-1]
        assert (last.filename, last.name, last.lineno) == (__file__, "body", body.__code__.co_firstlineno + 1)

    def test_an_error_below_a_device_function_ends_there(self) -> None:
        """Kernel, device function, and nothing after it."""

        @asc.kernel
        def inner() -> None:
            asc.set_flag(asc.HardEvent.MTE2_V, 99)

        def outer() -> None:
            inner()

        with pytest.raises(asc.EventError) as caught:
            asc.kernel(outer)[1]()

        names = [f.name for f in traceback.extract_tb(caught.tb)]
        assert (names[-1], names.index("outer") < names.index("inner")) == ("inner", True)


class TestCallsAmongKernels:
    """A kernel may call device functions, itself too, but launches nothing."""

    def test_a_launch_inside_a_kernel_is_refused(self) -> None:
        """By name, at the line."""

        @asc.kernel
        def inner() -> None: ...

        with refused_at_launch(asc.UsageError, "inner: a kernel cannot launch another; call it without [blocks]"):
            asc.kernel(lambda: (inner[1](), None))[1]()

    def test_device_functions_may_recurse(self) -> None:
        """A halving sum: 8 + 4 + 2 + 1 calls deep, exact."""
        x = np.arange(16, dtype=F32)

        @asc.kernel
        def total(g: asc.GlobalTensor, low: int, high: int) -> float:
            if high - low == 1:
                return float(g.get_value(low))
            middle = (low + high) // 2
            return total(g, low, middle) + total(g, middle, high)

        @asc.kernel
        def body(x: Any) -> None:
            g = asc.GlobalTensor()
            g.set_global_buffer(x)
            g.set_value(0, total(g, 0, 16))

        body.launch(1, x, chip="demo")
        assert x[0] == 120

    def test_endless_recursion_is_pythons_error_with_our_note(self) -> None:
        """And the next launch works."""

        @asc.kernel
        def endless(n: int) -> None:
            endless(n + 1)

        with pytest.raises(RecursionError) as caught:
            endless[1](0)

        assert caught.value.__notes__[0].startswith("in block 0 of 1 of kernel endless on ")
        assert len(asc.kernel(lambda: None)[2]().blocks) == 2


def _generator() -> Any:
    yield 1


async def _coroutine() -> None: ...


async def _asynchronous() -> Any:
    yield 1


class TestWhatIsNoKernel:
    """Refused where it is decorated, before anybody launches it."""

    @pytest.mark.parametrize("body", [_generator, _coroutine, _asynchronous], ids=lambda f: f.__name__)
    def test_functions_that_suspend(self, body: Callable[..., Any]) -> None:
        """Their body would never run."""
        with refused_at_launch(
            asc.UsageError,
            f"@kernel: {body.__name__} is a generator or coroutine; a kernel is a plain function",
        ):
            asc.kernel(body)

    @pytest.mark.parametrize("body", [3, "f", np.add, TestTracebacks])
    def test_what_is_no_function(self, body: Any) -> None:
        """Numbers, classes, built-in functions."""
        with refused_at_launch(asc.UsageError, "@kernel goes on a function, got "):
            asc.kernel(body)


FAULTY = "\n\ndef body():\n    asc.wait_flag(asc.HardEvent.MTE2_V, 0)\n"


class TestKernelsFromElsewhere:
    """Line numbers are right wherever the text of a kernel is."""

    def _where(self, file: str) -> tuple[str, str]:
        names: dict[str, Any] = {"asc": asc}
        exec(compile(FAULTY, file, "exec"), names)
        with pytest.raises(asc.EventError) as caught:
            asc.kernel(names["body"])[1]()
        return str(caught.value).splitlines()[-1], "".join(traceback.format_exception(caught.value))

    def test_a_string_has_lines_but_no_text(self) -> None:
        """As Python names it."""
        where, shown = self._where("<string>")

        assert where == "  at <string>:4 in body, block 0 of 1 of body"
        assert 'File "<string>", line 4, in body' in shown

    def test_a_notebook_cell_has_both(self) -> None:
        """Notebooks put the text of a cell where tracebacks find it."""
        cell = "<ipython-input-7-0123456789ab>"
        linecache.cache[cell] = (len(FAULTY), None, FAULTY.splitlines(keepends=True), cell)
        try:
            where, shown = self._where(cell)
        finally:
            del linecache.cache[cell]

        assert where == f"  at {cell}:4 in body, block 0 of 1 of body"
        assert f'File "{cell}", line 4, in body\n    asc.wait_flag(asc.HardEvent.MTE2_V, 0)\n' in shown

    def test_a_lambda_is_a_kernel(self) -> None:
        """It has a line, too."""
        with pytest.raises(asc.EventError, match=r"at test_bad_input\.py:\d+ in <lambda>, block 0 of 1 of <lambda>"):
            asc.kernel(lambda: asc.wait_flag(asc.HardEvent.MTE2_V, 0))[1]()


class TestThreads:
    """Launches of two threads do not see each other."""

    def test_results_and_programs_are_those_of_one_thread(self) -> None:
        """Two threads launch at once, on chips of their own, again and again."""
        alone = {chip: self._run(chip, 0) for chip in ("demo", "Ascend910B1")}
        together: dict[str, list[asc.Program]] = {chip: [] for chip in alone}
        start = threading.Barrier(2)

        def work(chip: str) -> None:
            start.wait()
            together[chip] += [self._run(chip, seed) for seed in range(6)]

        threads = [threading.Thread(target=work, args=(chip,)) for chip in alone]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        for chip, program in alone.items():
            assert [p.spec.name for p in together[chip]] == [chip] * 6
            assert all(p.blocks == program.blocks for p in together[chip])

    @staticmethod
    def _run(chip: str, seed: int) -> asc.Program:
        with asc.defaults(chip=chip):
            outcome = add.run(shape=(40, 1000), blocks=8, seed=seed)
        assert outcome.correct
        return outcome.program
