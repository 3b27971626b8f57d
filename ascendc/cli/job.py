"""What the command line is asked to run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from ascendc.language.dtypes import dtype as element
from ascendc.language.hardware import HardwareSpec

if TYPE_CHECKING:
    from ascendc.language.operator import Operator


@dataclass(frozen=True, slots=True)
class Job:
    """An operator, on inputs of one shape and dtype, in so many blocks, on a chip."""

    operator: Operator
    shape: tuple[int, ...]
    dtype: str
    blocks: int | None
    chip: HardwareSpec

    def check(self) -> None:
        """Refuse what cannot run before anything runs.

        Raises:
            click.UsageError: the operator or the chip does not have it.
        """
        if self.dtype not in self.operator.dtypes:
            choices = ", ".join(self.operator.dtypes)
            raise click.UsageError(f"{self.operator.name} has no {self.dtype}; it has: {choices}")
        if self.blocks is not None and self.blocks > self.chip.limits.blocks:
            raise click.UsageError(f"{self.blocks} blocks; one launch has at most {self.chip.limits.blocks}")
        nbytes = math.prod(self.shape) * element(self.dtype).itemsize
        if nbytes > self.chip.hbm.bytes:
            raise click.UsageError(
                f"one input of {extents(self.shape)} {self.dtype} is {nbytes:,} B; "
                f"{self.chip.name} has {self.chip.hbm.bytes:,} B of memory"
            )


def extents(shape: Sequence[int]) -> str:
    """``8192x8192``, as on the command line."""
    return "x".join(map(str, shape))
