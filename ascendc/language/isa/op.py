"""What it means to declare an instruction.

An :class:`Op` is the single statement of everything the project knows about one instruction.  A *family*
subclasses it once per shape of operands; each member of a family is one decorated function.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..hardware import HardwareSpec
    from ..program import Template


@dataclass(frozen=True, slots=True)
class Busy:
    """Hold the pipe; ask nothing else of the chip.

    Attributes:
        occupancy: cycles until the pipe takes its next instruction.
        latency: cycles from the start until the result is visible.
    """

    occupancy: Fraction
    latency: Fraction


@dataclass(frozen=True, slots=True)
class Move:
    """Carry bytes over a path; how long that takes is the memory model's business.

    Attributes:
        route: the path, a key of ``HardwareSpec.route``.
        footprint: index, in the template, of the footprint that lies in global memory.
        cached: whether the L2 keeps the lines.
    """

    route: str
    footprint: int
    cached: bool


Demand = Busy | Move
"""What an instruction asks of the chip.  Not a duration: waiting and contention are the simulator's."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Op:
    """A declared instruction.

    Attributes:
        name: as the kernel author writes it.
        cpp: as Ascend C spells it.
        unit: the pipe it runs in, ``V`` or ``MTE2/MTE3`` where each call decides.
        doc: its docstring: one line, then an executed example.
        source: where its behaviour is written down; the API reference's page of its own if not given.
    """

    name: str
    cpp: str
    unit: str
    doc: str
    source: str = ""

    def __post_init__(self) -> None:
        if not self.source:
            object.__setattr__(self, "source", f"Ascend C API, {self.cpp}")

    def spelled(self, parameter: str) -> str:
        """What this member of a family calls a parameter that the family's calls have."""
        return parameter

    def demand(self, template: Template, addresses: Sequence[int], spec: HardwareSpec) -> Demand:
        """What one execution asks of ``spec``.

        Pure, and called once per template and address class, not once per execution.  Flags, barriers and
        queue calls have none: their rules are the engine's.
        """
        raise TypeError(f"{self.name} asks nothing of the chip")

    def address_class(self, template: Template, addresses: Sequence[int], spec: HardwareSpec) -> Hashable:
        """What of the addresses matters to :meth:`demand`; ``None`` if nothing does."""
        return None
