"""Launching: how many blocks, in which order, and what leaves a kernel that fails."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.refusals import refused, refused_at_launch

H = asc.half


@asc.kernel
def number(y: Any) -> None:
    """Each block writes its number and how many there are."""
    g = asc.GlobalTensor()
    g.set_global_buffer(y)
    g.set_value(2 * asc.get_block_idx(), asc.get_block_idx())
    g.set_value(2 * asc.get_block_idx() + 1, asc.get_block_num())


@asc.kernel
def nothing() -> None:
    """No instruction at all."""


class TestBlocks:
    """The number in brackets."""

    @pytest.mark.parametrize("blocks", [1, 5, np.int64(5)])
    def test_each_runs_once(self, blocks: Any) -> None:
        """Also more of them than the two cores of the demo chip."""
        y = np.full(10, -1, np.int32)
        program = number.launch(blocks, y, chip="demo", hazards="off")

        count = int(blocks)
        assert len(program.blocks) == count
        assert y.tolist() == [v for i in range(count) for v in (i, count)] + [-1] * (10 - 2 * count)

    def test_none_at_all(self) -> None:
        """A launch of no blocks does nothing, and says so in its program."""
        program = nothing[0]()

        assert len(program.blocks) == len(program) == 0

    @pytest.mark.parametrize("blocks", [-1, 65536])
    def test_out_of_range(self, blocks: int) -> None:
        """The message has the range."""
        with refused_at_launch(asc.UsageError, f"nothing[{blocks}]: the number of blocks must be 0 to 65535"):
            nothing[blocks]()

    @pytest.mark.parametrize("blocks", [2.0, "2", None, True, [2]])
    def test_no_whole_number(self, blocks: Any) -> None:
        """The message has the value."""
        with refused_at_launch(asc.UsageError, f"nothing[{blocks!r}]: the number of blocks must be a whole number"):
            nothing[blocks]()

    def test_a_stream_changes_nothing(self) -> None:
        """``kernel[blocks, stream]``."""
        assert len(nothing[3, object()]().blocks) == 3

    def test_blocks_that_do_not_wait_run_in_order(self) -> None:
        """At most as many as the chip has cores are alive, started in index order."""
        seen: list[int] = []

        @asc.kernel
        def body() -> None:
            seen.append(asc.get_block_idx())

        body.launch(7, chip="demo")

        assert seen == [0, 1, 2, 3, 4, 5, 6]

    def test_reading_global_memory_gives_the_turn_away(self) -> None:
        """The two residents of the demo chip take turns; the third starts when one has ended."""
        seen: list[tuple[int, int]] = []

        @asc.kernel
        def body(x: Any) -> None:
            g = asc.GlobalTensor()
            g.set_global_buffer(x)
            for step in range(2):
                seen.append((asc.get_block_idx(), step))
                g.get_value(0)

        body.launch(3, np.zeros(8, np.float32), chip="demo", hazards="off")

        assert seen == [(0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (2, 1)]


class TestCalling:
    """Kernels, device functions, and what is neither."""

    def test_a_kernel_outside_a_launch(self) -> None:
        """The message says how to launch it."""
        with refused_at_launch(asc.UsageError, "nothing: launch a kernel with its number of blocks, as nothing[8](…)"):
            nothing()

    def test_a_device_function(self) -> None:
        """A kernel calls another as a plain function; arguments and result pass through."""

        @asc.jit
        def twice(n: int, *, plus: int = 0) -> int:
            return 2 * n + plus

        seen: list[int] = []
        asc.kernel(lambda: seen.append(twice(4, plus=1)))[1]()

        assert seen == [9]

    def test_a_launch_inside_a_kernel(self) -> None:
        """Kernels do not launch kernels."""

        @asc.kernel
        def body() -> None:
            nothing[1]()

        with refused_at_launch(asc.UsageError, "nothing: a kernel cannot launch another; call it without [blocks]"):
            body[1]()

    def test_a_launch_works_again_after_a_failed_one(self) -> None:
        """Nothing is left behind."""

        @asc.kernel
        def fails() -> None:
            raise KeyError

        with pytest.raises(KeyError):
            fails[1]()

        assert len(nothing[1]().blocks) == 1
        with pytest.raises(asc.UsageError, match="needs a running kernel"):
            asc.get_block_idx()

    @pytest.mark.parametrize(
        "call",
        [
            asc.get_block_idx,
            asc.get_block_num,
            asc.TPipe,
            asc.get_tpipe_ptr,
            lambda: asc.TQue(asc.TPosition.VECIN, 1),
            lambda: asc.TBuf(asc.TPosition.VECCALC),
            lambda: asc.LocalTensor(H),
            lambda: asc.GlobalTensor().set_global_buffer(None),  # type: ignore[arg-type]
            lambda: asc.add(None, None, None, 1),  # type: ignore[call-overload]
            lambda: asc.duplicate(None, 1, 1),  # type: ignore[call-overload]
            lambda: asc.data_copy(None, None, 1),  # type: ignore[call-overload]
            lambda: asc.data_copy_pad(None, None, None),  # type: ignore[call-overload]
            lambda: asc.set_flag(asc.HardEvent.MTE2_V, 0),
            lambda: asc.pipe_barrier(asc.PipeID.PIPE_V),
            lambda: asc.set_pad_value(0),
        ],
    )
    def test_no_call_of_the_language_works_outside_a_kernel(self, call: Any) -> None:
        """None is a silent no-op."""
        with pytest.raises(
            asc.UsageError, match=r"^this call needs a running kernel: put it into a function under @asc"
        ):
            call()

    def test_what_cannot_be_a_kernel(self) -> None:
        """Generators, coroutines, classes, values."""

        def generator() -> Iterator[int]:
            yield 1

        async def coroutine() -> None: ...

        for body in (generator, coroutine):
            with refused_at_launch(asc.UsageError, f"@kernel: {body.__name__} is a generator or coroutine", "plain"):
                asc.kernel(body)
        for thing in (int, 5, nothing):
            with refused_at_launch(asc.UsageError, f"@kernel goes on a function, got {thing!r}"):
                asc.kernel(thing)  # type: ignore[call-overload]

    def test_the_decorator_takes_a_compilers_keywords(self) -> None:
        """They have no meaning here; name, text and signature stay the function's."""

        @asc.jit(kernel_type=asc.KernelType.AIV_ONLY, opt_level=3, always_compile=True)
        def body(n: int) -> None:
            """Text."""

        assert (body.__name__, body.__doc__, str(inspect.signature(body))) == ("body", "Text.", "(n: 'int') -> 'None'")
        assert len(body[2](1).blocks) == 2


class TestFailing:
    """An exception in a kernel."""

    def test_it_keeps_its_type_and_traceback_and_gets_a_note(self) -> None:
        """Block, kernel and chip are in the note; the innermost line is the kernel's."""

        @asc.kernel
        def body() -> None:
            if asc.get_block_idx() == 2:
                "kernel".index("!")

        with pytest.raises(ValueError, match="substring not found") as caught:
            body.launch(4, chip="demo")

        assert caught.value.__notes__ == [
            "in block 2 of 4 of kernel body on demo; its output arrays are partial: they hold what was written before"
        ]
        assert caught.traceback[-1].lineno + 1 == body.body.__code__.co_firstlineno + 3

    def test_what_was_written_before_is_there(self) -> None:
        """Earlier blocks, and earlier lines."""
        y = np.full(6, -1, np.int32)

        @asc.kernel
        def body(y: Any) -> None:
            g = asc.GlobalTensor()
            g.set_global_buffer(y)
            g.set_value(asc.get_block_idx(), 1)
            assert asc.get_block_idx() < 3

        with pytest.raises(AssertionError):
            body.launch(6, y, chip="demo", hazards="off")

        assert y.tolist() == [1, 1, 1, 1, -1, -1]

    def test_it_stops_an_interrupt_too(self) -> None:
        """Ctrl-C in a kernel ends the launch and is passed on; the next launch works."""

        @asc.kernel
        def body() -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            body[2]()

        assert len(nothing[1]().blocks) == 1


def test_polling_ends_when_the_writer_is_late() -> None:
    """A block that waits for one not yet resident is a deadlock here as on the chip."""

    @asc.kernel
    def body(x: Any) -> None:
        g = asc.GlobalTensor()
        g.set_global_buffer(x)
        if asc.get_block_idx() == 2:
            g.set_value(0, 1)
        while g.get_value(0) == 0:
            pass

    with refused(asc.DeadlockError, "get_value: this block polls global memory, and no block will write it any more"):
        body.launch(3, np.zeros(8, np.float32), chip="demo", hazards="off")
    body.launch(3, np.zeros(8, np.float32), chip="Ascend910B1", hazards="off")
