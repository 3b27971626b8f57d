"""A kernel never learns a time: what get_system_cycle gives it, and what timeline.stamps makes of that."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from simulator import Timeline, simulate
from tests.block import on_ub, program_of
from tests.profiler.timelines import Row, build
from tests.refusals import refused


def timed(body: Callable[[], object], blocks: int = 1) -> Timeline:
    """``body`` in each of ``blocks`` blocks of the demo chip, with its clock."""
    return simulate(asc.kernel(body).launch(blocks, chip="demo", hazards="off"))


def test_stamps_say_when_the_scalar_unit_got_there() -> None:
    """A cycle to issue and one to run each instruction on the demo chip; its counter ticks every 20 cycles."""
    seen: list[Any] = []

    def body() -> None:
        begin = asc.get_system_cycle()
        for _ in range(49):
            asc.reset_mask()
        seen.append(asc.get_system_cycle() - begin)

    stamps = timed(body).stamps

    assert [(s.name, s.block, s.cycles - stamps[0].cycles) for s in stamps] == [
        ("get_system_cycle", 0, 0),
        ("get_system_cycle", 0, 100),
    ]
    assert [s.ticks for s in stamps] == [s.cycles // 20 for s in stamps]
    assert stamps.ticks(seen[0]) == stamps[1].ticks - stamps[0].ticks == 5
    assert all(s.line.startswith("test_clock.py:") for s in stamps)


def test_u13_a_microsecond_is_fifty_ticks_on_ascend910b1() -> None:
    """1850 cycles of the core are 50 ticks of the counter, wherever they begin."""
    chip = asc.HardwareSpec.load("Ascend910B1")
    for begin in (0, 36, 37, 1000):
        rows = [Row("S", at, at + 1, "get_system_cycle") for at in (begin, begin + 1850)]
        first, second = build(*rows, spec=chip).stamps

        assert second.cycles - first.cycles == 1850
        assert second.ticks - first.ticks == 50


def test_marks_are_listed_by_block_and_with_their_numbers() -> None:
    """Each block has its own; the line is the kernel's."""

    def body() -> None:
        asc.metrics_prof_start()
        asc.print_time_stamp(7)
        asc.reset_mask()
        asc.metrics_prof_stop()

    stamps = timed(body, blocks=2).stamps

    one = ["metrics_prof_start", "print_time_stamp desc_id=7", "metrics_prof_stop"]
    assert [(s.block, s.name) for s in stamps] == [(block, name) for block in (0, 1) for name in one]
    assert [s.cycles - stamps[0].cycles for s in stamps[:3]] == [0, 2, 6]
    assert stamps[-1].block == 1
    assert repr(stamps) == repr(tuple(stamps))


def test_readings_add_up() -> None:
    """Sums of differences (20 instructions are 2 ticks), with whole numbers, on either side; of two blocks as well."""
    seen: list[Any] = []

    def body() -> None:
        total: Any = 0
        for _ in range(3):
            begin = asc.get_system_cycle()
            for _ in range(19):
                asc.reset_mask()
            total += asc.get_system_cycle() - begin
        seen.append((total, 100 - total + 5))

    stamps = timed(body, blocks=2).stamps

    for total, rest in seen:
        assert stamps.ticks(total) == 6
        assert stamps.ticks(rest) == 99
    (first, _), (second, _) = seen
    assert stamps.ticks(first + second) == 12
    assert stamps.ticks(first - first) == 0


def test_readings_are_printed_by_their_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """What one sees in a kernel is where they were taken."""
    code = compile("a = asc.get_system_cycle()\nb = asc.get_system_cycle()\nprint(b - a, a + 3)", "k.py", "exec")

    on_ub(lambda: exec(code, {"asc": asc}))

    assert capsys.readouterr().out == "<system counter at k.py:2 -k.py:1> <system counter at k.py:1 +3>\n"


def test_long_sums_are_cut_short() -> None:
    """Four readings are enough to see what is meant."""
    total: list[Any] = [0]

    def body() -> None:
        for _ in range(9):
            total[0] += asc.get_system_cycle()

    on_ub(body)

    assert repr(total[0]).count("test_clock.py:") == 4
    assert repr(total[0]).endswith("…>")


@pytest.mark.parametrize(
    "use",
    [
        bool,
        int,
        float,
        range,
        lambda t: t > 5,
        lambda t: t == t,  # noqa: PLR0124  that is the question
        lambda t: min(5, t),
        lambda t: t / 50,
        lambda t: np.float32(2) * t,
        lambda t: 1.5 + t,
        lambda t: t & 1,
    ],
)
def test_what_needs_the_number_is_refused(use: Callable[[Any], object]) -> None:
    """In a kernel with its line, elsewhere without."""
    seen: list[Any] = []

    def body() -> None:
        seen.append(asc.get_system_cycle())
        use(seen[0])

    with pytest.raises(asc.UsageError, match=r"is no number in a kernel: no time passes.*timeline.stamps\n  at test_c"):
        on_ub(body)
    with pytest.raises(asc.UsageError, match=r"look into timeline\.stamps$"):
        use(seen[0])


def test_branching_names_the_line() -> None:
    """A loop that waits for the clock would never end."""

    def body() -> None:
        begin = asc.get_system_cycle()
        while asc.get_system_cycle() - begin < 100:
            pass

    with refused(asc.UsageError, "<system counter at test_clock.py:", "Nothing in it may depend on the clock"):
        on_ub(body)


def test_a_reading_cannot_be_stored() -> None:
    """Memory holds numbers."""

    def body(x: Any) -> None:
        x.set_value(0, asc.get_system_cycle())

    with refused(asc.UsageError, "set_value: value must be a number, got <system counter at"):
        on_ub(body, np.zeros(8, np.int32))


def test_readings_of_another_launch_are_refused() -> None:
    """They would give some number."""
    seen: list[Any] = []
    timeline = timed(lambda: (asc.reset_mask(), seen.append(asc.get_system_cycle())))
    other = timed(lambda: (asc.get_system_cycle(), asc.reset_mask()))

    assert timeline.stamps.ticks(seen[0]) == timeline.stamps[0].ticks
    with pytest.raises(asc.UsageError, match=r"did not read the clock at test_clock\.py:"):
        other.stamps.ticks(seen[0])
    with pytest.raises(asc.UsageError, match="takes what get_system_cycle gave to the kernel, got 3"):
        other.stamps.ticks(3)  # type: ignore[arg-type]


def test_a_timeline_without_marks_has_no_stamps() -> None:
    """Only the marks are listed."""
    assert list(timed(lambda: asc.reset_mask()).stamps) == []  # noqa: PLW0108  its line must be in a file


def test_program_counter_is_a_place() -> None:
    """It prints its line, and is one scalar row; it is no stamp, and no number."""
    seen: list[Any] = []
    (row,) = program_of(lambda: seen.append(asc.get_program_counter())).blocks[0]

    assert repr(seen[0]).startswith("<program counter at test_clock.py:")
    assert row.template.op.demand(row.template, (), asc.HardwareSpec.load("demo")).occupancy == 1
    for use in (operator.neg, hex, lambda pc: pc + 4):
        with pytest.raises(asc.UsageError, match="nothing is compiled, so code has no address"):
            use(seen[0])
