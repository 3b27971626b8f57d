"""The published steps from a slow addition to a fast one, with tensors at fixed addresses and flags by hand.

Each step changes one thing: more cores, larger tiles, two buffers, no L2 for what is read once, operands in
different bank groups.  The times beside them were measured on an Ascend910B1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import ascendc as asc

from .add import add
from .tiling import Array, Tiling, equal_share
from .transfer import window

_MTE2_V, _V_MTE2 = asc.HardEvent.MTE2_V, asc.HardEvent.V_MTE2
_V_MTE3, _MTE3_V = asc.HardEvent.V_MTE3, asc.HardEvent.MTE3_V


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One way to add.

    Attributes:
        tile_bytes: of one tile of an operand.
        buffers: tiles of an operand that lie in UB: 1, or 2 to load one while the other is added.
        shift_bytes: between the tiles of x and those of y; not a multiple of 512 keeps the two operands in
            different bank groups.
        is_cached: whether x and y go through the L2.
    """

    tile_bytes: int
    buffers: int = 1
    shift_bytes: int = 0
    is_cached: bool = True

    def places(self, slot: int) -> tuple[int, int, int]:
        """Addresses of x, y and z in buffer ``slot``: all of x first, then all of y, then all of z."""
        at, each = slot * self.tile_bytes, self.buffers * self.tile_bytes
        return at, each + self.shift_bytes + at, 2 * each + self.shift_bytes + at


@asc.kernel
def add_static(x: asc.GlobalAddress, y: asc.GlobalAddress, z: asc.GlobalAddress, tiling: Tiling, step: Step) -> None:
    """z = x + y: each block adds its part, a tile in each buffer in turn; flag ``slot`` guards buffer ``slot``."""
    start, length = tiling.part(asc.get_block_idx())
    if not length:
        return
    xs, ys, zs = (window(array, start, length) for array in (x, y, z))
    if not step.is_cached:
        for tensor in (xs, ys):
            tensor.set_l2_cache_hint(asc.CacheMode.CACHE_MODE_DISABLE)
    slots = [
        tuple(asc.LocalTensor(x.dtype, asc.TPosition.VECCALC, place, tiling.tile) for place in step.places(slot))
        for slot in range(step.buffers)
    ]

    for slot in range(step.buffers):
        asc.set_flag(_V_MTE2, slot)
        asc.set_flag(_MTE3_V, slot)
    for number, at in enumerate(range(0, length, tiling.tile)):
        slot = number % step.buffers
        a, b, c = slots[slot]
        count = min(tiling.tile, length - at)
        row = asc.DataCopyExtParams(1, count * x.dtype.sizeof())

        asc.wait_flag(_V_MTE2, slot)
        asc.data_copy_pad(a, xs[at:], row, asc.DataCopyPadExtParams())
        asc.data_copy_pad(b, ys[at:], row, asc.DataCopyPadExtParams())
        asc.set_flag(_MTE2_V, slot)

        asc.wait_flag(_MTE2_V, slot)
        asc.wait_flag(_MTE3_V, slot)
        asc.add(c, a, b, count)
        asc.set_flag(_V_MTE2, slot)
        asc.set_flag(_V_MTE3, slot)

        asc.wait_flag(_V_MTE3, slot)
        asc.data_copy_pad(zs[at:], c, row)
        asc.set_flag(_MTE3_V, slot)
    for slot in range(step.buffers):
        asc.wait_flag(_V_MTE2, slot)
        asc.wait_flag(_MTE3_V, slot)


def _operator(name: str, doc: str, step: Step, *, us: float, row: str, blocks: int = 48) -> asc.Operator:
    """``add`` by ``step``.

    Args:
        name: its name.
        doc: its documentation.
        step: how it adds.
        us: what was published for 8192 x 8192 float16.
        row: where that stands in the table of measured points.
        blocks: how many that was measured with; more than one stands for all cores.
    """

    def host(x: Array, y: Array, z: Array, blocks: int) -> asc.Program:
        tiling = Tiling(z.size, equal_share(z, blocks), step.tile_bytes // z.itemsize)
        return add_static[blocks](x, y, z, tiling, step)

    (published,) = add.published
    published = replace(
        published, us=us, what="the same form", blocks=blocks, source=f"asc-devkit, add_high_performance ({row})"
    )
    return replace(add, name=name, doc=doc, host=host, blocks=1 if blocks == 1 else None, published=(published,))


_SIX_BUFFERS = 32_256
"""Bytes of a tile of which six stay below the library's limit of UB.  The sample's 32 KB fill it to the last byte."""

add_one_core = _operator(
    "add_one_core", "z = x + y on one core, 8 KB tiles.", Step(tile_bytes=8192), us=6909.6, row="M0006", blocks=1
)
add_8k = _operator("add_8k", "z = x + y on all cores, 8 KB tiles.", Step(tile_bytes=8192), us=306.58, row="M0012")
add_32k = _operator("add_32k", "z = x + y on all cores, 32 KB tiles.", Step(tile_bytes=32_768), us=268.5, row="M0018")
add_double = _operator(
    "add_double",
    "z = x + y on all cores, two buffers per operand.",
    Step(tile_bytes=_SIX_BUFFERS, buffers=2),
    us=264.02,
    row="M0024",
)
add_bypass = _operator(
    "add_bypass",
    "z = x + y as add_double, reading past the L2.",
    Step(tile_bytes=_SIX_BUFFERS, buffers=2, is_cached=False),
    us=187.68,
    row="M0030",
)
add_banks = _operator(
    "add_banks",
    "z = x + y as add_bypass, operands in different bank groups.",
    Step(tile_bytes=_SIX_BUFFERS, buffers=2, is_cached=False, shift_bytes=256),
    us=184.52,
    row="M0036",
)
