"""Every pair of units that can touch one tile, or one place in an array, in the wrong order: found, and mended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ascendc as asc
from tests.block import local

F, E = asc.float32, asc.HardEvent
_ALL = asc.PipeID.PIPE_ALL
Step = Callable[[Any], None]


def tile(address: int = 0) -> asc.LocalTensor:
    return local(F, 64, address)


STEPS: dict[str, Step] = {
    "load": lambda z: asc.data_copy(tile(), z[512:], 64),
    "load half over": lambda z: asc.data_copy(tile(128), z[512:], 64),
    "store": lambda z: asc.data_copy(z, tile(), 64),
    "fill": lambda z: asc.duplicate(tile(), 1, 64),
    "use": lambda z: asc.adds(tile(512), tile(), 1, 64),
    "peek": lambda z: tile().get_value(0),
    "poke": lambda z: tile().set_value(0, 1.0),
    "load back": lambda z: asc.data_copy(tile(1024), z, 64),
    "peek back": lambda z: z.get_value(0),
    "poke back": lambda z: z.set_value(0, 1.0),
}
PIPES = {"load": "MTE2", "load half over": "MTE2", "store": "MTE3", "fill": "V", "use": "V", "peek": "S", "poke": "S"}
PIPES |= {"load back": "MTE2", "peek back": "S", "poke back": "S"}
PAIRS = [
    ("load", "use", "raw"),
    ("load", "store", "raw"),
    ("load", "peek", "raw"),
    ("load", "fill", "waw"),
    ("load", "poke", "waw"),
    ("load", "load", "waw"),
    ("load", "load half over", "waw"),
    ("fill", "store", "raw"),
    ("fill", "use", "raw"),
    ("fill", "peek", "raw"),
    ("fill", "load", "waw"),
    ("fill", "fill", "waw"),
    ("fill", "poke", "waw"),
    ("use", "load", "war"),
    ("use", "fill", "war"),
    ("use", "poke", "war"),
    ("store", "load", "war"),
    ("store", "fill", "war"),
    ("store", "poke", "war"),
    ("store", "store", "waw"),
    ("store", "load back", "raw"),
    ("store", "peek back", "raw"),
    ("store", "poke back", "waw"),
    ("load back", "store", "war"),
    ("load back", "poke back", "war"),
    ("poke", "use", "raw"),
    ("poke", "store", "raw"),
    ("poke", "fill", "waw"),
    ("poke", "load", "waw"),
]


def kinds(first: str, second: str, between: Callable[[], None], *, auto_sync: bool = False) -> list[str]:
    """What is found of two steps on a tile that was filled long before."""

    @asc.kernel
    def kernel(z: asc.GlobalAddress) -> None:
        out = asc.GlobalTensor()
        out.set_global_buffer(z)
        asc.duplicate(local(F, 256), 0, 256)
        asc.pipe_barrier(_ALL)
        STEPS[first](out)
        between()
        STEPS[second](out)

    z = np.zeros(1024, np.float32)
    return [f.kind for f in kernel.launch(1, z, chip="demo", auto_sync=auto_sync, hazards="warn").findings]


def flag(first: str, second: str) -> Callable[[], None]:
    """A flag from one unit to the other, or the barrier of the one they share."""
    source, target = PIPES[first], PIPES[second]

    def between() -> None:
        if source == target:
            asc.pipe_barrier(asc.PipeID[f"PIPE_{source}"])
        else:
            asc.set_flag(E[f"{source}_{target}"], 0)
            asc.wait_flag(E[f"{source}_{target}"], 0)

    return between


@pytest.mark.parametrize(("first", "second", "kind"), PAIRS)
def test_a_pair_without_order_is_found_and_with_its_flag_is_not(first: str, second: str, kind: str) -> None:
    """Nothing between them, a flag the other way round, the flag, and a barrier over all pipes."""
    assert kinds(first, second, lambda: None) == [kind]
    assert kinds(first, second, flag(first, second)) == []
    assert kinds(first, second, lambda: asc.pipe_barrier(_ALL)) == []
    if {PIPES[first], PIPES[second]} <= {"MTE2", "MTE3", "V"} and PIPES[first] != PIPES[second]:
        assert kinds(first, second, flag(second, first)) == [kind]


@pytest.mark.parametrize(("first", "second", "kind"), [p for p in PAIRS if "V" in PIPES[p[0]] + PIPES[p[1]]])
def test_automatic_order_is_for_the_vector_and_the_scalar_unit(first: str, second: str, kind: str) -> None:
    """Between those two, and within the vector unit, nothing is left to find; a transfer is the author's."""
    is_covered = {PIPES[first], PIPES[second]} <= {"V", "S"}

    assert kinds(first, second, lambda: None, auto_sync=True) == ([] if is_covered else [kind])


@pytest.mark.parametrize(("first", "second", "kind"), [p for p in PAIRS if PIPES[p[0]] == "S" or PIPES[p[1]] == "S"])
def test_a_scalar_access_of_local_memory_is_ordered_automatically(first: str, second: str, kind: str) -> None:
    """Whatever is on the other side; of global memory it is not."""
    is_covered = "back" not in first + second

    assert kinds(first, second, lambda: None, auto_sync=True) == ([] if is_covered else [kind])
