"""Arguments that do not fit the kernel: what the launch says, or the line that uses one.

The docstring is the whole text of the error, behind its class; ``@-2`` is the second line above the function's last.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

import ascendc as asc
from tests.guards.mistakes import mistakes

F = np.float32
ARRAY, OTHER = np.zeros(8, F), np.zeros(8, F)


@dataclass
class Plan:
    """A tiling of the host's making."""

    tiles: int = 8


class Tiling(asc.Struct):
    """One of ours."""

    tile: int = 64


@asc.kernel
def k(x: Any, y: Any) -> None:
    """Nothing but its arguments matters."""
    del x, y


@asc.kernel
def declared(x: asc.GlobalAddress, y: asc.GlobalAddress, ws: asc.GlobalAddress, tiling: Plan, scale: asc.int8) -> None:  # type: ignore[valid-type]
    """Nothing but its arguments matters."""
    del x, y, ws, tiling, scale


class OnDevice:
    """A tensor in the memory of a GPU."""

    def __dlpack_device__(self) -> Any:
        return (2, 0)

    def __dlpack__(self, **options: Any) -> Any:
        raise BufferError("cannot export a tensor of device cuda:0")


def a_missing_argument() -> None:
    """UsageError: k: missing a required argument: 'y'; the parameters are x, y"""
    k[1](ARRAY)


def no_array() -> None:
    """UsageError: k: argument 2 (y) is None; pass an array or a number"""
    k[1](ARRAY, None)


def a_list() -> None:
    """UsageError: k: argument 2 (y) is a list; pass a NumPy array"""
    k[1](ARRAY, [1.0, 2.0])


def swapped_arguments() -> None:
    """UsageError: declared: argument 3 (ws) must be an array, as it is annotated, got Plan(tiles=8); it fits
    argument 4 (tiling), and that one here: swap them
    """
    declared[8](ARRAY, OTHER, Plan(), ARRAY, 1)


def an_argument_of_another_kind() -> None:
    """UsageError: declared: argument 4 (tiling) must be a Plan, as it is annotated, got Tiling(tile=64); the
    parameters are x, y, ws, tiling, scale
    """
    declared[8](ARRAY, OTHER, ARRAY, Tiling(), 1)


def an_array_where_a_struct_belongs() -> None:
    """UsageError: declared: argument 4 (tiling) must be a Plan, as it is annotated, got an array of float32; the
    parameters are x, y, ws, tiling, scale
    """
    declared[8](ARRAY, OTHER, ARRAY, ARRAY, 1)


def a_number_its_type_does_not_have() -> None:
    """RangeError: declared: argument scale is declared int8 and must be a whole number from -128 to 127, got 128;
    pass one, or declare another type
    """
    declared[8](ARRAY, OTHER, ARRAY, Plan(), 128)


def an_array_with_gaps() -> None:
    """UsageError: k: array y of shape (4, 4) is not contiguous; pass numpy.ascontiguousarray(y)"""
    k[1](ARRAY, np.zeros((4, 8), F)[:, :4])


def an_array_of_another_machine() -> None:
    """DtypeError: k: array y is >f4, in the byte order of another machine; pass y.astype(y.dtype.newbyteorder('='))"""
    k[1](ARRAY, np.zeros(8, ">f4"))


def an_array_of_doubles() -> None:
    """DtypeError: k: array y: float64 is no element type here; there are: bool, int8, int16, int32, int64, uint8,
    uint16, uint32, uint64, float16, bfloat16, float32, int4; convert it first, as with y.astype(numpy.float32)
    """
    k[1](ARRAY, np.zeros(8))


def an_array_of_int4() -> None:
    """DtypeError: k: array y is NumPy's int4, a byte for each number; put two into each byte of a uint8 array, the
    first into its lower half
    """
    k[1](ARRAY, np.zeros(8, ml_dtypes.int4))


def a_tensor_of_a_gpu() -> None:
    """UsageError: k: argument y cannot be used in place: cannot export a tensor of device cuda:0; pass an array in
    the memory of the host
    """
    k[1](ARRAY, OnDevice())


def a_struct_that_is_used_as_an_array() -> None:
    """UsageError: set_global_buffer: buffer must be an array argument of the kernel, got argument 2 (ws), which is
    Plan(tiles=8); pass an array there, in the order of the kernel's parameters at @-2 in swapped, block 0 of 1 of
    swapped
    """

    @asc.kernel
    def swapped(x: Any, ws: Any, tiling: Any) -> None:
        asc.GlobalTensor().set_global_buffer(ws)

    swapped[1](ARRAY, Plan(), OTHER)


def an_array_that_is_used_as_a_struct() -> None:
    """UsageError: argument 3 (tiling) is an array, of which a kernel gets the address: that has no tiles; pass a
    struct there if it should have, and sizes as numbers at @-2 in swapped, block 0 of 1 of swapped
    """

    @asc.kernel
    def swapped(x: Any, ws: Any, tiling: Any) -> None:
        range(tiling.tiles)

    swapped[1](ARRAY, Plan(), OTHER)


def an_array_that_cannot_be_written() -> None:
    """UsageError: set_value: argument y is a read-only array, and the kernel writes it; pass a writable copy
    (y.copy()) at @-4 in write, block 0 of 1 of write
    """

    @asc.kernel
    def write(y: Any) -> None:
        target = asc.GlobalTensor()
        target.set_global_buffer(y)
        target.set_value(0, 1)

    fixed = np.zeros(8, F)
    fixed.flags.writeable = False
    write[1](fixed)


def a_struct_with_a_field_it_lacks() -> None:
    """UsageError: Tiling: there is no field rows; fields: tile"""
    Tiling(rows=1)


MISUSES = mistakes(globals())
