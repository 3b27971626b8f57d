"""An event at a chosen place in the order of one instant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import simpy


class Alarm(simpy.Event):
    """Call back at an instant, after everything of a lower priority number in that instant."""

    def __init__(self, env: simpy.Environment, at: int, priority: int, callback: Callable[[Any], None]) -> None:
        # As simpy.Timeout does, but with a priority: the event is triggered from birth.
        self.env = env
        self.callbacks = [callback]
        self._value = None
        self._ok = True
        env.schedule(self, priority, at - env.now)  # type: ignore[arg-type]  # priorities are any integer
