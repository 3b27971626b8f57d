"""Memory and operands: one kernel for each mistake, as short as it can be.

The docstring is the whole text of the error, behind its class; ``@-2`` is the second line above the last one, which
is the line that is refused.
"""

from __future__ import annotations

from typing import Any

import ascendc as asc
from tests.block import local
from tests.guards.mistakes import mistakes

H, F, P = asc.half, asc.float32, asc.TPosition


def nothing_written_yet() -> None:
    """UninitializedError: src of adds (tensor x): reads elements [0, 64) of the tensor, UB bytes [0, 256),
    which nothing has written; fill them first (data_copy, duplicate) or shorten the count
    """
    x, z = local(F, 64), local(F, 64, 256)
    asc.adds(z, x, 1, 64)


def half_of_it_written() -> None:
    """UninitializedError: src of adds (tensor x): reads elements [40, 64) of the tensor, UB bytes [160, 256),
    which nothing has written; fill them first (data_copy, duplicate) or shorten the count
    """
    x, z = local(F, 64), local(F, 64, 256)
    asc.duplicate(x, 1, 40)
    asc.adds(z, x, 1, 64)


def dummies_of_a_padded_row(x: Any) -> None:
    """UninitializedError: src of adds (tensor t): reads elements [20, 32) of the tensor, UB bytes [40, 64),
    which nothing has written; fill them first (data_copy, duplicate) or shorten the count
    """
    t = local(H, 32)
    asc.data_copy_pad(t, x, asc.DataCopyExtParams(1, 40), asc.DataCopyPadExtParams(right_padding=4))
    asc.pipe_barrier(asc.PipeID.PIPE_ALL)
    asc.adds(t, t, 1, 32)


def more_than_the_tensor_has() -> None:
    """OutOfBoundsError: dst of duplicate (tensor x): needs 260 B (65 x float32), the tensor has 256 B (64), UB
    bytes [0, 256)
    """
    x = local(F, 64)
    asc.duplicate(x, 1, 65)


def a_window_off_its_block() -> None:
    """AlignmentError: dst of duplicate: byte offset 16 in UB is not a multiple of 32; start the window at a
    multiple of 8 elements
    """
    x = local(F, 64)
    asc.duplicate(x[4:], 1, 8)


def a_window_outside() -> None:
    """OutOfBoundsError: LocalTensor(VECCALC float32 x64 at byte 0): window [65, 64) lies outside its 64
    elements
    """
    x = local(F, 64)
    asc.duplicate(x[65:], 1, 1)


def more_than_the_array_has(x: Any) -> None:
    """OutOfBoundsError: src of data_copy (tensor x): accesses elements [0, 128) of a view of 64 x float32 on
    argument x (elements [0, 64) of 64)
    """
    asc.data_copy(local(F, 128), x, 128)


def beyond_ub() -> None:
    """CapacityError: LocalTensor: 64 x float32 at UB address 196608 needs bytes 196608 to 196864, UB has 196608
    on demo
    """
    asc.LocalTensor(F, P.VECCALC, 196_608, 64)


def an_address_off_its_block() -> None:
    """AlignmentError: LocalTensor: address 20 is no multiple of 32, as UB needs"""
    asc.LocalTensor(F, P.VECCALC, 20, 8)


def a_position_of_another_core() -> None:
    """PositionError: A2 is no position of an aiv core; there are: VECIN, VECOUT, VECCALC"""
    asc.LocalTensor(F, P.A2, 0, 64)


def a_global_operand(x: Any) -> None:
    """PositionError: dst of adds (tensor x) must be a LocalTensor at VECIN, VECCALC, VECOUT, got a
    GlobalTensor
    """
    asc.adds(x, x, 1, 64)


def a_type_without_the_instruction() -> None:
    """DtypeError: adds: dst is int8; supported: int16, float16, int32, float32"""
    x = local(asc.int8, 64)
    asc.adds(x, x, 1, 64)


def a_shift_in_place() -> None:
    """OverlapError: adds: dst UB bytes [32, 288) and src UB bytes [0, 256) overlap in part; use the same start
    (in place) or separate buffers
    """
    x = local(F, 128)
    asc.duplicate(x, 1, 128)
    asc.adds(x[8:], x, 1, 64)


def a_vector_instruction_in_copy_in() -> None:
    """UsageError: duplicate runs on V and cannot be part of the copy_in stage; move it to a function under
    @asc.compute
    """
    with asc.stage("copy_in"):
        asc.duplicate(local(F, 64), 1, 64)


MISTAKES = mistakes(globals())
