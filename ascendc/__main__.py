"""``python -m ascendc``: the command, where its script is not on the path."""

from __future__ import annotations

import sys

from .cli import console

sys.exit(console())
