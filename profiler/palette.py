"""Colours, told apart by every kind of eye (Okabe and Ito's), and what each stands for."""

from __future__ import annotations

from collections.abc import Iterable

from ascendc.language.enums import PipeID
from simulator.timeline import Cause, Label

BLUE, ORANGE, GREEN, SKY, PURPLE, VERMILION, YELLOW = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#56B4E9",
    "#CC79A7",
    "#D55E00",
    "#F0E442",
)
GREY = "#7F7F7F"
INK = "#222222"
FAINT = "#E6E6E6"

PIPES = {
    PipeID.PIPE_S: GREY,
    PipeID.PIPE_MTE2: BLUE,
    PipeID.PIPE_MTE1: SKY,
    PipeID.PIPE_M: ORANGE,
    PipeID.PIPE_FIX: GREEN,
    PipeID.PIPE_V: ORANGE,
    PipeID.PIPE_MTE3: GREEN,
}
"""A pipe has the colour of the stage it usually works for."""
STAGES = {"copy_in": BLUE, "compute": ORANGE, "copy_out": GREEN}
OTHERS = (PURPLE, VERMILION, SKY, YELLOW)
"""For stages of other names, round and round in order of appearance."""
WAITS = {
    Cause.FLAG: "#C6C6C6",
    Cause.BARRIER: "#8C8C8C",
    Cause.QUEUE: "#D8BFA0",
    Cause.ISSUE: "#E9DCC9",
    Cause.BLOCK: FAINT,
}


DARK = frozenset({BLUE, GREEN, VERMILION, GREY})
"""Colours on which text is white."""


def stages(labels: Iterable[Label]) -> dict[str, str]:
    """Colour by stage of every stage that occurs, known ones first."""
    seen = dict.fromkeys(label.stage for label in labels if label.stage)
    others = [stage for stage in seen if stage not in STAGES]
    return {stage: colour for stage, colour in STAGES.items() if stage in seen} | {
        stage: OTHERS[i % len(OTHERS)] for i, stage in enumerate(others)
    }
