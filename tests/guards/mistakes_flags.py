"""Flags and barriers: one kernel for each mistake, as short as it can be.

The docstring is the whole text of the error, behind its class; ``@-2`` is the second line above the last one, which
is the line that is refused.
"""

from __future__ import annotations

import ascendc as asc
from tests.block import queue
from tests.guards.mistakes import mistakes

H, E = asc.half, asc.HardEvent


def a_flag_set_twice() -> None:
    """EventError: set_flag: MTE2_V id 0 is already set, at @-1, and nothing has waited for it; wait_flag first,
    or use another id
    """
    asc.set_flag(E.MTE2_V, 0)
    asc.set_flag(E.MTE2_V, 0)


def a_wait_for_nothing() -> None:
    """EventError: wait_flag: V would wait forever for MTE2_V id 0: no set_flag was issued before; set it once
    before the loop, or after the work it stands for
    """
    asc.wait_flag(E.MTE2_V, 0)


def a_wait_for_another_id() -> None:
    """EventError: wait_flag: V would wait forever for MTE2_V id 0: no set_flag was issued before; set now: id
    1; set it once before the loop, or after the work it stands for
    """
    asc.set_flag(E.MTE2_V, 1)
    asc.wait_flag(E.MTE2_V, 0)


def an_id_too_large() -> None:
    """EventError: wait_flag: event id must be 0 to 7, got 8"""
    asc.wait_flag(E.MTE2_V, 8)


def a_flag_of_another_core() -> None:
    """EventError: M_FIX is no event of an aiv core; there are: MTE2_V, V_MTE2, MTE3_V, V_MTE3, V_V, MTE3_MTE2,
    MTE2_MTE3, S_V, V_S, S_MTE2, MTE2_S, S_MTE3, MTE3_S
    """
    asc.set_flag(E.M_FIX, 0)


def no_flag_at_all() -> None:
    """EventError: an event must be a HardEvent, as HardEvent.MTE2_V, got 'MTE2_V'"""
    asc.set_flag("MTE2_V", 0)


def a_list_of_flags() -> None:
    """EventError: an event must be a HardEvent, as HardEvent.MTE2_V, got []"""
    asc.set_flag([], 0)


def a_ninth_id() -> None:
    """EventError: MTE2_V: all 8 event ids are taken: 0 (@0), 1 (@0), 2 (@0), 3 (@0), 4 (@0), 5 (@0), 6 (@0), 7
    (@0); give one back first
    """
    pipe = asc.TPipe()
    for _ in range(9):
        pipe.alloc_event_id(E.MTE2_V)


def a_ninth_id_asked_for() -> None:
    """EventError: MTE2_V: all 8 event ids are taken: 0 (@-1), 1 (@-1), 2 (@-1), 3 (@-1), 4 (@-1), 5 (@-1), 6 (@-1),
    7 (@-1); give one back first
    """
    pipe = asc.TPipe()
    for _ in range(8):
        pipe.alloc_event_id(E.MTE2_V)
    pipe.fetch_event_id(E.MTE2_V)


def an_id_given_back_twice() -> None:
    """EventError: release_event_id: MTE2_V id 0 is not taken; give back, once, what alloc_event_id gave"""
    pipe = asc.TPipe()
    event_id = pipe.alloc_event_id(E.MTE2_V)
    pipe.release_event_id(event_id, E.MTE2_V)
    pipe.release_event_id(event_id, E.MTE2_V)


def an_id_given_back_while_set() -> None:
    """EventError: MTE2_V id 0 is free to take, but set_flag at @-2 has set it, and nothing has waited for it:
    the next wait would pass too early; wait_flag before this call; ids for flags of your own come from
    alloc_event_id
    """
    pipe = asc.TPipe()
    event_id = pipe.alloc_event_id(E.MTE2_V)
    asc.set_flag(E.MTE2_V, event_id)
    pipe.release_event_id(event_id, E.MTE2_V)
    pipe.alloc_event_id(E.MTE2_V)


def a_queue_that_finds_its_flag_set() -> None:
    """EventError: MTE2_V id 0 is free to take, but set_flag at @-1 has set it, and nothing has waited for it:
    the next wait would pass too early; wait_flag before this call; ids for flags of your own come from
    alloc_event_id
    """
    q = queue()
    t = q.alloc_tensor(H)
    asc.set_flag(E.MTE2_V, 0)
    q.enque(t)


def a_flag_of_a_queue_set_by_hand() -> None:
    """EventError: set_flag: MTE2_V id 0 is in use by a queue since @-1, which sets and awaits its flag itself;
    get an id from alloc_event_id or fetch_event_id
    """
    q = queue()
    q.enque(q.alloc_tensor(H))
    asc.set_flag(E.MTE2_V, 0)


def a_flag_of_a_queue_awaited_by_hand() -> None:
    """EventError: wait_flag: MTE2_V id 0 is in use by a queue since @-1, which sets and awaits its flag itself;
    get an id from alloc_event_id or fetch_event_id
    """
    q = queue()
    q.enque(q.alloc_tensor(H))
    asc.wait_flag(E.MTE2_V, 0)


def a_queue_given_back_by_hand() -> None:
    """EventError: release_event_id: MTE2_V id 0 is not taken; give back, once, what alloc_event_id gave"""
    q = queue()
    q.enque(q.alloc_tensor(H))
    asc.get_tpipe_ptr().release_event_id(0, E.MTE2_V)


def a_barrier_of_the_scalar_unit() -> None:
    """UsageError: pipe_barrier: pipe must be one of PipeID.PIPE_V, PipeID.PIPE_MTE2, PipeID.PIPE_MTE3,
    PipeID.PIPE_ALL, got PipeID.PIPE_S
    """
    asc.pipe_barrier(asc.PipeID.PIPE_S)


MISTAKES = mistakes(globals())
