"""Functions of single elements: any count, any temporary memory, in the right order, at the cost of what they issue."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ascendc as asc
from ascendc.language.adv.tiles import Tiled
from simulator import simulate
from tests.adv.lanes import lanes, names, program
from tests.block import local, on_ub
from tests.refusals import refused

adv = asc.adv
TILED = [f for f in map(vars(adv).get, adv.FUNCTIONS) if isinstance(f, Tiled)]
SCALARS: dict[str, tuple[float, ...]] = {
    "clamp": (-1, 1),
    "clamp_max": (1,),
    "clamp_min": (1,),
    "swiglu": (0.5,),
}
FLOATS = np.random.default_rng(3).normal(0, 3, (2, 1200))
SIZES = [1, 7, 127, 128, 129, 700]


def operands(function: Tiled, count: int, kind: Any) -> tuple[Any, ...]:
    """Something to call it with."""
    sources = [(100 * x[:count] if kind is np.int16 else x[:count]).astype(kind) for x in FLOATS]
    if function.name == "swish":
        return (sources[0], count, 0.5)
    return (*sources[: len(function.roles) - 1], *SCALARS.get(function.name, ()))


def kinds(function: Tiled) -> list[Any]:
    return [k.numpy.type for k in function.dtypes if k.name != "uint16"]


@settings(max_examples=60)
@given(data=st.data())
def test_result_does_not_depend_on_tiles(data: st.DataObject) -> None:
    """Any count and any room between least and most give the bits of each element alone; nothing else is written."""
    function = data.draw(st.sampled_from(TILED))
    kind = data.draw(st.sampled_from(kinds(function)))
    count = data.draw(st.integers(1, 700))
    most, least = function.max_min_tmp_size(count, kind)
    temp = data.draw(st.sampled_from([least, most, most + 999, (least + most) // 2]))
    call = operands(function, count, kind)
    whole = lanes(function, *operands(function, 1200, kind), temp=1 << 16)[:count]
    result = lanes(function, *call, temp=temp, auto_sync=data.draw(st.booleans()))

    assert result.tobytes() == whole.tobytes()


@pytest.mark.parametrize("function", TILED, ids=lambda f: f.name)
def test_least_room_is_what_the_host_is_told(function: Tiled) -> None:
    """One byte less is refused, and says how much is missing."""
    kind = kinds(function)[0]
    most, least = function.max_min_tmp_size([3, 50], kind)
    assert most == 2 * least
    assert function.max_min_tmp_size(0, kind) == (0, 0)
    if not least:
        return

    contents, scalars = [np.ones(150, kind)] * len(function.roles), operands(function, 150, kind)
    with refused(
        asc.WorkspaceError, f"{function.name}: temp_buffer has {least - 32} B, at least {least} B", "32 B are"
    ):
        on_ub(
            lambda y, *x: function(y, *x[:-1], *scalars[len(x) - 1 :], temp_buffer=x[-1]),
            *contents,
            np.zeros(least - 32, np.uint8),
        )


def test_silu_is_four_instructions_a_tile() -> None:
    """Its cycles are those of muls, exp, adds and div; half as much room makes two tiles of them."""
    four = ["muls", "exp", "adds", "div"]
    wide = ["cast", *four, "cast"]

    assert names(adv.silu, np.ones(700, np.float32), auto_sync=False) == ["pipe_barrier", *_between(four)]
    for temp, tiles in ((2048, 1), (1024, 2)):
        issued = names(adv.silu, np.ones(256, np.float16), temp=temp)
        assert [name for name in issued if name != "pipe_barrier"] == wide * tiles


@pytest.mark.parametrize("chip", ["demo", "Ascend910B1", "Ascend910B4"])
def test_it_takes_the_cycles_of_its_instructions(chip: str) -> None:
    """silu, and the same four instructions written out by the author."""

    def by_hand(y: asc.LocalTensor, x: asc.LocalTensor, **_: Any) -> None:
        asc.muls(y, x, -1.0, 700)
        asc.exp(y, y, 700)
        asc.adds(y, y, 1.0, 700)
        asc.div(y, x, y, 700)

    x = np.ones(700, np.float32)
    mine, theirs = (simulate(program(f, x, chip=chip)).cycles for f in (by_hand, adv.silu))

    assert mine == theirs


@pytest.mark.parametrize("name", ["Ascend910B1", "demo"])
def test_every_chip_prices_them(name: str) -> None:
    """All are made of instructions that have a cost."""
    for function in TILED:
        made = program(function, *operands(function, 64, kinds(function)[0]), chip=name)
        assert simulate(made).cycles > 0


def _between(instructions: list[str]) -> list[str]:
    """With a barrier after each but the last."""
    return [name for each in instructions for name in (each, "pipe_barrier")][:-1]


@pytest.mark.parametrize("function", TILED, ids=lambda f: f.name)
def test_it_orders_itself_without_auto_sync(function: Tiled) -> None:
    """As with it, and one barrier ahead; the hazard pass finds nothing in either."""
    call = operands(function, 300, kinds(function)[0])
    least = function.max_min_tmp_size(300, kinds(function)[0])[1]
    with_it = names(function, *call, temp=least, auto_sync=True)
    without = names(function, *call, temp=least, auto_sync=False)

    assert without == ["pipe_barrier", *with_it]
    for auto_sync in (True, False):
        assert list(asc.hazards(program(function, *call, temp=least, auto_sync=auto_sync))) == []


def test_rows_are_on_the_authors_line() -> None:
    """Not somewhere in the library."""
    rows = program(adv.tanh, np.ones(8, np.float32)).blocks[0]

    assert {str(i.template.site).split(":")[0] for i in rows} == {"lanes.py"}


@pytest.mark.parametrize("count", SIZES)
def test_without_a_buffer_it_works_behind_the_tpipe(count: int) -> None:
    """In what init_buffer has left; the result is the same."""
    x = FLOATS[0, :count].astype(np.float32)
    out = np.zeros(count, np.float32)

    @asc.kernel
    def kernel(x: asc.GlobalAddress, out: asc.GlobalAddress) -> None:
        pipe, source, result = asc.TPipe(), asc.TQue(asc.TPosition.VECIN, 1), asc.TQue(asc.TPosition.VECOUT, 1)
        pipe.init_buffer(source, 1, 4 * count)
        pipe.init_buffer(result, 1, 4 * count)
        source_gm, out_gm = asc.GlobalTensor(), asc.GlobalTensor()
        source_gm.set_global_buffer(x)
        out_gm.set_global_buffer(out)
        row = asc.DataCopyExtParams(1, 4 * count, 0, 0, 0)
        a = source.alloc_tensor(asc.float32)
        asc.data_copy_pad(a, source_gm, row, asc.DataCopyPadExtParams(asc.float32))
        source.enque(a)
        a, b = source.deque(asc.float32), result.alloc_tensor(asc.float32)
        adv.sin(b, a, count)
        result.enque(b)
        source.free_tensor(a)
        b = result.deque(asc.float32)
        asc.data_copy_pad(out_gm, b, row)
        result.free_tensor(b)

    kernel[1](x, out)

    assert out.tobytes() == lanes(adv.sin, x).tobytes()


def test_count_of_zero_does_nothing() -> None:
    """Not even a barrier."""
    assert names(adv.tanh, np.ones(8, np.float32), 0, auto_sync=False) == []


class TestRefusals:
    """Before anything is written."""

    def test_no_room_left(self) -> None:
        """sin needs 1,536 B, and the message says how many are missing."""

        @asc.kernel
        def kernel() -> None:
            pipe, buffer = asc.TPipe(), asc.TBuf()
            pipe.init_buffer(buffer, 188416 - 1024)
            x = buffer.get(asc.float32)
            asc.duplicate(x, 1.0, 512)
            adv.sin(x[256:], x, 128)

        with refused(
            asc.CapacityError, "sin: 1536 B of temporary memory", "1024 B of UB are left", "512 B are missing"
        ):
            kernel.launch(1, chip="Ascend910B1")

    def test_nobody_knows_what_is_free(self) -> None:
        """Without a TPipe the buffer must be passed; functions that need none run."""
        with refused(asc.UsageError, "sin: without a TPipe", "pass temp_buffer (1536 B or more)"):
            on_ub(adv.sin, np.zeros(8, np.float32), np.zeros(8, np.float32))
        assert on_ub(adv.silu, np.ones(8, np.float32), np.zeros(8, np.float32))[0].tolist() == [0] * 8

    def test_in_place(self) -> None:
        """dst is written before src is read for the last time."""
        with refused(asc.OverlapError, "silu: dst UB bytes [0, 32) and src UB bytes [0, 32) overlap"):
            on_ub(lambda x: adv.silu(x, x), np.zeros(8, np.float32))

    def test_temporary_memory_over_an_operand(self) -> None:
        """It would be overwritten."""
        x = np.zeros(2000, np.float32)
        with refused(asc.OverlapError, "sin: temp_buffer UB bytes [8192, 16192) and src UB bytes [8192, 8224) overlap"):
            on_ub(lambda y, x: adv.sin(y, x, 8, temp_buffer=x), x, x)

    def test_temporary_memory_that_cannot_be_used(self) -> None:
        """It starts at a multiple of 32 bytes."""
        x = np.zeros(2000, np.float32)
        with refused(asc.AlignmentError, "temp_buffer of sin", "byte offset 8196 in UB is not a multiple of 32"):
            on_ub(lambda y, x, t: adv.sin(y, x, 8, t[1:]), x[:1000], x[:1000], x)

    def test_a_source_that_is_no_tensor(self) -> None:
        """Numbers are no operands of a function of tensors."""
        with refused(asc.UsageError, "src of sin must be a LocalTensor at VECIN, VECCALC, VECOUT, got a float"):
            on_ub(lambda y: adv.sin(y, 1.0), np.zeros(8, np.float32))

    def test_wrong_types(self) -> None:
        """The message names those there are; all operands have one type."""
        bytes_, ones = np.zeros(32, np.int32), np.zeros(32, np.float32)
        with refused(asc.DtypeError, "sin: dst is int32; supported: float16, float32"):
            on_ub(adv.sin, bytes_, bytes_)
        with refused(asc.DtypeError, "geglu: src1 is int32; supported: float32"):
            on_ub(adv.geglu, ones, ones, bytes_)

    def test_shorter_than_the_count(self) -> None:
        """Either operand."""
        with refused(asc.OutOfBoundsError, "src of gelu", "needs 36 B (9 x float32)"):
            on_ub(lambda y, x: adv.gelu(y, x[:8], 9), np.zeros(16, np.float32), np.zeros(16, np.float32))

    def test_count_is_no_number_of_elements(self) -> None:
        """Negative, or broken."""
        with refused(asc.RangeError, "gelu: count must be a whole number of elements, 0 or more, got -1"):
            on_ub(lambda y, x: adv.gelu(y, x, -1), np.zeros(16, np.float32), np.zeros(16, np.float32))

    def test_nothing_has_written_the_source(self) -> None:
        """Found before the first tile is."""
        with refused(asc.UninitializedError, "src of gelu", "elements [0, 8)"):
            on_ub(lambda y: adv.gelu(y, local(asc.float32, 8, 512)), np.zeros(8, np.float32))

    def test_misaligned(self) -> None:
        """Tensors start at multiples of 32 bytes."""
        with refused(asc.AlignmentError, "src of gelu", "byte offset 260 in UB is not a multiple of 32"):
            on_ub(lambda y, x: adv.gelu(y, x[1:], 8), np.zeros(16, np.float32), np.zeros(16, np.float32))

    def test_a_scalar_that_is_none(self) -> None:
        """By its name."""
        with refused(asc.UsageError, "swish: scalar_value must be a number, got 'a'"):
            on_ub(lambda y, x: adv.swish(y, x, 8, "a"), np.zeros(8, np.float32), np.zeros(8, np.float32))
