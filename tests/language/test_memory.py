"""Tensors: windows, bounds, reinterpretation, single elements, poison, what they look like."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendc as asc
from tests.block import local, on_gm, on_ub
from tests.refusals import refused, refused_at_launch

F16 = np.float16
VECCALC = asc.TPosition.VECCALC


def in_kernel(body: Any, *contents: Any) -> Any:
    """What ``body`` returns, run in one block."""
    out: list[Any] = []
    on_ub(lambda *t: out.append(body(*t)), *contents)
    return out[0]


class TestWindows:
    """``t[off:]``, ``t[off]`` and ``t[a:b]``, of local and of global tensors."""

    @given(a=st.integers(0, 32), b=st.integers(0, 32))
    def test_of_local_tensors(self, a: int, b: int) -> None:
        """Start and size count elements; windows of windows add up."""
        a, b = sorted((a, b))
        t = in_kernel(lambda x: x[a:b][0:], np.arange(32).astype(F16))

        assert (t.address, t.nbytes, len(t), t.get_size(), t.get_length()) == (
            2 * a,
            2 * (b - a),
            *[b - a] * 2,
            2 * (b - a),
        )
        assert t.get_phy_addr(3) == 2 * a + 6
        assert t.values.tolist() == list(range(a, b))

    def test_an_index_is_an_offset(self) -> None:
        """As C++'s operator[]: never a scalar."""
        x = np.arange(32).astype(F16)

        assert in_kernel(lambda x: x[np.int64(30)], x).values.tolist() == [30, 31]

    def test_of_global_tensors(self) -> None:
        """The same, and the cache hint goes along."""
        seen: list[Any] = []

        def body(x: Any) -> None:
            x.set_l2_cache_hint(asc.CacheMode.CACHE_MODE_DISABLE, asc.CacheRwMode.READ)
            w = x[4:][2:10]
            seen.extend((w.get_size(), len(w), w.get_value(0), x[5].get_value(0), w.address, w.cached_reads))
            seen.append(w.cached_writes)
            moved = asc.GlobalTensor()
            moved.set_global_buffer(w.get_phy_addr(1))
            seen.append(moved.get_value(0))

        on_gm(body, np.arange(32).astype(F16))

        assert seen == [8, 8, 6, 5, 12, False, True, 7]

    @pytest.mark.parametrize(("rw", "cached"), [(1, (False, True)), (2, (True, False)), (3, (False, False))])
    def test_cache_hints(self, rw: int, cached: tuple[bool, bool]) -> None:
        """For reads, for writes, for both; NORMAL takes one back."""
        seen: list[tuple[bool, bool]] = []

        def body(x: Any) -> None:
            x.set_l2_cache_hint(asc.CacheMode.CACHE_MODE_DISABLE, asc.CacheRwMode(rw))
            seen.append((x.cached_reads, x.cached_writes))
            x.set_l2_cache_hint(asc.CacheMode.CACHE_MODE_NORMAL)
            seen.append((x.cached_reads, x.cached_writes))

        on_gm(body, np.zeros(8, F16))

        assert seen == [cached, (True, True)]

    @pytest.mark.parametrize(
        ("key", "text"),
        [
            (33, "window [33, 32) lies outside its 32 elements"),
            (-1, "window [-1, 32) lies outside its 32 elements"),
            (slice(0, 33), "window [0, 33) lies outside its 32 elements"),
            (slice(9, 4), "window [9, 4) lies outside its 32 elements"),
            (slice(0, -1), "window [0, -1) lies outside its 32 elements"),
        ],
    )
    def test_windows_outside(self, key: Any, text: str) -> None:
        """NumPy would cut them off silently, or count from the end."""
        with refused(asc.OutOfBoundsError, "LocalTensor(VECCALC float16 x32 at byte 0)", text):
            on_ub(lambda x: x[key], np.zeros(32, F16))
        with refused(asc.OutOfBoundsError, "GlobalTensor(x, float16 x32", text):
            on_gm(lambda x: x[key], np.zeros(32, F16))

    @pytest.mark.parametrize("key", [(1, 2), ..., (slice(None), 0), 1.5, "1", None, [1]])
    def test_a_tensor_has_one_axis(self, key: Any) -> None:
        """And is indexed by a whole number of elements."""
        with refused(asc.UsageError, "a tensor is one-dimensional; index it by one element offset"):
            on_ub(lambda x: x[key], np.zeros(32, F16))

    def test_tensors_are_not_iterated(self) -> None:
        """``for`` over a tensor would run through its windows; it is refused."""
        with pytest.raises(TypeError, match="'LocalTensor' object is not iterable"):
            on_ub(list, np.zeros(4, F16))
        with pytest.raises(TypeError, match="'GlobalTensor' object is not iterable"):
            on_gm(lambda x: [*x], np.zeros(4, F16))


class TestPlaces:
    """Tensors at explicit addresses."""

    @pytest.mark.parametrize(
        ("make", "place"),
        [
            (lambda: asc.LocalTensor(asc.half), ("VECIN", 0, 196608)),
            (lambda: asc.LocalTensor(asc.half, 64), ("VECIN", 64, 196544)),
            (lambda: asc.LocalTensor("float32", asc.TPosition.VECOUT, 96, 8), ("VECOUT", 96, 32)),
            (lambda: asc.LocalTensor(np.int8, pos=VECCALC, addr=32, tile_size=5), ("VECCALC", 32, 5)),
            (lambda: asc.LocalTensor(dtype=asc.bfloat16, addr=32, tile_size=4), ("VECIN", 32, 8)),
        ],
    )
    def test_the_ways_to_make_one(self, make: Any, place: Any) -> None:
        """Position, address and elements; the rest of the memory if no size is given."""
        t = in_kernel(make)

        assert (t.get_position().name, t.address, t.nbytes) == place

    @pytest.mark.parametrize(
        ("make", "error", "text"),
        [
            (lambda: local(asc.half, 16, 20), asc.AlignmentError, "address 20 is no multiple of 32, as UB needs"),
            (lambda: local(asc.half, 16, -32), asc.CapacityError, "needs bytes -32 to 0, UB has 196608 on demo"),
            (
                lambda: local(asc.half, 98305),
                asc.CapacityError,
                "98305 x float16 at UB address 0 needs bytes 0 to",
            ),
            (lambda: local(asc.half, -1), asc.CapacityError, "-1 x float16"),
            (
                lambda: asc.LocalTensor(asc.half, asc.TPosition.A1),
                asc.PositionError,
                "A1 is no position of an aiv core",
            ),
        ],
    )
    def test_places_there_are_not(self, make: Any, error: Any, text: str) -> None:
        """Before anything is touched."""
        with refused(error, text):
            on_ub(make)

    @pytest.mark.parametrize(
        ("call", "text"),
        [
            (lambda x: local(asc.half, 7 / 2), "LocalTensor: tile_size must be a whole number, got 3.5"),
            (lambda x: local(asc.half, 8, 32.0), "LocalTensor: addr must be a whole number, got 32.0"),
            (lambda x: x.set_size("8"), "set_size: size must be a whole number, got '8'"),
            (lambda x: asc.GlobalTensor().set_global_buffer(x, 2.5), "buffer_size must be a whole number, got 2.5"),
        ],
    )
    def test_numbers_are_whole(self, call: Any, text: str) -> None:
        """A division with one slash is seen at once."""

        @asc.kernel
        def body(x: Any) -> None:
            u = local(asc.half, 16)
            call(x if "buffer" in text else u)

        with refused(asc.RangeError, text):
            body.launch(1, np.zeros(8, F16), chip="demo")

    def test_an_element_type_there_is_not(self) -> None:
        """The message lists those there are."""
        with refused_at_launch(asc.DtypeError, "'float64' is no element type here; there are: bool, int8"):
            on_ub(lambda: asc.LocalTensor("float64"))

    def test_set_size(self) -> None:
        """Narrower or wider, never beyond the memory."""
        assert in_kernel(lambda x: (x.set_size(4), len(x))[1], np.zeros(32, F16)) == 4
        with refused(asc.OutOfBoundsError, "set_size: 98305 x float16 from byte 0 end outside UB, which has 196608 B"):
            on_ub(lambda x: x.set_size(98305), np.zeros(32, F16))

    def test_an_unlaid_global_tensor(self) -> None:
        """It says what is missing; other attributes are just not there."""
        with refused_at_launch(asc.UsageError, "GlobalTensor: dtype is not known before set_global_buffer(address)"):
            on_ub(lambda: asc.GlobalTensor().dtype)
        with pytest.raises(AttributeError, match="GlobalTensor has no attribute 'shape'"):
            on_ub(lambda: asc.GlobalTensor().shape)

    def test_a_global_tensor_lies_on_an_argument(self) -> None:
        """Not on a number."""
        with refused(asc.UsageError, "set_global_buffer: buffer must be an array argument of the kernel, got 5"):
            on_ub(lambda: asc.GlobalTensor().set_global_buffer(5))


class TestUninitialised:
    """Reads of what nothing has written are named by element."""

    @pytest.mark.parametrize(
        ("call", "text"),
        [
            (lambda u, g: asc.adds(u, u, 1, 32), "src of adds (tensor u): reads elements [8, 16)"),
            (lambda u, g: asc.data_copy(g, u, 32), "src of data_copy (tensor u): reads elements [8, 16)"),
            (lambda u, g: u.get_value(9), "tensor of get_value (tensor u): reads elements [9, 10)"),
            (
                lambda u, g: asc.data_copy_pad(g, u, asc.DataCopyExtParams(2, 18, 0, 0)),
                "src of data_copy_pad (tensor u): reads elements [8, 9)",
            ),
            (
                lambda u, g: asc.adds(u, u, 1, 16, 1, asc.UnaryRepeatParams()),
                "src of adds (tensor u): reads elements [8, 9)",
            ),
        ],
    )
    def test_the_hole_is_named(self, call: Any, text: str) -> None:
        """Elements 8 to 15 of 32 halves were never written."""

        def body(g: Any) -> None:
            u = local(asc.half, 32)
            asc.duplicate(u, 1, 8)
            asc.duplicate(u[16:], 1, 16)
            call(u, g)

        with refused(asc.UninitializedError, text, "which nothing has written; fill them first"):
            on_gm(body, np.zeros(64, F16))

    def test_holes_nobody_reads_do_not_matter(self) -> None:
        """A copy of the first eight, and of rows on both sides of the hole."""
        y = np.zeros(24, F16)

        def body(y: Any) -> None:
            u = local(asc.half, 48)
            asc.duplicate(u, 1, 8)
            asc.duplicate(u[32:], 2, 16)
            asc.data_copy_pad(y, u, asc.DataCopyExtParams(2, 16, 1, 0))

        on_gm(body, y)

        assert y.tolist() == [1] * 8 + [2] * 8 + [0] * 8
