"""``ascendc run``: make inputs, run an operator, compare, count cycles, say what came out."""

from __future__ import annotations

from pathlib import Path

import click

from ascendc.language.errors import HazardError, OperatorError
from ascendc.language.hardware import HardwareSpec
from ascendc.language.hazards import describe
from ascendc.language.options import defaults, observe

from . import arguments, show
from .job import Job
from .limits import limits as not_modelled
from .operators import find
from .progress import progress
from .reports import save
from .scripts import run_file
from .show import Done
from .traces import Asked, left_out, trace_options

EPILOG = """\b
Examples:
  ascendc run                              the operators there are
  ascendc run add                          with its own shape, dtype and blocks
  ascendc run add --shape 8192x8192 --dtype float16 --blocks 48 --out out/add
  ascendc run add --out out/add --trace-cores 0,46-47 --trace-window 0:10000
  ascendc run my_op.py                     the operator in a file of yours
  ascendc run my_op.py:softmax --chip my_chip.toml
  ascendc run add --json | jq .task_us
  ascendc run my_op.py --compare           the first asc.compare_stage that differs
  ascendc run --limits                     what the cycles do not know
"""


@click.command(epilog=EPILOG)
@click.argument("operator", metavar="[NAME|FILE[:NAME]]", required=False)
@arguments.job_options
@click.option("--out", callback=arguments.folder, metavar="DIR", help="Write the report into this directory.")
@trace_options
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="What inputs are made from.")
@arguments.hazards_option("stop, go on and exit 1, or do not look")
@click.option("--compare", is_flag=True, help="Say which stage the kernel compares is the first that differs.")
@click.option(
    "--shuffle-atomics",
    type=click.IntRange(min=0),
    metavar="SEED",
    help="Apply atomic stores in another order of blocks.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@click.option("--quiet", is_flag=True, help="Print nothing but what is wrong.")
@click.option("--limits", is_flag=True, help="Print what the cycles do not know.")
def run(
    operator: str | None,
    shape: tuple[int, ...] | None,
    dtype: str | None,
    blocks: int | None,
    chip: HardwareSpec,
    out: Path | None,
    seed: int,
    hazards: str,
    compare: bool,
    shuffle_atomics: int | None,
    as_json: bool,
    quiet: bool,
    limits: bool,
    asked: Asked,
) -> int:
    """Run an operator, compare it with its reference, count its cycles.

    Give a name from the list that `ascendc run` prints, or a Python file that has an operator.
    Without --out no file is written.  The exit status is 1 if the result is wrong or a finding is an error;
    warnings do not count.
    """
    if limits:
        click.echo(not_modelled(chip))
        return 0
    if operator is None:
        click.echo(show.operators())
        return 0
    if asked and out is None:
        raise click.UsageError("--trace-cores, --trace-window and --trace-limit-mb are about a report; add --out DIR")
    found = find(operator)
    job = Job(found, shape or found.shape, dtype or found.dtype, blocks or found.blocks, chip)
    job.check()
    try:
        done = _run(job, seed, hazards, shuffle_atomics, is_watched=not (as_json or quiet))
    except HazardError as error:
        if as_json:
            click.echo(show.as_json(job, error.findings))
        click.echo(
            f"{describe(error.findings)}\nstopped; --hazards warn goes on to the result and the cycles", err=True
        )
        return 1
    trace = asked.trace(done.report) if out is not None else None
    if out is not None and trace is not None:
        save(done.report, out, trace)
    if as_json:
        click.echo(show.as_json(job, done.findings, done, trace))
    elif not quiet:
        click.echo(show.text(job, done, out))
        if trace is not None and trace.left_out:
            click.echo(left_out(trace))
    if compare and not as_json:
        click.echo(f"\n{show.stages(done)}")
    if complaints := show.complaints(done, with_warnings=not quiet, with_result=quiet or as_json):
        click.echo(complaints, err=True)
    return 0 if done.is_right else 1


def _run(job: Job, seed: int, hazards: str, shuffle: int | None, is_watched: bool) -> Done:
    """All passes.  What a kernel raises passes through."""
    from profiler import profile
    from simulator import simulate

    with progress(is_watched) as line:
        options = defaults(chip=job.chip, hazards=hazards, shuffle_atomics=shuffle)
        with options, observe(on_pass=line.begin if line else None):
            try:
                outcome = run_file(job.operator.run, shape=job.shape, dtype=job.dtype, blocks=job.blocks, seed=seed)
            except OperatorError as error:
                raise click.UsageError(str(error)) from error
        timeline = simulate(outcome.program, progress=line.counter("counting cycles") if line else None)
        return Done(outcome, profile(timeline))
