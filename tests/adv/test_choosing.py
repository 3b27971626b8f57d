"""where and dropout against one element at a time, and the masks they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from tests.adv.lanes import lanes, names, program
from tests.block import on_ub
from tests.refusals import refused

adv = asc.adv
Info = adv.DropOutShapeInfo
KINDS = [k.numpy.type for k in adv.FUNCTIONS["where"].dtypes]


@settings(max_examples=60)
@given(count=st.integers(1, 600), seed=st.integers(0, 999), kind=st.sampled_from(KINDS), data=st.data())
def test_where_moves_bits(count: int, seed: int, kind: Any, data: st.DataObject) -> None:
    """NaN payloads and negative zeros too; conditions are any byte; either source may be a number."""
    rng = np.random.default_rng(seed)
    yes, no = (rng.integers(0, 256, count * np.dtype(kind).itemsize, np.uint8).view(kind) for _ in "ab")
    condition = rng.integers(0, 3, count, np.uint8) * rng.integers(1, 128, count, np.uint8)
    sources: list[Any] = [5 if data.draw(st.booleans()) else source for source in (yes, no)]
    scalars = sum(isinstance(x, int) for x in sources)
    temp = data.draw(st.sampled_from(adv.get_where_max_min_tmp_size(count, kind, scalars)))
    result = lanes(
        *(adv.where, *sources, condition), to=yes, temp=temp, count=count, auto_sync=data.draw(st.booleans())
    )

    size = np.dtype(kind).itemsize
    raw = [(np.full(count, 5, kind) if isinstance(x, int) else x).tobytes() for x in sources]
    wanted = b"".join(raw[0 if c else 1][i * size : (i + 1) * size] for i, c in enumerate(condition))
    assert result.tobytes() == wanted


@settings(max_examples=60)
@given(
    rows=st.integers(1, 4),
    blocks=st.integers(1, 20),
    gap=st.booleans(),
    as_bits=st.booleans(),
    kind=st.sampled_from([np.float16, np.float32]),
    seed=st.integers(0, 999),
)
def test_dropout_of_rows(rows: int, blocks: int, gap: bool, as_bits: bool, kind: Any, seed: int) -> None:
    """Masks of bytes and of bits, with and without gaps between their rows."""
    rng = np.random.default_rng(seed)
    width = 32 * blocks
    keep, x = rng.integers(0, 2, (rows, width), np.uint8), rng.normal(size=(rows, width)).astype(kind)
    mask = np.packbits(keep, axis=1, bitorder="little") if as_bits else keep
    pitch = -(-mask.shape[1] // 32) * 32 + 32 if gap else mask.shape[1]
    padded = np.full((rows, pitch), 0xFF, np.uint8)
    padded[:, : mask.shape[1]] = mask
    mode = 1 + 2 * as_bits + gap
    info = Info(rows, width, pitch)
    temp = adv.get_dropout_max_min_tmp_size([rows, width], kind)[seed % 2]
    result = lanes(adv.dropout, x.reshape(-1), padded.reshape(-1), 0.8, info, temp=temp, drop_out_mode=mode)

    scale = kind(1 / 0.8)
    assert result.tolist() == [v * scale if k else 0 for v, k in zip(x.reshape(-1), keep.reshape(-1), strict=True)]


@pytest.mark.parametrize("count", [1, 31, 129, 500])
def test_dropout_of_any_count(count: int) -> None:
    """Without gaps a row may end anywhere; NaN is dropped as anything else."""
    x = np.full(count, np.nan, np.float32)
    none, every = np.zeros(count, np.uint8), np.full(-(-count // 8), 0xFF, np.uint8)
    mode = 0 if count > 1 else 3

    assert lanes(adv.dropout, x, none, 0.5, Info(1, count)).tolist() == [0] * count
    assert np.isnan(lanes(adv.dropout, x, every, 0.5, Info(1, count, len(every)), drop_out_mode=mode)).all()


def test_a_mask_of_bits_is_two_instructions() -> None:
    """It is what select takes; one of bytes is made into it first."""
    x, mask = np.ones(64, np.float32), np.ones(64, np.uint8)

    assert names(adv.dropout, x, mask[:8], 0.5, Info(1, 64, 8), drop_out_mode=3) == ["select", "pipe_barrier", "muls"]
    assert [name for name in names(adv.dropout, x, mask, 0.5, Info(1, 64)) if name != "pipe_barrier"] == [
        *("duplicate", "cast", "compare_scalar", "select", "muls")
    ]


def test_both_order_themselves() -> None:
    """The hazard pass finds nothing without auto_sync."""
    x, mask = np.ones(300, np.float32), np.ones(300, np.uint8)
    made = [
        program(adv.where, 1.0, x, mask, to=x, temp=2400, auto_sync=False),
        program(adv.dropout, x, mask, 0.5, Info(1, 300), temp=288, auto_sync=False),
    ]

    assert [list(asc.hazards(p)) for p in made] == [[], []]


class TestRefusals:
    """Before anything is written."""

    x, mask = np.ones(64, np.float32), np.ones(64, np.uint8)

    def test_sources_of_another_type(self) -> None:
        """They are moved as they are."""
        with refused(asc.DtypeError, "where: src1 is float32; supported: int32"):
            on_ub(adv.where, np.zeros(64, np.int32), np.zeros(64, np.int32), self.x, self.mask)

    def test_conditions_that_are_no_bytes(self) -> None:
        """Bits are for select."""
        with refused(asc.DtypeError, "where: condition is float32; supported: uint8, int8, bool"):
            on_ub(adv.where, self.x, self.x, self.x, self.x)

    def test_rows_that_do_not_start_at_blocks(self) -> None:
        """With gaps every row is an operand of its own."""
        with refused(asc.AlignmentError, "dropout: rows of src have 12 B, of the mask 32 B", "multiples of 32"):
            on_ub(lambda y, x, m: adv.dropout(y, x, m, 0.5, Info(2, 3, 32), drop_out_mode=2), self.x, self.x, self.mask)
