"""Kernel arguments: which arrays are taken in place, which are refused, and where they lie."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import ModuleType
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ascendc as asc
from tests.refusals import refused, refused_at_launch


@asc.kernel
def increment(x: Any, y: Any) -> None:
    """y[0] = x[0] + 1."""
    source, target = asc.GlobalTensor(), asc.GlobalTensor()
    source.set_global_buffer(x)
    target.set_global_buffer(y)
    target.set_value(0, source.get_value(0) + 1)


def launch(*args: Any, **kwargs: Any) -> asc.Program:
    return increment.launch(1, *args, chip="demo", hazards="off", **kwargs)


class DLPackOnly:
    """An array of a library that knows DLPack and nothing else."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self._array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._array.__dlpack_device__()


class InterfaceOnly:
    """An array of a library that knows the array interface and nothing else."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self._array = array
        self.__array_interface__ = array.__array_interface__


class SlotsOnly:
    """As :class:`InterfaceOnly`, in a class whose objects nobody can refer to weakly."""

    __slots__ = ("__array_interface__", "_array")

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self._array = array
        self.__array_interface__ = array.__array_interface__


class TorchLike:
    """A CPU tensor: DLPack, ``__array__``, and a dtype of its own."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self._array, self.dtype = array, f"torch.{array.dtype}"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return self._array

    def __dlpack__(self, **options: Any) -> Any:
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self._array.__dlpack_device__()


class OnDevice(DLPackOnly):
    """A tensor in the memory of a GPU."""

    def __dlpack_device__(self) -> Any:
        return (2, 0)

    def __dlpack__(self, **options: Any) -> Any:
        raise BufferError("cannot export a tensor of device cuda:0")


@pytest.mark.parametrize("wrap", [np.asarray, DLPackOnly, InterfaceOnly, TorchLike])
def test_arrays_of_any_library_are_used_in_place(wrap: Any) -> None:
    """The output's own memory holds the result."""
    x, y = np.full(8, 5, np.float32), np.zeros(8, np.float32)
    launch(wrap(x), wrap(y))

    assert y[0] == 6


def test_a_torch_tensor_of_bfloat16_is_used_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """NumPy cannot name the type, so its bits go across as int16."""
    torch = ModuleType("torch")
    torch.int16 = "torch.int16"  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch", torch)
    x, y = np.full(8, 1.5, ml_dtypes.bfloat16), np.zeros(8, ml_dtypes.bfloat16)
    launch(*map(TorchBfloat16, (x, y)))

    assert y[0] == 2.5


class TorchBfloat16(TorchLike):
    """A CPU tensor of a type NumPy does not have."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        raise TypeError("Got unsupported ScalarType BFloat16")

    def view(self, kind: str) -> TorchLike:
        """The same bits as another type."""
        assert kind == "torch.int16"
        return TorchLike(self._array.view(np.int16))


def test_a_tensor_elsewhere_is_refused() -> None:
    """With what its library says."""
    with refused_at_launch(asc.UsageError, "increment: argument y cannot be used in place", "cuda:0"):
        launch(np.zeros(8, np.float32), OnDevice(np.zeros(8, np.float32)))


@pytest.mark.parametrize("name", ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_integer_element_types(name: str) -> None:
    """Each by its NumPy type."""
    x, y = np.zeros(8, name), np.zeros(8, name)
    program = launch(x, y)

    assert y[0] == 1
    assert [a.dtype for a in program.arrays] == [name, name]


@pytest.mark.parametrize("kind", [np.float16, np.float32, ml_dtypes.bfloat16])
def test_float_element_types(kind: Any) -> None:
    """bfloat16 is ml_dtypes'."""
    x, y = np.full(8, 1.5, kind), np.zeros(8, kind)
    launch(x, y)

    assert y[0] == 2.5


@pytest.mark.parametrize("kind", ["float64", "complex64", "U3", "datetime64[s]"])
def test_element_types_there_are_not(kind: str) -> None:
    """The message names the argument, its type and those there are."""
    with refused_at_launch(asc.DtypeError, "increment: array x: ", "there are: bool, int8"):
        launch(np.zeros(8, kind), np.zeros(8, np.float32))


@pytest.mark.parametrize("kind", ["f4", "f2", "i2", "u8"])
def test_the_byte_order_of_another_machine_is_refused(kind: str) -> None:
    """Its bytes would be read as other numbers; the message has the way out."""
    foreign = np.ones(8, f"={kind}").astype(np.dtype(kind).newbyteorder("S"))
    with refused_at_launch(
        asc.DtypeError,
        f"increment: array x is {foreign.dtype.str}, in the byte order of another machine; "
        "pass x.astype(x.dtype.newbyteorder('='))",
    ):
        launch(foreign, np.zeros(8, kind))


@pytest.mark.parametrize(
    "array", [np.zeros((4, 8), np.float32)[:, :4], np.zeros((4, 8), np.float32).T, np.zeros(16, np.float32)[::-1]]
)
def test_arrays_with_gaps_are_refused(array: Any) -> None:
    """The way out is a copy the caller makes, since a copy of ours would not be written in place."""
    with refused_at_launch(
        asc.UsageError, f"increment: array y of shape {array.shape} is not contiguous; pass numpy.ascontiguousarray(y)"
    ):
        launch(np.zeros(8, np.float32), array)


def test_read_only_arrays_can_be_read_only() -> None:
    """As input they are fine; a kernel that writes one is told."""
    x, y = np.full(8, 5, np.float32), np.zeros(8, np.float32)
    x.flags.writeable = False
    launch(x, y)

    assert y[0] == 6
    with refused(asc.UsageError, "set_value: argument y is a read-only array", "pass a writable copy (y.copy())"):
        launch(y, x)


@pytest.mark.parametrize("copy", [asc.data_copy, asc.data_copy_pad])
def test_a_store_to_a_read_only_array_is_refused(copy: Any) -> None:
    """By both copies, before anything is written."""
    y = np.zeros(16, np.float16)
    y.flags.writeable = False

    @asc.kernel
    def body(y: Any) -> None:
        g, u = asc.GlobalTensor(), asc.LocalTensor(asc.half, asc.TPosition.VECOUT, 0, 16)
        g.set_global_buffer(y)
        asc.duplicate(u, 1, 16)
        copy(g, u, 16 if copy is asc.data_copy else asc.DataCopyExtParams(1, 32))

    with refused(asc.UsageError, f"{copy.name}: argument y is a read-only array, and the kernel writes it"):
        body.launch(1, y, chip="demo", hazards="off")


@pytest.mark.parametrize(
    ("args", "kwargs", "parts"),
    [
        ((np.zeros(8),), {}, ("missing a required argument: 'y'", "the parameters are x, y")),
        ((1, 2, 3), {}, ("too many positional arguments",)),
        ((1, 2), {"z": 3}, ("got an unexpected keyword argument 'z'",)),
        ((1,), {"x": 3}, ("multiple values for argument 'x'",)),
        ((np.zeros(8, np.float32), None), {}, ("argument 2 (y) is None; pass an array or a number",)),
        (([1.0, 2.0], 1), {}, ("argument 1 (x) is a list; pass a NumPy array",)),
    ],
)
def test_arguments_that_do_not_fit(args: Any, kwargs: Any, parts: tuple[str, ...]) -> None:
    """Kernel, argument and what is wrong."""
    with refused_at_launch(asc.UsageError, "increment: ", *parts):
        launch(*args, **kwargs)


def test_everything_else_passes_through() -> None:
    """Numbers, structs, NumPy scalars; None where it is the default."""
    seen: list[Any] = []

    class Tiling(asc.Struct):
        tile: int = 64

    @asc.kernel
    def body(n: int, scale: float, tiling: Any, half: Any, bias: Any = None, *, deep: bool = True) -> None:
        seen.extend((n, scale, tiling.tile, half, bias, deep))

    body[1](3, 0.5, Tiling(tile=32), np.float16(1.5), None, deep=False)

    assert seen == [3, 0.5, 32, np.float16(1.5), None, False]


@pytest.mark.parametrize("shape", [(0,), (0, 8), ()])
def test_shapes_without_length(shape: tuple[int, ...]) -> None:
    """An empty array is an argument like any other; one without axes holds one element."""
    seen: list[int] = []

    @asc.kernel
    def body(x: Any) -> None:
        g = asc.GlobalTensor()
        g.set_global_buffer(x)
        seen.append(g.get_size())

    program = body[1](np.zeros(shape, np.float16))

    assert seen == [1 if shape == () else 0]
    assert program.arrays[0].shape == shape


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


def test_an_owner_that_cannot_be_watched_is_taken_all_the_same() -> None:
    """In place, and as the same memory as another argument that shares it; later launches take it for new."""
    x = np.arange(8, dtype=np.float32)
    program = launch(SlotsOnly(x), SlotsOnly(x))

    assert x[0] == 1
    assert program.arrays[0].address == program.arrays[1].address
    assert program.arrays[0].buffer == program.arrays[1].buffer


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
