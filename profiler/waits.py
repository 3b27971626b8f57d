"""When pipes waited, and what the scalar unit was doing meanwhile."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ascendc.language.enums import PipeID
from simulator.timeline import Cause, Timeline

from .cover import Ints
from .lanes import Lanes


@dataclass(frozen=True, slots=True, eq=False)
class Waits:
    """Spans that did not start as soon as their pipe was free.

    Attributes:
        spans: their numbers; ``timeline.cause`` says why, ``timeline.start`` until when.
        since: the cycle from which each waited.
    """

    spans: Ints
    since: Ints


def waits(lanes: Lanes) -> Waits:
    """All waits.  What the scalar unit spent on issuing its own instructions is none."""
    t = lanes.timeline
    spans = np.flatnonzero((t.start > t.ready) & (t.cause != Cause.NONE))
    is_scalar = np.array([pipe is PipeID.PIPE_S for _, pipe in lanes.keys], bool)[lanes.lane[spans]]
    price = np.ceil(issue_cycles(t))[spans].astype(np.int64)
    since = np.minimum(t.ready[spans] + np.where(is_scalar, price, 0), t.start[spans])
    waited = since < t.start[spans]
    return Waits(spans[waited], since[waited])


def issue_cycles(timeline: Timeline) -> NDArray[np.float64]:
    """What the scalar unit pays to issue each span, as the chip file says; no span shows it."""
    scalar = timeline.spec.scalar
    prices = [scalar.queue_call_cycles if label.queued else scalar.issue_cycles for label in timeline.labels]
    return np.array(prices, np.float64)[timeline.label]
