"""Tensors without checks; part of ``bare.py``.  Only the ends of arrays and of UB, and alignment, are walls."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ascendc.language.enums import PipeID, TPosition
from tests.guards.bare_chip import NOW, UB_BYTES, Breach, Tokens, World, mixed, token

BLOCK_BYTES = 32


@dataclass(frozen=True, slots=True)
class Address:
    """A place in an array argument, which has the bytes [first, last) of global memory."""

    start: int
    first: int
    last: int
    dtype: Any

    def __add__(self, elements: int) -> Address:
        return replace(self, start=self.start + elements * self.dtype.sizeof())


class GlobalTensor:
    """A window on global memory."""

    at: Address

    def set_global_buffer(self, buffer: Address, buffer_size: int | None = None) -> None:
        self.at = buffer

    def __getitem__(self, key: slice) -> GlobalTensor:
        made = GlobalTensor()
        made.at = self.at + (key.start or 0)
        return made

    @property
    def dtype(self) -> Any:
        return self.at.dtype

    def set_l2_cache_hint(self, *_: object) -> None:
        """Results do not depend on it."""

    @staticmethod
    def memory(world: World) -> Tokens:
        return world.gm

    def bytes(self, count: int) -> slice:
        start = self.at.start
        if count < 0 or start < self.at.first or start + count > self.at.last:
            raise Breach("outside the array")
        return slice(start, start + count)


@dataclass(frozen=True, slots=True)
class Cell:
    """A scalar the kernel has read; which one, is known when a schedule is played."""

    number: int


class LocalTensor:
    """A window on UB."""

    def __init__(self, dtype: Any, pos: TPosition, addr: int = 0, tile_size: int = 0, buffer: Any = None) -> None:
        self.dtype, self.address, self.buffer = dtype, addr, buffer

    def __getitem__(self, key: slice | int) -> LocalTensor:
        first = (key.start or 0) if isinstance(key, slice) else key
        start = self.address + first * self.dtype.sizeof()
        return LocalTensor(self.dtype, TPosition.VECCALC, start, buffer=self.buffer)

    @staticmethod
    def memory(world: World) -> Tokens:
        return world.ub

    def bytes(self, count: int, align: int = BLOCK_BYTES) -> slice:
        stop = self.address + count
        if count < 0 or self.address < 0 or stop > UB_BYTES:
            raise Breach("outside UB")
        if self.address % align:
            raise Breach("misaligned")
        NOW[-1].top = max(NOW[-1].top, stop)
        return slice(self.address, stop)

    def get_value(self, offset: int) -> Cell:
        block, where = NOW[-1], self[offset].bytes(self.dtype.sizeof(), 1)
        cell = Cell(block.cells)
        block.cells += 1

        def effect(world: World) -> None:
            world.cells[cell.number] = mixed("value", *world.ub[where])

        block.work(PipeID.PIPE_S, effect)
        return cell

    def set_value(self, offset: int, value: float) -> None:
        where = self[offset].bytes(self.dtype.sizeof(), 1)

        def effect(world: World) -> None:
            world.ub[where] = token(value)

        NOW[-1].work(PipeID.PIPE_S, effect, is_late=True)
