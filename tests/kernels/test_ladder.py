"""The published ladder: its order, its numbers, and that not one of its flags can be left out."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache

import numpy as np
import pytest

import ascendc as asc
from ascendc.language.findings import Finding
from kernels import OPERATORS
from kernels.add_ladder import Step
from profiler import profile
from simulator import simulate
from tests.kernels.mutants import FILE, LINES, line_with, lines_with, mutant

LADDER = ("add_one_core", "add_8k", "add_32k", "add_double", "add_bypass", "add_banks")
FLAG_LINES = [n for n, line in enumerate(LINES, 1) if re.search(r"asc\.(set|wait)_flag\(", line)]
LOAD_X, LOAD_Y = line_with("data_copy_pad(a,"), line_with("data_copy_pad(b,")
ADD, STORE = line_with("asc.add(c,"), line_with("data_copy_pad(zs")


@cache
def task_us(name: str, rows: int, l2_bytes: int) -> float:
    """Simulated time of a step on ``rows`` rows of 8192 float16."""
    chip = asc.HardwareSpec.load("Ascend910B1").replace({"l2.bytes": l2_bytes})
    with asc.use_chip(chip):
        return profile(simulate(OPERATORS[name].run(shape=(rows, 8192)).program)).task_us


def check_order(rows: int, l2_bytes: int) -> None:
    one_core, small, large, double, bypass, banks = (task_us(name, rows, l2_bytes) for name in LADDER)

    assert one_core > 10 * small
    assert small > large >= double > bypass >= banks


def test_the_ladder_keeps_its_order_on_a_sixteenth() -> None:
    """512 rows and a sixteenth of the L2: one core ≫ 48 cores > larger tiles ≥ two buffers > past the L2."""
    check_order(512, 12_582_912)


def test_operands_in_different_bank_groups_halve_the_vector_time() -> None:
    """Published: 12.846 us of vector time with conflicts, 6.954 us without; 1.85 to 1."""
    with asc.use_chip("Ascend910B1"):
        runs = [OPERATORS[name].run(shape=(256, 8192)) for name in ("add_bypass", "add_banks")]
    with_conflicts, without = (profile(simulate(run.program)).pipes["V"].busy_cycles for run in runs)

    assert with_conflicts / without == pytest.approx(12.846 / 6.954, rel=0.05)


def test_buffers_lie_behind_one_another() -> None:
    """Two buffers of 1024 B for each of three operands, y and z shifted by 256 B."""
    step = Step(tile_bytes=1024, buffers=2, shift_bytes=256)

    assert [step.places(slot) for slot in (0, 1)] == [(0, 2304, 4352), (1024, 3328, 5376)]


@pytest.mark.slow
def test_the_ladder_keeps_the_published_order_on_the_published_shape() -> None:
    """8192 x 8192 float16 on the chip as it is."""
    check_order(8192, 201_326_592)


@pytest.mark.slow
@pytest.mark.parametrize("name", LADDER)
def test_a_step_takes_about_what_was_published(name: str) -> None:
    """Within 15 % of the measurement of the same form."""
    (published,) = OPERATORS[name].published

    assert published.shape == (8192, 8192)
    assert task_us(name, 8192, 201_326_592) == pytest.approx(published.us, rel=0.15)


def launch(gone: Collection[int], *, auto_sync: bool = True) -> Sequence[Finding]:
    """What is found in the double-buffered step without some of its lines, over four tiles."""
    x = np.ones(4 * 16_128, np.float16)
    with asc.defaults(chip="demo", auto_sync=auto_sync):
        try:
            program: asc.Program = mutant(gone).add_double.host(x, x, np.empty_like(x), 1)
        except asc.HazardError as error:
            return error.findings
    return program.findings


def test_with_all_its_flags_nothing_is_found() -> None:
    """Neither with automatic barriers nor without: the kernel has no two dependent vector instructions."""
    assert not launch(())
    assert not launch((), auto_sync=False)


@pytest.mark.parametrize("auto_sync", [True, False])
@pytest.mark.parametrize(
    ("flag", "pairs"),
    [
        ("_MTE2_V", {("raw", LOAD_X, ADD), ("raw", LOAD_Y, ADD)}),
        ("_V_MTE2", {("war", ADD, LOAD_X), ("war", ADD, LOAD_Y)}),
        ("_V_MTE3", {("raw", ADD, STORE)}),
        ("_MTE3_V", {("war", STORE, ADD)}),
    ],
)
def test_a_flag_left_out_is_found_with_the_two_lines_it_ordered(
    flag: str, pairs: set[tuple[str, int, int]], auto_sync: bool
) -> None:
    """All calls of one flag are gone: an access it kept waiting is named, with the access it waited for."""
    gone = lines_with(f"flag({flag},")
    found = launch(gone, auto_sync=auto_sync)

    assert len(gone) in (2, 4)
    assert found
    assert {(f.kind, *f.lines) for f in found} <= {
        (kind, f"{FILE}:{first}", f"{FILE}:{second}") for kind, first, second in pairs
    }


@pytest.mark.parametrize("line", FLAG_LINES)
def test_half_a_flag_left_out_is_found_at_its_other_half(line: int) -> None:
    """A set without its wait, or a wait without its set: every line that is named is a call of the same flag."""
    flag = re.search(r"_flag\((\w+),", LINES[line - 1])
    assert flag is not None
    others = {n for n in lines_with(f"flag({flag[1]},") if n != line}
    try:
        found = [f for f in launch([line]) if f.kind == "flag"]
        named = {int(n) for f in found for n in re.findall(rf"{FILE}:(\d+)", " ".join(f.lines))}
    except asc.EventError as error:
        named = {int(n) for n in re.findall(rf"{FILE}:(\d+)", str(error))}

    assert named
    assert named <= others
