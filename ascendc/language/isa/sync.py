"""Order between the pipes of one core: flags and barriers."""

from __future__ import annotations

from dataclasses import dataclass

from ..classes import spelled
from ..core import Core, current
from ..enums import HardEvent, PipeID
from ..errors import UsageError
from ..program import Kind, Template
from ..site import kernel_frame
from .op import Op


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SetFlag(Op):
    """Raise a flag once everything before it in its pipe is done."""

    def __call__(self, event: HardEvent, event_id: int = 0) -> None:
        core, frame = current(), kernel_frame()
        event_id = core.events.check(self.name, event, event_id)
        core.events.set(event, event_id, frame)
        core.rec.rows.append(
            core.template(
                (self, id(frame.f_code), frame.f_lasti, event, event_id, core.stage),
                lambda: Template(self, Kind.SET, event.source, core.site(frame), core.stage, event=(event, event_id)),
            )
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WaitFlag(Op):
    """Hold a pipe until a flag is raised, and lower it."""

    def __call__(self, event: HardEvent, event_id: int = 0) -> None:
        core, frame = current(), kernel_frame()
        event_id = core.events.check(self.name, event, event_id)
        core.events.wait(event, event_id, frame)
        core.rec.rows.append(
            core.template(
                (self, id(frame.f_code), frame.f_lasti, event, event_id, core.stage),
                lambda: Template(self, Kind.WAIT, event.target, core.site(frame), core.stage, event=(event, event_id)),
            )
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PipeBarrier(Op):
    """Let nothing later of a pipe start before everything earlier in it is done."""

    def __call__(self, pipe: PipeID) -> None:
        core, frame = current(), kernel_frame()
        _check_pipe(core, self.name, pipe)
        core.rec.rows.append(
            core.template(
                (self, id(frame.f_code), frame.f_lasti, pipe, core.stage),
                lambda: Template(self, Kind.BARRIER, pipe, core.site(frame), core.stage),
            )
        )
        if pipe in (PipeID.PIPE_V, PipeID.PIPE_ALL):
            core.auto.ordered()


def _check_pipe(core: Core, call: str, pipe: PipeID) -> None:
    allowed = [p for p in core.chip.pipes if p is not PipeID.PIPE_S] + [PipeID.PIPE_ALL]
    if pipe not in allowed or not isinstance(pipe, PipeID):
        names = ", ".join(map(spelled, allowed))
        core.fail(UsageError, f"{call}: pipe must be one of {names}, got {spelled(pipe)}")


set_flag = SetFlag(
    name="set_flag",
    cpp="SetFlag",
    unit="any",
    doc="Raise flag ``event_id`` of ``event`` once all earlier work of its source pipe is done.",
)
wait_flag = WaitFlag(
    name="wait_flag",
    cpp="WaitFlag",
    unit="any",
    doc="Hold the target pipe of ``event`` until flag ``event_id`` is raised, and lower it.",
)
pipe_barrier = PipeBarrier(
    name="pipe_barrier",
    cpp="PipeBarrier",
    unit="any",
    doc="Order everything earlier in a pipe before everything later in it; ``PIPE_ALL``: in all pipes.",
)

__all__ = ["pipe_barrier", "set_flag", "wait_flag"]
