"""Quantising and back, against one element at a time in plain Python, rounding step by step."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from tests.adv.lanes import lanes, program
from tests.block import on_ub
from tests.refusals import refused

adv = asc.adv
F32, F16, BF16 = np.float32, np.float16, ml_dtypes.bfloat16


def to_int8(value: Any) -> int:
    """Nearest, ties to even, saturated; 0 for NaN."""
    return (
        0
        if np.isnan(value)
        else int(min(127, max(-128, np.rint(float(value)))))
        if np.isfinite(value)
        else (127 if value > 0 else -128)
    )


@settings(max_examples=60)
@given(
    kind=st.sampled_from([F16, F32]),
    rows=st.integers(1, 5),
    channels=st.sampled_from([32, 64, 96]),
    per_channel=st.tuples(st.booleans(), st.booleans()),
    seed=st.integers(0, 999),
    auto_sync=st.booleans(),
)
def test_quant(kind: Any, rows: int, channels: int, per_channel: tuple[bool, bool], seed: int, auto_sync: bool) -> None:
    """Scale and offset of the tensor or of each channel, in as much room as the host is told, or as little."""
    rng = np.random.default_rng(seed)
    x = (rng.normal(0, 40, rows * channels)).astype(kind)
    vectors = rng.normal(0, 2, (2, channels)).astype(kind)
    scale, offset = (v if tensor else 1.5 for v, tensor in zip(vectors, per_channel, strict=True))
    sizes = adv.get_quant_max_min_tmp_size(x.size, kind, channels=channels if any(per_channel) else 0)
    to = np.zeros(x.size, np.int8)
    result = lanes(adv.quant, x, scale, offset, to=to, temp=sizes[seed % 2], auto_sync=auto_sync)

    for i, value in enumerate(x):
        factor, shift = (F32(v[i % channels] if isinstance(v, np.ndarray) else v) for v in (scale, offset))
        assert result[i] == to_int8(F32(F32(value) * factor) + shift), i


def test_quant_of_special_values() -> None:
    """Saturated, ties to even, NaN to 0; a fraction that float16 cannot hold is not rounded twice."""
    x = np.array([np.inf, -np.inf, np.nan, 1e30, -1e30, 0.5, 1.5, -0.5, 126.5, 127.5, 65.5001, 2.5 - 2**-20], F32)

    assert lanes(adv.quant, x, 1.0, 0.0, to=np.zeros(12, np.int8)).tolist() == [
        *(127, -128, 0, 127, -128, 0, 2, 0, 126, 127, 66, 2)
    ]


@settings(max_examples=60)
@given(
    kinds=st.tuples(st.sampled_from([F16, BF16, F32]), st.sampled_from([F16, BF16, F32, np.uint64])),
    rows=st.integers(1, 4),
    n=st.sampled_from([8, 24, 40]),
    seed=st.integers(0, 999),
    auto_sync=st.booleans(),
)
def test_dequant(kinds: tuple[Any, Any], rows: int, n: int, seed: int, auto_sync: bool) -> None:
    """The first columns of each row, whose result starts at a block of its own; the others stay."""
    kind, scale_kind = kinds
    rng = np.random.default_rng(seed)
    used = int(rng.integers(1, n + 1))
    x, numbers = rng.integers(-(10**6), 10**6, rows * n, np.int32), rng.normal(0, 0.01, n).astype(F32)
    scale = numbers.view(np.uint32) | np.uint64(7 << 32) if scale_kind is np.uint64 else numbers.astype(scale_kind)
    numbers = numbers if scale_kind is np.uint64 else scale.astype(F32)
    item = np.dtype(kind).itemsize
    pitch = -(-n * item // 32) * 32 // item
    temp = adv.get_dequant_max_min_tmp_size([rows, used], kind, scale_kind)[0]
    before = np.zeros(rows * pitch, kind)
    result = lanes(
        *(adv.dequant, x, scale, adv.DequantParams(rows, n, used)), to=before, temp=temp, auto_sync=auto_sync
    ).reshape(rows, pitch)

    for row in range(rows):
        for i in range(used):
            assert result[row, i] == kind(F32(F32(x[row * n + i]) * numbers[i]))
    assert (result[:, used:].copy().view(np.uint8) == 7).all()


def test_dequant_by_a_number() -> None:
    """All of src as one row, of any length."""
    x = np.array([3, -5, 2**24 + 1], np.int32)

    assert lanes(adv.dequant, x, 0.5, to=np.zeros(3, F32)).tolist() == [1.5, -2.5, 2.0**23]


@settings(max_examples=60)
@given(
    kind=st.sampled_from([F16, BF16]),
    rows=st.integers(1, 4),
    channels=st.sampled_from([32, 64]),
    per_channel=st.tuples(st.booleans(), st.booleans()),
    seed=st.integers(0, 999),
)
def test_anti_quant(kind: Any, rows: int, channels: int, per_channel: tuple[bool, bool], seed: int) -> None:
    """float16 step by step in float16, bfloat16 by way of float32."""
    rng = np.random.default_rng(seed)
    x = rng.integers(-128, 128, rows * channels, np.int8)
    vectors = rng.normal(0, 3, (2, channels)).astype(kind)
    offset, scale = (v if tensor else 1.25 for v, tensor in zip(vectors, per_channel, strict=True))
    temp = adv.get_anti_quant_max_min_tmp_size(x.size, kind, channels if any(per_channel) else 0)[seed % 2]
    result = lanes(adv.anti_quant, x, offset, scale, to=np.zeros(x.size, kind), temp=temp)

    step = F16 if kind is F16 else F32
    for i, value in enumerate(x):
        shift, factor = (step(v[i % channels] if isinstance(v, np.ndarray) else v) for v in (offset, scale))
        assert result[i] == kind(step(step(value) + shift) * factor), i


@pytest.mark.parametrize("kind", [F16, BF16])
@pytest.mark.parametrize("auto_sync", [True, False])
def test_anti_quant_with_a_scale_for_each_row(kind: Any, auto_sync: bool) -> None:
    """Transposed: three rows of 64, the scalar unit reads their offsets and scales, in order."""
    x = np.arange(-96, 96).astype(np.int8)
    offset, scale = np.array([1, -2, 0.5], kind), np.array([0.5, 4, -1], kind)
    made = lanes(
        *(adv.anti_quant, x, offset, scale, 64), to=np.zeros(192, kind), is_transpose=True, auto_sync=auto_sync
    )

    assert made.tolist() == [(int(v) + float(offset[i // 64])) * float(scale[i // 64]) for i, v in enumerate(x)]


def test_newer_names_are_the_same_functions() -> None:
    """Ascend C's own names."""
    assert (adv.ascend_quant, adv.ascend_dequant, adv.ascend_anti_quant) == (adv.quant, adv.dequant, adv.anti_quant)


def test_nothing_is_nothing() -> None:
    """No elements, no instructions, and no temporary memory."""

    def none_of(y: asc.LocalTensor, x: asc.LocalTensor, **options: Any) -> None:
        adv.anti_quant(y, x[:0], 1.0, 0.0, **options)

    x, bytes_ = np.zeros(8, F32), np.zeros(8, np.int8)
    made = [
        program(adv.quant, x, 1.0, 0.0, 0, to=bytes_, temp=1),
        program(adv.dequant, np.zeros(8, np.int32), 1.0, adv.DequantParams(0, 8), to=x, temp=1),
        program(none_of, bytes_, to=np.zeros(8, F16), temp=1),
    ]

    assert [len(p.blocks[0]) for p in made] == [0, 0, 0]


def test_they_order_themselves() -> None:
    """The hazard pass finds nothing without auto_sync."""
    x, ints, bytes_ = np.ones(96, F16), np.ones(96, np.int32), np.ones(96, np.int8)
    channels = np.ones(32, F16)
    made = [
        program(adv.quant, x, channels, channels, to=bytes_, temp=500, auto_sync=False),
        program(adv.dequant, ints, channels, adv.DequantParams(3, 32), to=x, auto_sync=False),
        program(adv.anti_quant, bytes_, channels, channels, to=x, auto_sync=False),
        program(adv.anti_quant, bytes_, channels[:3], channels[:3], to=x, auto_sync=False, is_transpose=True),
    ]

    assert [list(asc.hazards(p)) for p in made] == [[], [], [], []]


class TestRefusals:
    """Before anything is written."""

    x, bytes_ = np.ones(96, F32), np.ones(96, np.int8)

    @pytest.mark.parametrize(
        ("size", "offset", "error", "text"),
        [
            (64, 0.0, asc.RangeError, "quant: scale has 64 channels for 96 elements"),
            (
                32,
                np.ones(96, F32),
                asc.RangeError,
                "quant: scale has 32 channels and offset has 96 channels for 96 elements",
            ),
            (24, 0.0, asc.AlignmentError, "quant: with channels a row must be a multiple of 32 elements, got 24"),
        ],
    )
    def test_channels_that_are_no_rows(self, size: int, offset: Any, error: type[Exception], text: str) -> None:
        """Rows are whole, equally long, and start at blocks of int8."""
        extra = [offset] if isinstance(offset, np.ndarray) else []
        with refused(error, text):
            on_ub(
                lambda y, x, s, *o: adv.quant(y, x, s, o[0] if o else offset),
                *(self.bytes_, self.x, np.ones(size, F32), *extra),
            )

    def test_scales_of_another_type(self) -> None:
        """They have that of src."""
        with refused(asc.DtypeError, "quant: scale is float16; supported: float32"):
            on_ub(lambda y, x, s: adv.quant(y, x, s, 0.0), self.bytes_, self.x, np.ones(32, F16))

    def test_params_that_are_none(self) -> None:
        """They hold the rows."""
        with refused(asc.UsageError, "dequant: params must be a DequantParams, got 8"):
            on_ub(lambda y, x: adv.dequant(y, x, 1.0, 8), self.x, np.ones(24, np.int32))

    def test_k_that_is_not_the_number_of_rows(self) -> None:
        """Given twice, it must agree."""
        with refused(asc.RangeError, "anti_quant: k must be 3, since 96 elements are 3 rows of 32, got 2"):
            on_ub(lambda y, x, s: adv.anti_quant(y, x, s, s, 2), np.ones(96, F16), self.bytes_, np.ones(32, F16))
