"""Local memory besides a TPipe's own buffers: pools, the bump allocator, the stack buffer."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import on_gm

F32 = np.float32


def run(body: Any, **options: Any) -> asc.Program:
    return on_gm(body, **{"chip": "Ascend910B1", **options})


def test_phases_use_the_same_bytes_and_are_in_order() -> None:
    """Two phases of one pool, each with queues of its own: right, and no hazard between them."""
    x, y = np.arange(512, dtype=F32), np.zeros(512, F32)

    def phase(pool: Any, g: Any, out: Any, at: int) -> None:
        come, go = asc.TQue(asc.TPosition.VECIN, 1), asc.TQue(asc.TPosition.VECOUT, 1)
        pool.init_buffer(come, 1, 1024)
        pool.init_buffer(go, 1, 1024)
        t = come.alloc_tensor(asc.float32)
        asc.data_copy(t, g[at:], 256)
        come.enque(t)
        t, r = come.deque(asc.float32), go.alloc_tensor(asc.float32)
        asc.adds(r, t, 1.0, 256)
        come.free_tensor(t)
        go.enque(r)
        r = go.deque(asc.float32)
        asc.data_copy(out[at:], r, 256)
        go.free_tensor(r)
        assert r.address == 1024

    def body(g: Any, out: Any) -> None:
        pipe, pool = asc.TPipe(), asc.TBufPool(asc.TPosition.VECCALC, 4)
        pipe.init_buf_pool(pool, 2048)
        for at in (0, 256):
            phase(pool, g, out, at)
            pool.reset()

    on_gm(body, x, y, hazards="error", chip="Ascend910B1")

    assert y.tolist() == (x + 1).tolist()


def test_pools_share_and_nest() -> None:
    """The second starts where the first does; a pool in a pool takes from it; a TBuf of the pipe comes behind."""

    def body() -> None:
        pipe = asc.TPipe()
        one, two, inner, behind = asc.TBufPool(), asc.TBufPool(), asc.TBufPool(), asc.TBuf()
        pipe.init_buf_pool(one, 4096)
        pipe.init_buf_pool(two, 1000, one)
        pipe.init_buffer(behind, 32)
        buf = asc.TBuf()
        two.init_buf_pool(inner, 64)
        two.init_buffer(buf, 100)
        assert behind.get(asc.float32).address == 4096
        assert buf.get(asc.float32).address == 64
        two.reset()
        two.init_buffer(buf, 512)
        assert buf.get(asc.float32).address == 0

    run(body)


def _pool(nbytes: int = 4096, ids: int = 2) -> asc.TBufPool:
    pipe, pool = asc.TPipe(), asc.TBufPool(asc.TPosition.VECCALC, ids)
    pipe.init_buf_pool(pool, nbytes)
    return pool


def _shared(nbytes: int) -> None:
    pool = _pool()
    asc.get_tpipe_ptr().init_buf_pool(asc.TBufPool(), nbytes, pool)


def _twice() -> None:
    pool, buf = _pool(), asc.TBuf()
    pool.init_buffer(buf, 32)
    pool.init_buffer(buf, 32)


@pytest.mark.parametrize(
    ("body", "error", "text"),
    [
        (
            lambda: _pool().init_buffer(asc.TBuf(), 5000),
            asc.CapacityError,
            "init_buffer: TBufPool overflow: 0 + 5024 B",
        ),
        (
            lambda: _pool().init_buffer(asc.TQue(asc.TPosition.VECIN, 1), 3, 32),
            asc.CapacityError,
            "init_buffer: 3 buffers in TBufPool, which has ids for 2; raise buf_id_size",
        ),
        (lambda: _shared(5000), asc.CapacityError, "init_buf_pool: TBufPool asks for 5024 B of pool, which has 4096 B"),
        (lambda: _pool(0), asc.RangeError, "init_buf_pool: len must be a positive whole number, got 0"),
        (lambda: _pool(200_000), asc.CapacityError, "init_buffer: UB overflow: requested 200000 B"),
        (
            lambda: asc.TBufPool().init_buffer(asc.TBuf(), 32),
            asc.QueueStateError,
            "init_buffer: TBufPool has no memory yet; call pipe.init_buf_pool(pool, len)",
        ),
        (_twice, asc.QueueStateError, "init_buffer: buf has its memory already"),
    ],
)
def test_bad_pools(body: Any, error: type[Exception], text: str) -> None:
    """Each with its message."""
    with pytest.raises(error, match="^" + re.escape(text)):
        run(body)


def test_the_allocator_goes_up_in_blocks() -> None:
    """10 halves are 20 B: the next tensor starts at 32."""

    def body() -> None:
        ub = asc.LocalMemAllocator()
        first = ub.alloc(asc.TPosition.VECIN, asc.half, 10)
        second = ub.alloc(asc.TPosition.VECOUT, asc.float32, 8)
        assert (first.address, len(first), second.address, ub.get_cur_addr()) == (0, 10, 32, 64)

    run(body)


def test_the_allocator_ends_with_its_memory() -> None:
    """UB has 196,608 B."""

    def body() -> None:
        ub = asc.LocalMemAllocator(asc.Hardware.UB)
        ub.alloc(asc.TPosition.VECIN, asc.uint8, 196_608)
        ub.alloc(asc.TPosition.VECIN, asc.uint8, 32)

    with pytest.raises(asc.CapacityError, match=r"^LocalTensor: 32 x uint8 at UB address 196608"):
        run(body)


def test_the_stack_buffer_is_what_the_pipe_left() -> None:
    """Behind 1,024 B, up to the vendor library's limit of 196,352 B; its content is random."""

    def body() -> None:
        pipe, buf = asc.TPipe(), asc.TBuf()
        pipe.init_buffer(buf, 1000)
        tmp = asc.pop_stack_buffer(asc.float32)
        assert (tmp.address, tmp.nbytes) == (1024, 196_352 - 1024)
        asc.abs(tmp, tmp, 8)

    with pytest.raises(asc.UninitializedError, match=r"^src of abs \(tensor tmp\)"):
        run(body)
    with pytest.raises(asc.UsageError, match=r"^get_tpipe_ptr: this kernel has made no TPipe"):
        run(lambda: asc.pop_stack_buffer(asc.float32))
