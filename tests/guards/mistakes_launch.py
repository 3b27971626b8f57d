"""Kernels that are declared or launched as they cannot be: what the host is told.

The docstring is the whole text of the error, behind its class; ``@-2`` is the second line above the function's last.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import ascendc as asc
from tests.guards.mistakes import mistakes

ARRAY, OTHER = np.zeros(8, np.float32), np.zeros(8, np.float32)


@asc.kernel
def k(x: Any, y: Any) -> None:
    """Nothing but its arguments matters."""
    del x, y


def a_kernel_that_is_no_function() -> None:
    """UsageError: @kernel goes on a function, got 3"""
    asc.kernel(3)  # type: ignore[call-overload]


def a_kernel_that_yields() -> None:
    """UsageError: @kernel: tiles is a generator or coroutine; a kernel is a plain function"""

    @asc.kernel
    def tiles() -> Any:
        yield 1


def a_stage_that_yields() -> None:
    """UsageError: @asc.compute: tiles is a generator or coroutine, which would run outside its stage; a stage is a
    plain function
    """

    @asc.compute
    def tiles() -> Any:
        yield 1


def a_pipe_of_a_block_that_has_ended() -> None:
    """UsageError: init_buffer: its TPipe or pool is of a block that has ended or waits; each block makes its own
    at @-2 in take, block 0 of 1 of take
    """
    kept: list[asc.TPipe] = []
    asc.kernel(lambda: kept.append(asc.TPipe())).launch(1, chip="demo")

    def take() -> None:
        kept[0].init_buffer(asc.TBuf(), 64)

    asc.kernel(take).launch(1, chip="demo")


def a_tensor_of_a_launch_that_has_ended() -> None:
    """UsageError: array x is an argument of a launch that has ended; pass it to this one, too, and
    set_global_buffer on what this one gets
    at @-2 in load, block 0 of 1 of load
    """
    kept = asc.GlobalTensor()

    @asc.kernel
    def keep(x: Any) -> None:
        kept.set_global_buffer(x)

    keep.launch(1, ARRAY, chip="demo")

    def load() -> None:
        asc.data_copy(asc.LocalTensor(kept.dtype, asc.TPosition.VECIN, 0, 8), kept, 8)

    asc.kernel(load).launch(1, chip="demo")


def a_kernel_that_is_called() -> None:
    """UsageError: k: launch a kernel with its number of blocks, as k[8](…)"""
    k(ARRAY, OTHER)


def a_kernel_in_a_kernel() -> None:
    """UsageError: k: a kernel cannot launch another; call it without [blocks]"""

    @asc.kernel
    def outer() -> None:
        k[1](ARRAY, OTHER)

    outer[1]()


def half_a_block() -> None:
    """UsageError: k[0.5]: the number of blocks must be a whole number"""
    k[0.5](ARRAY, OTHER)


def too_many_blocks() -> None:
    """UsageError: k[70000]: the number of blocks must be 0 to 65535"""
    k[70_000](ARRAY, OTHER)


def an_option_that_is_a_parameter() -> None:
    """UsageError: on.launch: chip is an option and a parameter of the kernel, too; for the parameter use
    on[blocks](…), for the option asc.defaults(chip=…)
    """

    @asc.kernel
    def on(chip: Any) -> None:
        del chip

    on.launch(1, chip="demo")


def an_option_there_is_not() -> None:
    """UsageError: hazards must be one of error, warn, off, got 'maybe'"""
    k.launch(1, ARRAY, OTHER, hazards="maybe")


def a_tensor_of_another_block() -> None:
    """UsageError: dst of duplicate (tensor mine) belongs to block 1, not to this one at @-2 in take, block 0 of 2 of
    take
    """
    left: list[asc.LocalTensor] = []

    @asc.kernel
    def take(x: Any) -> None:
        source = asc.GlobalTensor()
        source.set_global_buffer(x)
        left.append(asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 8))
        source.get_value(0)  # gives the others their turn
        mine = left[1 - asc.get_block_idx()]
        asc.duplicate(mine, 1, 8)

    take[2](ARRAY)


def an_operand_at_another_position() -> None:
    """PositionError: dst of adds (tensor x) is at A1; it can be at: VECIN, VECCALC, VECOUT at @-3 in add, block 0 of
    1 of add
    """

    @asc.kernel
    def add() -> None:
        x = asc.LocalTensor(asc.float32, asc.TPosition.A1, 0, 8)
        asc.adds(x, x, 1, 8)

    positions = {"core.aiv.positions": {"VECIN": "ub", "VECOUT": "ub", "VECCALC": "ub", "A1": "ub"}}
    add.launch(1, chip=asc.HardwareSpec.load("demo").replace(positions))


def a_queue_without_its_flags() -> None:
    """EventError: MTE2_V is no event of an aiv core; there are: V_MTE2, V_MTE3 at @-3 in fill, block 0 of 1 of fill"""

    @asc.kernel
    def fill() -> None:
        pipe, q = asc.TPipe(), asc.TQue(asc.TPosition.VECIN, 1)
        pipe.init_buffer(q, 1, 64)
        q.enque(q.alloc_tensor(asc.half))

    add_only = asc.HardwareSpec.load("demo").replace({"core.aiv.events": ["V_MTE2", "V_MTE3"]})
    fill.launch(1, chip=add_only)


def polling_for_ever() -> None:
    """DeadlockError: get_value: this block polls global memory, and no block will write it any more at @-3 in poll,
    block 0 of 2 of poll
    """

    @asc.kernel
    def poll(x: Any) -> None:
        source = asc.GlobalTensor()
        source.set_global_buffer(x)
        while source.get_value(0) == 0:
            pass

    poll.launch(2, ARRAY, chip="demo")


def a_race() -> None:
    """HazardError: race: 1. error: adds count=8 (V, @-2): reads UB bytes [0, 32), which data_copy count=8
    route=gm_to_ub (MTE2, @-3) writes, and nothing makes it wait for that; put set_flag(HardEvent.MTE2_V, id) after
    @-3 and wait_flag(HardEvent.MTE2_V, id) before @-2, or enque and deque the tensor in between
    """

    @asc.kernel
    def race(x: Any) -> None:
        source, u = asc.GlobalTensor(), asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 8)
        source.set_global_buffer(x)
        asc.data_copy(u, source, 8)
        asc.adds(u, u, 1, 8)

    race[1](ARRAY)


def a_call_outside_a_kernel() -> None:
    """UsageError: this call needs a running kernel: put it into a function under @asc.kernel and launch that with
    kernel[blocks](…)
    """
    asc.get_block_idx()


def a_type_there_is_not() -> None:
    """DtypeError: 'float99' is no element type here; there are: bool, int8, int16, int32, int64, uint8, uint16,
    uint32, uint64, float16, bfloat16, float32, int4
    """
    asc.dtype("float99")


MISUSES = mistakes(globals())
