"""Where the arrays of a launch lie in global memory, and arithmetic with their addresses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.foreign_arrays import DLPackOnly, InterfaceOnly


@asc.kernel
def increment(x: Any, y: Any) -> None:
    """y[0] = x[0] + 1."""
    source, target = asc.GlobalTensor(), asc.GlobalTensor()
    source.set_global_buffer(x)
    target.set_global_buffer(y)
    target.set_value(0, source.get_value(0) + 1)


def launch(*args: Any, **kwargs: Any) -> asc.Program:
    return increment.launch(1, *args, chip="demo", hazards="off", **kwargs)


class TestPlaces:
    """Where arrays lie in global memory."""

    def test_arrays_start_at_cache_lines_in_order_of_the_arguments(self) -> None:
        """512 bytes each, whatever their size."""
        x, y = np.zeros(100, np.float32), np.zeros(1000, np.float32)
        program = launch(x, y)

        assert [(a.name, a.address, a.nbytes, a.shape) for a in program.arrays] == [
            ("x", 0, 400, (100,)),
            ("y", 512, 4000, (1000,)),
        ]

    def test_arrays_that_share_memory_share_it_in_the_launch(self) -> None:
        """Two windows on one buffer: their addresses differ as on the host, and writes are seen."""
        whole = np.zeros(64, np.float32)
        program = launch(whole[:32], whole[16:48])
        first, second = program.arrays

        assert (second.address - first.address, second.offset) == (64, 64)
        assert first.buffer == second.buffer
        assert whole[16] == 1

    @pytest.mark.parametrize("wrap", [np.asarray, DLPackOnly, InterfaceOnly])
    def test_windows_share_memory_whatever_library_made_them(self, wrap: Any) -> None:
        """Windows of bytes 0 to 128, 64 to 192 and 320 to 384 of a buffer: the first two meet, the third is apart."""
        whole = bytearray(512)
        x, y, z = (wrap(np.frombuffer(whole, np.float32, n, at)) for at, n in ((0, 32), (64, 32), (320, 16)))

        @asc.kernel
        def body(y: Any, z: Any, x: Any) -> None:
            """Nothing but its arguments matters."""

        later, apart, first = body[1](y, z, x).arrays

        assert (first.address, later.address, apart.address) == (0, 64, 512)
        assert (first.offset, later.offset, apart.offset) == (0, 64, 0)
        assert first.buffer == later.buffer != apart.buffer

    def test_a_chain_of_windows_is_one_buffer(self) -> None:
        """The outer two have no byte in common, but each has some with the middle one."""
        whole = bytearray(256)
        first, last, middle = (np.frombuffer(whole, np.uint8, 100, at) for at in (0, 120, 60))

        @asc.kernel
        def body(x: Any, y: Any, z: Any) -> None:
            """Nothing but its arguments matters."""

        assert [(a.address, a.offset) for a in body[1](first, last, middle).arrays] == [(0, 0), (120, 120), (60, 60)]

    def test_one_array_twice(self) -> None:
        """x += 1, in place."""
        x = np.full(8, 5, np.float32)
        program = launch(x, x)

        assert x[0] == 6
        assert program.arrays[0].address == program.arrays[1].address

    def test_a_buffer_keeps_its_number_while_it_lives(self) -> None:
        """Later launches find their data in the L2 by it; a new array in the same place is another buffer."""
        x, y = np.zeros(8, np.float32), np.zeros(8, np.float32)
        first, second = launch(x, y).arrays, launch(y, x).arrays

        assert (first[0].buffer, first[1].buffer) == (second[1].buffer, second[0].buffer)
        numbers = {launch(np.zeros(1 << 20, np.float32), y).arrays[0].buffer for _ in range(3)}
        assert len(numbers) == 3

    def test_equal_launches_of_fresh_arrays_differ_in_the_buffers_only(self) -> None:
        """The numbers say which launches share data; everything else is equal."""
        keep = [(np.ones(8, np.float32), np.zeros(8, np.float32)) for _ in range(2)]
        first, second = (launch(x, y) for x, y in keep)
        alike = tuple(replace(b, buffer=a.buffer) for a, b in zip(first.arrays, second.arrays, strict=True))

        assert first != second
        assert first == replace(second, arrays=alike)


class TestAddresses:
    """What a kernel can do with an array parameter."""

    def test_arithmetic_counts_elements(self) -> None:
        """``x + n`` is n elements on; the type is the array's."""
        seen: list[Any] = []

        @asc.kernel
        def body(x: Any) -> None:
            g = asc.GlobalTensor()
            g.set_global_buffer(x + 3 + np.int64(2), 2)
            seen.extend((g.get_value(0), g.get_size(), repr(x + 3), x.dtype.sizeof()))

        body.launch(1, np.arange(8, dtype=np.float16), chip="demo", hazards="off")

        assert seen == [5, 2, "GlobalAddress(x, float16, byte 6 of 16)", 2]

    @pytest.mark.parametrize("offset", [1.0, "1", True, None])
    def test_an_offset_is_whole(self, offset: Any) -> None:
        """Half an element is nowhere."""

        @asc.kernel
        def body(x: Any) -> None:
            x + offset

        with pytest.raises(asc.UsageError, match=r"^x \+ .*: the offset of an address is a whole number of elements"):
            body[1](np.zeros(8, np.float32))
