"""Cycles of every kernel against ``cycles.csv``: any change of the timing, meant or not, shows here.

python -m benchmarks.cycles --check     say which rows differ
python -m benchmarks.cycles --update    write what they are now

A new case is a line of the file without its last column; ``--update`` fills that in.  A change of numbers goes into
the commit that causes it, with a [TIMING] line in the changelog.
"""

from __future__ import annotations

import argparse
import csv
import sys
from dataclasses import dataclass, fields, replace
from pathlib import Path

from ascendc.language.options import use_chip
from kernels import OPERATORS
from simulator import simulate

FILE = Path(__file__).with_name("cycles.csv")


@dataclass(frozen=True, slots=True)
class Case:
    """One line of the file.

    Attributes:
        kernel: name of the operator.
        chip, shape, dtype, blocks: how it is run; a shape is written 64x1024.
        cycles: what that takes; nothing if it is not known yet.
    """

    kernel: str
    chip: str
    shape: str
    dtype: str
    blocks: str
    cycles: str

    def measured(self) -> Case:
        """The same case with the cycles it takes now.

        Raises:
            ValueError: the result is wrong, so its cycles mean nothing.
        """
        with use_chip(self.chip):
            outcome = OPERATORS[self.kernel].run(
                shape=tuple(map(int, self.shape.split("x"))), dtype=self.dtype, blocks=int(self.blocks)
            )
        if not outcome.correct:
            raise ValueError(f"{self}: the result is wrong at {outcome.first_mismatch}")
        return replace(self, cycles=str(simulate(outcome.program).cycles))

    def __str__(self) -> str:
        return f"{self.kernel} {self.shape} {self.dtype} on {self.blocks} blocks of {self.chip}"


def read(file: Path = FILE) -> list[Case]:
    """The cases, in order."""
    with file.open(newline="", encoding="utf-8") as lines:
        return [Case(**{**row, "cycles": row["cycles"] or ""}) for row in csv.DictReader(lines)]


def write(cases: list[Case], file: Path = FILE) -> None:
    """Replace the file as a whole."""
    names = [field.name for field in fields(Case)]
    new = file.with_suffix(".new")
    with new.open("w", newline="", encoding="utf-8") as lines:
        rows = csv.writer(lines, lineterminator="\n")
        rows.writerow(names)
        rows.writerows([getattr(case, name) for name in names] for case in cases)
    new.replace(file)


def differences(cases: list[Case]) -> list[str]:
    """What is not as the file says, a line each."""
    return [
        f"{case}: {now.cycles} cycles, the file says {case.cycles or 'nothing'}"
        for case, now in ((case, case.measured()) for case in cases)
        if now != case
    ]


def main() -> int:
    """The command line: 0 if all is as the file says, or was written."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--check", action="store_true", help="say which rows differ")
    action.add_argument("--update", action="store_true", help="write what they are now")
    cases = read()
    if parser.parse_args().update:
        write([case.measured() for case in cases])
        return 0
    changed = differences(cases)
    print(*changed, sep="\n", end="\n" if changed else "")
    print(f"{len(changed)} of {len(cases)} cases differ; if that is meant: python -m benchmarks.cycles --update")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
