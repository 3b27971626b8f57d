"""What wrong lanes have in common: the hint that a list of coordinates hides.

Each function gives phrases, the most telling first.  A phrase that is true of every tile that went wrong is true
of the stage; whoever collects tiles keeps those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

_NEAR = 1e-3
"""Factors and offsets this close, relatively, count as one; three digits of them are shown."""
_FAR = 64
"""Lanes that values are looked for away from their place."""
_ENOUGH = 8
"""Lanes that must agree there."""
_ORDINALS = {2: "second", 3: "third", 4: "fourth"}


def lanes(wrong: NDArray[np.intp], size: int, repeat: int) -> Iterator[str]:
    """Which lanes of one tile are wrong.

    Args:
        wrong: the wrong lanes, ascending; at least one.
        size: lanes of the tile.
        repeat: lanes of one repeat of a vector instruction.
    """
    first, last, count = int(wrong[0]), int(wrong[-1]), len(wrong)
    is_run = count == last - first + 1
    if count == size:
        yield "whole tiles"
    elif is_run and last == size - 1:
        if first % repeat == 0:
            yield f"from repeat {first // repeat} on"
        yield f"from lane {first} on"
        yield "only tail lanes"
    elif is_run and first == 0:
        yield f"only the first {count} lanes"
    else:
        yield from _regular(wrong, size, repeat)
        if is_run:
            yield f"only lanes {first} to {last}" if count > 1 else f"only lane {first}"


def _regular(wrong: NDArray[np.intp], size: int, repeat: int) -> Iterator[str]:
    """Lanes at equal distances, or at the same places of each repeat."""
    first, step = int(wrong[0]), int(np.diff(wrong[:2]).sum())
    if step > 1 and np.array_equal(wrong, np.arange(first, size, step)) and first < step:
        yield f"every {_ORDINALS.get(step, f'{step}th')} lane, from lane {first} on"
    places = np.unique(wrong % repeat)
    if size > repeat and np.array_equal(wrong, np.flatnonzero(np.isin(np.arange(size) % repeat, places))):
        yield f"lanes {_ranges(places.tolist())} of each repeat of {repeat}"
    numbers = np.unique(wrong // repeat)
    if len(numbers) > 1 and np.array_equal(wrong, np.flatnonzero(np.isin(np.arange(size) // repeat, numbers))):
        pitch = int(numbers[1] - numbers[0])
        if pitch > 1 and np.array_equal(numbers, np.arange(numbers[0], -(-size // repeat), pitch)):
            yield f"every {_ORDINALS.get(pitch, f'{pitch}th')} repeat, from repeat {numbers[0]} on"


def values(got: NDArray[Any], want: NDArray[Any], written: NDArray[np.bool_]) -> Iterator[str]:
    """How the wrong values of one tile differ from the wanted ones.

    Args:
        got: wrong values, float64.
        want: what they should be, float64.
        written: whether anything wrote them.
    """
    if not written.any():
        yield "never written"
    elif np.isnan(got).all():
        yield "all NaN"
    elif np.isinf(got).all():
        yield "all infinite"
    elif not got.any():
        yield "all zero"
    elif np.isfinite(got).all() and np.isfinite(want).all() and len(got) > 1:
        constants = [(_spread(got - want, 0), f"off by {np.mean(got - want):+.3g}")]
        if want.all() and len(np.unique(want)) > 1 and (factor := f"{np.mean(got / want):.3g}") != "1":
            constants.append((_spread(got / want, 1), f"{factor} times what is wanted"))
        yield from (phrase for spread, phrase in sorted(constants) if spread <= _NEAR)
        yield from _moved(got, want)


def tiles(wrong: Sequence[tuple[int, int]], counts: Mapping[int, int]) -> Iterator[str]:
    """Which tiles are wrong.

    Args:
        wrong: (block, tile) of each wrong tile; at least one.
        counts: tiles of each block.
    """
    blocks, numbers = {b for b, _ in wrong}, {t for _, t in wrong}
    if len(blocks) < len(counts):
        yield f"only block{'s' * (len(blocks) > 1)} {_ranges(sorted(blocks))}"
    if len(wrong) == sum(counts.values()) or max(counts[b] for b in blocks) == 1:
        return
    low = min(numbers)
    if all(tile == counts[block] - 1 for block, tile in wrong):
        yield "only the last tile of a block"
    elif numbers == {low}:
        yield f"only tile {low} of a block"
    elif len(wrong) == sum(max(0, counts[b] - low) for b in blocks):
        yield f"from tile {low} on"
    elif len(wrong) == sum(len(range(low, counts[b], 2)) for b in blocks) and {(t - low) % 2 for t in numbers} == {0}:
        yield f"every second tile, from tile {low} on"


def _moved(got: NDArray[Any], want: NDArray[Any]) -> Iterator[str]:
    """Right values at the wrong place."""
    for by in range(1, min(_FAR, len(got) - _ENOUGH) + 1):
        for what, mine, theirs in (("further on", got[:-by], want[by:]), ("before", got[by:], want[:-by])):
            if np.array_equal(mine, theirs) and len(np.unique(mine)) > 1:
                yield f"the values of {by} lane{'s' * (by > 1)} {what}"
                return


def _spread(numbers: NDArray[Any], nothing: float) -> float:
    """How far the numbers lie apart, beside how far they are from ``nothing``, which says that nothing is wrong."""
    middle = float(np.mean(numbers))
    return float(np.max(np.abs(numbers - middle)) / abs(middle - nothing)) if middle != nothing else np.inf


def _ranges(numbers: Sequence[int]) -> str:
    """``0-3, 8`` for 0, 1, 2, 3, 8."""
    parts = np.split(np.array(numbers), np.flatnonzero(np.diff(numbers) > 1) + 1)
    return ", ".join(f"{p[0]}-{p[-1]}" if len(p) > 1 else f"{p[0]}" for p in parts)
