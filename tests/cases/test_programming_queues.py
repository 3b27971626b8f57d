"""The catalogue of programming mistakes, P03 to P06: queue calls out of turn, which hang on the chip."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import on_gm, one_block
from tests.refusals import refused

F32 = np.float32
VECIN, VECOUT = asc.TPosition.VECIN, asc.TPosition.VECOUT


class TestQueues:
    """P03 to P06: calls out of turn, which hang on the chip."""

    def test_p03_an_allocation_with_nothing_free(self) -> None:
        """It names the queue and the line that holds the buffer."""

        def body() -> None:
            pipe, q = asc.TPipe(), asc.TQue(VECIN, 1)
            pipe.init_buffer(q, 1, 256)
            q.alloc_tensor(asc.half)
            q.alloc_tensor(asc.half)

        line = body.__code__.co_firstlineno + 3
        with refused(
            asc.QueueStateError,
            "alloc_tensor on queue q (VECIN, num 1, depth 1): no buffer is free",
            "wait forever on the chip (deadlock)",
            f"held: test_programming_queues.py:{line} (allocated, not enqueued)",
        ):
            one_block(body)

    @pytest.mark.parametrize("tiles", [2, 3])
    def test_p04_a_forgotten_free_shows_after_num_rounds(self, tiles: int) -> None:
        """Two tiles run with a finding about the leak; the third round finds nothing free."""

        def body(g: Any) -> None:
            pipe, qin = asc.TPipe(), asc.TQue(VECIN, 1)
            pipe.init_buffer(qin, 2, 256)
            for i in range(tiles):
                x = qin.alloc_tensor(asc.float32)
                asc.data_copy(x, g[64 * i :], 64)
                qin.enque(x)
                qin.deque(asc.float32)

        line = body.__code__.co_firstlineno + 4
        if tiles == 2:
            (finding,) = on_gm(body, np.zeros((2, 64), F32)).findings

            assert finding.kind == "leak"
            assert f"2 tensors of qin never freed (taken at test_programming_queues.py:{line})" in finding.message
        else:
            held = f"2 × test_programming_queues.py:{line} (dequeued, not freed)"
            with refused(asc.QueueStateError, "queue qin", f"held: {held}", "free_tensor"):
                on_gm(body, np.zeros((3, 64), F32))

    def test_p05_deque_before_any_enque(self) -> None:
        """The message counts what is allocated and says where."""

        def body(g: Any) -> None:
            pipe, q = asc.TPipe(), asc.TQue(VECIN, 1)
            pipe.init_buffer(q, 1, 256)
            x = q.alloc_tensor(asc.float32)
            asc.data_copy(x, g, 64)
            q.deque(asc.float32)

        line = body.__code__.co_firstlineno + 3
        with refused(
            asc.QueueStateError,
            "deque on queue q",
            "it is empty",
            f"1 allocated but not enqueued, at test_programming_queues.py:{line}",
        ):
            on_gm(body, np.zeros(64, F32))

    def test_p06_two_enques_need_depth_two(self) -> None:
        """num is the number of buffers, depth how many may be enqueued."""

        def body() -> None:
            pipe, q = asc.TPipe(), asc.TQue(VECIN, 1)
            pipe.init_buffer(q, 2, 256)
            a, b = q.alloc_tensor(asc.half), q.alloc_tensor(asc.half)
            q.enque(a)
            q.enque(b)

        with refused(
            asc.QueueStateError,
            "enque on queue q (VECIN, num 2, depth 1)",
            "as many tensors are enqueued as its depth allows",
            "deque one",
        ):
            one_block(body)

    def test_p06_queries(self) -> None:
        """Depth 4, ten buffers, three enqueued: vacant, three in it; idle buffers until all are out."""
        seen: list[object] = []

        def body() -> None:
            pipe, q = asc.TPipe(), asc.TQue(VECIN, 4)
            pipe.init_buffer(q, 10, 256)
            for _ in range(3):
                q.enque(q.alloc_tensor(asc.half))
            seen.extend((q.vacant_in_que(), q.get_tensor_count_in_que(), q.has_tensor_in_que(), q.has_idle_buffer()))
            q.enque(q.alloc_tensor(asc.half))
            seen.append(q.vacant_in_que())
            for _ in range(4):
                q.free_tensor(q.deque(asc.half))
            seen.append(q.has_tensor_in_que())

        one_block(body)

        assert seen == [True, 3, True, True, False, False]

    def test_p06_eight_tensors_of_a_position_at_once(self) -> None:
        """Ten buffers are a warning; the ninth allocation is an error."""

        def body() -> None:
            pipe, q = asc.TPipe(), asc.TQue(VECIN, 4)
            pipe.init_buffer(q, 10, 256)
            for _ in range(9):
                q.alloc_tensor(asc.half)

        with refused(asc.CapacityError, "8 tensors of VECIN are allocated, 8 at once is the limit", "free one first"):
            one_block(body)
