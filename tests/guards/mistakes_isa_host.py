"""What only a host can arrange for instructions: other chips, arrays of other kinds.

The docstring is the whole text of the error, behind its class; ``@0`` is the function's last line.
"""

from __future__ import annotations

import numpy as np

import ascendc as asc
from tests.block import local, on_gm, on_ub, ones
from tests.guards.mistakes import mistakes

F = asc.float32


def a_scatter_where_there_is_none() -> None:
    """DtypeError: scatter: Ascend910B1 has no such instruction, its file no vector.cost.scatter at @0 in <lambda>,
    block 0 of 1 of block
    """
    zeros = np.zeros(8, np.float32)
    on_ub(lambda z, x, at: asc.scatter(z, x, at, 0, 1), zeros, zeros, np.zeros(8, np.uint32), chip="Ascend910B1")


def padding_of_8_bytes() -> None:
    """RangeError: data_copy_pad: int64 can only be padded with 0, got 1 at @0 in <lambda>, block 0 of 1 of <lambda>"""
    pad = asc.DataCopyPadExtParams(is_pad=True, right_padding=1, padding_value=1)
    on_gm(lambda x: asc.data_copy_pad(local(asc.int64, 4), x, asc.DataCopyExtParams(1, 24), pad), np.ones(4, np.int64))


def a_store_into_a_read_only_array() -> None:
    """UsageError: data_copy: argument x is a read-only array, and the kernel writes it; pass a writable copy
    (x.copy()) at @0 in <lambda>, block 0 of 1 of <lambda>
    """
    fixed = np.ones(64, np.float32)
    fixed.flags.writeable = False
    on_gm(lambda x: asc.data_copy(x, ones(F, 64), 64), fixed)


MISUSES = mistakes(globals())
