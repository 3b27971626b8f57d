"""A high-level function on plain arrays: one block of one core, tensors in UB, nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import ascendc as asc
from tests.block import on_ub, program_of

Array = NDArray[Any]
GUARD = 32
"""Elements behind the result, which must stay."""


def lanes(function: Callable[..., None], *operands: Any, to: Any = None, temp: int = 1 << 15, **options: Any) -> Array:
    """The result of ``function(dst, *operands)``: arrays become tensors, everything else goes as it is.

    Args:
        function: of ``asc.adv``.
        operands: what follows dst.
        to: element type and size of dst, as an array; the first array's, if not given.
        temp: bytes of the temporary buffer.
        options: keywords of the function, or of the launch.
    """
    body, contents, launch = _call(function, operands, to, temp, options)
    dst, *sources, _ = on_ub(body, *contents, **launch)
    given = [x for x in operands if isinstance(x, np.ndarray)]

    assert all(_same(after, before) for after, before in zip(sources, given, strict=True)), "a source was written"
    assert (dst[len(dst) - GUARD :].view(np.uint8) == 7).all(), "something behind dst was written"
    return dst[: len(dst) - GUARD]


def program(function: Callable[..., None], *operands: Any, to: Any = None, temp: int = 1 << 15, **options: Any) -> Any:
    """As :func:`lanes`, but what the launch recorded."""
    body, contents, launch = _call(function, operands, to, temp, options)
    return program_of(body, *contents, **launch)


def names(function: Callable[..., None], *operands: Any, **options: Any) -> list[str]:
    """The instructions it issues."""
    return [i.template.op.name for i in program(function, *operands, **options).blocks[0]]


def _call(
    function: Callable[..., None], operands: tuple[Any, ...], to: Any, temp: int, options: dict[str, Any]
) -> tuple[Callable[..., None], list[Array], dict[str, Any]]:
    launch = {key: options.pop(key) for key in ("auto_sync", "chip", "hazards") if key in options}
    given = [x for x in operands if isinstance(x, np.ndarray)]
    like = given[0] if to is None else to
    dst = np.full((like.size + GUARD) * like.itemsize, 7, np.uint8).view(like.dtype)

    def body(dst: asc.LocalTensor, *rest: asc.LocalTensor) -> None:
        tensors = iter(rest[:-1])
        arguments = [next(tensors) if isinstance(x, np.ndarray) else x for x in operands]
        function(dst[: like.size], *arguments, temp_buffer=rest[-1], **options)

    return body, [dst, *given, np.zeros(max(temp, 1), np.uint8)], launch


def _same(a: Array, b: Array) -> bool:
    return bool((a.view(np.uint8) == b.reshape(-1).view(np.uint8)).all())
