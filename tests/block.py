"""A few lines in one block: what most tests of the language run."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ascendc as asc

Array = NDArray[Any]


def local(kind: Any, count: int, address: int = 0) -> asc.LocalTensor:
    """``count`` elements of UB at ``address``; nothing has written them."""
    return asc.LocalTensor(kind, asc.TPosition.VECCALC, address, count)


def tensor(content: Array, address: int) -> asc.LocalTensor:
    """A tensor of UB at ``address`` that holds ``content``, as if some instruction had written it."""
    made = local(content.dtype, content.size, address)
    made.memory.data[address : address + content.nbytes] = content.reshape(-1).view(np.uint8)
    made.memory.written(address, address + content.nbytes)
    return made


def ones(kind: asc.DataType, count: int, address: int = 0) -> asc.LocalTensor:
    """``count`` ones of UB at ``address``, as if some instruction had written them."""
    return tensor(np.ones(count, kind.numpy), address)


def queue(num: int = 1, depth: int = 1, nbytes: int = 256, pos: asc.TPosition = asc.TPosition.VECIN) -> asc.TQue:
    """A queue with its buffers, of a TPipe that is made if there is none."""
    try:
        pipe = asc.get_tpipe_ptr()
    except asc.UsageError:
        pipe = asc.TPipe()
    made = asc.TQue(pos, depth)
    pipe.init_buffer(made, num, nbytes)
    return made


def one_block(body: Callable[..., object], **options: Any) -> asc.Program:
    """Launch ``body`` in one block of the demo chip."""
    return asc.kernel(body).launch(1, **{"chip": "demo", **options})


def on_ub(body: Callable[..., object], *contents: Array, **options: Any) -> tuple[Array, ...]:
    """Call ``body`` with one tensor for each array, and give what the tensors hold after it.

    The tensors lie one after another, at multiples of 256 bytes.  ``options`` are those of a launch; the
    hazard pass is off, since nothing in here copies.
    """
    after: list[Array] = []

    @asc.kernel
    def block() -> None:
        tensors, free = [], 0
        for content in contents:
            tensors.append(tensor(content, free))
            free += -(-content.nbytes // 256) * 256
        body(*tensors)
        after.extend(t.values[: c.size] for t, c in zip(tensors, contents, strict=True))

    block.launch(1, **{"chip": "demo", "hazards": "off", **options})
    return tuple(after)


def on_gm(body: Callable[..., object], *arrays: Array, **options: Any) -> asc.Program:
    """Call ``body`` with a GlobalTensor on each array; its parameters name them."""

    @functools.wraps(body)
    def block(*addresses: asc.GlobalAddress) -> None:
        tensors = [asc.GlobalTensor() for _ in addresses]
        for made, address in zip(tensors, addresses, strict=True):
            made.set_global_buffer(address)
        body(*tensors)

    return asc.kernel(block).launch(1, *arrays, **{"chip": "demo", "hazards": "off", **options})


def program_of(body: Callable[..., object], *contents: Array, **options: Any) -> asc.Program:
    """As :func:`on_ub`, but the program it leaves."""
    made: list[asc.Program] = []
    with asc.observe(on_launch=made.append):
        on_ub(body, *contents, **options)
    return made[0]
