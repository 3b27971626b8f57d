"""Random kernels through the language: lists of calls that a kernel makes one after another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import ascendc as asc
from ascendc.language.enums import HardEvent, PipeID, TPosition

LANES, SLOTS = 32, 4
"""Elements of a tile, and tiles that lie in UB at fixed addresses, in the TBuf, and in each array."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call: what, and with which tiles, flag or pipe.

    Attributes:
        what: ``load``, ``store``, ``add``, ``adds``, ``set``, ``wait``, ``barrier``, ``in``, ``compute``, ``out``.
        tiles: numbers of tiles, destination first; of global tiles for ``in`` and ``out``.
        shift: elements the local tile of a copy starts late: half a tile, to overlap two.
        event, pipe: what ``set``, ``wait`` and ``barrier`` are about.
    """

    what: str
    tiles: tuple[int, ...] = ()
    shift: int = 0
    event: HardEvent = HardEvent.MTE2_V
    pipe: PipeID = PipeID.PIPE_V


@dataclass(frozen=True, slots=True)
class Script:
    """A kernel.

    Attributes:
        calls: in order.
        buffers: of each of its two queues.
    """

    calls: tuple[Call, ...]
    buffers: int

    def without(self, index: int) -> Script:
        """The kernel with one call less."""
        return replace(self, calls=self.calls[:index] + self.calls[index + 1 :])


@asc.kernel
def play(x: asc.GlobalAddress, z: asc.GlobalAddress, script: Script) -> None:
    """Make the calls of ``script``."""
    pipe, queue_x, queue_z = asc.TPipe(), asc.TQue(TPosition.VECIN, 1), asc.TQue(TPosition.VECOUT, 1)
    buffer = asc.TBuf()
    nbytes = LANES * x.dtype.sizeof()
    pipe.init_buffer(buffer, SLOTS * nbytes + nbytes)
    for queue in (queue_x, queue_z):
        pipe.init_buffer(queue, script.buffers, nbytes)
    whole = buffer.get(x.dtype)
    for slot in range(SLOTS):  # so that everything may be read
        asc.duplicate(whole[slot * LANES :], slot, LANES)
    asc.duplicate(whole[SLOTS * LANES :], 0, LANES)
    asc.pipe_barrier(PipeID.PIPE_ALL)
    for call in script.calls:
        _make(call, whole, _on(x), _on(z), queue_x, queue_z)


@asc.kernel
def _on(address: asc.GlobalAddress) -> asc.GlobalTensor:
    tensor = asc.GlobalTensor()
    tensor.set_global_buffer(address)
    return tensor


def _make(call: Call, whole: Any, x: Any, z: Any, queue_x: Any, queue_z: Any) -> None:
    tiles = [whole[t * LANES + (call.shift if i == 0 else 0) :] for i, t in enumerate(call.tiles)]
    match call.what:
        case "load":
            asc.data_copy(tiles[0], x[call.tiles[1] * LANES :], LANES)
        case "store":
            asc.data_copy(z[call.tiles[1] * LANES :], tiles[0], LANES)
        case "add":
            asc.add(tiles[0], tiles[1], tiles[2], LANES)
        case "adds":
            asc.adds(tiles[0], tiles[1], 1, LANES)
        case "set":
            asc.set_flag(call.event, 5)
        case "wait":
            asc.wait_flag(call.event, 5)
        case "barrier":
            asc.pipe_barrier(call.pipe)
        case "in":
            a = queue_x.alloc_tensor(x.dtype)
            asc.data_copy(a, x[call.tiles[0] * LANES :], LANES)
            queue_x.enque(a)
        case "compute":
            a, b = queue_x.deque(x.dtype), queue_z.alloc_tensor(x.dtype)
            asc.add(b, a, tiles[0], LANES)
            queue_z.enque(b)
            queue_x.free_tensor(a)
        case "out":
            b = queue_z.deque(x.dtype)
            asc.data_copy(z[call.tiles[0] * LANES :], b, LANES)
            queue_z.free_tensor(b)
