"""The clock: when everything in a recorded launch happens, on a model of the chip."""

from .engine import simulate
from .timeline import Cause, Span, Timeline

__all__ = ["Cause", "Span", "Timeline", "simulate"]
