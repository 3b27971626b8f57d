"""The register of 128 bits between compare and select."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from ascendc import CMPMODE, SelMode
from tests.block import on_ub
from tests.compared_lanes import TESTS, numbers
from tests.inventory import looped, worked
from tests.lane_loops import element
from tests.refusals import refused
from tests.scalar_interpreter import Operand, chosen

F16, F32, U8 = np.float16, np.float32, np.uint8
SPR = SelMode.VSEL_CMPMASK_SPR
FULL = [2**64 - 1, 0]


class TestRegister:
    """The 128 bits that compare leaves for select."""

    def test_compare_without_dst_selects_without_mask(self) -> None:
        """Lane i of 64 is x where x < y, the same lanes in both repeats."""
        x = np.arange(128, dtype=F32)
        y = np.where(np.arange(128) % 2, x + 1, x - 1).astype(F32)

        def body(z: Any, x: Any, y: Any) -> None:
            asc.compare(x, y, CMPMODE.LT, FULL, asc.BinaryRepeatParams())
            asc.select(z, x, y, 2, asc.BinaryRepeatParams(), SPR)

        z, *_ = on_ub(body, np.zeros(128, F32), x, y)

        assert z.tolist() == [i if i % 2 else i - 1 for i in range(128)]

    def test_lanes_the_mask_leaves_out_keep_their_bits(self) -> None:
        """All of them first, then the first eight again, the other way round; float32 has 64 lanes."""

        def body(image: Any, x: Any, y: Any) -> None:
            asc.compare(x, y, CMPMODE.LT, FULL, asc.BinaryRepeatParams())
            asc.compare(x, y, CMPMODE.GT, 8, asc.BinaryRepeatParams())
            asc.get_cmp_mask(image)

        image, *_ = on_ub(body, np.full(32, 9, U8), np.zeros(64, F32), np.ones(64, F32))

        assert image.tolist() == [0, *[255] * 7, *[0] * 8, *[9] * 16]

    def test_both_ways_take_the_tensor_by_name(self) -> None:
        """``src`` to the register and ``dst`` from it."""

        def body(there: Any, back: Any) -> None:
            asc.set_cmp_mask(src=there)
            asc.get_cmp_mask(dst=back)

        _, back = on_ub(body, np.arange(1, 33, dtype=U8), np.zeros(32, U8))

        assert back.tolist() == [*range(1, 17), *[0] * 16]

    @worked("get_cmp_mask", "set_cmp_mask")
    def test_it_goes_to_memory_and_back(self) -> None:
        """Sixteen bytes, lowest bits first."""

        def body(there: Any, back: Any) -> None:
            asc.set_cmp_mask(there)
            asc.get_cmp_mask(back)

        _, back = on_ub(body, np.arange(1, 33, dtype=U8), np.zeros(32, U8))

        assert back.tolist() == [*range(1, 17), *[0] * 16]

    def test_the_number_of_the_scalar_mode_can_come_from_it(self) -> None:
        """The low bits of the register are the number."""

        def body(z: Any, number: Any, bits: Any, x: Any) -> None:
            asc.set_cmp_mask(number)
            asc.select(z, bits, x, 1, asc.BinaryRepeatParams())

        z, *_ = on_ub(body, np.zeros(64, F32), np.full(8, 2.5, F32), np.full(32, 0b01, U8), np.arange(64, dtype=F32))

        assert z[:9].tolist() == [0, *[2.5] * 7, 8]

    def test_nothing_in_it_is_refused(self) -> None:
        """Both readers say how to fill it."""
        way = "nothing has written the compare register; compare without dst or set_cmp_mask fills it"
        with refused(asc.UninitializedError, f"get_cmp_mask: {way}"):
            on_ub(asc.get_cmp_mask, np.zeros(32, U8))
        with refused(asc.UninitializedError, f"select: {way}"):
            on_ub(lambda x: asc.select(x, x, x, 1, asc.BinaryRepeatParams(), SPR), np.zeros(64, F32))


@looped("compare", "select", "get_cmp_mask", "set_cmp_mask")
@given(
    kind=st.sampled_from([F16, F32]),
    mode=st.sampled_from(CMPMODE),
    strides=st.tuples(*[st.sampled_from([0, 1, 2, 3])] * 2),
    repeats=st.integers(0, 3),
    by_register=st.booleans(),
    seed=st.integers(0, 999),
    data=st.data(),
)
@settings(max_examples=80)
def test_the_lanes_of_the_mask_are_compared_into_it(
    kind: Any, mode: CMPMODE, strides: Any, repeats: int, by_register: bool, seed: int, data: st.DataObject
) -> None:
    """Over sixteen random bytes; the other bits stay.  What select makes of them is the same in every repeat."""
    width, item = 256 // kind().itemsize, np.dtype(kind)
    mask = data.draw(st.integers(0, width) | st.integers(0, 2**64 - 1).map(lambda low: [low, 0]))
    x, y, z = numbers(kind, 2048, seed), numbers(kind, 2048, seed + 1), np.full(2048, 7, kind)
    image = np.random.default_rng(seed).integers(0, 256, 32, U8)
    a, b = (Operand(0, item, blk, 8) for blk in strides)
    bits = int.from_bytes(image[:16].tobytes(), "little")
    for lane in chosen(mask, width):
        verdict = TESTS[mode](element(x.view(U8), a, 0, lane), element(y.view(U8), b, 0, lane))
        bits = bits & ~(1 << lane) | int(verdict) << lane
    wanted = z.copy()
    for i in range(repeats * width):
        wanted[i] = x[i] if bits >> i % width & 1 else y[i]

    def body(image: Any, z: Any, x: Any, y: Any) -> None:
        params = asc.BinaryRepeatParams(1, *strides, 8, 8, 8)
        asc.set_cmp_mask(image)
        if by_register:
            asc.set_vector_mask(*((mask,) if isinstance(mask, int) else (mask[1], mask[0])), dtype=kind)
            asc.compare(x, y, mode, 1, params, is_set_mask=False)
        else:
            asc.compare(x, y, mode, mask, params)
        asc.get_cmp_mask(image)
        asc.reset_mask()
        asc.select(z, x, y, repeats, asc.BinaryRepeatParams(), SPR)

    after, got, *_ = on_ub(body, image, z, x, y)

    assert after.tobytes() == bits.to_bytes(16, "little") + image[16:].tobytes()
    assert np.array_equal(got, wanted, equal_nan=True)
