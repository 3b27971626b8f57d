"""What ``ascendc run`` says about what came out, as text and as JSON."""

from __future__ import annotations

import json
import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ascendc.language.compare import Comparison, first_difference
from ascendc.language.findings import Finding, Severity
from ascendc.language.hazards import describe

from .job import Job, extents

if TYPE_CHECKING:
    from ascendc.language.operator import Outcome, Published
    from profiler import Report, Trace

WIDTH = 80


@dataclass(frozen=True, slots=True)
class Done:
    """What came of it."""

    outcome: Outcome
    report: Report

    @property
    def findings(self) -> Sequence[Finding]:
        """What the passes had to say."""
        return self.outcome.program.findings

    @property
    def is_right(self) -> bool:
        """Whether the result is the reference's and no finding is an error."""
        return self.outcome.correct and not _errors(self.findings)


def operators() -> str:
    """The operators there are, one line each."""
    from kernels import OPERATORS

    width = max(map(len, OPERATORS))
    rows = [f"  {name:<{width}}  {operator.doc}" for name, operator in sorted(OPERATORS.items())]
    return "\n".join(["Operators, to run with `ascendc run NAME`:", "", *(_fit(row) for row in rows)])


def text(job: Job, done: Done, out: Path | None) -> str:
    """What was run, whether it is right, the profiler's report, published times, where the files are."""
    parts = [
        "\n".join(_head(job, done)),
        done.report.text().rstrip("\n"),
        "\n".join(_published(job, done)),
        f"report in {out}" if out is not None else "",
    ]
    return "\n\n".join(filter(None, parts))


def stages(done: Done) -> str:
    """The stages the kernels compared with what they should hold, and the first that differs."""
    compared = done.outcome.program.comparisons
    if not compared:
        return "no stage was compared: put asc.compare_stage(name, got, want) into the kernel"
    width = max(len(stage.name) for stage in compared)
    lines = [
        f"  {stage.name:<{width}}  {stage.wrong:,} of {stage.lanes:,} lanes differ"
        if stage.wrong
        else f"  {stage.name:<{width}}  as wanted in {stage.lanes:,} lanes"
        for stage in compared
    ]
    first = first_difference(compared)
    verdict = f"first to differ, at {first.line}: {first}" if first else "no stage differs"
    return "\n".join(["Stages compared:", *lines, textwrap.fill(verdict, WIDTH, break_long_words=False)])


def complaints(done: Done, with_warnings: bool, with_result: bool) -> str:
    """The findings, and a wrong result where :func:`text` has not said it; or nothing."""
    shown = list(done.findings) if with_warnings else _errors(done.findings)
    parts = [] if done.outcome.correct or not with_result else [*_wrong(done.outcome)]
    if shown:
        parts.append(describe(shown))
    return "\n".join(parts)


def as_json(job: Job, findings: Sequence[Finding], done: Done | None = None, trace: Trace | None = None) -> str:
    """One object.  Numbers nobody knows, because unordered accesses stopped the run, are null."""
    outcome, report = (done.outcome, done.report) if done else (None, None)
    blocks = len(outcome.program.blocks) if outcome else job.blocks
    fields = {
        "operator": job.operator.name,
        "chip": job.chip.name,
        "shape": list(job.shape),
        "dtype": job.dtype,
        "blocks": blocks,
        "correct": outcome.correct if outcome else None,
        "max_abs_error": _finite(outcome.max_abs_error) if outcome else None,
        "mismatches": outcome.mismatches if outcome else None,
        "unwritten": outcome.unwritten if outcome else None,
        "cycles": report.cycles if report else None,
        "core_us": report.core_us if report else None,
        "task_us": report.task_us if report else None,
        "verdict": str(report.verdict) if report else None,
        "pipes": {n: {"busy_cycles": p.busy_cycles, "ratio": p.ratio} for n, p in report.pipes.items()}
        if report
        else {},
        "published": [asdict(point) for point in _points(job, blocks)],
        "hazards": [_finding(f) for f in findings],
        "trace_left_out": list(trace.left_out) if trace else [],
        "stages": [_stage(c) for c in outcome.program.comparisons] if outcome else [],
    }
    return json.dumps(fields, allow_nan=False)


def _head(job: Job, done: Done) -> Iterator[str]:
    blocks = len(done.outcome.program.blocks)
    yield (
        f"{job.operator.name} {extents(job.shape)} {job.dtype} in {blocks:,} block{'s'[: blocks != 1]}, "
        f"on {job.chip.name}"
    )
    if not done.outcome.correct:
        yield from _wrong(done.outcome)
    elif done.outcome.max_abs_error == 0:
        yield "right: every bit as in the reference"
    else:
        yield f"right: within {done.outcome.max_abs_error:.3g} of the reference"


def _wrong(outcome: Outcome) -> list[str]:
    parts = [f"{outcome.mismatches:,} elements are not the reference's, off by up to {outcome.max_abs_error:.6g}"]
    if outcome.first_mismatch is not None:
        index, got, wanted = outcome.first_mismatch
        parts.append(f"first at {index}: {got} instead of {wanted}")
    if outcome.unwritten:
        parts.append(f"{outcome.unwritten:,} bytes were never written")
    return textwrap.wrap(f"WRONG: {'; '.join(parts)}", WIDTH, subsequent_indent="  ")


def _published(job: Job, done: Done) -> Iterator[str]:
    for point in _points(job, len(done.outcome.program.blocks)):
        apart = done.report.task_us / point.us - 1
        line = f"published {point.us:,.1f} us for {point.what} ({point.source}); simulated {apart:+.1%}"
        yield from textwrap.wrap(line, WIDTH, subsequent_indent="  ")


def _points(job: Job, blocks: int | None) -> list[Published]:
    """Times somebody measured on this chip for this very job."""
    asked = (tuple(job.shape), job.dtype, blocks, job.chip.name)
    return [p for p in job.operator.published if (tuple(p.shape), p.dtype, p.blocks, p.chip) == asked]


def _errors(findings: Sequence[Finding]) -> list[Finding]:
    return [f for f in findings if f.severity is Severity.ERROR]


def _finding(finding: Finding) -> dict[str, Any]:
    return asdict(finding) | {"severity": finding.severity.value}


def _stage(stage: Comparison) -> dict[str, Any]:
    first = [[*w[:3], _finite(w.got), _finite(w.want)] for w in stage.first]
    errors = {k: _finite(getattr(stage, k)) for k in ("max_abs_error", "max_rel_error")}
    return {**asdict(stage), **errors, "first": first}


def _finite(value: float) -> float | None:
    """JSON has no infinity; a result that is infinitely wrong has no number."""
    return value if math.isfinite(value) else None


def _fit(line: str) -> str:
    return line if len(line) <= WIDTH else line[: WIDTH - 2].rstrip() + " …"
