"""Kernels that look wrong and are right are never accused, in no pass."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from simulator import simulate
from tests.guards.right_kernels import BARE, BLOCKS, RIGHT
from tests.refusals import refused


def launch(body: Callable[..., None], *, auto_sync: bool = True) -> asc.Program:
    @functools.wraps(body)
    def kernel(x: asc.GlobalAddress, z: asc.GlobalAddress) -> None:
        tensors = asc.GlobalTensor(), asc.GlobalTensor()
        for tensor, address in zip(tensors, (x, z), strict=True):
            tensor.set_global_buffer(address)
        body(*tensors)

    x = np.arange(1024, dtype=np.float32)
    blocks = BLOCKS.get(body.__name__, 1)
    return asc.kernel(kernel).launch(blocks, x, np.zeros_like(x), chip="demo", auto_sync=auto_sync)


@pytest.mark.parametrize("body", RIGHT, ids=lambda f: f.__name__)
def test_nothing_is_found(body: Callable[..., None]) -> None:
    """Neither while it runs nor afterwards, and the timing pass comes to its end."""
    for auto_sync in (True, *[False] * (body.__name__ in BARE)):
        program = launch(body, auto_sync=auto_sync)

        assert program.findings == ()
        assert simulate(program).cycles > 0


def test_queues_and_pipes_of_a_block_that_has_ended_hand_nothing_out() -> None:
    """Kept in a list, they are found in the next launch."""
    kept: list[Any] = []

    def keep(x: Any, z: Any) -> None:
        kept.extend((asc.TPipe(), asc.TQue(asc.TPosition.VECIN, 1)))
        kept[0].init_buffer(kept[1], 1, 64)

    def take(x: Any, z: Any) -> None:
        queue = kept[1]
        queue.alloc_tensor(asc.half)

    def lay_out(x: Any, z: Any) -> None:
        buf = asc.TBuf()
        kept[0].init_buffer(buf, 64)

    launch(keep)
    with refused(asc.QueueStateError, "its block has ended; each block makes queues of its own"):
        launch(take)
    with refused(asc.UsageError, "init_buffer: its TPipe or pool is of a block that has ended or waits"):
        launch(lay_out)
