"""Command lines that are refused: what they answer, with exit status 2.

The docstring is all that is said, on standard error.
"""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

from ascendc.cli import main
from tests.guards.mistakes import mistakes

ONE = """
import numpy as np
import ascendc as asc

@asc.kernel
def fill(x: asc.GlobalAddress, y: asc.GlobalAddress) -> None:
    asc.duplicate(asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 0, 8), 1, 8)

@asc.operator(reference=np.negative, inputs=1, dtypes=("float32",), dtype="float32", shape=(8,), blocks=1)
def one(x, y, blocks):
    fill[blocks](x, y)
"""
SMALL = "--chip demo --shape 8x8 --dtype float32 --blocks 1"


def ascendc(typed: str) -> int:
    """Run the command line."""
    return main(typed.split())


def an_operator_there_is_not() -> int:
    """ascendc run: no operator named 'softmacks'; there are: add, add_one_core, add_8k, add_32k, add_double,
    add_bypass, add_banks, abs, exp, ln, sqrt, rsqrt, reciprocal, relu, adds, muls, maxs, mins, leaky_relu, axpy (a
    file of yours ends in .py)
    """
    return ascendc("run softmacks")


def an_operator_like_one_there_is() -> int:
    """ascendc run: no operator named 'addd'; did you mean add or adds or add_8k? (a file of yours ends in .py)"""
    return ascendc("run addd")


def a_file_that_is_not_there() -> int:
    """ascendc run: there is no file none.py"""
    return ascendc("run none.py")


def a_file_without_operators() -> int:
    """ascendc run: my_op.py has no operator; make one with @asc.operator(...) at the top level of the file"""
    Path("my_op.py").write_text("")
    return ascendc("run my_op.py")


def an_operator_the_file_lacks() -> int:
    """ascendc run: my_op.py: no operator named 'onee'; did you mean one?"""
    Path("my_op.py").write_text(ONE)
    return ascendc("run my_op.py:onee")


def two_operators_in_a_file() -> int:
    """ascendc run: my_op.py has 2 operators; say which: my_op.py:one, my_op.py:two"""
    Path("my_op.py").write_text(ONE + ONE.replace("def one(", "def two("))
    return ascendc("run my_op.py")


def an_operator_that_returns_nothing() -> int:
    """ascendc run: one: its host function must return what kernel[blocks](…) gives, got None"""
    Path("my_op.py").write_text(ONE)
    return ascendc("run my_op.py --chip demo")


def a_type_the_operator_lacks() -> int:
    """ascendc run: add has no int8; it has: float16, float32, int16, int32"""
    return ascendc("run add --dtype int8")


def a_type_there_is_not() -> int:
    """ascendc run: Invalid value for '--dtype': no element type named 'float61'; did you mean float16 or bfloat16 or
    float32?
    """
    return ascendc("run add --dtype float61")


def a_shape_that_is_none() -> int:
    """ascendc run: Invalid value for '--shape': '8x' is no shape; write the extents with an x between them, as
    8192x8192
    """
    return ascendc("run add --shape 8x")


def a_shape_of_nothing() -> int:
    """ascendc run: Invalid value for '--shape': 8x0 holds no element; every extent must be 1 or more"""
    return ascendc("run add --shape 8x0")


def more_blocks_than_a_launch_has() -> int:
    """ascendc run: 70000 blocks; one launch has at most 65535"""
    return ascendc("run add --blocks 70000")


def more_than_the_memory_holds() -> int:
    """ascendc run: one input of 1000000x1000000 float16 is 2,000,000,000,000 B; demo has 1,073,741,824 B of memory"""
    return ascendc("run add --chip demo --shape 1000000x1000000")


def a_chip_there_is_not() -> int:
    """ascendc run: Invalid value for '--chip': no chip named 'Ascend910C1'; there are: Ascend910B1, Ascend910B2,
    Ascend910B3, Ascend910B4, demo, or the path of a .toml file; did you mean Ascend910B1?
    """
    return ascendc("run add --chip Ascend910C1")


def an_instruction_there_is_not() -> int:
    """ascendc ops: no instruction named 'ad_d'; did you mean add or adds?"""
    return ascendc("ops ad_d")


def an_instruction_like_no_other() -> int:
    """ascendc ops: no instruction named \'zzz\'; `ascendc ops` lists them all"""
    return ascendc("ops zzz")


def an_instruction_not_there_yet() -> int:
    """ascendc ops: there is no sync_all: order between cores: blocks only meet in global memory yet"""
    return ascendc("ops sync_all")


def a_report_nowhere() -> int:
    """ascendc run: Invalid value for '--out': it is empty; say . for the current directory"""
    return main(["run", "add", "--out", ""])


def a_report_with_too_long_a_name() -> int:
    """ascendc run: Invalid value for '--out':
    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx:
    File name too long
    """
    return ascendc(f"run add --out {'x' * 300}")


def a_report_in_a_file() -> int:
    """ascendc run: Invalid value for '--out': taken is a file, not a directory"""
    Path("taken").touch()
    return ascendc("run add --out taken")


def a_report_where_nobody_may_write() -> int:
    """ascendc run: Invalid value for '--out': theirs cannot be written to; choose another directory"""
    Path("theirs").mkdir()
    with patch("os.access", lambda path, mode: False):
        return ascendc("run add --out theirs")


def a_report_that_fails_in_the_end() -> int:
    """ascendc run: out: cannot write the report: No space left on device; choose another directory"""
    with patch("profiler.files.tempfile.TemporaryDirectory", side_effect=OSError(28, "No space left on device")):
        return ascendc(f"run add {SMALL} --quiet --out out")


def cores_that_are_none() -> int:
    """ascendc run: Invalid value for '--trace-cores': '0,x'; write numbers and ranges of cores, as 0,3-5"""
    return ascendc("run add --out out --trace-cores 0,x")


def a_window_that_ends_where_it_begins() -> int:
    """ascendc run: Invalid value for '--trace-window': '9:9'; write two cycles, the first less, as 0:10000"""
    return ascendc("run add --out out --trace-window 9:9")


def a_trace_of_no_bytes() -> int:
    """ascendc run: Invalid value for '--trace-limit-mb': 0 is not more than 0"""
    return ascendc("run add --out out --trace-limit-mb 0")


def a_trace_without_a_report() -> int:
    """ascendc run: --trace-cores, --trace-window and --trace-limit-mb are about a report; add --out DIR"""
    return ascendc("run add --trace-cores 0")


COMMANDS = mistakes(globals())
