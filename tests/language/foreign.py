"""Arrays of other libraries, and a kernel that takes any."""

from __future__ import annotations

from typing import Any

import numpy as np

import ascendc as asc


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
