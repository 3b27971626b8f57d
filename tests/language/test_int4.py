"""int4: two numbers a byte, the first in its lower half; ``cast`` to and from float16, and nothing else but bytes."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ascendc as asc
from ascendc import adv
from ascendc.language.nibbles import packed, unpacked
from tests.block import Array, local, on_gm, on_ub, program_of
from tests.exact import pick
from tests.refusals import refused, refused_at_launch

F16, U8 = np.float16, np.uint8
MODES = ("NONE", "RINT", "FLOOR", "CEIL", "ROUND", "TRUNC")
NUMBERS = st.lists(st.integers(-8, 7), min_size=2, max_size=40).filter(lambda x: not len(x) % 2)


def exactly(value: float, mode: str) -> int:
    """The int4 that ``mode`` makes of a float16, by fractions."""
    if math.isnan(value):
        return 0
    return min(max(pick(Fraction(value), mode), -8), 7) if math.isfinite(value) else 7 if value > 0 else -8


def nibbles(x: Array) -> list[int]:
    """The numbers in bytes, one after another, as Python reads them."""
    return [(half ^ 8) - 8 for byte in x.view(U8).tolist() for half in (byte & 15, byte >> 4)]


class TestStorage:
    """What bytes mean."""

    @given(numbers=NUMBERS)
    def test_there_and_back(self, numbers: list[int]) -> None:
        """Half as many bytes, and the same numbers."""
        made = packed(np.array(numbers))

        assert nibbles(made) == numbers == unpacked(made).tolist()

    def test_sizes(self) -> None:
        """C++'s sizeof is 1; 32 bytes are 64 numbers."""
        assert (asc.int4.sizeof(), asc.int4.nbytes(64), asc.int4.count(32), asc.int4.limits) == (1, 32, 64, (-8, 7))
        assert (asc.half.nbytes(64), asc.half.count(32), asc.uint16.limits) == (128, 16, (0, 65535))

    def test_a_tensor_over_bytes(self) -> None:
        """0x21 is 1, 2; 0xF8 is −8, −1; windows begin at even elements."""

        def body(x: asc.LocalTensor) -> None:
            t = x.reinterpret_cast(asc.int4)
            assert (len(t), t.get_size(), t.get_length(), t.get_phy_addr(2)) == (64, 64, 32, 1)
            assert t.values[:4].tolist() == [1, 2, -8, -1]
            assert [t.get_value(i) for i in range(4)] == [1, 2, -8, -1]
            assert t[2:4].values.tolist() == [-8, -1]
            assert t[2:].reinterpret_cast(asc.uint8).get_value(0) == 0xF8
            t.set_value(3, 7)
            t.set_value(0, -3)

        (x,) = on_ub(body, np.array([0x21, 0xF8] + [0] * 30, U8))

        assert x[:2].tolist() == [0x2D, 0x78]

    def test_places_to_get_one_from(self) -> None:
        """Addresses, queues, buffers and allocators count in elements."""

        def body() -> None:
            pipe, queue, buf = asc.TPipe(), asc.TQue(asc.TPosition.VECIN, 1), asc.TBuf()
            pipe.init_buffer(queue, 1, 64)
            pipe.init_buffer(buf, 64)
            sizes = [
                len(asc.LocalTensor(asc.int4, asc.TPosition.VECCALC, 0, 10)),
                len(queue.alloc_tensor(asc.int4)),
                len(buf.get(asc.int4)),
                len(buf.get(asc.int4, 6)),
                len(asc.LocalMemAllocator().alloc(asc.TPosition.VECCALC, asc.int4, 8)),
            ]
            assert sizes == [10, 128, 128, 6, 8]

        on_ub(body)

    def test_dumps_show_numbers(self, capsys: pytest.CaptureFixture[str]) -> None:
        """Bytes that nothing wrote hold two that nobody knows."""

        def body(x: asc.LocalTensor) -> None:
            asc.dump_acc_chk_point(local(asc.int4, 66), 1, 62, 3)
            asc.printf("%d of %s", x.reinterpret_cast(asc.int4).get_value(1), x.reinterpret_cast(asc.int4)[:2])

        on_ub(body, np.full(32, 0x9A, U8))
        lines = [line.partition("] ")[2] for line in capsys.readouterr().out.splitlines()]

        assert lines[1:] == ["-6 -7 ?", "-7 of [-6 -7]"]


class TestCast:
    """Repeats are 128 lanes of float16: 256 bytes there, 64 here."""

    @pytest.mark.parametrize("mode", MODES)
    def test_every_float16(self, mode: str) -> None:
        """All 65,536 bit patterns, against fractions: rounded as the mode says, saturated, NaN to 0."""
        x = np.arange(1 << 16, dtype=np.uint16).view(F16)

        with np.errstate(all="ignore"):
            z = asc.cast.compute(x, asc.int4, asc.RoundMode[f"CAST_{mode}"])

        assert nibbles(z) == [exactly(v, mode) for v in x.tolist()]

    def test_every_int4(self) -> None:
        """Exact, all 16 of them, in both halves of a byte."""
        (z, _) = on_ub(
            lambda z, x: asc.cast(z, x.reinterpret_cast(asc.int4), asc.RoundMode.CAST_NONE, 32),
            *(np.zeros(32, F16), packed(np.resize(np.arange(-8, 8), 64)).view(U8)),
        )

        assert z.tolist() == [*range(-8, 8)] * 2

    @given(data=st.data())
    def test_masks_and_strides(self, data: st.DataObject) -> None:
        """Lane i of a repeat is half a byte of block i // 64; what is masked off stays, byte by byte."""
        pairs = data.draw(st.one_of(st.integers(1, 64), st.lists(st.integers(0, 63), min_size=1, unique=True)))
        chosen = [*range(pairs)] if isinstance(pairs, int) else sorted(pairs)
        bits = sum(3 << 2 * p for p in chosen)
        mask: Any = 2 * pairs if isinstance(pairs, int) else [bits & (1 << 64) - 1, bits >> 64]
        repeats, blk, rep = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 2)), data.draw(st.integers(4, 6))
        to_int4 = data.draw(st.booleans())
        numbers = np.random.default_rng(data.draw(st.integers(0, 99))).integers(-8, 8, 128 * repeats)
        wanted = np.full(32 * (blk + rep * repeats), 0x77, U8)
        for repeat in range(repeats):
            for pair in chosen:
                at = 32 * (repeat * rep + pair // 32 * blk) + pair % 32
                low, high = numbers[128 * repeat + 2 * pair :][:2].tolist()
                wanted[at] = low & 15 | (high & 15) << 4

        def there(z: asc.LocalTensor, x: asc.LocalTensor) -> None:
            params = asc.UnaryRepeatParams(blk, 1, rep, 8)
            asc.cast(z.reinterpret_cast(asc.int4), x, asc.RoundMode.CAST_RINT, mask, repeats, params)

        def back(z: asc.LocalTensor, x: asc.LocalTensor) -> None:
            params = asc.UnaryRepeatParams(1, blk, 8, rep)
            asc.cast(x, z.reinterpret_cast(asc.int4), asc.RoundMode.CAST_NONE, mask, repeats, params)

        if to_int4:
            z, _ = on_ub(there, np.full(wanted.size, 0x77, U8), numbers.astype(F16))

            assert z.tolist() == wanted.tolist()
        else:
            _, x = on_ub(back, wanted, np.full(128 * repeats, 100, F16))
            lanes = [128 * r + 2 * p + half for r in range(repeats) for p in chosen for half in (0, 1)]

            assert x[lanes].tolist() == numbers[lanes].tolist()
            assert np.count_nonzero(x == 100) == x.size - len(lanes)

    def test_of_repeats_that_overlap_the_later_ones_are_left(self) -> None:
        """Strides of half a repeat: of each repeat its first 64 numbers are left, and of the last all 128."""
        numbers = np.random.default_rng(0).integers(-8, 8, (3, 128))
        left = [*numbers[:, :64].ravel().tolist(), *numbers[2, 64:].tolist()]
        pairs = packed(numbers.ravel()).view(U8)

        def body(z: asc.LocalTensor, y: asc.LocalTensor, x: asc.LocalTensor, p: asc.LocalTensor) -> None:
            to, back = asc.UnaryRepeatParams(1, 1, 1, 8), asc.UnaryRepeatParams(1, 1, 4, 2)
            asc.cast(z.reinterpret_cast(asc.int4), x, asc.RoundMode.CAST_RINT, 128, 3, to)
            asc.cast(y, p.reinterpret_cast(asc.int4), asc.RoundMode.CAST_NONE, 128, 3, back)

        z, y, *_ = on_ub(body, np.zeros(128, U8), np.zeros(256, F16), numbers.ravel().astype(F16), pairs)

        assert nibbles(z) == left
        assert y.tolist() == left

    def test_counter_mode_and_the_mask_register(self) -> None:
        """130 elements are a repeat and one more pair; the register says the same as a mask."""

        def body(z: asc.LocalTensor, x: asc.LocalTensor) -> None:
            t = z.reinterpret_cast(asc.int4)
            asc.set_mask_count()
            asc.set_vector_mask(130, dtype=asc.half, mode=asc.MaskMode.COUNTER)
            asc.cast(t, x, asc.RoundMode.CAST_NONE, 0, 0, asc.UnaryRepeatParams(1, 1, 2, 8), is_set_mask=False)
            asc.set_mask_norm()
            asc.set_vector_mask(0, 0b1100, dtype=asc.half)
            asc.cast(t[192:], x, asc.RoundMode.CAST_NONE, 0, 1, asc.UnaryRepeatParams(), is_set_mask=False)

        z, _ = on_ub(body, np.zeros(128, U8), np.full(256, 5, F16))

        assert z.tolist() == [0x55] * 65 + [0] * 32 + [0x55] + [0] * 30

    def test_footprints_are_its_bytes(self) -> None:
        """128 elements: 64 bytes written, 256 read; the row is priced as float16."""
        program = program_of(
            lambda z, x: asc.cast(z.reinterpret_cast(asc.int4), x, asc.RoundMode.CAST_RINT, 128),
            *(np.zeros(64, U8), np.zeros(128, F16)),
        )
        (row,) = program.blocks[0]

        assert [(f.write, f.nbytes) for f in row.template.footprints] == [(True, 64), (False, 256)]
        assert row.template.dtype == "float16"

    def test_what_nothing_wrote_is_not_read(self) -> None:
        """The message counts in elements."""
        text = "src of cast (tensor u): reads elements [6, 10) of the tensor, UB bytes [259, 261), which nothing"

        def body(z: asc.LocalTensor) -> None:
            u = local(asc.int4, 10, 256)
            for i in range(6):
                u.set_value(i, 1)
            asc.cast(z, u, asc.RoundMode.CAST_NONE, 10)

        with refused(asc.UninitializedError, text):
            on_ub(body, np.zeros(16, F16))


class TestAntiQuant:
    """The one high-level function that takes it."""

    @pytest.mark.parametrize("kind", [F16, ml_dtypes.bfloat16])
    @pytest.mark.parametrize("by_row", [False, True])
    def test_rows_of_channels(self, kind: Any, by_row: bool) -> None:
        """Three rows of 64: (x + offset) · scale, in numbers that all types hold."""
        x = np.resize(np.arange(-8, 8), 192)
        channels = 3 if by_row else 64
        offset, scale = np.resize([1, -2, 4], channels).astype(kind), np.resize([0.5, 2, -1], channels).astype(kind)

        def body(z: Any, x: Any, *channels: Any) -> None:
            adv.anti_quant(z, x.reinterpret_cast(asc.int4), *channels, temp_buffer=None, is_transpose=by_row)

        def with_pipe(*tensors: Any) -> None:
            pipe, used = asc.TPipe(), asc.TBuf()
            pipe.init_buffer(used, 4096)
            body(*tensors)

        z, *_ = on_ub(with_pipe, np.zeros(192, kind), packed(x).view(U8), offset, scale)
        which = np.arange(192) // 64 if by_row else np.arange(192) % 64

        assert z.tolist() == ((x + offset[which].astype(float)) * scale[which].astype(float)).tolist()

    def test_the_size_helper_knows_its_block(self) -> None:
        """64 elements a block, 6 bytes of temporary memory each."""
        sizes = adv.get_anti_quant_max_min_tmp_size(192, asc.bfloat16, src_dtype=asc.int4)

        assert sizes == (192 * 6, 64 * 6)


class TestRefusals:
    """Half a byte is nobody's."""

    @pytest.mark.parametrize(
        ("call", "text"),
        [
            (lambda t: t[3:], "window [3, 64) parts elements that share a byte; begin and end it at multiples of 2"),
            (lambda t: t[:5], "window [0, 5) parts elements that share a byte"),
            (lambda t: t.get_phy_addr(1), "get_phy_addr: 1 x int4 end within a byte, which 2 of them share"),
            (lambda t: t.set_size(7), "set_size: 7 x int4 end within a byte, which 2 of them share; take a multiple"),
            (lambda t: local(asc.int4, 5), "LocalTensor: 5 x int4 end within a byte"),
        ],
    )
    def test_windows(self, call: Callable[..., Any], text: str) -> None:
        """Offsets and sizes are even."""
        with refused(asc.AlignmentError, text):
            on_ub(lambda x: call(x.reinterpret_cast(asc.int4)), np.zeros(32, U8))

    @pytest.mark.parametrize(
        ("how", "text"),
        [
            ((7,), "cast: 7 x int4 end within a byte, which 2 of them share; take a multiple of 2"),
            ((5, 1, None), "cast: the mask chooses lane 4 without lane 5; dst is int4, in which lanes 2k and 2k + 1 "),
            (([0b0110, 0], 1, None), "cast: the mask chooses lane 1 without lane 0; dst is int4"),
        ],
    )
    def test_casts(self, how: tuple[Any, ...], text: str) -> None:
        """Counts are even, masks choose pairs."""
        with refused(asc.AlignmentError, text):
            on_ub(
                lambda z, x: asc.cast(z.reinterpret_cast(asc.int4), x, asc.RoundMode.CAST_RINT, *how),
                *(np.zeros(64, U8), np.zeros(128, F16)),
            )

    def test_a_number_that_does_not_fit(self) -> None:
        """−8 to 7."""
        with refused(asc.RangeError, "set_value: value 8 does not fit int4 (-8 to 7)"):
            on_ub(lambda x: x.reinterpret_cast(asc.int4).set_value(0, 8), np.zeros(32, U8))

    @pytest.mark.parametrize(
        ("call", "text"),
        [
            (lambda t: asc.add(t, t, t, 32), "add: dst is int4; supported: int16, float16, int32, float32"),
            (lambda t: asc.duplicate(t, 1, 32), "duplicate: dst is int4; supported: int16, uint16, float16, bfloat16"),
            (asc.get_cmp_mask, "get_cmp_mask: dst is int4; supported: bool, int8"),
            (lambda t: asc.copy(t, t, 32, 1, asc.CopyRepeatParams()), "copy: dst is int4; supported: int16, uint16"),
            (lambda t: asc.set_atomic_add(asc.int4), "set_atomic_add: dtype is int4; supported: float32, float16"),
            (lambda t: asc.data_copy(t, t[:32], 32), "data_copy: dst is int4; supported: bool, int8"),
            (lambda t: asc.data_copy_pad(t, t, asc.DataCopyExtParams(1, 32)), "data_copy_pad: dst is int4; supported"),
            (lambda t: adv.quant(t, t, 1.0, 0.0), "quant: dst is int4; supported: int8"),
        ],
    )
    def test_what_has_no_int4(self, call: Callable[..., Any], text: str) -> None:
        """The message names the types there are."""
        with refused(asc.DtypeError, text):
            on_ub(lambda x: call(x.reinterpret_cast(asc.int4)), np.zeros(32, U8))

    def test_copies_say_how(self) -> None:
        """Its bytes can be copied."""
        way_out = "copy its bytes: reinterpret_cast(uint8) has half as many elements"

        def wrong(g: Any) -> None:
            asc.data_copy(local(asc.int4, 64), g, 32)

        def right(g: Any) -> None:
            t = local(asc.int4, 64)
            asc.data_copy(t.reinterpret_cast(asc.uint8), g, 32)
            asc.pipe_barrier(asc.PipeID.PIPE_ALL)
            assert t.values[:2].tolist() == [1, 2]

        with refused(asc.DtypeError, way_out):
            on_gm(wrong, np.full(32, 0x21, U8))
        on_gm(right, np.full(32, 0x21, U8))

    def test_an_array_of_numpys_int4(self) -> None:
        """There each number has a byte."""

        @asc.kernel
        def kernel(x: asc.GlobalAddress) -> None: ...

        with refused_at_launch(asc.DtypeError, "kernel: array x is NumPy's int4, a byte for each number; put two"):
            kernel[1](np.zeros(32, ml_dtypes.int4))
