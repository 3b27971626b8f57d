"""Hazards in words: what is wrong, with the values, and the way out."""

from __future__ import annotations

import bisect
from collections.abc import Sequence

from ..enums import HardEvent, PipeID
from ..program import Block, Program, Space, Template
from .hits import Hit, Rule
from .padding import dummy_bytes
from .shared import Clash

_VERBS = {Rule.RAW: ("reads", "writes"), Rule.WAR: ("writes", "reads"), Rule.WAW: ("writes", "writes")}
"""What the later row does, and what the earlier one does."""


def unordered(program: Program, block: Block, hit: Hit) -> str:
    """Two rows of a block touch the same bytes in no order."""
    first, second = _template(block, hit.first), _template(block, hit.second)
    later, earlier = _VERBS[hit.rule]
    common = _common(block, hit)
    way_out = _way_out(program, block, hit, first, second, is_local=common[0][0] is not Space.GM)
    return (
        f"{_name(second)}: {later} {_bytes(program, common)}, which {_name(first)} {earlier}, "
        f"and nothing makes it wait for that; {way_out}"
    )


def between_blocks(program: Program, clash: Clash) -> str:
    """Two blocks touch the same bytes of global memory."""
    a, b = (_template(program.blocks[n], row) for n, row in zip(clash.blocks, clash.rows, strict=True))
    verbs = ["writes" if write else "reads" for write in clash.writes]
    return (
        f"{_name(b)}: block {clash.blocks[1]} {verbs[1]} {_global(program, clash.low, clash.high)}, "
        f"which block {clash.blocks[0]} {verbs[0]}{'' if a is b else f' with {_name(a)}'}, and nothing orders "
        "blocks; give each block bytes of its own: where slices are no multiple of 32 bytes, store their tails with "
        "data_copy_pad, which writes nothing beyond them"
    )


def flag(block: Block, hit: Hit) -> str:
    """A flag is set or awaited out of turn."""
    template = _template(block, hit.second)
    event = template.event
    assert event is not None, "only flags break these rules"
    args = f"(HardEvent.{event[0].name}, {event[1]})"
    if hit.rule is Rule.LEFT_SET:
        return (
            f"set_flag{args} at {template.site}: still set at the end of the kernel, so the next kernel finds it set; "
            f"every set needs its wait: add wait_flag{args} at the end"
        )
    if hit.rule is Rule.NEVER_SET:
        return f"wait_flag{args} at {template.site}: waits for ever, nothing set it before; add set_flag{args}"
    source, target = event[0].source.short, event[0].target.short
    return (
        f"set_flag{args} at {template.site}: may run while it is still set from {_template(block, hit.first).site}, "
        f"since nothing makes {source} wait until {target} has taken that one; "
        f"use another event id, or wait_flag{args} and then a flag {target}_{source} before it"
    )


def padding(block: Block, hit: Hit) -> str:
    """A row takes for data what an earlier one filled its blocks up with."""
    first, second = _template(block, hit.first), _template(block, hit.second)
    verb, way_out = "adds up", "shorten it to what is data"
    if second.pipe is PipeID.PIPE_MTE3:
        verb, way_out = "stores", "store only what is data, with data_copy_pad"
    return (
        f"{_name(second)}: {verb} dummies, or what came of them: {_name(first)} put {dummy_bytes(first)} B of copies "
        f"of its first element behind each row, to fill whole blocks; {way_out}, or give the padding a value, with "
        "is_pad and right_padding"
    )


def _template(block: Block, row: int) -> Template:
    return block.templates[int(block.rows[row])]


def _name(template: Template) -> str:
    return f"{template.label} ({template.pipe.short}, {template.site})"


def _way_out(program: Program, block: Block, hit: Hit, first: Template, second: Template, *, is_local: bool) -> str:
    if first.pipe is second.pipe:
        return f"put pipe_barrier(PipeID.{first.pipe.name}) between them"
    event = HardEvent.__members__.get(f"{first.pipe.short}_{second.pipe.short}")
    if event is None or event not in program.spec.core[block.kind].events:
        return f"put pipe_barrier(PipeID.{PipeID.PIPE_ALL.name}) between them"
    name = f"HardEvent.{event.name}"
    flags = f"put set_flag({name}, id) after {first.site} and wait_flag({name}, id) before {second.site}"
    if PipeID.PIPE_S in (first.pipe, second.pipe) or not is_local:
        return flags
    if {first.pipe, second.pipe} == {PipeID.PIPE_MTE2, PipeID.PIPE_MTE3}:
        return f"{flags}, or pass the tensor through a TQueBind(VECIN, VECOUT)"
    queue = "enque and deque" if hit.rule is Rule.RAW else "free_tensor and alloc_tensor"
    return f"{flags}, or {queue} the tensor in between"


def _common(block: Block, hit: Hit) -> list[tuple[Space, int, int]]:
    """The bytes two rows fight over: memory, first, and the one after the last."""
    wrote, write = (verb == "writes" for verb in reversed(_VERBS[hit.rule]))
    first, second = _touched(block, hit.first, wrote), _touched(block, hit.second, write)
    return [
        (space, max(a, low), min(b, high))
        for space in first
        for low, high in first[space]
        for a, b in _meeting(second.get(space, []), low, high)
    ]


def _bytes(program: Program, common: Sequence[tuple[Space, int, int]]) -> str:
    """These bytes in words, the first of them if they are in several places."""
    space, low, high = common[0]
    where = _global(program, low, high) if space is Space.GM else f"{space.name} bytes [{low}, {high})"
    return where + (f" and {len(common) - 1} more ranges" if len(common) > 1 else "")


def _touched(block: Block, row: int, write: bool) -> dict[Space, list[tuple[int, int]]]:
    """What a row reads or writes, as disjoint ascending intervals of each memory."""
    addresses = block.addresses[block.offsets[row] : block.offsets[row + 1]].tolist()
    spaces: dict[Space, list[tuple[int, int]]] = {}
    for f in _template(block, row).footprints:
        if f.write is write:
            starts = (addresses[f.operand] + start for start in f.runs())
            spaces.setdefault(f.space, []).extend((start, start + f.nbytes) for start in starts)
    return {space: _merged(runs) for space, runs in spaces.items()}


def _merged(runs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(runs):
        if merged and low <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(high, merged[-1][1])
        else:
            merged.append((low, high))
    return merged


def _meeting(runs: Sequence[tuple[int, int]], low: int, high: int) -> Sequence[tuple[int, int]]:
    """Those of the disjoint ascending ``runs`` that have a byte in [low, high)."""
    start = bisect.bisect_right(runs, low, key=lambda run: run[1])
    return runs[start : bisect.bisect_left(runs, high, key=lambda run: run[0])]


def _global(program: Program, low: int, high: int) -> str:
    for array in program.arrays:
        if array.address <= low < array.address + array.nbytes:
            return f"{array.name} bytes [{low - array.address}, {high - array.address})"
    return f"GM bytes [{low}, {high})"
