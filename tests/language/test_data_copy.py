"""``data_copy`` and ``data_copy_pad``: every row, gap and pad, one byte at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendc as asc
from tests.block import local, on_gm, on_ub, tensor
from tests.inventory import looped
from tests.refusals import refused

F16 = np.float16
KINDS = st.sampled_from([np.int8, np.float16, np.float32, np.int64])
UB = 4096
"""Bytes of UB these tests look at."""


def numbered(nbytes: int, start: int = 0) -> np.ndarray[Any, Any]:
    """Bytes that differ from their neighbours."""
    return ((np.arange(nbytes) * 7 + start) % 251).astype(np.uint8)


def load(call: Any, x: np.ndarray[Any, Any], kind: Any) -> bytes:
    """UB after ``call(u, g)``, which brings ``x`` in over numbered bytes."""
    after: list[bytes] = []

    def body(g: Any) -> None:
        whole = tensor(numbered(UB, 100), 0)
        call(local(kind, UB // np.dtype(kind).itemsize), g)
        after.append(whole.values.tobytes())

    on_gm(body, x.view(kind))
    return after[0]


def store(call: Any, nbytes: int, kind: Any) -> bytes:
    """Global memory of ``nbytes`` after ``call(g, u)``, which takes numbered bytes of UB out."""
    y = numbered(nbytes, 100)

    def body(g: Any) -> None:
        tensor(numbered(UB), 0)
        call(g, local(kind, UB // np.dtype(kind).itemsize))

    on_gm(body, y.view(kind))
    return y.tobytes()


BLOCKS = st.tuples(st.integers(0, 4), st.integers(0, 6), st.integers(0, 5), st.integers(0, 5))


@looped("data_copy")
@given(kind=KINDS, shape=BLOCKS)
def test_rows_of_blocks_both_ways(kind: Any, shape: tuple[int, int, int, int]) -> None:
    """Counts, lengths and end-to-start gaps in blocks of 32 bytes; bytes in the gaps stay."""
    count, length, src_gap, dst_gap = shape
    params = asc.DataCopyParams(*shape)
    source, target = numbered(UB), bytearray(numbered(UB, 100).tobytes())
    for i in range(count):
        for b in range(32 * length):
            target[32 * i * (length + dst_gap) + b] = source[32 * i * (length + src_gap) + b]

    assert load(lambda u, g: asc.data_copy(u, g, params), source, kind) == target
    assert store(lambda g, u: asc.data_copy(g, u, repeat_params=params), UB, kind) == target


@looped("data_copy")
@given(kind=KINDS, count=st.integers(0, 100))
def test_counts_both_ways(kind: Any, count: int) -> None:
    """Whole blocks only."""
    item = np.dtype(kind).itemsize
    whole = count * item // 32 * 32
    wanted = numbered(whole).tobytes() + numbered(UB, 100).tobytes()[whole:]

    assert load(lambda u, g: asc.data_copy(u, g, count), numbered(UB), kind) == wanted
    assert store(lambda g, u: asc.data_copy(g, u, count=count), UB, kind) == wanted


PADS = st.tuples(st.integers(0, 4), st.integers(0, 70), st.integers(0, 9), st.integers(0, 3))


@looped("data_copy_pad", "set_pad_value")
@given(
    kind=KINDS,
    shape=PADS,
    left=st.integers(0, 32),
    right=st.integers(0, 32),
    how=st.sampled_from(["value", "register"]),
)
def test_padded_rows_come_in(kind: Any, shape: Any, left: int, right: int, how: str) -> None:
    """Left padding, row, right padding, dummies to whole blocks; the gap counts bytes outside, blocks inside."""
    item = np.dtype(kind).itemsize
    count, elements, src_gap, dst_gap = shape
    left, right, length = left // item, right // item, elements * item
    value = 0 if item == 8 else 3
    params = asc.DataCopyExtParams(count, length, src_gap, dst_gap)
    pad = asc.DataCopyPadExtParams(asc.dtype(kind), how == "value", left, right, value if how == "value" else 9)
    fill = np.array([value], kind).tobytes()
    x, wanted = numbered(UB), bytearray(numbered(UB, 100).tobytes())
    for i in range(count if length else 0):
        row = x[i * (length + src_gap) :][:length].tobytes()
        around = fill if left or right else row[:item]
        used = around * left + row + around * right
        used += around * (-len(used) % 32 // item)
        at = i * (len(used) + 32 * dst_gap)
        wanted[at : at + len(used)] = used

    def call(u: Any, g: Any) -> None:
        asc.set_pad_value(value)
        asc.data_copy_pad(u, g, params, pad)

    assert load(call, x, kind) == wanted


@looped("data_copy_pad")
@given(kind=KINDS, shape=PADS)
def test_rows_of_bytes_go_out(kind: Any, shape: tuple[int, int, int, int]) -> None:
    """Each row starts at a block of UB; not a byte more than the row is written."""
    item = np.dtype(kind).itemsize
    count, elements, src_gap, dst_gap = shape
    length, nbytes = elements * item, 3000 // 8 * 8
    wanted, source = bytearray(numbered(nbytes, 100).tobytes()), numbered(UB)
    for i in range(count):
        at, of = i * (length + dst_gap), i * (-(-length // 32) * 32 + 32 * src_gap)
        wanted[at : at + length] = source[of : of + length].tobytes()

    params = asc.DataCopyExtParams(count, length, src_gap, dst_gap)
    assert store(lambda g, u: asc.data_copy_pad(g, u, params), nbytes, kind) == wanted


def test_the_older_structs_do_the_same() -> None:
    """DataCopyParams (bytes here) and DataCopyPadParams; no padding at all may be left out."""
    x = np.arange(1, 6).astype(F16)
    old = load(
        lambda u, g: asc.data_copy_pad(u, g, asc.DataCopyParams(1, 10), asc.DataCopyPadParams(True, 1, 0, 8)), x, F16
    )
    none = load(lambda u, g: asc.data_copy_pad(u, g, asc.DataCopyExtParams(1, 10)), x, F16)

    assert np.frombuffer(old[:32], F16).tolist() == [8, 1, 2, 3, 4, 5] + [8] * 10
    assert np.frombuffer(none[:32], F16).tolist() == [1, 2, 3, 4, 5] + [1] * 11


def test_within_ub_the_vector_unit_copies() -> None:
    """A count or rows; in part overlapping is refused, in place and apart are fine."""
    x = np.arange(64).astype(F16)
    (after,) = on_ub(lambda x: asc.data_copy(x[32:], x, 32), x)

    assert after.tolist() == [*range(32), *range(32)]
    with refused(asc.OverlapError, "data_copy: dst UB bytes [32, 128) and src [0, 96) overlap in part"):
        on_ub(lambda x: asc.data_copy(x[16:], x, 48), x)
    with refused(asc.OverlapError, "data_copy: dst UB bytes [32, 96) and src [0, 64) overlap in part"):
        on_ub(lambda x: asc.data_copy(x[16:], x, asc.DataCopyParams(1, 2, 0, 0)), x)
    with refused(asc.OverlapError, "data_copy: dst UB bytes [0, 96) and src [0, 64) overlap in part"):
        on_ub(lambda x: asc.data_copy(x, x, asc.DataCopyParams(2, 1, 0, 1)), x)
    assert np.array_equal(on_ub(lambda x: asc.data_copy(x, x, 64), x)[0], x)
    (between,) = on_ub(lambda x: asc.data_copy(x[16:], x, asc.DataCopyParams(2, 1, 1, 1)), x)
    assert between.tolist() == [*range(16)] * 2 + [*range(32, 48)] * 2


@pytest.mark.parametrize(
    ("call", "parts"),
    [
        (lambda u, g: asc.data_copy(u, g, -16), ("data_copy: count must be a whole number of elements", "got -16")),
        (lambda u, g: asc.data_copy(u, g, 16.0), ("data_copy: count must be a whole number of elements", "got 16.0")),
        (lambda u, g: asc.data_copy(u, g, asc.DataCopyParams(4096, 1)), ("block_count must be 0 to 4095, got 4096",)),
        (lambda u, g: asc.data_copy(u, g, asc.DataCopyParams(1, 65536)), ("block_len must be 0 to 65535, got 65536",)),
        (lambda u, g: asc.data_copy(u, g, asc.DataCopyParams(1, 1, 65536)), ("src_stride must be 0 to 65535",)),
        (lambda u, g: asc.data_copy(u, g, asc.DataCopyParams(1, 1, 0, -1)), ("dst_stride must be 0 to 65535, got -1",)),
        (lambda u, g: asc.data_copy_pad(u, g, asc.DataCopyExtParams(4096, 2)), ("data_copy_pad: block_count must be",)),
        (lambda u, g: asc.data_copy_pad(u, g, asc.DataCopyExtParams(1, 2097152)), ("block_len must be 0 to 2097151",)),
        (lambda u, g: asc.data_copy_pad(u, g, asc.DataCopyExtParams(1, 2, 2**32)), ("src_stride must be 0 to 42949",)),
        (lambda u, g: asc.data_copy_pad(u, g, asc.DataCopyExtParams(1, 3)), ("block_len 3 B is no whole number of",)),
        (lambda u, g: asc.data_copy_pad(u, g, asc.DataCopyExtParams(1, True)), ("block_len must be a whole", "True")),
        (
            lambda u, g: asc.data_copy_pad(u, g, asc.DataCopyExtParams(1, 2), asc.DataCopyPadExtParams(None, True, -1)),
            ("left_padding must be 0 to 16 elements of float16 (32 B), got -1",),
        ),
        (
            lambda u, g: asc.data_copy_pad(
                u, g, asc.DataCopyExtParams(1, 2), asc.DataCopyPadExtParams(None, True, 0, 1.5)
            ),
            ("right_padding must be 0 to 16 elements", "got 1.5"),
        ),
    ],
)
def test_numbers_the_copies_have_no_field_for(call: Any, parts: tuple[str, ...]) -> None:
    """The field, its range and what was given."""
    with refused(asc.RangeError, *parts):
        on_gm(lambda g: call(local(asc.half, 32), g), np.zeros(32, F16))


@pytest.mark.parametrize(
    ("call", "error", "parts"),
    [
        (lambda u, g: asc.data_copy(u, 5, 16), asc.UsageError, ("src must be a LocalTensor or a GlobalTensor, got 5",)),
        (asc.data_copy, asc.UsageError, ("data_copy", "count")),
        (lambda u, g: asc.data_copy(u, g, 16, asc.DataCopyParams(1, 1)), asc.UsageError, ("data_copy", "count")),
        (
            lambda u, g: asc.data_copy(u, g, asc.DataCopyExtParams(1, 32)),
            asc.UsageError,
            ("data_copy: params must be a DataCopyParams, got DataCopyExtParams",),
        ),
        (lambda u, g: asc.data_copy_pad(u, g, 16), asc.UsageError, ("params must be a DataCopyExtParams, got 16",)),
        (
            lambda u, g: asc.data_copy_pad(u, g, asc.DataCopyExtParams(1, 2), 5),
            asc.UsageError,
            ("pad_params must be a DataCopyPadExtParams, got 5",),
        ),
        (
            lambda u, g: asc.data_copy_pad(g, u, asc.DataCopyExtParams(1, 2), asc.DataCopyPadExtParams()),
            asc.UsageError,
            ("only the way into local memory takes padding",),
        ),
        (
            lambda u, g: asc.data_copy_pad(u, u, asc.DataCopyExtParams(1, 2)),
            asc.PositionError,
            ("data_copy_pad: one of dst and src must be in global memory and the other in UB",),
        ),
        (
            lambda u, g: asc.data_copy(u.reinterpret_cast(asc.int16), g, 16),
            asc.DtypeError,
            ("data_copy: dst is int16, src is float16; they must be the same",),
        ),
        (
            lambda u, g: asc.data_copy_pad(u, g, asc.DataCopyExtParams(1, 2), asc.DataCopyPadExtParams(asc.float32)),
            asc.DtypeError,
            ("data_copy_pad: the padding is float32, dst is float16",),
        ),
        (
            lambda u, g: asc.data_copy(u[8:], g, 16),
            asc.AlignmentError,
            ("dst of data_copy", "byte offset 16 in UB is not a multiple of 32"),
        ),
        (
            lambda u, g: asc.data_copy(g, u[8:], 16),
            asc.AlignmentError,
            ("src of data_copy", "byte offset 16 in UB is not a multiple of 32"),
        ),
        (
            lambda u, g: asc.data_copy(u, g, 48),
            asc.OutOfBoundsError,
            ("src of data_copy (tensor g): accesses elements [0, 48) of a view of 32",),
        ),
        (
            lambda u, g: asc.data_copy(u[16:], g, 32),
            asc.OutOfBoundsError,
            ("dst of data_copy", "needs 64 B (32 x float16), the tensor has 32 B (16)"),
        ),
        (
            lambda u, g: asc.data_copy_pad(u[16:], g, asc.DataCopyExtParams(2, 2)),
            asc.OutOfBoundsError,
            ("dst of data_copy_pad", "needs 64 B"),
        ),
        (
            lambda u, g: asc.data_copy(g[17:], u, 16),
            asc.OutOfBoundsError,
            ("dst of data_copy: accesses elements [0, 16) of a view of 15 x float16 on argument g (elements [17, 32)",),
        ),
    ],
)
def test_copies_that_cannot_be(call: Any, error: Any, parts: tuple[str, ...]) -> None:
    """Operands, parameters, paths, types, alignment and bounds."""

    def body(g: Any) -> None:
        u = local(asc.half, 32)
        asc.duplicate(u, 0, 32)
        call(u, g)

    with refused(error, *parts):
        on_gm(body, np.zeros(32, F16))


def test_eight_byte_types_are_padded_with_zero_only() -> None:
    """A pad value that is not 0 is refused, in the call and in the register."""
    pad = asc.DataCopyPadExtParams(asc.int64, True, 1, 0, 5)
    with refused(asc.RangeError, "data_copy_pad: int64 can only be padded with 0, got 5"):
        on_gm(
            lambda g: asc.data_copy_pad(local(asc.int64, 8), g, asc.DataCopyExtParams(1, 8), pad), np.zeros(8, np.int64)
        )


@pytest.mark.parametrize("value", ["1", None, [1.0]])
def test_the_pad_register_holds_a_number(value: Any) -> None:
    """Anything else is refused where it is set."""
    with refused(asc.UsageError, f"set_pad_value: padding_value must be a number, got {value!r}"):
        on_ub(lambda: asc.set_pad_value(value))
