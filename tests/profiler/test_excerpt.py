"""What of a launch a trace holds, and that it says what it does not."""

from __future__ import annotations

import io
import json
import math
import re
from typing import Any

import pytest

import ascendc as asc
from ascendc.language.program import Kind
from profiler import Report, profile
from profiler.trace import Trace
from simulator.timeline import Cause
from tests.profiler.test_trace import slices
from tests.profiler.timelines import Row, build, copy_in, streaming


@pytest.fixture(scope="module")
def report() -> Report:
    """Eight cores, of which the last ends last, with 300 tiles each: 19,200 spans, a barrier a tile among them."""
    rows = streaming(8, 300, 2, load=97, work=41, store=59, skew=30)
    barriers = [Row("V", r.stop, r.stop, "pipe_barrier", Kind.BARRIER, r.core) for r in rows if r.name == "add"]
    return profile(build(*rows, *barriers))


def read(trace: Trace) -> tuple[dict[str, Any], list[dict[str, Any]], int]:
    """What is said of the file, its events, its bytes."""
    file = io.BytesIO()
    trace.write(file)
    whole = json.loads(file.getvalue())
    return whole["otherData"], whole["traceEvents"], len(file.getvalue())


def remarks(events: list[dict[str, Any]]) -> list[str]:
    """What the process above all others says."""
    (process,) = [e["pid"] for e in events if e.get("args") == {"name": "left out of this trace"}]
    return [e["name"] for e in events if e["ph"] == "X" and e["pid"] == process]


def test_everything_is_there_if_there_is_room(report: Report) -> None:
    """Nothing is said of what is left out, for nothing is."""
    about, events, _ = read(report.trace())

    assert (about["slices"], about["left_out"], about["left_out_why"]) == (19_200, 0, [])
    assert len(slices(events)) == 19_200


def test_cores_that_were_asked_for(report: Report) -> None:
    """All of theirs, nothing of the others; a core that did not run is named."""
    trace = report.trace(cores=[0, 2, 3, 8])

    about, events, _ = read(trace)
    assert trace.left_out == ("12,000 spans of cores 1, 4-7, not asked for", "core 8: only 8 ran")
    assert about["left_out_why"] == list(trace.left_out) == remarks(events)
    assert (about["slices"], about["left_out"]) == (7200, 12_000)
    shown = {e["pid"] - 1 for e in events if e["ph"] == "X"} - {8}
    assert shown == {0, 2, 3}


def test_a_window_holds_what_reaches_into_it_whole() -> None:
    """Of four copies of 100 cycles each the second ends in the window and the third begins in it."""
    starts = [0, 100, 200, 300]
    trace = profile(build(*(copy_in(at, at + 100) for at in starts))).trace(window=(150, 300))

    _, events, _ = read(trace)
    kept = [(start, stop) for _, _, start, stop, name in slices(events) if name == "data_copy"]
    assert kept == [(100, 200), (200, 300)]
    assert trace.left_out == ("2 spans outside of cycles 150 to 300, not asked for",)
    (remark,) = [e for e in events if "left" not in e["name"] and "spans" in e["name"]]
    assert (remark["ts"], remark["dur"]) == (0.1, 0.2)


def test_a_flag_that_is_visible_for_no_time_is_in_its_window() -> None:
    """A wait that found its flag has no length."""
    wait = Row("V", 5, 5, "wait", Kind.WAIT)

    for window, kept in (((5, 6), 1), ((4, 5), 0), ((6, 7), 0)):
        assert read(profile(build(wait)).trace(window=window))[0]["slices"] == kept


def test_flags_that_held_nothing_up_go_first(report: Report) -> None:
    """Just too small a limit for everything: work stays, and the waits that took time, with their flags."""
    whole = read(report.trace(limit_mb=math.inf))[2]

    trace = report.trace(limit_mb=whole * 0.99 / 1e6)

    about, events, nbytes = read(trace)
    (why,) = trace.left_out
    assert re.fullmatch(
        r"[\d,]+ spans of flags, waits and barriers that held nothing up, to stay within [\d.]+ MB", why
    )
    assert about["slices"] + about["left_out"] == 19_200
    assert nbytes <= whole * 0.99
    work = [name for *_, name in slices(events) if name in {"add", "data_copy"}]
    assert len(work) == 8 * 300 * 3
    ended = {e["id"] for e in events if e["ph"] == "f"}
    assert {e["id"] for e in events if e["ph"] == "s"} == ended
    assert len(ended) == len([e for e in read(report.trace())[1] if e["ph"] == "f"]) > 500


def test_then_cores_go_evenly(report: Report) -> None:
    """Less than half of the room has the first and the last, which takes longest, and some between."""
    nbytes = int(read(report.trace(limit_mb=math.inf))[2] * 0.45)

    trace = report.trace(limit_mb=nbytes / 1e6)

    _, events, written = read(trace)
    assert written <= nbytes
    shown = sorted({e["pid"] - 1 for e in events if e["ph"] == "X"} - {8})
    assert shown[0] == 0
    assert shown[-1] == 7
    assert 2 < len(shown) < 8
    gone = sorted({*range(8)} - {*shown})
    named = re.search(r"of cores? ([\d, -]+),", trace.left_out[1])
    assert named is not None
    assert [n for part in named[1].split(", ") for n in _range(part)] == gone


def _range(part: str) -> range:
    first, _, last = part.partition("-")
    return range(int(first), int(last or first) + 1)


def test_then_the_end_of_the_launch_goes() -> None:
    """One core that is too much by itself is shown from its beginning on, without a gap."""
    report = profile(build(*(copy_in(10 * i, 10 * i + 10) for i in range(5000))))

    trace = report.trace(limit_mb=0.2)

    about, events, nbytes = read(trace)
    kept = [start for _, _, start, _, name in slices(events) if name == "data_copy"]
    assert kept == [10 * i for i in range(about["slices"])]
    assert 150_000 < nbytes <= 200_000
    assert trace.left_out == (f"{5000 - len(kept):,} spans from cycle {10 * len(kept):,} on, to stay within 0.2 MB",)


@pytest.mark.parametrize("limit_mb", [0.02, 0.1, 0.3, 0.6, 1, 1.3, 1.6])
@pytest.mark.parametrize("time_unit", ["ns", "cycle"])
def test_no_limit_is_exceeded_and_every_span_is_accounted_for(report: Report, limit_mb: float, time_unit: Any) -> None:
    """Slices and what is left out add up, in the file and in the phrases."""
    trace = report.trace(limit_mb=limit_mb, time_unit=time_unit)

    about, events, nbytes = read(trace)
    assert nbytes <= limit_mb * 1e6
    assert len(slices(events)) - len(trace.left_out) == about["slices"]
    told = sum(int(phrase.split(" ")[0].replace(",", "")) for phrase in trace.left_out)
    assert about["slices"] + about["left_out"] == about["slices"] + told == 19_200


def test_a_limit_for_which_even_one_core_is_too_much_shows_the_one_that_ends_last() -> None:
    """Core 1 of two ends last."""
    rows = streaming(2, 50, 2, 100, 40, 60, skew=100)

    trace = profile(build(*rows)).trace(limit_mb=0.022)

    assert {e["pid"] for e in read(trace)[1] if e["ph"] == "X"} == {2, 3}
    assert len(trace.left_out) == 3


def test_an_empty_launch_fits_everywhere() -> None:
    """Nothing to leave out."""
    assert profile(build(kinds=("aiv",))).trace(limit_mb=0.001).left_out == ()


def test_a_wait_whose_flag_is_out_of_the_window_has_no_arrow() -> None:
    """Half an arrow would be an error to the viewer."""
    rows = [
        Row("MTE2", 40, 41, "set_flag MTE2_V", Kind.SET),
        Row("V", 90, 90, "wait_flag MTE2_V", Kind.WAIT, ready=60, cause=Cause.FLAG, by=0),
    ]

    assert [e["ph"] for e in read(profile(build(*rows)).trace(window=(50, 100)))[1] if e["ph"] in "sf"] == []


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        ({"cores": [-1]}, r"trace: cores must be numbers of cores, as \[0, 3\], got \[-1\]"),
        ({"cores": ["0"]}, r"trace: cores must be numbers of cores, as \[0, 3\], got \['0'\]"),
        ({"cores": 3}, r"trace: cores must be numbers of cores, as \[0, 3\], got 3"),
        ({"window": 5}, r"trace: window must be two cycles, as \(0, 10_000\), the first less, got 5"),
        ({"window": (5, 5)}, r"trace: window must be two cycles, as \(0, 10_000\), the first less, got \(5, 5\)"),
        ({"window": (0,)}, r"trace: window must be two cycles, as \(0, 10_000\), the first less, got \(0,\)"),
        ({"window": (0.5, 9)}, r"trace: window must be two cycles, as \(0, 10_000\), the first less, got \(0\.5, 9\)"),
        ({"limit_mb": math.nan}, r"trace: limit_mb must be more than 0, math\.inf for no limit, got nan"),
        ({"limit_mb": "50"}, r"trace: limit_mb must be more than 0, math\.inf for no limit, got '50'"),
        ({"limit_mb": 0}, r"trace: limit_mb must be more than 0, math\.inf for no limit, got 0"),
    ],
)
def test_what_makes_no_sense_is_refused(report: Report, asked: dict[str, Any], text: str) -> None:
    """Before anything is done."""
    with pytest.raises(asc.UsageError, match=f"^{text}$"):
        report.trace(**asked)


def test_a_report_is_saved_with_the_trace_it_is_given(report: Report, tmp_path: Any) -> None:
    """Or the trace alone, wherever one likes."""
    trace = report.trace(cores=[1])

    report.save(tmp_path / "out", trace)

    assert trace.save(tmp_path / "t.json").read_bytes() == (tmp_path / "out/trace.json").read_bytes()
