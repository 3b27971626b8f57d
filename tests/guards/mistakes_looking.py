"""Printing, dumps, comparisons and what only the chip knows: one kernel for each mistake, as short as it can be.

The docstring is the whole text of the error, behind its class; ``@-2`` is the second line above the last one, which
is the line that is refused.
"""

from __future__ import annotations

from typing import Any

import ascendc as asc
from tests.block import local
from tests.guards.mistakes import mistakes

H, F = asc.half, asc.float32


class Tiling(asc.Struct):
    """A struct with two fields."""

    tile: int = 64
    rows: int = 1


def printf_without_a_format() -> None:
    """UsageError: printf: the first argument is the format, a text; got 3"""
    asc.printf(3)


def printf_with_too_few_arguments() -> None:
    """UsageError: printf: '%d of %d' does not fit its arguments (1,): not enough arguments for format string"""
    asc.printf("%d of %d", 1)


def printf_of_a_text_as_a_number() -> None:
    """UsageError: printf: '%d' does not fit its arguments ('one',): %d format: a real number is required, not str"""
    asc.printf("%d", "one")


def a_trap() -> None:
    """UsageError: trap: the kernel stopped itself"""
    asc.trap()


def a_dump_of_no_tensor() -> None:
    """UsageError: dump_tensor: tensor must be a LocalTensor or a GlobalTensor, got 3"""
    asc.dump_tensor(3, 0, 8)


def a_dump_of_less_than_nothing() -> None:
    """RangeError: dump_tensor: dump_size must be a number of elements, 0 or more, got -1"""
    asc.dump_tensor(local(F, 64), 0, -1)


def a_dump_of_more_than_there_is() -> None:
    """OutOfBoundsError: dump_tensor: 65 elements of a tensor of 64 (LocalTensor(VECCALC float32 x64 at byte 0))"""
    asc.dump_tensor(local(F, 64), 0, 65)


def a_dump_in_rows_of_nothing() -> None:
    """RangeError: dump_tensor: the innermost dimension must be 1 or more, got [8, 0]"""
    asc.dump_tensor(local(F, 64), 0, 8, asc.ShapeInfo(2, [8, 0]))


def a_checkpoint_of_no_tensor() -> None:
    """UsageError: dump_acc_chk_point: tensor must be a LocalTensor or a GlobalTensor, got 3"""
    asc.dump_acc_chk_point(3, 0, 0, 8)


def a_checkpoint_before_the_tensor() -> None:
    """RangeError: dump_acc_chk_point: count_off and dump_size must be 0 or more, got -8 and 8"""
    asc.dump_acc_chk_point(local(F, 64), 0, -8, 8)


def a_checkpoint_beyond_the_tensor() -> None:
    """OutOfBoundsError: dump_acc_chk_point: elements 60 to 67 of 64 (LocalTensor(VECCALC float32 x64 at byte 0))"""
    asc.dump_acc_chk_point(local(F, 64), 0, 60, 8)


def a_checkpoint_of_half_an_element() -> None:
    """RangeError: dump_acc_chk_point: dump_size must be a whole number, got 0.5"""
    asc.dump_acc_chk_point(local(F, 64), 0, 0, 0.5)


def a_comparison_of_other_sizes() -> None:
    """UsageError: compare_stage: scale: got has 8 elements, want has 4; compare a window of equal size, as got[:4]"""
    asc.compare_stage("scale", local(F, 8), [1.0] * 4)


def a_comparison_with_no_number() -> None:
    """UsageError: compare_stage: scale: want must be a tensor, an array or a number, got 'zero'"""
    asc.compare_stage("scale", local(F, 8), "zero")


def a_comparison_of_a_freed_tensor() -> None:
    """QueueStateError: got of compare_stage (tensor t) cannot be used: it was freed at @-1; it was taken at @-2"""
    pipe, q = asc.TPipe(), asc.TQue(asc.TPosition.VECIN, 1)
    pipe.init_buffer(q, 1, 64)
    t = q.alloc_tensor(H)
    q.free_tensor(t)
    asc.compare_stage("scale", t, 0)


def a_branch_on_the_clock() -> None:
    """UsageError: <system counter at @-1> is no number in a kernel: no time passes while it runs. Nothing in it may
    depend on the clock; keep or print the value, and after simulate(program) look into timeline.stamps
    """
    begin = asc.get_system_cycle()
    int(begin)


def half_a_cycle_later() -> None:
    """UsageError: <system counter at @-1> is no number in a kernel: no time passes while it runs. Nothing in it may
    depend on the clock; keep or print the value, and after simulate(program) look into timeline.stamps
    """
    begin = asc.get_system_cycle()
    begin + 0.5


def arithmetic_with_the_program_counter() -> None:
    """UsageError: <program counter at @0> is no number in a kernel: nothing is compiled, so code has no address;
    keep or print the value
    """
    asc.get_program_counter() + 4


def a_workspace_that_is_no_array() -> None:
    """UsageError: set_sys_workspace: workspace must be an array argument of the kernel, got 0"""
    asc.set_sys_workspace(0)


def no_workspace() -> None:
    """UsageError: get_sys_workspace: there is none; pass an array to the kernel and call set_sys_workspace(it) first"""
    asc.get_sys_workspace()


def a_struct_with_too_many_values() -> None:
    """UsageError: Tiling: 3 values for 2 fields: tile, rows"""
    Tiling(64, 1, 2)


def a_struct_with_a_value_twice() -> None:
    """UsageError: Tiling: tile is given twice: in its place and by its name"""
    Tiling(64, tile=32)


def a_struct_with_a_field_it_lacks() -> None:
    """UsageError: Tiling: there is no field cols; fields: tile, rows"""
    Tiling(cols=32)


def an_assertion_with_a_text() -> None:
    """UsageError: static_assert: tiles of 32 elements only"""
    asc.static_assert(Tiling().tile == 32, "tiles of 32 elements only")


def an_assertion_without_one() -> None:
    """UsageError: static_assert: the condition does not hold"""
    asc.static_assert(Tiling().tile == 32)


def an_address_and_a_half(x: Any) -> None:
    """UsageError: x + 0.5: the offset of an address is a whole number of elements"""
    x.get_phy_addr() + 0.5


def a_tensor_before_its_array() -> None:
    """UsageError: GlobalTensor: dtype is not known before set_global_buffer(address)"""
    asc.data_copy(local(F, 64), asc.GlobalTensor(), 64)


def an_address_before_its_array(x: Any) -> None:
    """OutOfBoundsError: set_global_buffer: address is element -8 of x, which has elements 0 to 63"""
    asc.GlobalTensor().set_global_buffer(x.get_phy_addr() + -8)


def a_window_longer_than_its_array(x: Any) -> None:
    """OutOfBoundsError: set_global_buffer: 8 elements from element 60 of x end outside it: 64 elements, 4 left"""
    asc.GlobalTensor().set_global_buffer(x.get_phy_addr() + 60, 8)


MISTAKES = mistakes(globals())
