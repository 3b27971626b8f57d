"""Arguments of tensors and queues that are none: each error names the kernel's line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import local, on_gm, on_ub
from tests.refusals import refused

NO_TYPE = "'flot16' is no element type here; there are: bool"


def queue() -> Any:
    made = asc.TQue(asc.TPosition.VECIN, 1)
    asc.TPipe().init_buffer(made, 1, 256)
    return made


def buffer() -> Any:
    made = asc.TBuf(asc.TPosition.VECCALC)
    asc.TPipe().init_buffer(made, 256)
    return made


class TestElementTypes:
    """A name that is none, wherever one can stand."""

    def test_of_an_allocated_tensor(self) -> None:
        """alloc_tensor says its name."""

        def body() -> None:
            queue().alloc_tensor("flot16")

        with refused(asc.DtypeError, f"alloc_tensor: {NO_TYPE}"):
            on_ub(body)

    def test_of_a_dequed_tensor(self) -> None:
        """deque says its name."""

        def body() -> None:
            q = queue()
            q.enque(q.alloc_tensor(asc.half))
            q.deque("flot16")

        with refused(asc.DtypeError, f"deque: {NO_TYPE}"):
            on_ub(body)

    def test_of_a_tbuf(self) -> None:
        """get says its name."""

        def body() -> None:
            buffer().get("flot16")

        with refused(asc.DtypeError, f"get: {NO_TYPE}"):
            on_ub(body)

    def test_of_a_cast(self) -> None:
        """reinterpret_cast says its name."""

        def body() -> None:
            local(asc.half, 16).reinterpret_cast("flot16")

        with refused(asc.DtypeError, f"reinterpret_cast: {NO_TYPE}"):
            on_ub(body)

    def test_of_a_tensor_at_an_address(self) -> None:
        """LocalTensor says its name."""

        def body() -> None:
            local("flot16", 16)

        with refused(asc.DtypeError, f"LocalTensor: {NO_TYPE}"):
            on_ub(body)

    def test_of_padding(self) -> None:
        """data_copy_pad says its name, and where the type stands."""

        def body(x: Any) -> None:
            pad = asc.DataCopyPadExtParams("flot16", True, 0, 0, 0)
            asc.data_copy_pad(local(asc.half, 16), x, asc.DataCopyExtParams(1, 32), pad)

        with refused(asc.DtypeError, f"data_copy_pad: dtype of pad_params: {NO_TYPE}"):
            on_gm(body, np.zeros(16, np.float16))


@pytest.mark.parametrize("name", ["dtype", "host", "start", "nbytes"])
def test_a_global_tensor_without_a_buffer(name: str) -> None:
    """What it lacks, and the call that gives it."""

    def body() -> None:
        getattr(asc.GlobalTensor(), name)

    with refused(asc.UsageError, f"GlobalTensor: {name} is not known before set_global_buffer(address)"):
        on_ub(body)


def test_a_thing_that_is_no_tensor_is_not_enqueued() -> None:
    """It has no name, and its place in the text is not left empty."""

    def body() -> None:
        queue().enque(3)

    with refused(asc.QueueStateError, "the tensor given is not one of its own; it belongs to no queue"):
        on_ub(body)


@pytest.mark.parametrize("make", [lambda p: asc.TQue(p, 1), lambda p: asc.TQueBind(p, asc.TPosition.VECOUT, 1)])
@pytest.mark.parametrize("position", ["VECIN", 1, None])
def test_a_position_is_a_tposition(make: Callable[[Any], Any], position: Any) -> None:
    """Neither its name nor its number."""

    def body() -> None:
        make(position)

    with refused(asc.PositionError, "must be a TPosition, as TPosition.VECIN, got " + repr(position)):
        on_ub(body)


class TestLocalTensorWithoutAPosition:
    """LocalTensor(dtype, addr, tile_size)."""

    @pytest.mark.parametrize("size", [{"addr": 128}, {"tile_size": 128}])
    def test_the_size_counts(self, size: dict[str, int]) -> None:
        """By position or by name: 128 elements from byte 64 of VECIN."""
        made = []
        on_ub(lambda: made.append(asc.LocalTensor(asc.half, 64, **size)))

        (tensor,) = made
        assert (tensor.position, tensor.address, len(tensor)) == (asc.TPosition.VECIN, 64, 128)

    def test_it_reaches_to_the_end_without_one(self) -> None:
        """All of UB from byte 64 on."""
        made = []
        on_ub(lambda: made.append(asc.LocalTensor(asc.half, 64)))

        assert made[0].nbytes == asc.HardwareSpec.load("demo").core["aiv"].memory["ub"].bytes - 64

    @pytest.mark.parametrize("wrong", [(64, 128, 256), ("VECIN", 0, 16), (None,)])
    def test_what_it_is_not(self, wrong: tuple[Any, ...]) -> None:
        """Two sizes, or a position that is none."""

        def body() -> None:
            asc.LocalTensor(asc.half, *wrong)

        with refused(asc.PositionError, f"LocalTensor: pos must be a TPosition, as TPosition.VECIN, got {wrong[0]!r}"):
            on_ub(body)


@pytest.mark.parametrize("offset", [1.5, "1", True])
def test_an_offset_of_an_address_is_whole(offset: Any) -> None:
    """Of both kinds of tensors; NumPy's whole numbers are."""

    def of_local() -> None:
        local(asc.half, 16).get_phy_addr(offset)

    def of_global(x: Any) -> None:
        x.get_phy_addr(offset)

    text = f"get_phy_addr: offset must be a whole number, got {offset!r}"
    with refused(asc.RangeError, text):
        on_ub(of_local)
    with refused(asc.RangeError, text):
        on_gm(of_global, np.zeros(16, np.float16))


def test_an_offset_may_be_narrow() -> None:
    """100 float16 are byte 200, which no int8 holds."""
    seen = []
    on_ub(lambda: seen.append(local(asc.half, 256, 32).get_phy_addr(np.int8(100))))

    assert seen == [232]
