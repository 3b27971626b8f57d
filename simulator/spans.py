"""What an engine leaves behind: the ticks of every instruction, before they become a timeline."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Ticks by position (sorted by block, lane and row, as in a ``Plan``).

    Attributes:
        push: when the scalar unit had issued it.
        ready: when its lane was free for it.
        start: when it began; for a wait, when it got through.
        stop: when it was visible.
    """

    push: Ints
    ready: Ints
    start: Ints
    stop: Ints
