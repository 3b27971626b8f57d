"""The catalogue of tools, U04: printing and dumping inside kernels, and what else helps to see."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import local, on_gm, on_ub
from tests.refusals import refused

F32 = np.float32
Capture = pytest.CaptureFixture[str]
SHAPE = asc.ShapeInfo(2, [3, 8])


def lines_of(capsys: Capture) -> list[str]:
    """What was written, without the block and kernel line in front."""
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith("[block 0 of 1, test_looking.py:") for line in lines)
    return [line.partition("]")[2].removeprefix(" ") for line in lines]


class TestU04Dump:
    """u = 0 … 99, float32."""

    def dump(self, capsys: Capture, *args: Any, wait: bool = True) -> list[str]:
        def body(g: Any) -> None:
            u = local(asc.float32, 104)
            asc.data_copy(u, g, 104)
            if wait:
                asc.set_flag(asc.HardEvent.MTE2_V, 0)
                asc.wait_flag(asc.HardEvent.MTE2_V, 0)
            asc.dump_tensor(u, *args)

        on_gm(body, np.arange(104, dtype=F32))
        return lines_of(capsys)

    def test_a_short_last_row(self, capsys: Capture) -> None:
        """20 elements in rows of 8: 8, 8 and 4."""
        assert self.dump(capsys, 5, 20, SHAPE) == [
            "dump_tensor 5: 20 of u, LocalTensor(VECCALC float32 x104 at byte 0)",
            "0.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0",
            "8.0 9.0 10.0 11.0 12.0 13.0 14.0 15.0",
            "16.0 17.0 18.0 19.0",
        ]

    def test_nothing_is_an_empty_line(self, capsys: Capture) -> None:
        """Size 0."""
        assert self.dump(capsys, 0, 0, SHAPE)[1:] == [""]

    def test_rows_longer_than_the_dump(self, capsys: Capture) -> None:
        """One short row."""
        assert self.dump(capsys, 0, 3, asc.ShapeInfo(1, [64]))[1:] == ["0.0 1.0 2.0"]

    def test_a_pending_write_is_marked(self, capsys: Capture) -> None:
        """The load was issued, and nothing has waited for it."""
        title, *rows = self.dump(capsys, 5, 2, wait=False)

        assert title.endswith("; not yet synchronised: MTE2 may still be writing it")
        assert rows == ["0.0 1.0"]

    def test_more_than_there_is_is_refused(self) -> None:
        """Nothing is read past the end."""
        with refused(asc.OutOfBoundsError, "dump_tensor: 9 elements of a tensor of 8"):
            on_ub(lambda u: asc.dump_tensor(u, 0, 9), np.zeros(8, F32))

    def test_global_tensors_and_unknown_elements(self, capsys: Capture) -> None:
        """What nothing wrote is shown as such."""

        def body(g: Any) -> None:
            asc.dump_tensor(g, 1, 2)
            asc.dump_tensor(local(asc.half, 16), 2, 2)

        on_gm(body, np.arange(8, dtype=np.int32))

        assert lines_of(capsys) == [
            "dump_tensor 1: 2 of g, GlobalTensor(g, int32 x8 from byte 0)",
            "0 1",
            "dump_tensor 2: 2 of tensor, LocalTensor(VECCALC float16 x16 at byte 0)",
            "? ?",
        ]

    def test_python_prints_values_too(self, capsys: Capture) -> None:
        """A window of a tensor is its numbers."""
        on_ub(lambda u: print(u[:3]), np.arange(8, dtype=F32))

        assert capsys.readouterr().out == "[0. 1. 2.]\n"


@pytest.mark.parametrize("end", [asc.PipeID.PIPE_ALL, asc.PipeID.PIPE_V])
def test_only_a_barrier_of_all_pipes_ends_a_load(capsys: Capture, end: asc.PipeID) -> None:
    """One of the vector pipe says nothing about MTE2."""

    def body(g: Any) -> None:
        u = local(asc.float32, 8)
        asc.data_copy(u, g, 8)
        asc.pipe_barrier(end)
        asc.dump_tensor(u, 0, 1)

    on_gm(body, np.zeros(8, F32))

    assert ("not yet" in lines_of(capsys)[0]) is (end is asc.PipeID.PIPE_V)


def test_printf_is_as_in_c(capsys: Capture) -> None:
    """Sizes, widths, signs, pointers, percent; one line break more or less is no matter; each line has its place."""

    def body() -> None:
        asc.printf("%d|%5.2f|%-4s|%llu|%#x|%p|100%%\n", -3, 1.5, "a", 2**40, 255, 16)
        asc.printf("one\ntwo")

    on_ub(body)

    assert lines_of(capsys) == ["-3| 1.50|a   |1099511627776|0xff|0x10|100%", "one", "two"]


@pytest.mark.parametrize("args", [("%d",), ("%d", "x"), ("plain", 1)])
def test_printf_whose_arguments_do_not_fit(args: tuple[Any, ...]) -> None:
    """Too few, of the wrong kind, too many."""
    with refused(asc.UsageError, f"printf: {args[0]!r} does not fit its arguments {args[1:]!r}: "):
        on_ub(lambda: asc.printf(*args))


def test_trap_ends_the_kernel() -> None:
    """An error at its line."""
    with refused(asc.UsageError, "trap: the kernel stopped itself"):
        on_ub(lambda: asc.trap())  # noqa: PLW0108  the line must be in this file


def test_an_assertion_names_the_block_and_keeps_its_values() -> None:
    """Python's own, with a note."""

    def body(u: Any) -> None:
        size = len(u)
        assert size == 9, f"size is {size}"

    with pytest.raises(AssertionError, match="size is 8") as caught:
        on_ub(body, np.zeros(8, F32))

    assert caught.value.__notes__[0].startswith("in block 0 of 1 of kernel block on demo")


def test_looking_leaves_no_rows() -> None:
    """A kernel takes as long with it as without."""

    def body(g: Any) -> None:
        asc.printf("%d", 1)
        asc.dump_tensor(g, 0, 0)

    assert len(on_gm(body, np.zeros(8, F32))) == 0
