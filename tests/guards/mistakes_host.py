"""Operators, files, the clock and the profiler: what the host asks for and cannot have.

The docstring is the whole text of the error, behind its class; ``@-2`` is the second line above the function's last.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import ascendc as asc
from ascendc.language.npz import read_npz, write_npz
from profiler import profile
from simulator import simulate
from tests.guards.mistakes import mistakes
from tests.rows import Rows, program
from tests.simulator.programs import MTE2, Pen, S

DEMO = asc.HardwareSpec.load("demo")


@asc.kernel
def fill() -> None:
    """One instruction."""
    asc.duplicate(asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 8), 1, 8)


@asc.operator(reference=np.negative, inputs=1, dtypes=("float32",))
def forgets(x: Any, y: Any, blocks: int) -> Any:
    """-x, but what the launch gives is lost."""
    fill.launch(blocks, chip="demo")


def copying(pipe: Any, route: str, address: int) -> asc.Program:
    """One copy, written down by hand."""
    pen = Pen(DEMO).block()
    pen.copy(pipe, address, 32, route=route)
    return pen.program()


def an_operator_on_a_type_it_lacks() -> None:
    """DtypeError: forgets: dtype int8 is not supported; there are: float32"""
    forgets.run(dtype="int8")


def an_operator_on_half_a_row() -> None:
    """UsageError: forgets: a shape is whole numbers, 0 or more, got (0.5, 64)"""
    forgets.run(shape=(0.5, 64), dtype="float32")  # type: ignore[arg-type]


def an_operator_that_returns_nothing() -> None:
    """OperatorError: forgets: its host function must return what kernel[blocks](…) gives, got None"""
    forgets.run(shape=(8,), dtype="float32", blocks=1)


def a_program_that_cannot_be_saved() -> None:
    """UsageError: none/p.npz: cannot be written: No such file or directory"""
    fill.launch(1, chip="demo").save("none/p.npz")


def a_file_that_is_not_there() -> None:
    """UsageError: p.npz: cannot be read: No such file or directory"""
    asc.Program.load("p.npz")


def a_file_of_somebody_else() -> None:
    """UsageError: p.npz: is no file saved by this project: File is not a zip file"""
    Path("p.npz").write_bytes(b"no zip at all")
    asc.Program.load("p.npz")


def a_file_of_another_version() -> None:
    """UsageError: p.npz: holds program/0, expected program/1; save it again with this version"""
    write_npz(Path("p.npz"), "program/0", {}, {})
    asc.Program.load("p.npz")


def an_instruction_of_another_version() -> None:
    """UsageError: p.npz: has the instruction 'triplicate', which this version lacks; launch again"""
    fill.launch(1, chip="demo").save("p.npz")
    header, arrays = read_npz(Path("p.npz"), "program/1")
    header["templates"][0]["op"] = "triplicate"
    write_npz(Path("p.npz"), "program/1", header, arrays)
    asc.Program.load("p.npz")


def an_engine_there_is_not() -> None:
    """UsageError: simulate: mode must be 'decoupled' or 'steps', got 'quick'"""
    simulate(fill.launch(1, chip="demo"), mode="quick")  # type: ignore[call-overload]


def the_time_of_a_number() -> None:
    """UsageError: simulate: program must be a Program, which a launch gives, or several, got 3"""
    simulate(3)  # type: ignore[call-overload]


def the_time_of_several_things() -> None:
    """UsageError: simulate: program 1 must be a Program, which a launch gives, got 'fill'"""
    simulate([fill.launch(1, chip="demo"), "fill"])  # type: ignore[list-item]


def the_time_on_a_smaller_chip() -> None:
    """UsageError: fill: recorded for demo, cannot be timed on tiny, whose architecture, memories or pipes differ;
    launch again with chip='tiny'
    """
    simulate(fill.launch(1, chip="demo"), DEMO.replace({"name": "tiny", "core.aiv.memory.ub.bytes": 1024}))


def a_program_that_waits_in_a_circle() -> None:
    """DeadlockError: kernel: nobody can go on; waiting for what never comes: core 0 V: wait_flag MTE2_V 0 at my.py:1
    core 0 MTE2: wait_flag V_MTE2 0 at my.py:2 in a circle on core 0: V at my.py:1 waits for MTE2_V 0, which MTE2
    sets at my.py:3, behind its own wait; MTE2 at my.py:2 waits for V_MTE2 0, which V sets at my.py:4, behind its own
    wait
    """
    rows = Rows()
    rows.wait(asc.HardEvent.MTE2_V)
    rows.wait(asc.HardEvent.V_MTE2)
    rows.set(asc.HardEvent.MTE2_V)
    rows.set(asc.HardEvent.V_MTE2)
    simulate(program(rows))


def a_route_the_chip_lacks() -> None:
    """UsageError: copy route=gm_to_l1 cached=True at kernel.py:7: demo has no route gm_to_l1; it has: gm_to_ub,
    ub_to_gm
    """
    simulate(copying(MTE2, "gm_to_l1", 0))


def a_copy_by_the_scalar_unit() -> None:
    """UsageError: copy route=gm_to_ub cached=True at kernel.py:7: a transfer cannot run in the scalar unit"""
    simulate(copying(S, "gm_to_ub", 0))


def a_copy_from_before_the_memory() -> None:
    """UsageError: copy route=gm_to_ub cached=True at kernel.py:7: it starts before the first byte of global memory"""
    simulate(copying(MTE2, "gm_to_ub", -8192))


def the_ticks_of_a_number() -> None:
    """UsageError: stamps.ticks: takes what get_system_cycle gave to the kernel, got 3"""
    simulate(fill.launch(1, chip="demo")).stamps.ticks(3)  # type: ignore[arg-type]


def the_ticks_of_another_launch() -> None:
    """UsageError: stamps.ticks: block 0 of this fill did not read the clock at @-1 as its instruction 0; the value
    is of another launch
    """
    read: list[Any] = []
    asc.kernel(lambda: read.append(asc.get_system_cycle())).launch(1, chip="demo")
    simulate(fill.launch(1, chip="demo")).stamps.ticks(read[0])


def a_report_of_a_program() -> None:
    """UsageError: profile: timeline must be the Timeline of one launch, got Program; call
    profile(simulate(program)), once for each launch
    """
    profile(fill.launch(1, chip="demo"))  # type: ignore[arg-type]


def a_report_that_cannot_be_written() -> None:
    """UsageError: taken/out: cannot write the report: Not a directory; choose another directory"""
    Path("taken").write_text("")
    profile(simulate(fill.launch(1, chip="demo"))).save("taken/out")


def a_trace_of_cores_below_0() -> None:
    """UsageError: trace: cores must be numbers of cores, as [0, 3], got [-1]"""
    profile(simulate(fill.launch(1, chip="demo"))).trace(cores=[-1])


def a_trace_of_a_window_of_nothing() -> None:
    """UsageError: trace: window must be two cycles, as (0, 10_000), the first less, got (5, 5)"""
    profile(simulate(fill.launch(1, chip="demo"))).trace(window=(5, 5))


def a_trace_of_nothing() -> None:
    """UsageError: trace: limit_mb must be more than 0, math.inf for no limit, got 0"""
    profile(simulate(fill.launch(1, chip="demo"))).trace(limit_mb=0)


def a_trace_in_a_unit_there_is_not() -> None:
    """UsageError: trace: time_unit must be one of ns, cycle, got 'us'"""
    profile(simulate(fill.launch(1, chip="demo"))).trace(time_unit="us")  # type: ignore[arg-type]


def the_number_behind_a_clock() -> None:
    """UsageError: <system counter at @-1> is no number in a kernel: no time passes while it runs. Nothing in it may
    depend on the clock; keep or print the value, and after simulate(program) look into timeline.stamps
    """
    read: list[Any] = []
    asc.kernel(lambda: read.append(asc.get_system_cycle())).launch(1, chip="demo")
    int(read[0])


MISUSES = mistakes(globals())
