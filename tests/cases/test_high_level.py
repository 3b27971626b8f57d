"""The catalogue where a high-level function is what a kernel would call: F29, F41 and F45 with their exact values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import local, on_gm, on_ub
from tests.refusals import refused

adv = asc.adv
F16, F32 = np.float16, np.float32


def loaded(x: Any, rows: int, nbytes: int, pad: asc.DataCopyPadExtParams) -> asc.LocalTensor:
    """Rows of ``nbytes`` in UB, each at a block of its own, when the vector unit may read them."""
    made = local(np.float32, 8 * rows)
    asc.data_copy_pad(made, x, asc.DataCopyExtParams(rows, nbytes, 0, 0, 0), pad)
    asc.set_flag(asc.HardEvent.MTE2_V, 0)
    asc.wait_flag(asc.HardEvent.MTE2_V, 0)
    return made


class TestF29Broadcast:
    """A column of 16, one element a block, is not a packed column."""

    def z(self, pitch: int | None, size: int = 128) -> np.ndarray[Any, Any]:
        """(16, 1) to (16, 32) from a load that leaves one element a block."""
        out: list[np.ndarray[Any, Any]] = []

        def body(x: Any) -> None:
            column = loaded(x, 16, 4, asc.DataCopyPadExtParams(np.float32))
            z = local(np.float32, 512, 8192)
            adv.broadcast(z, column[:size], (16, 32), (16, 1), local(np.uint8, 4096, 16384), src_pitch=pitch)
            out.append(z.values.reshape(16, 32))

        on_gm(body, np.arange(1, 17).astype(F32), hazards="error")
        return out[0]

    def test_f29_with_its_pitch_every_row_is_its_element(self) -> None:
        """z[i, :] = i + 1."""
        assert (self.z(8) == np.arange(1, 17)[:, None]).all()

    def test_f29_without_one_the_reading_is_not_guessed(self) -> None:
        """Where both would fit, the message gives both."""
        with refused(
            asc.RangeError, "may be packed or at every block; say src_pitch=1 or src_pitch=8, or pass src[:16]"
        ):
            self.z(None)

    def test_f29_read_as_packed_it_is_what_the_bytes_are(self) -> None:
        """A load of one element fills its block with it, so the first eight rows would be 1: said, not guessed."""
        assert (self.z(1)[:9, 0] == [1, 1, 1, 1, 1, 1, 1, 1, 2]).all()
        assert (self.z(None, size=16) == self.z(1)).all()

    def test_f29_one_dimension(self) -> None:
        """(1,) to (64,): all equal."""

        def body(z: Any, x: Any) -> None:
            adv.broadcast(z, x, (64,), (1,), local(np.uint8, 1024, 4096))

        z, _ = on_ub(body, np.zeros(64, F32), np.array([2.5], F32))

        assert (z == 2.5).all()


class TestF41SoftmaxTail:
    """A row of three in a block of eight: what pads it takes part, if the whole block is a row."""

    def softmax(self, value: float, columns: int = 8) -> np.ndarray[Any, Any]:
        out: list[np.ndarray[Any, Any]] = []

        def body(x: Any) -> None:
            pad = asc.DataCopyPadExtParams(np.float32, True, 0, 5, value)
            row, (total, top) = loaded(x, 1, 12, pad), (local(np.float32, 8, at) for at in (4096, 8192))
            info = adv.SoftMaxShapeInfo(1, 8, 1, columns)
            room = local(np.uint8, 1024, 16384)
            adv.softmax(row, total, top, row, adv.soft_max_tiling_func((1, 8)), room, shape_info=info)
            out.append(row.values)

        on_gm(body, np.full(3, -5, F32), hazards="error")
        return out[0]

    def test_f41_minus_infinity_takes_no_part(self) -> None:
        """1/3 each, and 0 for the padding."""
        assert np.array_equal(self.softmax(-np.inf), np.array([*[1 / 3] * 3, 0, 0, 0, 0, 0], F32))

    def test_f41_zero_does(self) -> None:
        """0.00134216 for each of the three: exp(-5) / (3 exp(-5) + 5)."""
        assert np.allclose(self.softmax(0)[:3], 0.00134216, rtol=1e-5, atol=0)

    def test_f41_with_its_columns_said_padding_is_not_read(self) -> None:
        """The tail-safe way: any padding will do."""
        assert np.array_equal(self.softmax(np.nan, 3)[:3], np.full(3, 1 / 3, F32))

    def test_f41_rows_of_minus_infinity_stay_with_themselves(self) -> None:
        """NaN in the row that does not exist, nothing of it in the one that does."""
        rows = np.full((2, 8), -np.inf, F32)
        rows[0, :3] = -5

        def body(x: Any, total: Any, top: Any) -> None:
            adv.softmax(x, total, top, x, adv.soft_max_tiling_func((2, 8)), local(np.uint8, 1024, 4096))

        x, *_ = on_ub(body, rows, np.zeros(16, F32), np.zeros(16, F32))

        assert np.array_equal(x[:8], np.array([*[1 / 3] * 3, 0, 0, 0, 0, 0], F32))
        assert np.isnan(x[8:]).all()


class TestF45FirstAxis:
    """Strides count blocks; whole rows are what can be combined."""

    @pytest.mark.parametrize(("name", "wanted"), [("reduce_sum", 496), ("reduce_max", 31), ("reduce_min", 0)])
    def test_f45_all_lanes(self, name: str, wanted: float) -> None:
        """x (32, 64) half with x[i, j] = i."""
        x = np.repeat(np.arange(32), 64).astype(F16)

        def body(dst: Any, x: Any) -> None:
            getattr(adv, name)(dst, x, (32, 64), True, adv.ReducePattern.RA, local(np.uint8, 65536, 65536))

        dst, _ = on_ub(body, np.zeros(64, F16), x)

        assert (dst == wanted).all()
