"""Events of a Chrome trace as text, and how long that text is before it is written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import numpy as np

from simulator.timeline import Label

from .cover import Ints
from .lanes import SYNC

CHUNK = 1 << 15
"""Events formatted at a time."""
SLICE_BYTES = len(',\n,"dur":}')
"""What a slice takes besides its head, its thread and its two times."""
ARROW_BYTES = len(',\n{"ph":"s","name":"flag","id":1000000,},\n{"ph":"f","bp":"e","name":"flag","id":1000000,}')
"""What the two events of an arrow take besides their threads and times."""
NAMING_BYTES = 8192
"""What naming a core and its threads may take: fifty threads."""


def dump(value: object) -> str:
    """``value`` as JSON without spaces."""
    return json.dumps(value, separators=(",", ":"))


def thread(core: int, tid: int) -> str:
    """What in an event says where it is; the time follows."""
    return f'"pid":{core + 1},"tid":{tid},"ts":'


def naming(event: str, core: int, tid: int = 0, **args: str | int) -> str:
    """An event that names or sorts a process, or a thread."""
    number = {"tid": tid} if tid else {}
    return dump({"ph": "M", "name": event, "pid": core + 1, **number, "args": args})


def head(label: Label) -> str:
    """What all slices of one label begin with.  Flags say which they are; what they do not say, their line does."""
    args: dict[str, str | int] = {"line": label.line}
    if label.kind in SYNC:
        name, stage = " ".join(word for word in label.text.split(" ") if "=" not in word), ""
    else:
        name, stage = label.name, label.stage
        if label.nbytes:
            args["bytes"] = label.nbytes
    category = f'"cat":{dump(stage)},' if stage else ""
    return f'{{"ph":"X","name":{dump(name)},{category}"args":{dump(args)},'


def slices(heads: Sequence[str], labels: Ints, threads: Sequence[str], starts: Ints, stops: Ints) -> Iterator[str]:
    """One event a slice, in pieces.

    Args:
        heads: see :func:`head`, by label.
        labels: of each slice.
        threads: see :func:`thread`, of each slice.
        starts: nanoseconds.
        stops: nanoseconds.
    """
    for at in range(0, len(labels), CHUNK):
        part = slice(at, at + CHUNK)
        yield "".join(
            [
                f',\n{heads[label]}{where}{ts},"dur":{dur}}}'
                for label, where, ts, dur in zip(
                    labels[part].tolist(),
                    threads[part],
                    micro(starts[part]),
                    micro(stops[part] - starts[part]),
                    strict=True,
                )
            ]
        )


def arrows(origins: Sequence[str], leave: Ints, targets: Sequence[str], arrive: Ints) -> Iterator[str]:
    """Two events an arrow, in pieces: from a time on a thread to a time on another."""
    for at in range(0, len(leave), CHUNK):
        part = slice(at, at + CHUNK)
        ends = zip(origins[part], micro(leave[part]), targets[part], micro(arrive[part]), strict=True)
        yield "".join(
            [
                f',\n{{"ph":"s","name":"flag","id":{number},{origin}{left}}}'
                f',\n{{"ph":"f","bp":"e","name":"flag","id":{number},{target}{arrived}}}'
                for number, (origin, left, target, arrived) in enumerate(ends, at + 1)
            ]
        )


def micro(ns: Ints) -> list[float]:
    """Nanoseconds as the format's µs, such that times 1000 gives them back rounded *or* cut off.

    Readers do either, and the nearest double of ``n / 1000`` may be a hair too small to survive the second; a
    tenth of a nanosecond more is not.
    """
    us = ns / 1000
    short = (us * 1000).astype(np.int64) != ns
    us[short] = (ns[short] * 10 + 1) / 10_000
    out: list[float] = us.tolist()
    return out


def width(ns: Ints) -> Ints:
    """How many characters :func:`micro` makes of each, at most."""
    whole = np.searchsorted(10 ** np.arange(4, 19, dtype=np.int64), ns, side="right") + 1
    return np.asarray(whole + len(".0001"), np.int64)
