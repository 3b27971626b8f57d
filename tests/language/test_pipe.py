"""TPipe: capacity, rounding, limits, event ids, starting over."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendc as asc
from tests.block import on_gm, one_block
from tests.refusals import refused

VECIN, VECOUT, VECCALC = asc.TPosition.VECIN, asc.TPosition.VECOUT, asc.TPosition.VECCALC
H, E = asc.half, asc.HardEvent


SIZE = st.tuples(st.integers(1, 4), st.integers(1, 3000), st.sampled_from([VECIN, VECOUT]))


@given(sizes=st.lists(SIZE, max_size=10))
def test_buffers_lie_one_after_another_in_whole_blocks(sizes: list[tuple[int, int, asc.TPosition]]) -> None:
    """Each length is rounded up to 32; all positions of UB share it, in the order of the calls."""
    seen: list[int] = []
    wanted, free = [], 0
    for num, nbytes, _ in sizes:
        each = (nbytes + 31) // 32 * 32
        wanted.extend(free + i * each for i in range(num))
        free += num * each

    def body() -> None:
        pipe = asc.TPipe()
        queues = [asc.TQue(pos, 1) for *_, pos in sizes]
        for queue, (num, nbytes, _) in zip(queues, sizes, strict=True):
            assert pipe.init_buffer(queue, num, nbytes)
            seen.extend(buffer.address for buffer in queue.buffers)
        seen.append(pipe.get_base_addr(VECCALC))

    one_block(body)

    assert seen == [*wanted, free]


@pytest.mark.parametrize(
    ("num", "nbytes", "text"),
    [
        (0, 32, "num must be a positive whole number, got 0"),
        (1, 0, "len must be a positive whole number, got 0"),
        (1, -32, "len must be a positive whole number, got -32"),
        (1.0, 32, "num must be a positive whole number, got 1.0"),
        (True, 32, "num must be a positive whole number, got True"),
        (1, "32", "len must be a positive whole number, got '32'"),
        (1, None, "len must be a positive whole number, got None"),
    ],
)
def test_sizes_are_positive_whole_numbers(num: Any, nbytes: Any, text: str) -> None:
    """Both of them."""
    with refused(asc.RangeError, f"init_buffer: {text}"):
        one_block(lambda: asc.TPipe().init_buffer(asc.TQue(VECIN, 1), num, nbytes))


def test_numpy_numbers_are_whole_numbers_too() -> None:
    """Tiling often comes out of NumPy."""
    one_block(lambda: asc.TPipe().init_buffer(asc.TQue(VECIN, 1), np.int64(2), np.int32(64)))


@pytest.mark.parametrize("args", [((96,), {}), ((), {"num": 96}), ((1, 96), {})])
def test_a_tbuf_takes_a_length_only(args: Any) -> None:
    """A number of buffers before it has no meaning."""
    seen: list[int] = []

    def body() -> None:
        pipe, buf = asc.TPipe(), asc.TBuf(VECCALC)
        pipe.init_buffer(buf, *args[0], **args[1])
        seen.append(buf.get(H).get_size())

    one_block(body)

    assert seen == [48]


def test_what_is_no_queue_has_no_buffers() -> None:
    """A tensor, say."""
    with refused(asc.UsageError, "init_buffer: que must be a TQue, a TQueBind or a TBuf, got 5"):
        one_block(lambda: asc.TPipe().init_buffer(5, 1, 32))  # type: ignore[arg-type]


@pytest.mark.parametrize("make", [lambda: asc.TQue(VECIN, 1), lambda: asc.TBuf(VECCALC)])
def test_memory_is_given_once(make: Any) -> None:
    """A second init_buffer of one queue or TBuf is refused, by name."""

    def body() -> None:
        pipe, mine = asc.TPipe(), make()
        pipe.init_buffer(mine, 1, 32)
        pipe.init_buffer(mine, 1, 32)

    with refused(asc.QueueStateError, "init_buffer: mine has its memory already"):
        one_block(body)


def test_overflow_lists_who_takes_what() -> None:
    """TBufs among them; other memories not."""

    def body() -> None:
        pipe, q, scratch = asc.TPipe(), asc.TQue(VECIN, 1), asc.TBuf(VECCALC)
        pipe.init_buffer(scratch, 100_000)
        pipe.init_buffer(q, 2, 50_000)

    with refused(
        asc.CapacityError,
        "init_buffer: UB overflow: requested 200032 B, capacity 196608 B on demo: scratch 1×100000 → 100000, "
        "q 2×50016 → 100032; use shorter or fewer buffers",
    ):
        one_block(body)


def test_more_than_eight_buffers_of_a_position_are_a_warning() -> None:
    """Two positions count apart, and TBufs not at all."""

    def body() -> None:
        pipe = asc.TPipe()
        pipe.init_buffer(asc.TQue(VECIN, 1), 8, 32)
        pipe.init_buffer(asc.TQue(VECOUT, 1), 8, 32)
        pipe.init_buffer(asc.TBuf(VECIN), 32)
        pipe.init_buffer(asc.TQue(VECIN, 1), 1, 32)

    (finding,) = one_block(body).findings

    assert finding.kind == "buffers"
    assert "init_buffer: 9 buffers at VECIN; only 8 of one position can be allocated at once" in finding.message


class TestEvents:
    """Ids that the author takes."""

    def test_lowest_first_and_back_again(self) -> None:
        """alloc takes, release gives back, fetch only looks."""
        seen: list[int] = []

        def body() -> None:
            pipe = asc.TPipe()
            seen.extend(pipe.alloc_event_id(E.MTE2_V) for _ in range(3))
            seen.append(pipe.alloc_event_id(E.V_MTE3))
            pipe.release_event_id(1, E.MTE2_V)
            seen.extend(pipe.fetch_event_id(E.MTE2_V) for _ in range(2))
            seen.append(pipe.alloc_event_id(E.MTE2_V))

        one_block(body)

        assert seen == [0, 1, 2, 0, 1, 1, 1]

    def test_queues_and_authors_share_the_ids(self) -> None:
        """An id the author took is not the queue's."""

        def body() -> None:
            pipe, q = asc.TPipe(), asc.TQue(VECIN, 1)
            pipe.init_buffer(q, 1, 32)
            pipe.alloc_event_id(E.MTE2_V)
            q.enque(q.alloc_tensor(H))
            q.free_tensor(q.deque(H))

        events = [row.template.event for row in one_block(body).blocks[0]]

        assert (E.MTE2_V, 1) in events
        assert (E.MTE2_V, 0) not in events

    @pytest.mark.parametrize(
        ("call", "text"),
        [
            (lambda p: p.release_event_id(3, E.MTE2_V), "release_event_id: MTE2_V id 3 is not taken"),
            (lambda p: p.release_event_id(8, E.MTE2_V), "release_event_id: event id must be 0 to 7, got 8"),
            (lambda p: p.alloc_event_id(4), "an event must be a HardEvent, as HardEvent.MTE2_V, got 4"),
            (lambda p: p.alloc_event_id(E.M_V), "M_V is no event of an aiv core; there are: MTE2_V, V_MTE2"),
            (lambda p: p.fetch_event_id(E.M_V), "M_V is no event of an aiv core"),
            (lambda p: [p.alloc_event_id(E.V_V) for _ in range(8)] and p.fetch_event_id(E.V_V), "all 8 event ids are"),
        ],
    )
    def test_ids_and_events_that_are_not_there(self, call: Any, text: str) -> None:
        """Each says what there is."""
        with refused(asc.EventError, text):
            one_block(lambda: call(asc.TPipe()))


class TestStartingOver:
    """reset, destroy, init."""

    @pytest.mark.parametrize("again", ["reset", "destroy"])
    def test_the_same_queues_may_be_laid_out_anew(self, again: str) -> None:
        """Three phases over the same memory: right, and in order."""
        x, y = np.arange(96).astype(np.float16), np.zeros(96, np.float16)

        def body(x: Any, y: Any) -> None:
            pipe, into, out = asc.TPipe(), asc.TQue(VECIN, 1), asc.TQue(VECOUT, 1)
            for i in range(3):
                pipe.init_buffer(into, 1, 64)
                pipe.init_buffer(out, 1, 64)
                t = into.alloc_tensor(H)
                asc.data_copy(t, x[32 * i :], 32)
                into.enque(t)
                t, u = into.deque(H), out.alloc_tensor(H)
                asc.adds(u, t, 1, 32)
                out.enque(u)
                into.free_tensor(t)
                u = out.deque(H)
                asc.data_copy(y[32 * i :], u, 32)
                out.free_tensor(u)
                getattr(pipe, again)()
                if again == "destroy":
                    pipe.init()

        program = on_gm(body, x, y, hazards="error")

        assert np.array_equal(y, x + 1)
        assert not program.findings

    def test_a_reset_gives_back_what_was_never_freed(self) -> None:
        """Tensors still out count as freed, with a finding; ten rounds do not reach the limit of eight."""

        def body() -> None:
            pipe = asc.TPipe()
            for _ in range(10):
                q = asc.TQue(VECIN, 1)
                pipe.init_buffer(q, 1, 32)
                q.alloc_tensor(H)
                pipe.reset()

        (finding,) = one_block(body).findings

        assert finding.kind == "leak"
        assert finding.lines == (f"test_pipe.py:{body.__code__.co_firstlineno + 5}",)

    def test_leaks_of_several_lines_name_them_all(self) -> None:
        """In order of the calls; every block that leaks is listed."""

        @asc.kernel
        def body() -> None:
            pipe, q = asc.TPipe(), asc.TQue(VECIN, 2)
            pipe.init_buffer(q, 2, 32)
            q.alloc_tensor(H)
            q.enque(q.alloc_tensor(H))

        (finding,) = body.launch(3, chip="demo", hazards="off").findings

        first = body.body.__code__.co_firstlineno
        assert finding.lines == (f"test_pipe.py:{first + 4}", f"test_pipe.py:{first + 5}")
        assert finding.blocks == (0, 1, 2)

    def test_the_ambient_pipe(self) -> None:
        """``get_tpipe_ptr`` finds it, and says so if there is none."""
        seen: list[bool] = []

        def body() -> None:
            pipe = asc.TPipe()
            seen.append(asc.get_tpipe_ptr() is pipe)
            pipe.destroy()
            asc.get_tpipe_ptr()

        with refused(asc.UsageError, "get_tpipe_ptr: this kernel has made no TPipe"):
            one_block(body)

        assert seen == [True]

    def test_a_second_init_of_another_pipe_is_refused(self) -> None:
        """Two pipes cannot be the one of a kernel."""

        def body() -> None:
            first = asc.TPipe()
            first.destroy()
            asc.TPipe()
            first.init()

        with refused(asc.QueueStateError, "TPipe: this kernel has one already"):
            one_block(body)
