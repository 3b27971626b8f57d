"""The catalogue of functional behaviour, F25 to F29 and S12: gathering, sorting, transposing, broadcasting."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import local, on_gm, on_ub
from tests.inventory import worked
from tests.refusals import refused

F16, F32, U32 = np.float16, np.float32, np.uint32


def bits(index: int) -> float:
    """What an index looks like in a lane of float32."""
    return float(np.array([index], U32).view(F32)[0])


@worked("gather", "gatherb")
class TestF25GatherOffsetsAreBytes:
    """Not elements."""

    def gather(self, offsets: list[int]) -> list[float]:
        src, off = np.arange(128, dtype=F16), np.array(offsets, U32)
        return on_ub(lambda d, s, o: asc.gather(d, s, o, 0, 128), np.zeros(128, F16), src, off)[0].tolist()

    def test_descending_offsets_reverse(self) -> None:
        """Offsets 254, 252 … 0 give 127, 126 … 0."""
        assert self.gather(list(range(254, -2, -2))) == list(range(127, -1, -1))

    def test_half_an_element_is_refused(self) -> None:
        """Offset 1 lies within the first half."""
        with pytest.raises(asc.AlignmentError, match=r"^gather: offset 1 of lane 0 is no multiple of 2 bytes; offsets"):
            self.gather([1] * 128)

    def test_the_first_byte_behind_is_refused(self) -> None:
        """Offset 256 of 256 bytes."""
        with pytest.raises(asc.OutOfBoundsError, match=r"offset 256 of lane 127 plus 2 B ends outside .* 256 B"):
            self.gather([0] * 127 + [256])

    def test_gatherb_takes_blocks(self) -> None:
        """Offsets 224, 192 … 0 reverse the eight blocks of 256 B."""
        src, off = np.arange(64, dtype=U32), np.arange(224, -32, -32).astype(U32)

        (dst, *_) = on_ub(
            lambda d, s, o: asc.gatherb(d, s, o, 1, asc.GatherRepeatParams()), np.zeros(64, U32), src, off
        )

        assert dst.reshape(8, 8)[:, 0].tolist() == [56, 48, 40, 32, 24, 16, 8, 0]


@worked("sort32")
class TestF26Sort32Records:
    """8 bytes a record, the score low, the index high."""

    SCORES = (3, 1, 3, 2)

    def test_equal_scores_keep_the_lower_index_first(self) -> None:
        """3, 1, 3, 2, 0 …: the order is 0, 2, 3, 1, 4, 5 …; indices are raw bits."""
        score, index = np.zeros(32, F32), np.arange(32, dtype=U32)
        score[:4] = self.SCORES

        (dst, *_) = on_ub(lambda d, s, i: asc.sort32(d, s, i, 1), np.zeros(64, F32), score, index)

        assert dst[:10].tolist() == [3, bits(0), 3, bits(2), 2, bits(3), 1, bits(1), 0, bits(4)]
        assert dst.view(U32)[1::2].tolist() == [0, 2, 3, 1, *range(4, 32)]

    def test_records_of_half_have_8_bytes_too(self) -> None:
        """The score in the low 2 bytes, the index in the high 4: 256 bytes for 32."""
        score, index = np.zeros(32, F16), np.arange(32, dtype=U32)
        score[:4] = self.SCORES

        (dst, *_) = on_ub(lambda d, s, i: asc.sort32(d, s, i, 1), np.zeros(128, F16), score, index)

        assert dst[::4][:5].tolist() == [3, 3, 2, 1, 0]
        assert dst.view(U32)[1::2].tolist() == [0, 2, 3, 1, *range(4, 32)]


@worked("mrg_sort")
class TestF27MrgSort:
    """Lists of records, at most 4095 each."""

    SCORES = np.random.default_rng(27).permutation(128).astype(F32)

    def merge(self, lists: int, valid: int, repeat: int = 1, place: int = 0) -> np.ndarray[Any, Any]:
        """Sort 32 at a time, merge the first ``lists`` runs; the numbers of the scores in order."""

        def body(dst: Any, score: Any, index: Any, runs: Any) -> None:
            asc.sort32(runs, score, index, 4)
            sources = asc.MrgSortSrcList(asc.float32, *(runs[64 * i :] for i in range(lists)))
            lengths = [32] * lists + [0] * (4 - lists)
            asc.mrg_sort(runs[place:] if place else dst, sources, asc.MrgSort4Info(lengths, False, valid, repeat))

        zeros = np.zeros(256, F32)
        return on_ub(body, zeros, self.SCORES, np.arange(128, dtype=U32), zeros)[0].view(U32)[1::2]

    def test_four_lists_give_128_in_order(self) -> None:
        """Scores are a permutation of 0 to 127: descending is 127, 126 …"""
        assert self.SCORES[self.merge(4, 0b1111)].tolist() == list(range(127, -1, -1))

    def test_three_lists_give_96_in_order(self) -> None:
        """The fourth is left out."""
        wanted = sorted(self.SCORES[:96].tolist(), reverse=True)

        assert self.SCORES[self.merge(3, 0b111)[:96]].tolist() == wanted

    def test_lists_are_the_first_ones(self) -> None:
        """5 would be the first and the third."""
        with pytest.raises(asc.RangeError, match=r"^mrg_sort: valid_bit must be 3, 7 or 15 .*, got 5"):
            self.merge(3, 5)

    def test_repeats_are_for_four_lists(self) -> None:
        """With three there is no telling where the next begin."""
        with pytest.raises(asc.RangeError, match=r"^mrg_sort: repeat 2 needs four lists of one length"):
            self.merge(3, 0b111, repeat=2)

    def test_in_place_is_refused(self) -> None:
        """The destination is half of the second list."""
        with pytest.raises(asc.OverlapError, match=r"^mrg_sort: dst UB bytes \[.*\) and src1 .*; use separate buffers"):
            self.merge(2, 0b11, place=32)


@worked("transpose")
class TestF28Transpose:
    """16 × 16 elements of two bytes."""

    def test_a_tile(self) -> None:
        """z[i, j] = x[j, i]."""
        x = np.arange(256, dtype=F16)

        (z, _) = on_ub(asc.transpose, np.zeros(256, F16), x)

        assert np.array_equal(z.reshape(16, 16), x.reshape(16, 16).T)

    def test_in_place(self) -> None:
        """Destination and source may be the same."""
        x = np.arange(256, dtype=F16)

        (z,) = on_ub(lambda d: asc.transpose(d, d), x)

        assert np.array_equal(z.reshape(16, 16), x.reshape(16, 16).T)

    @pytest.mark.parametrize("side", [32, 64])
    def test_more_than_a_tile_is_refused(self, side: int) -> None:
        """Never the first tile only."""
        x = np.zeros(side * side, F16)

        with refused(asc.RangeError, f"transpose: src has {side * side} elements, and a tile is 16 x 16 = 256"):
            on_ub(asc.transpose, x, x)

    def test_a_wider_type_is_refused(self) -> None:
        """The message names the ones there are."""
        x = np.zeros(256, F32)

        with refused(asc.DtypeError, "transpose: dst is float32; supported: int16, uint16, float16"):
            on_ub(asc.transpose, x, x)


class TestF29Broadcast:
    """A column of 16 to rows of 32, in the instructions a broadcast is made of."""

    COLUMN = np.arange(1, 17, dtype=F32)

    def rows_of(self, blocks: Any, z: Any) -> None:
        """Each row of ``z`` = one block of ``blocks``, again and again."""
        asc.copy(z, blocks, 32, 16, asc.CopyRepeatParams(1, 0, 4, 1))

    def test_a_packed_column_is_spread_to_blocks_first(self) -> None:
        """brcb gives each of 16 elements a block; z[i, :] = i + 1."""

        def body(z: Any, x: Any, blocks: Any) -> None:
            asc.brcb(blocks, x, 2, asc.BrcbRepeatParams(1, 8))
            self.rows_of(blocks, z)

        (z, *_) = on_ub(body, np.zeros(512, F32), self.COLUMN, np.zeros(128, F32))

        assert z.reshape(16, 32).tolist() == [[i + 1] * 32 for i in range(16)]

    def test_a_column_loaded_one_element_a_row_has_blocks_already(self) -> None:
        """Rows of 4 bytes land 32 bytes apart, each repeated through its block."""
        z = np.zeros(512, F32)

        def body(x: Any, out: Any) -> None:
            blocks, made = local(asc.float32, 128), local(asc.float32, 512, 1024)
            asc.data_copy_pad(blocks, x, asc.DataCopyExtParams(16, 4, 0, 0), asc.DataCopyPadExtParams())
            self.rows_of(blocks, made)
            asc.data_copy(out, made, 512)

        on_gm(body, self.COLUMN, z)

        assert z.reshape(16, 32).tolist() == [[i + 1] * 32 for i in range(16)]

    def test_one_element_to_64(self) -> None:
        """A single one goes through the scalar unit."""
        (z, _) = on_ub(lambda d, s: asc.duplicate(d, s.get_value(0), 64), np.zeros(64, F32), np.array([2.5] * 8, F32))

        assert z.tolist() == [2.5] * 64


def test_s12_sort_of_1024_ends_in_values_and_indices() -> None:
    """concat, sort and extract: descending, equal scores by index."""
    scores = np.random.default_rng(12).integers(-100, 100, 1024).astype(F32)

    def body(records: Any, score: Any, index: Any, tmp: Any, value: Any, place: Any) -> None:
        concatenated = asc.LocalTensor(asc.float32)
        asc.concat(concatenated, score, tmp, 32)
        asc.sort(records, concatenated, index, tmp, 32)
        asc.extract(value, place, records, 32)

    zeros, index = np.zeros(2048, F32), np.arange(1024, dtype=U32)
    *_, value, place = on_ub(body, zeros, scores, index, zeros, np.zeros(1024, F32), np.zeros(1024, U32))

    order = sorted(range(1024), key=lambda i: (-scores[i], i))
    assert place.tolist() == order
    assert value.tolist() == scores[order].tolist()
