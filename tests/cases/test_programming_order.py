"""The catalogue of programming mistakes, P07 to P12, P15 and P24: order between the pipes of a core, and of cores."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import local, on_gm
from tests.refusals import refused

F32 = np.float32
E = asc.HardEvent
N = 1024


def judged(body: Any, *arrays: Any, **options: Any) -> asc.Program:
    """Run with the hazard pass on."""
    return on_gm(body, *arrays, **{"hazards": "error", **options})


def flag(event: asc.HardEvent, event_id: int = 0) -> None:
    asc.set_flag(event, event_id)
    asc.wait_flag(event, event_id)


def lines(finding: asc.Finding, body: Any) -> tuple[int, ...]:
    """The lines of a finding, from the first line of ``body``."""
    return tuple(int(line.split(":")[1]) - body.__code__.co_firstlineno for line in finding.lines)


class TestRaces:
    """P07 to P09 and P24: accesses that nothing orders."""

    def test_p07_a_tensor_used_without_its_queue(self) -> None:
        """The vector unit may read before the load has arrived."""

        def body(g: Any) -> None:
            pipe, q = asc.TPipe(), asc.TQue(asc.TPosition.VECIN, 1)
            pipe.init_buffer(q, 1, 4 * N)
            x = q.alloc_tensor(asc.float32)
            asc.data_copy(x, g, N)
            asc.adds(x, x, 1, N)

        with pytest.raises(asc.HazardError, match="enque") as caught:
            judged(body, np.zeros(N, F32))

        assert caught.value.findings[0].kind in ("raw", "waw")
        assert {lines(f, body) for f in caught.value.findings} == {(4, 5)}

    @pytest.mark.parametrize("missing", [None, "MTE2_V", "V_MTE3", "MTE3_MTE2"])
    def test_p08_three_flags_make_a_loop_safe(self, missing: str | None) -> None:
        """Without any one of them a race is found, between the two lines it would order."""
        g, y = np.arange(2 * N, dtype=F32).reshape(2, N), np.zeros((2, N), F32)

        def body(x: Any, y: Any) -> None:
            u = local(asc.float32, N)
            for i in range(2):
                asc.data_copy(u, x[i * N :], N)
                _unless(missing, "MTE2_V")
                asc.adds(u, u, 1, N)
                _unless(missing, "V_MTE3")
                asc.data_copy(y[i * N :], u, N)
                _unless(missing, "MTE3_MTE2")

        if missing is None:
            assert not judged(body, g, y).findings
            assert np.array_equal(y, g + 1)
            return
        with pytest.raises(asc.HazardError) as caught:
            judged(body, g, y)

        wanted = {"MTE2_V": (3, 5), "V_MTE3": (5, 7), "MTE3_MTE2": (7, 3)}[missing]
        assert wanted in [lines(f, body) for f in caught.value.findings]

    @pytest.mark.parametrize("how", ["nothing", "barrier", "auto"])
    def test_p09_dependent_vector_instructions_need_a_barrier(self, how: str) -> None:
        """By hand or inserted; without one a race is found."""

        def body() -> None:
            t, z = local(asc.float32, N), local(asc.float32, N, 4 * N)
            asc.duplicate(t, 2, N)
            if how == "barrier":
                asc.pipe_barrier(asc.PipeID.PIPE_V)
            asc.adds(z, t, 1, N)

        if how != "nothing":
            assert not judged(body, auto_sync=how == "auto").findings
            return
        with pytest.raises(asc.HazardError, match="PIPE_V") as caught:
            judged(body, auto_sync=False)

        (finding,) = caught.value.findings
        assert finding.kind == "raw"
        assert lines(finding, body) == (2, 5)

    @pytest.mark.parametrize("ordered", [True, False])
    def test_p24_a_buffer_reused_before_its_store_is_done(self, ordered: bool) -> None:
        """The vector unit overwrites what MTE3 still reads; MTE3_V orders them."""
        y, z = np.zeros(N, F32), np.zeros(N, F32)

        def body(y: Any, z: Any) -> None:
            u = local(asc.float32, N)
            asc.duplicate(u, 1, N)
            flag(E.V_MTE3)
            asc.data_copy(y, u, N)
            if ordered:
                flag(E.MTE3_V)
            asc.adds(u, u, 1, N)
            flag(E.V_MTE3, 1)
            asc.data_copy(z, u, N)

        if ordered:
            assert not judged(body, y, z).findings
            assert (y[0], z[0]) == (1, 2)
            return
        with pytest.raises(asc.HazardError, match="MTE3_V") as caught:
            judged(body, y, z)

        (finding,) = caught.value.findings
        assert finding.kind == "war"
        assert lines(finding, body) == (4, 7)


def _unless(missing: str | None, event: str) -> None:
    if event != missing:
        flag(E[event])


class TestFlags:
    """P10 to P12."""

    @pytest.mark.parametrize("primed", [True, False])
    def test_p10_a_loop_that_begins_with_a_wait_needs_priming(self, primed: bool) -> None:
        """Unprimed: the wait that would never end. Primed but not drained: both left sets are named."""
        g, y = np.arange(4 * N, dtype=F32), np.zeros(4 * N, F32)

        def body(x: Any, y: Any) -> None:
            if primed:
                asc.set_flag(E.MTE3_MTE2, 0)
                asc.set_flag(E.MTE3_MTE2, 1)
            for i in range(4):
                u = local(asc.float32, N, i % 2 * 4 * N)
                asc.wait_flag(E.MTE3_MTE2, i % 2)
                asc.data_copy(u, x[i * N :], N)
                flag(E.MTE2_MTE3, i % 2)
                asc.data_copy(y[i * N :], u, N)
                asc.set_flag(E.MTE3_MTE2, i % 2)

        if not primed:
            with refused(asc.EventError, "MTE2 would wait forever for MTE3_MTE2 id 0", "no set_flag was issued before"):
                judged(body, g, y)
            return
        program = judged(body, g, y)

        assert np.array_equal(y, g)
        assert [(f.kind, f.severity) for f in program.findings] == [("flag", asc.Severity.WARNING)] * 2
        assert all("MTE3_MTE2" in f.message for f in program.findings)

    def test_p11_set_twice(self) -> None:
        """The second set names the first one's line."""

        def body() -> None:
            asc.set_flag(E.MTE2_V, 0)
            asc.set_flag(E.MTE2_V, 0)
            asc.pipe_barrier(asc.PipeID.PIPE_ALL)

        line = body.__code__.co_firstlineno + 1
        with refused(
            asc.EventError, "set_flag: MTE2_V id 0 is already set", f"at test_programming_order.py:{line}", "another id"
        ):
            judged(body)

    def test_p12_ids_run_out(self) -> None:
        """The ninth of eight; the message lists who holds them."""

        def body() -> None:
            pipe = asc.TPipe()
            for _ in range(9):
                pipe.alloc_event_id(E.MTE2_V)

        line = body.__code__.co_firstlineno + 3
        with refused(
            asc.EventError, "MTE2_V: all 8 event ids are taken", f"0 (test_programming_order.py:{line})", "7 (test"
        ):
            judged(body)

    @pytest.mark.parametrize("event_id", [8, -1])
    def test_p12_ids_are_0_to_7(self, event_id: int) -> None:
        """Others are refused."""
        with refused(asc.EventError, f"set_flag: event id must be 0 to 7, got {event_id}"):
            judged(lambda: asc.set_flag(E.MTE2_V, event_id))


class TestP15SharedBlocks:
    """20 floats for four cores are five each: 20 bytes, and a store of whole blocks writes 32."""

    def store(self, y: Any, *, exactly: bool) -> asc.Program:
        """Block b writes 10 b + j to its share."""

        @asc.kernel
        def fill(y: asc.GlobalAddress) -> None:
            g, u, block = asc.GlobalTensor(), local(asc.float32, 8), asc.get_block_idx()
            g.set_global_buffer(y)
            asc.create_vec_index(u, 10 * block, 8)
            flag(E.V_MTE3)
            if exactly:
                asc.data_copy_pad(g[5 * block :], u, asc.DataCopyExtParams(1, 20))
            else:
                asc.data_copy(g[5 * block :], u, 8)

        return fill.launch(4, y, chip="demo")

    def test_p15_cores_that_store_into_one_block_are_found(self) -> None:
        """Bytes 20 to 31 are block 0's and block 1's; the message has both, and the way out."""
        with pytest.raises(asc.HazardError) as caught:
            self.store(np.zeros(24, F32), exactly=False)

        (finding,) = caught.value.findings
        assert finding.kind == "cores"
        assert "block 1 writes y bytes [20, 32), which block 0 writes" in finding.message
        assert "data_copy_pad" in finding.message

    def test_p15_rows_of_bytes_keep_to_their_own(self) -> None:
        """Twenty exact numbers, nothing found."""
        y = np.zeros(20, F32)

        assert not self.store(y, exactly=True).findings
        assert y.tolist() == [10 * block + j for block in range(4) for j in range(5)]
