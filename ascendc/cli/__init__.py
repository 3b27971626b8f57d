"""The ``ascendc`` command: run an operator, profile a script, find mistakes, look things up.

Not here: anything a program could not do by itself in three calls.  The commands import what they need
when they run, so that ``--help`` is quick; the simulator, the profiler and the operators are imported here
and nowhere else in ``ascendc``.
"""

from __future__ import annotations

import traceback
from collections.abc import Sequence

import click

from .chips import chips
from .lint import lint
from .ops import ops
from .prof import prof
from .run import run
from .scripts import authors_part

__all__ = ["console", "main"]

WRONG, USAGE, INTERRUPTED = 1, 2, 130

EPILOG = """\b
Examples:
  ascendc run                        what can be run
  ascendc run add --shape 64x1000    run it, compare with NumPy, count the cycles
  ascendc run my_op.py --out out/my  run your own operator, write a report
  ascendc prof my_script.py --fast   profile every launch of a script
  ascendc lint my_op.py --json       find mistakes without looking at results
  ascendc chips Ascend910B1          the numbers of a chip, and where they come from
  ascendc ops cast                   what an instruction does

Exit status: 0 right, warnings or not; 1 a wrong result, or a finding that is an error;
2 a mistake on the command line; 130 interrupted.
"""


@click.group(invoke_without_command=True, epilog=EPILOG)
@click.version_option(package_name="ascendc", message="%(prog)s %(version)s")
@click.pass_context
def ascendc(context: click.Context) -> None:
    """Write Ascend C operators in Python, run them exactly, see every cycle."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (run, prof, lint, chips, ops):
    ascendc.add_command(command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit status.

    A mistake on the command line is one line on stderr.  Whatever else goes wrong, above all in a kernel,
    passes through with its traceback.
    """
    try:
        return ascendc.main(arguments, prog_name="ascendc", standalone_mode=False) or 0
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        click.echo(f"{context.command_path if context else 'ascendc'}: {error.format_message()}", err=True)
        return USAGE
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return INTERRUPTED


def console() -> int:
    """As :func:`main`; but where the file of an author fails while it runs, our own frames above it are not shown."""
    try:
        return main()
    except Exception as error:  # noqa: BLE001  whatever it is, it is shown whole
        traceback.print_exception(error.with_traceback(authors_part(error.__traceback__)))
        return WRONG
