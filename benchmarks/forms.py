"""What a mask or a stride costs: every form of every vector instruction beside its count form of the same size.

python -m benchmarks.forms [NAME …]

The functional pass, without the hazard pass and with it, in one process and in turns, by the processor's clock.
The same size is as many lanes.  For instructions that work on whole repeats whatever the mask (all reductions, and
those that have no count form) it is as many whole contiguous repeats.

Prints the worst form of each family, and every form above the goal; with names, all forms of these instructions.
"""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import ascendc as asc
from ascendc.language.hazards import hazards
from benchmarks.form_calls import BLOCK, How, Strides
from benchmarks.form_subjects import Subject, subjects

Seconds = Sequence[tuple[float, float]]
"""Of one call, again and again: of the functional pass, and with the hazard pass after it."""

GOAL = 3.0
TILE = 64
"""Repeats of 16 KB."""
SIZES = (1, TILE, 128)
EVERYWHERE = ("all lanes", "every third lane", "counter mode")
CALLS = 32
"""How often a line of a kernel runs in each turn: what the passes learn of it, they learn once."""
QUICK, SURE = 2, 8
"""Turns: of every form, and of those near the goal or above it."""
_SECOND, _THIRD = 0x5555555555555555, 0x9249249249249249


@dataclass(frozen=True)
class Form:
    """A call to be measured.

    Attributes:
        name: its mask and its strides.
        how: the call; a count, if it is the count form.
        lanes: that take part in all.
        register: the two words the mask register holds before, or nothing.
        counts: whether counter mode is on.
        meets: the source that is the destination, or 0.
    """

    name: str
    how: How | int
    lanes: int
    register: tuple[int, int] | None = None
    counts: bool = False
    meets: int = 0


@dataclass(frozen=True)
class Cost:
    """A form's time as a ratio to the count form's, without hazards and with them."""

    subject: Subject
    form: str
    repeats: int
    off: float
    on: float

    @property
    def worst(self) -> float:
        """The larger one."""
        return max(self.off, self.on)


def masks(subject: Subject, repeats: int) -> Iterator[Form]:
    """Every way to choose lanes, of contiguous operands."""
    lanes, plain = subject.lanes, subject.plain
    yield Form("all lanes", How(lanes, repeats, plain), lanes * repeats)
    if not subject.masked:
        return
    yield Form("first lanes", How(lanes - 3, repeats, plain), (lanes - 3) * repeats)
    for name, word in (("second", _SECOND), ("third", _THIRD)):
        words = [word, word if lanes > 64 else 0]
        chosen = sum(w.bit_count() for w in words) * repeats
        yield Form(f"every {name} lane", How(words, repeats, plain), chosen)
        if subject.register:
            register = How(lanes, repeats, plain, {"is_set_mask": False})
            yield Form(f"every {name} lane of the register", register, chosen, register=(words[0], words[1]))
    total = lanes * repeats - 3
    yield Form("counter mode", How(total, 1, plain), total, counts=True)


def strides(subject: Subject) -> Iterator[tuple[str, Strides]]:
    """Every kind of stride, of each operand alone and of all."""
    plain = subject.plain
    roles = ("dst", "src0", "src1") if len(plain) > 1 else ("operand",)
    yield "contiguous", plain
    for i, (blk, rep) in enumerate(plain):
        made = [(f"rep {stride}", (blk, stride)) for stride in (0, rep + 1, max(rep // 2, 1))]
        if i not in subject.fixed:
            made += [("blk 2", (2, 2 * rep))] + [("blk 0", (0, rep))] * (i > 0)
        for name, stride in made:
            yield f"{roles[i]} {name}", (*plain[:i], stride, *plain[i + 1 :])
    if len(plain) > 1:
        yield "all with gaps", tuple((blk, rep + 1) for blk, rep in plain)
        if not subject.fixed:
            yield "all blk 2", tuple((2, 2 * rep + 1) for _, rep in plain)


def forms(subject: Subject, repeats: int) -> Iterator[Form]:
    """Every stride with all lanes, scattered ones and a count; the other masks, which make no other layouts, without.

    And running results.
    """
    for form in masks(subject, repeats):
        assert isinstance(form.how, How)
        for name, stride in strides(subject):
            if form.name not in EVERYWHERE and name not in ("contiguous", "all with gaps"):
                continue
            made = replace(form, name=f"{form.name}, {name}", how=replace(form.how, strides=stride))
            yield made
            if subject.meets and name == "dst rep 0":
                running = replace(form.how, strides=(*stride[:2], stride[0]))
                yield replace(made, name=f"{form.name}, accumulating", how=running, meets=subject.meets)


def launch(subject: Subject, form: Form) -> tuple[asc.Program, float]:
    """A kernel that makes the call over and over, and the seconds each takes after the first one."""
    taken = []

    @asc.kernel
    def block(memory: asc.GlobalAddress) -> None:
        tensors = _operands(subject, form.meets, memory)
        subject.prepare(tensors)
        if form.register:
            low, high = form.register
            asc.set_vector_mask(high, low, dtype="float16" if subject.lanes > 64 else "float32")
        if form.counts:
            asc.set_mask_count()
        for call in range(CALLS + 1):
            if call == 1:
                taken.append(time.process_time())
            subject.issue(tensors, form.how)
        taken.append(time.process_time())
        if form.counts:
            asc.set_mask_norm()

    program = block.launch(1, np.ones(1 << 17, np.float16), hazards="off")
    return program, (taken[1] - taken[0]) / CALLS


def _operands(subject: Subject, meets: int, memory: asc.GlobalAddress) -> list[Any]:
    """A tensor for each operand, with as much of UB each; plain numbers that no sum makes very large or small."""
    first = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 0, 0)
    room = (first.nbytes - 8192) // len(subject.kinds) // BLOCK * BLOCK
    made: list[Any] = []
    for i, kind in enumerate(subject.kinds):
        if i == subject.outside:
            made.append(asc.GlobalTensor())
            made[-1].set_global_buffer(memory)
            continue
        address = made[0].address if meets and i == meets else i * room
        tensor = asc.LocalTensor(kind, asc.TPosition.VECCALC, address, room // kind.itemsize * kind.per_item)
        content = np.ones(room // kind.itemsize, np.int8)
        content[1::3] = 2 if kind.numpy.kind == "u" else -1
        tensor.memory.data[address : address + tensor.nbytes] = content.astype(kind.numpy).view(np.uint8)
        tensor.memory.written(address, address + tensor.nbytes)
        made.append(tensor)
    return made


def seconds(subject: Subject, form: Form) -> tuple[float, float]:
    """Of one call: the functional pass, and with the hazard pass after it."""
    program, functional = launch(subject, form)
    begin = time.process_time()
    sum(1 for _ in hazards(program))
    return functional, functional + (time.process_time() - begin) / CALLS


def cost(subject: Subject, form: Form, repeats: int) -> Cost | None:
    """What a form costs; nothing, if the instruction refuses it or it does not fit into UB."""
    size = subject.lanes * repeats if subject.whole else form.lanes
    try:
        quick = [seconds(subject, form) for _ in range(QUICK)]
    except (asc.AlignmentError, asc.OutOfBoundsError, asc.OverlapError, asc.RangeError):
        return None
    except asc.UsageError:
        if form.counts:  # some instructions have no counter mode
            return None
        raise
    made = _ratio(subject, form, repeats, quick, _counted(subject, size, repeats))
    if made.worst < 0.8 * GOAL:
        return made
    count = _count_form(subject, size, repeats)
    turns = [(seconds(subject, form), seconds(subject, count)) for _ in range(SURE)]
    return _ratio(subject, form, repeats, *zip(*turns, strict=True))


@functools.cache
def _counted(subject: Subject, size: int, repeats: int) -> tuple[tuple[float, float], ...]:
    """Times of the count form of a size, which most forms have in common."""
    count = _count_form(subject, size, repeats)
    return tuple(seconds(subject, count) for _ in range(QUICK))


def _count_form(subject: Subject, size: int, repeats: int) -> Form:
    return Form("count", size if subject.counted else How(subject.lanes, repeats, subject.plain), size)


def _ratio(subject: Subject, form: Form, repeats: int, taken: Seconds, counted: Seconds) -> Cost:
    """The best of the one by the best of the other."""
    (off, on), (count_off, count_on) = (map(min, zip(*times, strict=True)) for times in (taken, counted))
    return Cost(subject, form.name, repeats, off / count_off, on / count_on)


def worst(made: Iterable[Subject], repeats: int = TILE) -> list[Cost]:
    """All forms of these instructions, the costliest first."""
    found = [cost(subject, form, repeats) for subject in made for form in forms(subject, repeats)]
    return sorted((c for c in found if c), key=lambda c: -c.worst)


def families() -> Iterator[list[Subject]]:
    """Instructions that differ in arithmetic and types only."""
    made: dict[str, list[Subject]] = {}
    for subject in subjects():
        made.setdefault(subject.family, []).append(subject)
    yield from made.values()


def worst_of_families() -> Iterator[Cost]:
    """The costliest form of each family at 16 KB; of each instruction only its first types."""
    for family in families():
        firsts = {subject.op: subject for subject in reversed(family)}
        yield worst(firsts.values())[0]


def main(names: list[str]) -> None:
    """Measure and print."""
    total = missed = 0
    for repeats in SIZES:
        for family in families():
            found = worst([subject for subject in family if not names or subject.op in names], repeats)
            total, missed = total + len(found), missed + sum(c.worst > GOAL for c in found)
            for i, c in enumerate(found):
                if names or not i or c.worst > GOAL:
                    numbers = f"{c.off:>6.2f}{c.on:>6.2f}{'  missed' if c.worst > GOAL else ''}"
                    print(f"{c.subject.name:<36}{repeats:>4} repeats  {c.form:<52}{numbers}", flush=True)
    print(f"{missed} of {total} forms cost more than {GOAL} times their count form")


if __name__ == "__main__":
    main(sys.argv[1:])
