"""``ascendc prof``: run any script and profile every launch in it."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import click

from ascendc.language.findings import Severity
from ascendc.language.hardware import HardwareSpec
from ascendc.language.hazards import describe
from ascendc.language.options import defaults, observe
from ascendc.language.program import Program

from . import arguments as given
from .progress import Line, progress
from .reports import launch_folder, remove_others, save
from .scripts import run_file
from .traces import Asked, left_out, trace_options

EPILOG = """\b
Examples:
  ascendc prof my_script.py
  ascendc prof --out out/night my_script.py --size 4096

Options before SCRIPT are ours; everything after it is the script's own.
"""


@click.command(epilog=EPILOG, context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("--chip", callback=given.chip, metavar="CHIP", help="The chip of launches that name none.")
@click.option(
    "--out",
    callback=given.folder,
    metavar="DIR",
    default="out/prof",
    show_default=True,
    help="Where the reports go.",
)
@trace_options
@given.hazards_option("stop, go on and exit 1, or do not look")
@click.option("--quiet", is_flag=True, help="Say nothing besides what the script says.")
@click.argument("script", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def prof(
    chip: HardwareSpec | None,
    out: Path,
    hazards: str,
    quiet: bool,
    script: Path,
    arguments: tuple[str, ...],
    asked: Asked,
) -> int:
    """Run SCRIPT as Python would, and profile every launch in it.

    Launch n of a kernel goes to OUT/n-kernel, and one line about it to stderr.  Reports of launches that an
    earlier run had and this one has not are removed.
    """
    with progress(not quiet) as line, defaults(chip=chip, hazards=hazards):
        launches = _Launches(out, quiet, asked, line)
        with observe(on_launch=launches.profile, on_pass=line.begin if line else None):
            status = _run(script, arguments)
    launches.remove_earlier()
    if not launches.count and not quiet:
        click.echo(f"{script} launched no kernel", err=True)
    return status or int(launches.has_errors)


class _Launches:
    """Profiles programs as they come, so that none has to be kept.

    Attributes:
        count: how many came.
        has_errors: whether a pass found an error in one of them.
    """

    def __init__(self, out: Path, quiet: bool, asked: Asked, line: Line | None) -> None:
        self.count, self.has_errors = 0, False
        self._out, self._quiet, self._asked, self._line = out, quiet, asked, line
        self._folders: set[Path] = set()
        self._files: set[str] = set()

    def profile(self, program: Program) -> None:
        """Time one launch and write its report."""
        from profiler import profile
        from simulator import simulate

        self.count += 1
        self.has_errors |= any(f.severity is Severity.ERROR for f in program.findings)
        line = self._line
        report = profile(simulate(program, progress=line.counter("counting cycles") if line else None))
        if line is not None:
            line.rest()
        folder = launch_folder(self._out, self.count, program.kernel)
        trace = self._asked.trace(report)
        self._files = {file.name for file in save(report, folder, trace)}
        self._folders.add(folder)
        if program.findings:
            click.echo(describe(program.findings), err=True)
        if not self._quiet:
            click.echo(f"{folder}: {report.cycles:,} cycles, {report.task_us:,.2f} us, {report.verdict}", err=True)
            if trace.left_out:
                click.echo(left_out(trace), err=True)

    def remove_earlier(self) -> None:
        """Remove what a run with more launches left here; a run without any has nothing to be mixed up with."""
        if self._folders:
            remove_others(self._out, self._folders, self._files)


def _run(script: Path, arguments: tuple[str, ...]) -> int:
    """Run the script as ``python script arguments`` would; its exit status."""
    argv, path = sys.argv[:], sys.path[:]
    sys.argv[:] = [str(script), *arguments]
    sys.path.insert(0, str(script.parent.absolute()))
    try:
        run_file(runpy.run_path, str(script), run_name="__main__")
    except SystemExit as leave:
        return _status(leave.code)
    finally:
        sys.argv[:], sys.path[:] = argv, path
    return 0


def _status(code: object) -> int:
    """What Python makes of the argument of ``sys.exit``."""
    if code is None:
        return 0
    if isinstance(code, int):
        return code
    click.echo(code, err=True)
    return 1
