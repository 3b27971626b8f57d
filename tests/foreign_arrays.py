"""Arrays of other libraries, as far as a launch looks at them."""

from __future__ import annotations

from typing import Any

import numpy as np


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
