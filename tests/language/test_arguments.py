"""Kernel arguments: which arrays are taken in place, and which are refused."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import ascendc as asc
from tests.language.foreign import DLPackOnly, InterfaceOnly, launch
from tests.refusals import refused, refused_at_launch


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
