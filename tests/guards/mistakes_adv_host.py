"""What hosts ask high-level functions: the bytes of temporary memory.

The docstring is the whole text of the error, behind its class.
"""

from __future__ import annotations

import ascendc as asc
from ascendc import adv
from tests.guards.mistakes import mistakes

F = asc.float32


def a_host_that_asks_for_another_type() -> None:
    """DtypeError: softmax: dtype is int8; supported: float16, float32"""
    adv.get_softmax_max_min_tmp_size((8, 8), asc.int8)


def a_host_whose_shapes_do_not_fit() -> None:
    """UsageError: broadcast: src of (2, 8) does not fit dst of (4, 8); both must have one or two dimensions, and
    those of src be the same or 1
    """
    adv.get_broadcast_max_min_tmp_size((4, 8), (2, 8), F)


MISUSES = mistakes(globals())
