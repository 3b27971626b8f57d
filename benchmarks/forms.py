"""What a mask or a stride costs: every form of every vector instruction beside its count form of as many lanes.

python benchmarks/forms.py [NAME …]

The functional pass, with the hazard pass and without, in one process and in turns.  Instructions without a
count form are measured against whole contiguous repeats.  Prints the worst form of each instruction and type;
with names, all forms of these instructions.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from form_calls import BLOCK, How, Subject, subjects

import ascendc as asc
from ascendc.language.hazards import hazards

GOAL = 3.0
SIZES = (1, 64, 128)
"""Repeats: a single one, 16 KB, and half of what the field holds."""
ROUNDS, CALLS = 5, 6
_HALF = 0x5555555555555555
_SOME = 0x9249249249249249


@dataclass(frozen=True)
class Form:
    """A call to be measured.

    Attributes:
        name: its mask and its strides.
        how: the call.
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
    """Ratios to the count form, without hazards and with them."""

    subject: str
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
    for name, word in (("every second lane", _HALF), ("every third lane", _SOME)):
        words = [word, word if lanes > 64 else 0]
        chosen = sum(w.bit_count() for w in words) * repeats
        yield Form(name, How(words, repeats, plain), chosen)
        if subject.register:
            register = How(lanes, repeats, plain, {"is_set_mask": False})
            yield Form(f"{name} of the register", register, chosen, register=(words[0], words[1]))
    total = lanes * repeats - 3
    yield Form("counter mode", How(total, 1, plain), total, counts=True)


def strides(subject: Subject) -> Iterator[tuple[str, tuple[tuple[int, int], ...]]]:
    """Every kind of stride, of each operand alone and of all."""
    plain = subject.plain
    roles = ("dst", "src0", "src1") if len(plain) > 1 else ("operand",)
    yield "contiguous", plain
    for i, (blk, rep) in enumerate(plain):
        others = [(0, "rep 0"), (rep + 1, f"rep {rep + 1}"), (max(rep // 2, 1), f"rep {max(rep // 2, 1)}")]
        made = [(name, (blk, stride)) for stride, name in others]
        if i not in subject.fixed:
            made += [("blk 2", (2, 2 * rep))] + [("blk 0", (0, rep))] * (i > 0)
        for name, stride in made:
            yield f"{roles[i]} {name}", (*plain[:i], stride, *plain[i + 1 :])
    if len(plain) > 1:
        yield "all with gaps", tuple((blk, rep + 1) for blk, rep in plain)
        if not subject.fixed:
            yield "all blk 2", tuple((2, 2 * rep + 1) for _, rep in plain)


def forms(subject: Subject, repeats: int) -> Iterator[Form]:
    """All of them that fit into UB."""
    for form in masks(subject, repeats):
        assert isinstance(form.how, How)
        for name, stride in strides(subject):
            how = How(form.how.mask, form.how.repeats, stride, form.how.flags)
            yield Form(f"{form.name}, {name}", how, form.lanes, form.register, form.counts)
            if subject.meets and name == "dst rep 0":
                running = (*stride[:2], stride[0])
                how = How(form.how.mask, form.how.repeats, running, form.how.flags)
                yield Form(f"{form.name}, accumulating", how, form.lanes, form.register, form.counts, subject.meets)


def seconds(subject: Subject, form: Form) -> tuple[float, float]:
    """Of one call: the functional pass, and the hazard pass after it."""
    taken = []

    @asc.kernel
    def block() -> None:
        tensors = _operands(subject, form.meets)
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

    program = block.launch(1, hazards="off")
    begin = time.process_time()
    sum(1 for _ in hazards(program))
    return (taken[1] - taken[0]) / CALLS, (time.process_time() - begin) / CALLS


def _operands(subject: Subject, meets: int) -> list[Any]:
    """A tensor for each operand, each with as much of UB; plain numbers that no sum makes very large or small."""
    first = asc.LocalTensor(asc.uint8, asc.TPosition.VECCALC, 0, 0)
    room = (first.nbytes - 8192) // len(subject.kinds) // BLOCK * BLOCK
    made: list[Any] = []
    for i, kind in enumerate(subject.kinds):
        address = made[0].address if meets and i == meets else i * room
        tensor = asc.LocalTensor(kind, asc.TPosition.VECCALC, address, room // kind.itemsize)
        content = np.ones(len(tensor), np.int8)
        content[1::3] = 2 if kind.numpy.kind == "u" else -1
        tensor.memory.data[address : address + tensor.nbytes] = content.astype(kind.numpy).view(np.uint8)
        tensor.memory.written(address, address + tensor.nbytes)
        made.append(tensor)
    return made


def costs(subject: Subject, repeats: int) -> Iterator[Cost]:
    """What each form costs; a form that is refused, or does not fit, is none."""
    for form in forms(subject, repeats):
        count = Form("count", form.lanes, form.lanes)
        off, on, plain_off, plain_on = [], [], [], []
        try:
            for _ in range(ROUNDS):
                for times, made in (((off, on), form), ((plain_off, plain_on), count)):
                    functional, hazard = seconds(subject, made)
                    times[0].append(functional)
                    times[1].append(functional + hazard)
        except (asc.OutOfBoundsError, asc.OverlapError, asc.RangeError):
            continue
        except asc.UsageError:
            if not form.counts:  # some instructions have no counter mode
                raise
            continue
        yield Cost(subject.name, form.name, repeats, min(off) / min(plain_off), min(on) / min(plain_on))


def main() -> None:
    """Measure and print."""
    names = [a for a in sys.argv[1:] if not a.startswith("-")]
    total = missed = 0
    for subject in subjects():
        if names and subject.name.split()[0] not in names:
            continue
        for repeats in SIZES:
            found = sorted(costs(subject, repeats), key=lambda cost: -cost.worst)
            total, missed = total + len(found), missed + sum(cost.worst > GOAL for cost in found)
            for cost in found if names else found[:1]:
                mark = "  missed" if cost.worst > GOAL else ""
                print(
                    f"{cost.subject:<36}{cost.repeats:>4} repeats  {cost.form:<52}{cost.off:>6.2f}{cost.on:>6.2f}{mark}",
                    flush=True,
                )
    print(f"{missed} of {total} forms cost more than {GOAL} times their count form")


if __name__ == "__main__":
    main()
