"""Memory that two owners hand out, or that was somebody else's a moment ago."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import ascendc as asc
from tests.refusals import refused

F, P = asc.float32, asc.TPosition


def found(body: Callable[[], object]) -> list[tuple[str, str]]:
    """Kind and text of what is found in a kernel of one block."""
    program = asc.kernel(body).launch(1, chip="demo")
    return [(f.kind, f.message) for f in program.findings]


def buffer_of(pipe: Any, nbytes: int = 256) -> asc.TBuf:
    made = asc.TBuf()
    pipe.init_buffer(made, nbytes)
    return made


def test_a_pipe_lays_a_buffer_over_a_tensor_of_an_allocator() -> None:
    """Both begin at address 0."""

    def body() -> None:
        mine = asc.LocalMemAllocator().alloc(P.VECIN, F, 32)
        buffer_of(asc.TPipe())
        asc.duplicate(mine, 1, 32)

    ((kind, text),) = found(body)
    assert kind == "alias"
    assert "UB bytes [0, 128) are those of a tensor of a LocalMemAllocator at test_claims.py:" in text


def test_a_second_allocator_hands_out_the_same_bytes() -> None:
    """While the first one's tensor is in use, and not when that is gone."""

    def both() -> None:
        a, b = (asc.LocalMemAllocator().alloc(P.VECIN, F, 32) for _ in range(2))
        asc.duplicate(a, 1, 32)
        asc.duplicate(b, 2, 32)

    def in_turn() -> None:
        for _ in range(2):
            asc.duplicate(asc.LocalMemAllocator().alloc(P.VECIN, F, 32), 1, 32)

    assert [kind for kind, _ in found(both)] == ["alias"]
    assert found(in_turn) == []


@pytest.mark.parametrize("again", [asc.TPipe.reset, asc.TPipe.destroy])
def test_a_pipe_that_starts_over_has_no_claims(again: Callable[[asc.TPipe], None]) -> None:
    """An allocator may have the memory then."""

    def body() -> None:
        pipe = asc.TPipe()
        buffer_of(pipe)
        again(pipe)
        asc.duplicate(asc.LocalMemAllocator().alloc(P.VECIN, F, 32), 1, 32)

    assert found(body) == []


def test_a_buffer_made_after_a_piece_of_the_stack_lies_on_it() -> None:
    """pop_stack_buffer takes what is behind the last buffer so far."""

    def body() -> None:
        pipe = asc.TPipe()
        stack = asc.pop_stack_buffer(F)
        buffer_of(pipe)
        asc.duplicate(stack, 1, 32)

    ((kind, text),) = found(body)
    assert kind == "alias"
    assert "a tensor of pop_stack_buffer" in text


def test_a_pool_shares_bytes_with_one_that_is_in_use() -> None:
    """Reset first, it is in nobody's way."""

    def body(reset: bool) -> None:
        pipe, first, second = asc.TPipe(), asc.TBufPool(), asc.TBufPool()
        pipe.init_buf_pool(first, 512)
        pipe.init_buf_pool(second, 512, first)
        first.init_buffer(asc.TBuf(), 64)
        if reset:
            first.reset()
        second.init_buffer(asc.TBuf(), 128)

    ((kind, text),) = found(lambda: body(reset=False))
    assert kind == "alias"
    assert "second shares its bytes with first, which has buffers on the first 64 of them" in text
    assert found(lambda: body(reset=True)) == []


def test_a_new_buffer_holds_nothing() -> None:
    """What the one before it left there is not its content."""

    def body() -> None:
        pipe = asc.TPipe()
        asc.duplicate(buffer_of(pipe).get(F), 1, 64)
        pipe.reset()
        fresh = buffer_of(pipe).get(F)
        asc.adds(fresh, fresh, 1, 64)

    with refused(asc.UninitializedError, "src of adds (tensor fresh): reads elements [0, 64)"):
        found(body)


def test_a_window_of_a_queue_does_not_grow_beyond_its_buffer() -> None:
    """The second buffer lies behind the first."""

    def body() -> None:
        pipe, queue = asc.TPipe(), asc.TQue(P.VECIN, 1)
        pipe.init_buffer(queue, 2, 64)
        a = queue.alloc_tensor(F)
        a.set_size(16)
        a.set_size(17)

    with refused(asc.OutOfBoundsError, "set_size: 17 x float32 from byte 0 end outside its buffer, up to byte 64"):
        found(body)
