"""The language without one check: what the chip would do with a kernel, right or wrong.

A stand-in for ``ascendc`` in the source of a kernel.  It shares nothing with the passes but names: queues and flags
do what the hardware does.  Only what no chip survives stops it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

import ascendc as asc
from ascendc.language.dtypes import dtype
from ascendc.language.enums import PipeID
from ascendc.language.isa.vector import VectorOp
from tests.guards.bare_chip import NOW, Block, World, mixed, token
from tests.guards.bare_queues import TBuf, TPipe, TQue, TQueBind
from tests.guards.bare_tensors import BLOCK_BYTES, Address, Cell, GlobalTensor, LocalTensor


class CopyParams(NamedTuple):
    """Rows of a padded copy; these kernels have one."""

    block_count: int = 1
    block_len: int = 0


def data_copy(dst: Any, src: Any, count: int) -> None:
    """The count form: what is no whole number of blocks is cut off."""
    _copy(dst, src, count * src.dtype.sizeof() // BLOCK_BYTES * BLOCK_BYTES, 0)


def data_copy_pad(dst: Any, src: Any, params: CopyParams, pad: object = None) -> None:
    """One row; on its way in, the rest of its last block becomes its first element."""
    nbytes = params.block_len
    _copy(dst, src, nbytes, -nbytes % BLOCK_BYTES if isinstance(dst, LocalTensor) else 0)


def _copy(dst: Any, src: Any, nbytes: int, padding: int) -> None:
    into, out = dst.bytes(nbytes + padding), src.bytes(nbytes)

    def effect(world: World) -> None:
        target = dst.memory(world)
        values = src.memory(world)[out]
        target[into.start : into.start + nbytes] = values
        if padding and nbytes:
            target[into.start + nbytes : into.stop] = np.resize(values[: src.dtype.sizeof()], padding)

    if isinstance(src, GlobalTensor):
        NOW[-1].work(PipeID.PIPE_MTE2, effect)
    elif isinstance(dst, GlobalTensor):
        NOW[-1].work(PipeID.PIPE_MTE3, effect)
    else:
        NOW[-1].vector([out], into, effect)


class Instruction:
    """A vector instruction in the count form; ``like`` is the real one, for its name and its types."""

    def __init__(self, like: VectorOp) -> None:
        self.name, self.doc, self.dtypes = like.name, like.doc, like.dtypes

    def __call__(self, dst: LocalTensor, *operands: Any) -> None:
        *sources, count = operands
        nbytes = count * dst.dtype.sizeof()
        write = dst.bytes(nbytes)
        reads = [s.bytes(nbytes) for s in sources if isinstance(s, LocalTensor)] + [write] * (self.name == "axpy")
        numbers = [s for s in sources if not isinstance(s, LocalTensor)]

        def effect(world: World) -> None:
            known = [world.cells[n.number] if isinstance(n, Cell) else token(n) for n in numbers]
            world.ub[write] = mixed(self.name, *(world.ub[r] for r in reads), *known)

        NOW[-1].vector(reads, write, effect)


@dataclass
class Launch:
    """What a launch would issue, block by block, on so many bytes of global memory."""

    blocks: list[Block]
    gm_bytes: int


@dataclass(frozen=True)
class Operator:
    """As much of an operator as its file needs."""

    host: Callable[..., Launch]
    inputs: int = 2
    published: tuple[Any, ...] = ()
    name: str = ""
    doc: str = ""
    blocks: int | None = None


class Kernel:
    """``kernel[blocks](…)`` gives a :class:`Launch`; a call inside a kernel is only a call."""

    def __init__(self, body: Callable[..., Any], *, auto_sync: bool) -> None:
        self._body, self._auto_sync = body, auto_sync
        functools.update_wrapper(self, body)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._body(*args, **kwargs)

    def __getitem__(self, blocks: int) -> Callable[..., Launch]:
        return lambda *args, **kwargs: self._launch(blocks, args, kwargs)

    def _launch(self, blocks: int, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Launch:
        free, made = 0, []
        addresses: dict[int, Address] = {}
        for array in (*args, *kwargs.values()):
            if isinstance(array, np.ndarray):
                addresses[id(array)] = Address(free, free, free + array.nbytes, dtype(array.dtype))
                free += array.nbytes
        places = [addresses.get(id(a), a) for a in args], {k: addresses.get(id(a), a) for k, a in kwargs.items()}
        for index in range(blocks):
            made.append(Block(index, blocks, auto_sync=self._auto_sync))
            NOW.append(made[-1])
            try:
                self._body(*places[0], **places[1])
                for end in made[-1].at_end:
                    end()
            finally:
                NOW.pop()
        return Launch(made, free)


def language(*, auto_sync: bool) -> SimpleNamespace:
    """What stands for ``ascendc`` in the source of a kernel."""
    instructions = {n: Instruction(v) for n in dir(asc) if isinstance(v := getattr(asc, n), VectorOp)}
    same = ("HardEvent", "PipeID", "TPosition", "CacheMode", "ceildiv", "float16", "float32", "int32")
    return SimpleNamespace(
        **{name: getattr(asc, name) for name in same},
        **instructions,
        **{s.__name__: s for s in (GlobalTensor, LocalTensor, TPipe, TQue, TQueBind, TBuf, data_copy, data_copy_pad)},
        DataCopyExtParams=CopyParams,
        DataCopyPadExtParams=CopyParams,
        kernel=functools.partial(Kernel, auto_sync=auto_sync),
        **dict.fromkeys(("copy_in", "compute", "copy_out"), lambda body: body),
        operator=lambda inputs=2, published=(), **_: lambda host: Operator(host, inputs, published),
        set_flag=lambda event, index=0: NOW[-1].set_flag(event, index),
        wait_flag=lambda event, index=0: NOW[-1].wait_flag(event, index),
        pipe_barrier=lambda pipe: NOW[-1].barrier(pipe),  # noqa: PLW0108  there is no block yet
        get_block_idx=lambda: NOW[-1].index,
        get_block_num=lambda: NOW[-1].count,
    )
