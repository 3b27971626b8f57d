"""Bank conflicts of a vector instruction, from the addresses of its operands.

Blocks of 32 bytes go round the bank groups.  Two sources whose repeats lie in the same groups are read one
after the other; a destination in the same bank as a source, but in other rows of it, holds the reads up.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..hardware import HardwareSpec


def conflict_cycles(addresses: Sequence[int], spec: HardwareSpec) -> Fraction:
    """Extra cycles of a repeat of an instruction on (dst, src …) addresses in UB."""
    banks, block = spec.vector.banks, spec.vector.block_bytes
    width = spec.vector.repeat_bytes // block
    extra = read_cycles(addresses[1], addresses[2], spec) if len(addresses) == 3 else Fraction(0)
    if banks.read_write_cycles:
        bank_bytes = banks.groups * banks.rows * block
        for source in addresses[1:]:
            apart = (addresses[0] - source) // block % banks.groups
            same_bank = addresses[0] // bank_bytes == source // bank_bytes
            if same_bank and min(apart, banks.groups - apart) % width:
                return extra + banks.read_write_cycles
    return extra


def read_cycles(source: int, other: int, spec: HardwareSpec) -> Fraction:
    """Extra cycles of a repeat that reads two sources, from these addresses on."""
    banks, block = spec.vector.banks, spec.vector.block_bytes
    width = spec.vector.repeat_bytes // block
    if not banks.read_read_cycles:
        return Fraction(0)
    apart = (source - other) // block % banks.groups
    return banks.read_read_cycles * max(0, width - min(apart, banks.groups - apart)) / width
