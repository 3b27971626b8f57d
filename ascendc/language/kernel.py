"""Declaring and launching kernels: the functional pass.

``@kernel`` marks a function; ``f[blocks](x, y, n)`` runs it once per block on real data, records what it
issues, looks for hazards and gives the :class:`Program`.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MethodType
from typing import Any, Generic, ParamSpec, overload

import numpy as np

from .arguments import Layout
from .compare import Tally
from .core import Core, current, enter, running
from .errors import AscendError, DeadlockError, HazardError, UsageError
from .findings import Remarks, Severity
from .hardware import HardwareSpec
from .numbers import is_whole
from .options import Options, checked, current_options, defaults
from .program import Program, Recorder, Template
from .site import end_at_kernel
from .stage import SUSPENDED
from .turns import Turns

P = ParamSpec("P")


class Kernel(Generic[P]):
    """A kernel, or a device function that kernels call.

    Attributes:
        body: the function itself.
    """

    def __init__(self, body: Callable[P, Any], *, auto_sync: bool | None = None) -> None:
        if not (inspect.isfunction(body) or inspect.ismethod(body)):
            raise UsageError(f"@kernel goes on a function, got {body!r}")
        if any(asks(body) for asks in SUSPENDED):
            raise UsageError(f"@kernel: {body.__name__} is a generator or coroutine; a kernel is a plain function")
        self.body, self._auto_sync = body, auto_sync
        functools.update_wrapper(self, body)

    def __getitem__(self, launch: int | tuple[int, Any]) -> Callable[..., Program]:
        """``kernel[blocks]`` or ``kernel[blocks, stream]``; streams run in order of launch, so any will do.

        Arrays of the host become addresses in the kernel, so what a launch takes is not what the kernel declares.
        All arguments are the kernel's, whatever they are called; options are those of :meth:`launch`.
        """
        blocks = launch[0] if isinstance(launch, tuple) else launch
        return lambda *args, **kwargs: self._launch(blocks, args, kwargs, self._auto_sync)

    def __get__(self, instance: object, owner: type | None = None) -> Kernel[...]:
        """The kernel a method is, with the object it is a method of as its first argument."""
        if instance is None or inspect.ismethod(self.body):
            return self
        return Kernel(MethodType(self.body, instance), auto_sync=self._auto_sync)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Any:
        """Call as a device function, inside a running kernel.

        Raises:
            UsageError: no kernel is running.
        """
        if not running():
            name = self.body.__name__
            raise UsageError(f"{name}: launch a kernel with its number of blocks, as {name}[8](…)")
        return self.body(*args, **kwargs)

    def launch(
        self,
        blocks: int,
        /,
        *args: Any,
        hazards: str | None = None,
        chip: str | Path | HardwareSpec | None = None,
        auto_sync: bool | None = None,
        shuffle_atomics: int | None = None,
        **kwargs: Any,
    ) -> Program:
        """Launch with options of this launch only; see :class:`Options`.

        Raises:
            UsageError: an option is given that the kernel has a parameter of the same name for.
        """
        options = {"hazards": hazards, "chip": chip, "auto_sync": auto_sync, "shuffle_atomics": shuffle_atomics}
        for name in inspect.signature(self.body).parameters:
            if options.get(name) is not None:
                raise UsageError(
                    f"{self.body.__name__}.launch: {name} is an option and a parameter of the kernel, too; "
                    f"for the parameter use {self.body.__name__}[blocks](…), for the option asc.defaults({name}=…)"
                )
        auto_sync = self._auto_sync if auto_sync is None else auto_sync
        with defaults(hazards=hazards, chip=chip, shuffle_atomics=shuffle_atomics):
            return self._launch(blocks, args, kwargs, auto_sync)

    def _launch(self, blocks: Any, args: tuple[Any, ...], kwargs: dict[str, Any], auto_sync: bool | None) -> Program:
        if running():
            raise UsageError(f"{self.body.__name__}: a kernel cannot launch another; call it without [blocks]")
        options = checked(current_options())
        options = options if auto_sync is None else replace(options, auto_sync=auto_sync)
        spec = options.spec
        _check_blocks(self.body.__name__, blocks, spec)
        layout = Layout(self.body, args, kwargs)
        run = _Run(self.body, spec, int(blocks), options, layout)
        for begins in options.on_pass:
            begins("running blocks", run.so_far)
        program = run.program(run.blocks())
        if options.hazards != "off":
            for begins in options.on_pass:
                begins("looking for hazards", lambda: (0, None))
            program = _judge(program, options.hazards)
        for told in options.on_launch:
            told(program)
        return program


def _check_blocks(name: str, blocks: Any, spec: HardwareSpec) -> None:
    if not is_whole(blocks):
        raise UsageError(f"{name}[{blocks!r}]: the number of blocks must be a whole number")
    if not 0 <= int(blocks) <= spec.limits.blocks:
        raise UsageError(f"{name}[{blocks}]: the number of blocks must be 0 to {spec.limits.blocks}")


class _Run:
    """One launch while it runs."""

    def __init__(
        self, body: Callable[..., Any], spec: HardwareSpec, count: int, options: Options, layout: Layout
    ) -> None:
        self._body, self._spec, self._count, self._options, self._layout = body, spec, count, options, layout
        self._templates: list[Template] = []
        self._plans: dict[Any, Any] = {}
        self._remarks = Remarks()
        self._comparisons: dict[str, Tally] = {}
        self._recorders: dict[int, Recorder] = {}
        self._ended = self._ended_rows = 0
        self._kind = spec.vector_kind
        order = list(range(count))
        if options.shuffle_atomics is not None:
            order = np.random.default_rng(options.shuffle_atomics).permutation(count).tolist()
        self._turns = Turns(count, spec.core[self._kind].count, lambda turn: self._block(order[turn]))

    def blocks(self) -> list[Recorder]:
        """Run all blocks."""
        try:
            self._turns.run(self._told)
        finally:
            self._layout.end()
        return [self._recorders[i] for i in range(self._count)]

    def so_far(self) -> tuple[int, int | None]:
        """Instructions issued, and in all if the blocks to come are like those that ended."""
        rows = sum(len(rec.rows) for rec in list(self._recorders.values()))
        return rows, max(rows, self._ended_rows * self._count // self._ended) if self._ended else None

    def _told(self, done: int) -> None:
        for told in self._options.on_block:
            told(done, self._count)

    def _block(self, index: int) -> None:
        rec = self._recorders[index] = Recorder(self._kind, self._templates)
        core = Core(
            spec=self._spec,
            kind=self._kind,
            kernel=self._body.__name__,
            index=index,
            count=self._count,
            rec=rec,
            plans=self._plans,
            auto_sync=self._options.auto_sync,
            remarks=self._remarks,
            comparisons=self._comparisons,
        )
        core.pause = functools.partial(self._pause, core, set())
        enter(core)
        try:
            self._body(*self._layout.args, **self._layout.kwargs)
        except Exception as error:
            if isinstance(error, AscendError):
                end_at_kernel(error)
            error.add_note(
                f"in block {index} of {self._count} of kernel {self._body.__name__} on {self._spec.name}; "
                "its output arrays are partial: they hold what was written before"
            )
            raise
        finally:
            enter(None)
        core.close()
        self._ended_rows += len(rec.rows)
        self._ended += 1

    def _pause(self, core: Core, seen: set[tuple[int, int]], address: int) -> None:
        """Let the others run before global memory is read; only looking again at the same place is idle."""
        look = (address, len(core.rec.rows))
        idle = (address, look[1] - 1) in seen
        seen.clear()
        seen.add(look)
        if not self._turns.pause(idle=idle):
            core.fail(DeadlockError, "get_value: this block polls global memory, and no block will write it any more")

    def program(self, recorders: list[Recorder]) -> Program:
        """What the launch issued."""
        templates = tuple(self._templates)
        for rec in recorders:
            rec.templates = templates  # type: ignore[assignment]
        stages = tuple(tally.comparison() for tally in self._comparisons.values())
        return Program(
            self._body.__name__,
            self._spec,
            templates,
            tuple(rec.freeze() for rec in recorders),
            self._layout.arrays,
            (
                *self._layout.findings,
                *self._remarks.findings(),
                *(stage.finding() for stage in stages if stage.wrong),
            ),
            self._options.auto_sync,
            stages,
        )


def _judge(program: Program, hazards_are: str) -> Program:
    """The program with the hazard pass's findings.

    Raises:
        HazardError: there are errors among them, and they are to be raised.
    """
    from .hazards import describe, hazards  # noqa: PLC0415  who turns it off does not pay for it

    found = tuple(hazards(program))
    errors = [f for f in found if f.severity is Severity.ERROR]
    if errors and hazards_are == "error":
        raise HazardError(f"{program.kernel}: {describe(errors)}", errors)
    return replace(program, findings=(*program.findings, *found))


@overload
def kernel(body: Callable[P, Any], /) -> Kernel[P]: ...


@overload
def kernel(*, auto_sync: bool | None = None, **options: Any) -> Callable[[Callable[P, Any]], Kernel[P]]: ...


def kernel(body: Any = None, /, *, auto_sync: bool | None = None, **options: Any) -> Any:
    """Mark a function as a kernel, or as a device function that kernels call.

    Args:
        body: the function.
        auto_sync: whether barriers between dependent vector instructions are inserted; they are by default.
        options: keywords of compilers (``kernel_type``, ``opt_level``, ``always_compile`` …): accepted and
            ignored, since nothing is compiled.
    """
    return functools.partial(Kernel, auto_sync=auto_sync) if body is None else Kernel(body, auto_sync=auto_sync)


def get_block_idx() -> int:
    """Number of the running block, from 0."""
    return current().index


def get_block_num() -> int:
    """Number of blocks of the launch."""
    return current().count
