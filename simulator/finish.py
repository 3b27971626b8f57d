"""From the ticks of an engine to a timeline."""

from __future__ import annotations

import numpy as np

from ascendc.language.hardware import HardwareSpec

from .buffers import allocations
from .causes import Rows
from .columns import Ints, Spans, column
from .memory import Traffic
from .prepare import Plan
from .ticks import cycles
from .timeline import Cause, Label, Timeline


def finish(
    plan: Plan,
    spec: HardwareSpec,
    spans: Spans,
    core_of: Ints,
    began: Ints,
    core_kinds: list[str],
    traffic: Traffic,
) -> Timeline:
    """The timeline of a launch whose block i ran on ``core_of[i]`` from tick ``began[i]``."""
    rows = Rows(plan, spans, began)
    cause, by = rows.causes(column([spec.core[b.kind].queue_depth for b in plan.program.blocks]))
    ready, start = cycles(rows.ready), cycles(rows.start)
    is_shown = start > ready  # a wait of less than a cycle may vanish in the rounding
    pipes = column([p.value for p in plan.pipe_of_lane])
    return Timeline(
        kernel=plan.program.kernel,
        spec=spec,
        labels=_labels(plan),
        block=rows.block,
        core=core_of[rows.block],
        pipe=pipes[plan.lane],
        ready=ready,
        start=start,
        stop=cycles(rows.stop),
        cause=np.where(is_shown, cause, Cause.NONE),
        by=np.where(is_shown, by, -1),
        label=rows.template,
        core_kinds=tuple(core_kinds),
        allocations=allocations(plan, rows, core_of),
        traffic=traffic.items(),
    )


def _labels(plan: Plan) -> tuple[Label, ...]:
    return tuple(
        Label(t.op.name, t.label, t.kind, str(t.site), t.stage, nbytes, route, t.auto, t.queued)
        for t, (route, nbytes) in zip(plan.program.templates, plan.carried, strict=True)
    )
