"""``check_local_memory_ia``: what it watches for, from where to where, and until when."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import local, on_gm, on_ub
from tests.refusals import refused

F32 = np.float32
Watch = asc.CheckLocalMemoryIAParam


def tripped(*watches: Watch, blocks: int = 1) -> list[tuple[str, ...]]:
    """Run a load, a sum, a store and two scalar accesses of [256, 512) after ``watches``: what trips, by its verb."""

    @asc.kernel
    def kernel(x: asc.GlobalAddress) -> None:
        gm = asc.GlobalTensor()
        gm.set_global_buffer(x)
        for watch in watches:
            asc.check_local_memory_ia(watch)
        t = local(asc.float32, 64, 256)
        asc.data_copy(t, gm, 64)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.adds(t, t, 1, 64)
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        t.set_value(0, t.get_value(63))
        asc.pipe_barrier(asc.PipeID.PIPE_ALL)
        asc.data_copy(gm, t, 64)

    program = kernel.launch(blocks, np.ones(64, F32), chip="demo", hazards="warn")
    found = [f for f in program.findings if f.kind == "watch"]
    assert all(f.blocks == tuple(range(blocks)) and f.severity is asc.Severity.ERROR for f in found)
    return [(f.message.split()[0], f.message.partition("): ")[2].split()[0]) for f in found]


@pytest.mark.parametrize(
    ("watch", "trips"),
    [
        ("is_mte_write", [("data_copy", "writes")]),
        ("is_mte_read", [("data_copy", "reads")]),
        ("is_vector_read", [("adds", "reads")]),
        ("is_vector_write", [("adds", "writes")]),
        ("is_scalar_read", [("get_value", "reads")]),
        ("is_scalar_write", [("set_value", "writes")]),
    ],
)
def test_each_kind_of_access_is_watched_by_itself(watch: str, trips: list[tuple[str, str]]) -> None:
    """Six kinds: of the scalar unit, the vector unit and the copies, reads and writes."""
    assert tripped(Watch(0, 7, 15, **{watch: True}, is_enable=True)) == trips


@pytest.mark.parametrize(("start", "end", "is_hit"), [(0, 7, False), (0, 8, True), (14, 15, True), (15, 20, False)])
def test_the_range_begins_behind_its_start_and_holds_its_end(start: int, end: int, is_hit: bool) -> None:
    """[256, 512) are blocks 8 to 15: (0, 7] and (15, 20] miss them, (0, 8] and (14, 15] do not."""
    assert bool(tripped(Watch(1, start, end, is_vector_write=True, is_enable=True))) is is_hit


def test_a_register_watches_until_it_is_set_again() -> None:
    """Turned off, or to another range, it is quiet; another register does not change that."""
    on = Watch(2, 7, 15, is_vector_write=True, is_enable=True)

    assert tripped(on, Watch(2)) == []
    assert tripped(on, Watch(2, 100, 101, is_vector_write=True, is_enable=True)) == []
    assert tripped(on, Watch(3)) == [("adds", "writes")]


def test_all_blocks_share_a_finding() -> None:
    """The lines are the same."""
    assert tripped(Watch(0, 7, 15, is_vector_write=True, is_enable=True), blocks=3) == [("adds", "writes")]


def test_queue_calls_touch_nothing() -> None:
    """Taking and freeing a buffer in the range is no access."""

    def body(gm: Any) -> None:
        everything = dict.fromkeys((f for f in Watch.__dataclass_fields__ if f.startswith("is_")), True)
        asc.check_local_memory_ia(Watch(0, 0, 65535, **everything))
        pipe, queue = asc.TPipe(), asc.TQue(asc.TPosition.VECIN, 1)
        pipe.init_buffer(queue, 2, 64)
        for _ in range(3):
            queue.enque(queue.alloc_tensor(asc.float32))
            queue.free_tensor(queue.deque(asc.float32))

    assert on_gm(body, np.ones(8, F32), hazards="error").findings == ()


@pytest.mark.parametrize(
    ("params", "error", "text"),
    [
        (Watch(4), asc.RangeError, "check_local_memory_ia: enable_bit must be 0 to 3, got 4"),
        (Watch(0, 65536), asc.RangeError, "check_local_memory_ia: start_addr must be 0 to 65535, got 65536"),
        (Watch(0, 1, 9, is_enable=True), asc.UsageError, "nothing would be watched: no access of blocks 2 to 9"),
        (
            Watch(0, 9, 9, is_mte_read=True, is_enable=True),
            asc.UsageError,
            "nothing would be watched: mte read of blocks 10 to 9; end_addr must be above start_addr, and one of "
            "is_scalar_read … is_mte_write true",
        ),
        (3, asc.UsageError, "check_local_memory_ia: params must be a CheckLocalMemoryIAParam, got 3"),
    ],
)
def test_a_watch_that_is_none_is_refused(params: Any, error: type[Exception], text: str) -> None:
    """Fields in their limits, and something to watch."""
    with refused(error, text):
        on_ub(lambda: asc.check_local_memory_ia(params))
