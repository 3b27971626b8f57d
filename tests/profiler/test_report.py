"""The files a report is saved as."""

from __future__ import annotations

import io
import json
import struct
from pathlib import Path

import pytest

from ascendc.language.hardware import HardwareSpec
from ascendc.language.program import Kind
from profiler import Report, files, profile
from profiler.chart import write_chart
from profiler.palette import ORANGE, PURPLE, stages
from profiler.window import choose
from simulator.timeline import Cause
from tests.profiler.timelines import Row, build, copy_in, streaming

MANY = HardwareSpec.load("demo").replace({"core.aiv.count": 48})


@pytest.fixture
def report() -> Report:
    return profile(build(*streaming(2, 6, buffers=2, load=100, work=40, store=60), hbm_read=49_152))


def test_save_writes_picture_trace_and_numbers(report: Report, tmp_path: Path) -> None:
    """Into a directory that did not exist; nothing else is left there."""
    paths = report.save(tmp_path / "deep" / "out")

    assert [path.name for path in paths] == ["timeline.png", "trace.json", "profile.json"]
    assert sorted(path.name for path in (tmp_path / "deep" / "out").iterdir()) == sorted(p.name for p in paths)
    assert json.loads(paths[2].read_text()) == report.as_dict()


def test_the_same_launch_gives_the_same_bytes(report: Report, tmp_path: Path) -> None:
    """Two reports on equal timelines, saved in two places, byte for byte."""
    again = profile(build(*streaming(2, 6, buffers=2, load=100, work=40, store=60), hbm_read=49_152))

    for a, b in zip(report.save(tmp_path / "a"), again.save(tmp_path / "b"), strict=True):
        assert a.read_bytes() == b.read_bytes()


def test_numbers_are_versioned_and_complete(report: Report) -> None:
    """What the command prints as JSON is all in here."""
    numbers = report.as_dict()

    assert numbers["schema"] == 1
    assert numbers["cycles"] == 700
    assert numbers["task_us"] == pytest.approx(1.7)
    assert numbers["pipes"]["MTE2"]["busy_cycles"] == 600
    assert numbers["pipes"]["MTE2"]["ratio"] == pytest.approx(600 / 700)
    assert numbers["pipes"]["V"]["wait_cycles"]["flag"] == 400
    assert numbers["bandwidth"]["memories"]["HBM"]["read_bytes"] == 49_152
    assert numbers["bandwidth"]["paths"]["gm_to_ub"]["bytes_per_transfer"] == 4096
    assert numbers["verdict"]["line"] == str(report.verdict)
    assert numbers["thresholds"] == {"use": 0.8, "vector_use": 0.65, "busy": 0.8}
    assert json.loads(json.dumps(numbers)) == numbers


def test_an_interrupt_leaves_nothing_half_written(tmp_path: Path) -> None:
    """The old files are still whole and the new ones are not there."""
    (tmp_path / "a.txt").write_text("old")

    def interrupted(file: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        files.write_all(tmp_path, {"a.txt": lambda file: file.write(b"new") and None, "b.txt": interrupted})

    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "old"


def size_of(report: Report) -> tuple[int, int]:
    file = io.BytesIO()
    write_chart(report, file)
    assert file.getvalue().startswith(b"\x89PNG\r\n")
    width, height = struct.unpack(">II", file.getvalue()[16:24])
    return width, height


@pytest.mark.parametrize("cores", [1, 2, 3, 48])
def test_chart_of_any_number_of_cores(cores: int) -> None:
    """A page of the same size, whatever is on it."""
    assert size_of(profile(build(*streaming(cores, 40, 2, 100, 40, 60, skew=1), spec=MANY))) == (1920, 1080)


def test_chart_of_nothing() -> None:
    """A title, and no panel to divide by zero in."""
    assert size_of(profile(build(kinds=("aiv",)))) == (1920, 1080)


@pytest.mark.parametrize("kind", [Kind.COMPUTE, Kind.SET])
@pytest.mark.parametrize("cores", [1, 48])
def test_chart_without_stages_waits_or_work(kind: Kind, cores: int) -> None:
    """One span is enough of a launch, and so is a flag."""
    assert size_of(profile(build(Row("V", 0, 9, kind=kind), kinds=("aiv",) * cores, spec=MANY))) == (1920, 1080)


def test_chart_of_overlaps_scalars_and_waits_of_all_causes() -> None:
    """Everything that has a colour of its own, and a span of no length."""
    rows = [copy_in(0, 100), copy_in(50, 150), Row("S", 10, 20, "get_value", Kind.SCALAR), Row("V", 30, 30)]
    rows += [Row("V", 60 + 9 * c, 64 + 9 * c, ready=55 + 9 * c, cause=c, stage="mine") for c in Cause]

    assert size_of(profile(build(*rows))) == (1920, 1080)


def test_a_short_launch_is_shown_whole() -> None:
    """Eight tiles on one core: all of it."""
    window = choose(profile(build(*streaming(1, 8, 2, 100, 40, 60))).lanes)

    assert (window.cores, window.start, window.stop, window.is_whole) == ((0,), 0, 900, True)


def test_a_long_launch_is_shown_from_its_middle() -> None:
    """240 loads of 100 cycles: 24 of them, from the 109th on; the first core and the last to end."""
    window = choose(profile(build(*streaming(4, 240, 2, 100, 40, 60, skew=1), spec=MANY)).lanes)

    assert window.cores == (0, 3)
    assert window.start == 10_800
    assert window.stop == 10_800 + (24_000 + 43 + 60) // 10
    assert not window.is_whole


def test_stages_have_fixed_colours_and_others_their_own() -> None:
    """``compute`` is orange everywhere; a stage of the author's gets the first free colour."""
    labels = [Row("V", 0, 1, stage="softmax").label, Row("V", 0, 1, stage="compute").label]

    assert stages(labels) == {"compute": ORANGE, "softmax": PURPLE}
