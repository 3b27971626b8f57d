"""Chips that are none, and chip files with one mistake each.

The docstring is the whole text of the error, behind its class.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from ascendc.language.chipfile import CHIPS
from ascendc.language.hardware import HardwareSpec
from tests.guards.mistakes import mistakes

DEMO = (CHIPS / "demo.toml").read_text(encoding="utf-8")


def load(text: str) -> None:
    """Load a chip from this text, as the user's own file."""
    Path("mine.toml").write_text(text, encoding="utf-8")
    HardwareSpec.load("mine.toml")


def edited(old: str, new: str) -> None:
    """Load the demo chip with one edit."""
    assert old in DEMO
    load(DEMO.replace(old, new, 1))


def a_chip_that_is_a_number() -> None:
    """HardwareSpecError: a chip is a name, the path of a .toml file or a HardwareSpec, got 910"""
    chip: Any = 910
    HardwareSpec.load(chip)


def a_chip_nobody_made() -> None:
    """HardwareSpecError: no chip named 'Ascend910B9'; there are: Ascend910B1, Ascend910B2, Ascend910B3, Ascend910B4,
    demo, or the path of a .toml file; did you mean Ascend910B4?
    """
    HardwareSpec.load("Ascend910B9")


def a_chip_like_no_other() -> None:
    """HardwareSpecError: no chip named 'zzz'; there are: Ascend910B1, Ascend910B2, Ascend910B3, Ascend910B4, demo,
    or the path of a .toml file
    """
    HardwareSpec.load("zzz")


def a_file_that_is_not_there() -> None:
    """HardwareSpecError: none.toml: cannot be read: No such file or directory"""
    HardwareSpec.load("none.toml")


def a_file_that_is_no_text() -> None:
    """HardwareSpecError: mine.toml: cannot be read: 'utf-8' codec can't decode byte 0xff in position 0: invalid
    start byte
    """
    Path("mine.toml").write_bytes(b"\xff\xfe")
    HardwareSpec.load("mine.toml")


def a_file_that_is_no_toml() -> None:
    """HardwareSpecError: mine.toml: is no valid TOML: Invalid value (at line 2, column 8)"""
    load("schema = 1\nname = \n")


def a_file_that_extends_itself() -> None:
    """HardwareSpecError: mine.toml: extends itself, by way of mine.toml"""
    load('extends = "mine.toml"')


def a_file_that_extends_a_number() -> None:
    """HardwareSpecError: mine.toml: extends must be a chip's name or a .toml file, got 910"""
    load("extends = 910")


def a_file_that_extends_nothing() -> None:
    """HardwareSpecError: mine.toml: extends '910', which is no file beside it and no chip; there are: Ascend910B1,
    Ascend910B2, Ascend910B3, Ascend910B4, demo
    """
    load('extends = "910"')


def a_number_with_the_source_of_another() -> None:
    """HardwareSpecError: mine.toml: l2 changes the extended chip's numbers, so it needs its own source"""
    load('extends = "demo"\n[l2]\nbytes = 1')


def another_schema() -> None:
    """HardwareSpecError: mine.toml: schema must be 1, got 2"""
    edited("schema = 1", "schema = 2")


def an_unknown_key() -> None:
    """HardwareSpecError: mine.toml: unknown key hbm.achievable_tbps; did you mean achievable_gbps"""
    edited("achievable_gbps = 128", "achievable_tbps = 1")


def a_key_like_no_other() -> None:
    """HardwareSpecError: mine.toml: unknown key l2.size; known: bytes, line_bytes, achievable_gbps, source, status"""
    load('extends = "demo"\n[l2]\nsize = 1\nsource = "x"\nstatus = "assumed"')


def a_missing_key() -> None:
    """HardwareSpecError: mine.toml: missing key hbm.peak_gbps"""
    edited("peak_gbps = 128\n", "")


def a_number_that_is_a_table() -> None:
    """HardwareSpecError: mine.toml: group must be a table, got 2"""
    load(re.sub(r"\[group\]\n.*\n.*\n.*\n", "", DEMO).replace("schema = 1", "schema = 1\ngroup = 2"))


def a_number_that_is_a_table_of_any_keys() -> None:
    """HardwareSpecError: mine.toml: core.aiv.positions must be a table, got 1"""
    text = re.sub(r"\[core.aiv.positions\]\n(.*\n){3}", "", DEMO)
    load(text.replace("count = 2", "count = 2\npositions = 1"))


def a_text_that_is_a_list() -> None:
    """HardwareSpecError: mine.toml: core.aiv.pipes must be a list, got 'S'"""
    edited('pipes = ["S", "V", "MTE2", "MTE3"]', 'pipes = "S"')


def a_rate_below_zero() -> None:
    """HardwareSpecError: mine.toml: route.gm_to_ub.row_cycles must be a number, 0 or more, got -1"""
    edited("row_cycles = 1", "row_cycles = -1")


def half_a_core() -> None:
    """HardwareSpecError: mine.toml: core.aiv.count must be a whole number, 0 or more, got 2.5"""
    edited("count = 2", "count = 2.5")


def a_name_that_is_a_number() -> None:
    """HardwareSpecError: mine.toml: name must be a text, got 7"""
    edited('name = "demo"', "name = 7")


def a_status_there_is_not() -> None:
    """HardwareSpecError: mine.toml: clock.status must be one of documented, measured, assumed, got 'guess'"""
    edited('status = "assumed"', 'status = "guess"')


def a_cube_core_alone() -> None:
    """HardwareSpecError: mine.toml: core must have aiv and aic, or fused; got aic"""
    load(DEMO.replace("[core.aiv", "[core.aic"))


def a_line_of_nothing() -> None:
    """HardwareSpecError: mine.toml: l2.line_bytes must be above 0"""
    edited("line_bytes = 512", "line_bytes = 0")


def a_position_in_no_memory() -> None:
    """HardwareSpecError: mine.toml: core.aiv.positions.VECIN is 'l1', no memory of the core; it has: ub"""
    edited('VECIN = "ub"', 'VECIN = "l1"')


def a_route_to_no_memory() -> None:
    """HardwareSpecError: mine.toml: core.aiv.routes.gm_to_l1 does not join two memories, as x_to_y; there are: gm,
    ub
    """
    edited('gm_to_ub = "MTE2"', 'gm_to_l1 = "MTE2"')


def a_route_of_no_pipe() -> None:
    """HardwareSpecError: mine.toml: core.aiv.routes.gm_to_ub uses MTE1, no pipe of the core; it has: S, V, MTE2,
    MTE3
    """
    edited('gm_to_ub = "MTE2"', 'gm_to_ub = "MTE1"')


def no_cores() -> None:
    """HardwareSpecError: mine.toml: core.aiv needs a count and a clock above 0, got count 0 and mhz 1000"""
    edited("count = 2", "count = 0")


def a_what_if_of_no_number() -> None:
    """HardwareSpecError: demo: there is no key 'hbm.rate' to replace; hbm has: bytes, peak_gbps, achievable_gbps,
    source, status
    """
    HardwareSpec.load("demo").replace({"hbm.rate": 1})


def a_what_if_of_no_group() -> None:
    """HardwareSpecError: demo: there is no key 'dram.rate' to replace; see its file"""
    HardwareSpec.load("demo").replace({"dram.rate": 1})


MISUSES = mistakes(globals())
