"""Random programs and kernels for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from ascendc.language.enums import HardEvent, PipeID
from ascendc.language.program import Space
from tests.guards.scripts import LANES, SLOTS, Call, Script
from tests.rows import VALUE, Rows

_V, _MTE2, _MTE3, _S = PipeID.PIPE_V, PipeID.PIPE_MTE2, PipeID.PIPE_MTE3, PipeID.PIPE_S
_EVENTS = (HardEvent.MTE2_V, HardEvent.V_MTE2, HardEvent.V_MTE3, HardEvent.MTE3_V, HardEvent.V_V)
_LEVELS = ((), (), ((2, 3),), ((3, 2),), ((2, 5), (2, 2)), ((2, -2),))
_ATOMICS = ("", "", "add float32", "add float32", "max float32")
_SPACES = (Space.UB, Space.UB, Space.GM)
_FLAGS = (*_EVENTS[:4], HardEvent.MTE3_MTE2)
_SCALAR_EVENTS = (HardEvent.V_S, HardEvent.S_V, HardEvent.MTE2_S)


@st.composite
def blocks(draw: st.DrawFn, *, rows: int = 10, scalar: bool = True) -> Rows:
    """A block that can run to its end: every wait comes after its set.  Bytes are few, so that they meet."""
    made, tokens = Rows(), dict.fromkeys([(e, 0) for e in _EVENTS + _SCALAR_EVENTS * scalar], 0)
    spot = st.tuples(st.integers(0, 5), st.integers(1, 3))
    for _ in range(draw(st.integers(rows // 2, rows))):
        waits = [flag for flag, count in tokens.items() if count]
        match draw(st.sampled_from(["access", "access", "set", *["wait", "wait"] * bool(waits), "barrier"])):
            case "access":
                pipe = draw(st.sampled_from([_V, _MTE2, _MTE3, *[_S] * scalar]))
                reads = draw(st.lists(spot, max_size=2))
                writes = draw(st.lists(spot, min_size=not reads, max_size=1))
                space, levels = draw(st.sampled_from(_SPACES)), draw(st.sampled_from(_LEVELS))
                touched = {"reads": [(space, r) for r in reads], "writes": [(space, w) for w in writes]}
                atomic = draw(st.sampled_from(_ATOMICS))
                made.access(VALUE, pipe, **touched, levels=levels, strided=space, atomic=atomic)
            case "set":
                flag = draw(st.sampled_from(sorted(tokens)))
                made.set(*flag)
                tokens[flag] += 1
            case "wait":
                flag = draw(st.sampled_from(waits))
                made.wait(*flag)
                tokens[flag] -= 1
            case "barrier":
                made.barrier(draw(st.sampled_from([_V, _MTE2, PipeID.PIPE_ALL])))
    return made


_TILE = st.integers(0, SLOTS - 1)
_SHIFT = st.sampled_from([0, 0, 0, LANES // 2])


@st.composite
def scripts(draw: st.DrawFn, *, calls: int = 24) -> Script:
    """A kernel that runs to its end: waits follow their sets, queues are used in turn; nothing else is promised."""
    made: list[Call] = []
    is_set = dict.fromkeys(_FLAGS, False)
    filled = computed = 0
    buffers = draw(st.integers(1, 2))
    for _ in range(draw(st.integers(calls // 2, calls))):
        choices = ["load", "store", "add", "adds", "flag", "flag", "flag", "barrier"]
        choices += ["in"] * (not filled) + ["compute"] * (filled and not computed) + ["out"] * computed
        match draw(st.sampled_from(choices)):
            case "flag":
                event = draw(st.sampled_from(_FLAGS))
                made.append(Call("wait" if is_set[event] else "set", event=event))
                is_set[event] = not is_set[event]
            case "barrier":
                pipes = (PipeID.PIPE_V, PipeID.PIPE_MTE2, PipeID.PIPE_MTE3, PipeID.PIPE_ALL)
                made.append(Call("barrier", pipe=draw(st.sampled_from(pipes))))
            case "add":
                made.append(Call("add", draw(st.tuples(_TILE, _TILE, _TILE))))
            case "adds":
                made.append(Call("adds", draw(st.tuples(_TILE, _TILE))))
            case "load" | "store" as what:
                made.append(Call(what, draw(st.tuples(_TILE, _TILE)), draw(_SHIFT)))
            case "in":
                made.append(Call("in", (draw(_TILE),)))
                filled = 1
            case "compute":
                made.append(Call("compute", (draw(_TILE),)))
                filled, computed = 0, 1
            case "out":
                made.append(Call("out", (draw(_TILE),)))
                computed = 0
    made += [Call("wait", event=event) for event, waits in is_set.items() if waits]
    return Script(tuple(made), buffers)
