"""Every high-level function at every awkward shape, against float64; and what its temporary memory owes to it."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from simulator import simulate
from tests.adv.calls import ELEMENTS, F32, Array, Call, Make
from tests.adv.calls_of_moves import MOVES
from tests.adv.calls_of_rows import ROWS
from tests.block import local, on_ub, program_of

adv = asc.adv
CALLS: dict[str, Make] = ELEMENTS | ROWS | MOVES
SHAPES = [(1, 1), (5, 1), (1, 7), (3, 65), (9, 33), (17, 20), (1, 129)]
"""One element, a column, a row; tails of 64 lanes, of groups of 8 and 16 rows, of 256 bytes of either type."""

LARGEST = {("layernorm", F32): 1e18, ("rmsnorm", F32): 1e18}
"""Where the largest numbers are too large, as the docstring says: squares must not overflow float32."""

IN_PLACE = ("softmax", "log_softmax", "simple_softmax", "softmax_flash_v2", "layernorm", "rmsnorm")
"""Functions of which dst may be src."""

SPECIAL = (np.nan, np.inf, -np.inf, -0.0, 0.0, "small", "-small", "large", "-large", 1.0)
BY_MEMORY = ("reduce_sum over rows", "reduce_mean over rows", "reduce_prod over rows")
"""Their order of summation depends on how many rows there is room for."""

FILES = ("calls", "calls_of_rows", "calls_of_moves")
GUARD = 256
"""Bytes behind the temporary buffer, which must stay."""


def kinds(name: str) -> list[Any]:
    """Element types of a function that floating point numbers go through, or of xor."""
    found = [k.numpy.type for k in adv.FUNCTIONS[name.split(maxsplit=1)[0]].dtypes if k.name in ("float16", "float32")]
    return found or [np.int16]


CASES = [(name, kind) for name in CALLS for kind in kinds(name)]


def label(value: Any) -> str:
    return str(getattr(value, "__name__", value))


each_case = pytest.mark.parametrize(("name", "kind"), CASES, ids=label)


def numbers(name: str, shape: tuple[int, int], kind: Any) -> tuple[Array, Array]:
    """Two matrices of normally distributed numbers, always the same ones."""
    rng = np.random.default_rng(zlib.crc32(f"{name} {shape}".encode()))
    x, z = rng.normal(0, 3, (2, *shape))
    return (100 * x if kind is np.int16 else x).astype(kind), (100 * z if kind is np.int16 else z).astype(kind)


def special(name: str, shape: tuple[int, int], kind: Any) -> tuple[Array, Array]:
    """Rows that begin with each of the special values in turn, and go on with the others or with that one alone."""
    small, large = np.finfo(kind).smallest_subnormal, LARGEST.get((name, kind), np.finfo(kind).max)
    named = {"small": small, "-small": -small, "large": large, "-large": -large}
    values = np.array([named.get(v, v) if isinstance(v, str) else v for v in SPECIAL]).astype(kind)
    rows, columns = shape
    mixed = np.stack([np.roll(np.resize(values, columns), -i) for i in range(rows)])
    alone = np.repeat(np.resize(values, rows)[:, None], columns, axis=1)
    return np.where(np.arange(rows)[:, None] % 2, mixed, alone), np.ones(shape, kind)


@contextmanager
def refused_anywhere(error: type[Exception], *parts: str) -> Iterator[None]:
    """Expect an error whose text has all of ``parts``."""
    with pytest.raises(error) as caught:
        yield

    assert [part for part in parts if part not in str(caught.value)] == [], str(caught.value)


def run(call: Call, temp: int, **launch: Any) -> list[Array]:
    """Make it in so many bytes that hold NaN, and check everything it may not touch."""
    memory = np.full(temp + GUARD, 0xFF, np.uint8)
    memory[temp:] = 0x5A

    def body(*tensors: Any) -> None:
        call.body(*tensors[:-1], tensors[-1][:temp])

    *after, memory_after = on_ub(body, *call.arrays, memory, **launch)

    assert (memory_after[temp:] == 0x5A).all(), "wrote behind the temporary buffer"
    for at, (result, before) in enumerate(zip(after, call.arrays, strict=True)):
        if at in call.outs:
            call.outs[at].check(result, before)
        else:
            assert result.tobytes() == before.reshape(-1).tobytes(), f"wrote source {at}"
    return [after[at] for at in sorted(call.outs)]


def test_every_function_is_here() -> None:
    """All of the table but `fill`, whose result is in global memory."""
    assert {name.split()[0] for name in CALLS} | {"fill"} == set(adv.FUNCTIONS)


@each_case
def test_awkward_shapes(name: str, kind: Any) -> None:
    """Each result is as near to float64 as the docstring says; nothing else is written, nothing comes of NaN in the
    temporary buffer; as much memory as is of use gives the bits that the least gives.
    """
    for at, shape in enumerate(SHAPES):
        call = CALLS[name](*numbers(name, shape, kind))
        most, least = call.sizes
        some = run(call, least, auto_sync=at % 2 == 0)
        if most > least and name not in BY_MEMORY:
            all_of_it = run(call, most, auto_sync=at % 2 == 1)

            assert [x.tobytes() for x in some] == [x.tobytes() for x in all_of_it]


@pytest.mark.parametrize(("name", "kind"), [c for c in CASES if c[1] is not np.int16], ids=label)
def test_special_values(name: str, kind: Any) -> None:
    """Rows with NaN, infinities, zeros of both signs, the smallest and the largest numbers, and rows of one of them
    alone, come out as the formula has them in float64.
    """
    call = CALLS[name](*special(name, (20, 11), kind))

    run(call, call.sizes[1])


@each_case
def test_result_over_a_source(name: str, kind: Any) -> None:
    """Where dst may be src the result is the same; elsewhere it is refused."""
    call = CALLS[name](*numbers(name, (9, 33), kind))
    at = call.src
    if at == len(call.arrays) or call.arrays[at].dtype != call.arrays[0].dtype:
        assert name.split(maxsplit=1)[0] in ("arange", "quant", "dequant", "anti_quant")
        return

    def over(*tensors: Any) -> None:
        call.body(tensors[at], *tensors[1:])

    memory = np.zeros(call.sizes[0], np.uint8)
    if name not in IN_PLACE:
        function = name.split(maxsplit=1)[0]

        def at_a_source(*tensors: Any) -> None:
            call.body(local(call.arrays[0].dtype, call.arrays[0].size, tensors[at].address), *tensors[1:])

        with refused_anywhere(asc.OverlapError, f"{function}: dst", "overlap; it writes its result before"):
            on_ub(at_a_source, *call.arrays, memory)
        return

    result = on_ub(over, *call.arrays, memory)[at].reshape(-1)
    whole = run(call, call.sizes[0])[0].reshape(-1)
    values = call.outs[0].places
    assert result[values].tobytes() == whole[values].tobytes()


@each_case
def test_temporary_memory(name: str, kind: Any) -> None:
    """One block less than the least is refused with what is missing; more of it never takes longer; in the least of it
    instructions are in order without `auto_sync`, and stand on the caller's lines.
    """
    call = CALLS[name](*numbers(name, (40, 70), kind))
    most, least = call.sizes
    if least:
        with refused_anywhere(
            asc.CapacityError,
            f"temp_buffer has {least - 32} B, at least {least} B are needed, 32 B are missing; get_",
        ):
            on_ub(lambda *t: call.body(*t[:-1], t[-1][: least - 32]), *call.arrays, np.zeros(least, np.uint8))

    def launched(temp: int, **launch: Any) -> Any:
        return program_of(call.body, *call.arrays, np.zeros(max(temp, 32), np.uint8), **launch)

    by_hand = launched(least, auto_sync=False)
    assert most >= least
    assert simulate(launched(most)).cycles <= simulate(launched(least)).cycles
    assert list(asc.hazards(by_hand)) == []
    assert {str(i.template.site).split(":")[0] for i in by_hand.blocks[0]} <= {f"{calls}.py" for calls in FILES}
