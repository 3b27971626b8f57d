"""Gathering, packing and scattering: any mask, stride, type and pattern against one lane at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from tests.block import local, on_ub, program_of, tensor
from tests.inventory import looped, worked
from tests.moved_lanes import gather, gather_blocks, packed
from tests.refusals import refused
from tests.scalar_interpreter import chosen

KINDS = [k.numpy for k in (asc.int16, asc.uint16, asc.float16, asc.bfloat16, asc.int32, asc.uint32, asc.float32)]
U16, U32, F16, F32 = np.uint16, np.uint32, np.float16, np.float32


def noise(seed: int, nbytes: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).integers(0, 256, nbytes, np.uint8)


@st.composite
def masks(draw: st.DrawFn, lanes: int) -> int | list[int]:
    """A number of lanes, or two words."""
    if draw(st.booleans()):
        return draw(st.integers(0, lanes))
    low, high = draw(st.integers(0, 2**64 - 1)), draw(st.integers(0, 2**64 - 1))
    return [low, high if lanes == 128 else 0]


@looped("gather")
@given(data=st.data(), kind=st.sampled_from(KINDS), repeats=st.integers(0, 3), seed=st.integers(0, 99))
@settings(max_examples=80)
def test_gather_with_any_mask(data: st.DataObject, kind: Any, repeats: int, seed: int) -> None:
    """By the call, by the register, by number: the lanes hold the bytes at their offsets; others are as before."""
    item = np.dtype(kind).itemsize
    lanes, table, base = 256 // item, noise(seed, 512), 4 * data.draw(st.integers(0, 20))
    how = data.draw(st.sampled_from(["call", "register", "counter"]))
    mask, stride = data.draw(masks(lanes)), data.draw(st.sampled_from([8, 9, 12]))
    if how == "counter":
        mask, stride = data.draw(st.integers(0, max(1, repeats) * lanes)), 8
    count = max(1, repeats) * lanes
    offsets = np.random.default_rng(seed).integers(0, (512 - base) // item, count, U32) * U32(item)
    before = noise(seed + 1, 32 * 12 * 4)
    wanted = bytearray(before.tobytes())
    if how == "counter":
        for i, come in enumerate((offsets[:mask].astype(int) + base).tolist()):
            wanted[i * item : (i + 1) * item] = table[come : come + item].tobytes()
    elif repeats:
        at = (offsets.astype(int) + base).tolist()
        gather(wanted, table.tobytes(), at, chosen(mask, lanes), item, stride)

    def body(dst: Any, src: Any, offset: Any) -> None:
        dst, src = dst.reinterpret_cast(kind), src.reinterpret_cast(kind)
        if how == "register":
            words = (mask,) if isinstance(mask, int) else (mask[1], mask[0])
            asc.set_vector_mask(*words, dtype=asc.half if lanes == 128 else asc.float32)
            asc.gather(dst, src, offset, base, 1, repeats, stride, is_set_mask=False)
            return
        if how == "counter":
            asc.set_mask_count()
        asc.gather(dst, src, offset, base, mask, repeats, stride)

    assert on_ub(body, before, table, offsets)[0].tobytes() == bytes(wanted)


@looped("scatter")
@given(data=st.data(), kind=st.sampled_from(KINDS), repeats=st.integers(0, 2), seed=st.integers(0, 99))
@settings(max_examples=60)
def test_scatter_with_any_mask(data: st.DataObject, kind: Any, repeats: int, seed: int) -> None:
    """The elements at the lanes' offsets are the lanes; all other bytes are as before."""
    item = np.dtype(kind).itemsize
    lanes, source, table = 256 // item, noise(seed, 1024), noise(seed + 1, 1024)
    mask, stride, base = (
        data.draw(masks(lanes)),
        data.draw(st.sampled_from([8, 9, 12])),
        4 * data.draw(st.integers(0, 9)),
    )
    count = max(1, repeats) * lanes
    offsets = np.random.default_rng(seed).permutation((1024 - base) // item)[:count].astype(U32) * U32(item)
    wanted = bytearray(table.tobytes())
    for r in range(repeats):
        for lane in chosen(mask, lanes):
            to, of = base + int(offsets[r * lanes + lane]), r * stride * 32 + lane * item
            wanted[to : to + item] = source[of : of + item].tobytes()

    def body(dst: Any, src: Any, offset: Any) -> None:
        asc.scatter(dst.reinterpret_cast(kind), src.reinterpret_cast(kind), offset, base, mask, repeats, stride)

    assert on_ub(body, table, source, offsets)[0].tobytes() == bytes(wanted)


@given(kind=st.sampled_from(KINDS), count=st.integers(0, 200), seed=st.integers(0, 99))
@settings(max_examples=40)
def test_scatter_undoes_gather(kind: Any, count: int, seed: int) -> None:
    """Through a permutation, any count; only those elements are written."""
    item = np.dtype(kind).itemsize
    table = noise(seed, 256 * item).view(kind)
    at = np.random.default_rng(seed).permutation(256)[:count]
    offset = np.append(at, 0).astype(U32) * U32(item)

    def body(out: Any, src: Any, offset: Any, between: Any) -> None:
        asc.gather(between, src, offset, 0, count)
        asc.scatter(out, between, offset, 0, count)

    (out, *_) = on_ub(body, np.zeros(256, kind), table, offset, np.zeros(256, kind))

    assert out[at].tobytes() == table[at].tobytes()
    assert not np.delete(out, at).view(np.uint8).any()


@looped("gatherb")
@given(
    kind=st.sampled_from(["uint16", "uint32"]),
    repeats=st.integers(0, 4),
    block=st.integers(1, 3),
    repeat=st.sampled_from([8, 9, 24, 30]),
    seed=st.integers(0, 99),
)
@settings(max_examples=40)
def test_gatherb_with_any_stride(kind: str, repeats: int, block: int, repeat: int, seed: int) -> None:
    """Blocks land at their strides, in order; later ones overwrite earlier ones."""
    table, before = noise(seed, 1024), noise(seed + 1, 4096)
    offsets = np.random.default_rng(seed).integers(0, 32, 32, U32) * U32(32)
    wanted = bytearray(before.tobytes())
    gather_blocks(wanted, table.tobytes(), offsets[: 8 * repeats].tolist(), block, max(repeat, 8 * block))
    params = asc.GatherRepeatParams(block, max(repeat, 8 * block))

    (dst, *_) = on_ub(
        lambda d, s, o: asc.gatherb(d.reinterpret_cast(kind), s.reinterpret_cast(kind), o, repeats, params),
        *(before, table, offsets),
    )

    assert dst.tobytes() == bytes(wanted)


@looped("gather_mask", "get_gather_mask_remain_count")
@given(data=st.data(), kind=st.sampled_from(KINDS), repeats=st.integers(0, 3), reduce_mode=st.booleans())
@settings(max_examples=80)
def test_gather_mask_with_any_pattern(data: st.DataObject, kind: Any, repeats: int, reduce_mode: bool) -> None:
    """Built in or from a tensor, whole repeats or a number of elements, any strides: packed, and counted."""
    item, seed = np.dtype(kind).itemsize, data.draw(st.integers(0, 99))
    elements = data.draw(st.integers(0, 150)) if reduce_mode else 256 // item
    strides = data.draw(st.tuples(st.integers(1, 2), st.integers(0, 9), st.integers(0, 2)))
    source = noise(seed, 4096).view(kind)
    words = noise(seed + 1, 256).view(U16 if item == 2 else U32)
    pattern: Any = data.draw(st.one_of(st.integers(1, 7), st.just(words)))
    params = asc.GatherMaskParams(strides[0], repeats, strides[1], strides[2])
    asked = pattern if isinstance(pattern, int) else pattern.tolist()
    wanted = packed(list(range(source.size)), item, asked, elements, strides, repeats)
    counts: list[int] = []

    def body(dst: Any, src: Any, bits: Any) -> None:
        built_in = isinstance(pattern, int)
        counts.append(asc.gather_mask(dst, src, pattern if built_in else bits, reduce_mode, elements, params))
        counts.append(asc.get_gather_mask_remain_count())

    (dst, *_) = on_ub(body, np.zeros(1024, kind), source, words)

    assert counts == [len(wanted)] * 2
    assert dst[: len(wanted)].tobytes() == source[wanted].tobytes()
    assert not dst[len(wanted) :].view(np.uint8).any()


@worked("scatter", "gather_mask", "get_gather_mask_remain_count")
def test_four_elements_to_their_places_and_back() -> None:
    """5 and 7 to bytes 12 and 4 of zeros: 0, 7, 0, 5; of these the odd ones are kept, and they are two of four."""
    kept: list[int] = []

    def body(out: Any, odd: Any, src: Any, offset: Any) -> None:
        asc.scatter(out, src, offset, 0, 2)
        asc.gather_mask(odd, out, 2, True, 4, asc.GatherMaskParams())
        kept.append(asc.get_gather_mask_remain_count())

    out, odd, *_ = on_ub(body, np.zeros(8, F32), np.zeros(8, F32), np.array([5, 7], F32), np.array([12, 4], U32))

    assert out[:4].tolist() == [0, 7, 0, 5]
    assert odd[:3].tolist() == [7, 5, 0]
    assert kept == [2]


def test_gather_in_counter_mode_takes_as_many_as_the_register_counts() -> None:
    """100 floats are a repeat and a part; repeat_times says nothing."""
    src, offset = np.arange(128, dtype=F32), np.arange(127, -1, -1).astype(U32) * U32(4)

    def body(dst: Any, src: Any, offset: Any) -> None:
        asc.set_mask_count()
        asc.gather(dst, src, offset, 0, 100, 1, 8)
        asc.set_mask_norm()

    (dst, *_) = on_ub(body, np.zeros(128, F32), src, offset)

    assert dst.tolist() == [*range(127, 27, -1), *[0] * 28]


def test_gather_mask_leaves_normal_mode_and_says_so() -> None:
    """Whoever counted must count again."""

    def body(dst: Any, src: Any) -> None:
        asc.set_mask_count()
        asc.set_vector_mask(64, dtype=asc.float32, mode=asc.MaskMode.COUNTER)
        asc.gather_mask(dst, src, 7, False, 0, asc.GatherMaskParams())
        asc.adds(dst, src, 1.0, 1, 1, asc.UnaryRepeatParams())
        assert dst.values.tolist() == [1, *range(1, 64)]

    program = program_of(body, np.zeros(64, F32), np.arange(64, dtype=F32))

    assert [f.kind for f in program.findings] == ["mask"]


def test_special_values_move_bit_for_bit() -> None:
    """Infinities, NaN with a payload, −0 and subnormals are only carried."""
    src = np.array([0x7C00, 0xFC00, 0x7E01, 0x8000, 0x0001, 0, 0, 0], U16)
    offset = np.array([8, 6, 4, 2, 0, 0, 0, 0], U32)

    (dst, *_) = on_ub(lambda d, s, o: asc.gather(d, s, o, 0, 5), np.zeros(8, F16), src.view(F16), offset)

    assert dst.view(U16)[:5].tolist() == [0x0001, 0x8000, 0x7E01, 0xFC00, 0x7C00]


def test_row_has_the_blocks_from_the_lowest_to_the_highest_offset() -> None:
    """Bytes 68 and 130 of the source: blocks 2 to 4; the offsets and the destination exactly."""
    offset = np.array([68, 130, 0, 0, 0, 0, 0, 0], U32)

    (row,) = program_of(
        lambda d, s, o: asc.gather(d, s, o, 0, 2), np.zeros(16, F16), np.zeros(128, F16), offset
    ).blocks[0]

    dst, offsets, table = row.template.footprints
    assert (dst.write, dst.nbytes) == (True, 4)
    assert (offsets.write, offsets.nbytes) == (False, 8)
    assert (table.write, table.nbytes) == (False, 96)
    assert row.addresses == (0, 256 + 64, 512)


def test_only_what_is_gathered_must_be_filled() -> None:
    """A hole that no offset points at is no matter; one that an offset points at is named."""

    def body(at: int) -> None:
        dst, src = local(asc.float32, 8, 512), tensor(np.zeros(64, F32), 0)
        src.memory.shadow[44] = 0
        asc.gather(dst, src, tensor(np.array([0, at] * 4, U32), 1024), 0, 2)

    on_ub(lambda: body(48))
    with pytest.raises(asc.UninitializedError, match=r"^src of gather .*elements \[11, 12\).*UB bytes \[44, 45\)"):
        on_ub(lambda: body(44))


def test_counting_waits_for_the_vector_pipe() -> None:
    """The count is a register of the vector unit: a flag V_S and a scalar row follow, on every chip."""
    program = program_of(
        lambda d, s: asc.gather_mask(d, s, 1, False, 0, asc.GatherMaskParams()),
        *(np.zeros(64, F32), np.zeros(64, F32)),
        auto_sync=False,
    )

    names = [row.template.label for row in program.blocks[0]]
    assert names[0] == "gather_mask repeat=1 elements=64 pattern=1"
    assert [n.split()[0] for n in names[1:]] == ["set_flag", "wait_flag", "get_gather_mask_remain_count"]


def test_a_masked_gather_fills_its_lanes_alone() -> None:
    """Lanes 0 and 2 of two repeats; lane 1 of what it leaves is as nothing wrote it."""

    def body(offset: Any, x: Any) -> None:
        z = local(asc.float32, 128, 4096)
        asc.gather(z, x, offset, 0, [0b101, 0], 2, 8)
        seen.extend(z.memory.view(z.dtype)[1024 + lane] for lane in (0, 2, 64, 66))
        asc.adds(z, z, 1, 3, 2, asc.UnaryRepeatParams())

    seen: list[float] = []
    with refused(asc.UninitializedError, "src of adds (tensor z)", "UB bytes [4100, 4104)"):
        on_ub(body, 4 * np.arange(128, dtype=np.uint32)[::-1], np.arange(128).astype(np.float32))
    assert seen == [127, 125, 63, 61]
