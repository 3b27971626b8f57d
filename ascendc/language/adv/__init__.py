"""High-level vector functions, ``asc.adv``: written in the instructions of ``asc``, whose cycles they take.

All work on tensors in UB and on any number of elements.  ``temp_buffer`` is memory to work in; without it a
function takes what the TPipe's buffers leave of UB.  ``get_NAME_max_min_tmp_size`` says on the host how many
bytes it can make use of, and how many it needs.
"""

from __future__ import annotations

from .function import FUNCTIONS

__all__ = ["FUNCTIONS"]
