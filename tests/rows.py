"""Programs written down row by row, without the language: what tests of the passes feed on."""

from __future__ import annotations

from collections.abc import Sequence

from ascendc.language.enums import HardEvent, PipeID
from ascendc.language.hardware import HardwareSpec
from ascendc.language.isa.op import Op
from ascendc.language.program import Block, Footprint, GlobalArray, Kind, Program, Recorder, Site, Space, Template


def op(name: str, unit: str) -> Op:
    return Op(name=name, cpp=name, unit=unit, doc="An instruction of the tests.", source="made up")


DATA_COPY, ADDS, VALUE = op("data_copy", "MTE2/MTE3"), op("adds", "V"), op("value", "S")
SET_FLAG, WAIT_FLAG, PIPE_BARRIER = op("set_flag", "S"), op("wait_flag", "S"), op("pipe_barrier", "S")

Bytes = tuple[int, int]
"""Address and size."""


class Rows:
    """One block in the making; every call is one row, on a line of its own unless ``line`` says otherwise."""

    def __init__(self, templates: list[Template] | None = None) -> None:
        self._recorder = Recorder("aiv", [] if templates is None else templates)
        self._line = 0

    def access(
        self,
        op: Op,
        pipe: PipeID,
        *,
        reads: Sequence[tuple[Space, Bytes]] = (),
        writes: Sequence[tuple[Space, Bytes]] = (),
        levels: tuple[tuple[int, int], ...] = (),
        strided: Space = Space.GM,
        atomic: str = "",
        line: int = 0,
    ) -> None:
        """An instruction; ``levels`` apply to what lies in the memory that is ``strided``; ``atomic`` to stores."""
        touched = [(*w, True) for w in writes] + [(*r, False) for r in reads]
        prints = tuple(
            Footprint(i, space, write, size, levels=levels if space is strided else ())
            for i, (space, (_, size), write) in enumerate(touched)
        )
        kind = Kind.SCALAR if pipe is PipeID.PIPE_S else Kind.COMPUTE if pipe is PipeID.PIPE_V else Kind.MOVE
        params = (("atomic", atomic),) if atomic else ()
        names = tuple(f"operand{i}" for i in range(len(prints)))
        self._issue(
            Template(op, kind, pipe, self._site(line), params=params, operands=names, footprints=prints),
            [address for _, (address, _), _ in touched],
        )

    def load(self, ub: Bytes, gm: int = 0, line: int = 0) -> None:
        self.access(DATA_COPY, PipeID.PIPE_MTE2, writes=[(Space.UB, ub)], reads=[(Space.GM, (gm, ub[1]))], line=line)

    def store(self, gm: int, ub: Bytes, line: int = 0) -> None:
        self.access(DATA_COPY, PipeID.PIPE_MTE3, writes=[(Space.GM, (gm, ub[1]))], reads=[(Space.UB, ub)], line=line)

    def adds(self, dst: Bytes, src: Bytes, line: int = 0) -> None:
        self.access(ADDS, PipeID.PIPE_V, writes=[(Space.UB, dst)], reads=[(Space.UB, src)], line=line)

    def set(self, event: HardEvent, index: int = 0, line: int = 0, queued: bool = False) -> None:
        self._issue(
            Template(SET_FLAG, Kind.SET, event.source, self._site(line), event=(event, index), queued=queued), ()
        )

    def wait(self, event: HardEvent, index: int = 0, line: int = 0, queued: bool = False) -> None:
        self._issue(
            Template(WAIT_FLAG, Kind.WAIT, event.target, self._site(line), event=(event, index), queued=queued), ()
        )

    def flag(self, event: HardEvent, index: int = 0, line: int = 0) -> None:
        """A set, and its wait at once."""
        self.set(event, index, line)
        self.wait(event, index, line and line + 1)

    def barrier(self, pipe: PipeID, line: int = 0) -> None:
        self._issue(Template(PIPE_BARRIER, Kind.BARRIER, pipe, self._site(line)), ())

    def block(self) -> Block:
        return self._recorder.freeze()

    def _issue(self, template: Template, addresses: Sequence[int]) -> None:
        known = self._recorder.templates
        number = known.index(template) if template in known else self._recorder.add(template)
        self._recorder.issue(number, addresses)

    def _site(self, line: int) -> Site:
        self._line = line or self._line + 1
        return Site("/somewhere/my.py", self._line, "kernel")


def program(*rows: Rows, arrays: tuple[GlobalArray, ...] = ()) -> Program:
    """One launch on the demo chip, a block for each; all were made with the same list of templates."""
    blocks = tuple(r.block() for r in rows)
    return Program("kernel", HardwareSpec.load("demo"), tuple(blocks[0].templates) if blocks else (), blocks, arrays)
