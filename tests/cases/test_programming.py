"""The catalogue of programming mistakes, P01, P02, P13, P14, P18, P20, P21 and P23: memory, positions, launches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import local, on_gm, on_ub, one_block
from tests.refusals import refused, refused_at_launch

F32 = np.float32
VECIN, VECOUT = asc.TPosition.VECIN, asc.TPosition.VECOUT


class TestP01Capacity:
    """UB overflow is found where the buffers are made."""

    def test_the_third_queue_does_not_fit(self) -> None:
        """240000 B of 196608 B, with the list of who takes what."""

        def body() -> None:
            pipe = asc.TPipe()
            qx, qy, qz = (asc.TQue(VECIN, 1) for _ in "xyz")
            for queue in (qx, qy, qz):
                pipe.init_buffer(queue, 2, 40000)

        with refused(
            asc.CapacityError,
            "init_buffer: UB overflow: requested 240000 B, capacity 196608 B on demo",
            "qx 2×40000 → 80000, qy 2×40000 → 80000, qz 2×40000 → 80000",
        ):
            one_block(body)

    @pytest.mark.parametrize(("chip", "findings"), [("demo", 0), ("Ascend910B1", 1)])
    def test_all_of_ub_fits_and_the_vendors_reserve_is_a_warning(self, chip: str, findings: int) -> None:
        """3·2·32768 B is exactly UB; above 196352 B the vendor library's own limit is passed."""

        def body() -> None:
            pipe = asc.TPipe()
            for _ in range(3):
                pipe.init_buffer(asc.TQue(VECIN, 1), 2, 32768)

        program = one_block(body, chip=chip)

        assert len(program.findings) == findings
        assert all("196608 B of UB are in use" in f.message and "196352 B" in f.message for f in program.findings)


class TestP02Rounding:
    """Lengths are rounded up to 32 bytes, for each buffer."""

    def test_buffers_of_100_bytes_are_128_apart(self) -> None:
        """Two of them take 256 B."""
        seen: list[int] = []

        def body() -> None:
            pipe, q = asc.TPipe(), asc.TQue(VECIN, 2)
            pipe.init_buffer(q, 2, 100)
            a, b = q.alloc_tensor(asc.float32), q.alloc_tensor(asc.float32)
            seen.extend((b.get_phy_addr() - a.get_phy_addr(), pipe.get_base_addr(VECIN)))
            q.free_tensor(a)
            q.free_tensor(b)

        one_block(body)

        assert seen == [128, 256]

    def test_a_65th_buffer_is_refused(self) -> None:
        """64 in all; the message has the count."""

        def body() -> None:
            pipe = asc.TPipe()
            pipe.init_buffer(asc.TQue(VECIN, 1), 64, 32)
            pipe.init_buffer(asc.TBuf(asc.TPosition.VECCALC), 32)

        with refused(asc.CapacityError, "init_buffer: 65 buffers in all, 64 is the limit of a TPipe"):
            one_block(body)


class TestP13Positions:
    """Operands where an instruction cannot reach them."""

    def test_a_global_tensor_is_no_vector_operand(self) -> None:
        """The message names the operand and the positions there are."""
        with refused(asc.PositionError, "src1 of add (tensor g)", "VECIN, VECCALC, VECOUT", "got a GlobalTensor"):
            on_gm(lambda g: asc.add(local(asc.half, 16), local(asc.half, 16), g, 16), np.zeros(16, np.float16))

    def test_there_is_no_path_from_global_to_global_memory(self) -> None:
        """The message names both ends and the paths of the core."""
        with refused(asc.PositionError, "data_copy", "gm_to_gm", "aiv", "gm_to_ub, ub_to_gm, ub_to_ub"):
            on_gm(lambda x, y: asc.data_copy(y, x, 16), *[np.zeros(16, np.float16)] * 2)

    def test_a_vector_core_has_no_l1(self) -> None:
        """A1 is a position of cube cores."""
        with refused(asc.PositionError, "A1 is no position of an aiv core; there are: VECIN, VECOUT, VECCALC"):
            one_block(lambda: asc.LocalTensor(asc.half, asc.TPosition.A1, 0, 16))

    def test_a_tensor_goes_back_to_its_own_queue(self) -> None:
        """A VECIN tensor does not fit a VECOUT queue; the message names both queues."""

        def body() -> None:
            pipe, qin, qout = asc.TPipe(), asc.TQue(VECIN, 1), asc.TQue(VECOUT, 1)
            pipe.init_buffer(qin, 1, 256)
            pipe.init_buffer(qout, 1, 256)
            x = qin.alloc_tensor(asc.half)
            qout.enque(x)

        with refused(asc.QueueStateError, "enque on queue qout (VECOUT", "tensor x", "belongs to queue qin (VECIN"):
            one_block(body)


class TestP14GlobalBounds:
    """An access past a view of global memory."""

    @pytest.mark.parametrize("block", [0, 7])
    def test_every_block_is_told_not_only_the_last(self, block: int) -> None:
        """View of 2048 elements, 4096 accessed: name, range and size are in the message."""

        @asc.kernel
        def body(x: Any) -> None:
            core = asc.get_block_idx()
            g = asc.GlobalTensor()
            g.set_global_buffer(x + core * 2048, 2048)
            if core == block:
                asc.data_copy(local(asc.float32, 4096), g, 4096)

        first = 2048 * block
        with refused(
            asc.OutOfBoundsError,
            "src of data_copy (tensor g): accesses elements [0, 4096) of a view of 2048 x float32 on argument x",
            f"elements [{first}, {first + 2048}) of 16384",
            f"block {block} of 8",
        ):
            body.launch(8, np.zeros((8, 2048), F32), chip="demo")

    @pytest.mark.parametrize(("offset", "size"), [(100, 1), (-1, 1), (60, 5), (0, -1)])
    def test_a_view_outside_its_array_is_refused(self, offset: int, size: int) -> None:
        """Before anything is accessed."""

        @asc.kernel
        def body(x: Any) -> None:
            asc.GlobalTensor().set_global_buffer(x + offset, size)

        with refused(asc.OutOfBoundsError, "set_global_buffer", f"element {offset} of x", "6"):
            body.launch(1, np.zeros(64, F32), chip="demo")


class TestP18Launches:
    """How many blocks there may be."""

    @pytest.mark.parametrize("blocks", [0, 1, 64])
    def test_any_number_of_blocks_up_to_the_limit(self, blocks: int) -> None:
        """Each block writes its number; no block is a launch that does nothing."""
        y = np.full((64, 16), -1, np.int32)

        @asc.kernel
        def body(y: Any) -> None:
            u = local(asc.int32, 16)
            asc.duplicate(u, asc.get_block_idx(), 16)
            asc.set_flag(asc.HardEvent.V_MTE3, 0)
            asc.wait_flag(asc.HardEvent.V_MTE3, 0)
            g = asc.GlobalTensor()
            g.set_global_buffer(y + 16 * asc.get_block_idx(), 16)
            asc.data_copy(g, u, 16)

        program = body.launch(blocks, y, chip="Ascend910B1")

        assert len(program.blocks) == blocks
        assert y[:, 0].tolist() == [*range(blocks), *[-1] * (64 - blocks)]

    def test_more_than_65535_are_refused(self) -> None:
        """The message has the limit."""
        with refused_at_launch(asc.UsageError, "<lambda>[70000]", "0 to 65535"):
            asc.kernel(lambda: None)[70000]()


class TestP20Uninitialised:
    """Fresh local memory has no content."""

    def test_accumulating_into_it_is_refused(self) -> None:
        """The message names the tensor and the elements."""
        with refused(asc.UninitializedError, "src0 of add (tensor acc): reads elements [0, 64)", "duplicate"):
            on_ub(_accumulate, np.ones(64, F32))

    def test_after_a_fill_it_is_right(self) -> None:
        """0 + x."""
        x, _ = on_ub(lambda x, acc: (asc.duplicate(acc, 0, 64), asc.add(x, acc, x, 64)), *[np.ones(64, F32)] * 2)

        assert x.tolist() == [1] * 64

    def test_it_looks_like_nan(self) -> None:
        """Poison is NaN in floats and −1 in integers."""
        seen: list[Any] = []
        on_ub(lambda: seen.extend((local(asc.float32, 8).values, local(asc.int16, 8).values)))

        assert np.isnan(seen[0]).all()
        assert seen[1].tolist() == [-1] * 8


def _accumulate(x: Any) -> None:
    pipe, buf = asc.TPipe(), asc.TBuf(asc.TPosition.VECCALC)
    pipe.init_buffer(asc.TBuf(asc.TPosition.VECCALC), 256)  # where x lies
    pipe.init_buffer(buf, 256)
    acc = buf.get(asc.float32, 64)
    asc.add(acc, acc, x, 64)


class TestP21TBuf:
    """A TBuf is one place."""

    def test_two_gets_are_one_tensor_and_a_hint(self) -> None:
        """1 and 2 into the same place: 2 + 2."""
        seen: list[float] = []

        def body() -> None:
            pipe, tb, out = asc.TPipe(), asc.TBuf(asc.TPosition.VECCALC), asc.TBuf(asc.TPosition.VECCALC)
            pipe.init_buffer(tb, 256)
            pipe.init_buffer(out, 256)
            a = tb.get(asc.float32, 64)
            b = tb.get(asc.float32, 64)
            z = out.get(asc.float32, 64)
            asc.duplicate(a, 1, 64)
            asc.duplicate(b, 2, 64)
            asc.add(z, a, b, 64)
            seen.extend(z.values)

        (finding,) = one_block(body).findings

        assert seen == [4] * 64
        assert finding.kind == "alias"
        assert "TBuf tb" in finding.message
        assert "share bytes [0, 256)" in finding.message

    def test_more_than_there_is(self) -> None:
        """65 floats are 260 B."""

        def body() -> None:
            pipe, tb = asc.TPipe(), asc.TBuf(asc.TPosition.VECCALC)
            pipe.init_buffer(tb, 256)
            tb.get(asc.float32, 65)

        with refused(asc.OutOfBoundsError, "get on TBuf tb: 65 x float32", "needs 260 B, it has 256 B"):
            one_block(body)

    def test_an_offset_off_its_block(self) -> None:
        """Byte 20 is no multiple of 32."""

        def body() -> None:
            pipe, tb = asc.TPipe(), asc.TBuf(asc.TPosition.VECCALC)
            pipe.init_buffer(tb, 256)
            tb.get_with_offset(16, 20, asc.half)

        with refused(asc.AlignmentError, "get_with_offset on TBuf tb: buf_offset 20 is not a multiple of 32"):
            one_block(body)


class TestP23Pipes:
    """One TPipe at a time."""

    def test_a_second_one_is_refused(self) -> None:
        """Both would start at address 0."""

        def body() -> None:
            asc.TPipe()
            asc.TPipe()

        with refused(asc.QueueStateError, "TPipe: this kernel has one already", "address 0", "destroy()"):
            one_block(body)

    def test_one_after_another_is_fine(self) -> None:
        """After destroy a new one starts at 0; after reset the same one does; event ids are back, too."""
        starts: list[int] = []

        def body() -> None:
            for _ in range(20):
                pipe, q = asc.TPipe(), asc.TQue(VECIN, 1)
                pipe.init_buffer(q, 1, 1024)
                t = q.alloc_tensor(asc.half)
                starts.append(t.get_phy_addr())
                q.free_tensor(t)
                pipe.reset()
                starts.append(pipe.get_base_addr(VECIN))
                pipe.destroy()

        one_block(body)

        assert starts == [0] * 40
