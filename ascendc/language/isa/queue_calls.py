"""The rows queue calls leave: one each, charged as a queue call, with the flag it sets or awaits."""

from __future__ import annotations

from types import FrameType

from ..core import Core
from ..enums import HardEvent, PipeID
from ..program import Kind, Template
from .op import Op

alloc_tensor = Op(
    name="alloc_tensor",
    cpp="AllocTensor",
    unit="source pipe",
    doc="Take the next buffer of a queue, once its last reader is done.",
)
enque = Op(
    name="enque",
    cpp="EnQue",
    unit="source pipe",
    doc="Hand a buffer to the other end of its queue.",
)
deque = Op(
    name="deque",
    cpp="DeQue",
    unit="target pipe",
    doc="Receive the oldest buffer of a queue, once it is filled.",
)
free_tensor = Op(
    name="free_tensor",
    cpp="FreeTensor",
    unit="target pipe",
    doc="Give a buffer back to its queue.",
)
free_all_event = Op(
    name="free_all_event",
    cpp="FreeAllEvent",
    unit="source pipe",
    doc="Wait for the last reader of every free buffer of a queue; a TPipe does so when it is reset.",
)


def record(
    core: Core,
    op: Op,
    frame: FrameType,
    address: int,
    nbytes: int,
    event: tuple[HardEvent, int] | None,
) -> None:
    """Append the row of one queue call.

    Args:
        core: the running block.
        op: one of the calls above.
        frame: the kernel frame it stands in.
        address: the buffer's first byte.
        nbytes: its size.
        event: the flag: set by ``enque`` and ``free_tensor``, awaited by the others; ``None`` if there is
            nothing to wait for.
    """
    code, at = frame.f_code, frame.f_lasti
    key = (op, id(code), at, event, nbytes, core.stage)
    number = core.plans.get(key)
    if number is None:
        number = core.plans[key] = core.rec.add(_template(core, op, frame, nbytes, event))
    core.rec.rows.append(number)
    core.rec.addresses.append(address)


def _template(core: Core, op: Op, frame: FrameType, nbytes: int, event: tuple[HardEvent, int] | None) -> Template:
    if event is None:
        kind, pipe = Kind.CALL, PipeID.PIPE_S
    elif op in (enque, free_tensor):
        kind, pipe = Kind.SET, event[0].source
    else:
        kind, pipe = Kind.WAIT, event[0].target
    return Template(
        op,
        kind,
        pipe,
        core.site(frame),
        core.stage,
        params=(("nbytes", nbytes), ("space", "UB")),
        operands=("tensor",),
        event=event,
        queued=True,
    )


__all__ = ["alloc_tensor", "deque", "enque", "free_all_event", "free_tensor"]
