"""Where queues come from and go to, and the flags that go with it."""

from __future__ import annotations

from .enums import HardEvent, TPosition

SOURCES = {
    TPosition.VECIN: (TPosition.GM, TPosition.VECIN),
    TPosition.VECOUT: (TPosition.VECOUT, TPosition.GM),
    TPosition.A1: (TPosition.GM, TPosition.A1),
    TPosition.B1: (TPosition.GM, TPosition.B1),
    TPosition.A2: (TPosition.A1, TPosition.A2),
    TPosition.B2: (TPosition.B1, TPosition.B2),
    TPosition.C1: (TPosition.GM, TPosition.C1),
    TPosition.C2: (TPosition.C1, TPosition.C2),
    TPosition.CO1: (TPosition.CO1, TPosition.CO2),
    TPosition.CO2: (TPosition.CO2, TPosition.GM),
}
"""Where a queue of each position comes from and goes to (Ascend C API, TQue)."""

EVENTS = {
    ("GM", "UB"): (HardEvent.MTE2_V, HardEvent.V_MTE2),
    ("UB", "GM"): (HardEvent.V_MTE3, HardEvent.MTE3_V),
    ("UB", "UB"): (HardEvent.MTE2_MTE3, HardEvent.MTE3_MTE2),
    ("GM", "L1"): (HardEvent.MTE2_MTE1, HardEvent.MTE1_MTE2),
    ("L1", "L0A"): (HardEvent.MTE1_M, HardEvent.M_MTE1),
    ("L1", "L0B"): (HardEvent.MTE1_M, HardEvent.M_MTE1),
    ("L1", "BT"): (HardEvent.MTE1_M, HardEvent.M_MTE1),
    ("L0C", "GM"): (HardEvent.M_FIX, HardEvent.FIX_M),
    ("L1", "FB"): (HardEvent.MTE1_FIX, HardEvent.FIX_MTE1),
    ("UB", "L1"): (HardEvent.MTE3_MTE1, HardEvent.MTE1_MTE3),
}
"""(filled, free) flags between two memories (Ascend C API, TQueBind)."""
