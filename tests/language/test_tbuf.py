"""TBuf: one place, got as often as wanted."""

from __future__ import annotations

from typing import Any

import pytest

import ascendc as asc
from tests.refusals import refused

H = asc.half


def with_tbuf(body: Any, nbytes: int = 100) -> Any:
    """What ``body(pipe, buf)`` gives for a TBuf of ``nbytes``, and the program."""
    out: list[Any] = []

    @asc.kernel
    def block() -> None:
        pipe, buf = asc.TPipe(), asc.TBuf()
        pipe.init_buffer(asc.TBuf(asc.TPosition.VECIN), 64)
        pipe.init_buffer(buf, nbytes)
        out.append(body(pipe, buf))

    program = block.launch(1, chip="demo")
    return out[0], program


def place(tensor: asc.LocalTensor) -> tuple[str, int, int]:
    return tensor.position.name, tensor.address, tensor.nbytes


def test_get() -> None:
    """All whole elements, or the first of them; in the memory the TPipe gave it."""
    (all_of_it, some, none), _ = with_tbuf(lambda p, b: (b.get(asc.float32), b.get(H, 7), b.get(H, len=0)))

    assert place(all_of_it) == ("VECCALC", 64, 100)
    assert place(some) == ("VECCALC", 64, 14)
    assert place(none) == ("VECCALC", 64, 0)
    assert place(with_tbuf(lambda p, b: b.get(asc.float32), 102)[0]) == ("VECCALC", 64, 100)


def test_get_with_offset() -> None:
    """Elements, then bytes."""
    tensor, program = with_tbuf(lambda p, b: b.get_with_offset(4, 32, H))

    assert place(tensor) == ("VECCALC", 96, 8)
    assert not program.findings


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda b: b.get(H, 51), "get on TBuf b: 51 x float16 from byte 0 needs 102 B, it has 100 B"),
        (lambda b: b.get(H, -1), "get on TBuf b: -1 x float16 from byte 0"),
        (
            lambda b: b.get_with_offset(35, 32, H),
            "35 x float16 from byte 32 needs 70 B, it has 100 B",
        ),
        (lambda b: b.get_with_offset(1, -32, H), "get_with_offset on TBuf b: 1 x float16 from byte -32"),
    ],
)
def test_windows_outside(call: Any, text: str) -> None:
    """Elements, type, offset and what there is."""
    with refused(asc.OutOfBoundsError, text):
        with_tbuf(lambda p, b: call(b))


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda b: b.get(H, 33 / 2), "get: len must be a whole number, got 16.5"),
        (lambda b: b.get_with_offset(16.0, 32, H), "get_with_offset: size must be a whole number, got 16.0"),
        (lambda b: b.get_with_offset(16, "32", H), "get_with_offset: buf_offset must be a whole number, got '32'"),
    ],
)
def test_numbers_are_whole(call: Any, text: str) -> None:
    """A division with one slash is seen at once."""
    with refused(asc.RangeError, text):
        with_tbuf(lambda p, b: call(b))


def test_no_memory_yet_and_no_more() -> None:
    """Before init_buffer, and after a reset; then it may be laid out anew."""
    text = "it has no memory yet; call pipe.init_buffer(buf, len) first"
    with refused(asc.QueueStateError, "get on TBuf: " + text):
        asc.kernel(lambda: asc.TBuf().get(H))[1]()
    with refused(asc.QueueStateError, "get on TBuf b: " + text):
        with_tbuf(lambda p, b: (p.reset(), b.get(H)))
    tensor, _ = with_tbuf(lambda p, b: (p.reset(), p.init_buffer(b, 32), b.get(H))[-1])
    assert place(tensor) == ("VECCALC", 0, 32)


def test_a_position_is_a_tposition() -> None:
    """Its number is none."""
    with refused(asc.PositionError, "a position must be a TPosition, as TPosition.VECIN, got 9"):
        asc.kernel(lambda: asc.TBuf(9))[1]()


def test_a_tensor_of_a_buffer_that_was_taken_back_is_no_good() -> None:
    """After reset its bytes are somebody else's."""

    def body(pipe: Any, buf: Any) -> None:
        old = buf.get(H)
        pipe.reset()
        with refused(
            asc.QueueStateError, "dst of duplicate (tensor old) cannot be used: its TPipe or pool was reset\n"
        ):
            asc.duplicate(old, 1, 16)

    with_tbuf(body)


class TestAliases:
    """Two places of a kernel that get overlapping tensors are told so."""

    def test_apart_is_silent_and_a_loop_is_one_place(self) -> None:
        """Halves of one TBuf, got in every round."""

        def body(pipe: Any, buf: Any) -> None:
            for _ in range(3):
                buf.get_with_offset(16, 0, H)
                buf.get_with_offset(16, 32, H)

        assert not with_tbuf(body)[1].findings

    def test_a_tensor_that_is_gone_shares_nothing(self) -> None:
        """Two stages of a kernel use one scratch buffer, each while it runs."""

        def stage() -> None:
            asc.duplicate(buf_of[0].get(H), 1, 32)

        def other() -> None:
            asc.duplicate(buf_of[0].get(H), 2, 32)

        buf_of: list[asc.TBuf] = []

        def body(pipe: Any, buf: Any) -> None:
            buf_of.append(buf)
            stage()
            other()

        assert not with_tbuf(body)[1].findings

    def test_two_calls_on_one_line_are_two(self) -> None:
        """The line stands in both places."""

        def body(pipe: Any, buf: Any) -> None:
            a, b = buf.get(H, 16), buf.get(H, 16)
            assert a.address == b.address

        (finding,) = with_tbuf(body)[1].findings
        assert finding.kind == "alias"

    def test_the_shared_bytes_are_named(self) -> None:
        """The second place is the finding's line, the first is in its text."""

        def body(pipe: Any, buf: Any) -> None:
            whole = buf.get(H, 32)
            part = buf.get_with_offset(16, 32, H)
            assert part.address == whole.address + 32

        (finding,) = with_tbuf(body)[1].findings

        first = body.__code__.co_firstlineno
        assert finding.lines == (f"test_tbuf.py:{first + 2}",)
        assert (
            f"TBuf buf: the tensor got at test_tbuf.py:{first + 1} and this one share bytes [32, 64)" in finding.message
        )
