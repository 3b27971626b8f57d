"""The mutation sweep: every change of every operator, judged by the chip and by the checks.

python -m tests.guards.sweep [OPERATOR …]
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any

from tests.guards.bare import Launch
from tests.guards.bare_chip import Breach
from tests.guards.judge import Launched
from tests.guards.mutants import Mutant, mutants
from tests.guards.sources import BY_HAND, LIBRARY, ROOT, Family, Report, Trees, bare_launch, parsed, report


@dataclass(frozen=True, slots=True)
class Verdict:
    """One mutant.

    Attributes:
        operator, file, mutant: which.
        harm: what it does on the chip, or nothing.
        report: what the checks say.
    """

    operator: str
    file: str
    mutant: Mutant
    harm: str
    report: Report

    @property
    def is_missed(self) -> bool:
        """Whether it does harm that nothing tells.

        A wrong number can make a legal kernel of another function: then a warning is all there can be, or only the
        result tells.  Everything else must be an error, or the warning about a flag that is left to the next kernel.
        """
        allowed = {"error"}
        if self.harm == "wrong result" and not self.mutant.is_order:
            allowed |= {"warning", "unwritten", "result"}
        if self.harm == "flag left set":
            allowed.add("warning")
        return bool(self.harm) and self.report.kind not in allowed

    def __str__(self) -> str:
        said = self.report.text.partition("\n")[0] or "nothing"
        return f"{self.operator}: {self.file}:{self.mutant.line}: {self.mutant.what}; {self.harm or 'harmless'}; {said}"


def verdicts(names: Collection[str] = ()) -> Iterator[Verdict]:
    """All mutants of these operators, or of all; those that are no Python any more are left out."""
    for family in (*LIBRARY, *BY_HAND):
        for name in family.names:
            if not names or name in names:
                yield from _of(family, name)


def _of(family: Family, name: str) -> Iterator[Verdict]:
    trees = {file: parsed(file) for file in family.files}
    right, lines = _with_lines(trees, name, auto_sync=family.auto_sync)
    for file in family.files:
        for mutant in mutants(trees[file]):
            if (str(ROOT / file), mutant.line) in lines:
                changed = {**trees, file: mutant.tree}
                launch = bare_launch(changed, name, auto_sync=family.auto_sync)
                if launch is not None:
                    harm = str(launch) if isinstance(launch, Breach) else Launched(launch).harm(right.result)
                    yield Verdict(name, file, mutant, harm, report(changed, name, auto_sync=family.auto_sync))


def _with_lines(trees: Trees, name: str, *, auto_sync: bool) -> tuple[Launched, set[tuple[str, int]]]:
    """The operator as it is, and the lines it runs through."""
    lines: set[tuple[str, int]] = set()

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        lines.add((frame.f_code.co_filename, frame.f_lineno))
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        launch = bare_launch(trees, name, auto_sync=auto_sync)
    finally:
        sys.settrace(before)
    if not isinstance(launch, Launch):
        raise TypeError(f"{name} does not run as it is: {launch}")
    return Launched(launch), lines


def summary(seen: Collection[Verdict]) -> str:
    """How many there were, and how many were missed."""
    harmful = [v for v in seen if v.harm]
    missed = [v for v in harmful if v.is_missed]
    told = ", ".join(f"{n} by {kind or 'nothing'}" for kind, n in Counter(v.report.kind for v in harmful).most_common())
    share = 100 * len(missed) / max(1, len(harmful))
    return "\n".join(
        [*map(str, missed), f"{len(seen)} mutants, {len(harmful)} harmful, told {told}; missed {share:.2g} %"]
    )


def main() -> int:
    """Run the sweep and print what it found."""
    everything: list[Verdict] = []
    for family in (*LIBRARY, *BY_HAND):
        for name in family.names:
            if len(sys.argv) < 2 or name in sys.argv:
                mine = list(_of(family, name))
                everything += mine
                print(f"{name:<16} {summary(mine)}", flush=True)
    print(summary(everything))
    return any(v.is_missed for v in everything)


if __name__ == "__main__":
    sys.exit(main())
