"""``benchmarks/cycles.csv`` says what every kernel takes, to the cycle."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from benchmarks.cycles import FILE, Case, differences, read, write


def test_every_kernel_takes_the_cycles_it_took() -> None:
    """A change of the timing changes the file in the same commit."""
    assert differences(read()) == []


def test_a_difference_is_named_with_both_numbers() -> None:
    """One float16 on the demo chip, with a wrong number and with none."""
    case = next(c for c in read() if (c.chip, c.shape) == ("demo", "1"))
    wrong, unknown = replace(case, cycles="7"), replace(case, cycles="")

    assert differences([wrong, case, unknown]) == [
        f"add 1 float16 on 1 blocks of demo: {case.cycles} cycles, the file says 7",
        f"add 1 float16 on 1 blocks of demo: {case.cycles} cycles, the file says nothing",
    ]


def test_the_file_is_written_as_it_is_read(tmp_path: Path) -> None:
    """Byte for byte; a line without its last column is a case whose cycles are not known."""
    copy = tmp_path / "cycles.csv"
    write(read(), copy)
    assert copy.read_bytes() == FILE.read_bytes()

    copy.write_text("kernel,chip,shape,dtype,blocks,cycles\nadd,demo,1,float16,1\n")
    assert read(copy) == [Case("add", "demo", "1", "float16", "1", "")]
