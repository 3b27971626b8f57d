"""The catalogue of functional behaviour, F01 to F06 and F08: what copies do, to the byte."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import local, on_gm
from tests.inventory import worked
from tests.refusals import refused

F16, F32 = np.float16, np.float32


@worked("data_copy")
class TestF01CountIsRoundedDown:
    """A count form copy moves whole blocks of 32 bytes."""

    def test_only_whole_blocks_arrive(self) -> None:
        """20 halves are 40 B: 16 arrive, the lanes behind them keep what they held."""
        x, out = np.arange(1, 21).astype(F16), np.zeros(32, F16)

        def body(g: Any, result: Any) -> None:
            u = local(asc.half, 32)
            asc.duplicate(u, -1.0, 32)
            asc.data_copy(u, g, 20)
            asc.data_copy(result, u, 32)

        on_gm(body, x, out)

        assert out.tolist() == [*range(1, 17), *[-1] * 16]

    def test_the_rounding_is_reported_with_its_line(self) -> None:
        """The finding is a warning that says how many bytes were asked for and moved, and what to use."""
        program = on_gm(lambda g: asc.data_copy(local(asc.half, 32), g, 20), np.zeros(20, F16))

        (finding,) = program.findings
        assert finding.severity is asc.Severity.WARNING
        assert finding.kind == "rounding"
        assert "20 x float16 = 40 B is rounded down to 32 B" in finding.message
        assert "data_copy_pad" in finding.message
        assert finding.lines[0].startswith("test_functional_copies.py:")

    def test_the_way_out_rounds_down_too(self) -> None:
        """Storing 20 halves leaves elements 16 to 19 of the output untouched."""
        out = np.full(20, 7, F16)

        def body(result: Any) -> None:
            u = local(asc.half, 32)
            asc.duplicate(u, 3.0, 32)
            asc.data_copy(result, u, 20)

        on_gm(body, out)

        assert out.tolist() == [3] * 16 + [7] * 4


@worked("data_copy_pad", "set_pad_value")
class TestDataCopyPad:
    """F02 to F06: rows of any number of bytes."""

    def test_f02_dummies_repeat_the_first_element_of_the_block(self) -> None:
        """47 bytes and no padding: lanes 47 to 63 hold the first element, so a sum is 1401, not 1316."""
        x, out = np.arange(5, 52).astype(np.int8), np.zeros(64, np.int8)

        def body(g: Any, result: Any) -> None:
            u = local(asc.int8, 64)
            pad = asc.DataCopyPadExtParams(asc.int8, False, 0, 0, 0)
            asc.data_copy_pad(u, g, asc.DataCopyExtParams(1, 47, 0, 0, 0), pad)
            asc.data_copy(result, u, 64)

        on_gm(body, x, out)

        assert out.tolist() == [*range(5, 52), *[5] * 17]
        assert int(out.sum()) == 1401

    def test_f03_rows_padded_with_a_value(self) -> None:
        """32 rows of 59 floats land in rows of 64 with five zeros behind each."""
        x, out = np.arange(32 * 59, dtype=F32), np.full((32, 64), -1, F32)

        def body(g: Any, result: Any) -> None:
            u = local(asc.float32, 32 * 64)
            pad = asc.DataCopyPadExtParams(asc.float32, True, 0, 5, 0.0)
            asc.data_copy_pad(u, g, asc.DataCopyExtParams(32, 59 * 4, 0, 0, 0), pad)
            asc.data_copy(result, u, 32 * 64)

        on_gm(body, x, out)

        assert np.array_equal(out[:, :59], x.reshape(32, 59))
        assert not out[:, 59:].any()

    def test_f03_padding_is_at_most_32_bytes_a_side(self) -> None:
        """Nine floats are 36 B."""

        def body(g: Any) -> None:
            pad = asc.DataCopyPadExtParams(asc.float32, True, 0, 9, 0.0)
            asc.data_copy_pad(local(asc.float32, 96), g, asc.DataCopyExtParams(1, 236, 0, 0, 0), pad)

        with refused(asc.RangeError, "data_copy_pad: right_padding must be 0 to 8 elements", "got 9 (36 B)"):
            on_gm(body, np.zeros(59, F32))

    @pytest.mark.parametrize("set_first", [True, False])
    def test_f04_padding_from_the_register(self, set_first: bool) -> None:
        """Without is_pad the lanes hold what set_pad_value gave, and are random if it was never called."""
        x, out = np.full(20, 2, F16), np.zeros(32, F16)

        def body(g: Any, result: Any) -> None:
            u = local(asc.half, 32)
            if set_first:
                asc.set_pad_value(1.0)
            pad = asc.DataCopyPadExtParams(asc.half, False, 0, 12, 0)
            asc.data_copy_pad(u, g, asc.DataCopyExtParams(1, 40, 0, 0, 0), pad)
            asc.data_copy(result, u, 32)

        if set_first:
            on_gm(body, x, out)

            assert out.tolist() == [2] * 20 + [1] * 12
        else:
            with refused(asc.UninitializedError, "src of data_copy (tensor u)", "elements [20, 32)"):
                on_gm(body, x, out)

    def test_f05_a_store_drops_the_dummies(self) -> None:
        """Three rows of 126 floats go back to back; the elements behind them keep their value."""
        y = np.full(3 * 126 + 2, -1, F32)
        rows = (np.arange(3)[:, None] * 1000 + np.arange(128)).astype(F32)

        def body(result: Any, given: Any) -> None:
            u = local(asc.float32, 3 * 128)
            asc.data_copy(u, given, 3 * 128)
            asc.data_copy_pad(result, u, asc.DataCopyExtParams(3, 126 * 4, 0, 0, 0))

        on_gm(body, y, rows)

        assert np.array_equal(y[:378].reshape(3, 126), rows[:, :126])
        assert y[378:].tolist() == [-1, -1]

    def test_f06_gaps_are_bytes_in_global_memory_and_blocks_in_ub(self) -> None:
        """A strip of 24 columns out of (4, 64): the gap is 80 bytes, each row rounds up to 64 B."""
        x, out = np.arange(256).astype(F16), np.full((4, 32), -1, F16)

        def body(g: Any, result: Any) -> None:
            u = local(asc.half, 128)
            pad = asc.DataCopyPadExtParams(asc.half, True, 0, 8, 0.0)
            asc.data_copy_pad(u, g[8:], asc.DataCopyExtParams(4, 48, 80, 0, 0), pad)
            asc.data_copy(result, u, 128)

        on_gm(body, x, out)

        assert np.array_equal(out[:, :24], x.reshape(4, 64)[:, 8:32])
        assert not out[:, 24:].any()

    def test_f06_the_block_form_counts_whole_blocks(self) -> None:
        """48 B are 1.5 blocks: no whole number, so refused."""
        params: Any = asc.DataCopyParams(4, 1.5, 2, 0)  # type: ignore[arg-type]
        with refused(asc.RangeError, "data_copy: block_len must be a whole number, got 1.5"):
            on_gm(lambda g: asc.data_copy(local(asc.half, 128), g, params), np.zeros(256, F16))

    def test_f08_global_memory_needs_an_element_only(self) -> None:
        """A copy from byte 2 of an array of halves is legal."""
        x, out = np.arange(64).astype(F16), np.zeros(32, F16)

        def body(g: Any, result: Any) -> None:
            u = local(asc.half, 32)
            asc.data_copy(u, g[1:], 32)
            asc.data_copy(result, u, 32)

        assert not on_gm(body, x, out).findings
        assert out.tolist() == list(range(1, 33))
