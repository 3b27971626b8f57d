"""``ascendc lint``: what can be told of an operator without data that matter.

It runs twice, under all checks: with the asked shape, for capacity, order and advice, and with a few elements,
for tails and empty shares.  Whether the result is right is the business of ``ascendc run``.
"""

from __future__ import annotations

import json
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

import ascendc
from ascendc.language.errors import AscendError, HazardError
from ascendc.language.findings import Finding, Severity
from ascendc.language.hardware import HardwareSpec
from ascendc.language.options import defaults, observe
from ascendc.language.program import Program

from . import arguments
from .job import Job, extents
from .operators import find

VERSION = 1
"""Of the JSON object; it changes when a field changes its meaning or goes away."""
FEW = 7
"""Elements per extent of the small run: less than any block of 32 bytes holds of two-byte elements."""

EPILOG = """\b
Examples:
  ascendc lint my_op.py                         the operator in a file of yours
  ascendc lint my_op.py:softmax --shape 64x1000
  ascendc lint my_op.py --json | jq '.findings[] | .id'
\b
Each finding has a line, a severity and an id that does not change:
  error    wrong on the chip: out-of-bounds, capacity, raw, war, waw, cores …
  warning  legal but surprising: leak, rounding, unwritten, a small shape that fails …
  advice   slower than need be: single-buffer, small-transfer, gm-alignment

Exit status: 0 no error found, 1 an error found, 2 a mistake on the command line.
"""


@click.command(epilog=EPILOG)
@click.argument("target", metavar="FILE[:NAME]")
@arguments.job_options
@arguments.hazards_option("errors, warnings, or not looked for")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def lint(
    target: str,
    shape: tuple[int, ...] | None,
    dtype: str | None,
    blocks: int | None,
    chip: HardwareSpec,
    hazards: str,
    as_json: bool,
) -> int:
    """Find mistakes in an operator without looking at its results.

    FILE has an operator; NAME says which, if there are several.  The name of an operator of ours will do, too.
    """
    operator = find(target)
    job = Job(operator, shape or operator.shape, dtype or operator.dtype, blocks or operator.blocks, chip)
    job.check()
    found = [_weighed(f, hazards) for f in _findings(job, hazards)]
    click.echo(_as_json(target, job, found) if as_json else _text(target, job, found))
    return int(any(f.severity is Severity.ERROR for f in found))


def _findings(job: Job, hazards: str) -> Iterator[Finding]:
    """What the asked shape shows, then what a few elements show besides."""
    seen: set[tuple[str, tuple[str, ...]]] = set()
    few = replace(job, shape=tuple(min(n, FEW) for n in job.shape))
    for run in (_Run(job, hazards), *([_Run(few, hazards)] if few != job else [])):
        for finding in run.few_findings() if run.job is few else run.findings():
            if (finding.kind, finding.lines) not in seen:
                seen.add((finding.kind, finding.lines))
                yield finding


class _Run:
    """One run of an operator: the programs it launched, and how it ended.

    Attributes:
        job: what was run.
    """

    def __init__(self, job: Job, hazards: str) -> None:
        self.job = job
        self._programs: list[Program] = []
        self._error: Exception | None = None
        self._unwritten = 0
        # The checks all go on, whatever unordered accesses are called in the end.
        with (
            defaults(chip=job.chip, hazards="off" if hazards == "off" else "warn"),
            observe(on_launch=self._programs.append),
        ):
            try:
                self._unwritten = job.operator.run(shape=job.shape, dtype=job.dtype, blocks=job.blocks).unwritten
            except Exception as error:  # noqa: BLE001  whatever a kernel raises is a finding about it
                self._error = error

    def findings(self) -> Iterator[Finding]:
        """Everything, with advice."""
        from .rules import advise

        yield from self._checked()
        if self._error is not None and not isinstance(self._error, HazardError):
            yield _raised(self._error)
        if self._unwritten:
            yield Finding("unwritten", Severity.WARNING, f"{self._unwritten:,} bytes of outputs stay unwritten", (), ())
        for program in self._programs:
            yield from advise(program)

    def few_findings(self) -> Iterator[Finding]:
        """What the small run adds: no advice, and a failure is a limit of the operator, not an error.

        An operator that refuses the shape before it launches anything has done right.
        """
        yield from self._checked()
        if self._error is not None and _is_in_kernel(self._error):  # unordered accesses are found after the last line
            raised = _raised(self._error)
            text = f"fails at shape {extents(self.job.shape)}: {raised.message}"
            yield replace(raised, severity=Severity.WARNING, message=text)

    def _checked(self) -> Iterator[Finding]:
        yield from getattr(self._error, "findings", ())
        for program in self._programs:
            yield from program.findings


def _is_in_kernel(error: Exception) -> bool:
    """Whether a launch had begun: it leaves a note."""
    return any(note.startswith("in block ") for note in getattr(error, "__notes__", ()))


def _raised(error: Exception) -> Finding:
    """An exception as a finding at the last line that is the author's."""
    ours = str(Path(ascendc.__file__).parent)
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(ours)]
    lines = (f"{Path(frames[-1].filename).name}:{frames[-1].lineno}",) if frames else ()
    name = type(error).__name__
    if not isinstance(error, AscendError):
        return Finding("exception", Severity.ERROR, f"{name}: {error}", lines, ())
    words = "".join(f"-{c.lower()}" if c.isupper() else c for c in name.removesuffix("Error"))
    return Finding(words.removeprefix("-"), Severity.ERROR, str(error).partition("\n  at ")[0], lines, ())


def _weighed(finding: Finding, hazards: str) -> Finding:
    """Unordered accesses as what ``--hazards`` calls them."""
    from ascendc.language.hazard.hits import Rule

    is_hazard = finding.kind in {rule.kind for rule in Rule}
    return replace(finding, severity=Severity.WARNING) if is_hazard and hazards == "warn" else finding


def _place(target: str, finding: Finding) -> tuple[str, int | None]:
    """File and line; the file is as the command line has it, if it is that one."""
    file = target.partition(":")[0]
    if not finding.lines:
        return file, None
    name, _, line = finding.lines[0].rpartition(":")
    return file if Path(file).name == name else name, int(line)


def _words(finding: Finding) -> str:
    """The message without the line that stands before it anyway."""
    return finding.message.removeprefix(f"{finding.lines[0]}: ") if finding.lines else finding.message


def _text(target: str, job: Job, found: Sequence[Finding]) -> str:
    lines = []
    for finding in found:
        file, line = _place(target, finding)
        where = file if line is None else f"{file}:{line}"
        lines.append(f"{where}: {finding.severity.value}: {_words(finding)} [{finding.kind}]")
    counts = Counter(f.severity for f in found)
    total = ", ".join(_many(counts[s], s) for s in Severity if counts[s]) or "nothing found"
    return "\n".join([*lines, f"{job.operator.name} {extents(job.shape)} {job.dtype} on {job.chip.name}: {total}"])


def _many(count: int, severity: Severity) -> str:
    plural = "s" if count > 1 and severity is not Severity.ADVICE else ""
    return f"{count} {severity.value}{plural}"


def _as_json(target: str, job: Job, found: Sequence[Finding]) -> str:
    return json.dumps(
        {
            "version": VERSION,
            "operator": job.operator.name,
            "chip": job.chip.name,
            "shape": list(job.shape),
            "dtype": job.dtype,
            "blocks": job.blocks,
            "findings": [_finding(target, f) for f in found],
        }
    )


def _finding(target: str, finding: Finding) -> dict[str, Any]:
    file, line = _place(target, finding)
    return {
        "id": finding.kind,
        "severity": finding.severity.value,
        "file": file,
        "line": line,
        "message": _words(finding),
        "lines": list(finding.lines),
        "blocks": list(finding.blocks),
    }
