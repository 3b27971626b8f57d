"""The demo chip and a pen for programs on it."""

from __future__ import annotations

import pytest

from ascendc.language.hardware import HardwareSpec
from tests.simulator.programs import Pen


@pytest.fixture
def demo() -> HardwareSpec:
    return HardwareSpec.load("demo")


@pytest.fixture
def pen(demo: HardwareSpec) -> Pen:
    """One block on the demo chip, still empty."""
    return Pen(demo).block()
