"""What the cycles do not know: printed by ``ascendc run --limits``."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from ascendc.language.hardware import HardwareSpec

NOT_MODELLED = {
    "instruction fetch": "no instruction cache, so no misses; nobody has published what one costs",
    "scalar code": "Python between two calls is free; only calls of the language cost scalar cycles",
    "scalar data cache": "every scalar access of global memory costs the same",
    "address translation": "no TLB misses; they are part of the first microseconds of a real launch",
    "HBM": "one shared rate: no channels, pages, refresh or read-write turn-around",
    "L2": "one shared rate and fully associative: no banks, sets or distance from the core",
    "on-chip network": "transfers share rates and nothing else: no conflicts of their ways through the chip",
    "same lines": "cores that read or write one line at once do not wait for each other, beyond its first fetch",
    "clock": "constant: no power or temperature limit lowers it",
    "data": "an instruction takes the same time whatever its values are",
    "host": "the driver, the framework and the queue before the launch are left out of task_us",
    "other work": "the chip is otherwise idle: no second stream, no collective communication",
}
"""By what is missing, what that means for the numbers."""


def limits(chip: HardwareSpec) -> str:
    """What is not modelled at all, and which numbers of ``chip`` are assumed."""
    assumed = sorted(_assumed(chip.raw))
    return "\n".join(
        [
            "Results are exact; cycles are a model.  It does not know:",
            "",
            *_table(NOT_MODELLED),
            "",
            f"Assumed numbers of {chip.name} (`ascendc chips {chip.name}` has the sources):",
            "",
            *textwrap.wrap(", ".join(assumed) or "none", 80, initial_indent="  ", subsequent_indent="  "),
        ]
    )


def _table(rows: Mapping[str, str]) -> Iterator[str]:
    width = max(map(len, rows)) + 4
    for key, text in rows.items():
        yield from textwrap.wrap(text, 80, initial_indent=f"  {key}".ljust(width), subsequent_indent=" " * width)


def _assumed(raw: Mapping[str, Any], above: str = "") -> Iterator[str]:
    for key, value in raw.items():
        if isinstance(value, Mapping):
            name = f"{above}.{key}" if above else key
            if value.get("status") == "assumed":
                yield name
            yield from _assumed(value, name)
